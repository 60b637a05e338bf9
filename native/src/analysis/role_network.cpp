#include "analysis/role_network.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "base/hashing.hpp"

namespace paragauge::analysis {
namespace {

constexpr std::size_t header_words = 5, rows_a_bucket = 4;
constexpr std::size_t most_units = 256;
constexpr float left_out = 0.1f;        // share of the features
constexpr float first_square = 0.01f;   // what sums of squares begin with
constexpr float least_gradient = 1e-3f;
constexpr int largest_code = 7, largest_factor = 255;
constexpr int largest_shift = 40;
constexpr std::int64_t farthest = 1 << 24;  // from zero, of biases and scores

std::size_t packed_bytes(std::size_t classes, std::size_t units, std::size_t buckets, std::size_t rows) {
  return 4 * (header_words + units + classes + buckets + 1) + 2 * (units * classes + rows) + rows * (1 + units / 2);
}

template <class T>
void append(std::string& out, const std::vector<T>& values) {
  out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

}  // namespace

LearningNetwork::LearningNetwork(int classes, int units, int least_notes, std::uint64_t seed)
    : classes_(static_cast<std::size_t>(classes)), units_(static_cast<std::size_t>(units)),
      least_notes_(static_cast<std::uint32_t>(least_notes)), state_(seed), slots_(1 << 16, Slot{0, 0}) {
  if (classes < 1 || classes > most_classes) throw std::invalid_argument("too many classes");
  if (units < 2 || units % 2 != 0 || units_ > most_units) throw std::invalid_argument("units: an even number up to 256");
}

float LearningNetwork::chance() { return static_cast<float>(mix(state_ += 0x9e3779b97f4a7c15ull) >> 40) / static_cast<float>(1 << 24); }

LearningNetwork::Slot& LearningNetwork::slot_of(Feature feature) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = feature >> 20 & mask;
  while (slots_[i].number != 0 && slots_[i].feature != feature) i = (i + 1) & mask;
  return slots_[i];
}

std::uint32_t LearningNetwork::row_of(Feature feature) const { return const_cast<LearningNetwork*>(this)->slot_of(feature).number; }

void LearningNetwork::note(const Features& features) {
  for (int f = 0; f < features.size(); ++f) {
    Slot* slot = &slot_of(features[f]);
    if (slot->number == 0) {
      if (++count_ * 2 > slots_.size()) {
        std::vector<Slot> old(slots_.size() * 2, Slot{0, 0});
        old.swap(slots_);
        for (const Slot& each : old)
          if (each.number != 0) slot_of(each.feature) = each;
        slot = &slot_of(features[f]);
      }
      slot->feature = features[f];
    }
    ++slot->number;
  }
}

void LearningNetwork::end_notes() {
  for (const Slot& slot : slots_)
    if (slot.number >= least_notes_) features_.push_back(slot.feature);
  std::sort(features_.begin(), features_.end());
  std::size_t size = 16;
  while (size < features_.size() * 2) size *= 2;
  slots_.assign(size, Slot{0, 0});
  for (std::size_t row = 0; row < features_.size(); ++row) slot_of(features_[row]) = {features_[row], static_cast<std::uint32_t>(row + 1)};
  const auto fill = [&](std::vector<float>& values, std::size_t count, float width) {
    values.resize(count);
    for (float& value : values) value = width > 0 ? (chance() - 0.5f) * width : 0;
  };
  fill(rows_, features_.size() * units_, 0.2f);
  fill(tops_, units_ * classes_, 2 * std::sqrt(6.0f / static_cast<float>(units_ + classes_)));
  fill(biases_, units_, 0);
  fill(ends_, classes_, 0);
  row_squares_.assign(rows_.size(), first_square);
  top_squares_.assign(tops_.size(), first_square);
  bias_squares_.assign(units_, first_square);
  end_squares_.assign(classes_, first_square);
  sums_.resize(units_);
  gradients_.resize(units_);
  shares_.resize(classes_);
}

void LearningNetwork::learn(const Features& features, int right) {
  std::array<float*, Features::most> adds;
  std::array<float*, Features::most> squares;
  int count = 0;
  for (int f = 0; f < features.size(); ++f) {
    const std::uint32_t row = row_of(features[f]);
    if (row == 0 || chance() < left_out) continue;
    adds[static_cast<std::size_t>(count)] = &rows_[(row - 1) * units_];
    squares[static_cast<std::size_t>(count++)] = &row_squares_[(row - 1) * units_];
  }
  sums_ = biases_;
  for (int f = 0; f < count; ++f) {
    const float* add = adds[static_cast<std::size_t>(f)];
    for (std::size_t unit = 0; unit < units_; ++unit) sums_[unit] += add[unit];
  }
  shares_ = ends_;
  for (std::size_t unit = 0; unit < units_; ++unit) {
    sums_[unit] = std::max(0.0f, sums_[unit]);
    if (sums_[unit] == 0) continue;
    const float* top = &tops_[unit * classes_];
    for (std::size_t k = 0; k < classes_; ++k) shares_[k] += sums_[unit] * top[k];
  }
  const float most = *std::max_element(shares_.begin(), shares_.end());
  float all = 0;
  for (float& share : shares_) all += share = std::exp(share - most);
  // Gradients of the loss. Most classes are out of the question, and cost no time.
  std::array<std::size_t, most_classes> asked;
  std::size_t asked_count = 0;
  for (std::size_t k = 0; k < classes_; ++k) {
    shares_[k] = shares_[k] / all - (static_cast<int>(k) == right ? 1.0f : 0.0f);
    if (std::fabs(shares_[k]) < least_gradient) continue;
    asked[asked_count++] = k;
    end_squares_[k] += shares_[k] * shares_[k];
    ends_[k] -= rate_ * shares_[k] / std::sqrt(end_squares_[k]);
  }
  for (std::size_t unit = 0; unit < units_; ++unit) {
    gradients_[unit] = 0;
    if (sums_[unit] == 0) continue;
    for (std::size_t i = 0; i < asked_count; ++i) {
      float& top = tops_[unit * classes_ + asked[i]];
      float& top_square = top_squares_[unit * classes_ + asked[i]];
      gradients_[unit] += shares_[asked[i]] * top;
      const float gradient = shares_[asked[i]] * sums_[unit];
      top_square += gradient * gradient;
      top -= rate_ * gradient / std::sqrt(top_square);
    }
  }
  descend(biases_.data(), bias_squares_.data());
  for (int f = 0; f < count; ++f) descend(adds[static_cast<std::size_t>(f)], squares[static_cast<std::size_t>(f)]);
}

void LearningNetwork::descend(float* values, float* squares) const {
  const float* gradients = gradients_.data();
  const std::size_t units = units_;
  const float rate = rate_;
  for (std::size_t unit = 0; unit < units; ++unit) {
    squares[unit] += gradients[unit] * gradients[unit];
    values[unit] -= rate * gradients[unit] / std::sqrt(squares[unit]);
  }
}

std::string LearningNetwork::pack(const std::vector<LearningNetwork>& networks, double scale) {
  const std::vector<Feature>& features = networks.at(0).features_;
  const std::size_t rows = features.size(), buckets = rows / rows_a_bucket + 1, classes = networks[0].classes_;
  const std::size_t own_units = networks[0].units_, units = own_units * networks.size();
  if (units > most_units) throw std::invalid_argument("networks: too many units together");
  const auto largest_of = [&](std::vector<float> LearningNetwork::* values) {
    double largest = 1e-6;
    for (const LearningNetwork& each : networks)
      for (const float value : each.*values) largest = std::max(largest, static_cast<double>(std::fabs(value)));
    return largest;
  };
  const double unit = largest_of(&LearningNetwork::rows_) / (largest_code * largest_factor);  // of the sums
  const double top_scale = unit * scale / static_cast<double>(networks.size());
  std::uint32_t shift = 0;
  while (shift < largest_shift && largest_of(&LearningNetwork::tops_) * top_scale * std::pow(2.0, shift + 1) <= 32767) ++shift;
  const std::vector<std::uint32_t> header{static_cast<std::uint32_t>(classes), static_cast<std::uint32_t>(units), static_cast<std::uint32_t>(buckets),
                                          static_cast<std::uint32_t>(rows), shift};
  std::vector<std::int32_t> biases, ends;
  std::vector<std::int16_t> tops;
  for (const LearningNetwork& each : networks) {
    for (const float value : each.biases_) biases.push_back(static_cast<std::int32_t>(std::lround(value / unit)));
    for (const float value : each.tops_) tops.push_back(static_cast<std::int16_t>(std::lround(value * top_scale * std::pow(2.0, shift))));
  }
  for (std::size_t k = 0; k < classes; ++k) {
    double sum = 0;
    for (const LearningNetwork& each : networks) sum += each.ends_[k];
    ends.push_back(static_cast<std::int32_t>(std::lround(sum * scale / static_cast<double>(networks.size()))));
  }
  std::vector<std::uint32_t> first_rows(buckets + 1, 0);
  std::vector<std::uint16_t> hashes;
  std::vector<std::uint8_t> factors, codes;
  for (std::size_t row = 0; row < rows; ++row) {
    ++first_rows[first_slot(features[row], static_cast<std::uint32_t>(buckets)) + 1];
    hashes.push_back(static_cast<std::uint16_t>(features[row]));
    const auto add = [&](std::size_t k) { return networks[k / own_units].rows_[row * own_units + k % own_units]; };
    float largest = 0;
    for (std::size_t k = 0; k < units; ++k) largest = std::max(largest, std::fabs(add(k)));
    const int factor = std::clamp(static_cast<int>(std::lround(largest / (unit * largest_code))), 1, largest_factor);
    factors.push_back(static_cast<std::uint8_t>(factor));
    const auto code = [&](std::size_t k) {
      return std::clamp(static_cast<int>(std::lround(add(k) / (unit * factor))), -largest_code, largest_code) + 8;
    };
    for (std::size_t k = 0; k < units / 2; ++k) codes.push_back(static_cast<std::uint8_t>(code(k) | code(k + units / 2) << 4));
  }
  std::partial_sum(first_rows.begin(), first_rows.end(), first_rows.begin());
  std::string packed;
  append(packed, header);
  append(packed, biases);
  append(packed, ends);
  append(packed, first_rows);
  append(packed, tops);
  append(packed, hashes);
  append(packed, factors);
  append(packed, codes);
  return packed;
}

PackedNetwork::PackedNetwork(std::string_view data) {
  constexpr std::size_t header_bytes = 4 * header_words;
  if (data.size() < header_bytes || reinterpret_cast<std::uintptr_t>(data.data()) % 4 != 0)
    throw std::invalid_argument("network: too short, or at an odd place");
  std::uint32_t header[header_words];
  std::memcpy(header, data.data(), header_bytes);
  const auto [classes, units, buckets, rows, shift] = std::array{header[0], header[1], header[2], header[3], header[4]};
  if (classes < 1 || classes > most_classes || units < 2 || units % 2 != 0 || units > most_units || buckets < 1 || shift > largest_shift ||
      data.size() != packed_bytes(classes, units, buckets, rows))
    throw std::invalid_argument("network: sizes do not agree");
  biases_ = reinterpret_cast<const std::int32_t*>(data.data() + header_bytes);
  ends_ = biases_ + units;
  first_rows_ = reinterpret_cast<const std::uint32_t*>(ends_ + classes);
  tops_ = reinterpret_cast<const std::int16_t*>(first_rows_ + buckets + 1);
  hashes_ = reinterpret_cast<const std::uint16_t*>(tops_ + static_cast<std::size_t>(units) * classes);
  factors_ = reinterpret_cast<const std::uint8_t*>(hashes_ + rows);
  codes_ = factors_ + rows;
  if (first_rows_[0] != 0 || first_rows_[buckets] != rows || !std::is_sorted(first_rows_, first_rows_ + buckets + 1))
    throw std::invalid_argument("network: rows are missing");
  for (std::uint32_t i = 0; i < units + classes; ++i)
    if (biases_[i] > farthest || biases_[i] < -farthest) throw std::invalid_argument("network: a bias is out of range");
  classes_ = classes;
  units_ = units;
  buckets_ = buckets;
  rows_ = rows;
  shift_ = shift;
}

std::string PackedNetwork::pruned(std::size_t bytes) const {
  const std::size_t fixed = packed_bytes(classes_, units_, buckets_, 0), a_row = packed_bytes(classes_, units_, buckets_, 1) - fixed;
  const std::size_t room = bytes > fixed ? (bytes - fixed) / a_row : 0;
  std::vector<std::uint32_t> rows(rows_);
  std::iota(rows.begin(), rows.end(), 0u);
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) { return factors_[a] > factors_[b]; });
  if (rows.size() > room) rows.resize(room);
  std::sort(rows.begin(), rows.end());
  std::vector<std::uint32_t> first_rows;
  for (std::uint32_t bucket = 0; bucket <= buckets_; ++bucket)
    first_rows.push_back(static_cast<std::uint32_t>(std::lower_bound(rows.begin(), rows.end(), first_rows_[bucket]) - rows.begin()));
  std::vector<std::uint16_t> hashes;
  std::vector<std::uint8_t> factors, codes;
  for (const std::uint32_t row : rows) {
    hashes.push_back(hashes_[row]);
    factors.push_back(factors_[row]);
    const std::uint8_t* from = codes_ + static_cast<std::size_t>(row) * (units_ / 2);
    codes.insert(codes.end(), from, from + units_ / 2);
  }
  std::string packed;
  append(packed, std::vector<std::uint32_t>{classes_, units_, buckets_, static_cast<std::uint32_t>(rows.size()), shift_});
  append(packed, std::vector<std::int32_t>(biases_, ends_ + classes_));
  append(packed, first_rows);
  append(packed, std::vector<std::int16_t>(tops_, tops_ + static_cast<std::size_t>(units_) * classes_));
  append(packed, hashes);
  append(packed, factors);
  append(packed, codes);
  return packed;
}

void PackedNetwork::add_scores(const Features& features, Score* scores) const {
  std::int32_t sums[most_units];
  std::copy(biases_, biases_ + units_, sums);
  const std::size_t half = units_ / 2;
  for (int f = 0; f < features.size(); ++f) {
    const std::uint32_t bucket = first_slot(features[f], buckets_), end = first_rows_[bucket + 1];
    const auto wanted = static_cast<std::uint16_t>(features[f]);
    std::uint32_t row = first_rows_[bucket];
    while (row < end && hashes_[row] != wanted) ++row;
    if (row == end) continue;
    const std::uint8_t* codes = codes_ + static_cast<std::size_t>(row) * half;
    const std::int32_t factor = factors_[row];
    for (std::size_t k = 0; k < half; ++k) {
      sums[k] += ((codes[k] & 15) - 8) * factor;
      sums[half + k] += ((codes[k] >> 4) - 8) * factor;
    }
  }
  std::int64_t found[most_classes];
  std::fill(found, found + classes_, 0);
  for (std::uint32_t unit = 0; unit < units_; ++unit) {
    if (sums[unit] <= 0) continue;
    const std::int16_t* top = tops_ + static_cast<std::size_t>(unit) * classes_;
    for (std::uint32_t k = 0; k < classes_; ++k) found[k] += static_cast<std::int64_t>(sums[unit]) * top[k];
  }
  for (std::uint32_t k = 0; k < classes_; ++k)
    scores[k] += static_cast<Score>(std::clamp(found[k] / (std::int64_t{1} << shift_), -farthest, farthest)) + ends_[k];
}

}  // namespace paragauge::analysis
