// From two directed alignments to one (Och and Ney, 2003; Koehn, Och and Marcu, 2003).
#pragma once

#include <cstdint>
#include <vector>

namespace paragauge::align {

enum class Decoding {
  agreement,
  forward,
  backward,
  intersection,
  union_,
  grow_diag,
  grow_diag_final,
  grow_diag_final_and,
};

// The cells of one sentence pair: in which directed alignments each lies, and whether it is kept.
class LinkGrid {
 public:
  static constexpr std::uint8_t forward = 1, backward = 2, both = 3, keep = 4;

  void reset(std::int64_t rows, std::int64_t columns);
  void add(std::int64_t i, std::int64_t j, std::uint8_t from) { cells_[i * columns_ + j] |= from; }
  bool kept(std::int64_t i, std::int64_t j) const { return (cells_[i * columns_ + j] & keep) != 0; }

  std::uint8_t directions(std::int64_t i, std::int64_t j) const { return cells_[i * columns_ + j] & both; }
  bool row_free(std::int64_t i) const { return !row_used_[i]; }
  bool column_free(std::int64_t j) const { return !column_used_[j]; }
  void take(std::int64_t i, std::int64_t j) {
    cells_[i * columns_ + j] |= keep;
    row_used_[i] = column_used_[j] = 1;
  }
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }

 private:
  std::int64_t rows_ = 0, columns_ = 0;
  std::vector<std::uint8_t> cells_, row_used_, column_used_;
};

// Keeps the links that the method chooses.
void symmetrize(LinkGrid& grid, Decoding method);

}  // namespace paragauge::align
