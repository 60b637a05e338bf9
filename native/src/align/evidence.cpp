#include "align/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace paragauge::links {
namespace {

constexpr int longest_phrase = 4;
constexpr std::int64_t longest_acronym = 8;  // letters and dots
// Below these, evidence alone makes no cell: of words, of letters, and from elsewhere.
constexpr float least_guess = 0.1f, alike_enough = 0.6f, least_prior = 0.05f;
constexpr float linked = 0.5f, surely_linked = 0.8f;
// Larger gaps are left out; those with an anchor on one side only must be smaller.
constexpr std::int32_t largest_gap = 100, largest_open_gap = 16;

bool intersect(Span one, Span other) {
  while (one.begin != one.end && other.begin != other.end) {
    if (*one.begin == *other.begin) return true;
    if (*one.begin < *other.begin)
      ++one.begin;
    else
      ++other.begin;
  }
  return false;
}

bool contains(Span rising, std::int32_t value) { return value >= 0 && std::binary_search(rising.begin, rising.end, value); }

constexpr std::int64_t most_letters = 64;

// Length of the longest common subsequence of up to 64 letters each: Hyyrö's bits, a zero for each letter that is common.
std::int64_t common_letters(Span one, Span other) {
  std::uint64_t row = ~std::uint64_t{0};
  const auto size = static_cast<int>(one.size());
  for (const std::int32_t* letter = other.begin; letter != other.end; ++letter) {
    std::uint64_t places = 0;
    for (int k = 0; k < size; ++k) places |= static_cast<std::uint64_t>(one.begin[k] == *letter) << k;
    const std::uint64_t met = row & places;
    row = (row + met) | (row - met);
  }
  std::int64_t common = 0;
  for (int k = 0; k < size; ++k) common += !((row >> k) & 1);
  return common;
}

void compare_letters(Span one, Span other, Features& f) {
  const std::int64_t shorter = std::min(one.size(), other.size()), longer = std::max(one.size(), other.size());
  if (shorter < 2 || longer > most_letters) return;
  std::int64_t start = 0, end = 0;
  while (start < shorter && one.begin[start] == other.begin[start]) ++start;
  while (end < shorter && one.end[-1 - end] == other.end[-1 - end]) ++end;
  const auto length = static_cast<float>(longer);
  f[common_start] = static_cast<float>(start) / length;
  f[common_end] = static_cast<float>(end) / length;
  f[contained] = shorter >= 3 && std::max(start, end) == shorter ? 1.0f : 0.0f;
  if (start + end > 0 || shorter >= 4)
    f[letters_alike] = 2.0f * static_cast<float>(common_letters(one, other)) / static_cast<float>(one.size() + other.size());
}

// Unit steps: how far a cell is from where a linked word nearby would have it.
float nearness(std::int32_t i, std::int32_t j, std::int32_t linked_i, std::int32_t linked_j) {
  return std::exp(-0.5f * static_cast<float>(std::abs((j - linked_j) - (i - linked_i))));
}

}  // namespace

std::vector<std::string> feature_names() {
  std::vector<std::string> names{
      "same_form", "same_case", "same_lemma", "same_stem", "same_number", "other_number", "letters_alike", "common_start",
      "common_end", "contained", "synonym", "derived", "more_general", "siblings", "opposite", "translations", "have_vectors",
      "paraphrase", "phrase_paraphrase", "same_part", "both_content", "both_function", "content_and_function", "both_marks",
      "both_names", "one_name", "rarity", "rarity_gap", "acronym", "own", "before", "after", "two_before", "two_after",
      "crossing", "beside_most", "beside_least", "rival_most", "rival_least", "rivals_sum_most", "rivals_sum_least",
      "content_before", "content_after", "around", "after_left", "before_right", "position", "repeated", "shortness",
      "length_ratio", "at_start", "at_end", "gap_sides", "gap_single", "gap_short", "gap_long", "gap_best", "gap_mean",
      "gap_content_most", "gap_content_least", "prior"};
  for (int part = 0; part < part_count; ++part) names.push_back("part_" + std::to_string(part));
  for (int word = 0; word < common_count; ++word) names.push_back("common_" + std::to_string(word));
  return names;
}

float Vectors::cosine(std::int32_t one, std::int32_t other) const {
  if (one < 0 || other < 0) return 0.0f;
  const std::int8_t* a = codes + one * width;
  const std::int8_t* b = codes + other * width;
  std::int32_t sum = 0;
  for (std::int64_t k = 0; k < width; ++k) sum += static_cast<std::int32_t>(a[k]) * b[k];
  return static_cast<float>(sum) * scales[one] * scales[other];
}

void EvidenceFinder::mark_paraphrases(const WordFacts& facts, Span source, Span target, std::vector<float>& words,
                                      std::vector<float>& phrases) const {
  const auto columns = static_cast<std::size_t>(target.size());
  words.assign(static_cast<std::size_t>(source.size()) * columns, 0.0f);
  phrases.assign(words.size(), 0.0f);
  if (paraphrases_.numbers == nullptr) return;
  struct Place {
    std::int32_t number, begin, length;
  };
  std::string text;
  const auto places = [&](Span sentence) {
    std::vector<Place> found;
    const auto size = static_cast<std::int32_t>(sentence.size());
    for (std::int32_t begin = 0; begin < size; ++begin) {
      text.clear();
      for (std::int32_t length = 1; length <= longest_phrase && begin + length <= size; ++length) {
        const std::int32_t word = sentence.begin[begin + length - 1];
        if (facts.flags[word] & is_mark) break;
        if (length > 1) text += ' ';
        text += facts.text[word];
        const std::int32_t number = (*paraphrases_.numbers)[text];
        if (number >= 0) found.push_back({number, begin, length});
      }
    }
    return found;
  };
  std::unordered_map<std::int32_t, std::vector<Place>> theirs;
  for (const Place& place : places(target)) theirs[place.number].push_back(place);
  const auto mark = [&](const Place& one, const Place& other, double score) {
    const auto strength = static_cast<float>(std::max(0.0, 1.0 + std::log10(std::max(score, 1e-4)) / 4.0));
    std::vector<float>& grid = one.length == 1 && other.length == 1 ? words : phrases;
    for (std::int32_t i = one.begin; i < one.begin + one.length; ++i)
      for (std::int32_t j = other.begin; j < other.begin + other.length; ++j) {
        float& cell = grid[static_cast<std::size_t>(i) * columns + static_cast<std::size_t>(j)];
        cell = std::max(cell, strength);
      }
  };
  for (const Place& one : places(source)) {
    for (std::int64_t k = paraphrases_.rows[one.number]; k < paraphrases_.rows[one.number + 1]; ++k) {
      const auto other = theirs.find(paraphrases_.targets[k]);
      if (other == theirs.end()) continue;
      for (const Place& place : other->second) mark(one, place, paraphrases_.scores[k]);
    }
  }
  // The table has the scores of both directions in different rows.
  std::unordered_map<std::int32_t, std::vector<Place>> ours;
  for (const Place& place : places(source)) ours[place.number].push_back(place);
  for (const Place& other : places(target)) {
    for (std::int64_t k = paraphrases_.rows[other.number]; k < paraphrases_.rows[other.number + 1]; ++k) {
      const auto one = ours.find(paraphrases_.targets[k]);
      if (one == ours.end()) continue;
      for (const Place& place : one->second) mark(place, other, paraphrases_.scores[k]);
    }
  }
}

float EvidenceFinder::compare(const WordFacts& facts, std::int32_t a, std::int32_t b, Features& f) const {
  std::fill(f.begin(), f.begin() + word_evidence_end, 0.0f);
  const std::int32_t a_flags = facts.flags[a], b_flags = facts.flags[b];
  const bool marks = (a_flags & is_mark) && (b_flags & is_mark);
  float guess = 0.0f;
  if (facts.forms[a] == facts.forms[b]) {
    f[same_form] = 1.0f;
    f[same_case] = facts.cased[a] == facts.cased[b] ? 1.0f : 0.0f;
    guess = 1.0f;
  } else if ((a_flags | b_flags) & is_mark) {
    guess = marks ? 0.2f : 0.0f;
  } else {
    if (facts.lemmas[a] == facts.lemmas[b]) {
      f[same_lemma] = 1.0f;
      guess = 0.9f;
    } else if (facts.stems[a] == facts.stems[b]) {
      f[same_stem] = 1.0f;
      guess = 0.8f;
    }
    if (facts.numbers[a] >= 0 && facts.numbers[b] >= 0) {
      const bool same = facts.numbers[a] == facts.numbers[b];
      f[same ? same_number : other_number] = 1.0f;
      if (same) guess = 0.9f;
    }
    compare_letters(facts.letters[a], facts.letters[b], f);
    if (facts.entries[a] >= 0 && facts.entries[b] >= 0) {
      if (intersect(facts.synsets[a], facts.synsets[b])) f[synonym] = 1.0f;
      if (contains(facts.derived[a], facts.entries[b]) || contains(facts.derived[b], facts.entries[a])) f[derived] = 1.0f;
      if (contains(facts.kinds[a], facts.entries[b]) || contains(facts.kinds[b], facts.entries[a])) f[more_general] = 1.0f;
      if (intersect(facts.kinds[a], facts.kinds[b])) f[siblings] = 1.0f;
      if (contains(facts.opposites[a], facts.entries[b]) || contains(facts.opposites[b], facts.entries[a])) f[opposite] = 1.0f;
    }
    if (facts.vectors[a] >= 0 && facts.vectors[b] >= 0) {
      f[have_vectors] = 1.0f;
      f[translations] = std::max(0.0f, vectors_.cosine(facts.vectors[a], facts.vectors[b])) *
                        std::min(vectors_.trust[facts.vectors[a]], vectors_.trust[facts.vectors[b]]);
    }
    guess = std::max({guess, 0.6f * f[synonym], 0.7f * f[derived], 0.4f * f[more_general], f[translations] * f[translations],
                      f[letters_alike] > 0.75f ? 0.5f * f[letters_alike] : 0.0f});
  }
  const bool a_content = a_flags & is_content, b_content = b_flags & is_content;
  f[same_part] = facts.parts[a] == facts.parts[b] ? 1.0f : 0.0f;
  f[both_content] = a_content && b_content ? 1.0f : 0.0f;
  f[both_function] = !a_content && !b_content && !marks ? 1.0f : 0.0f;
  f[content_and_function] = a_content != b_content ? 1.0f : 0.0f;
  f[both_marks] = marks ? 1.0f : 0.0f;
  f[both_names] = (a_flags & b_flags & is_name) ? 1.0f : 0.0f;
  f[one_name] = ((a_flags ^ b_flags) & is_name) ? 1.0f : 0.0f;
  f[rarity] = std::min(facts.information[a], facts.information[b]);
  f[rarity_gap] = std::abs(facts.information[a] - facts.information[b]);
  return guess;
}

void EvidenceFinder::mark_acronyms(const WordFacts& facts, Span source, Span target, Evidence& found) const {
  const auto width = static_cast<std::size_t>(target.size());
  found.acronyms.assign(static_cast<std::size_t>(source.size()) * width, 0);
  const auto mark = [&](Span ours, Span theirs, bool turned) {
    for (std::int64_t i = 0; i < ours.size(); ++i) {
      const std::int32_t word = ours.begin[i];
      const Span letters = facts.letters[word];
      if (letters.size() < 2 || letters.size() > longest_acronym || !(facts.flags[word] & is_content) ||
          !(facts.entries[word] < 0 || (facts.flags[word] & is_name)))
        continue;
      for (std::int64_t begin = 0; begin < theirs.size(); ++begin) {
        // Each letter begins a word; function words in between may be left out, as may dots between letters.
        const std::int32_t* letter = letters.begin;
        std::int64_t j = begin, length = 0;
        for (; j < theirs.size() && letter != letters.end; ++j) {
          const Span initial = facts.letters[theirs.begin[j]];
          if (initial.size() > 0 && *initial.begin == *letter) {
            ++length;
            do ++letter;
            while (letter != letters.end && *letter == '.');
          } else if (j == begin || (facts.flags[theirs.begin[j]] & (is_content | is_mark))) {
            break;
          }
        }
        if (letter != letters.end || length < 2) continue;
        for (std::int64_t k = begin; k < j; ++k)
          found.acronyms[static_cast<std::size_t>(turned ? k : i) * width + static_cast<std::size_t>(turned ? i : k)] = 1;
      }
    }
  };
  mark(source, target, false);
  mark(target, source, true);
}

float EvidenceFinder::describe(const WordFacts& facts, Span source, Span target, const float* prior_grid,
                               const Evidence& found, Cell cell, Features& f) const {
  const std::size_t place = found.place(cell);
  const float guess = compare(facts, source.begin[cell.i], target.begin[cell.j], f);
  f[paraphrase] = found.word_scores[place];
  f[phrase_paraphrase] = found.phrase_scores[place];
  f[acronym] = found.acronyms[place];
  f[prior] = prior_grid != nullptr ? prior_grid[place] : 0.0f;
  return std::max({guess, 0.8f * f[paraphrase], 0.6f * f[phrase_paraphrase], 0.6f * f[acronym]});
}

void EvidenceFinder::add(const WordFacts& facts, Span source, Span target, Cell cell, Features& f, Evidence& found) const {
  const float known = f[prior];
  std::fill(f.begin() + word_evidence_end, f.end(), 0.0f);
  f[prior] = known;
  for (const std::int32_t word : {source.begin[cell.i], target.begin[cell.j]}) {
    if (facts.parts[word] >= 0 && facts.parts[word] < part_count) f[static_cast<std::size_t>(first_part + facts.parts[word])] += 0.5f;
    if (facts.common[word] >= 0 && facts.common[word] < common_count)
      f[static_cast<std::size_t>(first_common + facts.common[word])] += 0.5f;
  }
  found.is_cell[found.place(cell)] = 1;
  found.cells.push_back(cell);
  found.features.push_back(f);
  found.first.push_back(0.0f);
}

void EvidenceFinder::find(const WordFacts& facts, Span source, Span target, const float* prior_grid, Evidence& found) const {
  const auto rows = static_cast<std::int32_t>(source.size()), columns = static_cast<std::int32_t>(target.size());
  found.rows = rows;
  found.columns = columns;
  found.cells.clear();
  found.features.clear();
  found.first.clear();
  const std::size_t area = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  found.grid.assign(area, 0.0f);
  found.is_cell.assign(area, 0);
  mark_paraphrases(facts, source, target, found.word_scores, found.phrase_scores);
  mark_acronyms(facts, source, target, found);
  Features f;
  for (std::int32_t i = 0; i < rows; ++i) {
    for (std::int32_t j = 0; j < columns; ++j) {
      const float guess = describe(facts, source, target, prior_grid, found, {i, j}, f);
      if (guess < least_guess && !(f[both_content] > 0 && f[siblings] > 0) && !(f[opposite] > 0) && f[letters_alike] <= alike_enough &&
          !(f[contained] > 0) && f[prior] < least_prior)
        continue;
      found.grid[found.place({i, j})] = guess;
      add(facts, source, target, {i, j}, f, found);
    }
  }
  add_likely(facts, source, target, prior_grid, found);
}

void EvidenceFinder::add_likely(const WordFacts& facts, Span source, Span target, const float* prior_grid, Evidence& found) const {
  const auto known = static_cast<std::ptrdiff_t>(found.cells.size());
  Features f;
  for (const Cell cell : found.likely_cells(facts, source, target)) {
    describe(facts, source, target, prior_grid, found, cell, f);
    add(facts, source, target, cell, f, found);
  }
  if (static_cast<std::ptrdiff_t>(found.cells.size()) == known) return;
  std::vector<std::size_t> order(found.cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::inplace_merge(order.begin(), order.begin() + known, order.end(), [&](std::size_t one, std::size_t other) {
    return found.place(found.cells[one]) < found.place(found.cells[other]);
  });
  const auto arrange = [&](auto& values) {
    std::remove_reference_t<decltype(values)> arranged;
    arranged.reserve(values.size());
    for (const std::size_t place : order) arranged.push_back(values[place]);
    values = std::move(arranged);
  };
  arrange(found.cells);
  arrange(found.features);
  arrange(found.first);
}

void Evidence::drop(float least) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    float& value = grid[place(cells[k])];
    if (value < least) {
      value = 0.0f;
      continue;
    }
    cells[kept] = cells[k];
    features[kept] = features[k];
    first[kept] = first[k];
    ++kept;
  }
  cells.resize(kept);
  features.resize(kept);
  first.resize(kept);
}

std::vector<std::int32_t> Evidence::anchors() const {
  std::vector<std::int32_t> of_rows(static_cast<std::size_t>(rows), -1), of_columns(static_cast<std::size_t>(columns), -1);
  std::vector<float> in_row(of_rows.size(), surely_linked), in_column(of_columns.size(), surely_linked);
  for (const Cell cell : cells) {
    const auto row = static_cast<std::size_t>(cell.i), column = static_cast<std::size_t>(cell.j);
    const float value = grid[place(cell)];
    if (value > in_row[row]) {
      in_row[row] = value;
      of_rows[row] = cell.j;
    }
    if (value > in_column[column]) {
      in_column[column] = value;
      of_columns[column] = cell.i;
    }
  }
  for (std::size_t row = 0; row < of_rows.size(); ++row)
    if (of_rows[row] >= 0 && of_columns[static_cast<std::size_t>(of_rows[row])] != static_cast<std::int32_t>(row)) of_rows[row] = -1;
  return of_rows;
}

std::int32_t Evidence::sides(Run row_run, Run column_run, const std::vector<std::int32_t>& anchors) const {
  const auto meet = [&](std::int32_t i, std::int32_t j) {
    if (i < 0 || j < 0 || i >= rows || j >= columns) return (i < 0 && j < 0) || (i >= rows && j >= columns);
    return anchors[static_cast<std::size_t>(i)] == j;
  };
  return meet(row_run.begin - 1, column_run.begin - 1) + meet(row_run.end, column_run.end);
}

void Evidence::find_runs(const std::vector<std::int32_t>& anchors, std::vector<Run>& row_runs, std::vector<Run>& column_runs) const {
  std::vector<std::uint8_t> free_rows(static_cast<std::size_t>(rows), 1), free_columns(static_cast<std::size_t>(columns), 1);
  for (std::size_t row = 0; row < anchors.size(); ++row) {
    if (anchors[row] < 0) continue;
    free_rows[row] = 0;
    free_columns[static_cast<std::size_t>(anchors[row])] = 0;
  }
  const auto runs = [](const std::vector<std::uint8_t>& free, std::vector<Run>& found) {
    found.clear();
    for (std::size_t place = 0; place < free.size(); ++place) {
      if (!free[place]) continue;
      if (place == 0 || !free[place - 1]) found.push_back({static_cast<std::int32_t>(place), 0});
      found.back().end = static_cast<std::int32_t>(place) + 1;
    }
  };
  runs(free_rows, row_runs);
  runs(free_columns, column_runs);
}

std::vector<Cell> Evidence::likely_cells(const WordFacts& facts, Span source, Span target) const {
  std::vector<std::uint8_t> chosen(grid.size(), 0);
  const auto choose = [&](std::int32_t i, std::int32_t j) {
    if (i < 0 || j < 0 || i >= rows || j >= columns) return;
    if ((facts.flags[source.begin[i]] | facts.flags[target.begin[j]]) & is_mark) return;
    chosen[place({i, j})] = !is_cell[place({i, j})];
  };
  std::vector<float> row_best(static_cast<std::size_t>(rows), 0.0f), column_best(static_cast<std::size_t>(columns), 0.0f);
  for (const Cell cell : cells) {
    float& in_row = row_best[static_cast<std::size_t>(cell.i)];
    float& in_column = column_best[static_cast<std::size_t>(cell.j)];
    in_row = std::max(in_row, grid[place(cell)]);
    in_column = std::max(in_column, grid[place(cell)]);
  }
  for (const Cell cell : cells) {
    if (grid[place(cell)] < linked) continue;
    for (const std::int32_t step : {-1, 1}) {
      // A word may be linked by what its neighbours are linked to, or with the neighbour as part of a phrase.
      choose(cell.i + step, cell.j + step);
      if (cell.i + step >= 0 && cell.i + step < rows && row_best[static_cast<std::size_t>(cell.i + step)] < linked)
        choose(cell.i + step, cell.j);
      if (cell.j + step >= 0 && cell.j + step < columns && column_best[static_cast<std::size_t>(cell.j + step)] < linked)
        choose(cell.i, cell.j + step);
    }
  }
  const auto anchored = anchors();
  std::vector<Run> row_runs, column_runs;
  find_runs(anchored, row_runs, column_runs);
  for (const Run row_run : row_runs) {
    for (const Run column_run : column_runs) {
      const std::int32_t met = sides(row_run, column_run, anchored);
      const std::int64_t area = static_cast<std::int64_t>(row_run.end - row_run.begin) * (column_run.end - column_run.begin);
      if (met == 0 || area > (met == 2 ? largest_gap : largest_open_gap)) continue;
      for (std::int32_t i = row_run.begin; i < row_run.end; ++i)
        for (std::int32_t j = column_run.begin; j < column_run.end; ++j) choose(i, j);
    }
  }
  std::vector<Cell> found;
  for (std::int32_t i = 0; i < rows; ++i)
    for (std::int32_t j = 0; j < columns; ++j)
      if (chosen[place({i, j})]) found.push_back({i, j});
  return found;
}

std::vector<std::int32_t> Evidence::nearest_content(const WordFacts& facts, Span words, bool to_the_right) const {
  const auto size = static_cast<std::int32_t>(words.size());
  std::vector<std::int32_t> nearest(static_cast<std::size_t>(size), -1);
  std::int32_t last = -1;
  for (std::int32_t step = 0; step < size; ++step) {
    const std::int32_t place = to_the_right ? size - 1 - step : step;
    nearest[static_cast<std::size_t>(place)] = last;
    if (facts.flags[words.begin[place]] & is_content) last = place;
  }
  return nearest;
}

void Evidence::look_around(const WordFacts& facts, Span source, Span target) {
  if (cells.empty()) return;
  const auto width = static_cast<std::size_t>(columns), height = static_cast<std::size_t>(rows);
  // The two best of each row and column, so that the best besides any cell is known.
  struct Best {
    float first = 0, second = 0, sum = 0;
    std::int32_t place = -1;

    void add(float value, std::int32_t at) {
      sum += value;
      if (value > first) {
        second = first;
        first = value;
        place = at;
      } else {
        second = std::max(second, value);
      }
    }
    float besides(std::int32_t at) const { return at == place ? second : first; }
  };
  std::vector<Best> row_best(height), column_best(width);
  std::vector<std::int32_t> same_in_row(height, 0), same_in_column(width, 0);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const auto [i, j] = cells[k];
    const float value = at(i, j);
    row_best[static_cast<std::size_t>(i)].add(value, j);
    column_best[static_cast<std::size_t>(j)].add(value, i);
    if (features[k][same_form] > 0) {
      ++same_in_row[static_cast<std::size_t>(i)];
      ++same_in_column[static_cast<std::size_t>(j)];
    }
  }
  // For each word the nearest one on its left and right that is linked, and what it is linked to.
  const auto linked_near = [](const std::vector<Best>& best, bool right) {
    std::vector<std::int32_t> near(best.size(), -1);
    std::int32_t last = -1;
    for (std::size_t step = 0; step < best.size(); ++step) {
      const std::size_t place = right ? best.size() - 1 - step : step;
      near[place] = last;
      if (best[place].first >= linked) last = static_cast<std::int32_t>(place);
    }
    return near;
  };
  const auto row_left = linked_near(row_best, false), row_right = linked_near(row_best, true);
  const auto column_left = linked_near(column_best, false), column_right = linked_near(column_best, true);
  const auto i_left = nearest_content(facts, source, false), i_right = nearest_content(facts, source, true);
  const auto j_left = nearest_content(facts, target, false), j_right = nearest_content(facts, target, true);
  const auto anchored = anchors();
  std::vector<Run> row_runs, column_runs;
  find_runs(anchored, row_runs, column_runs);
  const auto run_of = [](const std::vector<Run>& runs, std::size_t size) {
    std::vector<std::int32_t> numbers(size, -1);
    for (std::size_t k = 0; k < runs.size(); ++k)
      std::fill(numbers.begin() + runs[k].begin, numbers.begin() + runs[k].end, static_cast<std::int32_t>(k));
    return numbers;
  };
  const auto row_run_of = run_of(row_runs, height), column_run_of = run_of(column_runs, width);
  std::vector<Gap> gaps(row_runs.size() * column_runs.size());
  for (std::size_t r = 0; r < row_runs.size(); ++r)
    for (std::size_t c = 0; c < column_runs.size(); ++c)
      gaps[r * column_runs.size() + c].sides = sides(row_runs[r], column_runs[c], anchored);
  const auto gap_at = [&](std::int32_t i, std::int32_t j) -> Gap* {
    const std::int32_t r = row_run_of[static_cast<std::size_t>(i)], c = column_run_of[static_cast<std::size_t>(j)];
    if (r < 0 || c < 0) return nullptr;
    Gap* gap = &gaps[static_cast<std::size_t>(r) * column_runs.size() + static_cast<std::size_t>(c)];
    return gap->sides > 0 ? gap : nullptr;
  };
  for (const Cell cell : cells) {
    Gap* gap = gap_at(cell.i, cell.j);
    if (gap == nullptr) continue;
    const float value = at(cell.i, cell.j);
    gap->sum += value;
    gap->second = std::max(gap->second, std::min(gap->best, value));
    gap->best = std::max(gap->best, value);
  }
  const auto content_in = [&](Span words, Run run) {
    float count = 0;
    for (std::int32_t place = run.begin; place < run.end; ++place) count += (facts.flags[words.begin[place]] & is_content) != 0;
    return std::min(1.0f, count / 4.0f);
  };
  std::vector<float> row_content, column_content;
  for (const Run run : row_runs) row_content.push_back(content_in(source, run));
  for (const Run run : column_runs) column_content.push_back(content_in(target, run));
  const float short_side = static_cast<float>(std::min(rows, columns)), long_side = static_cast<float>(std::max(rows, columns));
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const auto [i, j] = cells[k];
    const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
    Features& f = features[k];
    f[own] = at(i, j);
    f[at_start] = i == 0 && j == 0 ? 1.0f : 0.0f;
    f[at_end] = i == rows - 1 && j == columns - 1 ? 1.0f : 0.0f;
    f[before] = at(i - 1, j - 1);
    f[after] = at(i + 1, j + 1);
    f[two_before] = at(i - 2, j - 2);
    f[two_after] = at(i + 2, j + 2);
    f[crossing] = std::max(at(i - 1, j + 1), at(i + 1, j - 1));
    const float upright = std::max(at(i - 1, j), at(i + 1, j)), level = std::max(at(i, j - 1), at(i, j + 1));
    f[beside_most] = std::max(upright, level);
    f[beside_least] = std::min(upright, level);
    const float row_rival = row_best[row].besides(j), column_rival = column_best[column].besides(i);
    f[rival_most] = std::max(row_rival, column_rival);
    f[rival_least] = std::min(row_rival, column_rival);
    const float row_rest = std::min(2.0f, row_best[row].sum - f[own]), column_rest = std::min(2.0f, column_best[column].sum - f[own]);
    f[rivals_sum_most] = std::max(row_rest, column_rest);
    f[rivals_sum_least] = std::min(row_rest, column_rest);
    f[content_before] = at(i_left[row], j_left[column]);
    f[content_after] = at(i_right[row], j_right[column]);
    float sum = 0;
    for (std::int32_t di = -3; di <= 3; ++di)
      for (std::int32_t dj = -3; dj <= 3; ++dj)
        if (di != 0 && dj != 0) sum += at(i + di, j + dj);
    f[around] = std::min(1.0f, sum / 6.0f);
    // What the nearest linked words on each side expect, seen from both sentences.
    const auto expected = [&](std::int32_t own_near, std::int32_t other_near) {
      float total = 0;
      if (own_near >= 0) total += nearness(i, j, own_near, row_best[static_cast<std::size_t>(own_near)].place);
      if (other_near >= 0) total += nearness(i, j, column_best[static_cast<std::size_t>(other_near)].place, other_near);
      return total / 2;
    };
    f[after_left] = expected(row_left[row], column_left[column]);
    f[before_right] = expected(row_right[row], column_right[column]);
    f[position] = std::abs((static_cast<float>(i) + 0.5f) / static_cast<float>(rows) - (static_cast<float>(j) + 0.5f) / static_cast<float>(columns));
    f[repeated] = f[same_form] > 0 ? std::min(1.0f, 0.25f * static_cast<float>(same_in_row[row] + same_in_column[column] - 2)) : 0.0f;
    f[shortness] = std::min(1.0f, short_side / 20.0f);
    f[length_ratio] = short_side / long_side;
    const Gap* gap = gap_at(i, j);
    std::fill(f.begin() + gap_sides, f.begin() + gap_content_least + 1, 0.0f);
    if (gap != nullptr) {
      const auto r = static_cast<std::size_t>(row_run_of[row]), c = static_cast<std::size_t>(column_run_of[column]);
      const auto high = static_cast<float>(row_runs[r].end - row_runs[r].begin);
      const auto wide = static_cast<float>(column_runs[c].end - column_runs[c].begin);
      f[gap_sides] = static_cast<float>(gap->sides) / 2.0f;
      f[gap_single] = high * wide == 1.0f ? 1.0f : 0.0f;
      f[gap_short] = std::min(1.0f, std::min(high, wide) / 6.0f);
      f[gap_long] = std::min(1.0f, std::max(high, wide) / 6.0f);
      f[gap_best] = f[own] >= gap->best ? gap->second : gap->best;
      f[gap_mean] = std::min(1.0f, (gap->sum - f[own]) / std::max(high, wide));
      f[gap_content_most] = std::max(row_content[r], column_content[c]);
      f[gap_content_least] = std::min(row_content[r], column_content[c]);
    }
  }
}

}  // namespace paragauge::links
