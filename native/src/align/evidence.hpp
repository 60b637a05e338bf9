// Evidence that two words of two sentences in one language say the same: what is known of the words, and what stands
// around them. Every number is the same if the sentences are exchanged.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/sequences.hpp"
#include "base/strings.hpp"
#include "phrases/index.hpp"

namespace paragauge::links {

enum Flag : std::int32_t { is_mark = 1, is_content = 2, is_name = 4 };

// What is known of each word, by its number. Sequences rise; -1 stands for nothing known.
struct WordFacts {
  std::int64_t count;
  const std::int32_t* forms;    // the same for words that differ in case alone
  const std::int32_t* cased;    // the same for words that are written the same
  const std::int32_t* lemmas;
  const std::int32_t* stems;
  const std::int32_t* numbers;  // the same for the same value
  const std::int32_t* parts;    // of speech
  const std::int32_t* flags;
  const std::int32_t* vectors;  // rows of Vectors
  const std::int32_t* entries;  // in the lexicon
  const float* information;     // from 0 to 1
  Sequences letters;            // code points, in lower case
  Sequences synsets;
  Sequences derived;            // entries
  Sequences opposites;          // entries
  Sequences kinds;              // entries of more general words
  Words text;                   // in lower case, to look up phrases
};

// Unit vectors as whole numbers with a factor for each row.
struct Vectors {
  const std::int8_t* codes;
  const float* scales;
  const float* trust;
  std::int64_t rows, width;

  float cosine(std::int32_t one, std::int32_t other) const;
};

// Phrases with the same meaning: row p holds the numbers of phrase p's paraphrases and their scores.
struct Paraphrases {
  PhraseIndex phrases{nullptr, 0, nullptr, 0};
  const PhraseNumbers* numbers = nullptr;  // none: no table
  const std::int64_t* rows = nullptr;
  const std::int32_t* targets = nullptr;
  const double* scores = nullptr;
};

// The evidence of one cell, the words i and j. The first of them concern the two words alone.
enum Feature : int {
  same_form, same_case, same_lemma, same_stem, same_number, other_number, letters_alike, common_start, common_end, contained,
  synonym, derived, more_general, siblings, opposite, translations, have_vectors, paraphrase, phrase_paraphrase,
  same_part, both_content, both_function, content_and_function, both_marks, both_names, one_name, rarity, rarity_gap,
  word_evidence_end,
  own = word_evidence_end,  // what the round before thought of the cell
  before, after, two_before, two_after, crossing, beside_most, beside_least, rival_most, rival_least, rivals_sum_most,
  rivals_sum_least, content_before, content_after, around, after_left, before_right, position, repeated, shortness,
  length_ratio, at_start, at_end, prior,
  feature_count
};

// Their names, in this order: models record which evidence they were made for.
inline constexpr std::array<const char*, feature_count> feature_names = {
    "same_form", "same_case", "same_lemma", "same_stem", "same_number", "other_number", "letters_alike",
    "common_start", "common_end", "contained", "synonym", "derived", "more_general", "siblings", "opposite",
    "translations", "have_vectors", "paraphrase", "phrase_paraphrase", "same_part", "both_content", "both_function",
    "content_and_function", "both_marks", "both_names", "one_name", "rarity", "rarity_gap", "own", "before", "after",
    "two_before", "two_after", "crossing", "beside_most", "beside_least", "rival_most", "rival_least",
    "rivals_sum_most", "rivals_sum_least", "content_before", "content_after", "around", "after_left", "before_right",
    "position", "repeated", "shortness", "length_ratio", "at_start", "at_end", "prior"};

using Features = std::array<float, feature_count>;

struct Cell {
  std::int32_t i, j;
};

// The cells of a pair of sentences that may be links, and what the words themselves tell of them.
struct Evidence {
  std::int32_t rows = 0, columns = 0;
  std::vector<Cell> cells;          // in order of i, then j
  std::vector<Features> features;   // of the cells
  std::vector<float> grid;          // rows x columns; 0 where there is no cell

  // Fills in what the cells around each tell, by the grid.
  void look_around(const WordFacts& facts, Span source, Span target);

 private:
  std::vector<std::int32_t> nearest_content(const WordFacts& facts, Span words, bool to_the_right) const;
  float at(std::int32_t i, std::int32_t j) const {
    return i < 0 || j < 0 || i >= rows || j >= columns ? 0.0f : grid[static_cast<std::size_t>(i) * columns + j];
  }
};

class EvidenceFinder {
 public:
  EvidenceFinder(const Vectors& vectors, const Paraphrases& paraphrases) : vectors_(vectors), paraphrases_(paraphrases) {}

  // Fills `found`; its grid holds a first guess. `prior`, if any, has rows x columns numbers from elsewhere.
  void find(const WordFacts& facts, Span source, Span target, const float* prior, Evidence& found) const;

 private:
  // Fills in what the two words alone tell, and returns a first guess.
  float compare(const WordFacts& facts, std::int32_t a, std::int32_t b, Features& features) const;
  void mark_paraphrases(const WordFacts& facts, Span source, Span target, std::vector<float>& words,
                        std::vector<float>& phrases) const;

  Vectors vectors_;
  Paraphrases paraphrases_;
};

}  // namespace paragauge::links
