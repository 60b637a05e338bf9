#include "analysis_weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace paragauge::analysis {

namespace {

constexpr std::size_t header_bytes = 16;
constexpr int most_pairs = 255;  // of one feature: eight bits
constexpr double fill = 0.8;     // of the slots

void prefetch(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

template <class T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

}  // namespace

LearningWeights::LearningWeights(int classes)
    : classes_(classes), keys_(1 << 16, 0), places_(1 << 16, 0) {
  if (classes < 1 || classes > most_classes) throw std::invalid_argument("too many classes");
}

const std::vector<LearningWeights::Entry>* LearningWeights::find(Feature feature) const {
  const std::size_t mask = keys_.size() - 1;
  const Feature key = feature | 1;
  for (std::size_t i = (feature >> 20) & mask;; i = (i + 1) & mask) {
    if (keys_[i] == key) return &rows_[places_[i]];
    if (keys_[i] == 0) return nullptr;
  }
}

std::vector<LearningWeights::Entry>* LearningWeights::find(Feature feature) {
  return const_cast<std::vector<Entry>*>(static_cast<const LearningWeights*>(this)->find(feature));
}

void LearningWeights::grow() {
  std::vector<Feature> keys(keys_.size() * 2, 0);
  std::vector<std::uint32_t> places(keys.size(), 0);
  const std::size_t mask = keys.size() - 1;
  for (std::size_t old = 0; old < keys_.size(); ++old) {
    if (keys_[old] == 0) continue;
    std::size_t i = (keys_[old] >> 20) & mask;
    while (keys[i] != 0) i = (i + 1) & mask;
    keys[i] = keys_[old];
    places[i] = places_[old];
  }
  keys_.swap(keys);
  places_.swap(places);
}

void LearningWeights::add_scores(const Features& features, Score* scores) const {
  const std::size_t mask = keys_.size() - 1;
  for (int f = 0; f < features.size(); ++f) prefetch(&keys_[(features[f] >> 20) & mask]);
  for (int f = 0; f < features.size(); ++f)
    if (const auto* row = find(features[f]))
      for (const Entry& entry : *row) scores[entry.label] += entry.weight;
}

void LearningWeights::update(const Features& features, int chosen, int amount) {
  for (int f = 0; f < features.size(); ++f) {
    auto* row = find(features[f]);
    if (row == nullptr) {
      if (rows_.size() * 2 >= keys_.size()) grow();
      const std::size_t mask = keys_.size() - 1;
      std::size_t i = (features[f] >> 20) & mask;
      while (keys_[i] != 0) i = (i + 1) & mask;
      keys_[i] = features[f] | 1;
      places_[i] = static_cast<std::uint32_t>(rows_.size());
      rows_.emplace_back();
      row = &rows_.back();
    }
    auto entry = std::find_if(row->begin(), row->end(), [&](const Entry& e) { return e.label == chosen; });
    if (entry == row->end()) entry = row->insert(entry, Entry{chosen, 0, 0, now_});
    entry->total += entry->weight * (now_ - entry->since);
    entry->since = now_;
    entry->weight += amount;
  }
}

double LearningWeights::average(const Entry& entry) const {
  return static_cast<double>(entry.total + entry.weight * (now_ - entry.since)) / static_cast<double>(now_);
}

double LearningWeights::largest() const {
  double largest = 1e-9;
  for (const auto& row : rows_)
    for (const Entry& entry : row) largest = std::max(largest, std::abs(average(entry)));
  return largest;
}

std::string LearningWeights::pack(std::size_t bytes, double largest) const {
  struct Kept {
    Feature feature;
    std::vector<std::pair<std::uint8_t, double>> weights;
  };
  std::vector<Kept> kept;
  if (largest <= 0) largest = this->largest();
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (keys_[i] == 0) continue;
    Kept row{keys_[i], {}};
    for (const Entry& entry : rows_[places_[i]]) {
      const double weight = average(entry);
      if (weight != 0) row.weights.emplace_back(static_cast<std::uint8_t>(entry.label), weight);
    }
    if (!row.weights.empty()) kept.push_back(std::move(row));
  }
  // In an order that depends on the features alone.
  std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.feature < b.feature; });
  for (Kept& row : kept) std::sort(row.weights.begin(), row.weights.end());

  const double scale = 127.0 * 127.0 / largest;
  const auto code_of = [&](double weight) {
    const int root = static_cast<int>(std::lround(std::sqrt(std::abs(weight) * scale)));
    return static_cast<std::int8_t>(weight < 0 ? -root : root);
  };
  const auto size_of = [&](int least) {
    std::size_t rows = 0, pairs = 0;
    for (const Kept& row : kept) {
      std::size_t here = 0;
      for (const auto& weight : row.weights) here += std::abs(code_of(weight.second)) >= least;
      rows += here > 0;
      pairs += here;
    }
    return std::pair(static_cast<std::size_t>(static_cast<double>(rows) / fill) + 1, pairs);
  };
  int low = 1, high = 128;  // the least code that stays; at 128 nothing does
  while (low < high) {
    const int middle = (low + high) / 2;
    const auto [slots, pairs] = size_of(middle);
    if (header_bytes + 8 * slots + 2 * pairs <= bytes && pairs < (1u << 28)) high = middle;
    else low = middle + 1;
  }
  const auto [slot_count, pair_count] = size_of(low);
  std::vector<std::uint64_t> slots(slot_count, 0);
  std::string pairs;
  const auto count = static_cast<std::uint32_t>(slot_count);
  for (const Kept& row : kept) {
    const std::size_t begin = pairs.size() / 2;
    for (const auto& [label, weight] : row.weights) {
      const std::int8_t code = code_of(weight);
      if (std::abs(code) < low || pairs.size() / 2 - begin >= most_pairs) continue;
      pairs.push_back(static_cast<char>(label));
      pairs.push_back(static_cast<char>(code));
    }
    const std::size_t number = pairs.size() / 2 - begin;
    if (number == 0) continue;
    std::uint32_t i = first_slot(row.feature, count);
    while (slots[i] != 0) i = i + 1 == count ? 0 : i + 1;
    slots[i] = fingerprint(row.feature) << 36 | static_cast<std::uint64_t>(begin) << 8 | number;
  }
  std::string packed;
  append(packed, static_cast<std::uint32_t>(classes_));
  append(packed, count);
  append(packed, static_cast<std::uint32_t>(pairs.size() / 2));
  append(packed, std::uint32_t{0});
  packed.append(reinterpret_cast<const char*>(slots.data()), slots.size() * 8);
  packed += pairs;
  return packed;
}

PackedWeights::PackedWeights(std::string_view data) {
  if (data.size() < header_bytes || reinterpret_cast<std::uintptr_t>(data.data()) % 8 != 0)
    throw std::invalid_argument("weights: too short, or at an odd place");
  std::uint32_t header[4];
  std::memcpy(header, data.data(), header_bytes);
  const std::uint64_t pairs = header[2];
  if (header[0] < 1 || header[0] > most_classes || header[1] < 1 || header[3] != 0 ||
      data.size() != header_bytes + 8ull * header[1] + 2 * pairs)
    throw std::invalid_argument("weights: sizes do not agree");
  classes_ = static_cast<int>(header[0]);
  slot_count_ = header[1];
  slots_ = reinterpret_cast<const std::uint64_t*>(data.data() + header_bytes);
  pairs_ = reinterpret_cast<const std::uint8_t*>(slots_ + slot_count_);
  bool any_empty = false;
  for (std::uint32_t i = 0; i < slot_count_; ++i) {
    any_empty |= slots_[i] == 0;
    if ((slots_[i] >> 8 & 0xfffffff) + (slots_[i] & 0xff) > pairs)
      throw std::invalid_argument("weights: a feature points past the end");
  }
  if (!any_empty) throw std::invalid_argument("weights: no empty slot");  // a search would never end
  for (std::uint64_t i = 0; i < pairs; ++i)
    if (pairs_[2 * i] >= classes_) throw std::invalid_argument("weights: a class out of range");
}

void PackedWeights::add_scores(const Features& features, Score* scores) const {
  std::uint32_t places[Features::most];
  const int count = features.size();
  // All look-ups are under way before the first is needed.
  for (int f = 0; f < count; ++f) {
    places[f] = first_slot(features[f], slot_count_);
    prefetch(slots_ + places[f]);
  }
  std::uint64_t found[Features::most];
  int number = 0;
  for (int f = 0; f < count; ++f) {
    const std::uint64_t wanted = fingerprint(features[f] | 1);
    for (std::uint32_t i = places[f]; slots_[i] != 0; i = i + 1 == slot_count_ ? 0 : i + 1)
      if (slots_[i] >> 36 == wanted) {
        found[number++] = slots_[i];
        prefetch(pairs_ + 2 * (slots_[i] >> 8 & 0xfffffff));
        break;
      }
  }
  for (int f = 0; f < number; ++f) {
    const std::uint8_t* pair = pairs_ + 2 * (found[f] >> 8 & 0xfffffff);
    for (const std::uint8_t* end = pair + 2 * (found[f] & 0xff); pair != end; pair += 2) {
      const int code = static_cast<std::int8_t>(pair[1]);
      scores[pair[0]] += code < 0 ? -code * code : code * code;
    }
  }
}

}  // namespace paragauge::analysis
