// Small networks that turn the evidence for links into probabilities, in rounds: each sees what the one before thought of
// the cells around.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "align/evidence.hpp"

namespace paragauge::links {

// One hidden layer of rectified units: p = sigmoid(top . max(0, W x + b) + top_bias).
struct Network {
  std::size_t hidden = 0;
  std::vector<float> weights;  // feature_count x hidden
  std::vector<float> biases;   // hidden
  std::vector<float> top;      // hidden
  float top_bias = 0;

  // Of the evidence in each cell's slot, in their order.
  void probabilities(const std::vector<Cell>& cells, const std::vector<Features>& features, std::vector<float>& found) const;
};

class LinkModel {
 public:
  LinkModel(EvidenceFinder finder, std::vector<Network> rounds) : finder_(finder), rounds_(std::move(rounds)) {}

  // The cells of a pair, their evidence as the last round saw it, and their probabilities in the grid. With fewer
  // rounds than there are networks, the grid and the surroundings are those that the next round is to see.
  void run(const WordFacts& facts, Span source, Span target, const float* prior, std::size_t rounds, Evidence& found) const;
  std::size_t rounds() const { return rounds_.size(); }

 private:
  EvidenceFinder finder_;
  std::vector<Network> rounds_;
};

}  // namespace paragauge::links
