// Synchronous rules from linked sentence pairs (Chiang 2007), labelled by trees if there are some.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/strings.hpp"
#include "grammar/labels.hpp"
#include "phrases/lexical.hpp"
#include "phrases/links.hpp"

namespace paragauge {

struct RuleOptions {
  LabelSet labels = LabelSet::hiero;
  UnaryChain chain = UnaryChain::bottom;
  bool trees_of_target = false;
  std::string default_label;             // of phrases that have no other; empty: they give no rules
  bool default_in_gaps = false;          // also in rules with nonterminals, on either side of the arrow
  std::int32_t max_span = 10;            // words of a source phrase, before sub-phrases are replaced
  std::int32_t max_target_span = 10;
  std::int32_t max_symbols = 5;          // of the source side of a rule with nonterminals
  std::int32_t max_target_symbols = 5;
  std::int32_t max_words = 10;           // of the source side of a rule without
  std::int32_t max_nonterminals = 2;     // 0 to 2
  std::int32_t min_links = 1;            // between words that stay words, in rules with nonterminals
  bool adjacent = false;                 // nonterminals may stand side by side on the source side
  bool tight = true;                     // words at the edges of a phrase must have links
  std::int64_t max_rows = 1 << 20;       // stop after the round of sentence pairs that reaches it
  int threads = 1;
};

// Trees of many sentences: nodes of tree i are nodes[3 * offsets[i] .. 3 * offsets[i + 1]).
struct Trees {
  const std::int32_t* nodes = nullptr;
  const std::int64_t* offsets = nullptr;  // none: no trees
  std::vector<std::string_view> names;
};

// One row for each occurrence of a rule; its two sides are text, such as "want [VP,1]".
struct RuleRows {
  Strings label, source, target;
  // "0-0 1-1", by symbols. With lexical weights there are eight characters before it, such that the smallest text of a
  // rule is its alignment with the highest weight (in both directions multiplied).
  Strings alignment;
  std::vector<double> direct_lexical, inverse_lexical;

  std::int64_t size() const { return static_cast<std::int64_t>(label.offsets.size()) - 1; }
  void append(const RuleRows& other);
};

// Throws std::invalid_argument for the first node that does not lie inside its sentence, or has no name.
void check_trees(const Trees& trees, const Sequences& sentences);

// Appends the rules of the sentence pairs from `first` on, in order, and returns the first pair not done.
// The rows do not depend on the number of threads.
std::int64_t extract_rules(const LinkedText& text, const Trees& trees, const RuleOptions& options, std::int64_t first,
                           RuleRows& rows);

}  // namespace paragauge
