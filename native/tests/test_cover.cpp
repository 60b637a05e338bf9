// Covers against the definition: sort all possible matches, take those that fit. On many small random inputs.
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check.hpp"
#include "phrases/cover.hpp"

namespace {

using paragauge::Cover;
using paragauge::WordMark;

int uniform(std::mt19937& rng, int low, int high) { return std::uniform_int_distribution<int>(low, high)(rng); }

struct Table {
  std::map<std::string, std::set<int>> members;  // phrase to sets
  std::string text;
  std::vector<std::int64_t> offsets{0}, rows{0};
  std::vector<std::int32_t> sets;
  std::vector<std::uint8_t> known;

  paragauge::PhraseSets view() {
    for (const auto& [phrase, own] : members) {
      text += phrase;
      offsets.push_back(static_cast<std::int64_t>(text.size()));
      sets.insert(sets.end(), own.begin(), own.end());
      rows.push_back(static_cast<std::int64_t>(sets.size()));
      known.push_back(1);
    }
    return {{text.data(), static_cast<std::int64_t>(text.size()), offsets.data(), static_cast<std::int64_t>(members.size())},
            rows.data(), sets.data(), known.data(), 100};
  }
};

std::string joined(const std::vector<std::string>& words, int begin, int end) {
  std::string text;
  for (int i = begin; i < end; ++i) text += (i > begin ? " " : "") + words[static_cast<std::size_t>(i)];
  return text;
}

std::vector<std::string> sentence(std::mt19937& rng, int longest) {
  std::vector<std::string> words(static_cast<std::size_t>(uniform(rng, 0, longest)));
  for (std::string& word : words) word = std::string(1, static_cast<char>('a' + uniform(rng, 0, 5)));
  return words;
}

struct Item {
  int size, own_begin, own_end, begin, end;
};

// Matched words of the candidate against one reference.
int expected(const Table& table, const std::vector<std::string>& candidate, const std::vector<std::string>& reference) {
  const auto sets = [&](const std::string& phrase) {
    const auto found = table.members.find(phrase);
    return found == table.members.end() ? std::set<int>() : found->second;
  };
  std::vector<Item> items;
  for (int i = 0; i < static_cast<int>(candidate.size()); ++i)
    for (int j = i + 1; j <= static_cast<int>(candidate.size()); ++j)
      for (int k = 0; k < static_cast<int>(reference.size()); ++k)
        for (int l = k + 1; l <= static_cast<int>(reference.size()); ++l) {
          const auto one = sets(joined(candidate, i, j)), other = sets(joined(reference, k, l));
          if (std::any_of(one.begin(), one.end(), [&](int set) { return other.count(set) > 0; }))
            items.push_back({j - i + l - k, i, j, k, l});
        }
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return std::make_tuple(-a.size, a.own_begin, a.begin, -a.own_end) <
           std::make_tuple(-b.size, b.own_begin, b.begin, -b.own_end);
  });
  std::vector<bool> own(candidate.size()), used(reference.size());
  for (const Item& item : items) {
    bool fits = true;
    for (int i = item.own_begin; i < item.own_end; ++i) fits = fits && !own[static_cast<std::size_t>(i)];
    for (int i = item.begin; i < item.end; ++i) fits = fits && !used[static_cast<std::size_t>(i)];
    if (!fits) continue;
    for (int i = item.own_begin; i < item.own_end; ++i) own[static_cast<std::size_t>(i)] = true;
    for (int i = item.begin; i < item.end; ++i) used[static_cast<std::size_t>(i)] = true;
  }
  int matched = 0;
  std::map<std::string, int> left;
  for (std::size_t i = 0; i < reference.size(); ++i)
    if (!used[i]) ++left[reference[i]];
  for (std::size_t i = 0; i < candidate.size(); ++i) matched += own[i] || left[candidate[i]]-- > 0;
  return matched;
}

int marked(const std::vector<WordMark>& marks) {
  return static_cast<int>(std::count_if(marks.begin(), marks.end(), [](WordMark mark) { return mark != WordMark::none; }));
}

void check_sound(const Cover& cover) {
  std::set<std::pair<int, int>> words;
  for (const auto& match : cover.matches)
    for (int i = 0; i < match.reference_length; ++i)
      CHECK(words.insert({match.reference, match.reference_begin + i}).second);
  CHECK(cover.matched == marked(cover.candidate));
  CHECK(cover.paraphrased <= cover.matched);
}

void test_random() {
  std::mt19937 rng(7);
  for (int round = 0; round < 400; ++round) {
    Table table;
    for (int k = uniform(rng, 1, 14); k > 0; --k) {
      auto words = sentence(rng, 2);
      words.push_back(std::string(1, static_cast<char>('a' + uniform(rng, 0, 4))));
      table.members[joined(words, 0, static_cast<int>(words.size()))].insert(uniform(rng, 0, 4));
    }
    const auto view = table.view();
    const auto candidate = sentence(rng, 8);
    const std::vector<std::vector<std::string>> references{sentence(rng, 8), sentence(rng, 8)};
    std::vector<std::string> lines{joined(candidate, 0, static_cast<int>(candidate.size()))};
    for (const auto& each : references) lines.push_back(joined(each, 0, static_cast<int>(each.size())));
    std::vector<paragauge::WordList> words(3);
    for (std::size_t i = 0; i < 3; ++i) paragauge::split_words(lines[i], words[i]);
    paragauge::CoverFinder greedy({view}, {1, 0}), exact({view}, {1, 2000}), twice({view, view}, {1, 0});
    for (paragauge::CoverFinder* finder : {&greedy, &exact, &twice}) {
      finder->load(words[0], {words[1], words[2]});
      check_sound(finder->cover_all());
    }
    for (int r = 0; r < 2; ++r) {
      const auto which = static_cast<std::size_t>(r);
      CHECK(greedy.cover_one(r).matched == expected(table, candidate, references[which]));
      CHECK(twice.cover_one(r).matched == greedy.cover_one(r).matched);
      check_sound(exact.cover_one(r));
    }
    greedy.load(words[0], {});
    CHECK(greedy.cover_all().matched == 0);
  }
}

}  // namespace

int main() {
  test_random();
  return 0;
}
