// Rules with their scores: a weighted sum of features, and an estimate of what the language model will say.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "grammar/index.hpp"
#include "grammar/surface.hpp"
#include "lm/model.hpp"

namespace paragauge {

enum class FeatureKind : std::int32_t { stored, surface, language_model, unknown_words, pass_through, glue };

struct WeightedFeature {
  FeatureKind kind;
  std::int32_t index;  // of a stored column or a Surface
  double weight;
};

// Everything that decoding reads. Without a model, derivations are scored by their rules alone.
struct DecoderView {
  GrammarView grammar;
  const std::int64_t* rule_row;  // which row of values each rule has
  const float* values;
  std::int64_t rows;
  std::int32_t width;             // stored features of a rule
  const lm::Model* model;         // or null
  const lm::Word* lm_word;        // of each word of the grammar
  std::vector<WeightedFeature> features;
};

constexpr double log_of_10 = 2.302585092994045684;

struct ScoredRule {
  std::int64_t number;
  double score;     // of its features
  double estimate;  // with the language model on its words alone
  std::size_t target, target_length;  // symbols of the target side
};

// The rules of one source side, those of one shape together, the best first.
struct SourceRules {
  struct Group {
    Shape shape;
    std::size_t first, last;
  };
  std::vector<Group> groups;
  std::vector<ScoredRule> rules;
  std::vector<std::int32_t> symbols;
};

// Scores rules as they are needed, and keeps them for the next sentence; each thread has its own.
class RuleScorer {
 public:
  // At most max_rules rules of a source side are kept; 0 for all.
  RuleScorer(const DecoderView& view, std::int64_t max_rules);

  const SourceRules& at(std::int32_t source_node);
  void tidy();  // between sentences: forgets rules if there are too many

  // Adds the features of a rule, other than those of the language model and of glue, to a row.
  void add_features(std::int64_t rule, double* row);
  // The same of a word that passes through.
  void add_pass_through(int characters, bool unknown_to_model, double* row) const;
  double pass_through_score(int characters, bool unknown_to_model) const;

  double language_model_weight() const { return language_model_weight_; }
  double glue_weight() const { return glue_weight_; }

 private:
  double value(const WeightedFeature& feature, std::int64_t row, const RuleMeasure& measure, int unknown_words) const;
  std::int64_t row_of(std::int64_t rule) const;
  const Shape& shape_of(std::int64_t rule) const;
  void check_symbols(const std::vector<std::int32_t>& symbols) const;
  int characters_of(std::int32_t symbol);
  SideMeasure measure_side(const std::vector<std::int32_t>& symbols);
  // Of the rule whose sides are in source_ and target_.
  RuleMeasure measure(const Shape& shape);
  int unknown_in_target() const;
  double estimate(const std::vector<std::int32_t>& symbols) const;
  RuleMeasure pass_through_measure(int characters) const;

  const DecoderView& view_;
  std::int64_t max_rules_;
  std::int32_t x_;
  double language_model_weight_ = 0, glue_weight_ = 0;
  bool needs_measure_ = false;
  std::unordered_map<std::int32_t, SourceRules> known_;
  std::size_t known_rules_ = 0;
  std::vector<int> characters_;  // of words; -1 where not counted yet
  std::vector<std::int32_t> source_, target_;
};

}  // namespace paragauge
