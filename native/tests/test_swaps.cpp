// Rank correlations of swapped scores against swapping them and comparing all pairs of items.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "check.hpp"
#include "statistics/swaps.hpp"

namespace {

using paragauge::RankStatistic;

double sign(double value) { return (value > 0) - (value < 0); }

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> found;
  for (const double value : values) {
    double rank = 0.5;
    for (const double other : values) rank += other < value ? 1 : other == value ? 0.5 : 0;
    found.push_back(rank);
  }
  return found;
}

double slow(const std::vector<double>& x, const std::vector<double>& y, RankStatistic statistic) {
  const double count = static_cast<double>(x.size());
  if (statistic == RankStatistic::spearman) {
    const std::vector<double> a = ranks(x), b = ranks(y);
    double xx = 0, yy = 0, xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double p = a[i] - (count + 1) / 2, q = b[i] - (count + 1) / 2;
      xx += p * p;
      yy += q * q;
      xy += p * q;
    }
    return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : NAN;
  }
  double balance = 0, own = 0, theirs = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      balance += sign(x[i] - x[j]) * sign(y[i] - y[j]);
      own += x[i] != x[j];
      theirs += y[i] != y[j];
    }
  if (own == 0 || theirs == 0) return NAN;
  if (statistic == RankStatistic::tau_b) return balance / std::sqrt(own * theirs);
  const double classes = static_cast<double>(
      std::min(std::set<double>(x.begin(), x.end()).size(), std::set<double>(y.begin(), y.end()).size()));
  return 2 * balance / (count * count * (classes - 1) / classes);
}

}  // namespace

int main() {
  std::mt19937 rng(5);
  const auto below = [&rng](int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(rng); };
  for (int round = 0; round < 150; ++round) {
    const int metrics = 2 + below(3), group_count = 1 + below(4), values = round % 3 == 0 ? 1000 : 2 + below(6);
    std::vector<std::int64_t> groups = {0};
    for (int g = 0; g < group_count; ++g) groups.push_back(groups.back() + below(12));
    const std::int64_t items = groups.back();
    const auto size = static_cast<std::size_t>(items);
    std::vector<std::int32_t> levels(size);
    for (int g = 0; g < group_count; ++g) {  // no level without an item
      const int most = 1 + below(5);
      std::set<std::int32_t> used;
      for (std::int64_t i = groups[g]; i < groups[g + 1]; ++i) used.insert(levels[i] = below(most));
      for (std::int64_t i = groups[g]; i < groups[g + 1]; ++i)
        levels[i] = static_cast<std::int32_t>(std::distance(used.begin(), used.find(levels[i])));
    }
    std::vector<double> scores;
    std::vector<std::int32_t> orders;
    for (int m = 0; m < metrics; ++m) {
      for (std::int64_t i = 0; i < items; ++i) scores.push_back(below(values));
      const double* own = scores.data() + m * items;
      std::vector<std::int32_t> order(size);
      std::iota(order.begin(), order.end(), 0);
      for (int g = 0; g < group_count; ++g)
        std::sort(order.begin() + groups[g], order.begin() + groups[g + 1], [&](std::int32_t a, std::int32_t b) {
          return own[a] != own[b] ? own[a] < own[b] : levels[a] < levels[b];
        });
      orders.insert(orders.end(), order.begin(), order.end());
    }
    std::vector<std::int32_t> pairs;
    for (int one = 0; one < metrics; ++one)
      for (int other = one; other < metrics; ++other) pairs.insert(pairs.end(), {one, other});
    const std::int64_t pair_count = static_cast<std::int64_t>(pairs.size()) / 2, blocks = 1 + below(2);
    std::vector<std::uint32_t> kept(static_cast<std::size_t>(blocks) * size);
    for (std::uint32_t& bits : kept) bits = static_cast<std::uint32_t>(rng());
    const paragauge::SwapItems data{scores.data(), orders.data(), levels.data(), groups.data(), items, group_count};
    const std::int64_t lanes = blocks * paragauge::kSwapLanes;
    for (const RankStatistic statistic : {RankStatistic::spearman, RankStatistic::tau_b, RankStatistic::tau_c}) {
      std::vector<double> found(static_cast<std::size_t>(2 * pair_count * lanes)), again(found);
      paragauge::swapped_correlations(data, pairs.data(), pair_count, kept.data(), blocks, statistic, 1, found.data());
      paragauge::swapped_correlations(data, pairs.data(), pair_count, kept.data(), blocks, statistic, 3, again.data());
      for (std::int64_t pair = 0; pair < pair_count; ++pair)
        for (std::int64_t permutation = 0; permutation < lanes; ++permutation)
          for (int side = 0; side < 2; ++side) {
            double sum = 0;
            int defined = 0;
            for (int g = 0; g < group_count; ++g) {
              std::vector<double> x, y;
              for (std::int64_t i = groups[g]; i < groups[g + 1]; ++i) {
                const std::uint32_t bits = kept[permutation / paragauge::kSwapLanes * items + i];
                const bool keeps = (bits >> (permutation % paragauge::kSwapLanes)) & 1;
                x.push_back(scores[pairs[2 * pair + (keeps == (side == 1))] * items + i]);
                y.push_back(levels[i]);
              }
              const double value = slow(x, y, statistic);
              if (std::isnan(value)) continue;
              sum += value;
              ++defined;
            }
            const std::size_t place = static_cast<std::size_t>((2 * pair + side) * lanes + permutation);
            if (defined == 0) {
              CHECK(std::isnan(found[place]) && std::isnan(again[place]));
            } else {
              CHECK(std::abs(found[place] - sum / defined) < 1e-12);
              CHECK(found[place] == again[place]);
            }
          }
    }
  }
  return 0;
}
