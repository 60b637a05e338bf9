// Non-overlapping matches of phrases that share a set, between a candidate and its references (ParaEval's first tier),
// and of single words among what they leave over (its second tier).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "phrases/index.hpp"

namespace paragauge {

// Which sets the phrases of one table belong to. Phrase p has the sets sets[rows[p] .. rows[p + 1]); sets with a single
// member need not be listed, since a phrase that is `known` matches itself anyhow.
struct PhraseSets {
  PhraseIndex index;
  const std::int64_t* rows;
  const std::int32_t* sets;
  const std::uint8_t* known;
  std::int64_t set_count;
};

struct CoverOptions {
  std::int32_t min_length;   // words of a phrase that may match
  std::int64_t exact_steps;  // 0: greedy; else the most steps of the search for the best cover
};

// A phrase of the candidate and a phrase of one reference.
struct PhraseMatch {
  std::int32_t reference, candidate_begin, candidate_length, reference_begin, reference_length;
  bool counts;  // false: the phrase was clipped
};

enum class WordMark : std::uint8_t { none = 0, word = 1, phrase = 2 };

// What a candidate shares with some references.
struct Cover {
  std::vector<PhraseMatch> matches;
  std::vector<WordMark> candidate;                // a mark for each word
  std::vector<std::vector<WordMark>> references;  // likewise; words are marked against a single reference only
  std::int64_t matched = 0;      // words of the candidate
  std::int64_t paraphrased = 0;  // of these, in phrases that no reference has as they are
  bool proven = true;            // false: the search for the best cover was broken off
};

using WordList = std::vector<std::string_view>;

// Finds covers, one segment after another; keeps what it can use again. The words must be pieces of texts, with single
// spaces between them, that live as long as the finder.
class CoverFinder {
 public:
  CoverFinder(const std::vector<PhraseSets>& tables, const CoverOptions& options);
  ~CoverFinder();
  CoverFinder(const CoverFinder&) = delete;
  CoverFinder& operator=(const CoverFinder&) = delete;

  // Looks all phrases of a segment up.
  void load(const WordList& candidate, const std::vector<WordList>& references);

  // The cover of the loaded candidate by all of its references together, clipped by linked phrases.
  const Cover& cover_all();

  // The cover by one reference alone.
  const Cover& cover_one(std::int32_t reference);

 private:
  struct State;
  State* state_;
};

}  // namespace paragauge
