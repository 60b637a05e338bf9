// WordNet's relations between words and synsets: opposites, more general words, derived words.
#pragma once

#include <cstdint>
#include <vector>

#include "matching/lexicon.hpp"

namespace paragauge {

// Sorted pairs of numbers in two columns.
struct Pairs {
  const std::int32_t* sources;
  const std::int32_t* targets;
  std::int64_t count;

  Ids of(std::int32_t source) const;
};

// What the relations are read from; it must outlive them.
struct WordRelationData {
  const std::uint8_t* sense_ranks;      // beside the lexicon's senses: how many of the part of speech are more frequent
  std::int64_t sense_total;
  const std::uint8_t* hypernym_counts;  // hypernyms of each synset of nouns and verbs
  std::int64_t hypernym_synsets;
  const std::int32_t* hypernyms;        // of all these synsets, rising within a synset
  std::int64_t hypernym_total;
  Pairs antonyms;                       // lemmas
  Pairs opposed;                        // synsets of adjectives that are heads of opposite clusters
  Pairs similar;                        // synsets of adjectives: head and satellite, both ways
  Pairs derivations;                    // lemmas
};

class WordRelations {
 public:
  // Checks everything that a damaged file could get wrong; throws std::invalid_argument. The lexicon must outlive it.
  WordRelations(const Lexicon& lexicon, const WordRelationData& data);

  // The lists of lemmas rise and have no repetition.

  // Indirect ones are added for adjectives: a word of a cluster's head is opposed to all of the opposite head and its
  // satellites, a satellite to the opposite head.
  void antonyms(std::int32_t lemma, bool indirect, std::vector<std::int32_t>& lemmas) const;
  bool are_antonyms(std::int32_t a, std::int32_t b, bool indirect) const;
  void hypernyms(std::int32_t lemma, std::vector<std::int32_t>& lemmas) const;
  Ids derivations(std::int32_t lemma) const { return data_.derivations.of(lemma); }
  // The synsets that 1 to depth steps lead to from the most frequent senses of each part of speech, rising.
  void wider(std::int32_t lemma, int depth, int senses, std::vector<std::int32_t>& synsets) const;
  // The synsets of adjectives that are the head or a satellite of one of the lemma's, rising.
  void similar(std::int32_t lemma, std::vector<std::int32_t>& synsets) const;
  // Whether 1 to depth steps lead from one of the most frequent senses of a, of each part of speech, to any of b.
  bool is_kind_of(std::int32_t a, std::int32_t b, int depth, int senses) const;
  // Whether some of the most frequent senses have a hypernym in common, and no sense is the same.
  bool are_siblings(std::int32_t a, std::int32_t b, int senses) const;
  bool are_similar(std::int32_t a, std::int32_t b) const;

 private:
  Ids hypernyms_of(std::int32_t synset) const;
  void frequent_senses(std::int32_t lemma, int senses, std::vector<std::int32_t>& synsets) const;
  // Calls work with every synset whose words are indirect antonyms of the lemma until it returns true.
  template <class Work>
  bool any_opposed(std::int32_t lemma, const Work& work) const;
  bool is_member(std::int32_t lemma, std::int32_t synset) const;

  const Lexicon& lexicon_;
  WordRelationData data_;
  std::vector<std::int32_t> hypernym_starts_;
};

}  // namespace paragauge
