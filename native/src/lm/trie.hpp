// N-grams of all orders as sorted arrays, one level an order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace paragauge::lm {

using Word = std::int32_t;
using Node = std::uint32_t;  // position of an n-gram in its level

// The first words of every vocabulary.
constexpr Word unknown_word = 0;
constexpr Word sentence_begin = 1;
constexpr Word sentence_end = 2;
constexpr Word first_ordinary_word = 3;

constexpr int highest_order = 64;
constexpr std::size_t most_ngrams = 0xfffffff0u;  // of one order, so that a Node can count them

// The n-grams of one order in lexicographic order of their words: those that begin alike are neighbours, and the
// children of a node (the n-grams that are one word longer) are a range of the next level, ascending by last word.
struct Level {
  std::vector<Word> word;         // the last word of each n-gram
  std::vector<Node> first_child;  // size() + 1 entries; empty in the highest order
  std::vector<Node> suffix;       // the n-gram without its first word, in the level below; empty in level 1

  std::size_t size() const { return word.size(); }
};

// levels[n - 1] has the n-grams of order n; in level 1 the node of a word is the word.
struct Trie {
  std::vector<Level> levels;

  int order() const { return static_cast<int>(levels.size()); }
};

// Fills in Level::suffix. Every n-gram's suffix must be there.
void link_suffixes(Trie& trie, int threads);

// log10 of probabilities and back-off weights, for each node of each level of a trie.
struct Probabilities {
  std::vector<std::vector<float>> log10_p;        // not a number: the n-gram is left out, and all its children
  std::vector<std::vector<float>> log10_backoff;  // one level less
};

}  // namespace paragauge::lm
