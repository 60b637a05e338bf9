#include "align/network.hpp"

#include <algorithm>
#include <cmath>

namespace paragauge::links {
namespace {

constexpr float least_probability = 0.003f;  // cells that the first round finds less likely are not looked at again

}  // namespace

float Network::probability(const Features& features, std::vector<float>& sums) const {
  sums.assign(biases.begin(), biases.end());
  float* const summed = sums.data();
  const std::size_t units = hidden;  // a local, so that the compiler need not read it again after each sum
  for (std::size_t k = 0; k < feature_count; ++k) {
    const float value = features[k];
    if (value == 0.0f) continue;  // most are
    const float* column = weights.data() + k * units;
    for (std::size_t unit = 0; unit < units; ++unit) summed[unit] += column[unit] * value;
  }
  float sum = top_bias;
  for (std::size_t unit = 0; unit < hidden; ++unit) sum += top[unit] * std::max(0.0f, sums[unit]);
  return 1.0f / (1.0f + std::exp(-sum));
}

void LinkModel::run(const WordFacts& facts, Span source, Span target, const float* prior, std::size_t rounds,
                    Evidence& found) const {
  finder_.find(facts, source, target, prior, found);
  found.look_around(facts, source, target);
  std::vector<float> sums;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<float> next(found.grid.size(), 0.0f);
    for (std::size_t k = 0; k < found.cells.size(); ++k) {
      const float p = rounds_[round].probability(found.features[k], sums);
      next[found.place(found.cells[k])] = p;
      if (round == 0) found.first[k] = p;
    }
    found.grid = std::move(next);
    if (round + 1 < rounds_.size()) {
      if (round == 0) found.drop(least_probability);
      finder_.add_likely(facts, source, target, prior, found);
      found.look_around(facts, source, target);
    }
  }
}

}  // namespace paragauge::links
