// Networks with one hidden layer over hashed sparse features: while they learn, and packed for use. A linear model needs a
// feature for each combination of facts; a network makes its own, and goes on where a combination is new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/weights.hpp"

namespace paragauge::analysis {

// Multinomial logistic regression on top of rectified units; learns by AdaGrad. Some features are left out by chance each time, so that no prediction leans on a single one.
class LearningNetwork {
 public:
  // Features that were noted less than `least_notes` times have no place in it.
  LearningNetwork(int classes, int units, int least_notes, std::uint64_t seed);
  void note(const Features& features);
  void end_notes();
  void learn(const Features& features, int right);
  void end_epoch() { rate_ *= 0.8f; }
  // Several networks that learned the same notes from different chances, as one with the units of all and their average scores.
  // scale: what a natural logarithm is to be in the scores.
  static std::string pack(const std::vector<LearningNetwork>& networks, double scale);

 private:
  struct Slot {
    Feature feature;
    std::uint32_t number;  // how often it was noted; then its row, counted from one
  };
  Slot& slot_of(Feature feature);
  std::uint32_t row_of(Feature feature) const;
  float chance();
  void descend(float* values, float* squares) const;  // against the gradients of the units

  std::size_t classes_, units_;
  std::uint32_t least_notes_;
  std::uint64_t state_;
  float rate_ = 0.05f;
  std::size_t count_ = 0;
  std::vector<Slot> slots_;
  std::vector<Feature> features_;         // of the rows
  std::vector<float> rows_, row_squares_;  // what each feature adds to the units, and sums of squared gradients
  std::vector<float> biases_, bias_squares_;
  std::vector<float> tops_, top_squares_;  // units x classes
  std::vector<float> ends_, end_squares_;  // of the classes
  std::vector<float> sums_, gradients_, shares_;
};

// Four bits for each number that a feature adds to a unit, times a byte for the feature; all else is whole numbers too, so that
// scores are the same everywhere. Layout, in little-endian words: u32 classes, units, buckets, rows, shift; i32 bias of each
// unit; i32 of each class; u32 first row of each bucket, and the end of the last; i16 tops (units x classes); u16 hash of each row;
// u8 factor of each row; codes, in each byte those of two units, half of the units apart.
class PackedNetwork final : public Scorer {
 public:
  PackedNetwork() = default;
  // Checks everything that look-ups rely on; throws std::invalid_argument. The data must outlive the network.
  explicit PackedNetwork(std::string_view data);
  int classes() const override { return static_cast<int>(classes_); }
  void add_scores(const Features& features, Score* scores) const override;
  // The same in at most so many bytes: features that add little are left out.
  std::string pruned(std::size_t bytes) const;

 private:
  std::uint32_t classes_ = 0, units_ = 0, buckets_ = 0, rows_ = 0, shift_ = 0;
  const std::int32_t* biases_ = nullptr;
  const std::int32_t* ends_ = nullptr;
  const std::uint32_t* first_rows_ = nullptr;
  const std::int16_t* tops_ = nullptr;
  const std::uint16_t* hashes_ = nullptr;
  const std::uint8_t* factors_ = nullptr;
  const std::uint8_t* codes_ = nullptr;
};

}  // namespace paragauge::analysis
