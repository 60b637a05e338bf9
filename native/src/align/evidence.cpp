#include "align/evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/portable.hpp"

namespace paragauge::links {
namespace {

constexpr int longest_phrase = 4;
constexpr std::int64_t longest_acronym = 8;  // letters and dots
// Below these, evidence alone makes no cell: of words, of letters, and from elsewhere.
constexpr float least_guess = 0.1f, alike_enough = 0.6f, least_prior = 0.05f;
constexpr float least_square = 0.099f;  // of the likeness of vectors: a little less than the guess needs
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

// Vectors of the words of a sentence side by side, as the machine multiplies them best; 0 for words without.
class SentenceVectors {
 public:
  SentenceVectors(const WordFacts& facts, const Vectors& vectors, Span sentence)
      : width_((static_cast<std::size_t>(vectors.width) + 15) / 16 * 16),
        codes_(width_ * static_cast<std::size_t>(sentence.size()), 0) {
    for (std::int64_t place = 0; place < sentence.size(); ++place) {
      const std::int32_t row = facts.vectors[sentence.begin[place]];
      if (row >= 0) std::copy_n(vectors.codes + row * vectors.width, vectors.width, codes_.begin() + place * static_cast<std::ptrdiff_t>(width_));
    }
  }

  std::size_t width() const { return width_; }
  const std::int16_t* operator[](std::int32_t place) const { return codes_.data() + static_cast<std::size_t>(place) * width_; }

 private:
  std::size_t width_;
  std::vector<std::int16_t> codes_;
};

PARAGAUGE_WIDE_VECTORS
void multiply(const std::int16_t* one, const std::int16_t* others, std::size_t width, std::vector<std::int32_t>& products) {
  for (std::int32_t& product : products) {
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < width; ++k) sum += static_cast<std::int32_t>(one[k]) * others[k];
    product = sum;
    others += width;
  }
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

std::int32_t Vectors::product(std::int32_t one, std::int32_t other) const {
  if (one < 0 || other < 0) return 0;
  const std::int8_t* a = codes + one * width;
  const std::int8_t* b = codes + other * width;
  std::int32_t sum = 0;
  for (std::int64_t k = 0; k < width; ++k) sum += static_cast<std::int32_t>(a[k]) * b[k];
  return sum;
}

float Vectors::cosine(std::int32_t one, std::int32_t other, std::int32_t product) const {
  return static_cast<float>(product) * scales[one] * scales[other];
}

Glance::Glance(const WordFacts& facts, const Vectors& vectors, std::int32_t word)
    : form(facts.forms[word]), lemma(facts.lemmas[word]), stem(facts.stems[word]), number(facts.numbers[word]),
      entry(facts.entries[word]), flags(facts.flags[word]) {
  const Span spelt = facts.letters[word];
  length = static_cast<std::int32_t>(spelt.size());
  first_letter = length > 0 ? spelt.begin[0] : -1;
  last_letter = length > 0 ? spelt.end[-1] : -1;
  for (const std::int32_t* letter = spelt.begin; letter != spelt.end; ++letter) {
    const std::uint64_t once = std::uint64_t{1} << (*letter & 31), twice = once << 32;
    more_letters += (letters & twice) != 0;
    letters |= letters & once ? twice : once;
  }
  const Span synonyms = facts.synsets[word], general = facts.kinds[word];
  const Span derivations = facts.derived[word], opposites = facts.opposites[word];
  synsets.add(synonyms);
  kinds.add(general);
  others.add(derivations);
  others.add(opposites);
  related = synonyms.size() + general.size() + derivations.size() + opposites.size() > 0;
  if (const std::int32_t row = facts.vectors[word]; row >= 0) {
    scale = vectors.scales[row];
    trust = vectors.trust[row];
  }
}

bool Glance::may_be_spelt_like(const Glance& other) const {
  if (first_letter == other.first_letter || last_letter == other.last_letter) return true;
  const int common = count_bits(letters & other.letters) + std::min(more_letters, other.more_letters);
  static_assert(alike_enough == 0.6f);
  return 10 * common > 3 * (length + other.length);  // not 2 common <= 0.6 of both lengths
}

bool Glance::may_be_related(const Glance& other) const {
  return entry >= 0 && other.entry >= 0 && (related || other.related) &&
         (may_be_synonym(other) || may_be_sibling(other) || may_name(other) || other.may_name(*this));
}

bool Glance::may_be_cell(const Glance& other, std::int32_t product) const {
  if (form == other.form) return true;
  if ((flags | other.flags) & is_mark) return flags & other.flags & is_mark;
  if (lemma == other.lemma || stem == other.stem || (number >= 0 && number == other.number)) return true;
  const float alike = static_cast<float>(product) * scale * other.scale * std::min(trust, other.trust);
  return alike * alike >= least_square || may_be_spelt_like(other) || may_be_related(other);
}

void EvidenceFinder::mark_paraphrases(const WordFacts& facts, Span source, Span target, Evidence& found) const {
  const auto columns = static_cast<std::size_t>(target.size());
  found.word_scores.assign(static_cast<std::size_t>(source.size()) * columns, 0.0f);
  found.phrase_scores.assign(found.word_scores.size(), 0.0f);
  if (paraphrases_.numbers == nullptr) return;
  struct Place {
    std::int32_t number, begin, length;
  };
  std::string text;
  const auto places = [&](Span sentence) {
    std::vector<Place> all;
    const auto size = static_cast<std::int32_t>(sentence.size());
    for (std::int32_t begin = 0; begin < size; ++begin) {
      text.clear();
      for (std::int32_t length = 1; length <= longest_phrase && begin + length <= size; ++length) {
        const std::int32_t word = sentence.begin[begin + length - 1];
        if (facts.flags[word] & is_mark) break;
        if (length > 1) text += ' ';
        text += facts.text[word];
        const std::int32_t number = (*paraphrases_.numbers)[text];
        if (number >= 0) all.push_back({number, begin, length});
      }
    }
    std::sort(all.begin(), all.end(), [](const Place& one, const Place& other) { return one.number < other.number; });
    return all;
  };
  const auto mark = [&](const Place& ours, const Place& theirs, float strength) {
    std::vector<float>& grid = ours.length == 1 && theirs.length == 1 ? found.word_scores : found.phrase_scores;
    for (std::int32_t i = ours.begin; i < ours.begin + ours.length; ++i)
      for (std::int32_t j = theirs.begin; j < theirs.begin + theirs.length; ++j) {
        float& cell = grid[static_cast<std::size_t>(i) * columns + static_cast<std::size_t>(j)];
        cell = std::max(cell, strength);
      }
  };
  // The scores of both directions are in different rows of the table.
  const auto look_up = [&](const std::vector<Place>& ones, const std::vector<Place>& others, bool turned) {
    std::array<std::uint64_t, 16> among{};  // a bit for some of the numbers each: most paraphrases are not there
    const auto bit = [](std::int32_t number) { return std::uint64_t{1} << (number & 63); };
    const auto part = [](std::int32_t number) { return static_cast<std::size_t>(number >> 6) % 16; };
    for (const Place& other : others) among[part(other.number)] |= bit(other.number);
    for (const Place& one : ones) {
      for (std::int64_t k = paraphrases_.rows[one.number]; k < paraphrases_.rows[one.number + 1]; ++k) {
        const std::int32_t wanted = paraphrases_.targets[k];
        if (!(among[part(wanted)] & bit(wanted))) continue;
        auto other = std::lower_bound(others.begin(), others.end(), wanted,
                                      [](const Place& place, std::int32_t number) { return place.number < number; });
        if (other == others.end() || other->number != wanted) continue;
        const double score = std::max(paraphrases_.scores[k], 1e-4);
        const auto strength = static_cast<float>(std::max(0.0, 1.0 + std::log10(score) / 4.0));
        for (; other != others.end() && other->number == wanted; ++other)
          turned ? mark(*other, one, strength) : mark(one, *other, strength);
      }
    }
  };
  const std::vector<Place> ours = places(source), theirs = places(target);
  look_up(ours, theirs, false);
  look_up(theirs, ours, true);
}

float EvidenceFinder::compare(const WordFacts& facts, std::int32_t a, std::int32_t b, const Glance& at_a, const Glance& at_b,
                              std::int32_t product, Features& f) const {
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
    if (at_a.may_be_related(at_b)) {
      const bool names = at_a.may_name(at_b), named = at_b.may_name(at_a);
      const auto among = [&](const Sequences& related) {
        return (names && contains(related[a], facts.entries[b])) || (named && contains(related[b], facts.entries[a]));
      };
      if (at_a.may_be_synonym(at_b) && intersect(facts.synsets[a], facts.synsets[b])) f[synonym] = 1.0f;
      if (among(facts.derived)) f[derived] = 1.0f;
      if (among(facts.kinds)) f[more_general] = 1.0f;
      if (at_a.may_be_sibling(at_b) && intersect(facts.kinds[a], facts.kinds[b])) f[siblings] = 1.0f;
      if (among(facts.opposites)) f[opposite] = 1.0f;
    }
    if (facts.vectors[a] >= 0 && facts.vectors[b] >= 0) {
      f[have_vectors] = 1.0f;
      f[translations] = std::max(0.0f, vectors_.cosine(facts.vectors[a], facts.vectors[b], product)) *
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
                               const Evidence& found, Cell cell, std::int32_t product, Features& f) const {
  const std::size_t place = found.place(cell);
  const float guess = compare(facts, source.begin[cell.i], target.begin[cell.j], found.ours[static_cast<std::size_t>(cell.i)],
                              found.theirs[static_cast<std::size_t>(cell.j)], product, f);
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
  found.cells.push_back({cell.i, cell.j, found.features.size()});
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
  mark_paraphrases(facts, source, target, found);
  mark_acronyms(facts, source, target, found);
  const auto glance = [&](Span sentence, std::vector<Glance>& glances) {
    glances.clear();
    for (const std::int32_t* word = sentence.begin; word != sentence.end; ++word) glances.emplace_back(facts, vectors_, *word);
  };
  glance(source, found.ours);
  glance(target, found.theirs);
  const SentenceVectors our_vectors(facts, vectors_, source), their_vectors(facts, vectors_, target);
  std::vector<std::int32_t> products(found.theirs.size());
  Features f;
  for (std::int32_t i = 0; i < rows; ++i) {
    multiply(our_vectors[i], their_vectors[0], their_vectors.width(), products);
    for (std::int32_t j = 0; j < columns; ++j) {
      const std::size_t place = found.place({i, j});
      const bool elsewhere = found.word_scores[place] > 0 || found.phrase_scores[place] > 0 || found.acronyms[place] ||
                             (prior_grid != nullptr && prior_grid[place] >= least_prior);
      const std::int32_t product = products[static_cast<std::size_t>(j)];
      if (!elsewhere && !found.ours[static_cast<std::size_t>(i)].may_be_cell(found.theirs[static_cast<std::size_t>(j)], product)) continue;
      const float guess = describe(facts, source, target, prior_grid, found, {i, j}, product, f);
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
    const std::int32_t product = vectors_.product(facts.vectors[source.begin[cell.i]], facts.vectors[target.begin[cell.j]]);
    describe(facts, source, target, prior_grid, found, cell, product, f);
    add(facts, source, target, cell, f, found);
  }
  std::inplace_merge(found.cells.begin(), found.cells.begin() + known, found.cells.end(), [&](const Cell& one, const Cell& other) {
    return found.place(one) < found.place(other);
  });
}

void Evidence::drop(float least) {
  const auto dropped = [&](const Cell& cell) {
    float& value = grid[place(cell)];
    if (!(value < least)) return false;
    value = 0.0f;
    return true;
  };
  cells.erase(std::remove_if(cells.begin(), cells.end(), dropped), cells.end());
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
    const auto [i, j, slot] = cells[k];
    const float value = grid[place(cells[k])];
    row_best[static_cast<std::size_t>(i)].add(value, j);
    column_best[static_cast<std::size_t>(j)].add(value, i);
    if (features[slot][same_form] > 0) {
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
    const float value = grid[place(cell)];
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
  // The grid with a margin of zeros, so that there is something around each cell.
  constexpr std::int32_t margin = 3;
  const std::ptrdiff_t stride = columns + 2 * margin;
  margins.assign(static_cast<std::size_t>(stride * (rows + 2 * margin)), 0.0f);
  float* const middle = margins.data() + margin * stride + margin;
  for (std::int32_t i = 0; i < rows; ++i) std::copy_n(grid.begin() + i * static_cast<std::ptrdiff_t>(columns), columns, middle + i * stride);
  const float short_side = static_cast<float>(std::min(rows, columns)), long_side = static_cast<float>(std::max(rows, columns));
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const auto [i, j, slot] = cells[k];
    const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
    Features& f = features[slot];
    const float* const here = middle + i * stride + j;
    f[own] = here[0];
    f[at_start] = i == 0 && j == 0 ? 1.0f : 0.0f;
    f[at_end] = i == rows - 1 && j == columns - 1 ? 1.0f : 0.0f;
    f[before] = here[-stride - 1];
    f[after] = here[stride + 1];
    f[two_before] = here[-2 * stride - 2];
    f[two_after] = here[2 * stride + 2];
    f[crossing] = std::max(here[-stride + 1], here[stride - 1]);
    const float upright = std::max(here[-stride], here[stride]), level = std::max(here[-1], here[1]);
    f[beside_most] = std::max(upright, level);
    f[beside_least] = std::min(upright, level);
    const float row_rival = row_best[row].besides(j), column_rival = column_best[column].besides(i);
    f[rival_most] = std::max(row_rival, column_rival);
    f[rival_least] = std::min(row_rival, column_rival);
    const float row_rest = std::min(2.0f, row_best[row].sum - f[own]), column_rest = std::min(2.0f, column_best[column].sum - f[own]);
    f[rivals_sum_most] = std::max(row_rest, column_rest);
    f[rivals_sum_least] = std::min(row_rest, column_rest);
    f[content_before] = middle[i_left[row] * stride + j_left[column]];
    f[content_after] = middle[i_right[row] * stride + j_right[column]];
    float sum = 0;
    for (std::ptrdiff_t di = -margin; di <= margin; ++di)
      for (std::ptrdiff_t dj = -margin; dj <= margin; ++dj)
        if (di != 0 && dj != 0) sum += here[di * stride + dj];
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
