#include "align/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <unordered_map>

namespace paragauge::links {
namespace {

constexpr int longest_phrase = 4;
// Below these, evidence alone makes no cell: of words, of letters, and from elsewhere.
constexpr float least_guess = 0.1f, alike_enough = 0.6f, least_prior = 0.05f;
constexpr float linked = 0.5f;

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

// Length of the longest common subsequence.
std::int64_t common_letters(Span one, Span other) {
  thread_local std::vector<std::int32_t> row;
  row.assign(static_cast<std::size_t>(other.size()) + 1, 0);
  for (const std::int32_t* a = one.begin; a != one.end; ++a) {
    std::int32_t corner = 0;
    for (std::size_t k = 1; k < row.size(); ++k) {
      const std::int32_t above = row[k];
      row[k] = *a == other.begin[k - 1] ? corner + 1 : std::max(above, row[k - 1]);
      corner = above;
    }
  }
  return row.back();
}

constexpr std::int64_t most_letters = 64;

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
  f.fill(0.0f);
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

void EvidenceFinder::find(const WordFacts& facts, Span source, Span target, const float* prior_grid, Evidence& found) const {
  const auto rows = static_cast<std::int32_t>(source.size()), columns = static_cast<std::int32_t>(target.size());
  found.rows = rows;
  found.columns = columns;
  found.cells.clear();
  found.features.clear();
  const auto width = static_cast<std::size_t>(columns);
  const std::size_t area = static_cast<std::size_t>(rows) * width;
  found.grid.assign(area, 0.0f);
  std::vector<float> word_scores, phrase_scores;
  mark_paraphrases(facts, source, target, word_scores, phrase_scores);
  std::vector<Features> known;             // of the cells with evidence of their own
  std::vector<std::int32_t> place_of(area, -1);
  const auto describe = [&](std::int32_t i, std::int32_t j, std::size_t place, Features& f) {
    float guess = compare(facts, source.begin[i], target.begin[j], f);
    f[paraphrase] = word_scores[place];
    f[phrase_paraphrase] = phrase_scores[place];
    if (prior_grid != nullptr) f[prior] = prior_grid[place];
    guess = std::max({guess, 0.8f * f[paraphrase], 0.6f * f[phrase_paraphrase]});
    return guess;
  };
  Features f;
  for (std::int32_t i = 0; i < rows; ++i) {
    for (std::int32_t j = 0; j < columns; ++j) {
      const std::size_t place = static_cast<std::size_t>(i) * width + static_cast<std::size_t>(j);
      const float guess = describe(i, j, place, f);
      if (guess < least_guess && !(f[both_content] > 0 && f[siblings] > 0) && !(f[opposite] > 0) && f[letters_alike] <= alike_enough &&
          !(f[contained] > 0) && f[prior] < least_prior)
        continue;
      found.grid[place] = guess;
      place_of[place] = static_cast<std::int32_t>(known.size());
      known.push_back(f);
    }
  }
  const auto is_strong = [&](std::int32_t i, std::int32_t j) {
    return i >= 0 && j >= 0 && i < rows && j < columns &&
           found.grid[static_cast<std::size_t>(i) * width + static_cast<std::size_t>(j)] >= linked;
  };
  for (std::int32_t i = 0; i < rows; ++i) {
    for (std::int32_t j = 0; j < columns; ++j) {
      const std::size_t place = static_cast<std::size_t>(i) * width + static_cast<std::size_t>(j);
      if (place_of[place] >= 0) {
        found.cells.push_back({i, j});
        found.features.push_back(known[static_cast<std::size_t>(place_of[place])]);
      } else if (!((facts.flags[source.begin[i]] | facts.flags[target.begin[j]]) & is_mark) &&
                 (is_strong(i - 1, j - 1) || is_strong(i + 1, j + 1))) {
        // A word without evidence of its own may be linked by what its neighbours are linked to.
        describe(i, j, place, f);
        found.cells.push_back({i, j});
        found.features.push_back(f);
      }
    }
  }
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
  }
}

}  // namespace paragauge::links
