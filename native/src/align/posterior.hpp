// Posterior probabilities of the links of one sentence pair in one direction, under Model 1 and the HMM.
//
// One direction has *states* (positions i = 0..I-1 of the conditioning sentence, and null) and *observations*
// (positions j = 0..J-1 of the generated sentence). Rows of a matrix belong to observations; a row is padded
// with zeros to a multiple of `lanes`, so that the inner loops have no ragged end and compile to vector
// instructions.
#pragma once

#include <cstdint>
#include <vector>

#include "align/jumps.hpp"

namespace paragauge::align {

constexpr std::int64_t lanes = 16;

inline std::int64_t padded(std::int64_t length) { return (length + lanes - 1) / lanes * lanes; }

template <class Real>
struct Direction {
  std::int64_t states = 0, observations = 0, stride = 0;
  std::vector<Real> emission;       // [j][i] t(f_j | e_i)
  std::vector<Real> null_emission;  // [j] t(f_j | null)
  std::vector<Real> posterior;      // [j][i] p(a_j = i | sentence pair)
  std::vector<Real> null_posterior;
  double logp = 0;  // natural logarithm of p(observations | states)

  void resize(std::int64_t states, std::int64_t observations);

  // Scratch of the HMM, kept to spare allocations.
  std::vector<Real> aligned;   // [j][i] scaled forward probability of ending with the link (i, j)
  std::vector<Real> forward;   // [j][i] the same, or null after position i
  std::vector<Real> exits;     // [j][i] forward[j][i] / Z(i): what the next jump starts from
  std::vector<Real> arrivals;  // [j][i] emission times scaled backward probability
  std::vector<Real> lone;      // [j] scaled forward probability that all words up to j are null
  std::vector<Real> scale, backward, column;
};

// p(f, a | e) = product over j of (1 - p0) w(i | j) t(f_j | e_i), or p0 t(f_j | null), with w uniform if
// `tension` is 0, else falling with the distance from the diagonal: w ~ exp(-tension |i/I - j/J|).
template <class Real>
void model1_posteriors(Direction<Real>& d, double null_probability, double tension);

template <class Real>
void hmm_posteriors(Direction<Real>& d, const JumpTable<Real>& jumps, double null_probability);

// Expected jumps, to be called after hmm_posteriors: added to width_counts[width + max_length], to the first
// and last jumps, and to the contexts of this sentence length (start first).
template <class Real>
struct ExpectedJumps {
  std::vector<Real> inner;  // by width + max_length + padding
  std::vector<Real> first;  // by position
  std::vector<Real> last;   // by position, `nothing` apart
  std::vector<Real> leaving;
  Real nothing = 0, starts = 0;
};

template <class Real>
void expected_jumps(const Direction<Real>& d, const JumpTable<Real>& jumps, ExpectedJumps<Real>& expected);

// The most probable path: links[j] is a position, or -1 for null.
template <class Real>
void hmm_viterbi(const Direction<Real>& d, const JumpTable<Real>& jumps, double null_probability,
                 std::vector<std::int32_t>& links);

template <class Real>
void model1_viterbi(const Direction<Real>& d, std::vector<std::int32_t>& links);

}  // namespace paragauge::align
