#include "phrases/extract.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/hashing.hpp"

namespace paragauge {

namespace {

Occurrences::Piece piece_of(const std::vector<char>& text, std::int64_t begin, std::int64_t end) {
  if (end - begin > std::numeric_limits<std::int32_t>::max()) throw std::length_error("a phrase of more than 2 GB");
  return {begin, static_cast<std::int32_t>(end - begin), -1,
          hash_of({text.data() + begin, static_cast<std::size_t>(end - begin)})};
}

// A sentence as text with a space between words: any phrase of it is one piece of that text.
struct Line {
  std::vector<std::int64_t> starts;  // of each word, and one past the last with its space

  void fill(Span sentence, const Words& words, std::vector<char>& text) {
    starts.clear();
    for (const std::int32_t* id = sentence.begin; id < sentence.end; ++id) {
      starts.push_back(static_cast<std::int64_t>(text.size()));
      text.insert(text.end(), words.text + words.offsets[*id], words.text + words.offsets[*id + 1]);
      text.push_back(' ');
    }
    starts.push_back(static_cast<std::int64_t>(text.size()));
  }

  Occurrences::Piece piece(std::int64_t first, std::int64_t last, const std::vector<char>& text) const {
    return piece_of(text, starts[static_cast<std::size_t>(first)], starts[static_cast<std::size_t>(last + 1)] - 1);
  }
};

// Extracts from one sentence pair after another, keeping its scratch space.
class Extractor {
 public:
  Extractor(const LinkedText& text, std::int32_t max_length, Occurrences& found)
      : text_(text), lexical_(text.lexical), max_length_(max_length), found_(found) {}

  void extract(std::int64_t pair) {
    text_.bitext.links(pair, links_);
    if (links_.empty()) return;
    pairs_before_ = found_.pairs.size();
    text_before_ = found_.text.size();
    const Span source = text_.bitext.source[pair], target = text_.bitext.target[pair];
    source_line_.fill(source, text_.source_words, found_.text);
    target_line_.fill(target, text_.target_words, found_.text);
    find_extents(source.size(), target.size());
    if (lexical_ != nullptr) find_word_weights(source, target);
    pair_ = pair;
    words_ = 0;
    for (std::int64_t i1 = 0; i1 <= links_.back().source; ++i1) extend(i1);  // there is none without a link
  }

 private:
  struct Extent {  // the first and last position that a word is linked to; none if first > last
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = -1;

    bool linked() const { return first <= last; }
    void include(std::int64_t position) {
      first = std::min(first, position);
      last = std::max(last, position);
    }
    void include(const Extent& other) {
      first = std::min(first, other.first);
      last = std::max(last, other.last);
    }
  };

  void find_extents(std::int64_t rows, std::int64_t columns) {
    of_source_.assign(static_cast<std::size_t>(rows), Extent{});
    of_target_.assign(static_cast<std::size_t>(columns), Extent{});
    for (const Link& link : links_) {
      of_source_[static_cast<std::size_t>(link.source)].include(link.target);
      of_target_[static_cast<std::size_t>(link.target)].include(link.source);
    }
    first_link_.assign(static_cast<std::size_t>(rows) + 1, 0);
    std::size_t k = 0;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(rows); ++i) {
      while (k < links_.size() && static_cast<std::size_t>(links_[k].source) < i) ++k;
      first_link_[i] = k;
    }
  }

  // All links of a word lie inside any consistent box around it, so its average weight is the same in each.
  void find_word_weights(Span source, Span target) {
    const auto rows = static_cast<std::size_t>(source.size()), columns = static_cast<std::size_t>(target.size());
    source_weight_.assign(rows, 0.0);
    target_weight_.assign(columns, 0.0);
    source_links_.assign(rows, 0);
    target_links_.assign(columns, 0);
    for (const Link& link : links_) {
      const auto i = static_cast<std::size_t>(link.source), j = static_cast<std::size_t>(link.target);
      source_weight_[i] += lexical_->inverse(source.begin[i], target.begin[j]);
      target_weight_[j] += lexical_->direct(source.begin[i], target.begin[j]);
      ++source_links_[i];
      ++target_links_[j];
    }
    for (std::size_t i = 0; i < rows; ++i)
      source_weight_[i] = source_links_[i] > 0 ? source_weight_[i] / source_links_[i]
                                               : lexical_->inverse(source.begin[i], LexicalCounts::null_word);
    for (std::size_t j = 0; j < columns; ++j)
      target_weight_[j] = target_links_[j] > 0 ? target_weight_[j] / target_links_[j]
                                               : lexical_->direct(LexicalCounts::null_word, target.begin[j]);
  }

  // All pairs whose source phrase begins at i1.
  void extend(std::int64_t i1) {
    const auto length = static_cast<std::int64_t>(of_source_.size());
    Extent box;    // the target words that the source phrase is linked to
    Extent back;   // the source words that those are linked to
    const std::int64_t first_linked = links_[first_link_[static_cast<std::size_t>(i1)]].source;
    for (std::int64_t i2 = first_linked; i2 < length && i2 - i1 < max_length_; ++i2) {
      const Extent before = box;
      box.include(of_source_[static_cast<std::size_t>(i2)]);
      if (box.last - box.first >= max_length_) return;  // it can only grow
      include_new_columns(before, box, back);
      if (back.first < i1) return;  // a link leads to the left of i1 whatever comes on the right
      if (back.last > i2) continue;
      widen(i1, i2, box);
    }
  }

  void include_new_columns(const Extent& before, const Extent& box, Extent& back) const {
    const bool had = before.linked();
    for (std::int64_t j = box.first; j <= box.last; ++j) {
      if (had && j == before.first) j = before.last + 1;
      if (j > box.last) break;
      back.include(of_target_[static_cast<std::size_t>(j)]);
    }
  }

  // The box itself, and with unlinked target words at its edges; source edges are the callers' loops.
  void widen(std::int64_t i1, std::int64_t i2, const Extent& box) {
    count_words(i2 - i1 + 1);
    found_.sources.push_back(source_line_.piece(i1, i2, found_.text));
    const double inverse = lexical_ == nullptr ? 0.0 : product(source_weight_, i1, i2);
    const auto columns = static_cast<std::int64_t>(of_target_.size());
    for (std::int64_t j1 = box.first; j1 >= 0; --j1) {
      if (j1 < box.first && of_target_[static_cast<std::size_t>(j1)].linked()) break;
      if (box.last - j1 >= max_length_) break;
      for (std::int64_t j2 = box.last; j2 < columns && j2 - j1 < max_length_; ++j2) {
        if (j2 > box.last && of_target_[static_cast<std::size_t>(j2)].linked()) break;
        emit(i1, i2, j1, j2, inverse);
      }
    }
  }

  void count_words(std::int64_t words) {
    words_ += words;
    if (words_ > most_words_of_sentence) throw TooManyPhrases(pair_);
  }

  void emit(std::int64_t i1, std::int64_t i2, std::int64_t j1, std::int64_t j2, double inverse) {
    count_words(j2 - j1 + 1);
    if (found_.pairs.size() - pairs_before_ > most_pairs_of_sentence ||
        found_.text.size() - text_before_ > most_text_of_sentence)
      throw TooManyPhrases(pair_);
    const double direct = lexical_ == nullptr ? 0.0 : product(target_weight_, j1, j2);
    // Moses' rule asks how often an alignment occurs, not what it weighs.
    const bool ranked = lexical_ != nullptr && lexical_->rule() == LexicalRule::koehn;
    const std::uint32_t rank = ranked ? rank_of(direct * inverse) : 0;
    found_.targets.push_back(target_line_.piece(j1, j2, found_.text));
    found_.pairs.push_back({static_cast<std::uint32_t>(found_.sources.size() - 1), rank, direct, inverse});
    std::vector<char>& text = found_.text;
    const std::size_t begin = text.size();
    for (std::size_t k = first_link_[static_cast<std::size_t>(i1)]; k < first_link_[static_cast<std::size_t>(i2) + 1]; ++k) {
      if (text.size() > begin) text.push_back(' ');
      append_number(links_[k].source - i1, text);
      text.push_back('-');
      append_number(links_[k].target - j1, text);
    }
    found_.alignments.push_back(
        piece_of(text, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(text.size())));
  }

  static double product(const std::vector<double>& weights, std::int64_t first, std::int64_t last) {
    double result = 1.0;
    for (std::int64_t k = first; k <= last; ++k) result *= weights[static_cast<std::size_t>(k)];
    return result;
  }

  const LinkedText& text_;
  const LexicalCounts* lexical_;
  std::int32_t max_length_;
  Occurrences& found_;
  std::int64_t pair_ = 0;                           // under way
  std::size_t pairs_before_ = 0, text_before_ = 0;  // it
  std::int64_t words_ = 0;                          // of its phrases so far
  std::vector<Link> links_;
  std::vector<std::size_t> first_link_;  // of each source word, and one past the last
  std::vector<Extent> of_source_, of_target_;
  std::vector<double> source_weight_, target_weight_;
  std::vector<int> source_links_, target_links_;
  Line source_line_, target_line_;
};

}  // namespace

void Occurrences::clear() {
  text.clear();
  sources.clear();
  targets.clear();
  alignments.clear();
  pairs.clear();
}

void extract_phrases(const LinkedText& text, std::int64_t begin, std::int64_t end, std::int32_t max_length,
                     Occurrences& found) {
  Extractor extractor(text, max_length, found);
  for (std::int64_t pair = begin; pair < end; ++pair) extractor.extract(pair);
}

}  // namespace paragauge
