// Places in the hash tables of the language models.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hashing.hpp"

namespace paragauge::lm {

// A hash as a place below *count*, which is less than 2^32.
inline std::size_t scaled(std::uint64_t hash, std::size_t count) {
  return static_cast<std::size_t>(((hash >> 32) * static_cast<std::uint64_t>(count)) >> 32);
}

}  // namespace paragauge::lm
