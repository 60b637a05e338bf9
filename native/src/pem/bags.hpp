// Sentences as networks of pivot phrases, and the bags of pivot n-grams that these stand for (Liu, Dahlmeier and Ng, 2010).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "matching/ngrams.hpp"
#include "phrases/index.hpp"

namespace paragauge::pem {

// The columns of a phrase table that PEM reads, mapped from files and checked as they are used.
struct PivotTable {
  PhraseIndex sources, targets;
  const std::int64_t* source_totals;  // N(e)
  const std::int64_t* source_rows;    // where the pairs of each source phrase begin, and the end
  const std::int32_t* pair_targets;   // by source, falling count within it
  const std::int64_t* pair_counts;    // N(e, f)
  std::int64_t pairs;
  double total;  // the sum of N(e)
};

struct BagOptions {
  double unseen = 0.5;      // N of a single word that the table does not know
  double unknown = 1.0;     // the weight of the edge of such a word, which is the word itself
  double min_edge = 0.1;    // edges must be more probable than this; if none is, the most probable stays
  double min_weight = 0.01;  // n-grams must weigh more than this in the end
  int max_order = 4;
};

struct Edge {
  std::string_view text;
  double probability;
};

// Phrases in series, the pivot phrases of each in parallel.
struct Network {
  Segmentation segmentation;
  std::vector<Edge> edges;
  std::vector<std::size_t> starts;  // edges[starts[k] .. starts[k + 1]) belong to phrase k

  void clear();
};

// The network of a sentence, whose words are pieces of one text that must outlive the network.
void build_network(const PivotTable& table, const BagOptions& options, const std::vector<std::string_view>& words,
                   Network& network);

// Numbers for words, given out in order of appearance. The words must outlive it.
class WordNumbers {
 public:
  WordNumbers();
  void clear();
  std::int32_t operator[](std::string_view word);
  std::string_view word(std::int32_t number) const { return words_[static_cast<std::size_t>(number)]; }

 private:
  std::size_t slot_of(std::string_view word) const;

  std::vector<std::int32_t> slots_;
  std::vector<std::size_t> used_;
  std::vector<std::string_view> words_;
};

// The expected counts of the n-grams of two networks, side by side.
//
// Networks are read from left to right. What is open at the border between two phrases are the n-grams of up to
// max_order - 1 words that end there, each once with the summed weight of all ways to read it: since weights multiply along a
// path and add up over paths, nothing else about the past matters. With at most k = 1 / min_edge edges a phrase, a phrase
// costs at most k^max_order steps, and a sentence that times its phrases.
//
// The edges of a phrase weigh 1 together at most, so that an n-gram weighs at most as much as any n-gram inside it. Pairs are weighed first, then triples, then the rest: what
// begins with a triple, or has a pair inside, that is dropped in the end is never read, which leaves all others as they are.
class TwoBags {
 public:
  enum Side { original = 0, candidate = 1 };

  void clear();
  // N-grams of three words and more that weigh min_weight or less may be missing. Throws std::length_error where the bags
  // would outgrow memory.
  void add(Side side, const Network& network, int max_order, double min_weight);

  // For each order: what both share, what the original weighs, what the candidate weighs; n-grams of min_weight or less
  // left out. `sums` has 3 * max_order places.
  void sum_up(double min_weight, int max_order, double* sums) const;

  struct Entry {
    double weight[2] = {0.0, 0.0};
    NgramTrie::Node parent = NgramTrie::root;
    std::int32_t token = -1;
    std::int32_t open = -1;  // its place among the n-grams that are open at the next border
    std::int32_t order = 0;
  };

  const std::vector<Entry>& entries() const { return entries_; }  // the first is the root, no n-gram
  std::string_view word(std::int32_t token) const { return numbers_.word(token); }

 private:
  struct Open {
    NgramTrie::Node node;
    std::int32_t length;
    double weight;
    std::int32_t edge;  // that it ends in; of several, which end in the same word, the first
  };

  // Reads n-grams of up to `longest` words and weighs those of at least `shortest`. With `shortest` above 2, only n-grams
  // whose pairs, and whose first words up to `shortest`, weigh more than `dead`.
  void read(Side side, const Network& network, int shortest, int longest, double dead);
  NgramTrie::Node extend(NgramTrie::Node parent, std::int32_t token);
  NgramTrie::Node single(std::int32_t token);
  void carry(NgramTrie::Node node, std::int32_t length, double weight, std::int32_t edge);

  NgramTrie trie_;
  WordNumbers numbers_;
  std::vector<Entry> entries_{Entry{}};
  std::vector<NgramTrie::Node> singles_;  // of each word, its n-gram of one word; the root if there is none yet
  std::vector<Open> open_, next_;
  std::vector<std::string_view> words_;
  std::vector<std::int32_t> tokens_;      // of all edges, one after the other
  std::vector<std::size_t> token_starts_;  // where those of each edge begin, and the end
  std::vector<std::int32_t> lasts_, next_lasts_;  // the last words of edges
  std::vector<char> alive_;
};

}  // namespace paragauge::pem
