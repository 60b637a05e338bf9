// Counting n-grams of token ids, and what two or more sequences share of them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/sequences.hpp"

namespace paragauge {

// A trie of n-grams: every node is one n-gram, its parent the n-gram without the last token. Keys are
// exact (parent, token) pairs, so no two n-grams are ever confused, however the hash falls.
class NgramTrie {
 public:
  using Node = std::uint32_t;
  static constexpr Node root = 0;
  static constexpr Node none = 0xffffffffu;

  NgramTrie();
  void clear();
  Node find(Node parent, std::int32_t token) const;
  Node insert(Node parent, std::int32_t token);  // the existing node, or a new one
  std::size_t size() const { return size_; }     // nodes, the root among them

 private:
  struct Slot {
    std::uint64_t key;
    Node node;
  };

  static std::uint64_t key_of(Node parent, std::int32_t token);
  std::size_t slot_of(std::uint64_t key) const;
  void grow();

  std::vector<Slot> slots_;
  std::vector<std::size_t> used_;  // the slots in use: clearing costs what was inserted, not the capacity
  std::size_t size_ = 1;
};

// For each candidate and each order n = 1..max_order, written as overlap[segment][kind][n - 1]:
//   kind 0: clipped matches, the sum over n-grams g of min(count in the candidate, largest count in one
//           reference) (Papineni et al., 2002);
//   kind 1: different n-grams of the candidate;
//   kind 2: those among them that occur in at least one reference.
// The references of segment i are references[groups[i] .. groups[i + 1]).
// Cost: linear in the number of tokens, times max_order.
void ngram_overlap(Sequences candidates, Sequences references, const std::int64_t* groups, int max_order, int threads,
                   std::int64_t* overlap);

// BLEU's statistics of each segment: lengths of the candidate and of the closest reference (the shorter of two), then clipped
// matches and n-grams of the candidate, by order.
void bleu_rows(Sequences candidates, Sequences references, const std::int64_t* groups, int max_order, int threads,
               std::int64_t* rows);

// chrF's statistics of each pair: n-grams of the candidate (none if the reference has none of this order), n-grams of the
// reference, and matches, by order; rows begin *width* numbers apart.
void chrf_rows(Sequences candidates, Sequences references, int max_order, int threads, std::int64_t* rows,
               std::int64_t width);

// Clipped matches of each sequence with all the others as its references, matched[sequence][n - 1].
// Linear too: for each n-gram the two largest counts are enough to leave any one sequence out.
void leave_one_out_overlap(Sequences sequences, int max_order, std::int64_t* matched);

// Clipped matches of every candidate with every reference by itself, matched[candidate][reference][n - 1].
// The n-grams of each sentence are extracted once; a pair costs what it shares.
void pairwise_overlap(Sequences candidates, Sequences references, int max_order,
                      std::int64_t* matched);

}  // namespace paragauge
