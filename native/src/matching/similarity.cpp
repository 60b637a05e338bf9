#include "matching/similarity.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "matching/assignment.hpp"

namespace paragauge {

namespace {

// I(tag) + Syn(lemma) of every word of the candidate with every word of the reference: twice the paper's S.
std::vector<std::uint8_t> word_similarities(const TaggedWords& candidate, const TaggedWords& reference, const Similarity& similarity) {
  const auto rows = static_cast<std::size_t>(candidate.lemmas.size()), columns = static_cast<std::size_t>(reference.lemmas.size());
  std::vector<std::uint8_t> table(rows * columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const bool tags = candidate.tags.begin[i] == reference.tags.begin[j];
      const bool lemmas = similarity.synonyms(candidate.lemmas.begin[i], reference.lemmas.begin[j]);
      table[i * columns + j] = static_cast<std::uint8_t>(lemmas || similarity.tags_alone ? tags + lemmas : 0);
    }
  return table;
}

}  // namespace

void match_ngrams(const TaggedWords& candidate, const TaggedWords& reference, const Similarity& similarity, int max_order,
                  double distance, std::vector<std::vector<ItemMatch>>& matches) {
  matches.assign(static_cast<std::size_t>(max_order), {});
  const auto rows = static_cast<std::int32_t>(candidate.lemmas.size()), columns = static_cast<std::int32_t>(reference.lemmas.size());
  const std::vector<std::uint8_t> table = word_similarities(candidate, reference, similarity);
  std::vector<Edge> edges;
  std::vector<std::int32_t> column_of_row;
  for (int n = 1; n <= max_order; ++n) {
    const std::int32_t own = rows - n + 1, other = columns - n + 1;
    if (own <= 0 || other <= 0) break;
    std::vector<ItemMatch>& found = matches[static_cast<std::size_t>(n) - 1];
    std::vector<char> row_used(static_cast<std::size_t>(own), 0), column_used(static_cast<std::size_t>(other), 0);
    for (const std::int32_t stage : {0, 1}) {
      // Left to right in both sentences; the first free n-gram of the reference wins.
      for (std::int32_t i = 0; i < own; ++i) {
        if (row_used[static_cast<std::size_t>(i)]) continue;
        for (std::int32_t j = 0; j < other; ++j) {
          if (column_used[static_cast<std::size_t>(j)]) continue;
          bool equal = std::equal(candidate.lemmas.begin + i, candidate.lemmas.begin + i + n, reference.lemmas.begin + j);
          if (stage == 0) equal = equal && std::equal(candidate.tags.begin + i, candidate.tags.begin + i + n, reference.tags.begin + j);
          if (!equal) continue;
          row_used[static_cast<std::size_t>(i)] = column_used[static_cast<std::size_t>(j)] = 1;
          found.push_back({i, j, stage, 1.0});
          break;
        }
      }
    }
    edges.clear();
    for (std::int32_t i = 0; i < own; ++i) {
      if (row_used[static_cast<std::size_t>(i)]) continue;
      for (std::int32_t j = 0; j < other; ++j) {
        if (column_used[static_cast<std::size_t>(j)]) continue;
        int sum = 0;
        bool each = true;
        for (int k = 0; k < n && each; ++k) {
          const int one = table[static_cast<std::size_t>(i + k) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j + k)];
          sum += one;
          each = one > 0;
        }
        if (!each) continue;
        // Whole numbers, as long as distance does not count, keep the solver exact; they become weights below.
        double weight = sum;
        if (distance > 0) weight *= 1 - distance * std::abs(static_cast<double>(i) / own - static_cast<double>(j) / other);
        if (weight > 0) edges.push_back({i, j, weight});
      }
    }
    if (edges.empty()) continue;
    best_assignment(own, other, edges, column_of_row);
    for (const Edge& edge : edges)
      if (column_of_row[static_cast<std::size_t>(edge.row)] == edge.column)
        found.push_back({edge.row, edge.column, 2, edge.weight / (2 * n)});
  }
}

void match_triples(Span candidate, Span reference, const Similarity& similarity, std::vector<ItemMatch>& matches) {
  matches.clear();
  const auto own = static_cast<std::int32_t>(candidate.size() / 3), other = static_cast<std::int32_t>(reference.size() / 3);
  std::vector<Edge> edges;
  for (std::int32_t i = 0; i < own; ++i)
    for (std::int32_t j = 0; j < other; ++j) {
      const std::int32_t *a = candidate.begin + 3 * i, *b = reference.begin + 3 * j;
      if (a[1] == b[1]) edges.push_back({i, j, 1.0 + similarity.synonyms(a[0], b[0]) + similarity.synonyms(a[2], b[2])});
    }
  std::vector<std::int32_t> column_of_row;
  best_assignment(own, other, edges, column_of_row);
  for (const Edge& edge : edges)
    if (column_of_row[static_cast<std::size_t>(edge.row)] == edge.column)
      matches.push_back({edge.row, edge.column, 2, edge.weight / 3});
}

}  // namespace paragauge
