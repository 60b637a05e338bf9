#include "align/network.hpp"

#include <algorithm>
#include <cmath>

namespace paragauge::links {

float Network::probability(const Features& features, std::vector<float>& sums) const {
  sums.assign(biases.begin(), biases.end());
  for (std::size_t k = 0; k < feature_count; ++k) {
    const float value = features[k];
    if (value == 0.0f) continue;  // most are
    const float* column = weights.data() + k * hidden;
    for (std::size_t unit = 0; unit < hidden; ++unit) sums[unit] += column[unit] * value;
  }
  float sum = top_bias;
  for (std::size_t unit = 0; unit < hidden; ++unit) sum += top[unit] * std::max(0.0f, sums[unit]);
  return 1.0f / (1.0f + std::exp(-sum));
}

void LinkModel::run(const WordFacts& facts, Span source, Span target, const float* prior, std::size_t rounds,
                    Evidence& found, std::vector<float>* first) const {
  finder_.find(facts, source, target, prior, found);
  if (first != nullptr) first->clear();
  found.look_around(facts, source, target);
  std::vector<float> sums;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<float> next(found.grid.size(), 0.0f);
    for (std::size_t k = 0; k < found.cells.size(); ++k) {
      const std::size_t place = static_cast<std::size_t>(found.cells[k].i) * static_cast<std::size_t>(found.columns) +
                                static_cast<std::size_t>(found.cells[k].j);
      next[place] = rounds_[round].probability(found.features[k], sums);
      if (round == 0 && first != nullptr) first->push_back(next[place]);
    }
    found.grid = std::move(next);
    if (round + 1 < rounds || rounds < rounds_.size()) found.look_around(facts, source, target);
  }
}

}  // namespace paragauge::links
