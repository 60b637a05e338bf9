#include "grammar/surface.hpp"

#include <cmath>

namespace paragauge {

namespace {

double log_ratio(int target, int source) {
  return target > 0 && source > 0 ? std::log(static_cast<double>(target) / source) : 0.0;
}

}  // namespace

double surface_value(Surface which, const RuleMeasure& rule) {
  const SideMeasure &from = rule.source, &to = rule.target;
  switch (which) {
    case Surface::abstract: return from.words + to.words == 0;
    case Surface::adjacent: return from.adjacent || to.adjacent;
    case Surface::char_count_diff: return to.length() - from.length();
    case Surface::char_log_ratio: return log_ratio(to.length(), from.length());
    case Surface::contains_x: return rule.contains_x;
    case Surface::glue_rule: return 0;
    case Surface::identity: return rule.identity;
    case Surface::lexical: return from.gaps == 0;
    case Surface::monotonic: return rule.monotonic;
    case Surface::phrase_penalty: return 1;
    case Surface::source_words_only: return from.words > 0 && to.words == 0;
    case Surface::source_words: return from.words;
    case Surface::target_words_only: return to.words > 0 && from.words == 0;
    case Surface::target_words: return to.words;
    case Surface::unaligned_source: return rule.unaligned_source;
    case Surface::unaligned_target: return rule.unaligned_target;
    case Surface::word_count_diff: return to.words - from.words;
    case Surface::word_length_diff: return to.mean_word() - from.mean_word();
    case Surface::word_log_ratio: return log_ratio(to.words, from.words);
    case Surface::same_labels: return rule.same_labels;
  }
  return 0;
}

int count_characters(std::string_view text) {
  int count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return count;
}

}  // namespace paragauge
