// Strings side by side, as Arrow lays them out: what crosses the border to Python, both ways.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace paragauge {

// The text of words by their number: word n is text[offsets[n] .. offsets[n + 1]).
struct Words {
  const char* text;
  const std::int64_t* offsets;  // count + 1 entries
  std::int64_t count;

  std::string_view operator[](std::int64_t k) const {
    return {text + offsets[k], static_cast<std::size_t>(offsets[k + 1] - offsets[k])};
  }
};

inline void append_number(std::int64_t number, std::vector<char>& out) {  // not a negative one
  char digits[20];
  int length = 0;
  do digits[length++] = static_cast<char>('0' + number % 10);
  while (number /= 10);
  while (length > 0) out.push_back(digits[--length]);
}

// Numbers that rank weights, the largest first: the bits of a float that is not negative are ordered as the float is.
inline std::uint32_t rank_of(double weight) {
  const auto cost = static_cast<float>(std::abs(std::log(weight)));
  std::uint32_t bits = 0;
  std::memcpy(&bits, &cost, sizeof bits);
  return bits;
}

// As eight hexadecimal digits, which sort as the ranks do.
inline void append_rank(std::uint32_t rank, std::vector<char>& out) {
  for (int shift = 28; shift >= 0; shift -= 4) out.push_back("0123456789abcdef"[(rank >> shift) & 15]);
}

// Many strings one after another.
struct Strings {
  std::vector<char> text;
  std::vector<std::int64_t> offsets{0};

  std::string_view operator[](std::size_t k) const {
    return {text.data() + offsets[k], static_cast<std::size_t>(offsets[k + 1] - offsets[k])};
  }

  // What was appended to the text since the last one becomes a string.
  void end() { offsets.push_back(static_cast<std::int64_t>(text.size())); }

  void add(std::string_view one) {
    text.insert(text.end(), one.begin(), one.end());
    end();
  }

  void append(const Strings& other) {
    const std::int64_t before = offsets.back();
    text.insert(text.end(), other.text.begin(), other.text.end());
    offsets.reserve(offsets.size() + other.offsets.size() - 1);
    for (std::size_t k = 1; k < other.offsets.size(); ++k) offsets.push_back(before + other.offsets[k]);
  }
};

}  // namespace paragauge
