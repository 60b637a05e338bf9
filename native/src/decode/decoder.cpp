#include "decode/decoder.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

#include "base/parallel.hpp"
#include "decode/kbest.hpp"
#include "decode/states.hpp"

namespace paragauge {

namespace {

struct MemoryLimit {};

// Decodes one sentence after another, keeping scored rules and scratch space.
class SentenceDecoder {
 public:
  SentenceDecoder(const DecoderView& view, const Words& tokens, const lm::Word* token_word,
                  const std::vector<std::int32_t>& symbol_of_token, const DecodeOptions& options)
      : view_(view), tokens_(tokens), token_word_(token_word), symbol_of_token_(symbol_of_token), options_(options),
        scorer_(view, options.max_rules), builder_(view.model, states_),
        x_(static_cast<std::int32_t>(view.grammar.labels.find("X"))),
        order_(view.model == nullptr ? 1 : view.model->order()), lm_weight_(scorer_.language_model_weight() * log_of_10) {
    const std::int32_t child = view.grammar.source.child(0, gap_symbol);
    if (child >= 0 && view.grammar.source_rules[child] < view.grammar.source_rules[child + 1]) unary_ = child;
  }

  void decode(Span sentence, DecodeResult& result) {
    source_ = sentence;
    n_ = static_cast<std::int32_t>(sentence.size());
    longest_ = options_.max_span > 0 ? std::min(options_.max_span, n_) : n_;
    forest_ = Forest{};
    states_.reset(order_);
    node_of_.clear();
    nodes_.clear();
    occurrence_count_ = 0;
    scorer_.tidy();
    try {
      find_occurrences();
      fill_chart();
      finish();
    } catch (const MemoryLimit&) {
      result.status = DecodeStatus::memory_limit;
      return;
    }
    result.hypotheses = static_cast<std::int64_t>(forest_.hypotheses.size());
    if (forest_.root < 0) return;
    result.status = DecodeStatus::found;
    read_out(result);
  }

 private:
  struct Occurrence {  // a source side in a span; the spans of its gaps, -1 for none
    std::int32_t node, first_gap, second_gap;
  };
  struct Node {  // hypotheses of a label over a span, the best first
    std::int32_t label;
    std::vector<std::int32_t> hypotheses;
  };
  // Rules of one shape in one place, and the hypotheses that can stand in their gaps. Without rules, a word passes
  // through, or glue joins the two.
  struct Cube {
    const SourceRules* source;
    std::size_t first_rule, rule_count;
    std::int32_t label;
    bool swapped;
    std::int64_t special;
    std::int32_t nodes[2];  // -1 for none
    std::int32_t source_first, source_last;
  };
  struct Item {
    double score, delta;
    std::int32_t cube, rule, ranks[2], state;
  };

  static bool after(const Item& a, const Item& b) {
    if (a.score != b.score) return a.score < b.score;
    if (a.cube != b.cube) return a.cube > b.cube;
    if (a.rule != b.rule) return a.rule > b.rule;
    return a.ranks[0] != b.ranks[0] ? a.ranks[0] > b.ranks[0] : a.ranks[1] > b.ranks[1];
  }

  // --- places of source sides

  // Spans are numbered within the band of those that rules may cover.
  std::int32_t span(std::int32_t first, std::int32_t last) const { return first * longest_ + (last - first - 1); }
  std::int64_t span_count() const { return static_cast<std::int64_t>(n_) * longest_; }

  void check_memory() const {
    const std::size_t bytes = states_.bytes() + forest_.hypotheses.size() * (sizeof(Hypothesis) + sizeof(std::int32_t)) +
                              forest_.edges.size() * sizeof(ForestEdge) + occurrence_count_ * sizeof(Occurrence) +
                              static_cast<std::size_t>(span_count()) * sizeof(occurrences_[0]);
    if (static_cast<std::int64_t>(bytes) > options_.bytes) throw MemoryLimit{};
  }

  void find_occurrences() {
    symbols_.clear();
    for (const std::int32_t* word = source_.begin; word < source_.end; ++word)
      symbols_.push_back(symbol_of_token_[static_cast<std::size_t>(*word)]);
    check_memory();
    const auto spans = static_cast<std::size_t>(span_count());
    if (occurrences_.size() < spans) occurrences_.resize(spans);
    for (std::size_t s = 0; s < spans; ++s) occurrences_[s].clear();
    for (std::int32_t first = 0; first < n_; ++first) {
      walk(0, first, first, std::min(n_, first + longest_), {0, -1, -1});
      check_memory();
    }
  }

  void walk(std::int32_t node, std::int32_t first, std::int32_t place, std::int32_t limit, Occurrence gaps) {
    const GrammarView& grammar = view_.grammar;
    if (place > first && node != unary_ && grammar.source_rules[node] < grammar.source_rules[node + 1]) {
      occurrences_[static_cast<std::size_t>(span(first, place))].push_back({node, gaps.first_gap, gaps.second_gap});
      if ((++occurrence_count_ & 0xffff) == 0) check_memory();
    }
    if (place == limit) return;
    const std::int32_t symbol = symbols_[static_cast<std::size_t>(place)];
    if (symbol > 0) {
      const std::int32_t child = grammar.source.child(node, symbol);
      if (child >= 0) walk(child, first, place + 1, limit, gaps);
    }
    const auto [low, high] = grammar.source.edges(node);
    if (low == high || grammar.source.symbols[low] != gap_symbol) return;
    if (gaps.second_gap >= 0) throw std::invalid_argument("the index of the grammar is damaged");
    for (std::int32_t last = place + 1; last <= limit; ++last) {
      Occurrence more = gaps;
      (gaps.first_gap < 0 ? more.first_gap : more.second_gap) = span(place, last);
      walk(low + 1, first, last, limit, more);
    }
  }

  // --- the chart

  std::int32_t find_node(std::int32_t span_number, std::int32_t label) const {
    const auto found = node_of_.find(key(span_number, label));
    return found == node_of_.end() ? -1 : found->second;
  }
  static std::uint64_t key(std::int32_t span_number, std::int32_t label) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(span_number)) << 32) | static_cast<std::uint32_t>(label);
  }

  bool passes(std::int32_t place) const {
    const std::int32_t symbol = symbols_[static_cast<std::size_t>(place)];
    switch (options_.pass_through) {
      case PassThrough::all: return true;
      case PassThrough::unknown: return symbol == 0 || view_.grammar.on_source[symbol - 1] == 0;
      default: return false;
    }
  }

  void fill_chart() {
    const auto spans = static_cast<std::size_t>(span_count());
    nodes_of_span_.assign(spans, {});
    for (std::int32_t size = 1; size <= longest_; ++size)
      for (std::int32_t first = 0; first + size <= n_; ++first) fill_span(first, first + size);
  }

  void fill_span(std::int32_t first, std::int32_t last) {
    const std::int32_t here = span(first, last);
    cubes_.clear();
    for (const Occurrence& occurrence : occurrences_[static_cast<std::size_t>(here)])
      add_cubes(occurrence, first, last);
    if (last == first + 1 && passes(first)) cubes_.push_back({nullptr, 0, 1, x_, false, pass_through_rule, {-1, -1}, first, last});
    for_each_label([&](std::size_t from, std::size_t to) {
      Node node{cubes_[from].label, {}};
      begin_node();
      search(node, from, to);
      place_node(here, std::move(node));
    });
    if (unary_ >= 0) apply_unary(here, first, last);
    check_memory();
  }

  void add_cubes(const Occurrence& occurrence, std::int32_t first, std::int32_t last) {
    const SourceRules& rules = scorer_.at(occurrence.node);
    for (const SourceRules::Group& group : rules.groups) {
      Cube cube{&rules, group.first, group.last - group.first, group.shape.lhs, group.shape.swapped != 0, 0, {-1, -1}, first, last};
      if (group.shape.first >= 0) {
        cube.nodes[0] = find_node(occurrence.first_gap, group.shape.first);
        if (cube.nodes[0] < 0) continue;
      }
      if (group.shape.second >= 0) {
        cube.nodes[1] = find_node(occurrence.second_gap, group.shape.second);
        if (cube.nodes[1] < 0) continue;
      }
      cubes_.push_back(cube);
    }
  }

  // Calls call(from, to) for the cubes of each label.
  template <class Call>
  void for_each_label(const Call& call) {
    std::stable_sort(cubes_.begin(), cubes_.end(), [](const Cube& a, const Cube& b) { return a.label < b.label; });
    for (std::size_t from = 0; from < cubes_.size();) {
      std::size_t to = from;
      while (to < cubes_.size() && cubes_[to].label == cubes_[from].label) ++to;
      call(from, to);
      from = to;
    }
  }

  void place_node(std::int32_t span_number, Node&& node) {
    if (node.hypotheses.empty()) return;
    const auto number = static_cast<std::int32_t>(nodes_.size());
    const auto [entry, fresh] = node_of_.try_emplace(key(span_number, node.label), number);
    auto& here = nodes_of_span_[static_cast<std::size_t>(span_number)];
    if (fresh) {
      here.push_back(number);
    } else {
      std::replace(here.begin(), here.end(), entry->second, number);
      entry->second = number;
    }
    nodes_.push_back(std::move(node));
  }

  // Rules over a single nonterminal: their results are new nodes, so that none of them feeds another.
  void apply_unary(std::int32_t here, std::int32_t first, std::int32_t last) {
    cubes_.clear();
    add_cubes({unary_, here, -1}, first, last);
    std::vector<Node> made;
    for_each_label([&](std::size_t from, std::size_t to) {
      Node node{cubes_[from].label, {}};
      begin_node();
      const std::int32_t before = find_node(here, node.label);
      if (before >= 0)
        for (const std::int32_t h : std::vector<std::int32_t>(nodes_[static_cast<std::size_t>(before)].hypotheses)) copy_hypothesis(node, h);
      search(node, from, to);
      made.push_back(std::move(node));
    });
    for (Node& node : made) place_node(here, std::move(node));
  }

  void copy_hypothesis(Node& node, std::int32_t hypothesis) {
    const Hypothesis of = forest_.hypotheses[static_cast<std::size_t>(hypothesis)];
    for (std::int32_t e = of.first_edge; e >= 0; e = forest_.edges[static_cast<std::size_t>(e)].next) {
      ForestEdge edge = forest_.edges[static_cast<std::size_t>(e)];
      double score = edge.delta;
      for (const std::int32_t child : edge.children)
        if (child >= 0) score += forest_.hypotheses[static_cast<std::size_t>(child)].score;
      add_edge(node, edge, score, of.state);
    }
  }

  // --- one node: the best combinations of its cubes

  void begin_node() {
    std::fill(slots_.begin(), slots_.end(), -1);
    if (slots_.empty()) slots_.assign(256, -1);
  }

  void search(Node& node, std::size_t from, std::size_t to) {
    heap_.clear();
    for (std::size_t c = from; c < to; ++c) consider(static_cast<std::int32_t>(c), 0, 0, 0);
    for (std::int64_t popped = 0; popped < options_.beam && !heap_.empty(); ++popped) {
      std::pop_heap(heap_.begin(), heap_.end(), after);
      const Item item = heap_.back();
      heap_.pop_back();
      const Cube cube = cubes_[static_cast<std::size_t>(item.cube)];
      ForestEdge edge{item.delta, cube.special, nullptr, 0, 0, cube.swapped, {-1, -1}, cube.source_first, cube.source_last, -1};
      if (cube.source != nullptr) {
        const ScoredRule& rule = cube.source->rules[cube.first_rule + static_cast<std::size_t>(item.rule)];
        edge.rule = rule.number;
        edge.target = cube.source->symbols.data() + rule.target;
        edge.target_length = static_cast<std::int32_t>(rule.target_length);
      } else if (cube.special == pass_through_rule) {
        const std::int32_t symbol = symbols_[static_cast<std::size_t>(cube.source_first)];
        edge.word = symbol > 0 ? symbol - 1 : -1 - source_.begin[cube.source_first];
      }
      for (int c = 0; c < 2; ++c)
        if (cube.nodes[c] >= 0) edge.children[c] = ranked(cube.nodes[c], item.ranks[c]);
      add_edge(node, edge, item.score, item.state);
      // Every combination has one neighbour that leads to it.
      if (item.ranks[0] == 0 && item.ranks[1] == 0) consider(item.cube, item.rule + 1, 0, 0);
      if (cube.nodes[0] >= 0 && item.ranks[1] == 0) consider(item.cube, item.rule, item.ranks[0] + 1, 0);
      if (cube.nodes[1] >= 0) consider(item.cube, item.rule, item.ranks[0], item.ranks[1] + 1);
      if ((popped & 1023) == 1023) check_memory();
    }
    std::sort(node.hypotheses.begin(), node.hypotheses.end(), [this](std::int32_t a, std::int32_t b) {
      const double one = forest_.hypotheses[static_cast<std::size_t>(a)].score, other = forest_.hypotheses[static_cast<std::size_t>(b)].score;
      return one != other ? one > other : a < b;
    });
  }

  std::int32_t ranked(std::int32_t node, std::int32_t rank) const {
    return nodes_[static_cast<std::size_t>(node)].hypotheses[static_cast<std::size_t>(rank)];
  }

  void consider(std::int32_t cube_number, std::int32_t rule_rank, std::int32_t first, std::int32_t second) {
    const Cube& cube = cubes_[static_cast<std::size_t>(cube_number)];
    if (static_cast<std::size_t>(rule_rank) >= cube.rule_count) return;
    const std::int32_t ranks[2] = {first, second};
    std::int32_t children[2] = {-1, -1};
    double below = 0;
    for (int c = 0; c < 2; ++c) {
      if (cube.nodes[c] < 0) continue;
      if (static_cast<std::size_t>(ranks[c]) >= nodes_[static_cast<std::size_t>(cube.nodes[c])].hypotheses.size()) return;
      children[c] = ranked(cube.nodes[c], ranks[c]);
      below += forest_.hypotheses[static_cast<std::size_t>(children[c])].score;
    }
    const auto state = [&](int c) { return forest_.hypotheses[static_cast<std::size_t>(children[c])].state; };
    double delta = 0;
    if (cube.special == glue_rule) {
      builder_.begin_after(state(0));
      builder_.hypothesis(state(1));
      if (cube.source_first > 0) delta = scorer_.glue_weight();
    } else if (cube.special == pass_through_rule) {
      const auto token = static_cast<std::size_t>(source_.begin[cube.source_first]);
      builder_.begin();
      builder_.word(lm_of_token(token));
      delta = scorer_.pass_through_score(count_characters(tokens_[static_cast<std::int64_t>(token)]), unknown_to_model(token));
    } else {
      const ScoredRule& rule = cube.source->rules[cube.first_rule + static_cast<std::size_t>(rule_rank)];
      delta = rule.score;
      builder_.begin();
      int gap = cube.swapped ? 1 : 0;
      const std::int32_t* symbol = cube.source->symbols.data() + rule.target;
      for (std::size_t k = 0; k < rule.target_length; ++k) {
        if (symbol[k] == gap_symbol) {
          builder_.hypothesis(state(gap));
          gap = 1 - gap;
        } else if (view_.model != nullptr) {
          builder_.word(view_.lm_word[symbol[k] - 1]);
        }
      }
    }
    delta += lm_weight_ * builder_.score();
    heap_.push_back({below + delta, delta, cube_number, rule_rank, {first, second}, builder_.save(states_)});
    std::push_heap(heap_.begin(), heap_.end(), after);
  }

  lm::Word lm_of_token(std::size_t token) const { return view_.model == nullptr ? lm::unknown_word : token_word_[token]; }
  bool unknown_to_model(std::size_t token) const { return view_.model != nullptr && token_word_[token] == lm::unknown_word; }

  // Adds a way to make a hypothesis with this state, and the hypothesis, if it is new.
  void add_edge(Node& node, ForestEdge edge, double score, std::int32_t state) {
    const auto number = static_cast<std::int32_t>(forest_.edges.size());
    edge.next = -1;
    if (2 * (node.hypotheses.size() + 1) > slots_.size()) grow(node);
    std::size_t slot = states_.hash(state) & (slots_.size() - 1);
    while (slots_[slot] >= 0 && !states_.equal(forest_.hypotheses[static_cast<std::size_t>(slots_[slot])].state, state))
      slot = (slot + 1) & (slots_.size() - 1);
    if (slots_[slot] < 0) {
      slots_[slot] = static_cast<std::int32_t>(forest_.hypotheses.size());
      node.hypotheses.push_back(slots_[slot]);
      forest_.hypotheses.push_back({score, number, number, state});
    } else {
      Hypothesis& hypothesis = forest_.hypotheses[static_cast<std::size_t>(slots_[slot])];
      forest_.edges[static_cast<std::size_t>(hypothesis.last_edge)].next = number;
      hypothesis.last_edge = number;
      hypothesis.score = std::max(hypothesis.score, score);
    }
    forest_.edges.push_back(edge);
  }

  void grow(const Node& node) {
    slots_.assign(2 * slots_.size(), -1);
    for (const std::int32_t h : node.hypotheses) {
      std::size_t slot = states_.hash(forest_.hypotheses[static_cast<std::size_t>(h)].state) & (slots_.size() - 1);
      while (slots_[slot] >= 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = h;
    }
  }

  // --- the whole sentence

  std::int32_t beginning() {
    Node node{-1, {}};
    begin_node();
    if (view_.model == nullptr) {
      builder_.begin();
    } else {
      builder_.begin_after(view_.model->begin_state());
    }
    const auto number = static_cast<std::int32_t>(forest_.hypotheses.size());
    forest_.hypotheses.push_back({0.0, -1, -1, builder_.save(states_)});
    // Its only derivation is empty.
    const auto edge = static_cast<std::int32_t>(forest_.edges.size());
    forest_.edges.push_back({0.0, glue_rule, nullptr, 0, 0, false, {-1, -1}, 0, 0, -1});
    forest_.hypotheses.back().first_edge = forest_.hypotheses.back().last_edge = edge;
    node.hypotheses.push_back(number);
    nodes_.push_back(std::move(node));
    return static_cast<std::int32_t>(nodes_.size()) - 1;
  }

  // Pieces are joined from left to right: prefixes[j] has the hypotheses of the first j words.
  void finish() {
    std::vector<std::int32_t> prefixes(static_cast<std::size_t>(n_) + 1, -1);
    prefixes[0] = beginning();
    const auto join = [&](std::int32_t first, std::int32_t last) {
      if (prefixes[static_cast<std::size_t>(first)] < 0) return;
      for (const std::int32_t piece : nodes_of_span_[static_cast<std::size_t>(span(first, last))])
        cubes_.push_back({nullptr, 0, 1, -1, false, glue_rule, {prefixes[static_cast<std::size_t>(first)], piece}, first, last});
    };
    for (std::int32_t last = 1; last <= n_; ++last) {
      cubes_.clear();
      if (options_.glue) {
        for (std::int32_t first = std::max(0, last - longest_); first < last; ++first) join(first, last);
      } else if (last == n_ && n_ <= longest_) {
        join(0, n_);
      }
      if (cubes_.empty()) continue;
      Node node{-1, {}};
      begin_node();
      search(node, 0, cubes_.size());
      prefixes[static_cast<std::size_t>(last)] = static_cast<std::int32_t>(nodes_.size());
      nodes_.push_back(std::move(node));
      check_memory();
    }
    const std::int32_t whole = prefixes[static_cast<std::size_t>(n_)];
    if (whole < 0) return;
    forest_.root = static_cast<std::int32_t>(forest_.hypotheses.size());
    Hypothesis root{0, -1, -1, -1};
    for (const std::int32_t h : nodes_[static_cast<std::size_t>(whole)].hypotheses) {
      builder_.begin_after(forest_.hypotheses[static_cast<std::size_t>(h)].state);
      const double delta = lm_weight_ * builder_.end();
      const auto number = static_cast<std::int32_t>(forest_.edges.size());
      forest_.edges.push_back({delta, end_rule, nullptr, 0, 0, false, {h, -1}, 0, n_, -1});
      if (root.first_edge < 0) {
        root.first_edge = number;
      } else {
        forest_.edges[static_cast<std::size_t>(root.last_edge)].next = number;
      }
      root.last_edge = number;
    }
    forest_.hypotheses.push_back(root);
  }

  // --- what is handed out

  void read_out(DecodeResult& result) {
    KBest best(forest_, options_.distinct);
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(options_.kbest); ++rank) {
      const RankedDerivation* found = best.get(forest_.root, rank);
      if (found == nullptr) break;
      const RankedDerivation derivation = *found;
      Decoded out;
      out.score = derivation.score;
      out.features.assign(view_.features.size(), 0.0);
      Yield words;
      best.append_yield(derivation, words);
      for (const std::int32_t word : words) {
        if (!out.text.empty()) out.text += ' ';
        out.text += word >= 0 ? view_.grammar.words[word] : tokens_[-1 - word];
      }
      nodes_out_ = &out.derivation;
      std::int32_t place = 0;
      write(best, derivation, -1, place, out.features.data());
      if (!options_.derivations) out.derivation.clear();
      add_language_model(words, out.features.data());
      result.best.push_back(std::move(out));
    }
  }

  void add_language_model(const Yield& words, double* row) const {
    if (view_.model == nullptr) return;
    std::vector<lm::Word> numbers;
    for (const std::int32_t word : words)
      numbers.push_back(word >= 0 ? view_.lm_word[word] : token_word_[-1 - word]);
    const double log10_p = lm::score_sentence(*view_.model, numbers.data(), numbers.data() + numbers.size()).log10_p;
    for (std::size_t k = 0; k < view_.features.size(); ++k)
      if (view_.features[k].kind == FeatureKind::language_model) row[k] = log_of_10 * log10_p;
  }

  // Writes the nodes of a derivation, parents first, and adds their features; `place` is where the next word stands.
  void write(KBest& best, const RankedDerivation& derivation, std::int32_t parent, std::int32_t& place, double* row) {
    const ForestEdge& edge = forest_.edges[static_cast<std::size_t>(derivation.edge)];
    const auto child = [&](int c, std::int32_t under) {
      if (edge.children[c] < 0) return;
      const RankedDerivation of = *best.get(edge.children[c], static_cast<std::size_t>(derivation.ranks[c]));
      write(best, of, under, place, row);
    };
    if (edge.rule == glue_rule || edge.rule == end_rule) {
      child(0, -1);
      child(1, -1);
      if (edge.rule == glue_rule && edge.source_first > 0)
        for (std::size_t k = 0; k < view_.features.size(); ++k) row[k] += view_.features[k].kind == FeatureKind::glue;
      return;
    }
    const auto number = nodes_out_->size();
    const auto own = static_cast<std::int32_t>(number);
    nodes_out_->push_back({edge.rule, parent, x_, edge.source_first, edge.source_last, place, place});
    if (edge.rule == pass_through_rule) {
      const auto token = static_cast<std::size_t>(source_.begin[edge.source_first]);
      scorer_.add_pass_through(count_characters(tokens_[static_cast<std::int64_t>(token)]), unknown_to_model(token), row);
      ++place;
    } else {
      scorer_.add_features(edge.rule, row);
      (*nodes_out_)[number].label = view_.grammar.shapes[view_.grammar.rule_shape[edge.rule]].lhs;
      int gap = edge.swapped ? 1 : 0;
      for (std::int32_t k = 0; k < edge.target_length; ++k) {
        if (edge.target[k] == gap_symbol) {
          child(gap, own);
          gap = 1 - gap;
        } else {
          ++place;
        }
      }
    }
    (*nodes_out_)[number].target_last = place;
  }

  const DecoderView& view_;
  const Words& tokens_;
  const lm::Word* token_word_;
  const std::vector<std::int32_t>& symbol_of_token_;
  const DecodeOptions& options_;
  RuleScorer scorer_;
  StateArena states_;
  StateBuilder builder_;
  std::int32_t x_;  // the label X of the grammar, or -1
  int order_;
  double lm_weight_;
  std::int32_t unary_ = -1;  // the source side that is a single nonterminal, if there are rules with it
  Span source_{};
  std::int32_t n_ = 0, longest_ = 0;
  std::vector<std::int32_t> symbols_;  // of the sentence; 0 for a word that the grammar does not have
  std::vector<std::vector<Occurrence>> occurrences_;  // by span
  std::size_t occurrence_count_ = 0;
  std::unordered_map<std::uint64_t, std::int32_t> node_of_;
  std::vector<Node> nodes_;
  std::vector<std::vector<std::int32_t>> nodes_of_span_;
  Forest forest_;
  std::vector<Cube> cubes_;
  std::vector<Item> heap_;
  std::vector<std::int32_t> slots_;  // hypotheses of the node being made, by their state
  std::vector<DerivationNode>* nodes_out_ = nullptr;
};

}  // namespace

void decode(const DecoderView& view, const Words& tokens, const lm::Word* token_word, const Sequences& sentences,
            const DecodeOptions& options, std::vector<DecodeResult>& results) {
  std::vector<std::int32_t> symbol_of_token(static_cast<std::size_t>(tokens.count));
  for (std::int64_t t = 0; t < tokens.count; ++t)
    symbol_of_token[static_cast<std::size_t>(t)] = static_cast<std::int32_t>(view.grammar.words.find(tokens[t])) + 1;
  results.assign(static_cast<std::size_t>(sentences.count), DecodeResult{});
  std::vector<std::unique_ptr<SentenceDecoder>> decoders(static_cast<std::size_t>(options.threads));
  parallel_blocks(sentences.count, 1, options.threads, [&](std::int64_t sentence, std::int64_t, int thread) {
    auto& decoder = decoders[static_cast<std::size_t>(thread)];
    if (!decoder) decoder = std::make_unique<SentenceDecoder>(view, tokens, token_word, symbol_of_token, options);
    decoder->decode(sentences[sentence], results[static_cast<std::size_t>(sentence)]);
  });
}

}  // namespace paragauge
