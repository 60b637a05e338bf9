// Links between words and best assignments against trying everything.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

#include "check.hpp"
#include "matching/assignment.hpp"
#include "matching/similarity.hpp"
#include "matching/staged_links.hpp"
#include "matching/word_links.hpp"

using namespace paragauge;

namespace {

using Words = std::vector<std::int32_t>;
using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

std::vector<WordLink> equal_words(const Words& a, const Words& b) {
  std::vector<WordLink> links;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(a.size()); ++i)
    for (std::int32_t j = 0; j < static_cast<std::int32_t>(b.size()); ++j)
      if (a[static_cast<std::size_t>(i)] == b[static_cast<std::size_t>(j)]) links.push_back({i, j, 1, 1, 0});
  return links;
}

std::int64_t way(const std::vector<WordLink>& links) {
  return std::accumulate(links.begin(), links.end(), std::int64_t{0},
                         [](std::int64_t sum, const WordLink& link) { return sum + std::abs(link.i - link.j); });
}

Key by_crossings(const std::vector<WordLink>& links) {
  return {-static_cast<std::int64_t>(links.size()), count_crossings(links), count_chunks(links)};
}

Key by_chunks(const std::vector<WordLink>& links) {
  return {-static_cast<std::int64_t>(links.size()), count_chunks(links), way(links)};
}

// The best key over all sets of links that share no word.
template <class Of>
Key best(const std::vector<WordLink>& possible, const Of& key) {
  Key found = key({});
  std::vector<WordLink> chosen;
  const auto descend = [&](auto&& self, std::size_t k) -> void {
    if (k == possible.size()) {
      found = std::min(found, key(chosen));
      return;
    }
    self(self, k + 1);
    const bool free = std::none_of(chosen.begin(), chosen.end(), [&](const WordLink& other) {
      return other.i == possible[k].i || other.j == possible[k].j;
    });
    if (!free) return;
    chosen.push_back(possible[k]);
    self(self, k + 1);
    chosen.pop_back();
  };
  descend(descend, 0);
  return found;
}

void test_links_are_the_best() {
  std::mt19937 chance(1);
  for (int round = 0; round < 400; ++round) {
    const auto sentence = [&] {
      Words words(chance() % 7);
      for (auto& word : words) word = static_cast<std::int32_t>(chance() % 3);
      return words;
    };
    auto possible = equal_words(sentence(), sentence());
    if (chance() % 2)  // any graph, not only that of equal words
      possible.erase(std::remove_if(possible.begin(), possible.end(), [&](const WordLink&) { return chance() % 3 == 0; }), possible.end());
    std::vector<WordLink> kept;
    CHECK(choose_links(possible, {}, kept));
    CHECK(by_crossings(kept) == best(possible, by_crossings));
    kept.clear();
    CHECK(choose_fewest_chunks(possible, {}, kept));
    CHECK(by_chunks(kept) == best(possible, by_chunks));
  }
}

void test_phrases_cover_most_words() {
  // A phrase of three words wins over a word inside it.
  std::vector<WordLink> kept;
  CHECK(choose_links({{0, 0, 3, 1, 3}, {1, 0, 1, 1, 0}, {3, 1, 1, 1, 0}}, {}, kept));
  CHECK(kept.size() == 2 && kept[0].i_length == 3);
  CHECK(count_chunks(kept) == 1);
}

void test_limits_give_a_valid_choice() {
  Words a(40, 0), b(30, 0);
  std::vector<WordLink> kept;
  CHECK(!choose_links(equal_words(a, b), {10, 10}, kept));
  CHECK(kept.size() == 30);
  CHECK(count_crossings(kept) == 0);
}

void test_assignment() {
  std::mt19937 chance(2);
  for (int round = 0; round < 500; ++round) {
    const auto rows = static_cast<std::int32_t>(chance() % 5), columns = static_cast<std::int32_t>(chance() % 5);
    std::vector<Edge> edges;
    for (std::int32_t i = 0; i < rows; ++i)
      for (std::int32_t j = 0; j < columns; ++j)
        if (chance() % 2) edges.push_back({i, j, static_cast<double>(chance() % 4 + 1)});
    std::vector<std::int32_t> found;
    const double total = best_assignment(rows, columns, edges, found);
    double most = 0;
    std::vector<char> row_used(8, 0), column_used(8, 0);
    const auto descend = [&](auto&& self, std::size_t k, double sum) -> void {
      most = std::max(most, sum);
      if (k == edges.size()) return;
      self(self, k + 1, sum);
      const auto i = static_cast<std::size_t>(edges[k].row), j = static_cast<std::size_t>(edges[k].column);
      if (row_used[i] || column_used[j]) return;
      row_used[i] = column_used[j] = 1;
      self(self, k + 1, sum + edges[k].weight);
      row_used[i] = column_used[j] = 0;
    };
    descend(descend, 0, 0);
    CHECK(total == most);
  }
}

}  // namespace

int main() {
  test_links_are_the_best();
  test_phrases_cover_most_words();
  test_limits_give_a_valid_choice();
  test_assignment();
}
