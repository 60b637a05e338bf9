// Is it English? What n-gram models and small words say against a candidate: paragauge.judges.fluency has the ideas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lm/model.hpp"

namespace paragauge::judges {

// A token as the judge sees it: a word, a mark between words, or neither.
struct FluencyToken {
  std::u32string word;  // empty for a token that is none
  std::uint64_t hash = 0;  // of the word
  lm::Word grammar = 0, wording = 0;  // its classes in both models, lm::unknown_word for one that they do not know
  bool is_small = false, is_mark = false;
};

using FluencySentence = std::vector<const FluencyToken*>;

// An n-gram model of classes, and how frequent each class is anywhere, as log10.
struct Expectations {
  const lm::Model& model;
  const float* log10_shares;
  lm::Word mark;  // the class of marks
};

struct FluencySettings {
  double easy_end = 0;             // surprise up to which an end is none
  double usual_small_share = 0;    // of small words among words
  double spared_small_share = 0;   // that may be missing by chance, times the square root of the number of words
  double telegram_floor = 0;       // what missing small words cost without any surprise
  double faultless_places = 0;     // that are counted besides the new ones
};

// A candidate, place by place: its words and its end.
struct FluencyPlaces {
  std::vector<std::uint8_t> is_new;  // whether the original lacks the word right after the word before
  std::vector<double> grammar, wording;  // surprises of both models
  int doubled = 0;  // new words that are the same as the word before
};

struct FluencyLosses {
  double grammar, wording, ending, doubling, telegram;
};

class Fluency {
 public:
  Fluency(const Expectations& grammar, const Expectations& wording, const FluencySettings& settings)
      : grammar_(grammar), wording_(wording), settings_(settings) {}

  bool knows(const FluencyToken& token) const {  // whether its classes are among those of the models
    const auto has = [](const Expectations& expected, lm::Word word) { return word >= 0 && word < expected.model.words(); };
    return has(grammar_, token.grammar) && has(wording_, token.wording);
  }
  FluencyPlaces places(const FluencySentence& candidate, const FluencySentence& original) const;
  FluencyLosses losses(const FluencySentence& candidate, const FluencySentence& original) const;

 private:
  Expectations grammar_, wording_;
  FluencySettings settings_;
};

// The sum of all numbers, of which there is at least one, in the order in which NumPy's `add.reduceat` takes them.
double sum_in_pairs(const std::vector<double>& numbers);

}  // namespace paragauge::judges
