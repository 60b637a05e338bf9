// Rank correlations of two metrics with people after their scores were swapped at random, candidate by candidate.
#pragma once

#include <cstdint>

namespace paragauge {

enum class RankStatistic { spearman, tau_b, tau_c };

// Scores of metrics for items, which come in groups: a correlation is the mean of those of the groups.
struct SwapItems {
  const double* scores;        // metrics x items
  const std::int32_t* orders;  // metrics x items: the items of each group by rising score, then by rising level
  const std::int32_t* levels;  // of each item: which human score of its group it has, in rising order from 0
  const std::int64_t* groups;  // where the items of each group begin, and the end
  std::int64_t items, group_count;
};

inline constexpr int kSwapLanes = 32;                          // permutations that are computed at the same time
inline constexpr std::int64_t kMostSwapItems = std::int64_t{1} << 21;  // so that all counts are exact

// For each pair of metrics and each permutation: the correlation of the first metric, then, after those of all
// permutations, of the second. `kept` has one bit for each permutation: whether an item keeps its scores. Rows of it are
// 32 permutations (blocks x items); `result` is pairs x 2 x (blocks x 32). NaN where no group is defined.
void swapped_correlations(const SwapItems& data, const std::int32_t* pairs, std::int64_t pair_count,
                          const std::uint32_t* kept, std::int64_t blocks, RankStatistic statistic, int threads,
                          double* result);

}  // namespace paragauge
