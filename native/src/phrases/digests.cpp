#include "phrases/digests.hpp"

#include <algorithm>

#include "base/hashing.hpp"

namespace paragauge {

namespace {

constexpr std::uint64_t base = 0x9e3779b97f4a7c15ull;  // odd, so that powers never vanish
constexpr std::uint64_t of_sentence = 0x5bd1e9955bd1e995ull;

bool blank(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Letters and digits of ASCII, in lower case, and every other character but the punctuation of Unicode (U+2000 to 206F).
int letter(std::string_view text, std::size_t place) {
  const auto c = static_cast<unsigned char>(text[place]);
  if (c >= 'A' && c <= 'Z') return c - 'A' + 'a';
  if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) return c;
  if (c < 0x80) return -1;
  for (std::size_t back = 0; back < 3 && back <= place; ++back) {  // the character that this byte belongs to
    const auto first = static_cast<unsigned char>(text[place - back]);
    if ((first & 0xc0) == 0x80) continue;
    if (first != 0xe2 || place - back + 1 >= text.size()) break;
    const auto second = static_cast<unsigned char>(text[place - back + 1]);
    return second == 0x80 || second == 0x81 ? -1 : c;
  }
  return c;
}

}  // namespace

void SentenceDigests::add(std::string_view sentence, int gram, std::uint64_t sample) {
  prefixes_.assign(1, 0);
  starts_.clear();
  bool inside = false;
  for (std::size_t place = 0; place < sentence.size(); ++place) {
    if (blank(static_cast<unsigned char>(sentence[place]))) {
      inside = false;
      continue;
    }
    const int c = letter(sentence, place);
    if (c < 0) continue;
    if (!inside) starts_.push_back(prefixes_.size() - 1);
    inside = true;
    prefixes_.push_back(prefixes_.back() * base + static_cast<std::uint64_t>(c) + 1);
  }
  const std::size_t letters = prefixes_.size() - 1;
  while (powers_.size() <= letters) powers_.push_back(powers_.back() * base);
  sentences.push_back(mix(prefixes_.back() ^ of_sentence ^ letters));
  starts_.push_back(letters);
  const auto size = static_cast<std::size_t>(std::max(gram, 1));
  for (std::size_t first = 0; first + size < starts_.size(); ++first) {
    const std::size_t begin = starts_[first], end = starts_[first + size];
    const std::uint64_t digest = mix(prefixes_[end] - prefixes_[begin] * powers_[end - begin]);
    if (digest % sample == 0) grams.push_back(digest);
  }
  offsets.push_back(static_cast<std::int64_t>(grams.size()));
}

}  // namespace paragauge
