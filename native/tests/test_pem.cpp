// Bags of pivot n-grams against the enumeration of all paths, and the regressor against its formula.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "pem/bags.hpp"
#include "pem/svr.hpp"

namespace {

using paragauge::pem::Edge;
using paragauge::pem::Network;
using paragauge::pem::TwoBags;

int uniform(std::mt19937& rng, int low, int high) { return std::uniform_int_distribution<int>(low, high)(rng); }

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * (1.0 + std::abs(a)); }


// Every n-gram from every word of every edge, by the definition: the product of the edges that it touches.
void read_on(const Network& network, std::size_t segment, std::size_t edge, std::size_t from, double weight,
             const std::vector<std::string>& so_far, int max_order, std::map<std::vector<std::string>, double>& bag) {
  std::vector<std::string_view> words;
  paragauge::split_words(network.edges[edge].text, words);
  std::vector<std::string> ngram = so_far;
  for (std::size_t k = from; k < words.size(); ++k) {
    ngram.emplace_back(words[k]);
    bag[ngram] += weight;
    if (static_cast<int>(ngram.size()) == max_order) return;
  }
  if (segment + 2 >= network.starts.size()) return;
  for (std::size_t next = network.starts[segment + 1]; next < network.starts[segment + 2]; ++next)
    read_on(network, segment + 1, next, 0, weight * network.edges[next].probability, ngram, max_order, bag);
}

std::map<std::vector<std::string>, double> oracle(const Network& network, int max_order) {
  std::map<std::vector<std::string>, double> bag;
  for (std::size_t segment = 0; segment + 1 < network.starts.size(); ++segment)
    for (std::size_t e = network.starts[segment]; e < network.starts[segment + 1]; ++e) {
      std::vector<std::string_view> words;
      paragauge::split_words(network.edges[e].text, words);
      for (std::size_t from = 0; from < words.size(); ++from)
        read_on(network, segment, e, from, network.edges[e].probability, {}, max_order, bag);
    }
  return bag;
}

void bags_equal_oracle(std::mt19937& rng, int words, int max_order) {
  std::vector<std::string> texts;  // edges point into them
  texts.reserve(200);
  Network networks[2];
  for (Network& network : networks) {
    network.clear();
    for (int segment = uniform(rng, 0, 5); segment > 0; --segment) {
      const int parallel = uniform(rng, 1, 3), most = 10 / parallel;  // probabilities add up to 1 at most
      for (int edge = parallel; edge > 0; --edge) {
        std::string text;
        for (int k = uniform(rng, 1, 4); k > 0; --k) text += (text.empty() ? "" : " ") + std::to_string(uniform(rng, 1, words));
        texts.push_back(text);
        network.edges.push_back({texts.back(), uniform(rng, 1, most) / 10.0});
      }
      network.starts.push_back(network.edges.size());
    }
  }
  TwoBags bags;
  for (int round = 0; round < 2; ++round) {  // clearing leaves nothing behind
    bags.clear();
    bags.add(TwoBags::original, networks[0], max_order, 0.0);
    bags.add(TwoBags::candidate, networks[1], max_order, 0.0);
  }
  const std::map<std::vector<std::string>, double> expected[] = {oracle(networks[0], max_order), oracle(networks[1], max_order)};
  const auto& entries = bags.entries();
  std::vector<double> sums(static_cast<std::size_t>(3 * max_order)), wanted(sums.size());
  std::size_t seen[2] = {0, 0};
  for (std::size_t node = 1; node < entries.size(); ++node) {
    std::vector<std::string> ngram;
    for (std::size_t at = node; at != 0; at = entries[at].parent) ngram.emplace_back(bags.word(entries[at].token));
    std::reverse(ngram.begin(), ngram.end());
    CHECK(static_cast<int>(ngram.size()) == entries[node].order);
    double weights[2] = {0.0, 0.0};
    for (int side = 0; side < 2; ++side) {
      const auto found = expected[side].find(ngram);
      weights[side] = found == expected[side].end() ? 0.0 : found->second;
      seen[side] += found != expected[side].end();
      CHECK(close(entries[node].weight[side], weights[side]));
      if (weights[side] <= 0.05) weights[side] = 0.0;
    }
    const std::size_t order = ngram.size() - 1, orders = static_cast<std::size_t>(max_order);
    wanted[order] += std::min(weights[0], weights[1]);
    wanted[orders + order] += weights[0];
    wanted[2 * orders + order] += weights[1];
  }
  CHECK(seen[0] == expected[0].size() && seen[1] == expected[1].size());
  // Weights that lie on the threshold may fall on either side by their last digit: none does, or the sums agree.
  bool on_threshold = false;
  for (const auto& bag : expected)
    for (const auto& item : bag) on_threshold |= std::abs(item.second - 0.05) < 1e-9;
  bags.sum_up(0.05, max_order, sums.data());
  if (!on_threshold)
    for (std::size_t k = 0; k < sums.size(); ++k) CHECK(close(sums[k], wanted[k]));
  // Leaving out what is dropped in the end changes nothing but the order in which weights are added up.
  TwoBags fewer;
  std::vector<double> same(sums.size());
  fewer.add(TwoBags::original, networks[0], max_order, 0.05);
  fewer.add(TwoBags::candidate, networks[1], max_order, 0.05);
  fewer.sum_up(0.05, max_order, same.data());
  for (std::size_t k = 0; k < sums.size(); ++k) CHECK(close(same[k], sums[k]));
  CHECK(fewer.entries().size() <= entries.size());
}

void damaged_tables_are_refused() {
  const std::string source = "a", target = "x";
  const std::int64_t offsets[] = {0, 1}, totals[] = {2}, counts[] = {1};
  const std::vector<std::string_view> words{std::string_view(source)};
  Network network;
  const auto table = [&](const std::int64_t* rows, const std::int32_t* targets) {
    return paragauge::pem::PivotTable{{source.data(), 1, offsets, 1}, {target.data(), 1, offsets, 1}, totals, rows,
                                      targets, counts, 1, 2.0};
  };
  const std::int64_t rows[] = {0, 1}, past_the_end[] = {0, 2}, empty[] = {0, 0}, negative[] = {-1, 1};
  const std::int32_t targets[] = {0}, no_target[] = {1};
  build_network(table(rows, targets), {}, words, network);
  CHECK(network.edges.size() == 1 && network.edges[0].text == "x" && network.edges[0].probability == 0.5);
  for (const std::int64_t* bad : {past_the_end, empty, negative})
    CHECK_THROWS(build_network(table(bad, targets), {}, words, network), std::invalid_argument);
  CHECK_THROWS(build_network(table(rows, no_target), {}, words, network), std::invalid_argument);
}

void unknown_words_weigh_what_they_are_told() {
  const std::string source = "a", target = "x", line = "b a";
  const std::int64_t offsets[] = {0, 1}, totals[] = {2}, counts[] = {2}, rows[] = {0, 1};
  const std::int32_t targets[] = {0};
  const paragauge::pem::PivotTable table{{source.data(), 1, offsets, 1}, {target.data(), 1, offsets, 1}, totals, rows,
                                         targets, counts, 1, 2.0};
  std::vector<std::string_view> words;
  paragauge::split_words(line, words);
  paragauge::pem::BagOptions options;
  Network network;
  build_network(table, options, words, network);
  CHECK(network.edges[0].text == "b" && network.edges[0].probability == 1.0);
  options.unknown = 0.4;
  build_network(table, options, words, network);
  CHECK(network.edges[0].text == "b" && network.edges[0].probability == 0.4);
  CHECK(network.edges[1].text == "x" && network.edges[1].probability == 1.0);
}

void predictions_are_the_formula() {
  const double vectors[] = {0.0, 0.0, 1.0, 2.0}, coefficients[] = {0.5, -1.5}, rows[] = {1.0, 1.0, 0.0, 0.0};
  double values[2];
  paragauge::rbf_predict({vectors, coefficients, 2, 2, 0.3, 4.0}, rows, 2, 2, values);
  CHECK(close(values[0], 4.0 + 0.5 * std::exp(-0.6) - 1.5 * std::exp(-0.3)));
  CHECK(close(values[1], 4.0 + 0.5 - 1.5 * std::exp(-1.5)));
}

}  // namespace

int main() {
  std::mt19937 rng(1);
  for (int round = 0; round < 2000; ++round) bags_equal_oracle(rng, uniform(rng, 1, 8), uniform(rng, 1, 5));
  damaged_tables_are_refused();
  unknown_words_weigh_what_they_are_told();
  predictions_are_the_formula();
  return 0;
}
