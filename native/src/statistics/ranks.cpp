#include "statistics/ranks.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "base/parallel.hpp"

namespace paragauge {

namespace {

// Turns the weights of groups into their mean ranks, less the mean of all ranks.
void centred_ranks(std::vector<double>& groups, double total) {
  double before = 0.0;
  for (double& group : groups) {
    const double weight = group;
    group = before + (weight + 1) / 2 - (total + 1) / 2;
    before += weight;
  }
}

}  // namespace

void weighted_spearman(const RankedItems& items, const double* weights, std::int64_t rows, std::int64_t units,
                       int threads, double* result) {
  parallel_blocks(rows, 8, threads, [&](std::int64_t begin, std::int64_t end, int) {
    std::vector<double> x, y;
    for (std::int64_t row = begin; row < end; ++row) {
      const double* weight = weights + row * units;
      x.assign(static_cast<std::size_t>(items.x_groups), 0.0);
      y.assign(static_cast<std::size_t>(items.y_groups), 0.0);
      double total = 0.0;
      for (std::int64_t i = 0; i < items.items; ++i) {
        const double w = weight[items.unit[i]];
        total += w;
        x[static_cast<std::size_t>(items.x[i])] += w;
        y[static_cast<std::size_t>(items.y[i])] += w;
      }
      centred_ranks(x, total);
      centred_ranks(y, total);
      double xx = 0.0, yy = 0.0, xy = 0.0;
      for (std::int64_t i = 0; i < items.items; ++i) {
        const double w = weight[items.unit[i]];
        const double a = x[static_cast<std::size_t>(items.x[i])], b = y[static_cast<std::size_t>(items.y[i])];
        xx += w * a * a;
        yy += w * b * b;
        xy += w * a * b;
      }
      // Ranks are at least half a step apart where they differ at all.
      const bool varies = xx > 1e-9 && yy > 1e-9;
      result[row] = varies ? std::fmax(-1.0, std::fmin(1.0, xy / std::sqrt(xx * yy)))
                           : std::numeric_limits<double>::quiet_NaN();
    }
  });
}

}  // namespace paragauge
