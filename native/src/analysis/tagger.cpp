#include "analysis/tagger.hpp"

namespace paragauge::analysis {

const Word& TaggingSystem::at(int position) const {
  static const Word outside{1, 1, {1, 1, 1}, {1, 1, 1, 1, 1}, 1, {0, 0}};
  return position >= 0 && position < steps() ? sentence_.words[static_cast<std::size_t>(position)] : outside;
}

void TaggingSystem::shared_features(int step, Features& out) const {
  const Word &w = at(step), &p1 = at(step - 1), &p2 = at(step - 2), &n1 = at(step + 1), &n2 = at(step + 2);
  const Feature letters = sentence_.letters, first = step == 0;
  int n = 0;
  out.add(n++, w.lower);
  out.add(n++, w.form);
  for (int i = 0; i < 5; ++i) out.add(n++, w.suffix[i]);
  for (int i = 0; i < 3; ++i) out.add(n++, w.prefix[i]);
  out.add(n++, w.shape, letters, first);
  out.add(n++, w.shape, w.suffix[2]);
  out.add(n++, w.facts.tags, w.facts.kinds);
  out.add(n++, w.facts.kinds, letters, w.shape);
  out.add(n++, w.facts.kinds, w.suffix[2]);
  out.add(n++, w.facts.kinds, n1.facts.kinds);
  out.add(n++, w.facts.tags, n1.facts.tags);
  out.add(n++, p1.lower);
  out.add(n++, p2.lower);
  out.add(n++, n1.lower);
  out.add(n++, n2.lower);
  out.add(n++, p1.lower, w.lower);
  out.add(n++, w.lower, n1.lower);
  out.add(n++, p1.lower, n1.lower);
  out.add(n++, p2.lower, p1.lower);
  out.add(n++, n1.lower, n2.lower);
  out.add(n++, w.lower, n1.facts.tags);
  out.add(n++, w.suffix[2], n1.lower);
  out.add(n++, p1.lower, w.suffix[2]);
  out.add(n++, n1.suffix[2], n1.shape);
  out.add(n++, p1.suffix[2]);
  out.add(n++, n1.suffix[1], w.facts.tags);
  out.add(n++, n1.facts.tags, n2.facts.tags);
  out.add(n++, w.facts.tags, n1.facts.tags, n2.facts.tags);
  out.add(n++, n1.facts.kinds, w.facts.tags);
  out.add(n++, p1.facts.kinds, w.facts.tags);
  out.add(n++, p1.shape, w.shape, n1.shape);
  out.add(n++, w.shape, p1.lower, first);
}

void TaggingSystem::features(const State*, const State& state, int step, Features& out) const {
  const Word &w = at(step), &n1 = at(step + 1);
  const Feature t1 = state.last, t2 = state.before_last;
  int n = 100;
  out.add(n++, w.shape, w.suffix[1], t1);
  out.add(n++, t1);
  out.add(n++, t1, t2);
  out.add(n++, t1, w.lower);
  out.add(n++, t1, t2, w.lower);
  out.add(n++, t1, w.facts.tags);
  out.add(n++, t1, w.facts.kinds);
  out.add(n++, t1, w.facts.kinds, n1.facts.tags, n1.facts.kinds);
  out.add(n++, t1, t2, w.facts.tags);
  out.add(n++, t1, w.facts.tags, n1.facts.tags);
  out.add(n++, t1, n1.lower);
  out.add(n++, t1, w.suffix[2]);
  out.add(n++, t1, w.suffix[1], n1.facts.tags);
}

Tags Tagger::tag(const Sentence& sentence) {
  const TaggingSystem system(sentence, table_);
  Tags tags(sentence.words.size());
  int place = beam_.run(system);
  for (std::size_t i = tags.size(); i-- > 0; place = beam_.arena()[static_cast<std::size_t>(place)].previous)
    tags[i] = static_cast<std::uint8_t>(beam_.arena()[static_cast<std::size_t>(place)].action);
  return tags;
}

bool Tagger::learn(const Sentence& sentence, const Tags& gold, Lesson lesson, LearningWeights& weights) {
  const TaggingSystem system(sentence, table_);
  for (int i = 0; i < system.steps(); ++i)  // a mistake of the treebank, most likely
    if (!system.legal(system.initial(), i, gold[static_cast<std::size_t>(i)])) return false;
  return beam_.learn(system, {gold.begin(), gold.end()}, lesson, {&weights});
}

}  // namespace paragauge::analysis
