// Evidence for links: gathered for every pair of words, the same both ways; networks against the formula.
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "align/network.hpp"
#include "check.hpp"

using namespace paragauge;
using namespace paragauge::links;

namespace {

// A vocabulary whose word n has the form n, the lemma n / 2 and the stem n / 4; every seventh word is a mark.
struct Vocabulary {
  std::vector<std::int32_t> forms, lemmas, stems, none, parts, flags, letters;
  std::vector<std::int64_t> letter_offsets{0}, empty_offsets, text_offsets{0};
  std::vector<float> information;
  std::string text;

  explicit Vocabulary(int size) {
    for (int n = 0; n < size; ++n) {
      forms.push_back(n);
      lemmas.push_back(n / 2);
      stems.push_back(n / 4);
      none.push_back(-1);
      parts.push_back(n % 3);
      flags.push_back(n % 7 == 0 ? is_mark : n % 2 ? is_content : 0);
      information.push_back(static_cast<float>(n) / static_cast<float>(size));
      const std::string word = "w" + std::to_string(n * 37);
      for (const char c : word) letters.push_back(c);
      letter_offsets.push_back(static_cast<std::int64_t>(letters.size()));
      text += word;
      text_offsets.push_back(static_cast<std::int64_t>(text.size()));
    }
    empty_offsets.assign(static_cast<std::size_t>(size) + 1, 0);
  }

  WordFacts facts() const {
    const auto count = static_cast<std::int64_t>(forms.size());
    const Sequences nothing{none.data(), empty_offsets.data(), count};
    WordFacts facts{};
    facts.count = count;
    facts.forms = facts.cased = forms.data();
    facts.lemmas = lemmas.data();
    facts.stems = stems.data();
    facts.numbers = facts.vectors = facts.entries = none.data();
    facts.parts = parts.data();
    facts.common = parts.data();
    facts.flags = flags.data();
    facts.information = information.data();
    facts.letters = {letters.data(), letter_offsets.data(), count};
    facts.synsets = facts.derived = facts.opposites = facts.kinds = nothing;
    facts.text = {text.data(), text_offsets.data(), count};
    return facts;
  }
};

Network random_network(std::mt19937& random, std::size_t hidden) {
  std::normal_distribution<float> normal(0.0f, 0.5f);
  Network network;
  network.hidden = hidden;
  for (std::size_t k = 0; k < hidden * feature_count; ++k) network.weights.push_back(normal(random));
  for (std::size_t k = 0; k < hidden; ++k) {
    network.biases.push_back(normal(random));
    network.top.push_back(normal(random));
  }
  network.top_bias = normal(random);
  return network;
}

float by_formula(const Network& network, const Features& features) {
  double sum = network.top_bias;
  for (std::size_t unit = 0; unit < network.hidden; ++unit) {
    double value = network.biases[unit];
    for (std::size_t k = 0; k < feature_count; ++k) value += network.weights[k * network.hidden + unit] * features[k];
    sum += network.top[unit] * std::max(0.0, value);
  }
  return static_cast<float>(1 / (1 + std::exp(-sum)));
}

}  // namespace

int main() {
  std::mt19937 random(3);
  const Vocabulary vocabulary(40);
  const WordFacts facts = vocabulary.facts();
  std::uniform_int_distribution<std::int32_t> word(0, 39);
  std::uniform_int_distribution<int> length(0, 12);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::int32_t> one(static_cast<std::size_t>(length(random))), other(static_cast<std::size_t>(length(random)));
    for (auto& each : one) each = word(random);
    for (auto& each : other) each = word(random);
    const Span source{one.data(), one.data() + one.size()}, target{other.data(), other.data() + other.size()};
    std::vector<Network> rounds{random_network(random, 5), random_network(random, 3)};
    const LinkModel model(EvidenceFinder({}, {}), rounds);
    Evidence before, after, turned;
    model.run(facts, source, target, nullptr, 1, before);
    model.run(facts, source, target, nullptr, 2, after);
    model.run(facts, target, source, nullptr, 2, turned);
    CHECK(after.cells.size() == before.cells.size() && turned.cells.size() == after.cells.size());
    CHECK(after.first.size() == after.cells.size());
    for (std::size_t k = 0; k < after.cells.size(); ++k) {
      const auto [i, j] = after.cells[k];
      const float p = after.grid[static_cast<std::size_t>(i) * other.size() + static_cast<std::size_t>(j)];
      CHECK(std::abs(p - by_formula(rounds[1], before.features[k])) < 1e-4f);
      CHECK(std::abs(p - turned.grid[static_cast<std::size_t>(j) * one.size() + static_cast<std::size_t>(i)]) < 1e-4f);
    }
    // Every two equal words were a cell.
    for (std::size_t i = 0; i < one.size(); ++i)
      for (std::size_t j = 0; j < other.size(); ++j)
        if (one[i] == other[j]) CHECK(after.is_cell[i * other.size() + j]);
  }
  // Words between linked ones form cells after the first round, though nothing is known of them.
  // A network that believes its guess alone: p = sigmoid(10 own - 5).
  Network believing;
  believing.hidden = 1;
  believing.weights.assign(feature_count, 0.0f);
  believing.weights[own] = 1.0f;
  believing.biases = {0.0f};
  believing.top = {10.0f};
  believing.top_bias = -5.0f;
  const LinkModel model(EvidenceFinder({}, {}), {believing, believing});
  const std::vector<std::int32_t> one{1, 11, 13, 5}, other{1, 23, 26, 29, 5};
  Evidence found;
  model.run(facts, {one.data(), one.data() + one.size()}, {other.data(), other.data() + other.size()}, nullptr, 1, found);
  CHECK(found.grid[0] > 0.9f && found.grid[3 * other.size() + 4] > 0.9f);
  int in_gap = 0;
  for (std::size_t k = 0; k < found.cells.size(); ++k) {
    const auto [i, j] = found.cells[k];
    if (i == 0 || i == 3 || j == 0 || j == 4) continue;
    ++in_gap;
    CHECK(found.features[k][gap_sides] == 1.0f && found.features[k][gap_single] == 0.0f);
    CHECK(found.features[k][gap_short] == 2.0f / 6.0f && found.features[k][gap_long] == 3.0f / 6.0f);
  }
  CHECK(in_gap == 6);
  CHECK(feature_names().size() == feature_count);
  return 0;
}
