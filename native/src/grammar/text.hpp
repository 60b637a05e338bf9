// Rules as lines of text, as Joshua, Thrax and PPDB write them:
// "[NP] ||| [NN,1] of ||| of [NN,1] ||| features ||| alignment".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.hpp"
#include "grammar/index.hpp"

namespace paragauge {

struct RuleTexts {
  Strings lhs, source, target, features, alignment;
};

// Reads whole lines. Nonterminals are numbered in the order of the source side. Throws RuleError with the line.
void read_rules(std::string_view text, RuleTexts& rules);

// The value of a feature of each rule, such as p(e|f)=1.5; NaN where it has none. Throws RuleError for what is no number.
std::vector<double> feature_values(const Words& features, std::string_view name);

// All features of rules that are numbers, as rows; a rule without a feature has 0. New names come after those given.
struct FeatureTable {
  std::vector<std::string> names;
  std::vector<float> values;  // one for each name, rule by rule
};
FeatureTable feature_table(const Words& features, std::vector<std::string> names);

// Sides with every label replaced by X.
void unlabel(const Words& sides, Strings& out);

// Both sides of rules with nonterminals numbered in the order of the first. Throws RuleError if they do not match.
void renumber(const Words& first, const Words& second, Strings& first_out, Strings& second_out);

// Links such as "0-0 1-2" from two sequences to a third one, as links from the first to the second; sorted.
void compose_links(const Words& first, const Words& second, Strings& out);

// Of each source side: 0 one word, 1 several words, 2 with a nonterminal.
std::vector<std::int8_t> rule_classes(const Words& sources);

struct FeatureColumn {
  std::string name;
  const double* values;
};

// Lines of rules. Columns are written as features, and after them, if wanted, those that follow from the text of a
// rule; `features` may hold text already, which comes first.
std::string write_rules(const Words& lhs, const Words& source, const Words& target, const Words& features,
                        const Words& alignment, const std::vector<FeatureColumn>& columns, bool surface, int threads);

}  // namespace paragauge
