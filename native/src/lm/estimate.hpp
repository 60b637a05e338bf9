// From counts to probabilities. The formulas, with their notation, stand in lm/kneser_ney.py and lm/katz.py, which also
// find the discounts; here are the loops.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lm/counts.hpp"
#include "lm/trie.hpp"

namespace paragauge::lm {

constexpr float log10_zero = -99.0f;  // how ARPA files write the logarithm of 0

// Interpolated modified Kneser-Ney (Chen and Goodman, 1998). discounts[n - 1] is what counts of 1, of 2, and of 3 or more
// lose in order n; n-grams that occur less often than min_counts[n - 1] are left out after estimation, and their share
// goes to the back-off weight.
Probabilities estimate_kneser_ney(const NgramCounts& counts, const std::vector<std::array<double, 3>>& discounts,
                                  const std::vector<std::uint32_t>& min_counts, int threads);

// Katz back-off. coefficients[n - 1][c - 1] multiplies the count c in order n; higher counts stay as they are, and those below
// min_counts[n - 1] become 0.
Probabilities estimate_katz(const NgramCounts& counts, const std::vector<std::vector<double>>& coefficients,
                            const std::vector<std::uint32_t>& min_counts, int threads);

}  // namespace paragauge::lm
