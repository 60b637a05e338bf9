#include "align/symmetrize.hpp"

#include <utility>

namespace paragauge::align {

namespace {

template <class Condition>
void take_where(LinkGrid& grid, const Condition& condition) {
  for (std::int64_t i = 0; i < grid.rows(); ++i)
    for (std::int64_t j = 0; j < grid.columns(); ++j)
      if (!grid.kept(i, j) && condition(i, j)) grid.take(i, j);
}

// Adds links of the union beside kept ones, for as long as one of their words has no link yet. Kept links are
// visited in the order in which they were found, starting with the intersection by source and then target
// position.
void grow_diagonally(LinkGrid& grid) {
  static constexpr int neighbours[8][2] = {{-1, 0},  {0, -1}, {1, 0},  {0, 1},
                                           {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
  std::vector<std::pair<std::int64_t, std::int64_t>> queue;
  for (std::int64_t i = 0; i < grid.rows(); ++i)
    for (std::int64_t j = 0; j < grid.columns(); ++j)
      if (grid.kept(i, j)) queue.emplace_back(i, j);
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (const auto& step : neighbours) {
      const std::int64_t i = queue[next].first + step[0], j = queue[next].second + step[1];
      if (i < 0 || j < 0 || i >= grid.rows() || j >= grid.columns()) continue;
      if (grid.kept(i, j) || grid.directions(i, j) == 0) continue;
      if (!grid.row_free(i) && !grid.column_free(j)) continue;
      grid.take(i, j);
      queue.emplace_back(i, j);
    }
  }
}

}  // namespace

void LinkGrid::reset(std::int64_t rows, std::int64_t columns) {
  rows_ = rows;
  columns_ = columns;
  cells_.assign(static_cast<std::size_t>(rows * columns), 0);
  row_used_.assign(static_cast<std::size_t>(rows), 0);
  column_used_.assign(static_cast<std::size_t>(columns), 0);
}

void symmetrize(LinkGrid& grid, Decoding method) {
  const auto from = [&](std::uint8_t wanted) {
    take_where(grid,
               [&](std::int64_t i, std::int64_t j) { return (grid.directions(i, j) & wanted) == wanted; });
  };
  if (method == Decoding::forward) return from(LinkGrid::forward);
  if (method == Decoding::backward) return from(LinkGrid::backward);
  if (method == Decoding::union_)
    return take_where(grid, [&](std::int64_t i, std::int64_t j) { return grid.directions(i, j) != 0; });
  from(LinkGrid::both);
  if (method == Decoding::intersection) return;
  grow_diagonally(grid);
  if (method == Decoding::grow_diag) return;
  const bool both_free = method == Decoding::grow_diag_final_and;
  for (const std::uint8_t direction : {LinkGrid::forward, LinkGrid::backward})
    take_where(grid, [&](std::int64_t i, std::int64_t j) {
      if ((grid.directions(i, j) & direction) == 0) return false;
      const bool row = grid.row_free(i), column = grid.column_free(j);
      return both_free ? row && column : row || column;
    });
}

}  // namespace paragauge::align
