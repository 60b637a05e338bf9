#include "grammar/parse.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "base/parallel.hpp"
#include "base/portable.hpp"

namespace paragauge {

namespace {

struct LimitReached {
  ParseStatus status;
};

// A set of places 0 .. 64 * W - 1.
template <int W>
struct Bits {
  std::uint64_t words[W] = {};

  static Bits below(std::int32_t end) {
    Bits out;
    for (int w = 0; w < W; ++w) {
      const std::int32_t left = end - 64 * w;
      out.words[w] = left >= 64 ? ~std::uint64_t{0} : left <= 0 ? 0 : (std::uint64_t{1} << left) - 1;
    }
    return out;
  }
  void set(std::int32_t place) { words[place >> 6] |= std::uint64_t{1} << (place & 63); }
  bool has(std::int32_t place) const { return (words[place >> 6] >> (place & 63)) & 1; }
  bool any() const {
    std::uint64_t all = 0;
    for (int w = 0; w < W; ++w) all |= words[w];
    return all != 0;
  }
  std::int32_t lowest() const {
    for (int w = 0; w < W; ++w)
      if (words[w] != 0) return 64 * w + lowest_bit(words[w]);
    return 64 * W;
  }
  std::int64_t count() const {
    std::int64_t sum = 0;
    for (int w = 0; w < W; ++w) sum += count_bits(words[w]);
    return sum;
  }
  Bits operator&(const Bits& other) const {
    Bits out;
    for (int w = 0; w < W; ++w) out.words[w] = words[w] & other.words[w];
    return out;
  }
  Bits operator|(const Bits& other) const {
    Bits out;
    for (int w = 0; w < W; ++w) out.words[w] = words[w] | other.words[w];
    return out;
  }
  // Every place moved up; what leaves at the top is lost. 0 <= by < 64 * W.
  Bits up(std::int32_t by) const {
    Bits out;
    const int whole = by >> 6, part = by & 63;
    for (int w = W - 1; w >= whole; --w) {
      out.words[w] = words[w - whole] << part;
      if (part > 0 && w - whole > 0) out.words[w] |= words[w - whole - 1] >> (64 - part);
    }
    return out;
  }
  Bits down(std::int32_t by) const {
    Bits out;
    const int whole = by >> 6, part = by & 63;
    for (int w = 0; w + whole < W; ++w) {
      out.words[w] = words[w + whole] >> part;
      if (part > 0 && w + whole + 1 < W) out.words[w] |= words[w + whole + 1] << (64 - part);
    }
    return out;
  }
  // Adds places, and says whether there were new ones.
  bool add(const Bits& other) {
    std::uint64_t fresh = 0;
    for (int w = 0; w < W; ++w) {
      fresh |= other.words[w] & ~words[w];
      words[w] |= other.words[w];
    }
    return fresh != 0;
  }
  template <class Call>
  void each(const Call& call) const {
    for (int w = 0; w < W; ++w)
      for (std::uint64_t left = words[w]; left != 0; left &= left - 1) call(64 * w + lowest_bit(left));
  }
};

// Parses one pair after another, keeping its scratch space.
template <int W>
class PairParser {
 public:
  using Set = Bits<W>;

  PairParser(const GrammarView& grammar, const std::vector<std::int32_t>& symbol_of_token, const ParseOptions& options)
      : grammar_(grammar), symbol_of_token_(symbol_of_token), options_(options) {
    const std::int64_t x = grammar.labels.find("X");
    x_ = static_cast<std::int32_t>(x);
  }

  void parse(Span source, Span target, ParseResult& result) {
    begun_ = std::chrono::steady_clock::now();
    bytes_ = 0;
    source_ = source;
    target_ = target;
    n_ = static_cast<std::int32_t>(source.size());
    m_ = static_cast<std::int32_t>(target.size());
    try {
      filter();
      result.rules = static_cast<std::int64_t>(rules_.size());
      find_occurrences();
      fill_chart();
      const bool derived = options_.glue ? glue() : whole();
      result.status = derived ? ParseStatus::derived : ParseStatus::not_derived;
      if (derived && options_.derivations) derive(result.derivation);
    } catch (const LimitReached& limit) {
      result.status = limit.status;
    }
    result.items = items();
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  }

 private:
  // A right-hand side as it fits a sentence: up to three runs of words around up to two gaps.
  struct Pattern {
    int gaps = 0;
    std::int32_t lengths[3] = {0, 0, 0};
    Set places[3];  // where each run may begin; everywhere if it has no words
  };
  struct Rule {
    std::int64_t number;  // in the grammar
    std::int32_t pattern; // of the target side
    std::int32_t lhs, first, second;  // labels of this pair; of gaps in the order of the source side
    bool swapped;
  };
  struct Skeleton {  // a source side and its rules
    std::int32_t pattern;
    std::size_t first_rule, last_rule;
  };
  struct Occurrence {  // a source side in a source span; gap spans by number, -1 if there is none
    std::int32_t skeleton, first_gap, second_gap;
  };
  struct Matrix {  // target spans: row k has the ends of those that begin at k
    std::vector<Set> rows;
    Set filled;  // rows that are not empty
  };

  void check_time() {
    if (options_.seconds <= 0) return;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun_;
    if (spent.count() > options_.seconds) throw LimitReached{ParseStatus::time_limit};
  }
  void take(std::size_t bytes) {
    bytes_ += static_cast<std::int64_t>(bytes);
    if (bytes_ > options_.bytes) throw LimitReached{ParseStatus::memory_limit};
  }

  // --- rules that fit both sentences

  // Words of a sentence, each once, and where it stands.
  struct Sentence {
    std::vector<std::int32_t> symbols;              // at each place; 0 for a word that the grammar does not have
    std::map<std::int32_t, Set> places;
    std::int32_t length = 0;
  };

  void fill(Sentence& sentence, Span words) {
    sentence.symbols.clear();
    sentence.places.clear();
    for (const std::int32_t* word = words.begin; word < words.end; ++word) {
      const std::int32_t symbol = symbol_of_token_[static_cast<std::size_t>(*word)];
      if (symbol > 0) sentence.places[symbol].set(static_cast<std::int32_t>(sentence.symbols.size()));
      sentence.symbols.push_back(symbol);
    }
    sentence.length = static_cast<std::int32_t>(words.size());
  }

  // Calls found(node) for every node of a trie whose symbols fit the sentence.
  template <class Found>
  void walk(const TrieView& trie, const Sentence& sentence, const Found& found) {
    struct State {
      std::int32_t node;
      Set reached;  // places after what was read
    };
    std::vector<State> stack{{0, Set::below(sentence.length)}};
    std::int64_t steps = 0;
    while (!stack.empty()) {
      const State state = stack.back();
      stack.pop_back();
      if (state.node > 0) found(state.node);
      if ((++steps & 1023) == 0) check_time();
      const auto [low, high] = trie.edges(state.node);
      if (low == high) continue;
      if (trie.symbols[low] == gap_symbol) {
        const std::int32_t lowest = state.reached.lowest();
        if (lowest < sentence.length) {
          Set after = Set::below(sentence.length + 1);
          const Set before = Set::below(lowest + 1);
          for (int w = 0; w < W; ++w) after.words[w] &= ~before.words[w];
          stack.push_back({low + 1, after});
        }
      }
      if (high - low <= 4) {  // few edges: look at each of them, not at each word
        for (std::int32_t e = low; e < high; ++e) {
          const auto places = sentence.places.find(trie.symbols[e]);
          if (places == sentence.places.end()) continue;
          const Set here = state.reached & places->second;
          if (here.any()) stack.push_back({e + 1, here.up(1)});
        }
        continue;
      }
      Set left = state.reached & Set::below(sentence.length);
      while (left.any()) {
        const std::int32_t place = left.lowest();
        const std::int32_t symbol = sentence.symbols[static_cast<std::size_t>(place)];
        if (symbol == 0) {
          left.words[place >> 6] &= left.words[place >> 6] - 1;
          continue;
        }
        const Set here = state.reached & sentence.places.find(symbol)->second;
        for (int w = 0; w < W; ++w) left.words[w] &= ~here.words[w];
        const std::int32_t child = trie.child(state.node, symbol);
        if (child >= 0) stack.push_back({child, here.up(1)});
      }
    }
  }

  void filter() {
    fill(source_sentence_, source_);
    fill(target_sentence_, target_);
    rules_.clear();
    skeletons_.clear();
    patterns_.clear();
    pattern_of_target_.clear();
    labels_.clear();
    local_label_.clear();
    own_x_ = local(x_);
    fitting_targets_.clear();
    if (marked_.empty()) marked_.assign(static_cast<std::size_t>(grammar_.target.nodes + 63) / 64, 0);
    walk(grammar_.target, target_sentence_, [this](std::int32_t node) {
      fitting_targets_.push_back(node);
      marked_[static_cast<std::size_t>(node) >> 6] |= std::uint64_t{1} << (node & 63);
    });
    try {
      std::sort(fitting_targets_.begin(), fitting_targets_.end());
      walk(grammar_.source, source_sentence_, [this](std::int32_t node) { add_rules(node); });
    } catch (...) {
      clear_marks();
      throw;
    }
    clear_marks();
  }

  void clear_marks() {
    for (const std::int32_t node : fitting_targets_) marked_[static_cast<std::size_t>(node) >> 6] = 0;
  }

  void add_rules(std::int32_t source_node) {
    const std::int64_t first = grammar_.source_rules[source_node], last = grammar_.source_rules[source_node + 1];
    if (first == last) return;
    if (first < 0 || last < first || last > grammar_.rule_count) throw std::invalid_argument("the index of the grammar is damaged");
    const std::size_t before = rules_.size();
    const auto many = static_cast<std::int64_t>(fitting_targets_.size());
    if (last - first > 32 * many) {  // few targets and many rules: search for each of the targets
      const std::int32_t* from = grammar_.rule_target + first;
      const std::int32_t* end = grammar_.rule_target + last;
      for (const std::int32_t target : fitting_targets_) {
        from = std::lower_bound(from, end, target);
        for (; from < end && *from == target; ++from) add_rule(from - grammar_.rule_target);
      }
    } else {
      for (std::int64_t rule = first; rule < last; ++rule) {
        const std::int32_t target = grammar_.rule_target[rule];
        if (target < 0 || target >= grammar_.target.nodes) throw std::invalid_argument("the index of the grammar is damaged");
        if ((marked_[static_cast<std::size_t>(target) >> 6] >> (target & 63)) & 1) add_rule(rule);
      }
    }
    if (rules_.size() == before) return;
    grammar_.source.path(source_node, path_);
    const std::int32_t pattern = add_pattern(source_sentence_);
    for (std::size_t r = before; r < rules_.size(); ++r) check_gaps(rules_[r], pattern);
    skeletons_.push_back({pattern, before, rules_.size()});
    take(sizeof(Skeleton) + sizeof(Pattern) + (rules_.size() - before) * sizeof(Rule));
  }

  void add_rule(std::int64_t rule) {
    const std::int32_t target = grammar_.rule_target[rule], shape_number = grammar_.rule_shape[rule];
    if (shape_number < 0 || shape_number >= grammar_.shape_count) throw std::invalid_argument("the index of the grammar is damaged");
    const Shape& shape = grammar_.shapes[shape_number];
    auto [pattern, fresh] = pattern_of_target_.try_emplace(target, 0);
    if (fresh) {
      grammar_.target.path(target, path_);
      pattern->second = add_pattern(target_sentence_);
    }
    rules_.push_back({rule, pattern->second, local(shape.lhs), shape.first < 0 ? -1 : local(shape.first),
                      shape.second < 0 ? -1 : local(shape.second), shape.swapped != 0});
    check_gaps(rules_.back(), pattern->second);
  }

  // Each gap of a side needs a label.
  void check_gaps(const Rule& rule, std::int32_t pattern) const {
    const int labels = (rule.first >= 0) + (rule.second >= 0);
    if (patterns_[static_cast<std::size_t>(pattern)].gaps != labels) throw std::invalid_argument("the index of the grammar is damaged");
  }

  // Labels of this pair's rules are numbered from 0, so that charts stay small.
  std::int32_t local(std::int32_t label) {
    const auto [found, fresh] = local_label_.try_emplace(label, static_cast<std::int32_t>(labels_.size()));
    if (fresh) labels_.push_back(label);
    return found->second;
  }

  // The pattern of the side in path_.
  std::int32_t add_pattern(const Sentence& sentence) {
    Pattern pattern;
    for (Set& places : pattern.places) places = Set::below(sentence.length + 1);
    for (const std::int32_t symbol : path_) {
      if (symbol == gap_symbol) {
        if (++pattern.gaps > 2) throw std::invalid_argument("the index of the grammar is damaged");
        continue;
      }
      std::int32_t& length = pattern.lengths[pattern.gaps];
      Set& places = pattern.places[pattern.gaps];
      const auto found = sentence.places.find(symbol);
      if (found == sentence.places.end()) throw std::invalid_argument("the index of the grammar is damaged");
      places = places & found->second.down(length);
      ++length;
    }
    patterns_.push_back(pattern);
    return static_cast<std::int32_t>(patterns_.size()) - 1;
  }

  // --- where source sides stand

  std::int32_t span(std::int32_t first, std::int32_t last) const { return first * (n_ + 1) + last; }

  void find_occurrences() {
    const auto spans = static_cast<std::size_t>((n_ + 1) * (n_ + 1));
    if (occurrences_.size() < spans) occurrences_.resize(spans);
    for (std::size_t s = 0; s < spans; ++s) occurrences_[s].clear();
    unary_.clear();
    take(spans * (sizeof(std::vector<Occurrence>) + sizeof(std::vector<std::int32_t>)));
    const std::int32_t longest = options_.max_span > 0 ? options_.max_span : n_;
    for (std::size_t s = 0; s < skeletons_.size(); ++s) {
      const Pattern& pattern = patterns_[static_cast<std::size_t>(skeletons_[s].pattern)];
      if (pattern.gaps == 1 && pattern.lengths[0] + pattern.lengths[1] == 0) {
        unary_.push_back(static_cast<std::int32_t>(s));
        continue;
      }
      (pattern.places[0] & Set::below(n_)).each([&](std::int32_t first) {
        check_some_time();
        const std::int32_t limit = std::min(n_, first + longest);
        occurrences_from(static_cast<std::int32_t>(s), pattern, first, limit);
      });
    }
  }

  void occurrences_from(std::int32_t skeleton, const Pattern& pattern, std::int32_t first, std::int32_t limit) {
    const std::int32_t one = first + pattern.lengths[0];  // where the first gap begins
    if (pattern.gaps == 0) {
      if (one <= limit) add_occurrence(first, one, {skeleton, -1, -1});
      return;
    }
    (pattern.places[1] & Set::below(limit + 1)).each([&](std::int32_t one_end) {
      if (one_end <= one) return;
      const std::int32_t two = one_end + pattern.lengths[1];
      if (pattern.gaps == 1) {
        if (two <= limit) add_occurrence(first, two, {skeleton, span(one, one_end), -1});
        return;
      }
      (pattern.places[2] & Set::below(limit + 1)).each([&](std::int32_t two_end) {
        if (two_end <= two || two_end + pattern.lengths[2] > limit) return;
        add_occurrence(first, two_end + pattern.lengths[2], {skeleton, span(one, one_end), span(two, two_end)});
      });
    });
  }

  void add_occurrence(std::int32_t first, std::int32_t last, Occurrence occurrence) {
    occurrences_[static_cast<std::size_t>(span(first, last))].push_back(occurrence);
    if ((++added_ & 1023) == 0) take(1024 * sizeof(Occurrence));
  }

  void check_some_time() {
    if ((++steps_ & 255) == 0) check_time();
  }

  // --- the chart

  // The target spans of a label over a source span, or none.
  const Matrix* find(std::int32_t span_number, std::int32_t label) const {
    const auto& slots = slots_[static_cast<std::size_t>(span_number)];
    if (slots.empty()) return nullptr;
    const std::int32_t slot = slots[static_cast<std::size_t>(label)];
    return slot < 0 ? nullptr : &matrices_[static_cast<std::size_t>(slot)];
  }

  Matrix& matrix(std::int32_t span_number, std::int32_t label) {
    auto& slots = slots_[static_cast<std::size_t>(span_number)];
    if (slots.empty()) {
      take(labels_.size() * sizeof(std::int32_t));
      slots.assign(labels_.size(), -1);
    }
    std::int32_t& slot = slots[static_cast<std::size_t>(label)];
    if (slot < 0) {
      take(sizeof(Matrix) + static_cast<std::size_t>(m_ + 1) * sizeof(Set));
      if (used_ == matrices_.size()) matrices_.emplace_back();
      slot = static_cast<std::int32_t>(used_++);
      Matrix& fresh = matrices_[static_cast<std::size_t>(slot)];
      fresh.rows.assign(static_cast<std::size_t>(m_) + 1, Set{});
      fresh.filled = Set{};
    }
    return matrices_[static_cast<std::size_t>(slot)];
  }

  void fill_chart() {
    const auto spans = static_cast<std::size_t>((n_ + 1) * (n_ + 1));
    if (slots_.size() < spans) slots_.resize(spans);
    for (std::size_t s = 0; s < spans; ++s) slots_[s].clear();
    used_ = 0;
    const std::int32_t longest = options_.max_span > 0 ? std::min(options_.max_span, n_) : n_;
    for (std::int32_t size = 1; size <= longest; ++size)
      for (std::int32_t first = 0; first + size <= n_; ++first) {
        const std::int32_t here = span(first, first + size);
        check_time();
        if (size == 1 && passes(first)) pass_through(first, here);
        for (const Occurrence& occurrence : occurrences_[static_cast<std::size_t>(here)]) apply(occurrence, here);
        close(here);
      }
  }

  bool passes(std::int32_t place) const {
    if (options_.pass_through == PassThrough::none) return false;
    if (options_.pass_through == PassThrough::all) return true;
    const std::int32_t symbol = source_sentence_.symbols[static_cast<std::size_t>(place)];
    return symbol == 0 || grammar_.on_source[symbol - 1] == 0;
  }

  void pass_through(std::int32_t place, std::int32_t here) {
    for (std::int32_t k = 0; k < m_; ++k) {
      if (target_.begin[k] != source_.begin[place]) continue;
      Matrix& spans = matrix(here, own_x_);
      spans.rows[static_cast<std::size_t>(k)].set(k + 1);
      spans.filled.set(k);
    }
  }

  void apply(const Occurrence& occurrence, std::int32_t here) {
    const Skeleton& skeleton = skeletons_[static_cast<std::size_t>(occurrence.skeleton)];
    const bool one_gap = occurrence.first_gap >= 0, two_gaps = occurrence.second_gap >= 0;
    if (one_gap && slots_[static_cast<std::size_t>(occurrence.first_gap)].empty()) return;
    if (two_gaps && slots_[static_cast<std::size_t>(occurrence.second_gap)].empty()) return;
    check_some_time();
    for (std::size_t r = skeleton.first_rule; r < skeleton.last_rule; ++r) {
      const Rule& rule = rules_[r];
      const Pattern& pattern = patterns_[static_cast<std::size_t>(rule.pattern)];
      const Matrix* first = nullptr;
      const Matrix* second = nullptr;
      if (one_gap && (first = find(occurrence.first_gap, rule.first)) == nullptr) continue;
      if (two_gaps && (second = find(occurrence.second_gap, rule.second)) == nullptr) continue;
      if (rule.swapped) std::swap(first, second);
      combine(pattern, first, second, here, rule.lhs);
    }
  }

  // Adds the target spans of a rule whose gaps, in the order of the target side, have these target spans; says
  // whether there were new ones. A matrix is made only when there is something to put in.
  bool combine(const Pattern& pattern, const Matrix* first, const Matrix* second, std::int32_t here, std::int32_t lhs) {
    bool fresh = false;
    // Matrices may move when a new one is made: keep the numbers of those that are read.
    const std::ptrdiff_t first_number = first == nullptr ? -1 : first - matrices_.data();
    const std::ptrdiff_t second_number = second == nullptr ? -1 : second - matrices_.data();
    const auto row = [this](std::ptrdiff_t number, std::int32_t k) -> const Set& {
      return matrices_[static_cast<std::size_t>(number)].rows[static_cast<std::size_t>(k)];
    };
    const auto put = [&](std::int32_t begin, const Set& all_ends) {
      const Set ends = options_.max_target_span > 0 ? all_ends & Set::below(std::min(begin + options_.max_target_span, m_) + 1) : all_ends;
      if (!ends.any()) return;
      Matrix& out = matrix(here, lhs);
      if (out.rows[static_cast<std::size_t>(begin)].add(ends)) {
        out.filled.set(begin);
        fresh = true;
      }
    };
    if (pattern.gaps == 0) {
      pattern.places[0].each([&](std::int32_t begin) {
        Set end;
        end.set(begin + pattern.lengths[0]);
        put(begin, end);
      });
      return fresh;
    }
    const Set begins = pattern.places[0] & first->filled.down(pattern.lengths[0]);
    begins.each([&](std::int32_t begin) {
      Set ends = row(first_number, begin + pattern.lengths[0]) & pattern.places[1];
      ends = ends.up(pattern.lengths[1]);
      if (pattern.gaps == 2) {
        Set after;
        (ends & matrices_[static_cast<std::size_t>(second_number)].filled).each([&](std::int32_t k) {
          after = after | row(second_number, k);
        });
        ends = (after & pattern.places[2]).up(pattern.lengths[2]);
      }
      put(begin, ends);
    });
    return fresh;
  }

  // Rules whose source side is a single nonterminal keep the source span: apply them until nothing is new.
  void close(std::int32_t here) {
    if (unary_.empty() || slots_[static_cast<std::size_t>(here)].empty()) return;
    for (bool fresh = true; fresh;) {
      fresh = false;
      check_time();
      for (const std::int32_t s : unary_) {
        const Skeleton& skeleton = skeletons_[static_cast<std::size_t>(s)];
        for (std::size_t r = skeleton.first_rule; r < skeleton.last_rule; ++r) {
          const Rule& rule = rules_[r];
          const Matrix* inner = find(here, rule.first);
          if (inner != nullptr && combine(patterns_[static_cast<std::size_t>(rule.pattern)], inner, nullptr, here, rule.lhs))
            fresh = true;
        }
      }
    }
  }

  bool whole() const {
    if (n_ == 0) return false;
    for (std::size_t label = 0; label < labels_.size(); ++label) {
      const Matrix* spans = find(span(0, n_), static_cast<std::int32_t>(label));
      if (spans != nullptr && spans->rows[0].has(m_)) return true;
    }
    return false;
  }

  // Whether pieces that follow one another on both sides cover both sentences. glued_[i] has the places of the target
  // sentence that the first i source words may reach.
  bool glue() {
    glued_.assign(static_cast<std::size_t>(n_) + 1, Set{});
    glued_[0].set(0);
    for (std::int32_t last = 1; last <= n_; ++last)
      for (std::int32_t first = 0; first < last; ++first) {
        if (!glued_[static_cast<std::size_t>(first)].any()) continue;
        for (std::size_t label = 0; label < labels_.size(); ++label) {
          const Matrix* spans = find(span(first, last), static_cast<std::int32_t>(label));
          if (spans == nullptr) continue;
          (glued_[static_cast<std::size_t>(first)] & spans->filled).each([&](std::int32_t k) {
            glued_[static_cast<std::size_t>(last)].add(spans->rows[static_cast<std::size_t>(k)]);
          });
        }
      }
    return n_ > 0 && glued_[static_cast<std::size_t>(n_)].has(m_);
  }

  std::int64_t items() const {
    std::int64_t sum = 0;
    for (std::size_t s = 0; s < used_; ++s)
      for (const Set& row : matrices_[s].rows) sum += row.count();
    return sum;
  }

  // --- one derivation

  struct Item {
    std::int32_t label, i, j, k, l;
    std::int32_t parent;
  };

  bool holds(std::int32_t span_number, std::int32_t label, std::int32_t k, std::int32_t l) const {
    const Matrix* spans = find(span_number, label);
    return spans != nullptr && k <= l && spans->rows[static_cast<std::size_t>(k)].has(l);
  }

  void derive(std::vector<DerivationNode>& out) {
    std::vector<Item> open;
    if (options_.glue) {
      fewest_pieces(open);
    } else {
      for (std::size_t label = 0; label < labels_.size() && open.empty(); ++label)
        if (holds(span(0, n_), static_cast<std::int32_t>(label), 0, m_))
          open.push_back({static_cast<std::int32_t>(label), 0, n_, 0, m_, -1});
    }
    std::reverse(open.begin(), open.end());
    while (!open.empty()) {
      const Item item = open.back();
      open.pop_back();
      expand(item, out, open);
    }
  }

  // The pieces of a glued derivation with as few of them as possible.
  void fewest_pieces(std::vector<Item>& pieces) {
    struct Step {
      std::int32_t count = -1;  // pieces up to here
      std::int32_t i = 0, k = 0, label = 0;
    };
    const auto width = static_cast<std::size_t>(m_) + 1;
    take((static_cast<std::size_t>(n_) + 1) * width * sizeof(Step));
    std::vector<Step> steps((static_cast<std::size_t>(n_) + 1) * width);
    steps[0].count = 0;
    for (std::int32_t last = 1; last <= n_; ++last)
      for (std::int32_t first = 0; first < last; ++first)
        for (std::size_t label = 0; label < labels_.size(); ++label) {
          const Matrix* spans = find(span(first, last), static_cast<std::int32_t>(label));
          if (spans == nullptr) continue;
          (glued_[static_cast<std::size_t>(first)] & spans->filled).each([&](std::int32_t k) {
            const std::int32_t count = steps[static_cast<std::size_t>(first) * width + static_cast<std::size_t>(k)].count + 1;
            spans->rows[static_cast<std::size_t>(k)].each([&](std::int32_t l) {
              Step& step = steps[static_cast<std::size_t>(last) * width + static_cast<std::size_t>(l)];
              if (step.count < 0 || count < step.count) step = {count, first, k, static_cast<std::int32_t>(label)};
            });
          });
        }
    for (std::int32_t j = n_, l = m_; j > 0;) {
      const Step& step = steps[static_cast<std::size_t>(j) * width + static_cast<std::size_t>(l)];
      pieces.push_back({step.label, step.i, j, step.k, l, -1});
      j = step.i;
      l = step.k;
    }
    std::reverse(pieces.begin(), pieces.end());
  }

  // Writes the node of an item, and puts its parts on the stack. Only renaming rules keep both spans, so an item is
  // either made by another rule from smaller items, or renames, perhaps several times, one that is.
  void expand(const Item& item, std::vector<DerivationNode>& out, std::vector<Item>& open) {
    std::vector<std::int32_t> labels{item.label}, from{-1}, rules{-1};
    for (std::size_t next = 0; next < labels.size(); ++next) {
      Item renamed = item;
      renamed.label = labels[next];
      std::vector<Item> parts;
      const std::int64_t rule = rule_for(renamed, parts);
      if (rule != no_rule) {
        std::vector<std::int32_t> chain;
        for (auto k = static_cast<std::int32_t>(next); from[static_cast<std::size_t>(k)] >= 0; k = from[static_cast<std::size_t>(k)])
          chain.push_back(k);
        std::int32_t parent = item.parent;
        for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
          const auto k = static_cast<std::size_t>(*link);
          write(rules_[static_cast<std::size_t>(rules[k])].number, labels[static_cast<std::size_t>(from[k])], item, parent, out);
          parent = static_cast<std::int32_t>(out.size()) - 1;
        }
        write(rule, renamed.label, item, parent, out);
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
          part->parent = static_cast<std::int32_t>(out.size()) - 1;
          open.push_back(*part);
        }
        return;
      }
      for (const std::int32_t s : unary_)
        for (std::size_t r = skeletons_[static_cast<std::size_t>(s)].first_rule; r < skeletons_[static_cast<std::size_t>(s)].last_rule; ++r) {
          const Rule& renaming = rules_[r];
          if (renaming.lhs != labels[next] || !renames(renaming)) continue;
          if (!holds(span(item.i, item.j), renaming.first, item.k, item.l)) continue;
          if (std::find(labels.begin(), labels.end(), renaming.first) != labels.end()) continue;
          labels.push_back(renaming.first);
          from.push_back(static_cast<std::int32_t>(next));
          rules.push_back(static_cast<std::int32_t>(r));
        }
    }
    throw std::logic_error("an item of the chart has no derivation");
  }

  bool renames(const Rule& rule) const {
    const Pattern& pattern = patterns_[static_cast<std::size_t>(rule.pattern)];
    return pattern.gaps == 1 && pattern.lengths[0] + pattern.lengths[1] == 0;
  }

  void write(std::int64_t rule, std::int32_t label, const Item& item, std::int32_t parent, std::vector<DerivationNode>& out) {
    out.push_back({rule, parent, labels_[static_cast<std::size_t>(label)], item.i, item.j, item.k, item.l});
  }

  static constexpr std::int64_t no_rule = -2;

  // A rule that makes an item from smaller ones, and those; -1 if the word goes through as itself.
  std::int64_t rule_for(const Item& item, std::vector<Item>& parts) {
    const std::int32_t here = span(item.i, item.j);
    for (const Occurrence& occurrence : occurrences_[static_cast<std::size_t>(here)]) {
      const std::int64_t rule = rule_of(item, occurrence.skeleton, occurrence.first_gap, occurrence.second_gap, parts);
      if (rule != no_rule) return rule;
    }
    for (const std::int32_t skeleton : unary_) {
      const std::int64_t rule = rule_of(item, skeleton, here, -1, parts);
      if (rule != no_rule) return rule;
    }
    if (item.label == own_x_ && item.j == item.i + 1 && item.l == item.k + 1 && passes(item.i) &&
        source_.begin[item.i] == target_.begin[item.k])
      return -1;
    return no_rule;
  }

  std::int64_t rule_of(const Item& item, std::int32_t skeleton_number, std::int32_t first_gap, std::int32_t second_gap,
                       std::vector<Item>& parts) {
    const Skeleton& skeleton = skeletons_[static_cast<std::size_t>(skeleton_number)];
    for (std::size_t r = skeleton.first_rule; r < skeleton.last_rule; ++r) {
      const Rule& rule = rules_[r];
      if (rule.lhs != item.label) continue;
      if (first_gap == span(item.i, item.j) && renames(rule)) continue;
      const Pattern& pattern = patterns_[static_cast<std::size_t>(rule.pattern)];
      if (fits(rule, pattern, item, first_gap, second_gap, parts)) return rule.number;
    }
    return no_rule;
  }

  bool fits(const Rule& rule, const Pattern& pattern, const Item& item, std::int32_t first_gap, std::int32_t second_gap,
            std::vector<Item>& parts) {
    const std::int32_t last = item.l - pattern.lengths[pattern.gaps];  // where the last run of words begins
    if (!pattern.places[0].has(item.k)) return false;
    const std::int32_t one = item.k + pattern.lengths[0];
    if (pattern.gaps == 0) return one == item.l;
    if (last <= one || !pattern.places[pattern.gaps].has(last)) return false;
    std::int32_t spans[2] = {first_gap, second_gap}, labels[2] = {rule.first, rule.second};  // in the order of the target
    if (rule.swapped) {
      std::swap(spans[0], spans[1]);
      std::swap(labels[0], labels[1]);
    }
    const auto part = [&](int g, std::int32_t k, std::int32_t l) {
      return Item{labels[g], spans[g] / (n_ + 1), spans[g] % (n_ + 1), k, l, -1};
    };
    if (pattern.gaps == 1) {
      if (!holds(spans[0], labels[0], one, last)) return false;
      parts.assign(1, part(0, one, last));
      return true;
    }
    const Matrix* first = find(spans[0], labels[0]);
    if (first == nullptr) return false;
    bool found = false;
    (first->rows[static_cast<std::size_t>(one)] & pattern.places[1]).each([&](std::int32_t one_end) {
      const std::int32_t two = one_end + pattern.lengths[1];
      if (found || two >= last || !holds(spans[1], labels[1], two, last)) return;
      found = true;
      parts.assign({part(0, one, one_end), part(1, two, last)});
      if (rule.swapped) std::swap(parts[0], parts[1]);
    });
    return found;
  }

  const GrammarView& grammar_;
  const std::vector<std::int32_t>& symbol_of_token_;
  const ParseOptions& options_;
  std::int32_t x_ = -1;      // the label X of the grammar
  std::int32_t own_x_ = 0;   // and its number among the labels of this pair
  Span source_{}, target_{};
  std::int32_t n_ = 0, m_ = 0;
  Sentence source_sentence_, target_sentence_;
  std::vector<std::uint64_t> marked_;  // a bit for each target node
  std::vector<std::int32_t> fitting_targets_;
  std::vector<Rule> rules_;
  std::vector<Skeleton> skeletons_;
  std::vector<Pattern> patterns_;
  std::map<std::int32_t, std::int32_t> pattern_of_target_, local_label_;
  std::vector<std::int32_t> labels_;  // of the grammar, by number among those of this pair
  std::vector<std::int32_t> path_;
  std::vector<std::vector<Occurrence>> occurrences_;  // by source span
  std::vector<std::int32_t> unary_;
  std::vector<std::vector<std::int32_t>> slots_;  // by source span and label: which matrix, or -1
  std::vector<Matrix> matrices_;
  std::size_t used_ = 0;
  std::vector<Set> glued_;
  std::int64_t bytes_ = 0;
  std::uint64_t steps_ = 0, added_ = 0;
  std::chrono::steady_clock::time_point begun_;
};

}  // namespace

void parse_pairs(const GrammarView& grammar, const Words& tokens, const Sequences& source, const Sequences& target,
                 const ParseOptions& options, std::vector<ParseResult>& results) {
  // The symbol of each token in the grammar; 0 if the grammar does not have it.
  std::vector<std::int32_t> symbol_of_token(static_cast<std::size_t>(tokens.count));
  for (std::int64_t t = 0; t < tokens.count; ++t) {
    const std::string_view token(tokens.text + tokens.offsets[t], static_cast<std::size_t>(tokens.offsets[t + 1] - tokens.offsets[t]));
    symbol_of_token[static_cast<std::size_t>(t)] = static_cast<std::int32_t>(grammar.words.find(token)) + 1;
  }
  results.assign(static_cast<std::size_t>(source.count), ParseResult{});
  const auto threads = static_cast<std::size_t>(options.threads);
  std::vector<std::unique_ptr<PairParser<1>>> parsers1(threads);
  std::vector<std::unique_ptr<PairParser<4>>> parsers4(threads);
  std::vector<std::unique_ptr<PairParser<16>>> parsers16(threads);
  parallel_blocks(source.count, 1, options.threads, [&](std::int64_t pair, std::int64_t, int thread) {
    ParseResult& result = results[static_cast<std::size_t>(pair)];
    const std::int64_t length = std::max(source[pair].size(), target[pair].size());
    const auto parse = [&](auto& parsers) {
      auto& parser = parsers[static_cast<std::size_t>(thread)];
      using Parser = typename std::decay_t<decltype(parser)>::element_type;
      if (!parser) parser = std::make_unique<Parser>(grammar, symbol_of_token, options);
      parser->parse(source[pair], target[pair], result);
    };
    if (length < 64) {
      parse(parsers1);
    } else if (length < 256) {
      parse(parsers4);
    } else if (length <= longest_sentence) {
      parse(parsers16);
    } else {
      result.status = ParseStatus::memory_limit;
    }
  });
}

}  // namespace paragauge
