// Spearman's correlation of items that count several times, for many ways of counting: bootstrap resamples.
#pragma once

#include <cstdint>

namespace paragauge {

// Items with a value on two sides, given as groups of equal values in rising order, from 0. An item counts as often as
// its unit (a segment, a document) was drawn.
struct RankedItems {
  const std::int32_t *x, *y, *unit;
  std::int64_t items, x_groups, y_groups;
};

// One correlation for each row of `weights` (rows x units); NaN where a side does not vary.
void weighted_spearman(const RankedItems& items, const double* weights, std::int64_t rows, std::int64_t units,
                       int threads, double* result);

}  // namespace paragauge
