#include "align/jumps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace paragauge::align {

int JumpBuckets::of(int width) {
  const int distance = std::abs(width);
  int step = distance;
  if (distance > exact) {
    int range = 0;
    for (int limit = exact + 2, span = 4; range + 1 < ranges && distance > limit; limit += span, span *= 2)
      ++range;
    step = exact + 1 + range;
  }
  return side + (width < 0 ? -step : step);
}

template <class Real>
JumpTable<Real>::JumpTable(int max_length, double null_probability, std::vector<double> weights)
    : max_length_(max_length), null_probability_(null_probability), weights_(std::move(weights)),
      centre_(max_length + padding) {
  if (weights_.empty()) weights_.assign(JumpBuckets::count, 1.0);
  tabulate();
}

template <class Real>
void JumpTable<Real>::tabulate() {
  const std::int64_t width = 2 * centre_ + 1;
  forward_.assign(static_cast<std::size_t>(width), Real(0));
  backward_.assign(static_cast<std::size_t>(width), Real(0));
  for (int w = -max_length_; w <= max_length_; ++w) {
    forward_[centre_ + w] = static_cast<Real>(weights_[JumpBuckets::of(w)]);
    backward_[centre_ - w] = forward_[centre_ + w];
  }
  // A vector load may begin at context(I, 0) and run past the row, so the last row needs room behind it.
  const auto size = static_cast<std::size_t>(contexts(max_length_) + padding);
  leave_.assign(size, Real(0));
  first_.assign(size, Real(0));
  last_.assign(size, Real(0));
  const double aligned = 1.0 - null_probability_;
  for (int length = 1; length <= max_length_; ++length) {
    double z = weights_[JumpBuckets::last(length + 1)];
    for (int i = 0; i < length; ++i) z += weights_[JumpBuckets::first(i + 1)];
    last_[context(length, -1)] = static_cast<Real>(aligned * weights_[JumpBuckets::last(length + 1)] / z);
    for (int i = 0; i < length; ++i)
      first_[context(length, i)] = static_cast<Real>(aligned * weights_[JumpBuckets::first(i + 1)] / z);
    // Z of the next position differs by one jump at either end.
    double jumps = 0;
    for (int i = 0; i < length; ++i) jumps += weights_[JumpBuckets::of(i)];
    for (int from = 0; from < length; ++from) {
      if (from > 0) jumps += weights_[JumpBuckets::of(-from)] - weights_[JumpBuckets::of(length - from)];
      const double end = weights_[JumpBuckets::last(length - from)];
      leave_[context(length, from)] = static_cast<Real>(aligned / (jumps + end));
      last_[context(length, from)] = static_cast<Real>(aligned * end / (jumps + end));
    }
  }
}

// The expected log-probability, sum_b c_b log d_b - sum_x n_x log Z_x, has no closed maximum, since every
// context x = (i', I) normalises over other widths. With Z_x = sum_b m_xb d_b, the bound
//   log Z <= log Z_old + Z / Z_old - 1
// gives the update d_b = c_b / sum_x (n_x m_xb / Z_x), which never lowers it (Hunter, 2004).
template <class Real>
void JumpTable<Real>::maximise(const JumpCounts& counts, double smoothing) {
  constexpr int steps = 8;
  std::vector<double> wanted = counts.buckets;
  for (double& count : wanted) count += smoothing;
  for (int step = 0; step < steps; ++step) {
    std::vector<double> expected(JumpBuckets::count, 0.0);
    std::vector<double> inner(static_cast<std::size_t>(2 * max_length_ + 1), 0.0);  // n_x / Z_x by width
    const std::int64_t centre = max_length_;
    for (int length = 1; length <= max_length_; ++length) {
      if (const double n = counts.contexts[context(length, -1)]; n > 0) {
        double z = weights_[JumpBuckets::last(length + 1)];
        for (int i = 0; i < length; ++i) z += weights_[JumpBuckets::first(i + 1)];
        for (int i = 0; i < length; ++i) expected[JumpBuckets::first(i + 1)] += n / z;
        expected[JumpBuckets::last(length + 1)] += n / z;
      }
      double jumps = 0;
      for (int i = 0; i < length; ++i) jumps += weights_[JumpBuckets::of(i)];
      for (int from = 0; from < length; ++from) {
        if (from > 0) jumps += weights_[JumpBuckets::of(-from)] - weights_[JumpBuckets::of(length - from)];
        const double n = counts.contexts[context(length, from)];
        if (n <= 0) continue;
        const double rate = n / (jumps + weights_[JumpBuckets::last(length - from)]);
        // Widths -from .. length - 1 - from: entered as a difference, summed up once below.
        inner[centre - from] += rate;
        inner[centre + length - from] -= rate;
        expected[JumpBuckets::last(length - from)] += rate;
      }
    }
    double running = 0;
    for (std::int64_t w = -centre; w < centre; ++w) {
      running += inner[centre + w];
      expected[JumpBuckets::of(static_cast<int>(w))] += running;
    }
    // Smoothing alone must not carry a bucket that never could be used: it keeps its weight.
    for (int b = 0; b < JumpBuckets::count; ++b)
      if (expected[b] > 0) weights_[b] = std::max(wanted[b] / (expected[b] + smoothing), 1e-12);
  }
  tabulate();
}

template class JumpTable<float>;
template class JumpTable<double>;

}  // namespace paragauge::align
