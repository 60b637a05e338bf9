// Links in the fewest chunks: a best-first search whose bound comes from a relaxed problem.
//
// From left to right, every word of the candidate is linked or left out. Relaxed, a word of the reference may be used
// again and again, and words may be left out at will: then the cheapest way through the sentence is a matter of dynamic
// programming. Prices make it respect what was relaxed (Lagrange): using word j of the reference costs price[j], leaving
// out a word of group g costs skip[g]. Since a valid choice leaves out a known number of words of each group, and uses
// each word at most once (or exactly once, where the group has no word to spare), what prices add to a valid choice is
// known too, and the relaxed cost stays a lower bound. The search then needs only to go where the bound is not reached.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <unordered_set>
#include <utility>

#include "matching/word_links.hpp"

namespace paragauge {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kWay = 1e-8;   // one word of distance: less than a chunk even summed over the longest sentences
constexpr double kEqual = 1e-10;
constexpr int kRounds = 150;    // of setting prices
constexpr int kPatience = 30;   // rounds without a better bound

struct Group {
  std::int32_t is = 0, js = 0, links = 0;  // words and links
  std::int32_t spare = 0;                  // words of the candidate that have to stay without a link
  bool all_js = false;                     // every word of the reference gets a link
  std::size_t last = 0;                    // the last column
};

// A word of the candidate that can be linked.
struct Column {
  std::int32_t i, group;
  std::size_t begin, end;  // its links
  bool joined;             // to the column before
};

class ChunkSearch {
 public:
  explicit ChunkSearch(std::vector<WordLink> possible) : links_(std::move(possible)) {
    std::sort(links_.begin(), links_.end(),
              [](const WordLink& a, const WordLink& b) { return std::make_pair(a.i, a.j) < std::make_pair(b.i, b.j); });
    for (std::size_t k = 0; k < links_.size(); ++k) {
      if (k == 0 || links_[k].i != links_[k - 1].i)
        columns_.push_back({links_[k].i, 0, k, k, !columns_.empty() && columns_.back().i + 1 == links_[k].i});
      columns_.back().end = k + 1;
      height_ = std::max(height_, static_cast<std::size_t>(links_[k].j) + 1);
    }
    way_.reserve(links_.size());
    for (const WordLink& link : links_) way_.push_back(kWay * std::abs(link.i - link.j));
    make_groups();
    follower_.assign(links_.size(), -1);
    for (std::size_t c = 0; c + 1 < columns_.size(); ++c)
      if (columns_[c + 1].joined)
        for (std::size_t k = columns_[c].begin; k < columns_[c].end; ++k) follower_[k] = find_link(c + 1, links_[k].j + 1);
  }

  bool run(std::int64_t steps, std::vector<WordLink>& kept) {
    set_prices();
    if (!found_ && !search(steps)) return false;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (path_[c] >= 0) kept.push_back(links_[static_cast<std::size_t>(path_[c])]);
    return true;
  }

 private:
  void make_groups() {
    std::vector<std::size_t> parent(columns_.size() + height_);
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    const auto find = [&](std::size_t node) {
      while (parent[node] != node) node = parent[node] = parent[parent[node]];
      return node;
    };
    for (std::size_t c = 0; c < columns_.size(); ++c)
      for (std::size_t k = columns_[c].begin; k < columns_[c].end; ++k)
        parent[find(columns_.size() + static_cast<std::size_t>(links_[k].j))] = find(c);
    std::vector<std::int32_t> number(parent.size(), -1);
    group_of_j_.assign(height_, -1);
    for (std::size_t node = 0; node < parent.size(); ++node) {
      const bool column = node < columns_.size();
      if (!column && find(node) == node) continue;  // a word of the reference without a link
      auto& group = number[find(node)];
      if (group < 0) {
        group = static_cast<std::int32_t>(groups_.size());
        groups_.emplace_back();
      }
      Group& its = groups_[static_cast<std::size_t>(group)];
      if (column) {
        columns_[node].group = group;
        ++its.is;
        its.links += static_cast<std::int32_t>(columns_[node].end - columns_[node].begin);
        its.last = node;
      } else {
        group_of_j_[node - columns_.size()] = group;
        ++its.js;
      }
    }
    std::vector<std::int32_t> most(groups_.size(), 0);
    std::vector<std::int32_t> partner(height_, -1);
    std::vector<char> seen(height_);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      std::fill(seen.begin(), seen.end(), 0);
      most[static_cast<std::size_t>(columns_[c].group)] += augment(c, seen, partner);
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      groups_[g].spare = groups_[g].is - most[g];
      groups_[g].all_js = groups_[g].js == most[g];
    }
  }

  bool augment(std::size_t c, std::vector<char>& seen, std::vector<std::int32_t>& partner) {
    for (std::size_t k = columns_[c].begin; k < columns_[c].end; ++k) {
      const auto j = static_cast<std::size_t>(links_[k].j);
      if (seen[j]) continue;
      seen[j] = 1;
      if (partner[j] < 0 || augment(static_cast<std::size_t>(partner[j]), seen, partner)) {
        partner[j] = static_cast<std::int32_t>(c);
        return true;
      }
    }
    return false;
  }

  bool continues(std::size_t c, std::size_t link, std::int32_t previous_j) const {
    return columns_[c].joined && previous_j >= 0 && links_[link].j == previous_j + 1;
  }

  double way(std::size_t link) const { return way_[link]; }

  // rest_[k]: the least relaxed cost of all columns after that of link k, when link k is taken; skip_rest_[c]: when
  // column c is left out. all_: of everything.
  void relax() {
    rest_.resize(links_.size());
    skip_rest_.resize(columns_.size());
    next_.resize(links_.size());
    skip_next_.resize(columns_.size());
    double after = 0;           // the least cost of the columns from here on, nothing to continue
    std::int64_t after_choice = -1;
    for (std::size_t c = columns_.size(); c-- > 0;) {
      const Column& column = columns_[c];
      skip_rest_[c] = after;
      skip_next_[c] = after_choice;
      for (std::size_t k = column.begin; k < column.end; ++k) {
        rest_[k] = after;
        next_[k] = after_choice;
        if (follower_[k] >= 0) {
          const auto n = static_cast<std::size_t>(follower_[k]);
          const double cost = way(n) + price_[static_cast<std::size_t>(links_[n].j)] + rest_[n];
          if (cost < rest_[k] - kEqual) {
            rest_[k] = cost;
            next_[k] = follower_[k];
          }
        }
      }
      double best = kNever;
      std::int64_t choice = -1;
      for (std::size_t k = column.begin; k < column.end; ++k) {
        const double cost = 1 + way(k) + price_[static_cast<std::size_t>(links_[k].j)] + rest_[k];
        if (cost < best) best = cost, choice = static_cast<std::int64_t>(k);
      }
      if (groups_[static_cast<std::size_t>(column.group)].spare > 0) {
        const double cost = skip_[static_cast<std::size_t>(column.group)] + skip_rest_[c];
        if (cost < best) best = cost, choice = -2;
      }
      after = best;
      after_choice = choice;
    }
    all_ = after;
    first_ = after_choice;
  }

  std::int64_t find_link(std::size_t c, std::int32_t j) const {
    const auto begin = links_.begin() + static_cast<std::ptrdiff_t>(columns_[c].begin);
    const auto end = links_.begin() + static_cast<std::ptrdiff_t>(columns_[c].end);
    const auto place = std::lower_bound(begin, end, j, [](const WordLink& link, std::int32_t wanted) { return link.j < wanted; });
    return place != end && place->j == j ? place - links_.begin() : -1;
  }

  // What prices add to the cost of every valid choice, at most.
  double added() const {
    double sum = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) sum += skip_[g] * groups_[g].spare;
    for (std::size_t j = 0; j < height_; ++j) sum += price_[j];
    return sum;
  }

  void set_prices() {
    price_.assign(height_, 0);
    skip_.assign(groups_.size(), 0);
    std::vector<double> best_price = price_, best_skip = skip_;
    std::vector<std::int32_t> uses(height_), skips(groups_.size());
    double best = -kNever;
    int best_round = 0;
    for (int round = 0; round < kRounds && round - best_round <= kPatience; ++round) {
      relax();
      std::fill(uses.begin(), uses.end(), 0);
      std::fill(skips.begin(), skips.end(), 0);
      path_.assign(columns_.size(), -1);
      std::int64_t choice = first_;
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (choice == -2) {
          ++skips[static_cast<std::size_t>(columns_[c].group)];
          choice = skip_next_[c];
        } else {
          path_[c] = choice;
          ++uses[static_cast<std::size_t>(links_[static_cast<std::size_t>(choice)].j)];
          choice = next_[static_cast<std::size_t>(choice)];
        }
      }
      const double bound = all_ - added();
      if (bound > best + kEqual) {
        best = bound;
        best_round = round;
        best_price = price_;
        best_skip = skip_;
      }
      bool valid = true, exact = true;
      for (std::size_t g = 0; g < groups_.size(); ++g) valid = valid && skips[g] == groups_[g].spare;
      for (std::size_t j = 0; j < height_; ++j) {
        valid = valid && uses[j] <= 1;
        exact = exact && (uses[j] == 1 || price_[j] == 0 || group_of_j_[j] < 0);
      }
      if (valid && exact) {  // the relaxed best is a valid choice, and prices add nothing to it but what they must
        found_ = true;
        return;
      }
      const double step = 0.5 / (1 + round * 0.1);
      for (std::size_t g = 0; g < groups_.size(); ++g) skip_[g] += step * (skips[g] - groups_[g].spare);
      for (std::size_t j = 0; j < height_; ++j) {
        if (group_of_j_[j] < 0) continue;
        price_[j] += step * (uses[j] - 1);
        if (!groups_[static_cast<std::size_t>(group_of_j_[j])].all_js) price_[j] = std::max(price_[j], 0.0);
      }
    }
    price_ = best_price;
    skip_ = best_skip;
    relax();
  }

  using Bits = std::vector<std::uint64_t>;

  // Words of the reference that are used, in groups that still go on, are bits of their own (`used` in search).
  struct State {
    double bound, cost;       // with prices
    std::size_t column;       // the next one
    std::int64_t link;        // that of the column before, -1 for none
    std::int64_t parent;
  };

  static bool test(const std::uint64_t* bits, std::size_t k) { return bits[k >> 6] >> (k & 63) & 1; }

  // The word of the reference that the next link may continue, -1 for none.
  std::int32_t previous(const State& state) const {
    return state.link >= 0 && columns_[state.column].joined ? links_[static_cast<std::size_t>(state.link)].j : -1;
  }

  bool search(std::int64_t steps) {
    const std::size_t words = (height_ + 63) / 64;
    std::vector<Bits> masks(columns_.size() + 1, Bits(words, 0));
    for (std::size_t c = 0; c <= columns_.size(); ++c)
      for (std::size_t j = 0; j < height_; ++j)
        if (group_of_j_[j] >= 0 && groups_[static_cast<std::size_t>(group_of_j_[j])].last >= c) masks[c][j >> 6] |= std::uint64_t{1} << (j & 63);
    std::vector<Bits> members(groups_.size(), Bits(words, 0));
    for (std::size_t j = 0; j < height_; ++j)
      if (group_of_j_[j] >= 0) members[static_cast<std::size_t>(group_of_j_[j])][j >> 6] |= std::uint64_t{1} << (j & 63);
    std::vector<std::int32_t> place(columns_.size());  // columns of the same group before
    {
      std::vector<std::int32_t> seen(groups_.size(), 0);
      for (std::size_t c = 0; c < columns_.size(); ++c) place[c] = seen[static_cast<std::size_t>(columns_[c].group)]++;
    }

    std::vector<State> states;
    Bits used;  // of all states, one after the other
    const auto bits_of = [&](std::int64_t state) { return used.data() + static_cast<std::size_t>(state) * words; };
    using Entry = std::pair<double, std::int64_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> open;
    const auto hash = [&](std::int64_t number) {
      const State& state = states[static_cast<std::size_t>(number)];
      std::uint64_t value = state.column * 0x9e3779b97f4a7c15ull + static_cast<std::uint64_t>(previous(state) + 1);
      for (const std::uint64_t* bits = bits_of(number); bits != bits_of(number + 1); ++bits)
        value = (value ^ *bits ^ value >> 29) * 0xd6e8feb86659fd93ull;
      return static_cast<std::size_t>(value ^ value >> 32);
    };
    const auto same = [&](std::int64_t a, std::int64_t b) {
      const State &one = states[static_cast<std::size_t>(a)], &other = states[static_cast<std::size_t>(b)];
      return one.column == other.column && previous(one) == previous(other) && std::equal(bits_of(a), bits_of(a + 1), bits_of(b));
    };
    std::unordered_set<std::int64_t, decltype(hash), decltype(same)> done(64, hash, same);
    // The bits of the state that a state comes from, and one more.
    const auto push = [&](double cost, double rest, std::size_t column, std::int64_t link, std::int64_t parent, std::int64_t taken) {
      states.push_back({cost + rest, cost, column, link, parent});
      const auto number = static_cast<std::int64_t>(states.size()) - 1;
      used.resize(used.size() + words, 0);
      if (parent >= 0) std::copy_n(bits_of(parent), words, bits_of(number));
      if (taken >= 0) bits_of(number)[taken >> 6] |= std::uint64_t{1} << (taken & 63);
      for (std::size_t w = 0; w < words; ++w) bits_of(number)[w] &= masks[column][w];
      open.emplace(cost + rest, number);
    };
    push(0, all_, 0, -1, -1, -1);
    while (!open.empty()) {
      const std::int64_t current = open.top().second;
      open.pop();
      const State state = states[static_cast<std::size_t>(current)];
      if (state.column == columns_.size()) {
        path_.assign(columns_.size(), -1);
        for (std::int64_t s = current; s > 0; s = states[static_cast<std::size_t>(s)].parent)
          path_[states[static_cast<std::size_t>(s)].column - 1] = states[static_cast<std::size_t>(s)].link;
        return true;
      }
      if (!done.insert(current).second) continue;
      if (--steps < 0) return false;
      const std::size_t c = state.column;
      const Column& column = columns_[c];
      const auto g = static_cast<std::size_t>(column.group);
      const std::int32_t before = previous(state);
      for (std::size_t k = column.begin; k < column.end; ++k) {
        const auto j = static_cast<std::size_t>(links_[k].j);
        if (test(bits_of(current), j)) continue;
        const double cost = state.cost + (continues(c, k, before) ? 0 : 1) + way(k) + price_[j];
        push(cost, rest_[k], c + 1, static_cast<std::int64_t>(k), current, static_cast<std::int64_t>(j));
      }
      if (groups_[g].spare > 0) {
        std::int32_t linked = 0;
        for (std::size_t w = 0; w < words; ++w)
          for (std::uint64_t bits = bits_of(current)[w] & members[g][w]; bits; bits &= bits - 1) ++linked;
        if (place[c] - linked < groups_[g].spare) push(state.cost + skip_[g], skip_rest_[c], c + 1, -1, current, -1);
      }
    }
    return false;
  }

  std::vector<WordLink> links_;
  std::vector<Column> columns_;
  std::vector<Group> groups_;
  std::vector<std::int32_t> group_of_j_;
  std::size_t height_ = 0;
  std::vector<double> way_, price_, skip_, rest_, skip_rest_;
  std::vector<std::int64_t> follower_;  // the link that continues a link, -1 for none
  std::vector<std::int64_t> next_, skip_next_, path_;
  double all_ = 0;
  std::int64_t first_ = -1;
  bool found_ = false;
};

}  // namespace

bool choose_fewest_chunks(std::vector<WordLink> possible, const SearchLimits& limits, std::vector<WordLink>& kept) {
  if (possible.empty()) return true;
  if (ChunkSearch(possible).run(limits.steps, kept)) return true;
  choose_links(std::move(possible), limits, kept);
  return false;
}

}  // namespace paragauge
