// Counting the n-grams of a corpus, all orders at once.
#pragma once

#include <cstdint>
#include <vector>

#include "base/sequences.hpp"
#include "lm/trie.hpp"

namespace paragauge::lm {

// How often each n-gram occurs, with one <s> before and one </s> after every sentence.
//
// The positions of the corpus are sorted by the n words that begin there; one pass over the sorted positions then
// finds the n-grams of all orders, sorted. Time: that of sorting, O(tokens log tokens) times at most the order. Memory:
// 20 bytes a token while sorting (and 4 of the input), and then 20 bytes for each different n-gram.
struct NgramCounts {
  Trie trie;
  std::vector<std::vector<std::uint32_t>> count;
  // What Kneser-Ney counts: in the highest order, and for n-grams that begin with <s>, occurrences; else in how many
  // different words' company (to the left) the n-gram occurs. <s> by itself is never predicted and has 0.
  std::vector<std::vector<std::uint32_t>> adjusted;

  // How many n-grams of this order have the count 1, 2, ..., up_to. <s> by itself is not among them.
  std::vector<std::int64_t> counts_of_counts(int order, bool adjusted_counts, int up_to) const;
};

// Words are numbers below *words*; the first three are reserved (lm/trie.hpp) and may not occur in sentences.
NgramCounts count_ngrams(Sequences sentences, std::int64_t words, int order, int threads);

}  // namespace paragauge::lm
