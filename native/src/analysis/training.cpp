#include "analysis/training.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/hashing.hpp"

namespace paragauge::analysis {

namespace {

// Chance that is the same everywhere, unlike the library's distributions.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15ull); }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
  bool happens(double share) { return static_cast<double>(next() >> 11) * 0x1.0p-53 < share; }

 private:
  std::uint64_t state_;
};

// Calls learn(example, variant, lesson) for every example in each epoch of each run, in an order of chance; before the first it notes
// the features of the treebank's writing, and then of another one.
template <class Learn>
void run_epochs(const std::vector<Example>& examples, const Schedule& schedule,
                const std::vector<LearningWeights*>& weights, const Learn& learn) {
  Chance chance(schedule.seed);
  for (const bool another : {false, true}) {
    for (const Example& example : examples) {
      const std::size_t others = example.variants.size() - 1;
      if (another && others == 0) continue;
      learn(example, example.variants[another ? 1 + chance.below(others) : 0], Lesson::note);
    }
    for (LearningWeights* each : weights) each->end_notes();
  }
  std::vector<std::size_t> order(examples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int epoch = 0; epoch < schedule.runs * schedule.epochs; ++epoch) {
    if (epoch > 0 && epoch % schedule.epochs == 0)
      for (LearningWeights* each : weights) each->start_again();
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[chance.below(i)]);
    std::int64_t mistakes = 0;
    for (const std::size_t place : order) {
      const Example& example = examples[place];
      const std::size_t others = example.variants.size() - 1;
      const bool another = others > 0 && chance.happens(schedule.variant_share);
      for (LearningWeights* each : weights) each->tick();
      mistakes += learn(example, example.variants[another ? 1 + chance.below(others) : 0], Lesson::learn);
    }
    if (schedule.report) schedule.report(epoch + 1, mistakes);
  }
}

// A feature has a weight for each of many names, so that a rare one costs more there.
int notes_for_names(const Schedule& schedule) { return std::min(15, 2 * schedule.least_notes); }

// Both are added up in one score, so they share one scale.
std::pair<std::string, std::string> pack_both(const LearningWeights& structure, const LearningWeights& naming,
                                              std::size_t bytes) {
  const double largest = std::max(structure.largest(), naming.largest());
  std::string first = structure.pack(bytes * 3 / 5, largest);
  return {first, naming.pack(bytes - first.size(), largest)};
}

}  // namespace

std::string train_tagger(const std::vector<Example>& examples, const WordTable& table, int tags, std::size_t bytes,
                         const Schedule& schedule) {
  LearningWeights weights(tags, schedule.least_notes);
  Tagger tagger(weights, table, schedule.width);
  run_epochs(examples, schedule, {&weights}, [&](const Example& example, const Example::Variant& variant, Lesson lesson) {
    return tagger.learn(variant.sentence, example.gold_tags, lesson, weights);
  });
  return weights.pack(bytes);
}

std::pair<std::string, std::string> train_dependencies(const std::vector<Example>& examples, const std::uint8_t* tag_kinds, int relations,
                               std::size_t bytes, const Schedule& schedule) {
  LearningWeights structure(3, schedule.least_notes), naming(relations, notes_for_names(schedule));
  DependencyParser parser(structure, naming, tag_kinds, schedule.width);
  run_epochs(examples, schedule, {&structure, &naming}, [&](const Example& example, const Example::Variant& variant, Lesson lesson) {
    return parser.learn(variant.sentence, variant.tags, example.gold_dependencies, lesson, structure, naming);
  });
  return pack_both(structure, naming, bytes);
}

std::pair<std::string, std::string> train_constituents(const std::vector<Example>& examples, int labels,
                                                       std::size_t bytes, const Schedule& schedule) {
  LearningWeights structure(2, schedule.least_notes), naming(labels, notes_for_names(schedule));
  ConstituentParser parser(structure, naming, schedule.width);
  run_epochs(examples, schedule, {&structure, &naming}, [&](const Example& example, const Example::Variant& variant, Lesson lesson) {
    return parser.learn(variant.sentence, variant.tags, variant.dependencies, example.gold_spans, lesson, structure, naming);
  });
  return pack_both(structure, naming, bytes);
}

}  // namespace paragauge::analysis
