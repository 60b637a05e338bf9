#include "align/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/portable.hpp"

namespace paragauge::align {

namespace {

// Four sums run beside each other, since an addition has to wait for the one before it.
#define PARAGAUGE_KERNELS(Real, Pack)                                                                                \
  /* out[i] = sum over k < count of weights[k] * band[i - k], i < padded(count): a Toeplitz matrix times a           \
     vector. Weights are readable, and 0, up to a multiple of four. */                                               \
  PARAGAUGE_WIDE_VECTORS void toeplitz(const Real* weights, const Real* band, std::int64_t count, Real* out) {       \
    constexpr int width = sizeof(Pack) / sizeof(Real), packs = lanes / width;                                        \
    for (std::int64_t block = 0; block < count; block += lanes) {                                                    \
      for (int pack = 0; pack < packs; ++pack) {                                                                     \
        const Real* shifted = band + block + pack * width;                                                           \
        Pack a = {}, b = {}, c = {}, d = {};                                                                         \
        for (std::int64_t k = 0; k < count; k += 4, shifted -= 4) {                                                  \
          a += weights[k] * *reinterpret_cast<const Pack*>(shifted);                                                 \
          b += weights[k + 1] * *reinterpret_cast<const Pack*>(shifted - 1);                                         \
          c += weights[k + 2] * *reinterpret_cast<const Pack*>(shifted - 2);                                         \
          d += weights[k + 3] * *reinterpret_cast<const Pack*>(shifted - 3);                                         \
        }                                                                                                            \
        *reinterpret_cast<Pack*>(out + block + pack * width) = (a + b) + (c + d);                                    \
      }                                                                                                              \
    }                                                                                                                \
  }                                                                                                                  \
  /* inner[i - k] += band[i - k] * sum over j of exits[j][k] * arrivals[j][i], and the sums over i. */               \
  PARAGAUGE_WIDE_VECTORS void correlate(const Real* exits, const Real* arrivals, const Real* band,                   \
                                  std::int64_t states, std::int64_t steps, std::int64_t stride, Real* inner,         \
                                  Real* leaving) {                                                                   \
    constexpr int width = sizeof(Pack) / sizeof(Real);                                                               \
    for (std::int64_t k = 0; k < states; ++k) {                                                                      \
      Pack total = {};                                                                                               \
      for (std::int64_t block = 0; block < states; block += width) {                                                 \
        Pack a = {}, b = {}, c = {}, d = {};                                                                         \
        const Real *exit = exits + k, *arrival = arrivals + block;                                                   \
        std::int64_t j = 0;                                                                                          \
        for (; j + 4 <= steps; j += 4, exit += 4 * stride, arrival += 4 * stride) {                                  \
          a += exit[0] * *reinterpret_cast<const Pack*>(arrival);                                                    \
          b += exit[stride] * *reinterpret_cast<const Pack*>(arrival + stride);                                      \
          c += exit[2 * stride] * *reinterpret_cast<const Pack*>(arrival + 2 * stride);                              \
          d += exit[3 * stride] * *reinterpret_cast<const Pack*>(arrival + 3 * stride);                              \
        }                                                                                                            \
        for (; j < steps; ++j, exit += stride, arrival += stride)                                                    \
          a += exit[0] * *reinterpret_cast<const Pack*>(arrival);                                                    \
        const Pack sums = ((a + b) + (c + d)) * *reinterpret_cast<const Pack*>(band + (block - k));                  \
        *reinterpret_cast<Pack*>(inner + (block - k)) += sums;                                                       \
        total += sums;                                                                                               \
      }                                                                                                              \
      Real parts[width];                                                                                             \
      std::memcpy(parts, &total, sizeof(parts));                                                                     \
      for (const Real part : parts) leaving[k] += part;                                                              \
    }                                                                                                                \
  }

// Not templates: GCC cannot clone those by target.
PARAGAUGE_KERNELS(float, FloatPack)
PARAGAUGE_KERNELS(double, DoublePack)
#undef PARAGAUGE_KERNELS

template <class Real>
void clear_padding(Real* row, std::int64_t states, std::int64_t stride) {
  std::fill(row + states, row + stride, Real(0));
}

}  // namespace

template <class Real>
void Direction<Real>::resize(std::int64_t new_states, std::int64_t new_observations) {
  states = new_states;
  observations = new_observations;
  stride = padded(states);
  const auto size = static_cast<std::size_t>(stride * observations);
  const auto rows = static_cast<std::size_t>(observations);
  if (emission.size() < size)
    for (auto* matrix : {&emission, &posterior, &aligned, &forward, &exits, &arrivals}) matrix->resize(size);
  if (lone.size() < rows)
    for (auto* vector : {&null_emission, &null_posterior, &lone, &scale}) vector->resize(rows);
  if (column.size() < static_cast<std::size_t>(stride))
    for (auto* vector : {&backward, &column}) vector->resize(static_cast<std::size_t>(stride));
}

template <class Real>
void model1_posteriors(Direction<Real>& d, double null_probability, double tension) {
  const auto p0 = static_cast<Real>(null_probability);
  d.logp = 0;
  for (std::int64_t j = 0; j < d.observations; ++j) {
    const Real* emission = d.emission.data() + j * d.stride;
    Real* posterior = d.posterior.data() + j * d.stride;
    Real* prior = d.column.data();
    double prior_sum = 0;
    for (std::int64_t i = 0; i < d.states; ++i) {
      const double off_diagonal = std::abs((i + 0.5) / d.states - (j + 0.5) / d.observations);
      prior[i] = tension == 0 ? Real(1) : static_cast<Real>(std::exp(-tension * off_diagonal));
      prior_sum += prior[i];
    }
    const auto aligned = static_cast<Real>((1 - null_probability) / prior_sum);
    const Real null = p0 * d.null_emission[j];
    Real sum = null;
    for (std::int64_t i = 0; i < d.states; ++i) {
      posterior[i] = aligned * prior[i] * emission[i];
      sum += posterior[i];
    }
    const Real factor = sum > 0 ? 1 / sum : 0;
    for (std::int64_t i = 0; i < d.states; ++i) posterior[i] *= factor;
    d.null_posterior[j] = null * factor;
    d.logp += std::log(std::max(sum, std::numeric_limits<Real>::min()));
  }
}

// The state of the recursion is the last aligned position: a null word leaves it where it is (Och and Ney,
// 2003), so null costs nothing beside the O(I^2 J) of the jumps.
template <class Real>
void hmm_posteriors(Direction<Real>& d, const JumpTable<Real>& jumps, double null_probability) {
  const std::int64_t states = d.states, stride = d.stride, steps = d.observations;
  const auto p0 = static_cast<Real>(null_probability);
  const Real *leave = jumps.leave(states), *first = jumps.first(states), *last = jumps.last(states);
  d.logp = 0;
  for (std::int64_t j = 0; j < steps; ++j) {
    const Real* emission = d.emission.data() + j * stride;
    Real* aligned = d.aligned.data() + j * stride;
    Real* forward = d.forward.data() + j * stride;
    Real* exits = d.exits.data() + j * stride;
    const Real null = p0 * d.null_emission[j];
    const Real lone = j == 0 ? Real(1) : d.lone[j - 1];
    Real sum = lone * null;
    if (j == 0) {
      for (std::int64_t i = 0; i < states; ++i) sum += forward[i] = aligned[i] = first[i] * emission[i];
    } else {
      const Real* previous = forward - stride;
      toeplitz(exits - stride, jumps.forward(), states, aligned);
      for (std::int64_t i = 0; i < states; ++i) {
        aligned[i] = (aligned[i] + lone * first[i]) * emission[i];
        forward[i] = aligned[i] + previous[i] * null;
        sum += forward[i];
      }
    }
    sum = std::max(sum, std::numeric_limits<Real>::min());
    const Real factor = 1 / sum;
    for (std::int64_t i = 0; i < states; ++i) {
      aligned[i] *= factor;
      forward[i] *= factor;
      exits[i] = forward[i] * leave[i];
    }
    clear_padding(aligned, states, stride);
    clear_padding(forward, states, stride);
    clear_padding(exits, states, stride);
    d.lone[j] = lone * null * factor;
    d.scale[j] = factor;
    d.logp += std::log(sum);
  }

  const std::int64_t end = steps - 1;
  Real total = d.lone[end] * jumps.nothing(states);
  for (std::int64_t i = 0; i < states; ++i) total += d.forward[end * stride + i] * last[i];
  total = std::max(total, std::numeric_limits<Real>::min());
  d.logp += std::log(total);
  // Scaled so that forward * backward is the posterior itself.
  Real* backward = d.backward.data();
  for (std::int64_t i = 0; i < states; ++i) backward[i] = last[i] / total;
  Real lone_backward = jumps.nothing(states) / total;
  for (std::int64_t j = end; j >= 0; --j) {
    const Real* aligned = d.aligned.data() + j * stride;
    const Real* emission = d.emission.data() + j * stride;
    Real* posterior = d.posterior.data() + j * stride;
    Real* arrivals = d.arrivals.data() + j * stride;
    const Real null = p0 * d.null_emission[j];
    Real linked = 0;
    for (std::int64_t i = 0; i < states; ++i) {
      posterior[i] = aligned[i] * backward[i];
      linked += posterior[i];
      arrivals[i] = emission[i] * backward[i] * d.scale[j];
    }
    clear_padding(arrivals, states, stride);
    const Real lone = j == 0 ? Real(1) : d.lone[j - 1];
    Real null_sum = lone * null * d.scale[j] * lone_backward;
    if (j > 0) {
      const Real* previous = d.forward.data() + (j - 1) * stride;
      const Real null_step = null * d.scale[j];
      for (std::int64_t i = 0; i < states; ++i) null_sum += previous[i] * backward[i] * null_step;
      lone_backward *= null_step;
      for (std::int64_t i = 0; i < states; ++i) lone_backward += first[i] * arrivals[i];
      toeplitz(arrivals, jumps.backward(), states, d.column.data());
      for (std::int64_t i = 0; i < states; ++i)
        backward[i] = d.column[i] * leave[i] + backward[i] * null_step;
    }
    // Rounding would let the sum drift from 1 in long sentences.
    const Real factor = 1 / std::max(linked + null_sum, std::numeric_limits<Real>::min());
    for (std::int64_t i = 0; i < states; ++i) posterior[i] *= factor;
    d.null_posterior[j] = null_sum * factor;
  }
}

template <class Real>
void expected_jumps(const Direction<Real>& d, const JumpTable<Real>& jumps, ExpectedJumps<Real>& expected) {
  const std::int64_t states = d.states, stride = d.stride, steps = d.observations;
  const std::int64_t centre = jumps.max_length() + JumpTable<Real>::padding;
  expected.inner.assign(static_cast<std::size_t>(2 * centre + 1), Real(0));
  expected.first.assign(static_cast<std::size_t>(states), Real(0));
  expected.last.assign(static_cast<std::size_t>(states), Real(0));
  expected.leaving.assign(static_cast<std::size_t>(states), Real(0));
  correlate(d.exits.data(), d.arrivals.data() + stride, jumps.forward(), states, steps - 1, stride,
            expected.inner.data() + centre, expected.leaving.data());
  const Real* first = jumps.first(states);
  for (std::int64_t j = 0; j < steps; ++j) {
    const Real lone = j == 0 ? Real(1) : d.lone[j - 1];
    if (lone == 0) break;
    const Real* arrivals = d.arrivals.data() + j * stride;
    for (std::int64_t i = 0; i < states; ++i) expected.first[i] += lone * first[i] * arrivals[i];
  }
  const Real* last = jumps.last(states);
  const Real* forward = d.forward.data() + (steps - 1) * stride;
  Real total = expected.nothing = d.lone[steps - 1] * jumps.nothing(states);
  for (std::int64_t i = 0; i < states; ++i) total += expected.last[i] = forward[i] * last[i];
  const Real factor = 1 / std::max(total, std::numeric_limits<Real>::min());
  expected.nothing *= factor;
  expected.starts = expected.nothing;
  for (std::int64_t i = 0; i < states; ++i) {
    expected.last[i] *= factor;
    expected.leaving[i] += expected.last[i];
    expected.starts += expected.first[i];
  }
}

template <class Real>
void hmm_viterbi(const Direction<Real>& d, const JumpTable<Real>& jumps, double null_probability,
                 std::vector<std::int32_t>& links) {
  // State i is a link to position i, state `states` is "nothing aligned yet"; null keeps the state, so each
  // step remembers both where it came from and whether it was null.
  const std::int64_t states = d.states, steps = d.observations, width = states + 1;
  const auto p0 = static_cast<Real>(null_probability);
  const Real *leave = jumps.leave(states), *first = jumps.first(states), *last = jumps.last(states);
  const Real* band = jumps.forward();
  std::vector<Real> best(static_cast<std::size_t>(width), Real(0)), next(best);
  best[states] = 1;
  std::vector<std::int32_t> from(static_cast<std::size_t>(width * steps));  // -1: null, same state
  for (std::int64_t j = 0; j < steps; ++j) {
    const Real null = p0 * d.null_emission[j];
    Real largest = 0;
    for (std::int64_t i = 0; i < width; ++i) {
      Real value = best[i] * null;
      std::int32_t origin = -1;
      if (i < states) {
        const Real emission = d.emission[j * d.stride + i];
        Real arrive = best[states] * first[i];
        auto arrive_from = static_cast<std::int32_t>(states);
        for (std::int64_t k = 0; k < states; ++k) {
          const Real jump = best[k] * leave[k] * band[i - k];
          if (jump > arrive) {
            arrive = jump;
            arrive_from = static_cast<std::int32_t>(k);
          }
        }
        if (arrive * emission > value) {
          value = arrive * emission;
          origin = arrive_from;
        }
      }
      next[i] = value;
      from[j * width + i] = origin;
      largest = std::max(largest, value);
    }
    const Real factor = largest > 0 ? 1 / largest : 0;
    for (std::int64_t i = 0; i < width; ++i) best[i] = next[i] * factor;
  }
  std::int64_t state = states;
  Real value = best[states] * jumps.nothing(states);
  for (std::int64_t i = 0; i < states; ++i)
    if (best[i] * last[i] > value) {
      value = best[i] * last[i];
      state = i;
    }
  links.assign(static_cast<std::size_t>(steps), -1);
  for (std::int64_t j = steps - 1; j >= 0; --j) {
    const std::int32_t origin = from[j * width + state];
    if (origin < 0) continue;
    links[j] = static_cast<std::int32_t>(state);
    state = origin;
  }
}

template <class Real>
void model1_viterbi(const Direction<Real>& d, std::vector<std::int32_t>& links) {
  links.assign(static_cast<std::size_t>(d.observations), -1);
  for (std::int64_t j = 0; j < d.observations; ++j) {
    Real best = d.null_posterior[j];
    for (std::int64_t i = 0; i < d.states; ++i)
      if (d.posterior[j * d.stride + i] > best) {
        best = d.posterior[j * d.stride + i];
        links[j] = static_cast<std::int32_t>(i);
      }
  }
}

#define PARAGAUGE_INSTANTIATE(Real)                                                                   \
  template struct Direction<Real>;                                                                    \
  template void model1_posteriors(Direction<Real>&, double, double);                                  \
  template void hmm_posteriors(Direction<Real>&, const JumpTable<Real>&, double);                     \
  template void expected_jumps(const Direction<Real>&, const JumpTable<Real>&, ExpectedJumps<Real>&); \
  template void hmm_viterbi(const Direction<Real>&, const JumpTable<Real>&, double,                   \
                            std::vector<std::int32_t>&);                                              \
  template void model1_viterbi(const Direction<Real>&, std::vector<std::int32_t>&);
PARAGAUGE_INSTANTIATE(float)
PARAGAUGE_INSTANTIATE(double)
#undef PARAGAUGE_INSTANTIATE

}  // namespace paragauge::align
