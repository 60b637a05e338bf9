#include "phrases/index.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace paragauge {

bool PhraseIndex::is_before(std::int64_t i, std::string_view text, char next) const {
  const std::string_view phrase = (*this)[i];
  // std::string_view compares as unsigned bytes.
  const int order = phrase.substr(0, text.size()).compare(text);
  return order < 0 || (order == 0 && next != 0 &&
                       (phrase.size() == text.size() ||
                        static_cast<unsigned char>(phrase[text.size()]) < static_cast<unsigned char>(next)));
}

std::int64_t PhraseIndex::lower_bound(std::string_view text, char next, Range within) const {
  std::int64_t begin = within.begin, size = within.end - within.begin;
  while (size > 0) {
    const std::int64_t half = size / 2;
    if (is_before(begin + half, text, next)) {
      begin += half + 1;
      size -= half + 1;
    } else {
      size = half;
    }
  }
  return begin;
}

std::int64_t PhraseIndex::near_lower_bound(std::string_view text, char next, Range within) const {
  std::int64_t begin = within.begin, step = 1;
  while (begin < within.end && is_before(std::min(begin + step, within.end) - 1, text, next)) {
    begin = std::min(begin + step, within.end);
    step *= 2;
  }
  return lower_bound(text, next, {begin, std::min(begin + step, within.end)});
}

std::int64_t PhraseIndex::find(std::string_view phrase, Range within) const {
  const std::int64_t place = lower_bound(phrase, 0, within);
  return place < within.end && (*this)[place] == phrase ? place : -1;
}

PhraseIndex::Found PhraseIndex::find_with_longer(std::string_view phrase, Range within) const {
  const std::int64_t place = lower_bound(phrase, 0, within);
  const bool found = place < within.end && (*this)[place] == phrase;
  const std::int64_t begin = near_lower_bound(phrase, ' ', {place, within.end});
  return {found ? place : -1, {begin, near_lower_bound(phrase, ' ' + 1, {begin, within.end})}};
}

PhraseIndex::Found FirstWords::find(const PhraseIndex& index, std::string_view word) {
  std::string key(word);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
  }
  const PhraseIndex::Found found = index.find_with_longer(word, {0, index.size()});
  const std::lock_guard<std::mutex> lock(mutex_);
  if (known_.size() >= most) known_.clear();
  known_.emplace(std::move(key), found);
  return found;
}

PhraseNumbers::PhraseNumbers(const PhraseIndex& phrases) : phrases_(phrases) {
  std::size_t size = 16;
  while (size < 2 * static_cast<std::size_t>(phrases.size())) size *= 2;
  slots_.assign(size, -1);
  for (std::int64_t k = 0; k < phrases.size(); ++k) {
    std::size_t slot = std::hash<std::string_view>{}(phrases[k]) & (size - 1);
    while (slots_[slot] >= 0) slot = (slot + 1) & (size - 1);
    slots_[slot] = static_cast<std::int32_t>(k);
  }
}

std::int32_t PhraseNumbers::operator[](std::string_view phrase) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = std::hash<std::string_view>{}(phrase) & mask;
  while (slots_[slot] >= 0 && phrases_[slots_[slot]] != phrase) slot = (slot + 1) & mask;
  return slots_[slot];
}

namespace {

struct Step {
  double log_probability = 0.0;
  std::int32_t phrases = 0;  // from here to the end
  std::int32_t length = 0;   // of the first of them
  std::int64_t phrase = -1;
};

// Sums of logarithms that stand for equal products may differ in their last digits.
bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * (1.0 + std::abs(a)); }

bool better(const Step& one, const Step& other) {
  if (!close(one.log_probability, other.log_probability)) return one.log_probability > other.log_probability;
  if (one.phrases != other.phrases) return one.phrases < other.phrases;
  return one.length > other.length;
}

}  // namespace

Segmentation segment(const PhraseIndex& index, const std::int64_t* counts, double total, double unseen,
                     std::int64_t max_length, const std::vector<std::string_view>& words) {
  const auto length = static_cast<std::int64_t>(words.size());
  const double log_total = std::log(std::max(total, 1.0));
  std::vector<Step> best(static_cast<std::size_t>(length) + 1);
  // From the right: what follows a phrase is settled when the phrase is chosen, so "longer first" needs no look back.
  for (std::int64_t i = length - 1; i >= 0; --i) {
    Step& here = best[static_cast<std::size_t>(i)];
    const char* begin = words[static_cast<std::size_t>(i)].data();
    PhraseIndex::Range range{0, index.size()};
    for (std::int64_t j = i; j < length && j - i < std::max<std::int64_t>(max_length, 1); ++j) {
      const std::string_view& last = words[static_cast<std::size_t>(j)];
      const std::string_view phrase(begin, static_cast<std::size_t>(last.data() + last.size() - begin));
      const auto [number, longer] = index.find_with_longer(phrase, range);
      if (number >= 0 || j == i) {
        const Step& rest = best[static_cast<std::size_t>(j) + 1];
        const double count = number >= 0 ? static_cast<double>(counts[number]) : unseen;
        const Step step{std::log(count) - log_total + rest.log_probability, rest.phrases + 1,
                        static_cast<std::int32_t>(j - i + 1), number};
        if (j == i || better(step, here)) here = step;
      }
      range = longer;
      if (range.empty()) break;
    }
  }
  Segmentation result;
  for (std::int64_t i = 0; i < length; i += best[static_cast<std::size_t>(i)].length) {
    result.lengths.push_back(best[static_cast<std::size_t>(i)].length);
    result.phrases.push_back(best[static_cast<std::size_t>(i)].phrase);
  }
  return result;
}

void invert_pairs(const std::int32_t* targets, const std::int64_t* counts, std::int64_t pairs, std::int64_t target_count,
                  std::vector<std::int64_t>& rows, std::vector<std::int64_t>& order) {
  rows.assign(static_cast<std::size_t>(target_count) + 1, 0);
  for (std::int64_t k = 0; k < pairs; ++k) ++rows[static_cast<std::size_t>(targets[k]) + 1];
  for (std::size_t t = 1; t < rows.size(); ++t) rows[t] += rows[t - 1];
  order.resize(static_cast<std::size_t>(pairs));
  std::vector<std::int64_t> next(rows.begin(), rows.end() - 1);
  for (std::int64_t k = 0; k < pairs; ++k)
    order[static_cast<std::size_t>(next[static_cast<std::size_t>(targets[k])]++)] = k;
  for (std::size_t t = 0; t + 1 < rows.size(); ++t)
    if (rows[t + 1] - rows[t] > 1)
      std::stable_sort(order.begin() + rows[t], order.begin() + rows[t + 1],
                       [counts](std::int64_t one, std::int64_t other) { return counts[one] > counts[other]; });
}

void split_words(std::string_view line, std::vector<std::string_view>& words) {
  words.clear();
  for (std::size_t begin = 0; begin < line.size();) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    if (end > begin) words.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace paragauge
