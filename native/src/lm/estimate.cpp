#include "lm/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"

namespace paragauge::lm {

namespace {

constexpr float left_out = std::numeric_limits<float>::quiet_NaN();
constexpr std::int64_t contexts_a_piece = 4096;

float log10_of(double p) { return p > 0 ? std::max(static_cast<float>(std::log10(p)), log10_zero) : log10_zero; }

Probabilities room_for(const Trie& trie) {
  Probabilities probabilities;
  for (const Level& level : trie.levels) {
    probabilities.log10_p.emplace_back(level.size(), left_out);
    if (!level.first_child.empty()) probabilities.log10_backoff.emplace_back(level.size(), 0.0f);
  }
  return probabilities;
}

double discount(const std::array<double, 3>& discounts, std::uint32_t count) {
  return count == 0 ? 0.0 : discounts[std::min<std::uint32_t>(count, 3) - 1];
}

// p(w) = (c(w) - D(c)) / sum of c + gamma / words; <unk> has c = 0, and <s> is never predicted.
std::vector<double> unigram_kneser_ney(const NgramCounts& counts, const std::array<double, 3>& discounts, float* log10_p) {
  const auto& adjusted = counts.adjusted[0];
  double total = 0, discounted = 0;
  for (std::size_t word = 0; word < adjusted.size(); ++word) {
    if (word == sentence_begin) continue;
    total += adjusted[word];
    discounted += discount(discounts, adjusted[word]);
  }
  const double everywhere = discounted / total / static_cast<double>(adjusted.size() - 1);
  std::vector<double> p(adjusted.size());
  for (std::size_t word = 0; word < adjusted.size(); ++word) {
    p[word] = (adjusted[word] - discount(discounts, adjusted[word])) / total + everywhere;
    log10_p[word] = log10_of(p[word]);
  }
  p[sentence_begin] = 0;
  log10_p[sentence_begin] = 0;  // as lmplz writes it; nobody asks for it
  return p;
}

// How much to add to the total so that the seen words leave something: by whole units, as SRILM does it.
double widen(double total, double seen) {
  constexpr double least = 3e-6;  // SRILM's tolerance for a sum of probabilities
  if (seen <= total * (1 - least)) return total;
  return total + std::max(1.0, std::ceil(seen / (1 - least) - total));
}

struct KatzOrder {
  const std::vector<double>& coefficients;
  std::uint32_t min_count;

  double discounted(std::uint32_t count) const {
    if (count < min_count) return 0;
    return count <= coefficients.size() && count > 0 ? coefficients[count - 1] * count : count;
  }
};

// p(w) = d c(w) / total; what is left belongs to <unk>, the one word of the vocabulary that was never seen.
std::vector<double> unigram_katz(const NgramCounts& counts, const KatzOrder& order, float* log10_p) {
  const auto& count = counts.count[0];
  double total = 0, seen = 0;
  for (std::size_t word = 0; word < count.size(); ++word) {
    if (word == sentence_begin) continue;
    total += count[word];
    seen += order.discounted(count[word]);
  }
  total = widen(total, seen);
  std::vector<double> p(count.size());
  for (std::size_t word = 0; word < count.size(); ++word) {
    p[word] = word == sentence_begin ? 0 : order.discounted(count[word]) / total;
    if (word == unknown_word) p[word] += (total - seen) / total;
    log10_p[word] = log10_of(p[word]);
  }
  return p;
}

}  // namespace

Probabilities estimate_kneser_ney(const NgramCounts& counts, const std::vector<std::array<double, 3>>& discounts,
                                  const std::vector<std::uint32_t>& min_counts, int threads) {
  const Trie& trie = counts.trie;
  Probabilities result = room_for(trie);
  std::vector<double> lower = unigram_kneser_ney(counts, discounts[0], result.log10_p[0].data());
  for (std::size_t n = 1; n < trie.levels.size(); ++n) {
    const Level& level = trie.levels[n];
    const auto& first_child = trie.levels[n - 1].first_child;
    const auto& adjusted = counts.adjusted[n];
    std::vector<double> p(level.size());
    auto estimate = [&](std::int64_t begin, std::int64_t end, int) {
      for (auto context = static_cast<std::size_t>(begin); context < static_cast<std::size_t>(end); ++context) {
        const Node first = first_child[context], last = first_child[context + 1];
        if (first == last) continue;
        double total = 0, left = 0;
        for (Node child = first; child < last; ++child) {
          const bool kept = counts.count[n][child] >= min_counts[n];
          total += adjusted[child];
          left += kept ? discount(discounts[n], adjusted[child]) : adjusted[child];
        }
        const double gamma = left / total;
        for (Node child = first; child < last; ++child) {
          if (counts.count[n][child] < min_counts[n]) continue;
          p[child] = (adjusted[child] - discount(discounts[n], adjusted[child])) / total + gamma * lower[level.suffix[child]];
          result.log10_p[n][child] = log10_of(p[child]);
        }
        result.log10_backoff[n - 1][context] = log10_of(gamma);
      }
    };
    parallel_blocks(static_cast<std::int64_t>(first_child.size()) - 1, contexts_a_piece, threads, estimate);
    lower = std::move(p);
  }
  return result;
}

Probabilities estimate_katz(const NgramCounts& counts, const std::vector<std::vector<double>>& coefficients,
                            const std::vector<std::uint32_t>& min_counts, int threads) {
  const Trie& trie = counts.trie;
  Probabilities result = room_for(trie);
  std::vector<double> lower = unigram_katz(counts, {coefficients[0], min_counts[0]}, result.log10_p[0].data());
  for (std::size_t n = 1; n < trie.levels.size(); ++n) {
    const Level& level = trie.levels[n];
    const auto& first_child = trie.levels[n - 1].first_child;
    const auto& count = counts.count[n];
    const KatzOrder order{coefficients[n], min_counts[n]};
    std::vector<double> p(level.size());
    auto estimate = [&](std::int64_t begin, std::int64_t end, int) {
      for (auto context = static_cast<std::size_t>(begin); context < static_cast<std::size_t>(end); ++context) {
        const Node first = first_child[context], last = first_child[context + 1];
        if (first == last) continue;
        double total = 0, seen = 0, seen_lower = 0;
        for (Node child = first; child < last; ++child) {
          const double discounted = order.discounted(count[child]);
          total += count[child];
          seen += discounted;
          if (discounted > 0) seen_lower += lower[level.suffix[child]];
        }
        if (seen <= 0) continue;  // every n-gram is cut off: backing off costs nothing
        total = widen(total, seen);
        // If what was seen here is all that the shorter context expects, there is nothing to back off to, and the seen
        // words share everything.
        const bool nothing_else = 1 - seen_lower < 1e-12;
        if (nothing_else) total = seen;
        for (Node child = first; child < last; ++child) {
          if (order.discounted(count[child]) <= 0) continue;
          p[child] = order.discounted(count[child]) / total;
          result.log10_p[n][child] = log10_of(p[child]);
        }
        if (!nothing_else) result.log10_backoff[n - 1][context] = log10_of((total - seen) / total / (1 - seen_lower));
      }
    };
    parallel_blocks(static_cast<std::int64_t>(first_child.size()) - 1, contexts_a_piece, threads, estimate);
    lower = std::move(p);
  }
  return result;
}

}  // namespace paragauge::lm
