// Evidence for links: gathered for every pair of words, the same both ways; networks against the formula.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <set>
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

// Words of few letters and meanings at random, none with the form, lemma or stem of another, and what makes two a cell.
struct RandomWords {
  static constexpr int count = 120, width = 5;
  std::vector<std::int32_t> numbers, none, flags, entries, rows;
  std::vector<float> information, scales, trust;
  std::vector<std::int8_t> codes;
  std::vector<std::set<std::int32_t>> synsets, derived, opposites, kinds;
  std::vector<std::vector<std::int32_t>> letters;
  std::vector<std::vector<std::int32_t>> flat;
  std::vector<std::vector<std::int64_t>> offsets;
  std::string text;
  std::vector<std::int64_t> text_offsets{0};

  explicit RandomWords(std::mt19937& random) {
    const auto below = [&random](int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random); };
    const auto some = [&](int most, int limit) {
      std::set<std::int32_t> values;
      for (int k = below(most + 1); k > 0; --k) values.insert(below(limit));
      return values;
    };
    for (int n = 0; n < count; ++n) {
      numbers.push_back(n);
      none.push_back(-1);
      flags.push_back(below(8) == 0 ? is_mark : below(3) ? is_content : 0);
      entries.push_back(below(3) ? n : -1);
      rows.push_back(below(3) ? n : -1);
      information.push_back(0.5f);
      scales.push_back(0.004f + 0.001f * static_cast<float>(below(4)));
      trust.push_back(0.25f * static_cast<float>(below(5)));
      for (int k = 0; k < width; ++k) codes.push_back(static_cast<std::int8_t>(below(255) - 127));
      synsets.push_back(some(3, 300));
      derived.push_back(some(2, count));
      opposites.push_back(some(1, count));
      kinds.push_back(some(4, 2 * count));
      letters.emplace_back();
      for (int k = below(9); k > 0; --k) letters.back().push_back('a' + below(6) + 40 * below(2));
      text += 'x';
      text_offsets.push_back(static_cast<std::int64_t>(text.size()));
    }
    for (const auto* sets : {&synsets, &derived, &opposites, &kinds}) lay_out(*sets);
    lay_out(letters);
  }

  template <class Lists>
  void lay_out(const Lists& lists) {
    flat.emplace_back();
    offsets.push_back({0});
    for (const auto& list : lists) {
      flat.back().insert(flat.back().end(), list.begin(), list.end());
      offsets.back().push_back(static_cast<std::int64_t>(flat.back().size()));
    }
  }

  WordFacts facts() const {
    WordFacts facts{};
    facts.count = count;
    facts.forms = facts.cased = facts.lemmas = facts.stems = numbers.data();
    facts.numbers = facts.parts = facts.common = none.data();
    facts.flags = flags.data();
    facts.vectors = rows.data();
    facts.entries = entries.data();
    facts.information = information.data();
    Sequences* const sequences[] = {&facts.synsets, &facts.derived, &facts.opposites, &facts.kinds, &facts.letters};
    for (std::size_t k = 0; k < 5; ++k) *sequences[k] = {flat[k].data(), offsets[k].data(), count};
    facts.text = {text.data(), text_offsets.data(), count};
    return facts;
  }

  bool are_cell(std::size_t a, std::size_t b) const {
    if (a == b) return true;
    if ((flags[a] | flags[b]) & is_mark) return (flags[a] & flags[b] & is_mark) != 0;
    const auto& one = letters[a];
    const auto& other = letters[b];
    const std::size_t shorter = std::min(one.size(), other.size());
    std::size_t start = 0, end = 0;
    while (start < shorter && one[start] == other[start]) ++start;
    while (end < shorter && one[one.size() - 1 - end] == other[other.size() - 1 - end]) ++end;
    if (shorter >= 3 && std::max(start, end) == shorter) return true;
    if (shorter >= 2 && (start + end > 0 || shorter >= 4)) {
      std::vector<std::vector<int>> best(one.size() + 1, std::vector<int>(other.size() + 1, 0));
      for (std::size_t i = 0; i < one.size(); ++i)
        for (std::size_t j = 0; j < other.size(); ++j)
          best[i + 1][j + 1] = one[i] == other[j] ? best[i][j] + 1 : std::max(best[i][j + 1], best[i + 1][j]);
      if (2.0f * static_cast<float>(best.back().back()) / static_cast<float>(one.size() + other.size()) > 0.6f) return true;
    }
    if (entries[a] >= 0 && entries[b] >= 0) {
      const auto meet = [](const std::set<std::int32_t>& ours, const std::set<std::int32_t>& theirs) {
        return std::any_of(ours.begin(), ours.end(), [&](std::int32_t value) { return theirs.count(value) > 0; });
      };
      if (meet(synsets[a], synsets[b])) return true;
      for (const auto* sets : {&derived, &opposites, &kinds})
        if ((*sets)[a].count(entries[b]) || (*sets)[b].count(entries[a])) return true;
      if ((flags[a] & flags[b] & is_content) && meet(kinds[a], kinds[b])) return true;
    }
    if (rows[a] < 0 || rows[b] < 0) return false;
    float product = 0;
    for (std::size_t k = 0; k < width; ++k) product += static_cast<float>(codes[a * width + k]) * static_cast<float>(codes[b * width + k]);
    const float alike = std::max(0.0f, product * scales[a] * scales[b]) * std::min(trust[a], trust[b]);
    return alike * alike > 0.1001f;  // at 0.1 the last digit decides
  }
};

}  // namespace

int main() {
  std::mt19937 random(3);
  // No pair of words is refused at a glance that the evidence makes a cell.
  int cells = 0, pairs = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const RandomWords words(random);
    const EvidenceFinder finder({words.codes.data(), words.scales.data(), words.trust.data(), RandomWords::count, RandomWords::width}, {});
    const std::int32_t* const first = words.numbers.data();
    Evidence evidence;
    finder.find(words.facts(), {first, first + 70}, {first + 50, first + 120}, nullptr, evidence);
    for (std::int32_t i = 0; i < evidence.rows; ++i)
      for (std::int32_t j = 0; j < evidence.columns; ++j) {
        ++pairs;
        if (!words.are_cell(static_cast<std::size_t>(i), static_cast<std::size_t>(j) + 50)) continue;
        ++cells;
        CHECK(evidence.is_cell[evidence.place({i, j})]);
      }
  }
  CHECK(cells > pairs / 20 && cells < pairs / 2);
  const Vocabulary vocabulary(40);
  const WordFacts facts = vocabulary.facts();
  std::uniform_int_distribution<std::int32_t> word(0, 39);
  std::uniform_int_distribution<int> length(0, 12);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::int32_t> one(static_cast<std::size_t>(length(random))), other(static_cast<std::size_t>(length(random)));
    for (auto& each : one) each = word(random);
    for (auto& each : other) each = word(random);
    const Span source{one.data(), one.data() + one.size()}, target{other.data(), other.data() + other.size()};
    std::vector<Network> rounds{random_network(random, 77), random_network(random, 3)};
    const LinkModel model(EvidenceFinder({}, {}), rounds);
    Evidence before, after, turned;
    model.run(facts, source, target, nullptr, 1, before);
    model.run(facts, source, target, nullptr, 2, after);
    model.run(facts, target, source, nullptr, 2, turned);
    CHECK(after.cells.size() == before.cells.size() && turned.cells.size() == after.cells.size());
    CHECK(after.first.size() == after.features.size());
    for (std::size_t k = 0; k < after.cells.size(); ++k) {
      const auto [i, j, slot] = after.cells[k];
      const float p = after.grid[static_cast<std::size_t>(i) * other.size() + static_cast<std::size_t>(j)];
      CHECK(std::abs(p - by_formula(rounds[1], before.features[slot])) < 1e-4f);
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
    const auto [i, j, slot] = found.cells[k];
    if (i == 0 || i == 3 || j == 0 || j == 4) continue;
    ++in_gap;
    CHECK(found.features[slot][gap_sides] == 1.0f && found.features[slot][gap_single] == 0.0f);
    CHECK(found.features[slot][gap_short] == 2.0f / 6.0f && found.features[slot][gap_long] == 3.0f / 6.0f);
  }
  CHECK(in_gap == 6);
  CHECK(feature_names().size() == feature_count);
  return 0;
}
