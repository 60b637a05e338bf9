#include "phrases/paraphrases.hpp"

#include <algorithm>
#include <stdexcept>

namespace paragauge {

void ParaphraseFinder::look_up(const std::vector<std::string_view>& words, std::vector<Place>& places) const {
  places.clear();
  for_each_phrase(table_.index, first_words_, words, max_length_, [&](std::size_t begin, std::int64_t length, std::int64_t number) {
    places.push_back({number, static_cast<std::int32_t>(begin), static_cast<std::int32_t>(length)});
  });
}

void ParaphraseFinder::find(const std::vector<std::string_view>& one, const std::vector<std::string_view>& other,
                            std::vector<PhraseLink>& links) {
  look_up(one, own_);
  look_up(other, theirs_);
  // Both come by place and length, and equal keys stay in this order.
  std::stable_sort(own_.begin(), own_.end(), [](const Place& a, const Place& b) { return a.length < b.length; });
  std::stable_sort(theirs_.begin(), theirs_.end(), [](const Place& a, const Place& b) { return a.number < b.number; });
  const auto first = [&](std::int64_t number) {
    return std::lower_bound(theirs_.begin(), theirs_.end(), number,
                            [](const Place& place, std::int64_t sought) { return place.number < sought; });
  };
  for (const Place& phrase : own_) {
    const std::int64_t begin = table_.rows[phrase.number], end = table_.rows[phrase.number + 1];
    if (begin < 0 || end < begin || end > table_.pairs) throw std::invalid_argument("the rows of paraphrases are damaged");
    found_.clear();
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int64_t number = table_.numbers[k];
      if (number == phrase.number || !(table_.scores[k] >= least_)) continue;
      const auto place = first(number);
      if (place != theirs_.end() && place->number == number) found_.push_back(number);
    }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    for (const std::int64_t number : found_)
      for (auto place = first(number); place != theirs_.end() && place->number == number; ++place)
        links.push_back({phrase.begin, place->begin, phrase.length, place->length});
  }
}

}  // namespace paragauge
