// The edit rate against a search that computes the whole band again for every shift, on many small random pairs; and
// whether the shifts and edits found do turn the candidate into the reference.
#include "matching/edit_rate.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "check.hpp"

using Words = std::vector<std::int32_t>;
using paragauge::Edit;

namespace {

constexpr int kFar = 1 << 28;

// A table of (cost, edit), as the definition has it: cells outside the band cannot be reached.
std::pair<int, std::vector<Edit>> edit_distance(const Words& candidate, const Words& reference) {
  const int rows = static_cast<int>(candidate.size()), columns = static_cast<int>(reference.size());
  using Cell = std::pair<int, Edit>;
  std::vector<std::vector<Cell>> table(static_cast<std::size_t>(rows) + 1,
                                       std::vector<Cell>(static_cast<std::size_t>(columns) + 1, {kFar, Edit::kInsert}));
  const auto cell = [&](int i, int j) -> Cell& { return table[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]; };
  for (int j = 0; j <= columns; ++j) cell(0, j) = {j, Edit::kInsert};
  const double ratio = rows > 0 ? static_cast<double>(columns) / rows : 1.0;
  const int beam = 25 < ratio / 2 ? static_cast<int>(std::ceil(ratio / 2 + 25)) : 25;
  for (int i = 1; i <= rows; ++i) {
    const int diagonal = static_cast<int>(std::floor(i * ratio));
    for (int j = 0; j <= columns; ++j) {
      if (j < diagonal - beam || (j >= diagonal + beam && i < rows)) continue;
      if (j == 0) {
        cell(i, j) = {cell(i - 1, j).first + 1, Edit::kDelete};
        continue;
      }
      const bool same = candidate[static_cast<std::size_t>(i) - 1] == reference[static_cast<std::size_t>(j) - 1];
      for (const Cell& choice : {Cell{cell(i - 1, j - 1).first + !same, same ? Edit::kKeep : Edit::kSubstitute},
                                 Cell{cell(i - 1, j).first + 1, Edit::kDelete},
                                 Cell{cell(i, j - 1).first + 1, Edit::kInsert}})
        if (choice.first < cell(i, j).first) cell(i, j) = choice;
    }
  }
  std::vector<Edit> edits;
  for (int i = rows, j = columns; i > 0 || j > 0;) {
    const Edit edit = cell(i, j).second;
    edits.insert(edits.begin(), edit);
    i -= edit != Edit::kInsert;
    j -= edit != Edit::kDelete;
  }
  return {cell(rows, columns).first, edits};
}

Words slice(const Words& words, int begin, int end) {
  const int size = static_cast<int>(words.size());
  begin = std::min(begin, size);
  end = std::min(std::max(begin, end), size);
  return Words(words.begin() + begin, words.begin() + end);
}

Words joined(std::initializer_list<Words> parts) {
  Words all;
  for (const Words& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Words shifted(const Words& words, int start, int length, int target) {
  const int end = start + length, size = static_cast<int>(words.size());
  const Words run = slice(words, start, end);
  if (target < start) return joined({slice(words, 0, target), run, slice(words, target, start), slice(words, end, size)});
  const int last = target > end ? target : length + target;
  return joined({slice(words, 0, start), slice(words, end, last), run, slice(words, last, size)});
}

struct Found {
  std::int64_t shifts = 0;
  std::vector<Edit> edits;
};

Found slow_search(Words words, const Words& reference) {
  Found found;
  if (reference.empty()) {
    found.edits.assign(words.size(), Edit::kDelete);
    return found;
  }
  int checked = 0;
  for (;;) {
    const auto [cost, edits] = edit_distance(words, reference);
    found.edits = edits;
    std::vector<int> place, wrong, other_wrong;
    int last = -1;
    for (const Edit edit : edits) {
      const int error = edit != Edit::kKeep;
      if (edit != Edit::kInsert) ++last, wrong.push_back(error);
      if (edit != Edit::kDelete) place.push_back(last), other_wrong.push_back(error);
    }
    const auto any = [](const std::vector<int>& errors, int begin, int length) {
      return std::count(errors.begin() + begin, errors.begin() + begin + length, 1) > 0;
    };
    std::tuple<int, int, int, int, Words> best{0, 0, 0, 0, {}};
    const int size = static_cast<int>(words.size()), other_size = static_cast<int>(reference.size());
    for (int start = 0; start < size; ++start)
      for (int other = 0; other < other_size; ++other) {
        if (std::abs(other - start) > 50) continue;
        for (int length = 1; length <= 10 && start + length <= size && other + length <= other_size; ++length) {
          if (slice(words, start, start + length) != slice(reference, other, other + length)) break;
          const int begin = place[static_cast<std::size_t>(other)];
          if (!any(wrong, start, length) || !any(other_wrong, other, length) || (start <= begin && begin < start + length))
            continue;
          if (checked >= 1000) return found;
          int tried = -1;
          for (int offset = -1; offset < length; ++offset) {
            const int target = other + offset < 0 ? 0 : place[static_cast<std::size_t>(other + offset)] + 1;
            if (target == tried) continue;
            tried = target;
            ++checked;
            const Words moved = shifted(words, start, length, target);
            best = std::max(best, {cost - edit_distance(moved, reference).first, length, -start, -target, moved});
          }
        }
      }
    if (checked >= 1000 || std::get<0>(best) <= 0) return found;
    ++found.shifts;
    words = std::get<4>(best);
  }
}

// The words that the shifts and edits make of the candidate.
Words applied(Words words, const Words& reference, const paragauge::EditRate& search) {
  for (const paragauge::Shift& shift : search.shifts()) {
    const Words run = slice(words, shift.start, shift.start + shift.length);
    words.erase(words.begin() + shift.start, words.begin() + shift.start + shift.length);
    words.insert(words.begin() + shift.to, run.begin(), run.end());
  }
  Words made;
  std::size_t i = 0, j = 0;
  for (const Edit edit : search.edits()) {
    if (edit == Edit::kKeep) made.push_back(words[i]);
    if (edit == Edit::kSubstitute || edit == Edit::kInsert) made.push_back(reference[j]);
    i += edit != Edit::kInsert;
    j += edit != Edit::kDelete;
  }
  CHECK(i == words.size() && j == reference.size());
  return made;
}

Words random_words(std::mt19937& rng, int longest, int vocabulary) {
  Words words(std::uniform_int_distribution<std::size_t>(0, static_cast<std::size_t>(longest))(rng));
  for (auto& word : words) word = std::uniform_int_distribution<int>(0, vocabulary)(rng);
  return words;
}

// A reference with its words in another order and some of them changed, as translations are.
Words disturbed(std::mt19937& rng, Words words, int vocabulary) {
  for (int k = 0; k < 4 && !words.empty(); ++k) {
    const int size = static_cast<int>(words.size());
    const auto place = [&] { return std::uniform_int_distribution<int>(0, size)(rng); };
    int cuts[] = {place(), place(), place()};
    std::sort(cuts, cuts + 3);
    std::rotate(words.begin() + cuts[0], words.begin() + cuts[1], words.begin() + cuts[2]);
    words[static_cast<std::size_t>(place() % size)] = std::uniform_int_distribution<int>(0, vocabulary)(rng);
  }
  return words;
}

void equals_slow_search(paragauge::EditRate& search, const Words& candidate, const Words& reference) {
  search.find({candidate.data(), candidate.data() + candidate.size()},
              {reference.data(), reference.data() + reference.size()});
  const Found expected = slow_search(candidate, reference);
  CHECK(static_cast<std::int64_t>(search.shifts().size()) == expected.shifts);
  CHECK(search.edits() == expected.edits);
  CHECK(applied(candidate, reference, search) == reference);
}

void counts_do_not_depend_on_threads(std::mt19937& rng) {
  Words ids, other_ids;
  std::vector<std::int64_t> offsets{0}, other_offsets{0}, groups{0};
  for (int i = 0; i < 100; ++i) {
    const Words candidate = random_words(rng, 15, 8);
    ids.insert(ids.end(), candidate.begin(), candidate.end());
    offsets.push_back(static_cast<std::int64_t>(ids.size()));
    for (int k = i % 3; k >= 0; --k) {
      const Words reference = random_words(rng, 15, 8);
      other_ids.insert(other_ids.end(), reference.begin(), reference.end());
      other_offsets.push_back(static_cast<std::int64_t>(other_ids.size()));
    }
    groups.push_back(static_cast<std::int64_t>(other_offsets.size()) - 1);
  }
  const auto references = other_offsets.size() - 1;
  const auto counts = [&](int threads) {
    std::vector<std::int64_t> rows(4 * references, -1);
    paragauge::edit_counts({ids.data(), offsets.data(), 100},
                           {other_ids.data(), other_offsets.data(), static_cast<std::int64_t>(references)},
                           groups.data(), threads, rows.data());
    return rows;
  };
  const auto alone = counts(1);
  CHECK(std::count(alone.begin(), alone.end(), -1) == 0);
  CHECK(counts(4) == alone);
}

}  // namespace

int main() {
  std::mt19937 rng(20061);
  paragauge::EditRate search;
  equals_slow_search(search, {}, {});
  equals_slow_search(search, {1, 2}, {});
  equals_slow_search(search, {}, {1, 2});
  for (int round = 0; round < 400; ++round) {
    const int vocabulary = 1 + round % 12;
    const Words reference = random_words(rng, 14, vocabulary);
    equals_slow_search(search, random_words(rng, 14, vocabulary), reference);
    equals_slow_search(search, disturbed(rng, reference, vocabulary), reference);
  }
  // Longer than the band is wide, much longer than the other text, and with more shifts than are tried.
  for (int round = 0; round < 6; ++round) {
    const Words reference = random_words(rng, 90, 40);
    equals_slow_search(search, disturbed(rng, reference, 40), reference);
    equals_slow_search(search, random_words(rng, 2, 3), random_words(rng, 150, 3));
    equals_slow_search(search, random_words(rng, 150, 3), random_words(rng, 2, 3));
    equals_slow_search(search, random_words(rng, 40, 2), random_words(rng, 40, 2));
  }
  counts_do_not_depend_on_threads(rng);
  return 0;
}
