// Is a sentence pair in the language of a synchronous grammar? Exact, by a chart over both sentences (Wu 1997).
//
// Rules are filtered to the pair first, by both sides. The chart goes by source spans, shortest first; for each source
// span and label it holds the set of target spans as a matrix of bits, so that a rule is applied to all target spans
// of its parts at once.
#pragma once

#include <cstdint>
#include <vector>

#include "base/sequences.hpp"
#include "grammar/index.hpp"

namespace paragauge {

enum class PassThrough { none, unknown, all };
enum class ParseStatus : std::int8_t { derived = 1, not_derived = 0, time_limit = 2, memory_limit = 3 };

struct ParseOptions {
  PassThrough pass_through = PassThrough::unknown;  // which words may become themselves, with the label X
  bool glue = true;                                 // labelled pieces may be joined, in order
  std::int32_t max_span = 0;                        // source words that a rule may cover; 0 for any number
  std::int32_t max_target_span = 0;                 // and target words
  double seconds = 60.0;                            // for each pair; 0 for any time
  std::int64_t bytes = std::int64_t{1} << 30;       // for the chart of each pair
  bool derivations = false;
  int threads = 1;
};

// A node of a derivation, before its children. Rule -1 lets a word through as itself.
struct DerivationNode {
  std::int64_t rule;
  std::int32_t parent;  // -1: a piece that glue joins, or the whole
  std::int32_t label;   // of the grammar; -1: X, where the grammar has none
  std::int32_t source_first, source_last, target_first, target_last;
};

struct ParseResult {
  ParseStatus status = ParseStatus::not_derived;
  std::int64_t rules = 0;  // that fit both sentences
  std::int64_t items = 0;  // of the chart: label, source span, target span
  double seconds = 0.0;
  std::vector<DerivationNode> derivation;  // if wanted, and if there is one
};

constexpr std::int64_t longest_sentence = 1023;  // longer ones hit the memory limit

// Sentences are given as numbers of `tokens`, the same for both sides.
void parse_pairs(const GrammarView& grammar, const Words& tokens, const Sequences& source, const Sequences& target,
                 const ParseOptions& options, std::vector<ParseResult>& results);

}  // namespace paragauge
