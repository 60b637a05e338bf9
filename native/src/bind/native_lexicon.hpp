// The lexicon as Python holds it: with the arrays that it reads, which may be mapped files.
#pragma once

#include <cstdint>
#include <memory>

#include "bind/arrays.hpp"
#include "matching/lexicon.hpp"
#include "matching/word_relations.hpp"

namespace paragauge {

// The columns of a lexicon's file; see LexiconData.
struct LexiconColumns {
  In<std::uint8_t> lemma_text, lemma_lengths, sense_counts;
  In<std::int32_t> senses, synset_counts;
  In<std::uint8_t> exception_text, exception_lengths, exception_parts;
  In<std::int32_t> exception_lemmas;
};

class NativeLexicon {
 public:
  explicit NativeLexicon(const LexiconColumns& columns);

  std::unique_ptr<Lexicon> lexicon;

 private:
  LexiconColumns kept_;
};

// The columns of its relations' file; see WordRelationData.
struct WordRelationColumns {
  In<std::uint8_t> sense_ranks, hypernym_counts;
  In<std::int32_t> hypernyms;
  In<std::int32_t> antonym_sources, antonyms;
  In<std::int32_t> opposed_sources, opposed;
  In<std::int32_t> similar_sources, similar;
  In<std::int32_t> derivation_sources, derivations;
};

// The lexicon that it is made for must outlive it: Python is told so where it is bound.
class NativeWordRelations {
 public:
  NativeWordRelations(const NativeLexicon& lexicon, const WordRelationColumns& columns);

  const Lexicon& lexicon;
  std::unique_ptr<WordRelations> relations;

 private:
  WordRelationColumns kept_;
};

}  // namespace paragauge
