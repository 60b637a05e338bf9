// MAXSIM's matching of n-grams and of dependency triples.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/sequences.hpp"
#include "matching/lexicon.hpp"

namespace paragauge {

// What words are: numbers of lemmas and tags, and for each lemma its number in the lexicon or -1.
struct TaggedWords {
  Span lemmas, tags;
};

struct Similarity {
  const Lexicon* lexicon;
  const std::int32_t* lexicon_ids;  // by number of lemma
  Sequences related{};              // by number of lemma: others that count as synonyms, sorted; none if there are no rows
  bool tags_alone = true;           // whether equal tags count without synonymous lemmas, as in the paper

  // MAXSIM's Syn.
  bool synonyms(std::int32_t a, std::int32_t b) const {
    if (a == b) return true;
    if (lexicon_ids[a] >= 0 && lexicon_ids[b] >= 0 && lexicon->share_synonym(lexicon_ids[a], lexicon_ids[b])) return true;
    if (related.count == 0) return false;
    const Span others = related[a];
    return std::binary_search(others.begin, others.end, b);
  }
};

struct ItemMatch {
  std::int32_t candidate, reference;
  std::int32_t stage;  // 0: lemmas and tags, 1: lemmas, 2: the best assignment of the rest
  double weight;
};

// Matches the n-grams of each order 1..max_order; matches[n - 1] in the order of the stages. `distance` takes from the
// weight of a match in the last stage that share of how far apart the items lie, in parts of the sentences' lengths.
void match_ngrams(const TaggedWords& candidate, const TaggedWords& reference, const Similarity& similarity, int max_order,
                  double distance, std::vector<std::vector<ItemMatch>>& matches);

// Triples are rows of three: child lemma, relation, parent lemma.
void match_triples(Span candidate, Span reference, const Similarity& similarity, std::vector<ItemMatch>& matches);

}  // namespace paragauge
