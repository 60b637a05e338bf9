#include "grammar/extract.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "base/parallel.hpp"

namespace paragauge {

namespace {

// Rounds and blocks are fixed, so that where a batch ends does not depend on the number of threads.
constexpr std::int64_t pairs_in_round = 256;
constexpr std::int64_t pairs_in_block = 16;

struct Part {  // words [first, last)
  std::int32_t first = 0;
  std::int32_t last = 0;

  std::int32_t size() const { return last - first; }
  bool holds(const Part& other) const { return first <= other.first && other.last <= last; }
  bool meets(const Part& other) const { return first < other.last && other.first < last; }
};

struct Gap {  // a phrase pair inside another, replaced by a nonterminal
  Part source, target;
};

// A sentence as text with a space after each word: any run of words is one piece of that text.
struct Line {
  std::vector<char> text;
  std::vector<std::size_t> starts;

  void fill(Span sentence, const Words& words) {
    text.clear();
    starts.clear();
    for (const std::int32_t* id = sentence.begin; id < sentence.end; ++id) {
      starts.push_back(text.size());
      text.insert(text.end(), words.text + words.offsets[*id], words.text + words.offsets[*id + 1]);
      text.push_back(' ');
    }
    starts.push_back(text.size());
  }

  void copy(std::int32_t first, std::int32_t last, std::vector<char>& out) const {
    const char* begin = text.data();
    out.insert(out.end(), begin + starts[static_cast<std::size_t>(first)], begin + starts[static_cast<std::size_t>(last)]);
  }
};

struct Side {
  Line line;
  std::vector<double> weights;       // lexical weight of each word of the sentence
  std::vector<std::int32_t> places;  // of the words of a phrase among the symbols of a rule, -1 for those replaced
};

class RuleExtractor {
 public:
  RuleExtractor(const LinkedText& text, const Trees& trees, const RuleOptions& options)
      : text_(text), trees_(trees), lexical_(text.lexical), options_(options), labels_(options.labels, options.chain) {}

  void extract(std::int64_t pair, RuleRows& rows) {
    text_.bitext.links(pair, links_);
    if (links_.empty()) return;
    const Span source = text_.bitext.source[pair], target = text_.bitext.target[pair];
    if (trees_.offsets != nullptr) {
      const TreeNodes nodes{trees_.nodes + 3 * trees_.offsets[pair], trees_.nodes + 3 * trees_.offsets[pair + 1]};
      labels_.fill(options_.trees_of_target ? target.size() : source.size(), nodes, trees_.names);
    }
    source_.line.fill(source, text_.source_words);
    target_.line.fill(target, text_.target_words);
    prepare(static_cast<std::int32_t>(source.size()), static_cast<std::int32_t>(target.size()));
    if (lexical_ != nullptr) find_word_weights(source, target);
    find_phrases();
    rows_ = &rows;
    for (std::int32_t first = 0; first < source_length_; ++first)
      for (std::int32_t size = 1; size <= longest_ && first + size <= source_length_; ++size) {
        const Part part{first, first + size};
        for (const Part *target_part = begin(part), *last = end(part); target_part < last; ++target_part)
          rules_of({part, *target_part});
      }
  }

 private:
  void prepare(std::int32_t rows, std::int32_t columns) {
    source_length_ = rows;
    target_length_ = columns;
    longest_ = std::min(options_.max_span, rows);
    of_source_.assign(static_cast<std::size_t>(rows), Part{std::numeric_limits<std::int32_t>::max(), 0});
    of_target_.assign(static_cast<std::size_t>(columns), Part{std::numeric_limits<std::int32_t>::max(), 0});
    first_link_.assign(static_cast<std::size_t>(rows) + 1, 0);
    for (const Link& link : links_) {
      include(of_source_[static_cast<std::size_t>(link.source)], link.target, link.target + 1);
      include(of_target_[static_cast<std::size_t>(link.target)], link.source, link.source + 1);
      ++first_link_[static_cast<std::size_t>(link.source) + 1];
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) first_link_[i + 1] += first_link_[i];
  }

  static void include(Part& part, std::int32_t first, std::int32_t last) {
    part.first = std::min(part.first, first);
    part.last = std::max(part.last, last);
  }

  // All links of a word lie inside any phrase pair around it, so its weight is the same in each.
  void find_word_weights(Span source, Span target) {
    const auto rows = static_cast<std::size_t>(source.size()), columns = static_cast<std::size_t>(target.size());
    source_.weights.assign(rows, 0.0);
    target_.weights.assign(columns, 0.0);
    std::vector<int> source_links(rows, 0), target_links(columns, 0);
    for (const Link& link : links_) {
      const auto i = static_cast<std::size_t>(link.source), j = static_cast<std::size_t>(link.target);
      source_.weights[i] += lexical_->inverse(source.begin[i], target.begin[j]);
      target_.weights[j] += lexical_->direct(source.begin[i], target.begin[j]);
      ++source_links[i];
      ++target_links[j];
    }
    for (std::size_t i = 0; i < rows; ++i)
      source_.weights[i] = source_links[i] > 0 ? source_.weights[i] / source_links[i]
                                              : lexical_->inverse(source.begin[i], LexicalCounts::null_word);
    for (std::size_t j = 0; j < columns; ++j)
      target_.weights[j] = target_links[j] > 0 ? target_.weights[j] / target_links[j]
                                              : lexical_->direct(LexicalCounts::null_word, target.begin[j]);
  }

  bool linked(const std::vector<Part>& extents, std::int32_t place) const {
    return extents[static_cast<std::size_t>(place)].last > 0;
  }
  std::int32_t links_in(const Part& source) const {
    return first_link_[static_cast<std::size_t>(source.last)] - first_link_[static_cast<std::size_t>(source.first)];
  }

  // The target parts of each source part, one after another; parts are numbered by first word and size.
  std::size_t number(const Part& part) const {
    return static_cast<std::size_t>(part.first) * static_cast<std::size_t>(longest_) + static_cast<std::size_t>(part.size() - 1);
  }
  const Part* begin(const Part& part) const { return targets_.data() + starts_[number(part)]; }
  const Part* end(const Part& part) const { return targets_.data() + starts_[number(part) + 1]; }

  void find_phrases() {
    targets_.clear();
    starts_.assign(1, 0);
    for (std::int32_t first = 0; first < source_length_; ++first) {
      Part box{std::numeric_limits<std::int32_t>::max(), 0};
      for (std::int32_t size = 1; size <= longest_; ++size) {
        const std::int32_t last = first + size;
        if (last <= source_length_) {
          const Part& more = of_source_[static_cast<std::size_t>(last - 1)];
          if (more.last > 0) include(box, more.first, more.last);
          if (box.last > 0 && consistent({first, last}, box)) widen(box);
        }
        starts_.push_back(targets_.size());
      }
    }
  }

  bool consistent(const Part& source, const Part& box) const {
    if (box.size() > options_.max_target_span) return false;
    if (options_.tight && !(linked(of_source_, source.first) && linked(of_source_, source.last - 1))) return false;
    for (std::int32_t j = box.first; j < box.last; ++j)
      if (linked(of_target_, j) && !source.holds(of_target_[static_cast<std::size_t>(j)])) return false;
    return true;
  }

  // The box itself and, unless phrases are to be tight, with unlinked words at its edges.
  void widen(const Part& box) {
    for (std::int32_t first = box.first; first >= 0 && box.last - first <= options_.max_target_span; --first) {
      if (first < box.first && (options_.tight || linked(of_target_, first))) break;
      for (std::int32_t last = box.last; last <= target_length_ && last - first <= options_.max_target_span; ++last) {
        if (last > box.last && (options_.tight || linked(of_target_, last - 1))) break;
        targets_.push_back({first, last});
      }
    }
  }

  std::string_view label(const Gap& phrase) {
    const Part& part = options_.trees_of_target ? phrase.target : phrase.source;
    return labels_(part.first, part.last);
  }

  void rules_of(const Gap& phrase) {
    lhs_ = label(phrase);
    const bool labelled = !lhs_.empty();
    if (!labelled) lhs_ = options_.default_label;
    if (lhs_.empty()) return;
    const std::int32_t size = phrase.source.size(), links = links_in(phrase.source);
    emit(phrase, 0);
    if (options_.max_nonterminals < 1 || !(labelled || options_.default_in_gaps)) return;
    for (std::int32_t first = phrase.source.first; first < phrase.source.last; ++first)
      for (std::int32_t last = first + 1; last <= phrase.source.last; ++last) {
        const Part one{first, last};
        if (one.size() == size) continue;
        const std::int32_t left = links - links_in(one);
        if (left < options_.min_links) continue;
        if (begin(one) == end(one)) continue;
        const std::int32_t symbols = size - one.size() + 1;
        if (symbols <= options_.max_symbols) with_one(phrase, one);
        if (options_.max_nonterminals > 1) pairs_with(phrase, one, symbols, left);
      }
  }

  void with_one(const Gap& phrase, const Part& one) {
    for (const Part *target = begin(one), *last = end(one); target < last; ++target) {
      if (!phrase.target.holds(*target)) continue;
      gaps_[0] = {one, *target};
      emit(phrase, 1);
    }
  }

  void pairs_with(const Gap& phrase, const Part& one, std::int32_t symbols, std::int32_t links) {
    for (std::int32_t first = one.last + (options_.adjacent ? 0 : 1); first < phrase.source.last; ++first)
      for (std::int32_t last = phrase.source.last; last > first; --last) {
        const Part two{first, last};
        if (symbols - two.size() + 1 > options_.max_symbols) break;
        if (links - links_in(two) < options_.min_links) continue;
        for (const Part *one_target = begin(one), *one_end = end(one); one_target < one_end; ++one_target) {
          if (!phrase.target.holds(*one_target)) continue;
          for (const Part *two_target = begin(two), *two_end = end(two); two_target < two_end; ++two_target) {
            if (!phrase.target.holds(*two_target) || one_target->meets(*two_target)) continue;
            gaps_[0] = {one, *one_target};
            gaps_[1] = {two, *two_target};
            emit(phrase, 2);
          }
        }
      }
  }

  void emit(const Gap& phrase, int gaps) {
    std::int32_t symbols = phrase.source.size() + gaps, target_symbols = phrase.target.size() + gaps;
    for (int g = 0; g < gaps; ++g) {
      symbols -= gaps_[g].source.size();
      target_symbols -= gaps_[g].target.size();
    }
    if (gaps == 0 ? symbols > options_.max_words
                  : symbols > options_.max_symbols || target_symbols > options_.max_target_symbols)
      return;
    std::string_view names[2];
    for (int g = 0; g < gaps; ++g) {
      names[g] = label(gaps_[g]);
      if (names[g].empty() && options_.default_in_gaps) names[g] = options_.default_label;
      if (names[g].empty()) return;
    }

    RuleRows& rows = *rows_;
    rows.label.add(lhs_);
    const double inverse = write_side(source_, phrase, gaps, names, &Gap::source, rows.source);
    const double direct = write_side(target_, phrase, gaps, names, &Gap::target, rows.target);
    if (lexical_ != nullptr) append_rank(rank_of(direct * inverse), rows.alignment.text);
    write_alignment(phrase, gaps, rows.alignment);
    if (lexical_ != nullptr) {
      rows.direct_lexical.push_back(direct);
      rows.inverse_lexical.push_back(inverse);
    }
  }

  // Writes one side as text, finds the symbol at which each word of the phrase stands, and returns the weight of the words.
  double write_side(Side& side, const Gap& phrase, int gaps, const std::string_view* names, Part Gap::*of, Strings& out) {
    const Part& part = phrase.*of;
    double weight = 1.0;
    int order[2] = {0, 1};
    if (gaps == 2 && (gaps_[1].*of).first < (gaps_[0].*of).first) std::swap(order[0], order[1]);
    side.places.assign(static_cast<std::size_t>(part.size()), -1);
    std::int32_t word = part.first, symbol = 0;
    const auto words_until = [&](std::int32_t last) {
      side.line.copy(word, last, out.text);
      for (; word < last; ++word) {
        if (lexical_ != nullptr) weight *= side.weights[static_cast<std::size_t>(word)];
        side.places[static_cast<std::size_t>(word - part.first)] = symbol++;
      }
    };
    for (int g = 0; g < gaps; ++g) {
      const Part& gap = gaps_[order[g]].*of;
      const std::string_view name = names[order[g]];
      words_until(gap.first);
      out.text.push_back('[');
      out.text.insert(out.text.end(), name.begin(), name.end());
      out.text.push_back(',');
      out.text.push_back(static_cast<char>('1' + order[g]));
      out.text.push_back(']');
      out.text.push_back(' ');
      gap_place_[order[g]][of == &Gap::target] = symbol++;
      word = gap.last;
    }
    words_until(part.last);
    out.text.pop_back();  // the last space
    out.end();
    return weight;
  }

  void write_alignment(const Gap& phrase, int gaps, Strings& out) {
    const std::size_t begin_of_text = out.text.size();
    int next_gap = 0;  // gaps are in the order of the source
    const auto write = [&](std::int32_t i, std::int32_t j) {
      if (out.text.size() > begin_of_text) out.text.push_back(' ');
      append_number(i, out.text);
      out.text.push_back('-');
      append_number(j, out.text);
    };
    const auto write_gaps_before = [&](std::int32_t symbol) {
      while (next_gap < gaps && gap_place_[next_gap][0] < symbol) {
        write(gap_place_[next_gap][0], gap_place_[next_gap][1]);
        ++next_gap;
      }
    };
    const auto first = static_cast<std::size_t>(first_link_[static_cast<std::size_t>(phrase.source.first)]);
    const auto last = static_cast<std::size_t>(first_link_[static_cast<std::size_t>(phrase.source.last)]);
    for (std::size_t k = first; k < last; ++k) {
      const std::int32_t i = source_.places[static_cast<std::size_t>(links_[k].source - phrase.source.first)];
      if (i < 0) continue;
      write_gaps_before(i);
      write(i, target_.places[static_cast<std::size_t>(links_[k].target - phrase.target.first)]);
    }
    write_gaps_before(std::numeric_limits<std::int32_t>::max());
    out.end();
  }

  const LinkedText& text_;
  const Trees& trees_;
  const LexicalCounts* lexical_;
  const RuleOptions& options_;
  SpanLabels labels_;
  RuleRows* rows_ = nullptr;
  std::vector<Link> links_;
  std::vector<std::int32_t> first_link_;  // of each source word, and one past the last
  std::vector<Part> of_source_, of_target_;  // the words that a word is linked to; last is 0 if there are none
  std::vector<Part> targets_;
  std::vector<std::size_t> starts_;
  std::int32_t gap_place_[2][2] = {};  // of each gap, on the source and on the target side
  Gap gaps_[2];
  std::string_view lhs_;
  std::int32_t source_length_ = 0, target_length_ = 0, longest_ = 0;
  Side source_, target_;
};

}  // namespace

void RuleRows::append(const RuleRows& other) {
  label.append(other.label);
  source.append(other.source);
  target.append(other.target);
  alignment.append(other.alignment);
  direct_lexical.insert(direct_lexical.end(), other.direct_lexical.begin(), other.direct_lexical.end());
  inverse_lexical.insert(inverse_lexical.end(), other.inverse_lexical.begin(), other.inverse_lexical.end());
}

void check_trees(const Trees& trees, const Sequences& sentences) {
  for (std::int64_t i = 0; i < sentences.count; ++i)
    for (std::int64_t n = trees.offsets[i]; n < trees.offsets[i + 1]; ++n) {
      const std::int32_t* node = trees.nodes + 3 * n;
      if (node[0] < 0 || node[0] >= node[1] || node[1] > sentences[i].size())
        throw std::invalid_argument("trees: a node of tree " + std::to_string(i) + " lies outside of its sentence");
      if (node[2] < 0 || static_cast<std::size_t>(node[2]) >= trees.names.size())
        throw std::invalid_argument("trees: a node of tree " + std::to_string(i) + " has no label");
    }
}

std::int64_t extract_rules(const LinkedText& text, const Trees& trees, const RuleOptions& options, std::int64_t first,
                           RuleRows& rows) {
  const std::int64_t before = rows.size(), pairs = text.bitext.source.count;
  bool more = true;
  while (first < pairs && more) {
    const std::int64_t count = std::min(pairs_in_round, pairs - first);
    std::vector<RuleRows> blocks(static_cast<std::size_t>((count + pairs_in_block - 1) / pairs_in_block));
    parallel_blocks(count, pairs_in_block, options.threads, [&](std::int64_t begin, std::int64_t end, int) {
      RuleExtractor extractor(text, trees, options);
      RuleRows& block = blocks[static_cast<std::size_t>(begin / pairs_in_block)];
      for (std::int64_t pair = begin; pair < end; ++pair) extractor.extract(first + pair, block);
    });
    for (RuleRows& block : blocks) {
      rows.append(block);
      block = RuleRows();  // give its memory back before the next is copied
    }
    first += count;
    more = rows.size() - before < options.max_rows;
  }
  return first;
}

}  // namespace paragauge
