#include "decode/kbest.hpp"

#include <algorithm>

#include "grammar/index.hpp"

namespace paragauge {

namespace {

// Whether a comes after b; ties go by place, so that the order never depends on anything else.
bool after(const RankedDerivation& a, const RankedDerivation& b) {
  if (a.score != b.score) return a.score < b.score;
  if (a.edge != b.edge) return a.edge > b.edge;
  return a.ranks[0] != b.ranks[0] ? a.ranks[0] > b.ranks[0] : a.ranks[1] > b.ranks[1];
}

}  // namespace

KBest::KBest(const Forest& forest, bool distinct)
    : forest_(forest), distinct_(distinct), rankings_(forest.hypotheses.size()) {}

const RankedDerivation* KBest::get(std::int32_t hypothesis, std::size_t rank) {
  auto& ranking = rankings_[static_cast<std::size_t>(hypothesis)];
  if (!ranking) {
    ranking = std::make_unique<Ranking>();
    for (std::int32_t e = forest_.hypotheses[static_cast<std::size_t>(hypothesis)].first_edge; e >= 0;
         e = forest_.edges[static_cast<std::size_t>(e)].next)
      consider(*ranking, e, 0, 0);
  }
  while (ranking->found.size() <= rank)
    if (!advance(hypothesis, *ranking)) return nullptr;
  return &ranking->found[rank];
}

void KBest::consider(Ranking& ranking, std::int32_t edge, std::int32_t first, std::int32_t second) {
  const ForestEdge& of = forest_.edges[static_cast<std::size_t>(edge)];
  RankedDerivation candidate{of.delta, edge, {first, second}};
  for (int c = 0; c < 2; ++c) {
    if (of.children[c] < 0) continue;
    const RankedDerivation* child = get(of.children[c], static_cast<std::size_t>(candidate.ranks[c]));
    if (child == nullptr) return;
    candidate.score += child->score;
  }
  ranking.waiting.push_back(candidate);
  std::push_heap(ranking.waiting.begin(), ranking.waiting.end(), after);
}

// Every combination of ranks has one neighbour that leads to it, which is at least as good.
void KBest::add_neighbours(Ranking& ranking, const RankedDerivation& of) {
  const ForestEdge& edge = forest_.edges[static_cast<std::size_t>(of.edge)];
  if (edge.children[0] >= 0 && of.ranks[1] == 0) consider(ranking, of.edge, of.ranks[0] + 1, 0);
  if (edge.children[1] >= 0) consider(ranking, of.edge, of.ranks[0], of.ranks[1] + 1);
}

bool KBest::advance(std::int32_t, Ranking& ranking) {
  if (ranking.extend) {
    ranking.extend = false;
    const RankedDerivation last = ranking.found.back();
    add_neighbours(ranking, last);
  }
  while (!ranking.waiting.empty()) {
    std::pop_heap(ranking.waiting.begin(), ranking.waiting.end(), after);
    const RankedDerivation best = ranking.waiting.back();
    ranking.waiting.pop_back();
    if (distinct_) {
      Yield words;
      append_yield(best, words);
      if (!ranking.yields.insert(std::move(words)).second) {
        add_neighbours(ranking, best);
        continue;
      }
    }
    ranking.found.push_back(best);
    ranking.extend = true;
    return true;
  }
  return false;
}

void KBest::append_yield(const RankedDerivation& derivation, Yield& words) {
  const ForestEdge& edge = forest_.edges[static_cast<std::size_t>(derivation.edge)];
  const auto child = [&](int c) {
    if (edge.children[c] >= 0) append_yield(*get(edge.children[c], static_cast<std::size_t>(derivation.ranks[c])), words);
  };
  if (edge.rule == pass_through_rule) {
    words.push_back(edge.word);
  } else if (edge.target == nullptr) {
    child(0);
    child(1);
  } else {
    int gap = edge.swapped ? 1 : 0;
    for (std::int32_t k = 0; k < edge.target_length; ++k) {
      if (edge.target[k] == gap_symbol) {
        child(gap);
        gap = 1 - gap;
      } else {
        words.push_back(edge.target[k] - 1);
      }
    }
  }
}

}  // namespace paragauge
