// Who did what to whom: predicates of a sentence, their senses and their arguments, from words and dependencies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/dependencies.hpp"

namespace paragauge::analysis {

// A parsed sentence as the labeller sees it.
struct ParsedSentence {
  Sentence sentence;
  std::vector<Feature> lemmas;
  Tags tags;
  Dependencies dependencies;
  const std::uint8_t* tag_uses;  // for each tag a TagUse
};

enum TagUse : std::uint8_t { other_use, may_be_predicate, is_punctuation };

struct Argument {
  std::int32_t begin, end, role;  // words [begin, end)
};

struct Predicate {
  std::int32_t word, sense;
  std::vector<Argument> arguments;
};

// What the four models of the labeller are called on: whether a word is a predicate, which of its lemma's senses it has,
// what role a span plays, seen alone, and how that changes beside the sentence's other arguments. Role 0 is none.
struct RoleModels {
  const Scorer& predicates;  // two classes: no, yes
  const Scorer& senses;      // most_senses classes
  const Scorer& roles, &revision;
};

class RoleFeatures;
constexpr Score units_a_nat = 2000;  // scores are logarithms in these units

constexpr int most_senses = 16;

class RoleLabeller {
 public:
  // single: for each role whether a predicate may have it only once. A role is taken if no role is better by less than
  // `slack`: a model that is sure of its arguments misses many.
  RoleLabeller(const RoleModels& models, const std::uint8_t* single, Score slack)
      : models_(models), single_(single), slack_(slack) {}

  // sense_counts: for each word how many senses its lemma has; 0 for an unknown lemma.
  std::vector<Predicate> label(const ParsedSentence& parsed, const std::uint8_t* sense_counts) const;
  // The same for words that are known to be predicates.
  std::vector<Predicate> label(const ParsedSentence& parsed, const std::vector<int>& words, const std::uint8_t* sense_counts) const;

 private:
  std::vector<Predicate> finish(const ParsedSentence& parsed, const RoleFeatures& seen, const std::vector<int>& words,
                                const std::uint8_t* sense_counts) const;
  RoleModels models_;
  const std::uint8_t* single_;
  Score slack_;
};

struct RoleExample {
  ParsedSentence parsed;
  std::vector<std::uint8_t> sense_counts;
  std::vector<Predicate> gold;  // by word
};

struct RoleWeights {
  std::string predicates, senses, roles, revision;
};

struct RoleSchedule {
  int roles;
  std::size_t bytes;  // of all weights, at most
  int epochs, folds;
  std::uint64_t seed;
};

RoleWeights train_roles(const std::vector<RoleExample>& examples, const std::uint8_t* single, const RoleSchedule& schedule);

// Share of the gold arguments that are among the spans that the labeller considers: the most that it can find.
double span_recall(const std::vector<RoleExample>& examples);

}  // namespace paragauge::analysis
