// The lexicon as Python holds it: with the arrays that it reads, which may be mapped files.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bind_arrays.hpp"
#include "lexicon.hpp"

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

}  // namespace paragauge
