// Weighted Spearman against making the resample and ranking it.
#include <cmath>
#include <random>
#include <vector>

#include "check.hpp"
#include "statistics/ranks.hpp"

namespace {

double rank(const std::vector<int>& values, int value) {
  double below = 0, equal = 0;
  for (const int each : values) {
    below += each < value;
    equal += each == value;
  }
  return below + (equal + 1) / 2;
}

double spearman(const std::vector<int>& x, const std::vector<int>& y) {
  const double mean = (static_cast<double>(x.size()) + 1) / 2;
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = rank(x, x[i]) - mean, b = rank(y, y[i]) - mean;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  return xy / std::sqrt(xx * yy);
}

}  // namespace

int main() {
  std::mt19937 rng(3);
  const auto below = [&rng](int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(rng); };
  for (int round = 0; round < 200; ++round) {
    const int items = 1 + below(20), units = 1 + below(6), rows = 1 + below(12);
    std::vector<std::int32_t> x, y, unit;
    for (int i = 0; i < items; ++i) {
      x.push_back(below(5));
      y.push_back(below(4));
      unit.push_back(below(units));
    }
    std::vector<double> weights(static_cast<std::size_t>(rows * units)), one(static_cast<std::size_t>(rows)), two(one);
    for (double& weight : weights) weight = below(4);
    paragauge::weighted_spearman({x.data(), y.data(), unit.data(), items, 5, 4}, weights.data(), rows, units, 1, one.data());
    paragauge::weighted_spearman({x.data(), y.data(), unit.data(), items, 5, 4}, weights.data(), rows, units, 4, two.data());
    for (int row = 0; row < rows; ++row) {
      std::vector<int> a, b;
      for (std::size_t i = 0; i < x.size(); ++i)
        for (double k = 0; k < weights[static_cast<std::size_t>(row * units + unit[i])]; ++k) {
          a.push_back(x[i]);
          b.push_back(y[i]);
        }
      const double expected = spearman(a, b), found = one[static_cast<std::size_t>(row)];
      CHECK(std::isnan(expected) ? std::isnan(found) : std::abs(expected - found) < 1e-12);
      CHECK(std::isnan(found) || found == two[static_cast<std::size_t>(row)]);
    }
  }
  return 0;
}
