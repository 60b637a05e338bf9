// The one hash of the language models.
#pragma once

#include <cstddef>
#include <cstdint>

namespace paragauge::lm {

inline std::uint64_t mix(std::uint64_t x) {  // the finaliser of splitmix64
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// A hash as a place below *count*, which is less than 2^32.
inline std::size_t scaled(std::uint64_t hash, std::size_t count) {
  return static_cast<std::size_t>(((hash >> 32) * static_cast<std::uint64_t>(count)) >> 32);
}

}  // namespace paragauge::lm
