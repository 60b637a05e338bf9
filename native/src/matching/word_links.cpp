#include "matching/word_links.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace paragauge {

namespace {

using Cost = std::int64_t;
constexpr Cost kFirst = Cost{1} << 32;  // what one unit of the first criterion outweighs of the second

bool cross(const WordLink& a, const WordLink& b) { return (a.i < b.i) != (a.j < b.j); }

bool follows(const WordLink& left, const WordLink& right) {
  return left.i + left.i_length == right.i && left.j + left.j_length == right.j;
}

Cost pair_cost(const WordLink& a, const WordLink& b) {
  return kFirst * cross(a, b) - (follows(a, b) || follows(b, a));
}

bool overlap(const WordLink& a, const WordLink& b) {
  return (a.i < b.i + b.i_length && b.i < a.i + a.i_length) || (a.j < b.j + b.j_length && b.j < a.j + a.j_length);
}

std::int32_t coverage(const WordLink& a) { return a.i_length + a.j_length; }

// Links of one group by their number in the search, and what they cost among themselves and with all fixed links.
struct Option {
  std::vector<std::int32_t> links;
  Cost cost = 0;
};

struct Group {
  std::vector<std::int32_t> links;
  std::vector<Option> options;
};

class Search {
 public:
  Search(std::vector<WordLink> possible, const SearchLimits& limits, std::vector<WordLink>& kept)
      : links_(std::move(possible)), limits_(limits), kept_(kept) {
    std::sort(links_.begin(), links_.end(), [](const WordLink& a, const WordLink& b) {
      return std::make_pair(a.i, a.j) < std::make_pair(b.i, b.j) ||
             (a.i == b.i && a.j == b.j && std::make_pair(a.i_length, a.j_length) < std::make_pair(b.i_length, b.j_length));
    });
  }

  bool run() {
    std::vector<Group> groups = make_groups();
    // A group without choice is settled, and then helps to tell how good the ways of the others are.
    std::vector<Group> open;
    for (Group& group : groups) {
      if (group.links.size() == 1)
        kept_.push_back(links_[static_cast<std::size_t>(group.links[0])]);
      else
        open.push_back(std::move(group));
    }
    for (Group& group : open) list_options(group);
    std::vector<Group> undecided;
    for (Group& group : open) {
      if (group.options.size() == 1)
        for (const std::int32_t link : group.options[0].links) kept_.push_back(links_[static_cast<std::size_t>(link)]);
      else
        undecided.push_back(std::move(group));
    }
    if (!undecided.empty()) decide(undecided);
    std::sort(kept_.begin(), kept_.end(), [](const WordLink& a, const WordLink& b) { return a.i < b.i; });
    return proven_;
  }

 private:
  std::vector<Group> make_groups() {
    std::int32_t width = 0, height = 0;
    for (const WordLink& link : links_) {
      width = std::max(width, link.i + link.i_length);
      height = std::max(height, link.j + link.j_length);
    }
    std::vector<std::int32_t> parent(static_cast<std::size_t>(width + height));
    std::iota(parent.begin(), parent.end(), 0);
    const auto find = [&](std::int32_t node) {
      while (parent[static_cast<std::size_t>(node)] != node) {
        auto& up = parent[static_cast<std::size_t>(node)];
        up = parent[static_cast<std::size_t>(up)];
        node = up;
      }
      return node;
    };
    for (const WordLink& link : links_) {
      const std::int32_t root = find(link.i);
      for (std::int32_t k = 1; k < link.i_length; ++k) parent[static_cast<std::size_t>(find(link.i + k))] = find(root);
      for (std::int32_t k = 0; k < link.j_length; ++k) parent[static_cast<std::size_t>(find(width + link.j + k))] = find(root);
    }
    std::vector<std::int32_t> group_of(parent.size(), -1);
    std::vector<Group> groups;
    for (std::size_t k = 0; k < links_.size(); ++k) {
      auto& group = group_of[static_cast<std::size_t>(find(links_[k].i))];
      if (group < 0) {
        group = static_cast<std::int32_t>(groups.size());
        groups.emplace_back();
      }
      groups[static_cast<std::size_t>(group)].links.push_back(static_cast<std::int32_t>(k));
    }
    return groups;
  }

  void list_options(Group& group) {
    std::vector<std::int32_t> is, js;
    bool words = true;
    for (const std::int32_t k : group.links) {
      const WordLink& link = links_[static_cast<std::size_t>(k)];
      is.push_back(link.i);
      js.push_back(link.j);
      words = words && link.i_length == 1 && link.j_length == 1;
    }
    const auto distinct = [](std::vector<std::int32_t>& list) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    };
    distinct(is);
    distinct(js);
    if (words && group.links.size() == is.size() * js.size()) {
      // Any word with any: the links were sorted, so that link (a, b) is number a * |js| + b.
      list_in_order(group, is, js);
    } else {
      list_all(group);
    }
  }

  // Exchanging the ends of two crossing links of such a group adds no crossing: only links in order need be seen, and
  // the side with fewer words has no choice.
  void list_in_order(Group& group, const std::vector<std::int32_t>& is, const std::vector<std::int32_t>& js) {
    const std::size_t columns = js.size(), few = std::min(is.size(), js.size()), many = std::max(is.size(), js.size());
    const bool rows_few = is.size() < js.size();
    const auto number = [&](std::size_t from_few, std::size_t from_many) {
      return group.links[rows_few ? from_few * columns + from_many : from_many * columns + from_few];
    };
    double count = 1;
    for (std::size_t k = 1; k <= few; ++k) count = count * static_cast<double>(many - few + k) / static_cast<double>(k);
    if (count > static_cast<double>(limits_.options)) {
      group.options = {best_in_order(few, many, number)};
      proven_ = false;
      return;
    }
    std::vector<std::size_t> chosen(few);
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    for (;;) {
      Option option;
      for (std::size_t k = 0; k < few; ++k) option.links.push_back(number(k, chosen[k]));
      group.options.push_back(std::move(option));
      std::size_t k = few;
      while (k > 0 && chosen[k - 1] == many - few + k - 1) --k;
      if (k == 0) break;
      ++chosen[k - 1];
      for (; k < few; ++k) chosen[k] = chosen[k - 1] + 1;
    }
  }

  // The cheapest links in order when only the kept links count.
  template <class Number>
  Option best_in_order(std::size_t few, std::size_t many, const Number& number) const {
    constexpr Cost kNever = std::numeric_limits<Cost>::max() / 4;
    std::vector<std::vector<Cost>> best(few + 1, std::vector<Cost>(many + 1, 0));
    for (std::size_t a = 1; a <= few; ++a) {
      best[a][a - 1] = kNever;
      for (std::size_t b = a; b <= many; ++b)
        best[a][b] = std::min(best[a][b - 1], best[a - 1][b - 1] + cost_with_kept(number(a - 1, b - 1)));
    }
    Option option;
    for (std::size_t a = few, b = many; a > 0; --b)
      if (b == a || best[a][b] != best[a][b - 1]) {
        option.links.push_back(number(a - 1, b - 1));
        --a;
      }
    std::reverse(option.links.begin(), option.links.end());
    return option;
  }

  Cost cost_with_kept(std::int32_t link) const {
    Cost cost = 0;
    for (const WordLink& other : kept_) cost += pair_cost(links_[static_cast<std::size_t>(link)], other);
    return cost;
  }

  // Every set of links without overlap that covers most words.
  void list_all(Group& group) {
    std::int32_t best = 0;
    std::vector<std::int32_t> chosen;
    std::int64_t visited = 0;
    bool complete = true;
    std::vector<std::int32_t> rest(group.links.size() + 1, 0);  // what the links from here on could still cover
    {
      std::vector<char> i_seen, j_seen;
      for (std::size_t k = group.links.size(); k-- > 0;) {
        const WordLink& link = links_[static_cast<std::size_t>(group.links[k])];
        i_seen.resize(std::max(i_seen.size(), static_cast<std::size_t>(link.i + link.i_length)), 0);
        j_seen.resize(std::max(j_seen.size(), static_cast<std::size_t>(link.j + link.j_length)), 0);
        rest[k] = rest[k + 1];
        for (std::int32_t x = 0; x < link.i_length; ++x) {
          rest[k] += !i_seen[static_cast<std::size_t>(link.i + x)];
          i_seen[static_cast<std::size_t>(link.i + x)] = 1;
        }
        for (std::int32_t x = 0; x < link.j_length; ++x) {
          rest[k] += !j_seen[static_cast<std::size_t>(link.j + x)];
          j_seen[static_cast<std::size_t>(link.j + x)] = 1;
        }
      }
    }
    const auto descend = [&](auto&& self, std::size_t k, std::int32_t covered) -> void {
      if (++visited > 20 * limits_.options || static_cast<std::int64_t>(group.options.size()) >= limits_.options) complete = false;
      if (covered > best || (covered == best && k == group.links.size() && covered > 0)) {
        if (covered > best) group.options.clear();
        best = covered;
        if (k == group.links.size()) group.options.push_back({chosen, 0});
      }
      if (k == group.links.size() || covered + rest[k] < best || (!complete && !group.options.empty())) return;
      const std::int32_t number = group.links[k];
      const WordLink& link = links_[static_cast<std::size_t>(number)];
      if (std::none_of(chosen.begin(), chosen.end(),
                       [&](std::int32_t other) { return overlap(link, links_[static_cast<std::size_t>(other)]); })) {
        chosen.push_back(number);
        self(self, k + 1, covered + coverage(link));
        chosen.pop_back();
      }
      self(self, k + 1, covered);
    };
    descend(descend, 0, 0);
    proven_ = proven_ && complete;
  }

  void decide(std::vector<Group>& groups) {
    // The largest group last: there the bound is the cost itself, and nothing branches.
    std::stable_sort(groups.begin(), groups.end(),
                     [](const Group& a, const Group& b) { return a.options.size() < b.options.size(); });
    // Number the links that are still in play, and what each pair of them costs.
    std::map<std::int32_t, std::int32_t> numbers;
    std::vector<std::int32_t> originals, group_of;
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (Option& option : groups[g].options)
        for (std::int32_t& link : option.links) {
          const auto [place, fresh] = numbers.emplace(link, static_cast<std::int32_t>(originals.size()));
          if (fresh) {
            originals.push_back(link);
            group_of.push_back(static_cast<std::int32_t>(g));
          }
          link = place->second;
        }
    const std::size_t count = originals.size();
    const auto link = [&](std::size_t k) -> const WordLink& { return links_[static_cast<std::size_t>(originals[k])]; };
    std::vector<Cost> alone(count);
    for (std::size_t k = 0; k < count; ++k) alone[k] = cost_with_kept(originals[k]);
    for (Group& group : groups)
      for (Option& option : group.options)
        for (std::size_t a = 0; a < option.links.size(); ++a)
          for (std::size_t b = 0; b < a; ++b)
            option.cost += pair_cost(link(static_cast<std::size_t>(option.links[a])), link(static_cast<std::size_t>(option.links[b])));
    // The neighbour that each link may yet get on its left, from another group: every joint is counted once, at its right.
    std::vector<std::int32_t> left(count, -1);
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < count; ++b)
        if (group_of[a] != group_of[b] && follows(link(b), link(a))) left[a] = std::max(left[a], group_of[b]);

    Cost best = std::numeric_limits<Cost>::max();
    std::vector<std::size_t> path(groups.size()), best_path;
    std::int64_t steps = 0, size = 0;  // a step is a look at one option
    for (const Group& group : groups) size += static_cast<std::int64_t>(group.options.size());

    // The cost of an option: its own, with all that is decided (in `with`), and the best that undecided groups may add.
    const auto option_cost = [&](const Option& option, const std::vector<Cost>& with, std::size_t depth) {
      Cost cost = option.cost;
      for (const std::int32_t k : option.links) {
        cost += with[static_cast<std::size_t>(k)];
        if (left[static_cast<std::size_t>(k)] >= static_cast<std::int32_t>(depth)) --cost;
      }
      return cost;
    };
    const auto descend = [&](auto&& self, std::size_t depth, Cost cost, const std::vector<Cost>& with) -> void {
      if (depth == groups.size()) {
        if (cost < best) {
          best = cost;
          best_path = path;
        }
        return;
      }
      Cost later = 0;
      for (std::size_t g = depth + 1; g < groups.size(); ++g) {
        Cost least = std::numeric_limits<Cost>::max();
        for (const Option& option : groups[g].options) least = std::min(least, option_cost(option, with, depth));
        later += least;
      }
      std::vector<std::pair<Cost, std::size_t>> ways;
      for (std::size_t o = 0; o < groups[depth].options.size(); ++o)
        ways.emplace_back(option_cost(groups[depth].options[o], with, depth + 1), o);
      std::sort(ways.begin(), ways.end());
      for (const auto& [own, o] : ways) {
        if (best_path.size() == groups.size() && cost + own + later >= best) break;
        steps += size;
        if (steps > 100 * limits_.steps && !best_path.empty()) {
          proven_ = false;
          return;
        }
        path[depth] = o;
        const Option& option = groups[depth].options[o];
        std::vector<Cost> next = with;
        Cost exact = cost + option.cost;
        for (const std::int32_t k : option.links) exact += with[static_cast<std::size_t>(k)];
        for (std::size_t other = 0; other < count; ++other)
          if (group_of[other] > static_cast<std::int32_t>(depth))
            for (const std::int32_t k : option.links) next[other] += pair_cost(link(static_cast<std::size_t>(k)), link(other));
        self(self, depth + 1, exact, next);
      }
    };
    descend(descend, 0, 0, alone);
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const std::int32_t k : groups[g].options[best_path[g]].links) kept_.push_back(link(static_cast<std::size_t>(k)));
  }

  std::vector<WordLink> links_;
  SearchLimits limits_;
  std::vector<WordLink>& kept_;
  bool proven_ = true;
};

}  // namespace

bool choose_links(std::vector<WordLink> possible, const SearchLimits& limits, std::vector<WordLink>& kept) {
  return Search(std::move(possible), limits, kept).run();
}

std::int64_t count_chunks(const std::vector<WordLink>& links) {
  std::int64_t chunks = links.empty() ? 0 : 1;
  for (std::size_t k = 1; k < links.size(); ++k) chunks += !follows(links[k - 1], links[k]);
  return chunks;
}

std::int64_t count_crossings(const std::vector<WordLink>& links) {
  std::int64_t crossings = 0;
  for (std::size_t a = 0; a < links.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) crossings += cross(links[a], links[b]);
  return crossings;
}

}  // namespace paragauge
