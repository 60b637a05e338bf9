// Phrase pairs counted in memory: what a table is made of as long as it fits, else one of several parts of it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.hpp"
#include "phrases/extract.hpp"

namespace paragauge {

// Strings, each once, numbered in order of appearance.
class StringNumbers {
 public:
  StringNumbers();

  std::size_t size() const { return entries_.size() - 1; }
  std::string_view operator[](std::int32_t number) const {
    const auto k = static_cast<std::size_t>(number);
    return {text_.data() + entries_[k].begin, static_cast<std::size_t>(entries_[k + 1].begin - entries_[k].begin)};
  }
  std::size_t text_size() const { return text_.size(); }
  std::int64_t bytes() const;  // of memory

  // The number of a string with this hash, which is added if it is new.
  std::int32_t number(std::string_view text, std::uint64_t hash);

  // A table that no cache holds is asked well ahead: first for the slot, then for what it leads to.
  void prefetch_slot(std::uint64_t hash) const;
  void prefetch_entry(std::uint64_t hash) const;

 private:
  struct Entry {
    std::int64_t begin;
    std::uint64_t hash;
  };

  std::size_t first_slot(std::uint64_t hash) const { return static_cast<std::size_t>(hash) & (slots_.size() - 1); }
  void grow();

  std::vector<char> text_;
  std::vector<Entry> entries_;        // and the end
  std::vector<std::uint64_t> slots_;  // empty (all bits set), or the upper half of a hash above the number
};

// A pair by Koehn's rule; by Moses' rule a pair with one of its alignments.
struct CountedPair {
  std::int32_t source, target;  // numbers of the phrases
  std::int32_t alignment;       // number of the best one
  std::uint32_t rank;           // how good it is: less is better
  std::int64_t count;
  double direct_lexical, inverse_lexical;  // the highest of all occurrences
};

// Some pairs as text. Before each alignment stand eight characters, such that the smallest text of a phrase pair is
// its best alignment: who adds up several parts needs no more than that.
struct PairRows {
  Strings source, target, alignment;
  std::vector<std::int64_t> counts;
  std::vector<double> direct_lexical, inverse_lexical;
  // By Moses' rule only. Of alignments that are equally frequent, the one with the greatest text is kept.
  Strings by_target, by_source;
};

// An alignment such as "0-0 1-1" as text that sorts as Moses compares alignments: target word after target word (or source
// word after source word), the words on the other side that each is linked to.
std::string alignment_order(std::string_view alignment, bool by_target);

// The columns of a phrase table: phrases by their bytes, pairs by source, falling count and target.
struct TableColumns {
  struct Side {
    Strings phrases;
    std::vector<std::int64_t> totals;
  };
  Side source, target;
  std::vector<std::int64_t> source_rows;  // where the pairs of each source begin, and the end
  std::vector<std::int32_t> pair_source, pair_target;
  std::vector<std::int64_t> counts;
  std::vector<double> direct_lexical, inverse_lexical;
  Strings alignment;
};

// Which pairs stay; queries.py says the same to the engine.
struct Pruning {
  std::int64_t min_count = 1;
  double min_prob = 0;  // p(target | source)
  std::int64_t top = std::numeric_limits<std::int64_t>::max();  // of each source
};

// The columns with the pairs that stay, and the phrases that have one. Totals are what they were.
TableColumns pruned(const TableColumns& columns, const Pruning& pruning);

class PhraseCounts {
 public:
  PhraseCounts(std::int32_t max_length, int threads, LexicalRule rule = LexicalRule::koehn)
      : max_length_(max_length), threads_(threads), rule_(rule), shards_(shard_count) {
    clear();
  }

  // Counts the phrase pairs of all sentence pairs. The words must be numbered alike in every call.
  void add(const LinkedText& text);

  std::int64_t size() const;   // different pairs; by Moses' rule, different alignments of pairs
  std::int64_t bytes() const;  // of memory, about
  void clear();

  // The pairs [begin, end) in the order in which they lie here.
  PairRows rows(std::int64_t begin, std::int64_t end) const;

  // All pairs; does not depend on the order in which they came, nor on the number of threads.
  TableColumns columns() const;

 private:
  // The pairs whose source numbers leave the same rest: different threads count different shards.
  static constexpr std::int64_t shard_count = 4;
  struct Shard {
    std::vector<CountedPair> pairs;
    std::vector<std::int32_t> slots;  // places in pairs, or -1

    // No alignment: the pair with any.
    static constexpr std::int32_t any_alignment = -1;
    std::size_t first_slot(std::int32_t source, std::int32_t target, std::int32_t alignment) const;
    CountedPair& pair(std::int32_t source, std::int32_t target, std::int32_t alignment);
    void grow(bool by_alignment);
  };
  bool by_alignment() const { return rule_ == LexicalRule::moses; }

  void number(std::vector<Occurrences>& blocks);
  void count(const std::vector<Occurrences>& blocks, std::int64_t shard);
  // The alignments of each pair joined by Moses' rule.
  std::vector<CountedPair> joined(const std::vector<CountedPair>& alignments) const;
  bool before(const CountedPair& pair, std::uint32_t rank, std::int32_t alignment) const;

  std::int32_t max_length_;
  int threads_;
  LexicalRule rule_;
  StringNumbers sources_, targets_, alignments_;
  std::vector<Shard> shards_;
};

// The numbers of strings in the order of their bytes.
std::vector<std::int32_t> sorted_order(const StringNumbers& strings);

}  // namespace paragauge
