// A grammar that can be searched without being loaded: two tries of right-hand sides, and rules between them.
//
// Sides are stored without the names of their nonterminals: a symbol is 0 for a gap, or 1 + the number of a word. A
// trie is two arrays: the edges of node n are [first[n], first[n + 1]), sorted by symbol, and edge e leads to node
// e + 1, since nodes are numbered level by level. Rules are sorted by source node, target node and shape.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.hpp"
#include "phrases/index.hpp"

namespace paragauge {

constexpr std::int32_t gap_symbol = 0;

struct TrieView {
  const std::int32_t* first;
  const std::int32_t* symbols;
  std::int64_t nodes;

  // Where the edges of a node begin and end. Files are mapped and not read as a whole when they are opened, so what
  // they say is checked as it is used.
  std::pair<std::int32_t, std::int32_t> edges(std::int32_t node) const;
  // The child of a node by a symbol, or -1.
  std::int32_t child(std::int32_t node, std::int32_t symbol) const;
  // The symbols from the root to a node.
  void path(std::int32_t node, std::vector<std::int32_t>& symbols_out) const;
};

// The labels of a rule: left-hand side, first and second gap of the source side (-1 if there is none), and whether
// the first gap of the target side is the second of the source side.
struct Shape {
  std::int32_t lhs, first, second, swapped;
};

struct GrammarView {
  PhraseIndex words;             // sorted
  const std::uint8_t* on_source; // of each word: whether a source side has it
  PhraseIndex labels;            // sorted
  const Shape* shapes;
  std::int64_t shape_count;
  TrieView source, target;
  const std::int64_t* source_rules;  // of each source node, and one past the last
  const std::int32_t* rule_target;
  const std::int32_t* rule_shape;
  std::int64_t rule_count;

  std::int32_t source_of(std::int64_t rule) const;  // its source node
};

// A rule that cannot be read: where it stands among those that were given, and why.
struct RuleError : std::runtime_error {
  RuleError(std::int64_t row, const std::string& message) : std::runtime_error(message), row(row) {}
  std::int64_t row;
};

// A nonterminal as text, such as "[NP,1]"; a word has no label.
struct Symbol {
  std::string_view text;
  std::string_view label;
  int index = 0;

  bool nonterminal() const { return !label.empty(); }
};

Symbol read_symbol(std::string_view text);
// The symbols between spaces; throws std::invalid_argument if there are none.
void read_side(std::string_view text, std::vector<Symbol>& symbols);

struct GrammarArrays {
  Strings words, labels;
  std::vector<std::uint8_t> on_source;
  std::vector<std::int32_t> shapes;  // four for each
  std::vector<std::int32_t> source_first, source_symbols, target_first, target_symbols;
  std::vector<std::int64_t> source_rules;
  std::vector<std::int32_t> rule_target, rule_shape;
  std::vector<std::int64_t> rule_row;  // where each rule stood among those that were given
};

// Collects rules and lays them out; the same rule twice counts once, as it was given first.
class GrammarBuilder {
 public:
  GrammarBuilder();
  ~GrammarBuilder();

  // Adds rules given as text: "NP", "[NN,1] of", "of [NN,1]". Throws RuleError.
  void add(const Words& lhs, const Words& source, const Words& target);
  GrammarArrays finish();  // and begins anew

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace paragauge
