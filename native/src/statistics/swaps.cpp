#include "statistics/swaps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/parallel.hpp"
#include "base/portable.hpp"

namespace paragauge {

namespace {

constexpr int kLanes = kSwapLanes;
constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// A score of one of two metrics. All scores of both metrics in a group are sorted once; a permutation gives each of
// them to one side, and walking them in order meets the scores of each side in order.
struct Entry {
  std::int32_t item, level;
  std::uint32_t flip;       // all bits set for scores of the second metric
  std::int32_t below;       // Kendall: entries of both metrics with a lower score and a lower level
  std::int64_t tie_end;     // the end of the entries with the same score
  std::int64_t run_end;     // the end of those with the same level, too
};

// What people said of a group, which no swap changes.
struct HumanSide {
  std::vector<double> ranks;  // of each level: twice the mean rank, less its mean
  double tied_pairs = 0, tied_cubes = 0;
  std::int32_t levels = 0;
};

struct Lanes {
  double value[kLanes];
};

struct IntLanes {
  std::int32_t value[kLanes];
};

struct Sides {
  Lanes one, other;
};

double pairs_of(double count) { return count * (count - 1) / 2; }
double cubes_of(double count) { return count * count * count - count; }

HumanSide human_side(const std::int32_t* levels, std::int64_t count) {
  HumanSide side;
  std::vector<std::int64_t> sizes;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto level = static_cast<std::size_t>(levels[i]);
    if (level >= sizes.size()) sizes.resize(level + 1);
    ++sizes[level];
  }
  side.levels = static_cast<std::int32_t>(sizes.size());
  double before = 0;
  for (const std::int64_t size : sizes) {
    const auto own = static_cast<double>(size);
    side.ranks.push_back(2 * before + own - static_cast<double>(count));
    side.tied_pairs += pairs_of(own);
    side.tied_cubes += cubes_of(own);
    before += own;
  }
  return side;
}

// Entries of both metrics in a group, merged.
void merge(const SwapItems& data, std::int32_t one, std::int32_t other, std::int64_t begin, std::int64_t end,
           std::vector<Entry>& entries) {
  const double* scores[2] = {data.scores + one * data.items, data.scores + other * data.items};
  const std::int32_t* orders[2] = {data.orders + one * data.items, data.orders + other * data.items};
  std::int64_t at[2] = {begin, begin};
  entries.clear();
  const auto score = [&](const Entry& entry) { return scores[entry.flip != 0][entry.item]; };
  while (at[0] < end || at[1] < end) {
    int from = at[0] < end ? 0 : 1;
    if (at[0] < end && at[1] < end) {
      const std::int32_t items[2] = {orders[0][at[0]], orders[1][at[1]]};
      const double values[2] = {scores[0][items[0]], scores[1][items[1]]};
      from = values[1] < values[0] || (values[1] == values[0] && data.levels[items[1]] < data.levels[items[0]]);
    }
    const std::int32_t item = orders[from][at[from]++];
    entries.push_back({item, data.levels[item], from ? ~std::uint32_t{0} : 0, 0, 0, 0});
  }
  const auto count = static_cast<std::int64_t>(entries.size());
  for (std::int64_t k = count - 1; k >= 0; --k) {
    Entry& entry = entries[static_cast<std::size_t>(k)];
    entry.tie_end = entry.run_end = k + 1;
    if (k + 1 == count) continue;
    const Entry& next = entries[static_cast<std::size_t>(k + 1)];
    if (score(entry) != score(next)) continue;
    entry.tie_end = next.tie_end;
    if (entry.level == next.level) entry.run_end = next.run_end;
  }
}

// Numbers below a level are found and added to along the bits of the level (Fenwick's tree).
void count_below(std::vector<Entry>& entries, std::int32_t levels) {
  std::vector<std::int32_t> tree(static_cast<std::size_t>(levels) + 1);
  const auto count = static_cast<std::int64_t>(entries.size());
  for (std::int64_t tie = 0; tie < count; tie = entries[static_cast<std::size_t>(tie)].tie_end) {
    const std::int64_t tie_end = entries[static_cast<std::size_t>(tie)].tie_end;
    for (std::int64_t k = tie; k < tie_end; ++k) {
      Entry& entry = entries[static_cast<std::size_t>(k)];
      for (std::int32_t node = entry.level; node > 0; node &= node - 1)
        entry.below += tree[static_cast<std::size_t>(node)];
    }
    for (std::int64_t k = tie; k < tie_end; ++k)
      for (std::int32_t node = entries[static_cast<std::size_t>(k)].level + 1; node <= levels; node += node & -node)
        ++tree[static_cast<std::size_t>(node)];
  }
}

// A table of shifts, which not all machines can compute side by side.
struct Bits {
  std::uint32_t of[kLanes];

  constexpr Bits() : of() {
    for (int k = 0; k < kLanes; ++k) of[k] = std::uint32_t{1} << k;
  }
};

constexpr Bits kBits;

// Says, for each permutation, whether the entry is on the first side, as 0 or 1: what follows multiplies by it, since
// swaps at random cannot be predicted by branches.
inline void select(const Entry& entry, const std::uint32_t* kept, std::int32_t* on) {
  const std::uint32_t bits = kept[entry.item] ^ entry.flip;
  for (int k = 0; k < kLanes; ++k) on[k] = (bits & kBits.of[k]) != 0;
}

// Adds the pairs of equal entries of each side, given how many of `count` are on the first.
inline void count_ties(const std::int32_t* first, std::int64_t count, Sides& pairs) {
  for (int k = 0; k < kLanes; ++k) {
    const double one = first[k], other = static_cast<double>(count) - one;
    pairs.one.value[k] += one * (one - 1) / 2;
    pairs.other.value[k] += other * (other - 1) / 2;
  }
}

PARAGAUGE_WIDE_VECTORS
void spearman(const std::vector<Entry>& entries, const HumanSide& human, const std::uint32_t* kept, Sides& sides) {
  // Sides and lanes: sums of products of (twice the) ranks, and of the cubes of the sizes of ties.
  Sides products{}, cubes{};
  alignas(64) std::int32_t before[kLanes] = {}, on[kLanes];
  const auto count = static_cast<std::int64_t>(entries.size());
  for (std::int64_t tie = 0; tie < count;) {
    const Entry& first = entries[static_cast<std::size_t>(tie)];
    const double rank = human.ranks[static_cast<std::size_t>(first.level)];
    const auto place = static_cast<std::int32_t>(tie);
    if (first.tie_end == tie + 1) {
      select(first, kept, on);
      for (int k = 0; k < kLanes; ++k) {
        // Twice the rank of each side, up to a constant: human ranks add up to 0.
        const double one = rank * (2 * before[k] + 1), other = rank * (2 * (place - before[k]) + 1);
        products.one.value[k] += on[k] * one;
        products.other.value[k] += (1 - on[k]) * other;
        before[k] += on[k];
      }
      ++tie;
      continue;
    }
    alignas(64) std::int32_t size[kLanes] = {};
    alignas(64) double ranks[kLanes] = {};
    double all = 0;
    const std::int64_t tie_end = first.tie_end;
    for (std::int64_t e = tie; e < tie_end; ++e) {
      const Entry& entry = entries[static_cast<std::size_t>(e)];
      const double own = human.ranks[static_cast<std::size_t>(entry.level)];
      all += own;
      select(entry, kept, on);
      for (int k = 0; k < kLanes; ++k) {
        size[k] += on[k];
        ranks[k] += on[k] * own;
      }
    }
    const auto both = static_cast<std::int32_t>(tie_end - tie);
    for (int k = 0; k < kLanes; ++k) {
      const double one = size[k], other = both - size[k];
      products.one.value[k] += ranks[k] * (2 * before[k] + one);
      products.other.value[k] += (all - ranks[k]) * (2 * (place - before[k]) + other);
      cubes.one.value[k] += one * one * one - one;
      cubes.other.value[k] += other * other * other - other;
      before[k] += size[k];
    }
    tie = tie_end;
  }
  const auto items = static_cast<double>(count / 2);
  const double most = cubes_of(items), theirs = most - human.tied_cubes;
  for (int side = 0; side < 2; ++side) {
    const Lanes& product = side == 0 ? products.one : products.other;
    const Lanes& cube = side == 0 ? cubes.one : cubes.other;
    Lanes& found = side == 0 ? sides.one : sides.other;
    for (int k = 0; k < kLanes; ++k) {
      const double own = most - cube.value[k];
      found.value[k] = own > 0 && theirs > 0 ? 3 * product.value[k] / (std::sqrt(own) * std::sqrt(theirs)) : kUndefined;
    }
  }
}

// Concordant pairs of each side: for each entry, those of its side with a lower score and a lower level.
PARAGAUGE_WIDE_VECTORS
void kendall(const std::vector<Entry>& entries, const HumanSide& human, const std::uint32_t* kept,
             RankStatistic statistic, std::vector<IntLanes>& tree, Sides& sides) {
  Sides concordant{}, ties{}, double_ties{}, classes{};
  IntLanes one{}, other{};  // of `concordant`, before they could overflow
  tree.assign(static_cast<std::size_t>(human.levels) + 1, IntLanes{});
  const auto count = static_cast<std::int64_t>(entries.size());
  const std::int64_t patience = std::numeric_limits<std::int32_t>::max() / std::max<std::int64_t>(1, count);
  std::int64_t left = patience;
  alignas(64) std::int32_t on[kLanes];
  for (std::int64_t tie = 0; tie < count;) {
    const std::int64_t tie_end = entries[static_cast<std::size_t>(tie)].tie_end;
    for (std::int64_t e = tie; e < tie_end; ++e) {
      const Entry& entry = entries[static_cast<std::size_t>(e)];
      alignas(64) std::int32_t below[kLanes] = {};
      for (std::int32_t node = entry.level; node > 0; node &= node - 1)
        for (int k = 0; k < kLanes; ++k) below[k] += tree[static_cast<std::size_t>(node)].value[k];
      select(entry, kept, on);
      for (int k = 0; k < kLanes; ++k) {
        one.value[k] += -on[k] & below[k];
        other.value[k] += (on[k] - 1) & (entry.below - below[k]);
      }
      if (--left > 0) continue;
      left = patience;
      for (int k = 0; k < kLanes; ++k) {
        concordant.one.value[k] += one.value[k];
        concordant.other.value[k] += other.value[k];
        one.value[k] = other.value[k] = 0;
      }
    }
    alignas(64) std::int32_t tied[kLanes] = {};
    for (std::int64_t run = tie; run < tie_end;) {
      const std::int64_t run_end = entries[static_cast<std::size_t>(run)].run_end;
      alignas(64) std::int32_t same[kLanes] = {};
      for (std::int64_t e = run; e < run_end; ++e) {
        const Entry& entry = entries[static_cast<std::size_t>(e)];
        select(entry, kept, on);
        for (std::int32_t node = entry.level + 1; node <= human.levels; node += node & -node)
          for (int k = 0; k < kLanes; ++k) tree[static_cast<std::size_t>(node)].value[k] += on[k];
        for (int k = 0; k < kLanes; ++k) same[k] += on[k];
      }
      if (run_end > run + 1) count_ties(same, run_end - run, double_ties);
      for (int k = 0; k < kLanes; ++k) tied[k] += same[k];
      run = run_end;
    }
    if (tie_end > tie + 1) count_ties(tied, tie_end - tie, ties);
    if (statistic == RankStatistic::tau_c)
      for (int k = 0; k < kLanes; ++k) {
        classes.one.value[k] += tied[k] > 0;
        classes.other.value[k] += tied[k] < tie_end - tie;
      }
    tie = tie_end;
  }
  const auto items = static_cast<double>(count / 2);
  const double all = pairs_of(items), theirs = all - human.tied_pairs;
  for (int side = 0; side < 2; ++side) {
    Lanes& found = side == 0 ? sides.one : sides.other;
    for (int k = 0; k < kLanes; ++k) {
      const auto of = [&](const Sides& each) { return (side == 0 ? each.one : each.other).value[k]; };
      const double agreeing = of(concordant) + (side == 0 ? one : other).value[k];
      const double own = all - of(ties);
      // Concordant minus discordant pairs: all pairs without a tie are one or the other.
      const double balance = 2 * agreeing - (own - human.tied_pairs + of(double_ties));
      const double fewest = std::min(of(classes), static_cast<double>(human.levels));
      const double scale = statistic == RankStatistic::tau_b ? std::sqrt(own) * std::sqrt(theirs)
                                                             : items * items * (fewest - 1) / fewest / 2;
      found.value[k] = own > 0 && theirs > 0 ? balance / scale : kUndefined;
    }
  }
}

}  // namespace

void swapped_correlations(const SwapItems& data, const std::int32_t* pairs, std::int64_t pair_count,
                          const std::uint32_t* kept, std::int64_t blocks, RankStatistic statistic, int threads,
                          double* result) {
  std::vector<HumanSide> people;
  for (std::int64_t group = 0; group < data.group_count; ++group)
    people.push_back(human_side(data.levels + data.groups[group], data.groups[group + 1] - data.groups[group]));
  const std::int64_t permutations = blocks * kLanes;
  parallel_blocks(pair_count, 1, threads, [&](std::int64_t pair, std::int64_t, int) {
    std::vector<Entry> entries;
    std::vector<IntLanes> tree;
    double* values[2] = {result + 2 * pair * permutations, result + (2 * pair + 1) * permutations};
    std::vector<std::int32_t> defined(static_cast<std::size_t>(2 * permutations));
    std::fill(values[0], values[0] + 2 * permutations, 0.0);
    for (std::int64_t group = 0; group < data.group_count; ++group) {
      const HumanSide& human = people[static_cast<std::size_t>(group)];
      merge(data, pairs[2 * pair], pairs[2 * pair + 1], data.groups[group], data.groups[group + 1], entries);
      if (statistic != RankStatistic::spearman) count_below(entries, human.levels);
      for (std::int64_t block = 0; block < blocks; ++block) {
        Sides found;
        const std::uint32_t* bits = kept + block * data.items;
        if (statistic == RankStatistic::spearman)
          spearman(entries, human, bits, found);
        else
          kendall(entries, human, bits, statistic, tree, found);
        for (int side = 0; side < 2; ++side)
          for (int k = 0; k < kLanes; ++k) {
            const double value = (side == 0 ? found.one : found.other).value[k];
            if (std::isnan(value)) continue;
            const std::int64_t place = block * kLanes + k;
            values[side][place] += std::max(-1.0, std::min(1.0, value));
            ++defined[static_cast<std::size_t>(side * permutations + place)];
          }
      }
    }
    for (std::int64_t place = 0; place < 2 * permutations; ++place) {
      const std::int32_t count = defined[static_cast<std::size_t>(place)];
      values[0][place] = count > 0 ? values[0][place] / count : kUndefined;
    }
  });
}

}  // namespace paragauge
