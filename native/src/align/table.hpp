// Which words occur together, and where: the sparse support of the translation tables.
#pragma once

#include <cstdint>
#include <vector>

#include "base/sequences.hpp"

namespace paragauge::align {

struct Bitext {
  Sequences source,
      target;  // as many sentences on both sides; ids from 0; those past the vocabulary are unknown words
};

// All pairs (source word, target word) that share a sentence pair, sorted by source and then target word.
// The pairs of source word e are rows[e] .. rows[e + 1].
struct PairTable {
  std::vector<std::int64_t> rows;
  std::vector<std::int32_t> columns;
  std::int32_t target_words = 0;

  std::int32_t source_words() const { return static_cast<std::int32_t>(rows.size()) - 1; }
  std::int64_t size() const { return static_cast<std::int64_t>(columns.size()); }
  std::int64_t find(std::int32_t source, std::int32_t target) const;  // its index, or -1
};

// For every cell (i, j) of every sentence pair, row by row, the index of its word pair in the table: the
// inner loops then need no search. Four bytes a cell: 2.5 GB for a million pairs of 25 and 25 words.
struct Cells {
  std::vector<std::uint32_t> pairs;
  std::vector<std::int64_t> starts;  // of each sentence pair, and the end
};

// Both in one go, in time linear in the number of cells (and a sort of each row).
void index_bitext(const Bitext& bitext, std::int32_t source_words, std::int32_t target_words, int threads,
                  PairTable& table, Cells& cells);

// Cells of other text. A pair that the table lacks gets the index table.size(), or table.size() + 1 if both
// words are written alike: twins[e] is the target word that looks like source word e, or -1.
Cells locate(const Bitext& bitext, const PairTable& table, const std::vector<std::int32_t>& twins,
             int threads);

}  // namespace paragauge::align
