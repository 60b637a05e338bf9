// Training of the three models: epochs over shuffled examples.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/constituents.hpp"

namespace paragauge::analysis {

// One sentence to learn from. Several variants of its words (in lower case, say) take turns by chance.
struct Example {
  struct Variant {
    Sentence sentence;
    Tags tags;                  // as predicted, for the parsers
    Dependencies dependencies;  // as predicted, for the constituent parser
  };
  std::vector<Variant> variants;
  Tags gold_tags;
  Dependencies gold_dependencies;
  std::vector<LabelledSpan> gold_spans;
};

struct Schedule {
  int epochs = 8;
  int runs = 1;               // from the beginning; the weights of all are averaged, which evens out chance
  int width = 8;              // of the beam
  double variant_share = 0.2;  // how often another variant than the first is taken
  std::uint64_t seed = 1;
  int least_notes = 2;  // how often the treebank must show a feature
  std::function<void(int epoch, std::int64_t mistakes)> report;
};

std::string train_tagger(const std::vector<Example>& examples, const WordTable& table, int tags, std::size_t bytes,
                         const Schedule& schedule);
// Structure and relations.
std::pair<std::string, std::string> train_dependencies(const std::vector<Example>& examples,
                                                       const std::uint8_t* tag_kinds, int relations,
                                                       std::size_t bytes, const Schedule& schedule);
// Structure and labels.
std::pair<std::string, std::string> train_constituents(const std::vector<Example>& examples, int labels,
                                                       std::size_t bytes, const Schedule& schedule);

}  // namespace paragauge::analysis
