// Digests that recognise a sentence whatever its case, punctuation and tokens.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace paragauge {

struct SentenceDigests {
  std::vector<std::uint64_t> sentences;  // one for each
  std::vector<std::uint64_t> grams;      // of every run of `gram` words that have letters or digits
  std::vector<std::int64_t> offsets{0};  // of the grams of each sentence

  // Keeps only those of one in `sample` runs, the same ones wherever they occur.
  void add(std::string_view sentence, int gram, std::uint64_t sample);

 private:
  std::vector<std::uint64_t> prefixes_, powers_{1};
  std::vector<std::size_t> starts_;
};

}  // namespace paragauge
