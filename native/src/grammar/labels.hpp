// Labels of spans from a constituency tree: constituents and, if there is none, categories of SAMT and CCG
// (Zollmann and Venugopal 2006; Weese, Callison-Burch and Lopez 2012).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/sequences.hpp"

namespace paragauge {

enum class LabelSet { hiero, constituents, ccg, samt };  // ccg: no A+B
enum class UnaryChain { bottom, top, all };  // which of several nodes with the same span names it; all: joined by ':'

// The nodes of one tree, parents before children: first word, one past the last word, number of the label, in turn.
struct TreeNodes {
  const std::int32_t* begin;
  const std::int32_t* end;
};

class SpanLabels {
 public:
  SpanLabels(LabelSet set, UnaryChain chain) : set_(set), chain_(chain) {}

  // Forgets the last tree. Nodes outside of the sentence must have been refused before.
  void fill(std::int64_t length, TreeNodes nodes, const std::vector<std::string_view>& names);

  // The label of words [first, last), empty if it has none; valid until the next tree.
  std::string_view operator()(std::int64_t first, std::int64_t last);

 private:
  std::uint64_t key(std::int64_t first, std::int64_t last) const {
    return (static_cast<std::uint64_t>(first) << 32) | static_cast<std::uint64_t>(last);
  }
  const std::string& constituent(std::int64_t first, std::int64_t last) const;
  std::string category(std::int64_t first, std::int64_t last) const;

  LabelSet set_;
  UnaryChain chain_;
  std::unordered_map<std::uint64_t, std::string> constituents_, labels_;
  std::string none_;
  std::vector<std::vector<std::int32_t>> ends_, starts_;  // of constituents that begin, or end, at a place; sorted
};

}  // namespace paragauge
