// Many strings one after another, as Arrow lays them out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace paragauge {

struct Strings {
  std::vector<char> text;
  std::vector<std::int64_t> offsets{0};

  std::string_view operator[](std::size_t k) const {
    return {text.data() + offsets[k], static_cast<std::size_t>(offsets[k + 1] - offsets[k])};
  }
  void add(std::string_view one) {
    text.insert(text.end(), one.begin(), one.end());
    end();
  }
  void end() { offsets.push_back(static_cast<std::int64_t>(text.size())); }  // of what was put into text
  void append(const Strings& other) {
    const std::int64_t base = offsets.back();
    text.insert(text.end(), other.text.begin(), other.text.end());
    for (std::size_t k = 1; k < other.offsets.size(); ++k) offsets.push_back(base + other.offsets[k]);
  }
};

}  // namespace paragauge
