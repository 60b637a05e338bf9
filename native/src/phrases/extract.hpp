// All phrase pairs that are consistent with the word links of a sentence pair (Och and Ney 2004).
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "base/strings.hpp"
#include "phrases/lexical.hpp"
#include "phrases/links.hpp"

namespace paragauge {

// The phrase pairs of some sentence pairs, one for each occurrence, in order.
struct Occurrences {
  struct Piece {
    std::int64_t begin;
    std::int32_t length;
    std::int32_t number;  // of this string among all; for who counts to fill in
    std::uint64_t hash;
  };
  struct Pair {
    std::uint32_t source;  // its place among the sources
    // The smaller, the higher the weight (in both directions multiplied); 0 without weights.
    std::uint32_t rank;
    double direct_lexical, inverse_lexical;
  };

  std::vector<char> text;
  std::vector<Piece> sources;              // neighbours share one
  std::vector<Piece> targets, alignments;  // of each pair; "0-0 1-1", from the beginning of the phrases
  std::vector<Pair> pairs;

  std::string_view operator[](const Piece& piece) const {
    return {text.data() + piece.begin, static_cast<std::size_t>(piece.length)};
  }
  void clear();
};

// A sentence pair with more phrases than memory and time should be risked for: long, and without a limit on their
// length. The words of all its phrases are counted, too: each is read as often as it occurs in one.
struct TooManyPhrases : std::length_error {
  explicit TooManyPhrases(std::int64_t number) : std::length_error("too many phrases"), pair(number) {}
  std::int64_t pair;
};
constexpr std::size_t most_pairs_of_sentence = std::size_t{1} << 22, most_text_of_sentence = std::size_t{1} << 27;
constexpr std::int64_t most_words_of_sentence = std::int64_t{1} << 29;

// Appends the phrase pairs of the sentence pairs [begin, end), phrases of at most max_length words. Throws TooManyPhrases.
void extract_phrases(const LinkedText& text, std::int64_t begin, std::int64_t end, std::int32_t max_length,
                     Occurrences& found);

}  // namespace paragauge
