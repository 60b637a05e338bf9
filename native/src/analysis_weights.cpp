#include "analysis_weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "prefetch.hpp"

namespace paragauge::analysis {

namespace {

constexpr std::size_t header_bytes = 16;
constexpr int most_pairs = 255;  // of one feature: eight bits
constexpr double fill = 0.8;     // of the slots

template <class T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

}  // namespace

LearningWeights::LearningWeights(int classes, int least_notes)
    : classes_(classes), least_notes_(least_notes), noted_(1 << 25, 0), slots_(1 << 16, Slot{0, 0, 0, 0}) {
  if (least_notes < 1 || least_notes > 15) throw std::invalid_argument("notes are counted up to 15");
  if (classes < 1 || classes > most_classes) throw std::invalid_argument("too many classes");
}

LearningWeights::Slot* LearningWeights::find(Feature feature) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = place_of(feature); slots_[i].room != 0; i = (i + 1) & mask)
    if (slots_[i].feature == feature) return &slots_[i];
  return nullptr;
}

LearningWeights::Slot& LearningWeights::insert(Feature feature) {
  if (++count_ * 2 > slots_.size()) {
    std::vector<Slot> old(slots_.size() * 2, Slot{0, 0, 0, 0});
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.room == 0) continue;
      std::size_t i = place_of(slot.feature);
      while (slots_[i].room != 0) i = (i + 1) & mask;
      slots_[i] = slot;
    }
  }
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = place_of(feature);
  while (slots_[i].room != 0) i = (i + 1) & mask;
  slots_[i] = {feature, static_cast<std::uint32_t>(cells_.size()), 0, 2};
  cells_.resize(cells_.size() + 2);
  histories_.resize(cells_.size());
  return slots_[i];
}

std::size_t LearningWeights::cell_for(Slot& slot, int label) {
  for (std::size_t i = slot.begin; i < slot.begin + slot.size; ++i)
    if (cells_[i].label == label) return i;
  if (slot.size == slot.room) {
    const std::size_t begin = cells_.size();
    cells_.resize(begin + 2u * slot.room);
    histories_.resize(cells_.size());
    std::copy_n(cells_.begin() + slot.begin, slot.size, cells_.begin() + static_cast<std::ptrdiff_t>(begin));
    std::copy_n(histories_.begin() + slot.begin, slot.size, histories_.begin() + static_cast<std::ptrdiff_t>(begin));
    slot.begin = static_cast<std::uint32_t>(begin);
    slot.room = static_cast<std::uint16_t>(2 * slot.room);
  }
  const std::size_t cell = slot.begin + slot.size++;
  cells_[cell] = {label, 0};
  histories_[cell] = {0, now_};
  return cell;
}

void LearningWeights::note(const Features& features) {
  for (int f = 0; f < features.size(); ++f) {
    std::uint8_t& cell = noted_[features[f] >> 39];
    const int shift = static_cast<int>(features[f] >> 38 & 1) * 4;
    if ((cell >> shift & 15) < least_notes_) cell = static_cast<std::uint8_t>(cell + (1 << shift));
  }
}

void LearningWeights::end_notes() {
  for (std::uint8_t& cell : noted_) {
    const int low = cell & 15, high = cell >> 4;
    cell = static_cast<std::uint8_t>((low >= least_notes_ ? low : 0) + (high >= least_notes_ ? high << 4 : 0));
  }
}

void LearningWeights::add_scores(const Features& features, Score* scores) const {
  const Feature* wanted[Features::most];
  const Slot* found[Features::most];
  int number = 0, rows = 0;
  for (int f = 0; f < features.size(); ++f) prefetch(&noted_[features[f] >> 39]);
  for (int f = 0; f < features.size(); ++f)
    if (known(features[f])) {
      prefetch(&slots_[place_of(features[f])]);
      wanted[number++] = &features[f];
    }
  for (int f = 0; f < number; ++f)
    if (const Slot* slot = find(*wanted[f])) {
      prefetch(&cells_[slot->begin]);
      found[rows++] = slot;
    }
  for (int f = 0; f < rows; ++f) {
    const Cell* cell = &cells_[found[f]->begin];
    for (const Cell* end = cell + found[f]->size; cell != end; ++cell) scores[cell->label] += cell->weight;
  }
}

void LearningWeights::update(const Features& features, int chosen, int amount) {
  for (int f = 0; f < features.size(); ++f) {
    if (!known(features[f])) continue;
    Slot* slot = find(features[f]);
    const std::size_t cell = cell_for(slot != nullptr ? *slot : insert(features[f]), chosen);
    History& history = histories_[cell];
    history.total += cells_[cell].weight * (now_ - history.since);
    history.since = now_;
    cells_[cell].weight += amount;
  }
}

double LearningWeights::average(std::size_t cell) const {
  const History& history = histories_[cell];
  const std::int64_t total = history.total + cells_[cell].weight * (now_ - history.since);
  return static_cast<double>(total) / static_cast<double>(now_);
}

double LearningWeights::largest() const {
  double largest = 1e-9;
  for (const Slot& slot : slots_)
    for (std::size_t i = slot.begin; i < slot.begin + slot.size; ++i) largest = std::max(largest, std::abs(average(i)));
  return largest;
}

std::string LearningWeights::pack(std::size_t bytes, double largest) const {
  struct Kept {
    Feature feature;
    std::vector<std::pair<std::uint8_t, double>> weights;
  };
  std::vector<Kept> kept;
  if (largest <= 0) largest = this->largest();
  for (const Slot& slot : slots_) {
    Kept row{slot.feature, {}};
    for (std::size_t i = slot.begin; i < slot.begin + slot.size; ++i)
      if (const double weight = average(i); weight != 0)
        row.weights.emplace_back(static_cast<std::uint8_t>(cells_[i].label), weight);
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
  // A weight whose code is zero says nothing; of the others, those stay whose size is at least `least`.
  const auto stays = [&](double weight, double least) { return std::abs(weight) >= least && code_of(weight) != 0; };
  const auto size_of = [&](double least) {
    std::size_t rows = 0, pairs = 0;
    for (const Kept& row : kept) {
      std::size_t here = 0;
      for (const auto& weight : row.weights) here += stays(weight.second, least);
      rows += here > 0;
      pairs += here;
    }
    return std::pair(static_cast<std::size_t>(static_cast<double>(rows) / fill) + 1, pairs);
  };
  const bool dense = classes_ <= most_dense;
  const std::size_t slot_bytes = dense ? static_cast<std::size_t>(2 + classes_) : 8;
  const auto fits = [&](double least) {
    const auto [slots, pairs] = size_of(least);
    return header_bytes + slot_bytes * slots + (dense ? 0 : 2 * pairs) <= bytes && pairs < (1u << 28);
  };
  double low = 0, high = 2 * largest;
  if (fits(low)) high = low;
  for (int round = 0; round < 40 && high > low; ++round) {
    const double middle = (low + high) / 2;
    (fits(middle) ? high : low) = middle;
  }
  const double least = high;
  const auto [slot_count, pair_count] = size_of(least);
  const auto count = static_cast<std::uint32_t>(slot_count);
  std::string slots(slot_count * slot_bytes, '\0'), pairs;
  pairs.reserve(2 * pair_count);
  const auto is_empty = [&](std::uint32_t i) {
    const char* slot = slots.data() + i * slot_bytes;
    return std::all_of(slot, slot + slot_bytes, [](char byte) { return byte == 0; });
  };
  for (const Kept& row : kept) {
    const std::size_t begin = pairs.size() / 2;
    char codes[most_dense] = {};
    std::size_t number = 0;
    for (const auto& [label, weight] : row.weights) {
      if (!stays(weight, least) || number >= most_pairs) continue;
      const char code = static_cast<char>(code_of(weight));
      ++number;
      if (dense) {
        codes[label] = code;
      } else {
        pairs.push_back(static_cast<char>(label));
        pairs.push_back(code);
      }
    }
    if (number == 0) continue;
    std::uint32_t i = first_slot(row.feature, count);
    while (!is_empty(i)) i = i + 1 == count ? 0 : i + 1;
    char* slot = slots.data() + i * slot_bytes;
    if (dense) {
      const auto hash = static_cast<std::uint16_t>(row.feature);
      std::memcpy(slot, &hash, 2);
      std::copy_n(codes, classes_, slot + 2);
    } else {
      const std::uint64_t whole = fingerprint(row.feature) << 36 | static_cast<std::uint64_t>(begin) << 8 | number;
      std::memcpy(slot, &whole, 8);
    }
  }
  std::string packed;
  append(packed, static_cast<std::uint32_t>(classes_));
  append(packed, count);
  append(packed, static_cast<std::uint32_t>(pairs.size() / 2));
  append(packed, std::uint32_t{0});
  return packed + slots + pairs;
}

PackedWeights::PackedWeights(std::string_view data) {
  if (data.size() < header_bytes || reinterpret_cast<std::uintptr_t>(data.data()) % 8 != 0)
    throw std::invalid_argument("weights: too short, or at an odd place");
  std::uint32_t header[4];
  std::memcpy(header, data.data(), header_bytes);
  const std::uint64_t pairs = header[2];
  const bool dense = header[0] <= most_dense;
  if (header[0] < 1 || header[0] > most_classes || header[1] < 1 || header[3] != 0 || (dense && pairs != 0) ||
      data.size() != header_bytes + (dense ? 2ull + header[0] : 8ull) * header[1] + 2 * pairs)
    throw std::invalid_argument("weights: sizes do not agree");
  classes_ = static_cast<int>(header[0]);
  slot_count_ = header[1];
  if (dense) {
    dense_ = reinterpret_cast<const std::uint8_t*>(data.data() + header_bytes);
    for (std::uint32_t i = 0; i < slot_count_; ++i) {
      const std::uint8_t* slot = dense_ + i * dense_bytes();
      if (std::all_of(slot, slot + dense_bytes(), [](std::uint8_t byte) { return byte == 0; })) return;
    }
    throw std::invalid_argument("weights: no empty slot");  // a search would never end
  }
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

void PackedWeights::add_dense_scores(const Features& features, Score* scores) const {
  const std::uint8_t* places[Features::most];
  const std::uint8_t* end = dense_ + slot_count_ * dense_bytes();
  const int count = features.size();
  for (int f = 0; f < count; ++f) {
    places[f] = dense_ + first_slot(features[f], slot_count_) * dense_bytes();
    prefetch(places[f]);
  }
  for (int f = 0; f < count; ++f) {
    const auto wanted = static_cast<std::uint16_t>(features[f]);
    for (const std::uint8_t* slot = places[f];;) {
      std::uint16_t hash;
      std::memcpy(&hash, slot, 2);
      const std::uint8_t* codes = slot + 2;
      const bool taken = std::any_of(codes, codes + classes_, [](std::uint8_t code) { return code != 0; });
      if (!taken) break;
      if (hash == wanted) {
        for (int i = 0; i < classes_; ++i) {
          const int code = static_cast<std::int8_t>(codes[i]);
          scores[i] += code < 0 ? -code * code : code * code;
        }
        break;
      }
      slot += dense_bytes();
      if (slot == end) slot = dense_;
    }
  }
}

void PackedWeights::add_scores(const Features& features, Score* scores) const {
  if (dense_ != nullptr) return add_dense_scores(features, scores);
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
    const std::uint64_t wanted = fingerprint(features[f]);
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
