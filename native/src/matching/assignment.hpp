// The matching of greatest weight between two sets of items.
#pragma once

#include <cstdint>
#include <vector>

namespace paragauge {

struct Edge {
  std::int32_t row, column;
  double weight;  // more than 0
};

// Gives each row a column, or -1, each column at most once, so that the sum of weights is greatest; returns that sum.
// Exact: the graph falls apart into connected pieces, and the Hungarian method solves each. Weights that are whole
// numbers are added and subtracted without any error.
double best_assignment(std::int32_t rows, std::int32_t columns, const std::vector<Edge>& edges,
                       std::vector<std::int32_t>& column_of_row);

}  // namespace paragauge
