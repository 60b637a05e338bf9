#include "decode/rules.hpp"

#include <algorithm>
#include <stdexcept>

namespace paragauge {

namespace {

constexpr std::size_t most_known_rules = 2'000'000;

[[noreturn]] void damaged() { throw std::invalid_argument("the index of the grammar is damaged"); }

}  // namespace

RuleScorer::RuleScorer(const DecoderView& view, std::int64_t max_rules)
    : view_(view), max_rules_(max_rules), x_(static_cast<std::int32_t>(view.grammar.labels.find("X"))),
      characters_(static_cast<std::size_t>(view.grammar.words.size()), -1) {
  for (const WeightedFeature& feature : view.features) {
    if (feature.kind == FeatureKind::language_model) language_model_weight_ = feature.weight;
    if (feature.kind == FeatureKind::glue) glue_weight_ = feature.weight;
    if (feature.kind == FeatureKind::surface) needs_measure_ = true;
  }
}

void RuleScorer::tidy() {
  if (known_rules_ <= most_known_rules) return;
  known_.clear();
  known_rules_ = 0;
}

std::int64_t RuleScorer::row_of(std::int64_t rule) const {
  if (view_.width == 0) return 0;
  const std::int64_t row = view_.rule_row[rule];
  if (row < 0 || row >= view_.rows) damaged();
  return row;
}

// Symbols come from mapped files and are used as places in arrays.
void RuleScorer::check_symbols(const std::vector<std::int32_t>& symbols) const {
  for (const std::int32_t symbol : symbols)
    if (symbol < 0 || symbol > view_.grammar.words.size()) damaged();
}

const Shape& RuleScorer::shape_of(std::int64_t rule) const {
  const std::int32_t shape = view_.grammar.rule_shape[rule], target = view_.grammar.rule_target[rule];
  if (shape < 0 || shape >= view_.grammar.shape_count || target < 1 || target >= view_.grammar.target.nodes) damaged();
  return view_.grammar.shapes[shape];
}

int RuleScorer::characters_of(std::int32_t symbol) {
  int& known = characters_[static_cast<std::size_t>(symbol - 1)];
  if (known < 0) known = count_characters(view_.grammar.words[symbol - 1]);
  return known;
}

SideMeasure RuleScorer::measure_side(const std::vector<std::int32_t>& symbols) {
  SideMeasure side;
  bool gap_before = false;
  for (const std::int32_t symbol : symbols) {
    const bool gap = symbol == gap_symbol;
    if (gap) {
      ++side.gaps;
      side.adjacent = side.adjacent || gap_before;
    } else {
      ++side.words;
      side.characters += characters_of(symbol);
    }
    gap_before = gap;
  }
  return side;
}

RuleMeasure RuleScorer::measure(const Shape& shape) {
  RuleMeasure rule;
  rule.source = measure_side(source_);
  rule.target = measure_side(target_);
  rule.monotonic = shape.swapped == 0;
  rule.identity = rule.monotonic && source_ == target_;
  rule.contains_x = x_ >= 0 && (shape.lhs == x_ || shape.first == x_ || shape.second == x_);
  rule.same_labels = (shape.first < 0 || shape.first == shape.lhs) && (shape.second < 0 || shape.second == shape.lhs);
  return rule;
}

int RuleScorer::unknown_in_target() const {
  if (view_.model == nullptr) return 0;
  int unknown = 0;
  for (const std::int32_t symbol : target_) unknown += symbol != gap_symbol && view_.lm_word[symbol - 1] == lm::unknown_word;
  return unknown;
}

double RuleScorer::value(const WeightedFeature& feature, std::int64_t row, const RuleMeasure& measure,
                         int unknown_words) const {
  switch (feature.kind) {
    case FeatureKind::stored: return static_cast<double>(view_.values[row * view_.width + feature.index]);
    case FeatureKind::surface: return surface_value(static_cast<Surface>(feature.index), measure);
    case FeatureKind::unknown_words: return unknown_words;
    default: return 0;
  }
}

double RuleScorer::estimate(const std::vector<std::int32_t>& symbols) const {
  if (view_.model == nullptr) return 0;
  lm::State states[2];
  int current = 0, found = 0;
  double sum = 0;
  for (const std::int32_t symbol : symbols) {
    if (symbol == gap_symbol) {
      states[current].length = 0;
      continue;
    }
    sum += view_.model->advance(states[current], view_.lm_word[symbol - 1], states[1 - current], found);
    current = 1 - current;
  }
  return sum;
}

const SourceRules& RuleScorer::at(std::int32_t source_node) {
  const auto [entry, fresh] = known_.try_emplace(source_node);
  SourceRules& out = entry->second;
  if (!fresh) return out;
  const GrammarView& grammar = view_.grammar;
  const std::int64_t first = grammar.source_rules[source_node], last = grammar.source_rules[source_node + 1];
  if (first < 0 || last < first || last > grammar.rule_count) damaged();
  grammar.source.path(source_node, source_);
  check_symbols(source_);
  const auto source_gaps = std::count(source_.begin(), source_.end(), gap_symbol);
  for (std::int64_t rule = first; rule < last; ++rule) {
    const Shape& shape = shape_of(rule);
    grammar.target.path(grammar.rule_target[rule], target_);
    check_symbols(target_);
    const auto gaps = std::count(target_.begin(), target_.end(), gap_symbol);
    if (gaps != source_gaps || gaps != (shape.first >= 0) + (shape.second >= 0)) damaged();
    const RuleMeasure measured = needs_measure_ ? measure(shape) : RuleMeasure{};
    const int unknown = unknown_in_target();
    const std::int64_t row = row_of(rule);
    ScoredRule scored{rule, 0, 0, out.symbols.size(), target_.size()};
    for (const WeightedFeature& feature : view_.features)
      if (feature.weight != 0) scored.score += feature.weight * value(feature, row, measured, unknown);
    scored.estimate = scored.score + language_model_weight_ * log_of_10 * estimate(target_);
    out.symbols.insert(out.symbols.end(), target_.begin(), target_.end());
    out.rules.push_back(scored);
  }
  const auto better = [](const ScoredRule& a, const ScoredRule& b) {
    return a.estimate != b.estimate ? a.estimate > b.estimate : a.number < b.number;
  };
  std::sort(out.rules.begin(), out.rules.end(), better);
  if (max_rules_ > 0 && static_cast<std::int64_t>(out.rules.size()) > max_rules_)
    out.rules.resize(static_cast<std::size_t>(max_rules_));
  const auto shape_number = [&](const ScoredRule& rule) { return grammar.rule_shape[rule.number]; };
  std::stable_sort(out.rules.begin(), out.rules.end(),
                   [&](const ScoredRule& a, const ScoredRule& b) { return shape_number(a) < shape_number(b); });
  for (std::size_t k = 0; k < out.rules.size(); ++k) {
    if (k == 0 || shape_number(out.rules[k]) != shape_number(out.rules[k - 1]))
      out.groups.push_back({grammar.shapes[shape_number(out.rules[k])], k, k});
    out.groups.back().last = k + 1;
  }
  known_rules_ += out.rules.size() + 1;
  return out;
}

void RuleScorer::add_features(std::int64_t rule, double* row) {
  const GrammarView& grammar = view_.grammar;
  const Shape& shape = shape_of(rule);
  grammar.source.path(grammar.source_of(rule), source_);
  grammar.target.path(grammar.rule_target[rule], target_);
  check_symbols(source_);
  check_symbols(target_);
  const RuleMeasure measured = measure(shape);
  const int unknown = unknown_in_target();
  const std::int64_t values = row_of(rule);
  for (std::size_t k = 0; k < view_.features.size(); ++k) row[k] += value(view_.features[k], values, measured, unknown);
}

RuleMeasure RuleScorer::pass_through_measure(int characters) const {
  RuleMeasure rule;
  rule.source.words = rule.target.words = 1;
  rule.source.characters = rule.target.characters = characters;
  rule.identity = rule.contains_x = true;
  return rule;
}

void RuleScorer::add_pass_through(int characters, bool unknown_to_model, double* row) const {
  const RuleMeasure measured = pass_through_measure(characters);
  for (std::size_t k = 0; k < view_.features.size(); ++k) {
    const WeightedFeature& feature = view_.features[k];
    if (feature.kind == FeatureKind::pass_through) row[k] += 1;
    if (feature.kind == FeatureKind::surface || feature.kind == FeatureKind::unknown_words)
      row[k] += value(feature, 0, measured, unknown_to_model);
  }
}

double RuleScorer::pass_through_score(int characters, bool unknown_to_model) const {
  std::vector<double> row(view_.features.size(), 0.0);
  add_pass_through(characters, unknown_to_model, row.data());
  double score = 0;
  for (std::size_t k = 0; k < row.size(); ++k) score += view_.features[k].weight * row[k];
  return score;
}

}  // namespace paragauge
