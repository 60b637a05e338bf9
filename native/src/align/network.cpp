#include "align/network.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/portable.hpp"

namespace paragauge::links {
namespace {

constexpr float least_probability = 0.003f;  // cells that the first round finds less likely are not looked at again

// The evidence that is not 0: the smaller part.
struct Known {
  std::array<std::int32_t, feature_count> places;
  std::array<float, feature_count> values;
  std::size_t count = 0;

  void read(const Features& features) {
    count = 0;
    std::size_t k = 0;
    for (; k + 4 <= feature_count; k += 4) {
      std::uint64_t halves[2];
      std::memcpy(halves, features.data() + k, sizeof halves);
      if ((halves[0] | halves[1]) == 0) continue;
      for (std::size_t n = 0; n < 4; ++n) add(k + n, features[k + n]);
    }
    for (; k < feature_count; ++k) add(k, features[k]);
  }

 private:
  void add(std::size_t k, float value) {
    places[count] = static_cast<std::int32_t>(k);
    values[count] = value;
    count += value != 0.0f;
  }
};

// What each unit adds to the odds: its top weight times the sum of its bias and what it makes of the evidence, if that
// is positive. Each unit sums in the order of the evidence; sums of 64 units at a time stay in registers.
PARAGAUGE_WIDE_VECTORS
void activate(const float* weights, const float* biases, const float* top, std::size_t units, const Known& known, float* sums) {
  constexpr std::size_t pack = sizeof(FloatPack) / sizeof(float);
  std::size_t unit = 0;
  for (; unit + 8 * pack <= units; unit += 8 * pack) {
    const FloatPack* start = reinterpret_cast<const FloatPack*>(biases + unit);
    FloatPack a = start[0], b = start[1], c = start[2], d = start[3], e = start[4], f = start[5], g = start[6], h = start[7];
    for (std::size_t k = 0; k < known.count; ++k) {
      const FloatPack* row = reinterpret_cast<const FloatPack*>(weights + static_cast<std::size_t>(known.places[k]) * units + unit);
      const float value = known.values[k];
      a += value * row[0];
      b += value * row[1];
      c += value * row[2];
      d += value * row[3];
      e += value * row[4];
      f += value * row[5];
      g += value * row[6];
      h += value * row[7];
    }
    FloatPack* end = reinterpret_cast<FloatPack*>(sums + unit);
    end[0] = a;
    end[1] = b;
    end[2] = c;
    end[3] = d;
    end[4] = e;
    end[5] = f;
    end[6] = g;
    end[7] = h;
  }
  for (; unit + pack <= units; unit += pack) {
    FloatPack a = *reinterpret_cast<const FloatPack*>(biases + unit);
    for (std::size_t k = 0; k < known.count; ++k)
      a += known.values[k] * *reinterpret_cast<const FloatPack*>(weights + static_cast<std::size_t>(known.places[k]) * units + unit);
    *reinterpret_cast<FloatPack*>(sums + unit) = a;
  }
  for (; unit < units; ++unit) {
    float sum = biases[unit];
    for (std::size_t k = 0; k < known.count; ++k)
      sum += weights[static_cast<std::size_t>(known.places[k]) * units + unit] * known.values[k];
    sums[unit] = sum;
  }
  for (unit = 0; unit < units; ++unit) sums[unit] = top[unit] * std::max(0.0f, sums[unit]);
}

constexpr std::size_t together = 4;  // cells: the sums of one wait for each other, those of several do not

}  // namespace

void Network::probabilities(const std::vector<Cell>& cells, const std::vector<Features>& features,
                            std::vector<float>& found) const {
  found.resize(cells.size());
  std::vector<float> sums(together * hidden, 0.0f);
  std::array<float, together> odds;
  Known known;
  for (std::size_t begin = 0; begin < cells.size(); begin += together) {
    const std::size_t count = std::min(together, cells.size() - begin);
    for (std::size_t k = 0; k < count; ++k) {
      known.read(features[cells[begin + k].slot]);
      activate(weights.data(), biases.data(), top.data(), hidden, known, sums.data() + k * hidden);
    }
    odds.fill(top_bias);
    for (std::size_t unit = 0; unit < hidden; ++unit)
      for (std::size_t k = 0; k < together; ++k) odds[k] += sums[k * hidden + unit];
    for (std::size_t k = 0; k < count; ++k) found[begin + k] = 1.0f / (1.0f + std::exp(-odds[k]));
  }
}

void LinkModel::run(const WordFacts& facts, Span source, Span target, const float* prior, std::size_t rounds,
                    Evidence& found) const {
  finder_.find(facts, source, target, prior, found);
  found.look_around(facts, source, target);
  std::vector<float> probabilities;
  for (std::size_t round = 0; round < rounds; ++round) {
    rounds_[round].probabilities(found.cells, found.features, probabilities);
    for (std::size_t k = 0; k < found.cells.size(); ++k) {
      const Cell cell = found.cells[k];
      found.grid[found.place(cell)] = probabilities[k];
      if (round == 0) found.first[cell.slot] = probabilities[k];
    }
    if (round + 1 < rounds_.size()) {
      if (round == 0) found.drop(least_probability);
      finder_.add_likely(facts, source, target, prior, found);
      found.look_around(facts, source, target);
    }
  }
}

}  // namespace paragauge::links
