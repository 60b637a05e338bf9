// Hashing of 64-bit keys.
#pragma once

#include <cstdint>

namespace paragauge {

inline std::uint64_t mix(std::uint64_t x) {  // the finaliser of splitmix64
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

}  // namespace paragauge
