#include "phrases_extract.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "parallel.hpp"

namespace paragauge {

namespace {

// Rounds and blocks are fixed, so that where a batch ends does not depend on the number of threads.
constexpr std::int64_t pairs_in_round = 1024;
constexpr std::int64_t pairs_in_block = 64;

template <class T>
void append_all(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// A sentence as text with a space between words: any phrase of it is one piece of that text.
struct Line {
  std::vector<char> text;
  std::vector<std::int64_t> starts;  // of each word, and one past the last with its space

  void fill(Span sentence, const Words& words) {
    text.clear();
    starts.clear();
    for (const std::int32_t* id = sentence.begin; id < sentence.end; ++id) {
      starts.push_back(static_cast<std::int64_t>(text.size()));
      text.insert(text.end(), words.text + words.offsets[*id], words.text + words.offsets[*id + 1]);
      text.push_back(' ');
    }
    starts.push_back(static_cast<std::int64_t>(text.size()));
  }

  void copy(std::int64_t first, std::int64_t last, Strings& out) const {
    out.text.insert(out.text.end(), text.begin() + starts[static_cast<std::size_t>(first)],
                    text.begin() + starts[static_cast<std::size_t>(last + 1)] - 1);
    out.end();
  }
};

void append_number(std::int64_t number, std::vector<char>& out) {
  char digits[20];
  int length = 0;
  do digits[length++] = static_cast<char>('0' + number % 10);
  while (number /= 10);
  while (length > 0) out.push_back(digits[--length]);
}

// Eight hexadecimal digits that sort before those of any smaller weight: the bits of a float that is not negative
// are ordered as the float is.
void append_rank(double weight, std::vector<char>& out) {
  const auto cost = static_cast<float>(std::abs(std::log(weight)));
  std::uint32_t bits = 0;
  std::memcpy(&bits, &cost, sizeof bits);
  for (int shift = 28; shift >= 0; shift -= 4) out.push_back("0123456789abcdef"[(bits >> shift) & 15]);
}

// Extracts from one sentence pair after another, keeping its scratch space.
class Extractor {
 public:
  Extractor(const LinkedBitext& bitext, const Words& source_words, const Words& target_words,
            const LexicalCounts* lexical, const ExtractionOptions& options)
      : bitext_(bitext), source_words_(source_words), target_words_(target_words), lexical_(lexical), options_(options) {}

  void extract(std::int64_t pair, PhraseRows& rows) {
    bitext_.links(pair, links_);
    if (links_.empty()) return;
    const Span source = bitext_.source[pair], target = bitext_.target[pair];
    source_line_.fill(source, source_words_);
    target_line_.fill(target, target_words_);
    find_extents(source.size(), target.size());
    if (lexical_ != nullptr) find_word_weights(source, target);
    for (std::int64_t i1 = 0; i1 < source.size(); ++i1) extend(i1, rows);
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
  void extend(std::int64_t i1, PhraseRows& rows) {
    const auto length = static_cast<std::int64_t>(of_source_.size());
    Extent box;    // the target words that the source phrase is linked to
    Extent back;   // the source words that those are linked to
    for (std::int64_t i2 = i1; i2 < length && i2 - i1 < options_.max_length; ++i2) {
      const Extent before = box;
      box.include(of_source_[static_cast<std::size_t>(i2)]);
      if (!box.linked()) continue;
      if (box.last - box.first >= options_.max_length) return;  // it can only grow
      include_new_columns(before, box, back);
      if (back.first < i1) return;  // a link leads to the left of i1 whatever comes on the right
      if (back.last > i2) continue;
      widen(i1, i2, box, rows);
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
  void widen(std::int64_t i1, std::int64_t i2, const Extent& box, PhraseRows& rows) {
    const auto columns = static_cast<std::int64_t>(of_target_.size());
    for (std::int64_t j1 = box.first; j1 >= 0; --j1) {
      if (j1 < box.first && of_target_[static_cast<std::size_t>(j1)].linked()) break;
      if (box.last - j1 >= options_.max_length) break;
      for (std::int64_t j2 = box.last; j2 < columns && j2 - j1 < options_.max_length; ++j2) {
        if (j2 > box.last && of_target_[static_cast<std::size_t>(j2)].linked()) break;
        emit(i1, i2, j1, j2, rows);
      }
    }
  }

  void emit(std::int64_t i1, std::int64_t i2, std::int64_t j1, std::int64_t j2, PhraseRows& rows) {
    source_line_.copy(i1, i2, rows.source);
    target_line_.copy(j1, j2, rows.target);
    const double direct = lexical_ == nullptr ? 0.0 : product(target_weight_, j1, j2);
    const double inverse = lexical_ == nullptr ? 0.0 : product(source_weight_, i1, i2);
    if (options_.alignments) {
      if (lexical_ != nullptr) append_rank(direct * inverse, rows.alignment.text);
      bool more = false;
      for (std::size_t k = first_link_[static_cast<std::size_t>(i1)]; k < first_link_[static_cast<std::size_t>(i2) + 1]; ++k) {
        if (more) rows.alignment.text.push_back(' ');
        append_number(links_[k].source - i1, rows.alignment.text);
        rows.alignment.text.push_back('-');
        append_number(links_[k].target - j1, rows.alignment.text);
        more = true;
      }
      rows.alignment.end();
    }
    if (lexical_ != nullptr) {
      rows.direct_lexical.push_back(direct);
      rows.inverse_lexical.push_back(inverse);
    }
  }

  static double product(const std::vector<double>& weights, std::int64_t first, std::int64_t last) {
    double result = 1.0;
    for (std::int64_t k = first; k <= last; ++k) result *= weights[static_cast<std::size_t>(k)];
    return result;
  }

  const LinkedBitext& bitext_;
  const Words& source_words_;
  const Words& target_words_;
  const LexicalCounts* lexical_;
  const ExtractionOptions& options_;
  std::vector<Link> links_;
  std::vector<std::size_t> first_link_;  // of each source word, and one past the last
  std::vector<Extent> of_source_, of_target_;
  std::vector<double> source_weight_, target_weight_;
  std::vector<int> source_links_, target_links_;
  Line source_line_, target_line_;
};

}  // namespace

void Strings::reserve(std::size_t strings, std::size_t bytes) {
  text.reserve(text.size() + bytes);
  offsets.reserve(offsets.size() + strings);
}

void Strings::append(const Strings& other) {
  const std::int64_t base = offsets.back();
  append_all(text, other.text);
  for (std::size_t k = 1; k < other.offsets.size(); ++k) offsets.push_back(base + other.offsets[k]);
}

void PhraseRows::reserve(const std::vector<PhraseRows>& more) {
  std::size_t count = 0, source_text = 0, target_text = 0, alignment_text = 0;
  for (const PhraseRows& block : more) {
    count += static_cast<std::size_t>(block.size());
    source_text += block.source.text.size();
    target_text += block.target.text.size();
    alignment_text += block.alignment.text.size();
  }
  source.reserve(count, source_text);
  target.reserve(count, target_text);
  alignment.reserve(count, alignment_text);
  direct_lexical.reserve(direct_lexical.size() + count);
  inverse_lexical.reserve(inverse_lexical.size() + count);
}

void PhraseRows::append(const PhraseRows& other) {
  source.append(other.source);
  target.append(other.target);
  alignment.append(other.alignment);
  append_all(direct_lexical, other.direct_lexical);
  append_all(inverse_lexical, other.inverse_lexical);
}

std::int64_t extract_phrases(const LinkedBitext& bitext, std::int64_t first, const Words& source_words,
                             const Words& target_words, const LexicalCounts* lexical,
                             const ExtractionOptions& options, PhraseRows& rows) {
  const std::int64_t before = rows.size();
  bool more = true;
  while (first < bitext.source.count && more) {
    const std::int64_t count = std::min(pairs_in_round, bitext.source.count - first);
    std::vector<PhraseRows> blocks(static_cast<std::size_t>((count + pairs_in_block - 1) / pairs_in_block));
    parallel_blocks(count, pairs_in_block, options.threads, [&](std::int64_t begin, std::int64_t end, int) {
      Extractor extractor(bitext, source_words, target_words, lexical, options);
      PhraseRows& block = blocks[static_cast<std::size_t>(begin / pairs_in_block)];
      for (std::int64_t pair = begin; pair < end; ++pair) extractor.extract(first + pair, block);
    });
    rows.reserve(blocks);
    for (PhraseRows& block : blocks) {
      rows.append(block);
      block = PhraseRows();  // give its memory back before the next is copied
    }
    first += count;
    more = rows.size() - before < options.max_rows;
  }
  return first;
}

}  // namespace paragauge
