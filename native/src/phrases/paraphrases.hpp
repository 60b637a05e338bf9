// Phrases of two sentences that a table holds for paraphrases of each other.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "phrases/index.hpp"

namespace paragauge {

// Phrase p has the paraphrases numbers[rows[p] .. rows[p + 1]), each with a score.
struct Paraphrases {
  PhraseIndex index;
  const std::int64_t* rows;
  const std::int32_t* numbers;
  const double* scores;
  std::int64_t pairs;
};

// Words [i, i + i_length) of one sentence and [j, j + j_length) of another.
struct PhraseLink {
  std::int32_t i, j, i_length, j_length;
};

// Finds the places where a phrase of one sentence has a paraphrase in another, one pair of sentences after another.
class ParaphraseFinder {
 public:
  // Phrases of up to max_length words, and paraphrases with a score of at least `least`; `first_words` are of the table's index.
  ParaphraseFinder(const Paraphrases& table, FirstWords& first_words, std::int64_t max_length, double least)
      : table_(table), first_words_(first_words), max_length_(max_length), least_(least) {}

  // Appends links, those of shorter phrases of `one` first, then by place, number of the paraphrase and its place. No
  // phrase is its own paraphrase.
  void find(const std::vector<std::string_view>& one, const std::vector<std::string_view>& other,
            std::vector<PhraseLink>& links);

 private:
  struct Place {
    std::int64_t number;
    std::int32_t begin, length;
  };
  void look_up(const std::vector<std::string_view>& words, std::vector<Place>& places) const;

  Paraphrases table_;
  FirstWords& first_words_;
  std::int64_t max_length_;
  double least_;
  std::vector<Place> own_, theirs_;
  std::vector<std::int64_t> found_;
};

}  // namespace paragauge
