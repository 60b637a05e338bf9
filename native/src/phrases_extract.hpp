// All phrase pairs that are consistent with the word links of a sentence pair (Och and Ney 2004).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "phrases_lexical.hpp"
#include "phrases_links.hpp"

namespace paragauge {

// The text of words by their number: word n is text[offsets[n] .. offsets[n + 1]).
struct Words {
  const char* text;
  const std::int64_t* offsets;  // count + 1 entries
  std::int64_t count;
};

// Many strings one after another, as Arrow lays them out.
struct Strings {
  std::vector<char> text;
  std::vector<std::int64_t> offsets{0};

  void end() { offsets.push_back(static_cast<std::int64_t>(text.size())); }
  void reserve(std::size_t strings, std::size_t bytes);  // for so many more
  void append(const Strings& other);
};

// One row for each occurrence of a phrase pair.
struct PhraseRows {
  Strings source, target;
  // "0-0 1-1", from the beginning of the phrases. With lexical weights there are eight characters before it, such that
  // the smallest text of a phrase pair is its alignment with the highest weight (in both directions multiplied).
  Strings alignment;
  std::vector<double> direct_lexical, inverse_lexical;

  std::int64_t size() const { return static_cast<std::int64_t>(source.offsets.size()) - 1; }
  void reserve(const std::vector<PhraseRows>& more);  // room for all of these, once
  void append(const PhraseRows& other);
};

struct ExtractionOptions {
  std::int32_t max_length;  // of both phrases, in words
  bool alignments;          // fill PhraseRows::alignment
  std::int64_t max_rows;    // stop after the round of sentence pairs that reaches it; at least one round is done
  int threads;
};

// Appends the phrase pairs of the sentence pairs from `first` on, in order, and returns the first pair not done.
// Lexical weights are filled if `lexical` is given. The rows do not depend on the number of threads.
std::int64_t extract_phrases(const LinkedBitext& bitext, std::int64_t first, const Words& source_words,
                             const Words& target_words, const LexicalCounts* lexical,
                             const ExtractionOptions& options, PhraseRows& rows);

}  // namespace paragauge
