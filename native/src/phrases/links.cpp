#include "phrases/links.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace paragauge {

void LinkedBitext::links(std::int64_t pair, std::vector<Link>& out) const {
  out.clear();
  for (std::int64_t k = offsets[pair]; k < offsets[pair + 1]; ++k) out.push_back({positions[2 * k], positions[2 * k + 1]});
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

void check_links(const LinkedBitext& bitext) {
  for (std::int64_t pair = 0; pair < bitext.source.count; ++pair) {
    const std::int64_t rows = bitext.source[pair].size(), columns = bitext.target[pair].size();
    for (std::int64_t k = bitext.offsets[pair]; k < bitext.offsets[pair + 1]; ++k) {
      const std::int32_t i = bitext.positions[2 * k], j = bitext.positions[2 * k + 1];
      if (i < 0 || j < 0 || i >= rows || j >= columns)
        throw std::invalid_argument("link " + std::to_string(i) + "-" + std::to_string(j) + " of pair " +
                                    std::to_string(pair) + " lies outside of its sentences");
    }
  }
}

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// Reads digits at *p and moves past them; -1 if there are none, or too many for a position.
std::int64_t read_number(const char*& p, const char* end) {
  const char* begin = p;
  std::int64_t value = 0;
  while (p < end && *p >= '0' && *p <= '9' && value <= std::numeric_limits<std::int32_t>::max())
    value = 10 * value + (*p++ - '0');
  return p == begin || value > std::numeric_limits<std::int32_t>::max() ? -1 : value;
}

bool read_link(const char* p, const char* end, Link& link) {
  const std::int64_t source = read_number(p, end);
  if (source < 0 || p == end || (*p != '-' && *p != 'p' && *p != '?')) return false;
  ++p;
  const std::int64_t target = read_number(p, end);
  if (target < 0) return false;
  link = {static_cast<std::int32_t>(source), static_cast<std::int32_t>(target)};
  if (p == end) return true;
  return end - p == 2 && p[0] == '-' && (p[1] == 'P' || p[1] == 'p' || p[1] == 'S' || p[1] == 's');
}

}  // namespace

ParsedLinks parse_pharaoh(const char* text, std::size_t size) {
  ParsedLinks parsed;
  const char* const end = text + size;
  const char* p = text;
  while (p < end) {
    if (*p == '\n') {
      parsed.offsets.push_back(static_cast<std::int64_t>(parsed.positions.size() / 2));
      ++p;
    } else if (is_space(*p)) {
      ++p;
    } else {
      const char* word = p;
      while (p < end && *p != '\n' && !is_space(*p)) ++p;
      Link link{};
      if (!read_link(word, p, link)) {
        parsed.error_begin = static_cast<std::size_t>(word - text);
        parsed.error_end = static_cast<std::size_t>(p - text);
        return parsed;
      }
      parsed.positions.push_back(link.source);
      parsed.positions.push_back(link.target);
    }
  }
  if (size > 0 && text[size - 1] != '\n')
    parsed.offsets.push_back(static_cast<std::int64_t>(parsed.positions.size() / 2));
  return parsed;
}

}  // namespace paragauge
