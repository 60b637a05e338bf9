// Hashing of 64-bit keys and of strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace paragauge {

inline std::uint64_t mix(std::uint64_t x) {  // the finaliser of splitmix64
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

inline std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0x9e3779b97f4a7c15ull ^ text.size();
  const char* place = text.data();
  std::size_t left = text.size();
  for (; left >= 8; place += 8, left -= 8) {
    std::uint64_t block;
    std::memcpy(&block, place, 8);
    hash = mix(hash ^ block);
  }
  std::uint64_t block = 0;
  std::memcpy(&block, place, left);
  return mix(hash ^ block);
}

}  // namespace paragauge
