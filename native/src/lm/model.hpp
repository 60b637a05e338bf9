// A back-off model in hash tables that can be mapped from a file, and the queries.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lm/trie.hpp"

namespace paragauge::lm {

struct Weights {
  float log10_p;
  // The back-off weight of the n-gram as a context. -0.0 says that it is no context at all: nothing longer was seen.
  float log10_backoff;
};

// One place of a hash table of n-grams. The key is exact: the place of the n-gram without its last word in the table of the order
// below, and the last word. The place of an n-gram is what children refer to; in order 1 it is the word.
struct Slot {
  std::uint64_t key;
  Weights weights;
};
static_assert(sizeof(Slot) == 16, "slots are written to files as they are");

constexpr std::uint64_t empty_key = ~std::uint64_t{0};

struct ModelArrays {
  std::vector<Weights> unigrams;
  std::vector<std::vector<Slot>> tables;  // orders 2 and above
  std::vector<std::int64_t> sizes;        // n-grams of each order
};

ModelArrays build_model(const Trie& trie, const Probabilities& probabilities);

// The end of what was read: the known n-grams of 1, 2, ... last words, as far as they can matter for what comes.
struct State {
  int length = 0;
  std::array<Node, highest_order> node;
  std::array<float, highest_order> log10_backoff;
};

struct Table {
  const Slot* slots;
  std::int64_t count;  // below 2^32
};

class Model {
 public:
  Model(const Weights* unigrams, std::int64_t words, std::vector<Table> tables)
      : unigrams_(unigrams), words_(words), tables_(std::move(tables)) {}

  int order() const { return static_cast<int>(tables_.size()) + 1; }
  std::int64_t words() const { return words_; }
  const Weights& unigram(Word word) const { return unigrams_[word]; }
  const Table& table(int order) const { return tables_[static_cast<std::size_t>(order - 2)]; }

  // log10 p(word | state), the state after the word, and the length of the longest n-gram that was found.
  double advance(const State& before, Word word, State& after, int& found) const;

  // Says that p(word | ... context) will be asked soon: memory is slower than arithmetic.
  void prefetch(Word context, Word word) const;

  State empty_state() const;
  State begin_state() const;  // after <s>
  // The state that consists of these nodes; throws if a node is none of this model.
  State state_of(const std::vector<Node>& nodes) const;

 private:
  void finish(State& state) const;

  const Weights* unigrams_;
  std::int64_t words_;
  std::vector<Table> tables_;
};

struct SentenceScore {
  double log10_p = 0;          // with </s>
  double unknown_log10_p = 0;  // the part of unknown words
  std::int64_t words = 0;      // without </s>
  std::int64_t unknown = 0;
};

SentenceScore score_sentence(const Model& model, const Word* begin, const Word* end);

// The n-grams of one order as rows of words, in lexicographic order, with their weights.
struct Listing {
  int order = 0;
  std::vector<Word> rows;  // order words each
  std::vector<Weights> weights;
  std::vector<Node> places;  // of the n-grams in their table
};

Listing list_words(const Model& model);
// The n-grams that are one word longer than those of *contexts*.
Listing list_longer(const Model& model, const Listing& contexts, int threads);

}  // namespace paragauge::lm
