#include "analysis/weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "base/portable.hpp"

namespace paragauge::analysis {

namespace {

constexpr std::size_t header_bytes = 16;
constexpr int most_pairs = 255;  // of one feature: eight bits
constexpr std::size_t rows_a_bucket = 5;  // on average
constexpr std::size_t padding = 8;
constexpr std::uint32_t no_row = 0xffffffffu;

template <class T>
void append(std::string& out, const std::vector<T>& values) {
  out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

// What comes before the pairs, or all of it where there are none.
std::size_t fixed_bytes(int classes, std::size_t buckets, std::size_t rows) {
  const std::size_t common = header_bytes + 4 * (buckets + 1) + 2 * (rows + padding);
  return common + (classes <= most_dense ? rows * static_cast<std::size_t>(classes) : 4 * buckets + rows);
}

// The weights that codes stand for.
struct Squares {
  std::int16_t of[256];
  constexpr Squares() : of{} {
    for (int code = -128; code < 128; ++code)
      of[code & 255] = static_cast<std::int16_t>(code < 0 ? -code * code : code * code);
  }
};
constexpr Squares squares;

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

void LearningWeights::start_again() {
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    History& history = histories_[cell];
    history.total += cells_[cell].weight * (now_ - history.since);
    history.since = now_;
    cells_[cell].weight = 0;
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
    const int root = std::min(127, static_cast<int>(std::lround(std::sqrt(std::abs(weight) * scale))));
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
    return std::pair(rows, pairs);
  };
  const bool dense = classes_ <= most_dense;
  const auto fits = [&](double least) {
    const auto [rows, pairs] = size_of(least);
    return fixed_bytes(classes_, rows / rows_a_bucket + 1, rows) + (dense ? 0 : 2 * pairs) <= bytes;
  };
  double low = 0, high = 2 * largest;
  if (fits(low)) high = low;
  for (int round = 0; round < 40 && high > low; ++round) {
    const double middle = (low + high) / 2;
    (fits(middle) ? high : low) = middle;
  }
  const double least = high;
  const auto buckets = static_cast<std::uint32_t>(size_of(least).first / rows_a_bucket + 1);
  std::vector<std::uint32_t> first_rows(buckets + 1, 0), first_pairs(buckets, 0);
  std::vector<std::uint16_t> hashes;
  std::vector<std::uint8_t> pair_counts, codes;
  std::uint32_t bucket = 0;
  const auto begin_buckets = [&](std::uint32_t until) {  // those before have all their rows
    for (; bucket < until; ++bucket) {
      first_rows[bucket + 1] = static_cast<std::uint32_t>(hashes.size());
      if (bucket + 1 < buckets) first_pairs[bucket + 1] = static_cast<std::uint32_t>(codes.size() / 2);
    }
  };
  for (const Kept& row : kept) {
    std::uint8_t all_codes[most_dense] = {};
    std::vector<std::uint8_t> pairs;
    for (const auto& [label, weight] : row.weights) {
      if (!stays(weight, least) || pairs.size() >= 2u * most_pairs) continue;
      const auto code = static_cast<std::uint8_t>(code_of(weight));
      pairs.insert(pairs.end(), {label, code});
      if (dense) all_codes[label] = code;
    }
    if (pairs.empty()) continue;
    begin_buckets(first_slot(row.feature, buckets));
    hashes.push_back(static_cast<std::uint16_t>(row.feature));
    if (dense) {
      codes.insert(codes.end(), all_codes, all_codes + classes_);
    } else {
      pair_counts.push_back(static_cast<std::uint8_t>(pairs.size() / 2));
      codes.insert(codes.end(), pairs.begin(), pairs.end());
    }
  }
  begin_buckets(buckets);
  const auto rows = static_cast<std::uint32_t>(hashes.size());
  hashes.resize(hashes.size() + padding, 0);
  std::string packed;
  append(packed, std::vector<std::uint32_t>{static_cast<std::uint32_t>(classes_), buckets, rows,
                                            dense ? 0 : static_cast<std::uint32_t>(codes.size() / 2)});
  append(packed, first_rows);
  if (!dense) append(packed, first_pairs);
  append(packed, hashes);
  append(packed, pair_counts);
  append(packed, codes);
  return packed;
}

PackedWeights::PackedWeights(std::string_view data) {
  if (data.size() < header_bytes || reinterpret_cast<std::uintptr_t>(data.data()) % 8 != 0)
    throw std::invalid_argument("weights: too short, or at an odd place");
  std::uint32_t header[4];
  std::memcpy(header, data.data(), header_bytes);
  const std::uint32_t buckets = header[1], rows = header[2], pairs = header[3];
  if (header[0] < 1 || header[0] > most_classes || buckets < 1)
    throw std::invalid_argument("weights: sizes do not agree");
  const int classes = static_cast<int>(header[0]);
  const bool dense = classes <= most_dense;
  if ((dense && pairs != 0) || data.size() != fixed_bytes(classes, buckets, rows) + 2ull * pairs)
    throw std::invalid_argument("weights: sizes do not agree");
  if (pairs >= more) throw std::invalid_argument("weights: too many pairs");
  const auto* words = reinterpret_cast<const std::uint32_t*>(data.data() + header_bytes);
  first_rows_ = words;
  words += buckets + 1;
  if (!dense) {
    first_pairs_ = words;
    words += buckets;
  }
  hashes_ = reinterpret_cast<const std::uint16_t*>(words);
  codes_ = reinterpret_cast<const std::uint8_t*>(hashes_ + rows + padding);
  if (!dense) {
    pair_counts_ = codes_;
    codes_ += rows;
  }
  if (first_rows_[0] != 0 || first_rows_[buckets] != rows) throw std::invalid_argument("weights: rows are missing");
  std::uint64_t pair = 0;
  for (std::uint32_t bucket = 0; bucket < buckets; ++bucket) {
    if (first_rows_[bucket] > first_rows_[bucket + 1] || first_rows_[bucket + 1] > rows)
      throw std::invalid_argument("weights: buckets out of order");
    if (dense) continue;
    if (first_pairs_[bucket] != pair) throw std::invalid_argument("weights: a feature points past its pairs");
    for (std::uint32_t row = first_rows_[bucket]; row < first_rows_[bucket + 1]; ++row) pair += pair_counts_[row];
  }
  if (pair != pairs) throw std::invalid_argument("weights: a feature points past the end");
  for (std::uint32_t i = 0; i < pairs; ++i)
    if (codes_[2 * i] >= classes) throw std::invalid_argument("weights: a class out of range");
  classes_ = classes;
  bucket_count_ = buckets;
  lines_ = std::make_shared<Lines>();
}

std::uint32_t PackedWeights::dense_codes(std::uint32_t row) const {
  std::uint8_t codes[most_dense] = {};
  const std::uint8_t* from = codes_ + static_cast<std::size_t>(row) * static_cast<std::size_t>(classes_);
  std::copy(from, from + classes_, codes);
  std::uint32_t packed;
  std::memcpy(&packed, codes, sizeof packed);
  return packed;
}

PackedWeights::Line PackedWeights::line_of(std::uint32_t bucket) const {
  Line line{};
  const std::uint32_t first = first_rows_[bucket], count = first_rows_[bucket + 1] - first;
  std::uint32_t pair = dense() ? 0 : first_pairs_[bucket];
  for (std::uint32_t row = 0; row < line_rows; ++row) {
    line.values[row] = pair;
    if (row >= count) continue;
    line.hashes[row] = hashes_[first + row];
    if (dense()) line.values[row] = dense_codes(first + row);
    else pair += pair_counts_[first + row];
  }
  line.values[line_rows] = pair | (count > line_rows ? more : 0);
  return line;
}

const std::vector<PackedWeights::Line>& PackedWeights::lines() const {
  std::call_once(lines_->made, [this] {
    lines_->all.reserve(bucket_count_);
    for (std::uint32_t bucket = 0; bucket < bucket_count_; ++bucket) lines_->all.push_back(line_of(bucket));
  });
  return lines_->all;
}

std::uint32_t PackedWeights::find_further(std::uint32_t bucket, Feature feature) const {
  const auto wanted = static_cast<std::uint16_t>(feature);
  for (std::uint32_t row = first_rows_[bucket] + line_rows; row < first_rows_[bucket + 1]; ++row)
    if (hashes_[row] == wanted) return row;
  return no_row;
}

template <class Use>
void PackedWeights::find(const Features& features, const Use& use) const {
  const Line* lines = this->lines().data();
  std::uint32_t buckets[Features::most];
  for (int f = 0; f < features.size(); ++f) {  // all look-ups are under way before the first is needed
    buckets[f] = first_slot(features[f], bucket_count_);
    prefetch(lines + buckets[f]);
  }
  for (int f = 0; f < features.size(); ++f) {
    const Line& line = lines[buckets[f]];
    const unsigned same = equal_bits(line.hashes, static_cast<std::uint16_t>(features[f]));
    const int row = lowest_bit(same | 1u << line_rows);
    use(line, row, buckets[f], features[f]);
  }
}

void PackedWeights::add_scores(const Features& features, Score* scores) const {
  if (dense()) add_dense(features, scores);
  else add_pairs(features, scores);
}

void PackedWeights::add_dense(const Features& features, Score* scores) const {
  std::uint32_t codes[Features::most];
  int count = 0;
  find(features, [&](const Line& line, int row, std::uint32_t bucket, Feature feature) {
    std::uint32_t found = line.values[row];
    if (row == line_rows && found != 0) {
      const std::uint32_t further = find_further(bucket, feature);
      found = further == no_row ? 0 : dense_codes(further);
    }
    codes[count++] = found;
  });
  Score sums[most_dense] = {0, 0, 0, 0};
  for (int f = 0; f < count; ++f) {
    std::uint8_t row[most_dense];
    std::memcpy(row, codes + f, sizeof row);
    for (int i = 0; i < most_dense; ++i) sums[i] += squares.of[row[i]];
  }
  for (int i = 0; i < classes_; ++i) scores[i] += sums[i];
}

void PackedWeights::add_pairs(const Features& features, Score* scores) const {
  std::uint32_t begins[Features::most], ends[Features::most];
  int count = 0;
  find(features, [&](const Line& line, int row, std::uint32_t bucket, Feature feature) {
    std::uint32_t begin = line.values[row], end = begin;
    if (row < line_rows) {
      end = line.values[row + 1] & ~more;
    } else if ((begin & more) != 0) {
      const std::uint32_t further = find_further(bucket, feature);
      if (further == no_row) return;
      begin &= ~more;
      for (std::uint32_t before = first_rows_[bucket] + line_rows; before < further; ++before) begin += pair_counts_[before];
      end = begin + pair_counts_[further];
    }
    if (begin == end) return;
    prefetch(codes_ + 2 * static_cast<std::size_t>(begin));
    begins[count] = begin;
    ends[count++] = end;
  });
  for (int f = 0; f < count; ++f) {
    const std::uint8_t* pair = codes_ + 2 * static_cast<std::size_t>(begins[f]);
    for (const std::uint8_t* end = codes_ + 2 * static_cast<std::size_t>(ends[f]); pair != end; pair += 2)
      scores[pair[0]] += squares.of[pair[1]];
  }
}

}  // namespace paragauge::analysis
