// Token sequences as flat arrays: sequence i is ids[offsets[i] .. offsets[i + 1]).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace paragauge {

struct Span {
  const std::int32_t* begin;
  const std::int32_t* end;

  std::int64_t size() const { return end - begin; }
};

struct Sequences {
  const std::int32_t* ids;
  const std::int64_t* offsets;  // count + 1 entries
  std::int64_t count;

  Span operator[](std::int64_t i) const { return {ids + offsets[i], ids + offsets[i + 1]}; }
};

// Offsets come from Python: nothing below checks them again.
inline void check_offsets(const std::int64_t* offsets, std::int64_t entries, std::int64_t limit,
                          const char* what) {
  if (entries < 1) throw std::invalid_argument(std::string(what) + ": needs at least one entry");
  if (offsets[0] != 0) throw std::invalid_argument(std::string(what) + ": must begin with 0");
  for (std::int64_t i = 1; i < entries; ++i) {
    if (offsets[i] < offsets[i - 1])
      throw std::invalid_argument(std::string(what) + ": must not decrease (entry " +
                                  std::to_string(i) + ")");
  }
  if (offsets[entries - 1] != limit)
    throw std::invalid_argument(std::string(what) + ": must end with " + std::to_string(limit) +
                                ", ends with " + std::to_string(offsets[entries - 1]));
}

}  // namespace paragauge
