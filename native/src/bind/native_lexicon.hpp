// The lexicon as Python holds it: with the arrays that it reads, which may be mapped files.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bind/arrays.hpp"
#include "matching/lexicon.hpp"
#include "matching/word_relations.hpp"

namespace paragauge {

class NativeLexicon {
 public:
  NativeLexicon(In<std::uint8_t> lemma_text, In<std::uint8_t> lemma_lengths, In<std::uint8_t> sense_counts,
                In<std::int32_t> senses, In<std::int32_t> synset_counts, In<std::uint8_t> exception_text,
                In<std::uint8_t> exception_lengths, In<std::uint8_t> exception_parts, In<std::int32_t> exception_lemmas);

  std::unique_ptr<Lexicon> lexicon;

 private:
  std::vector<In<std::uint8_t>> bytes_;
  std::vector<In<std::int32_t>> numbers_;
};

// The lexicon that it is made for must outlive it: Python is told so where it is bound.
class NativeWordRelations {
 public:
  NativeWordRelations(const NativeLexicon& lexicon, In<std::uint8_t> sense_ranks, In<std::uint8_t> hypernym_counts,
                      In<std::int32_t> hypernyms, In<std::int32_t> antonym_sources, In<std::int32_t> antonyms,
                      In<std::int32_t> opposed_sources, In<std::int32_t> opposed, In<std::int32_t> similar_sources,
                      In<std::int32_t> similar, In<std::int32_t> derivation_sources, In<std::int32_t> derivations);

  const Lexicon& lexicon;
  std::unique_ptr<WordRelations> relations;

 private:
  std::vector<In<std::uint8_t>> bytes_;
  std::vector<In<std::int32_t>> numbers_;
};

}  // namespace paragauge
