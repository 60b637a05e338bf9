// Evidence that two words of two sentences in one language say the same: what is known of the words, and what stands
// around them. Every number is the same if the sentences are exchanged.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
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
  const std::int32_t* parts;    // of speech; only the first part_count have evidence of their own
  const std::int32_t* common;   // numbers of common function words and marks, below common_count
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

  // Of rows; `product` is that of their codes.
  std::int32_t product(std::int32_t one, std::int32_t other) const;
  float cosine(std::int32_t one, std::int32_t other, std::int32_t product) const;
};

// Some bits of numbers: sets without a bit in common have no number in common.
class NumberBits {
 public:
  void add(Span numbers) {
    for (const std::int32_t* number = numbers.begin; number != numbers.end; ++number) parts_[part(*number)] |= bit(*number);
  }
  bool has(std::int32_t number) const { return (parts_[part(number)] & bit(number)) != 0; }
  bool meet(const NumberBits& other) const {
    std::uint64_t both = 0;
    for (std::size_t k = 0; k < parts_.size(); ++k) both |= parts_[k] & other.parts_[k];
    return both != 0;
  }

 private:
  static std::uint32_t mixed(std::int32_t number) { return static_cast<std::uint32_t>(number) * 0x9e3779b1u >> 23; }
  static std::size_t part(std::int32_t number) { return mixed(number) / 64; }
  static std::uint64_t bit(std::int32_t number) { return std::uint64_t{1} << (mixed(number) % 64); }
  std::array<std::uint64_t, 8> parts_{};
};

// What two words must have something in common of to form a cell, in a form that is quick to compare.
struct Glance {
  std::int32_t form, lemma, stem, number, entry, flags, length, first_letter, last_letter, more_letters = 0;
  std::uint64_t letters = 0;  // classes of letters that are there, and there twice
  bool related;               // to others in the lexicon
  NumberBits synsets, kinds, others;
  float scale = 0, trust = 0;  // of the vector; 0 if there is none

  Glance(const WordFacts& facts, const Vectors& vectors, std::int32_t word);
  // Whether the letters may be alike enough, or one word a part of the other.
  bool may_be_spelt_like(const Glance& other) const;
  // What the lexicon may say of the two.
  bool may_be_related(const Glance& other) const;
  bool may_be_synonym(const Glance& other) const { return synsets.meet(other.synsets); }
  bool may_be_sibling(const Glance& other) const { return kinds.meet(other.kinds); }
  bool may_name(const Glance& other) const { return kinds.has(other.entry) || others.has(other.entry); }
  // Whether more has to be known to tell whether this word and another form a cell. `product` is that of their vectors.
  bool may_be_cell(const Glance& other, std::int32_t product) const;
};

// Phrases with the same meaning: row p holds the numbers of phrase p's paraphrases and their scores.
struct Paraphrases {
  PhraseIndex phrases{nullptr, 0, nullptr, 0};
  const PhraseNumbers* numbers = nullptr;  // none: no table
  const std::int64_t* rows = nullptr;
  const std::int32_t* targets = nullptr;
  const double* scores = nullptr;
};

constexpr int part_count = 11, common_count = 40;

// The evidence of one cell, the words i and j. The first of them concern the two words alone.
enum Feature : int {
  same_form, same_case, same_lemma, same_stem, same_number, other_number, letters_alike, common_start, common_end, contained,
  synonym, derived, more_general, siblings, opposite, translations, have_vectors, paraphrase, phrase_paraphrase,
  same_part, both_content, both_function, content_and_function, both_marks, both_names, one_name, rarity, rarity_gap,
  acronym,
  word_evidence_end,
  own = word_evidence_end,  // what the round before thought of the cell
  before, after, two_before, two_after, crossing, beside_most, beside_least, rival_most, rival_least, rivals_sum_most,
  rivals_sum_least, content_before, content_after, around, after_left, before_right, position, repeated, shortness,
  length_ratio, at_start, at_end, gap_sides, gap_single, gap_short, gap_long, gap_best, gap_mean, gap_content_most, gap_content_least,
  prior,
  first_part,  // how many of both words are of this part of speech, by half
  first_common = first_part + part_count,
  feature_count = first_common + common_count
};


// Their names, in this order: models record which evidence they were made for.
std::vector<std::string> feature_names();

using Features = std::array<float, feature_count>;

struct Cell {
  std::int32_t i, j;
  std::size_t slot = 0;  // of its evidence, which stays where it is when cells come and go
};

// The cells of a pair of sentences that may be links, and what the words themselves tell of them.
struct Evidence {
  std::int32_t rows = 0, columns = 0;
  std::vector<Cell> cells;          // in order of i, then j
  std::vector<Features> features;   // by slot
  std::vector<float> first;         // by slot: probabilities after the first round
  std::vector<float> grid;          // rows x columns; 0 where there is no cell
  std::vector<float> word_scores, phrase_scores;  // rows x columns, from the paraphrase table
  std::vector<std::uint8_t> acronyms;             // rows x columns
  std::vector<std::uint8_t> is_cell;              // rows x columns
  std::vector<Glance> ours, theirs;               // of the words of both sentences

  std::size_t place(Cell cell) const {
    return static_cast<std::size_t>(cell.i) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(cell.j);
  }
  // Fills in what the cells around each tell, by the grid.
  void look_around(const WordFacts& facts, Span source, Span target);
  // Forgets the cells that are below `least` in the grid.
  void drop(float least);
  // Cells that are not among them yet, though the grid makes them likely: between words that are surely linked, and
  // beside links of a neighbour.
  std::vector<Cell> likely_cells(const WordFacts& facts, Span source, Span target) const;

 private:
  // Words without anchor that follow one another.
  struct Run {
    std::int32_t begin, end;
  };
  // Two runs whose neighbours are anchors of each other, on one side or both.
  struct Gap {
    std::int32_t sides = 0;
    float best = 0, second = 0, sum = 0;
  };
  // The word that each word is surely linked to, and it to that; -1 where there is none.
  std::vector<std::int32_t> anchors() const;
  void find_runs(const std::vector<std::int32_t>& anchors, std::vector<Run>& row_runs, std::vector<Run>& column_runs) const;
  std::int32_t sides(Run rows, Run columns, const std::vector<std::int32_t>& anchors) const;
  std::vector<std::int32_t> nearest_content(const WordFacts& facts, Span words, bool to_the_right) const;

  std::vector<float> margins;  // room to work in
};

class EvidenceFinder {
 public:
  EvidenceFinder(const Vectors& vectors, const Paraphrases& paraphrases) : vectors_(vectors), paraphrases_(paraphrases) {}

  // Fills `found`; its grid holds a first guess. `prior`, if any, has rows x columns numbers from elsewhere.
  void find(const WordFacts& facts, Span source, Span target, const float* prior, Evidence& found) const;
  // Adds the cells that the grid now suggests.
  void add_likely(const WordFacts& facts, Span source, Span target, const float* prior, Evidence& found) const;

 private:
  float describe(const WordFacts& facts, Span source, Span target, const float* prior, const Evidence& found, Cell cell,
                 std::int32_t product, Features& features) const;
  void add(const WordFacts& facts, Span source, Span target, Cell cell, Features& features, Evidence& found) const;
  void mark_acronyms(const WordFacts& facts, Span source, Span target, Evidence& found) const;
  // Fills in what the two words alone tell, and returns a first guess. `product` is that of their vectors.
  float compare(const WordFacts& facts, std::int32_t a, std::int32_t b, const Glance& at_a, const Glance& at_b,
                std::int32_t product, Features& features) const;
  void mark_paraphrases(const WordFacts& facts, Span source, Span target, Evidence& found) const;

  Vectors vectors_;
  Paraphrases paraphrases_;
};

}  // namespace paragauge::links
