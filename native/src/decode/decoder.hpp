// Rewrites sentences with a synchronous grammar: the derivations whose weighted features, language model included, are best.
//
// The source side is parsed bottom-up with a walk through the trie of source sides (Chappelier & Rajman 1998). For each
// span and label, rules and the hypotheses in their gaps are combined best first (cube pruning: Chiang 2007); those
// with the same language-model state are one. With a beam that holds everything, the search is exact.
//
// Any word may pass through as itself, with the label X, and glue joins pieces in order. A rule whose source side is a
// single nonterminal is applied to the result of other rules only, never to that of another such rule.
#pragma once

#include <cstdint>
#include <vector>

#include "base/sequences.hpp"
#include "base/strings.hpp"
#include "decode/rules.hpp"
#include "grammar/parse.hpp"

namespace paragauge {

struct DecodeOptions {
  PassThrough pass_through = PassThrough::all;
  bool glue = true;
  std::int32_t max_span = 10;   // source words that a rule may cover; 0 for any number
  std::int64_t max_rules = 0;   // of one source side; 0 for all
  std::int64_t beam = 100;      // combinations tried for each span and label
  std::int64_t kbest = 1;
  bool distinct = true;         // different words, or different derivations
  bool derivations = false;
  std::int64_t bytes = std::int64_t{1} << 30;  // for each sentence
  int threads = 1;
};

enum class DecodeStatus : std::int8_t { none = 0, found = 1, memory_limit = 3 };

struct Decoded {
  double score = 0;  // of the search
  std::vector<double> features;
  std::string text;
  std::vector<DerivationNode> derivation;
};

struct DecodeResult {
  DecodeStatus status = DecodeStatus::none;
  std::int64_t hypotheses = 0;
  std::vector<Decoded> best;
};

// Sentences are numbers of `tokens`; `token_word` has the number of each token in the language model.
void decode(const DecoderView& view, const Words& tokens, const lm::Word* token_word, const Sequences& sentences,
            const DecodeOptions& options, std::vector<DecodeResult>& results);

}  // namespace paragauge
