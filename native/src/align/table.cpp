#include "align/table.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/parallel.hpp"

namespace paragauge::align {

namespace {

constexpr std::int64_t row_block = 16;
constexpr std::int64_t sentence_block = 64;

std::vector<std::int64_t> cell_starts(const Bitext& bitext) {
  std::vector<std::int64_t> starts(static_cast<std::size_t>(bitext.source.count) + 1, 0);
  for (std::int64_t s = 0; s < bitext.source.count; ++s)
    starts[s + 1] = starts[s] + bitext.source[s].size() * bitext.target[s].size();
  return starts;
}

// The places of each source word: sentence number and position, grouped by word.
struct Occurrences {
  struct Place {
    std::int32_t sentence, position;
  };
  std::vector<std::int64_t> starts;
  std::vector<Place> places;

  Occurrences(const Sequences& text, std::int32_t words) : starts(static_cast<std::size_t>(words) + 1, 0) {
    const std::int64_t tokens = text.offsets[text.count];
    for (std::int64_t t = 0; t < tokens; ++t) ++starts[text.ids[t] + 1];
    for (std::int32_t w = 0; w < words; ++w) starts[w + 1] += starts[w];
    std::vector<std::int64_t> next(starts.begin(), starts.end() - 1);
    places.resize(static_cast<std::size_t>(tokens));
    for (std::int64_t s = 0; s < text.count; ++s) {
      const Span sentence = text[s];
      for (std::int32_t i = 0; i < sentence.size(); ++i)
        places[next[sentence.begin[i]]++] = {static_cast<std::int32_t>(s), i};
    }
  }
};

}  // namespace

std::int64_t PairTable::find(std::int32_t source, std::int32_t target) const {
  if (source >= source_words()) return -1;
  const auto begin = columns.begin() + rows[source], end = columns.begin() + rows[source + 1];
  const auto found = std::lower_bound(begin, end, target);
  return found != end && *found == target ? found - columns.begin() : -1;
}

void index_bitext(const Bitext& bitext, std::int32_t source_words, std::int32_t target_words, int threads,
                  PairTable& table, Cells& cells) {
  if (bitext.source.count > std::numeric_limits<std::int32_t>::max())
    throw std::length_error("more sentence pairs than 32 bits can count");
  const Occurrences occurrences(bitext.source, source_words);

  // Each thread marks the target words it has met beside the current source word.
  std::vector<std::vector<std::int32_t>> marks(static_cast<std::size_t>(threads));
  const auto distinct = [&](std::int32_t e, std::vector<std::int32_t>& mark,
                            std::vector<std::int32_t>& words) {
    words.clear();
    std::int32_t previous = -1;
    for (std::int64_t p = occurrences.starts[e]; p < occurrences.starts[e + 1]; ++p) {
      const std::int32_t sentence = occurrences.places[p].sentence;
      if (sentence == previous) continue;
      previous = sentence;
      const Span target = bitext.target[sentence];
      for (const std::int32_t* f = target.begin; f < target.end; ++f) {
        if (mark[*f] == e) continue;
        mark[*f] = e;
        words.push_back(*f);
      }
    }
  };

  table.target_words = target_words;
  table.rows.assign(static_cast<std::size_t>(source_words) + 1, 0);
  parallel_blocks(source_words, row_block, threads, [&](std::int64_t begin, std::int64_t end, int thread) {
    auto& mark = marks[thread];
    if (mark.empty()) mark.assign(static_cast<std::size_t>(target_words), -1);
    std::vector<std::int32_t> words;
    for (std::int64_t e = begin; e < end; ++e) {
      distinct(static_cast<std::int32_t>(e), mark, words);
      table.rows[e + 1] = static_cast<std::int64_t>(words.size());
    }
  });
  for (std::int32_t e = 0; e < source_words; ++e) table.rows[e + 1] += table.rows[e];
  const std::int64_t pairs = table.rows[source_words];
  if (pairs >= std::numeric_limits<std::uint32_t>::max() - 1)
    throw std::length_error("more different word pairs than 32 bits can count");
  table.columns.resize(static_cast<std::size_t>(pairs));

  cells.starts = cell_starts(bitext);
  cells.pairs.resize(static_cast<std::size_t>(cells.starts.back()));
  std::vector<std::vector<std::uint32_t>> index_of(static_cast<std::size_t>(threads));
  for (auto& mark : marks) std::fill(mark.begin(), mark.end(), -1);
  parallel_blocks(source_words, row_block, threads, [&](std::int64_t begin, std::int64_t end, int thread) {
    auto& mark = marks[thread];
    auto& index = index_of[thread];
    if (mark.empty()) mark.assign(static_cast<std::size_t>(target_words), -1);
    if (index.empty()) index.resize(static_cast<std::size_t>(target_words));
    std::vector<std::int32_t> words;
    for (std::int64_t e = begin; e < end; ++e) {
      distinct(static_cast<std::int32_t>(e), mark, words);
      std::sort(words.begin(), words.end());
      std::int64_t pair = table.rows[e];
      for (const std::int32_t f : words) {
        index[f] = static_cast<std::uint32_t>(pair);
        table.columns[pair++] = f;
      }
      for (std::int64_t p = occurrences.starts[e]; p < occurrences.starts[e + 1]; ++p) {
        const auto [sentence, position] = occurrences.places[p];
        const Span target = bitext.target[sentence];
        std::uint32_t* cell = cells.pairs.data() + cells.starts[sentence] + position * target.size();
        for (const std::int32_t* f = target.begin; f < target.end; ++f) *cell++ = index[*f];
      }
    }
  });
}

Cells locate(const Bitext& bitext, const PairTable& table, const std::vector<std::int32_t>& twins,
             int threads) {
  Cells cells;
  cells.starts = cell_starts(bitext);
  cells.pairs.resize(static_cast<std::size_t>(cells.starts.back()));
  const auto unseen = static_cast<std::uint32_t>(table.size());
  const auto unseen_twins = unseen + 1;
  parallel_blocks(bitext.source.count, sentence_block, threads,
                  [&](std::int64_t begin, std::int64_t end, int) {
                    for (std::int64_t s = begin; s < end; ++s) {
                      const Span source = bitext.source[s], target = bitext.target[s];
                      std::uint32_t* cell = cells.pairs.data() + cells.starts[s];
                      for (const std::int32_t* e = source.begin; e < source.end; ++e)
                        for (const std::int32_t* f = target.begin; f < target.end; ++f) {
                          const std::int64_t pair = table.find(*e, *f);
                          *cell++ = pair >= 0         ? static_cast<std::uint32_t>(pair)
                                    : twins[*e] == *f ? unseen_twins
                                                      : unseen;
                        }
                    }
                  });
  return cells;
}

}  // namespace paragauge::align
