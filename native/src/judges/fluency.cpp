// Compiled without fused products and sums: scores are the same on every machine.
#include "judges/fluency.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "lm/vocabulary.hpp"

namespace paragauge::judges {

namespace {

using Words = std::vector<const FluencyToken*>;

Words words_of(const FluencySentence& sentence) {
  Words words;
  for (const FluencyToken* token : sentence)
    if (!token->word.empty()) words.push_back(token);
  return words;
}

// Two neighbouring words, null for the border of a sentence. Hashes come first: they seldom agree where words do not.
using Neighbours = std::pair<const FluencyToken*, const FluencyToken*>;

auto hashes(const Neighbours& pair) {
  return std::pair(pair.first ? pair.first->hash : 0, pair.second ? pair.second->hash : 0);
}

bool is_same(const FluencyToken* a, const FluencyToken* b) {
  return a == b || (a != nullptr && b != nullptr && a->hash == b->hash && a->word == b->word);
}

std::vector<Neighbours> neighbours(const Words& words) {
  std::vector<Neighbours> pairs;
  const FluencyToken* before = nullptr;
  for (const FluencyToken* word : words) pairs.emplace_back(std::exchange(before, word), word);
  pairs.emplace_back(before, nullptr);
  return pairs;
}

double small_share(const Words& words) {
  const auto small = std::count_if(words.begin(), words.end(), [](const FluencyToken* word) { return word->is_small; });
  return static_cast<double>(small) / static_cast<double>(std::max<std::size_t>(1, words.size()));
}

// How many powers of ten less likely each word and the end are than anywhere. Marks have no entry of their own, and an
// unknown class surprises nobody.
std::vector<double> surprises(const FluencySentence& sentence, const Expectations& expected, lm::Word FluencyToken::*kind) {
  std::vector<double> found;
  lm::State before = expected.model.begin_state(), after;
  const auto advance = [&](lm::Word word) {
    int length = 0;
    const auto log10_p = static_cast<float>(expected.model.advance(before, word, after, length));
    std::swap(before, after);
    return word == lm::unknown_word ? 0.0 : static_cast<double>(expected.log10_shares[word]) - static_cast<double>(log10_p);
  };
  bool marked = false;
  for (const FluencyToken* token : sentence) {
    if (token->word.empty()) {
      marked = marked || token->is_mark;
      continue;
    }
    if (std::exchange(marked, false) && !found.empty()) (void)advance(expected.mark);  // marks count once, between words
    found.push_back(advance(token->*kind));
  }
  found.push_back(advance(lm::sentence_end));
  return found;
}

double sum_in_pairs(const double* numbers, std::size_t count) {
  if (count < 8) {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += numbers[k];
    return sum;
  }
  if (count <= 128) {
    double part[8];
    std::copy(numbers, numbers + 8, part);
    std::size_t k = 8;
    for (; k + 8 <= count; k += 8)
      for (std::size_t lane = 0; lane < 8; ++lane) part[lane] += numbers[k + lane];
    double sum = ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
    for (; k < count; ++k) sum += numbers[k];
    return sum;
  }
  const std::size_t half = count / 2 - count / 2 % 8;
  return sum_in_pairs(numbers, half) + sum_in_pairs(numbers + half, count - half);
}

}  // namespace

double sum_in_pairs(const std::vector<double>& numbers) {
  return numbers[0] + sum_in_pairs(numbers.data() + 1, numbers.size() - 1);
}

FluencyPlaces Fluency::places(const FluencySentence& candidate, const FluencySentence& original) const {
  FluencyPlaces found;
  const auto rises = [](const Neighbours& a, const Neighbours& b) { return hashes(a) < hashes(b); };
  auto known = neighbours(words_of(original));
  std::sort(known.begin(), known.end(), rises);
  for (const Neighbours& pair : neighbours(words_of(candidate))) {
    const auto [begin, end] = std::equal_range(known.begin(), known.end(), pair, rises);
    const bool is_new = std::none_of(begin, end, [&](const Neighbours& other) {
      return is_same(pair.first, other.first) && is_same(pair.second, other.second);
    });
    found.is_new.push_back(is_new);
    found.doubled += is_new && pair.first != nullptr && is_same(pair.first, pair.second);
  }
  found.grammar = surprises(candidate, grammar_, &FluencyToken::grammar);
  found.wording = surprises(candidate, wording_, &FluencyToken::wording);
  return found;
}

FluencyLosses Fluency::losses(const FluencySentence& candidate, const FluencySentence& original) const {
  FluencyPlaces places = this->places(candidate, original);
  const std::size_t end = places.is_new.size() - 1;  // of so many words
  FluencyLosses losses{};
  if (std::exchange(places.is_new[end], 0)) {  // the end has its own loss
    const double mean = (places.grammar[end] + places.wording[end]) / 2;
    losses.ending = std::max(0.0, mean - settings_.easy_end);
  }
  const auto counted = std::count(places.is_new.begin(), places.is_new.end(), 1);
  const double new_places = static_cast<double>(counted) + settings_.faultless_places;
  // The mean at new places of what `cost` makes of the surprises of grammar and wording.
  std::vector<double> costs(places.is_new.size());
  const auto mean_cost = [&](const auto& cost) {
    for (std::size_t k = 0; k <= end; ++k) costs[k] = places.is_new[k] ? cost(places.grammar[k], places.wording[k]) : 0.0;
    return sum_in_pairs(costs) / new_places;
  };
  const auto square = [](double surprise) { return surprise > 0 ? surprise * surprise : 0.0; };
  losses.grammar = mean_cost([&](double grammar, double wording) { return square(grammar + std::min(0.0, wording)); });
  losses.wording = mean_cost([&](double, double wording) { return square(wording); });
  losses.doubling = static_cast<double>(places.doubled) / new_places;
  const Words own = words_of(candidate);
  const double spared = settings_.spared_small_share / std::pow(static_cast<double>(std::max<std::size_t>(1, own.size())), 0.5);
  const double missing = std::min(small_share(words_of(original)), settings_.usual_small_share) - small_share(own) - spared;
  if (missing > 0)
    losses.telegram =
        missing * (settings_.telegram_floor + mean_cost([](double grammar, double) { return std::max(0.0, grammar); }));
  return losses;
}

}  // namespace paragauge::judges
