// How far the alignment jumps from one word to the next: the transitions of the HMM.
//
// From position i' of a sentence with I words the next aligned position is i, or the end of the sentence:
//   p(i | i', I)   = d(i - i') / Z,    p(end | i', I) = d_end(I - i') / Z,
//   Z(i', I)       = sum over i of d(i - i') + d_end(I - i').
// The first jump, from before the sentence (i' = -1), has weights of its own. Weights are shared by all jumps
// whose width falls into the same bucket.
#pragma once

#include <cstdint>
#include <vector>

namespace paragauge::align {

// Buckets: one for each width up to `exact` in both directions, then ranges that double.
class JumpBuckets {
 public:
  static constexpr int exact = 6;
  static constexpr int ranges = 5;  // 7-8, 9-12, 13-20, 21-36, 37 and more
  static constexpr int side = exact + ranges;
  static constexpr int inner = 2 * side + 1;
  static constexpr int count = 3 * inner;  // inner jumps, first jumps, last jumps

  static int of(int width);                                  // inner jump
  static int first(int width) { return inner + of(width); }  // from before the sentence
  static int last(int width) { return 2 * inner + of(width); }
};

struct JumpCounts {
  std::vector<double> buckets;   // expected jumps in each bucket
  std::vector<double> contexts;  // expected jumps out of (I, i'), at JumpTable::context(I, i')
};

// Weights of the buckets and, for every sentence length, the normalised transitions.
template <class Real>
class JumpTable {
 public:
  JumpTable(int max_length, double null_probability, std::vector<double> weights = {});

  static std::int64_t context(std::int64_t length, std::int64_t from) {  // from = -1 is the start
    return length * (length + 1) / 2 + from + 1;
  }
  static std::int64_t contexts(int max_length) { return context(max_length + 1, -1) + 1; }

  // Raises the expected log-probability of the counts, step by step, and never lowers it (see the .cpp).
  void maximise(const JumpCounts& counts, double smoothing);

  const std::vector<double>& weights() const { return weights_; }
  int max_length() const { return max_length_; }
  // d(width) for widths within the longest sentence, and mirrored: readable `padding` beyond both ends.
  const Real* forward() const { return forward_.data() + centre_; }
  const Real* backward() const { return backward_.data() + centre_; }
  // All of these carry the factor 1 - p0: a word that is not null.
  const Real* leave(std::int64_t length) const { return leave_.data() + context(length, 0); }  // 1 / Z(i', I)
  const Real* first(std::int64_t length) const { return first_.data() + context(length, 0); }  // p(i | start)
  const Real* last(std::int64_t length) const { return last_.data() + context(length, 0); }    // p(end | i')
  Real nothing(std::int64_t length) const { return last_[context(length, -1)]; }  // p(end | start)

  static constexpr int padding = 32;

 private:
  void tabulate();

  int max_length_;
  double null_probability_;
  std::vector<double> weights_;
  std::int64_t centre_;
  std::vector<Real> forward_, backward_, leave_, first_, last_;
};

}  // namespace paragauge::align
