// Links between words that are equal, have the same stem, are synonyms or paraphrases: METEOR's stages.
#pragma once

#include <cstdint>
#include <vector>

#include "base/sequences.hpp"
#include "matching/word_links.hpp"

namespace paragauge {

enum Stage { kExact, kStem, kSynonym, kParaphrase };
constexpr int kStages = 4;

// What is known of each word of the vocabulary.
struct WordClasses {
  const std::int32_t* stems;
  const std::int32_t* synsets;  // of all words, rising within a word
  const std::int64_t* synset_offsets;
};

struct StageOptions {
  bool stem, synonym;
  bool joint;  // METEOR 1.5: the first three stages at once, in few chunks; or each on what the one before left over
  SearchLimits limits;
};

struct StagedLinks {
  std::vector<WordLink> links;  // sorted by i
  bool proven;
};

// `paraphrases` are possible links between phrases, in any order.
StagedLinks link_words(Span candidate, Span reference, const WordClasses& classes, const std::vector<WordLink>& paraphrases,
                       const StageOptions& options);

// What links cover of one side of their pair.
struct Covered {
  double matched = 0.0;  // weights of the covered words, each times that of its stage
  double total = 0.0;    // weights of all words
  std::int64_t words = 0;
};

// Adds the weights up in the order of the links and of the words.
Covered covered_weights(Span sentence, const std::vector<WordLink>& links, bool of_reference, const double* word_weights,
                        const double* stage_weights);

}  // namespace paragauge
