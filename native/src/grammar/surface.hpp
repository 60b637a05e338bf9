// Features that follow from the text of a rule: numbers of words and characters, and what kind of rule it is.
#pragma once

#include <array>
#include <string_view>

namespace paragauge {

enum class Surface {
  abstract,
  adjacent,
  char_count_diff,
  char_log_ratio,
  contains_x,
  glue_rule,
  identity,
  lexical,
  monotonic,
  phrase_penalty,
  source_words_only,
  source_words,
  target_words_only,
  target_words,
  unaligned_source,
  unaligned_target,
  word_count_diff,
  word_length_diff,
  word_log_ratio,
  same_labels,
};

// In the order of Surface; the last is not written to text, so that files stay what Thrax and PPDB write.
constexpr std::array<std::string_view, 20> surface_names{
    "Abstract",        "Adjacent",        "CharCountDiff", "CharLogCR",
    "ContainsX",       "GlueRule",        "Identity",      "Lexical",
    "Monotonic",       "PhrasePenalty",   "SourceTerminalsButNoTarget",
    "SourceWords",     "TargetTerminalsButNoSource",       "TargetWords",
    "UnalignedSource", "UnalignedTarget", "WordCountDiff", "WordLenDiff",
    "WordLogCR",       "SameLabels"};
constexpr std::size_t written_surfaces = surface_names.size() - 1;

struct SideMeasure {
  int words = 0, gaps = 0, characters = 0;  // characters of words, without spaces
  bool adjacent = false;                    // nonterminals

  int length() const { return characters + (words > 1 ? words - 1 : 0); }
  double mean_word() const { return words > 0 ? static_cast<double>(characters) / words : 0.0; }
};

struct RuleMeasure {
  SideMeasure source, target;
  bool identity = false, monotonic = true, contains_x = false, same_labels = true;
  int unaligned_source = 0, unaligned_target = 0;
};

double surface_value(Surface which, const RuleMeasure& rule);

// How many characters UTF-8 text has.
int count_characters(std::string_view text);

}  // namespace paragauge
