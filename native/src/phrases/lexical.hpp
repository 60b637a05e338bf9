// Lexical translation probabilities from linked words (Koehn, Och and Marcu 2003, section 3.4).
#pragma once

#include <cstdint>
#include <vector>

#include "base/strings.hpp"
#include "phrases/links.hpp"

namespace paragauge {

// What lexical weights a phrase pair gets that occurs with several alignments, and which alignment is kept.
enum class LexicalRule {
  koehn,  // the highest weights, and the alignment with the highest; w(f|e) is a share of the links of e
  moses,  // those of the most frequent alignment; w(f|e) is a share of the links of e and of its occurrences without one
};

// How often words were linked, and left without a link. Memory: one entry for each different pair of linked words.
class LexicalCounts {
 public:
  // No word; a word without a link counts as linked to it.
  static constexpr std::int32_t null_word = -1;

  explicit LexicalCounts(LexicalRule rule = LexicalRule::koehn);

  LexicalRule rule() const { return rule_; }

  void add(const LinkedBitext& bitext);

  // What was counted: two words, either of which may be null_word, and how often they were linked.
  struct Rows {
    std::vector<std::int32_t> source, target;
    std::vector<std::int64_t> count;
  };
  Rows rows() const;

  // Puts in what was counted and added up elsewhere: how often two words were linked, and the total of each, which depends
  // on the rule; for a null_word that is how many words of the other side had none. Words must not be negative otherwise.
  void put(std::int32_t source, std::int32_t target, std::int64_t count, std::int64_t source_total,
           std::int64_t target_total);

  // w(target | source) and w(source | target); either word may be the condition null_word.
  double direct(std::int32_t source, std::int32_t target) const;
  double inverse(std::int32_t source, std::int32_t target) const;

  std::int64_t pairs() const { return static_cast<std::int64_t>(used_); }

 private:
  struct Slot {
    std::uint64_t key;
    std::int64_t count;
  };

  std::size_t slot_of(std::uint64_t key) const;
  std::int64_t count(std::int32_t source, std::int32_t target) const;
  Slot& entry(std::int32_t source, std::int32_t target);  // made if it is not there
  void grow();

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  LexicalRule rule_;
  std::vector<std::int64_t> source_totals_, target_totals_;  // of each word
  std::int64_t unlinked_sources_ = 0, unlinked_targets_ = 0;
};

// Linked sentence pairs, and what is known of their words.
struct LinkedText {
  LinkedBitext bitext;
  Words source_words, target_words;
  const LexicalCounts* lexical;  // none: there are no lexical weights
};

}  // namespace paragauge
