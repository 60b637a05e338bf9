// Which links between the words of two sentences to keep: as many words as possible, in as good an order as possible.
#pragma once

#include <cstdint>
#include <vector>

namespace paragauge {

// Words [i, i + i_length) of the candidate and [j, j + j_length) of the reference say the same.
struct WordLink {
  std::int32_t i, j;
  std::int32_t i_length, j_length;
  std::int32_t stage;
};

struct SearchLimits {
  std::int64_t options = 20000;  // ways to link one group of words that compete with each other
  std::int64_t steps = 30000;    // how far the search may go
};

// Chooses among `possible` (no two the same, none overlapping `kept`) links that overlap nowhere and cover most words of
// both sentences together; of these, those with the fewest crossings, then with the fewest chunks, where `kept` links
// count too. Appends them to `kept`, which comes back sorted by i. Returns whether the choice is proven best: false
// only if a limit was reached.
//
// Links that compete for a word form groups. Groups are independent but for their order, so the search goes through the
// ways to link each group, with the sum of what each of the other groups costs at least as its bound.
bool choose_links(std::vector<WordLink> possible, const SearchLimits& limits, std::vector<WordLink>& kept);

// The same for links between single words with the fewest chunks, then with the least sum of |i - j|. `kept` is empty.
bool choose_fewest_chunks(std::vector<WordLink> possible, const SearchLimits& limits, std::vector<WordLink>& kept);

// Runs of links that are neighbours in both sentences; `links` sorted by i.
std::int64_t count_chunks(const std::vector<WordLink>& links);
std::int64_t count_crossings(const std::vector<WordLink>& links);

}  // namespace paragauge
