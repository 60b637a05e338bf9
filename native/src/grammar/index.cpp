#include "grammar/index.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <numeric>
#include <unordered_map>

#include "base/hashing.hpp"

namespace paragauge {

std::pair<std::int32_t, std::int32_t> TrieView::edges(std::int32_t node) const {
  const std::int32_t low = first[node], high = first[node + 1];
  if (low < node || high < low || high >= nodes) throw std::invalid_argument("the index of the grammar is damaged");
  return {low, high};
}

std::int32_t TrieView::child(std::int32_t node, std::int32_t symbol) const {
  const auto [low, high] = edges(node);
  const std::int32_t* begin = symbols + low;
  const std::int32_t* end = symbols + high;
  const std::int32_t* found = std::lower_bound(begin, end, symbol);
  return found != end && *found == symbol ? static_cast<std::int32_t>(found - symbols) + 1 : -1;
}

void TrieView::path(std::int32_t node, std::vector<std::int32_t>& symbols_out) const {
  symbols_out.clear();
  while (node > 0) {
    symbols_out.push_back(symbols[node - 1]);
    node = static_cast<std::int32_t>(std::upper_bound(first, first + nodes, node - 1) - first) - 1;
  }
  std::reverse(symbols_out.begin(), symbols_out.end());
}

std::int32_t GrammarView::source_of(std::int64_t rule) const {
  return static_cast<std::int32_t>(std::upper_bound(source_rules, source_rules + source.nodes + 1, rule) - source_rules) - 1;
}

Symbol read_symbol(std::string_view text) {
  Symbol symbol{text, {}, 0};
  if (text.size() < 5 || text.front() != '[' || text.back() != ']') return symbol;
  const std::size_t comma = text.rfind(',');
  if (comma == std::string_view::npos || comma < 2 || comma + 2 >= text.size() + 0 || text.size() - comma > 4) return symbol;
  int index = 0;
  for (std::size_t k = comma + 1; k + 1 < text.size(); ++k) {
    if (text[k] < '0' || text[k] > '9') return symbol;
    index = 10 * index + (text[k] - '0');
  }
  symbol.label = text.substr(1, comma - 1);
  symbol.index = index;
  return symbol;
}

void read_side(std::string_view text, std::vector<Symbol>& symbols) {
  symbols.clear();
  std::size_t place = 0;
  while (place < text.size()) {
    if (text[place] == ' ') {
      ++place;
      continue;
    }
    std::size_t end = text.find(' ', place);
    if (end == std::string_view::npos) end = text.size();
    symbols.push_back(read_symbol(text.substr(place, end - place)));
    place = end;
  }
  if (symbols.empty()) throw std::invalid_argument("has an empty side, expected words or nonterminals on both sides");
}

namespace {

// Numbers for strings in order of appearance.
class Names {
 public:
  std::int32_t operator[](std::string_view text) {
    const auto found = numbers_.find(text);
    if (found != numbers_.end()) return found->second;
    const auto number = static_cast<std::int32_t>(texts_.size());
    texts_.emplace_back(text);
    numbers_.emplace(texts_.back(), number);
    return number;
  }
  std::size_t size() const { return texts_.size(); }

  // Writes the strings in their order, and returns the place of each in it.
  std::vector<std::int32_t> sorted(Strings& out) const {
    std::vector<std::int32_t> order(texts_.size()), place(texts_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [this](std::int32_t a, std::int32_t b) {
      return texts_[static_cast<std::size_t>(a)] < texts_[static_cast<std::size_t>(b)];
    });
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::string& text = texts_[static_cast<std::size_t>(order[k])];
      out.text.insert(out.text.end(), text.begin(), text.end());
      out.end();
      place[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
    }
    return place;
  }

 private:
  std::deque<std::string> texts_;  // never moves them
  std::unordered_map<std::string_view, std::int32_t> numbers_;
};

// A trie that grows: an edge is found by hashing its node and symbol, both exact.
class GrowingTrie {
 public:
  GrowingTrie() : slots_(1024, -1) {}

  std::int32_t child(std::int32_t node, std::int32_t symbol) {
    std::size_t slot = find(node, symbol);
    if (slots_[slot] >= 0) return slots_[slot] + 1;
    if (2 * (edges_.size() + 1) > slots_.size()) {
      grow();
      slot = find(node, symbol);
    }
    if (edges_.size() >= (std::size_t{1} << 31) - 2) throw std::length_error("too many right-hand sides; split the grammar");
    slots_[slot] = static_cast<std::int32_t>(edges_.size());
    edges_.push_back({node, symbol});
    return slots_[slot] + 1;
  }

  // Lays the trie out level by level with renumbered symbols, and returns the new number of each node.
  std::vector<std::int32_t> lay_out(const std::vector<std::int32_t>& word_place, std::vector<std::int32_t>& first,
                                    std::vector<std::int32_t>& symbols) {
    const std::size_t nodes = edges_.size() + 1;
    for (Edge& edge : edges_)
      if (edge.symbol != gap_symbol) edge.symbol = 1 + word_place[static_cast<std::size_t>(edge.symbol - 1)];
    // Edges by node: a node's edges are [starts[node], starts[node + 1]) of by_node.
    std::vector<std::int32_t> starts(nodes + 1, 0), by_node(edges_.size());
    for (const Edge& edge : edges_) ++starts[static_cast<std::size_t>(edge.node) + 1];
    for (std::size_t n = 0; n < nodes; ++n) starts[n + 1] += starts[n];
    std::vector<std::int32_t> fill(starts.begin(), starts.end() - 1);
    for (std::size_t e = 0; e < edges_.size(); ++e)
      by_node[static_cast<std::size_t>(fill[static_cast<std::size_t>(edges_[e].node)]++)] = static_cast<std::int32_t>(e);
    for (std::size_t n = 0; n < nodes; ++n)
      std::sort(by_node.begin() + starts[n], by_node.begin() + starts[n + 1], [this](std::int32_t a, std::int32_t b) {
        return edges_[static_cast<std::size_t>(a)].symbol < edges_[static_cast<std::size_t>(b)].symbol;
      });
    std::vector<std::int32_t> number(nodes, 0), queue(1, 0);
    queue.reserve(nodes);
    first.clear();
    first.reserve(nodes + 1);
    symbols.clear();
    symbols.reserve(edges_.size());
    for (std::size_t k = 0; k < queue.size(); ++k) {
      const auto old = static_cast<std::size_t>(queue[k]);
      number[old] = static_cast<std::int32_t>(k);
      first.push_back(static_cast<std::int32_t>(symbols.size()));
      for (std::int32_t e = starts[old]; e < starts[old + 1]; ++e) {
        const std::int32_t edge = by_node[static_cast<std::size_t>(e)];
        symbols.push_back(edges_[static_cast<std::size_t>(edge)].symbol);
        queue.push_back(edge + 1);
      }
    }
    first.push_back(static_cast<std::int32_t>(symbols.size()));
    return number;
  }

 private:
  struct Edge {
    std::int32_t node, symbol;
  };

  std::size_t find(std::int32_t node, std::int32_t symbol) const {
    const std::size_t mask = slots_.size() - 1;
    const auto key = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(node)) << 32) | static_cast<std::uint32_t>(symbol);
    std::size_t slot = mix(key) & mask;
    while (slots_[slot] >= 0) {
      const Edge& edge = edges_[static_cast<std::size_t>(slots_[slot])];
      if (edge.node == node && edge.symbol == symbol) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  void grow() {
    slots_.assign(2 * slots_.size(), -1);
    for (std::size_t e = 0; e < edges_.size(); ++e)
      slots_[find(edges_[e].node, edges_[e].symbol)] = static_cast<std::int32_t>(e);
  }

  std::vector<Edge> edges_;  // edge e leads to node e + 1
  std::vector<std::int32_t> slots_;
};

struct Row {
  std::int32_t source, target, shape;
  std::int64_t place;  // among the rules that were given

  bool operator<(const Row& other) const {
    if (source != other.source) return source < other.source;
    if (target != other.target) return target < other.target;
    return shape != other.shape ? shape < other.shape : place < other.place;
  }
  bool operator==(const Row& other) const { return source == other.source && target == other.target && shape == other.shape; }
};

}  // namespace

struct GrammarBuilder::State {
  Names words, labels;
  std::vector<std::uint8_t> on_source;
  std::map<std::array<std::int32_t, 4>, std::int32_t> shapes;
  GrowingTrie source, target;
  std::vector<Row> rows;
  std::vector<Symbol> source_symbols, target_symbols;

  // Rules often come sorted by their source side: what it shares with the last one is known.
  struct Walked {
    std::string text;
    std::vector<std::size_t> ends;  // of each symbol in the text
    std::vector<std::int32_t> nodes;
  };
  Walked last_source;

  std::int32_t walk_source(std::string_view text) {
    std::size_t same = 0;
    const std::size_t most = std::min(text.size(), last_source.text.size());
    while (same < most && text[same] == last_source.text[same]) ++same;
    // A symbol is shared if its end is, and something that is no symbol's character follows on both sides.
    std::size_t shared = 0;
    const auto ends_at = [](std::string_view one, std::size_t place) { return place == one.size() || one[place] == ' '; };
    while (shared < last_source.ends.size() && last_source.ends[shared] <= same && ends_at(text, last_source.ends[shared]) &&
           ends_at(last_source.text, last_source.ends[shared]))
      ++shared;
    last_source.ends.resize(shared);
    last_source.nodes.resize(shared);
    std::int32_t node = shared > 0 ? last_source.nodes.back() : 0;
    for (std::size_t k = shared; k < source_symbols.size(); ++k) {
      const Symbol& symbol = source_symbols[k];
      node = step(source, node, symbol, true);
      last_source.ends.push_back(static_cast<std::size_t>(symbol.text.data() - text.data()) + symbol.text.size());
      last_source.nodes.push_back(node);
    }
    last_source.text.assign(text);
    return node;
  }

  std::int32_t walk_target() {
    std::int32_t node = 0;
    for (const Symbol& symbol : target_symbols) node = step(target, node, symbol, false);
    return node;
  }

  std::int32_t step(GrowingTrie& trie, std::int32_t node, const Symbol& symbol, bool is_source) {
    if (symbol.nonterminal()) return trie.child(node, gap_symbol);
    const std::int32_t word = words[symbol.text];
    if (on_source.size() < words.size()) on_source.push_back(0);
    if (is_source) on_source[static_cast<std::size_t>(word)] = 1;
    return trie.child(node, word + 1);
  }

  void add(std::string_view lhs, std::string_view source_text, std::string_view target_text) {
    if (lhs.empty()) throw std::invalid_argument("has no left-hand side, expected one such as [NP]");
    read_side(source_text, source_symbols);
    read_side(target_text, target_symbols);
    const Symbol* of_source[2] = {};
    const Symbol* of_target[2] = {};
    const int gaps = nonterminals(source_symbols, of_source);
    if (nonterminals(target_symbols, of_target) != gaps) throw different();
    if (gaps == 2 && of_source[0]->index == of_source[1]->index)
      throw std::invalid_argument("has the nonterminal index " + std::to_string(of_source[0]->index) + " twice on one side");
    const int swapped = gaps > 0 && of_target[0]->index != of_source[0]->index;
    for (int g = 0; g < gaps; ++g) {
      if (swapped && gaps == 1) throw different();
      const Symbol* other = of_target[swapped ? 1 - g : g];
      if (other->index != of_source[g]->index || other->label != of_source[g]->label) throw different();
    }
    const std::array<std::int32_t, 4> shape{labels[lhs], gaps > 0 ? labels[of_source[0]->label] : -1,
                                            gaps > 1 ? labels[of_source[1]->label] : -1, swapped};
    const auto number = shapes.try_emplace(shape, static_cast<std::int32_t>(shapes.size())).first->second;
    rows.push_back({walk_source(source_text), walk_target(), number, static_cast<std::int64_t>(rows.size())});
  }

  static std::invalid_argument different() {
    return std::invalid_argument("does not have the same nonterminals on both sides, such as [NP,1] and [NP,1]");
  }

  static int nonterminals(const std::vector<Symbol>& symbols, const Symbol** found) {
    int count = 0;
    for (const Symbol& symbol : symbols) {
      if (!symbol.nonterminal()) continue;
      if (count == 2) throw std::invalid_argument("has more than two nonterminals on a side; at most two can be parsed with");
      found[count++] = &symbol;
    }
    return count;
  }
};

GrammarBuilder::GrammarBuilder() : state_(std::make_unique<State>()) {}
GrammarBuilder::~GrammarBuilder() = default;

void GrammarBuilder::add(const Words& lhs, const Words& source, const Words& target) {
  for (std::int64_t k = 0; k < lhs.count; ++k) {
    try {
      state_->add(lhs[k], source[k], target[k]);
    } catch (const std::invalid_argument& error) {
      throw RuleError(k, error.what());
    }
  }
}

GrammarArrays GrammarBuilder::finish() {
  State& state = *state_;
  GrammarArrays out;
  const auto word_place = state.words.sorted(out.words);
  const auto label_place = state.labels.sorted(out.labels);
  out.on_source.resize(word_place.size());
  for (std::size_t w = 0; w < word_place.size(); ++w) out.on_source[static_cast<std::size_t>(word_place[w])] = state.on_source[w];
  // Shapes in the order of their labels, so that the arrays do not depend on the order of the rules.
  std::vector<std::pair<std::array<std::int32_t, 4>, std::int32_t>> shapes;
  for (const auto& [named, number] : state.shapes) {
    std::array<std::int32_t, 4> shape = named;
    for (std::size_t k = 0; k < 3; ++k)
      if (shape[k] >= 0) shape[k] = label_place[static_cast<std::size_t>(shape[k])];
    shapes.emplace_back(shape, number);
  }
  std::sort(shapes.begin(), shapes.end());
  std::vector<std::int32_t> shape_place(shapes.size());
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    shape_place[static_cast<std::size_t>(shapes[k].second)] = static_cast<std::int32_t>(k);
    out.shapes.insert(out.shapes.end(), shapes[k].first.begin(), shapes[k].first.end());
  }
  const auto source_number = state.source.lay_out(word_place, out.source_first, out.source_symbols);
  const auto target_number = state.target.lay_out(word_place, out.target_first, out.target_symbols);
  for (Row& row : state.rows)
    row = {source_number[static_cast<std::size_t>(row.source)], target_number[static_cast<std::size_t>(row.target)],
           shape_place[static_cast<std::size_t>(row.shape)], row.place};
  std::sort(state.rows.begin(), state.rows.end());
  state.rows.erase(std::unique(state.rows.begin(), state.rows.end()), state.rows.end());
  out.source_rules.assign(out.source_first.size(), 0);
  out.rule_target.reserve(state.rows.size());
  out.rule_shape.reserve(state.rows.size());
  out.rule_row.reserve(state.rows.size());
  for (const Row& row : state.rows) {
    ++out.source_rules[static_cast<std::size_t>(row.source) + 1];
    out.rule_target.push_back(row.target);
    out.rule_shape.push_back(row.shape);
    out.rule_row.push_back(row.place);
  }
  for (std::size_t n = 0; n + 1 < out.source_rules.size(); ++n) out.source_rules[n + 1] += out.source_rules[n];
  state_ = std::make_unique<State>();
  return out;
}

}  // namespace paragauge
