// The best derivations of a forest, one after another (Huang & Chiang 2005, algorithm 3).
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace paragauge {

constexpr std::int64_t pass_through_rule = -1, glue_rule = -2, end_rule = -3;

// A way to make a hypothesis: a rule and the hypotheses in its gaps, in the order of the source side (-1 for none).
struct ForestEdge {
  double delta;        // score beyond those of the children
  std::int64_t rule;
  const std::int32_t* target;  // symbols of the target side; null if it is none of the grammar's rules
  std::int32_t target_length;
  std::int32_t word;           // that passes through
  bool swapped;
  std::int32_t children[2];
  std::int32_t source_first, source_last;
  std::int32_t next;   // edge of the same hypothesis, or -1
};

struct Hypothesis {
  double score;
  std::int32_t first_edge, last_edge;
  std::int32_t state;
};

struct Forest {
  std::vector<Hypothesis> hypotheses;
  std::vector<ForestEdge> edges;
  std::int32_t root = -1;
};

// Words of the grammar by number; other words, which pass through, as -1 - token.
using Yield = std::vector<std::int32_t>;

struct RankedDerivation {
  double score;
  std::int32_t edge;
  std::int32_t ranks[2];  // of the children's derivations
};

class KBest {
 public:
  // With `distinct`, of derivations with the same words only the best counts, in every part of the forest.
  KBest(const Forest& forest, bool distinct);

  // The derivation of a hypothesis with this rank, from 0; null if there are fewer.
  const RankedDerivation* get(std::int32_t hypothesis, std::size_t rank);
  // The words of a derivation.
  void append_yield(const RankedDerivation& derivation, Yield& words);

 private:
  struct Ranking {
    std::vector<RankedDerivation> found;
    std::vector<RankedDerivation> waiting;  // a heap
    bool extend = false;                    // the neighbours of the last one found are not waiting yet
    std::set<Yield> yields;                 // found so far, if they are to be distinct
  };

  bool advance(std::int32_t hypothesis, Ranking& ranking);
  void consider(Ranking& ranking, std::int32_t edge, std::int32_t first, std::int32_t second);
  void add_neighbours(Ranking& ranking, const RankedDerivation& of);

  const Forest& forest_;
  bool distinct_;
  std::vector<std::unique_ptr<Ranking>> rankings_;
};

}  // namespace paragauge
