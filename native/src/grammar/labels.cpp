#include "grammar/labels.hpp"

#include <algorithm>
#include <functional>

namespace paragauge {

void SpanLabels::fill(std::int64_t length, TreeNodes nodes, const std::vector<std::string_view>& names) {
  if (set_ == LabelSet::hiero) return;
  const auto size = static_cast<std::size_t>(length) + 1;
  constituents_.clear();
  labels_.clear();
  ends_.assign(size, {});
  starts_.assign(size, {});
  for (const std::int32_t* node = nodes.begin; node < nodes.end; node += 3) {
    const std::string_view name = names[static_cast<std::size_t>(node[2])];
    std::string& constituent = constituents_[key(node[0], node[1])];
    if (constituent.empty()) {
      constituent = name;
      ends_[static_cast<std::size_t>(node[0])].push_back(node[1]);
      starts_[static_cast<std::size_t>(node[1])].push_back(node[0]);
    } else if (chain_ == UnaryChain::bottom) {
      constituent = name;
    } else if (chain_ == UnaryChain::all) {
      constituent += ':';
      constituent += name;
    }
  }
  for (auto& places : ends_) std::sort(places.begin(), places.end());
  for (auto& places : starts_) std::sort(places.begin(), places.end(), std::greater<>());
}

const std::string& SpanLabels::constituent(std::int64_t first, std::int64_t last) const {
  const auto found = constituents_.find(key(first, last));
  return found == constituents_.end() ? none_ : found->second;
}

std::string_view SpanLabels::operator()(std::int64_t first, std::int64_t last) {
  if (set_ == LabelSet::hiero) return "X";
  const std::string& constituent = this->constituent(first, last);
  if (!constituent.empty() || set_ == LabelSet::constituents) return constituent;
  const auto [found, unknown] = labels_.try_emplace(key(first, last));
  if (unknown) found->second = category(first, last);
  return found->second;
}

// Of several ways to name a span, the one with the shortest first part, or the smallest larger constituent, is taken.
std::string SpanLabels::category(std::int64_t first, std::int64_t last) const {
  if (set_ == LabelSet::samt)
    for (const std::int32_t middle : ends_[static_cast<std::size_t>(first)]) {
      if (middle >= last) break;
      const std::string& right = constituent(middle, last);
      if (!right.empty()) return constituent(first, middle) + '+' + right;
    }
  for (const std::int32_t end : ends_[static_cast<std::size_t>(first)]) {
    if (end <= last) continue;
    const std::string& lacking = constituent(last, end);
    if (!lacking.empty()) return constituent(first, end) + '/' + lacking;
  }
  for (const std::int32_t start : starts_[static_cast<std::size_t>(last)]) {
    if (start >= first) continue;
    const std::string& lacking = constituent(start, first);
    if (!lacking.empty()) return constituent(start, last) + '\\' + lacking;
  }
  return {};
}

}  // namespace paragauge
