// Word links of many sentence pairs as flat arrays, and the Pharaoh text they come from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/sequences.hpp"

namespace paragauge {

struct Link {
  std::int32_t source;
  std::int32_t target;

  bool operator<(const Link& other) const {
    return source != other.source ? source < other.source : target < other.target;
  }
  bool operator==(const Link& other) const { return source == other.source && target == other.target; }
};

// Sentence pair i has the links positions[2 * offsets[i] .. 2 * offsets[i + 1]), source and target in turn.
struct LinkedBitext {
  Sequences source;
  Sequences target;
  const std::int32_t* positions;
  const std::int64_t* offsets;  // source.count + 1 entries

  // The links of a pair, sorted, each once.
  void links(std::int64_t pair, std::vector<Link>& out) const;
};

// Every link must lie inside its sentences; throws std::invalid_argument for the first that does not.
void check_links(const LinkedBitext& bitext);

struct ParsedLinks {
  std::vector<std::int32_t> positions;
  std::vector<std::int64_t> offsets{0};
  // The first word that is no link, as a range of the text; none if begin == end.
  std::size_t error_begin = 0;
  std::size_t error_end = 0;
};

// Reads lines of "0-0 1-2"; marks of possible links ("3-4-P", "3p4", "3?4") are passed over. Stops at the first
// word that is no link: offsets then has one entry for each whole line before it.
ParsedLinks parse_pharaoh(const char* text, std::size_t size);

}  // namespace paragauge
