// Strings side by side, as Arrow lays them out: what crosses the border to Python, both ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace paragauge {

// The text of words by their number: word n is text[offsets[n] .. offsets[n + 1]).
struct Words {
  const char* text;
  const std::int64_t* offsets;  // count + 1 entries
  std::int64_t count;
};

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
