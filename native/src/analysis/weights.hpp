// Linear models over hashed sparse features: while they learn, and packed for use.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace paragauge::analysis {

using Feature = std::uint64_t;
using Score = std::int32_t;

constexpr int most_classes = 256;  // the packed form has one byte for a class

// A feature is a template's number and the hashes that fill it.
inline Feature combine(Feature a, Feature b) {
  const Feature x = (a ^ b) * 0x9e3779b97f4a7c15ull;
  return x ^ (x >> 29) ^ (b << 17);
}

class Features {
 public:
  template <class... Parts>
  void add(int number, Parts... parts) {
    Feature feature = 0xd6e8feb86659fd93ull * static_cast<Feature>(number + 1);
    ((feature = combine(feature, static_cast<Feature>(parts))), ...);
    items_[static_cast<std::size_t>(count_++)] = feature * 0xd6e8feb86659fd93ull;
  }
  void clear() { count_ = 0; }
  int size() const { return count_; }
  bool operator==(const Features& other) const {
    return count_ == other.count_ && std::equal(items_.begin(), items_.begin() + count_, other.items_.begin());
  }
  const Feature& operator[](int i) const { return items_[static_cast<std::size_t>(i)]; }

  static constexpr int most = 160;

 private:
  std::array<Feature, most> items_;
  int count_ = 0;
};

// Gives every class a score for a set of features.
class Scorer {
 public:
  virtual ~Scorer() = default;
  virtual int classes() const = 0;
  // Adds the weights of the features to scores[0 .. classes()).
  virtual void add_scores(const Features& features, Score* scores) const = 0;
};

// Weights that learn: integers changed by one at a time, with their sums over time for averaging.
class LearningWeights final : public Scorer {
 public:
  // Features that were noted less than `least_notes` times (at most 15) never get a weight.
  LearningWeights(int classes, int least_notes);
  int classes() const override { return classes_; }
  void add_scores(const Features& features, Score* scores) const override;
  void update(const Features& features, int chosen, int amount);
  void tick() { ++now_; }  // one more example seen
  void start_again();      // all weights become zero; the averages go on
  // Notes that the features occur in a right derivation. Most features are rare, and would cost memory, time and space in
  // the file; without them from the start, the others learn to do their work.
  void note(const Features& features);
  void end_notes();  // what was noted too seldom is forgotten; notes may begin again

  // The averaged weights in at most `bytes` bytes: the smallest are left out until the rest fits.
  // A `largest` above zero stands for the largest weight, so that several models get one scale.
  std::string pack(std::size_t bytes, double largest = 0) const;
  double largest() const;  // average weight

 private:
  // A feature and where its weights are: a row of cells that moves to a larger place when it is full.
  struct Slot {
    Feature feature;
    std::uint32_t begin;
    std::uint16_t size, room;  // 0, 0 for an empty slot
  };
  struct Cell {
    std::int32_t label, weight;
  };
  struct History {
    std::int64_t total, since;
  };
  Slot* find(Feature feature);
  const Slot* find(Feature feature) const { return const_cast<LearningWeights*>(this)->find(feature); }
  std::size_t place_of(Feature feature) const { return feature >> 20 & (slots_.size() - 1); }
  Slot& insert(Feature feature);
  std::size_t cell_for(Slot& slot, int label);
  bool known(Feature feature) const { return (noted_[feature >> 39] >> (feature >> 38 & 1) * 4 & 15) >= least_notes_; }
  double average(std::size_t cell) const;

  int classes_, least_notes_;
  std::int64_t now_ = 1;
  std::size_t count_ = 0;
  std::vector<std::uint8_t> noted_;  // four bits for each of 2^26 hashes
  std::vector<Slot> slots_;
  std::vector<Cell> cells_;
  std::vector<History> histories_;  // of the cells
};

// Packed weights, laid out for look-ups when they are first used. Features are rows in the order of their hashes, in buckets of a few rows each; a row is found
// by 16 bits of its hash, so that once in ten thousand look-ups a feature is taken for another one, with little harm.
// Layout, in little-endian words: u32 classes, u32 buckets, u32 rows, u32 pairs; u32 first row of each bucket, and the end of
// the last; then
//   with more than `most_dense` classes: u32 first pair of each bucket; u16 hash and u8 number of pairs of each row; the
//   pairs of bytes (class, code);
//   with fewer: u16 hash of each row, and one code for each class.
// Both have `padding` hashes more than rows, which nobody reads any more. A code c, as a signed byte, stands for the weight
// sign(c) * c * c: fine steps for small weights, coarse for large.
constexpr int most_dense = 4;

class PackedWeights final : public Scorer {
 public:
  PackedWeights() = default;
  // Checks everything that look-ups rely on; throws std::invalid_argument. The data must outlive the weights.
  explicit PackedWeights(std::string_view data);
  int classes() const override { return classes_; }
  void add_scores(const Features& features, Score* scores) const override;

 private:
  static constexpr int line_rows = 10;
  static constexpr std::uint32_t more = 1u << 31;
  // A bucket as look-ups read it, in one line of the cache: the hashes of its first rows, and what stands for each: the codes of a
  // dense row, or the first of its pairs. The last is the end of the pairs; it says `more` if the bucket has more rows.
  struct alignas(64) Line {
    std::uint16_t hashes[line_rows];
    std::uint32_t values[line_rows + 1];
  };
  // Made when they are first needed: most programs need a few models of many.
  struct Lines {
    std::once_flag made;
    std::vector<Line> all;
  };
  const std::vector<Line>& lines() const;
  Line line_of(std::uint32_t bucket) const;
  // Calls use(line, row, bucket, feature) for each feature; the row is line_rows if the line does not have it.
  template <class Use>
  void find(const Features& features, const Use& use) const;
  void add_dense(const Features& features, Score* scores) const;
  void add_pairs(const Features& features, Score* scores) const;
  bool dense() const { return pair_counts_ == nullptr; }
  std::uint32_t dense_codes(std::uint32_t row) const;
  std::uint32_t find_further(std::uint32_t bucket, Feature feature) const;  // no_row if there is none

  int classes_ = 0;
  std::uint32_t bucket_count_ = 0;
  const std::uint32_t* first_rows_ = nullptr;
  const std::uint32_t* first_pairs_ = nullptr;
  const std::uint16_t* hashes_ = nullptr;
  const std::uint8_t* pair_counts_ = nullptr;
  const std::uint8_t* codes_ = nullptr;  // of all classes, or pairs
  std::shared_ptr<Lines> lines_;
};

// Where a search for a feature begins, among so many places: larger features never begin before smaller ones.
inline std::uint32_t first_slot(Feature feature, std::uint32_t slots) {
  return static_cast<std::uint32_t>(((feature >> 32) * slots) >> 32);
}

}  // namespace paragauge::analysis
