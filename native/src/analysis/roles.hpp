// Who did what to whom: predicates of a sentence, their senses and their arguments, from words and dependencies.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/dependencies.hpp"

namespace paragauge::analysis {

// Which words of like translations a lemma belongs to, among few, more and many classes; 0 for none.
using WordClasses = std::array<std::uint16_t, 3>;

// From lemmas to classes. Layout: u32 count; u32 hash of each lemma, rising; u16 classes of each.
class ClassTable {
 public:
  ClassTable() = default;
  explicit ClassTable(std::string_view data);  // checks; throws std::invalid_argument; the data must outlive the table
  WordClasses find(Feature lemma) const;

  static std::string pack(std::vector<std::pair<Feature, WordClasses>> lemmas);

 private:
  std::uint32_t count_ = 0;
  const std::uint32_t* hashes_ = nullptr;
  const std::uint16_t* classes_ = nullptr;
};

// A parsed sentence as the labeller sees it.
struct ParsedSentence {
  Sentence sentence;
  std::vector<Feature> lemmas;
  std::vector<WordClasses> classes;  // of the lemmas
  Tags tags;
  Dependencies dependencies;
  const std::uint8_t* tag_uses;  // for each tag what it is, as bits
};

enum TagUse : std::uint8_t { may_be_predicate = 1, is_punctuation = 2, is_comma = 4, is_verb = 8, is_question = 16 };

struct Argument {
  std::int32_t begin, end, role;  // words [begin, end)
};

struct Predicate {
  std::int32_t word, sense;
  std::vector<Argument> arguments;
};

// What the models of the labeller are called on: whether a word is a predicate, which of its lemma's senses it has, what role a
// span plays, seen alone by two that are averaged, and how that changes beside the sentence's other arguments. Role 0 is none.
struct RoleModels {
  const Scorer& predicates;  // two classes: no, yes
  const Scorer& senses;      // most_senses classes
  const Scorer &roles, &network, &revision;
};

class RoleFeatures;
constexpr Score units_a_nat = 2000;  // scores are logarithms in these units

constexpr int most_senses = 16;

class RoleLabeller {
 public:
  // single: for each role whether a predicate may have it only once. least: the least probability of an argument, in
  // thousandths: those chosen have the largest sum of what they have above it.
  RoleLabeller(const RoleModels& models, const std::uint8_t* single, int least) : models_(models), single_(single), least_(least) {}

  // sense_counts: for each word how many senses its lemma has; 0 for an unknown lemma.
  std::vector<Predicate> label(const ParsedSentence& parsed, const std::uint8_t* sense_counts) const;
  // The same for words that are known to be predicates.
  std::vector<Predicate> label(const ParsedSentence& parsed, const std::vector<int>& words, const std::uint8_t* sense_counts) const;

 private:
  std::vector<Predicate> finish(const ParsedSentence& parsed, const RoleFeatures& seen, const std::vector<int>& words,
                                const std::uint8_t* sense_counts) const;
  RoleModels models_;
  const std::uint8_t* single_;
  int least_;
};

struct RoleExample {
  ParsedSentence parsed;
  std::vector<std::uint8_t> sense_counts;
  std::vector<Predicate> gold;  // by word
};

struct RoleWeights {
  std::string predicates, senses, roles, network, revision;
};

struct RoleSchedule {
  int roles;
  std::size_t bytes, network_bytes;  // of all linear weights, and of the network, at most
  int networks, units, least_notes;  // units of each network
  int least;  // probability of an argument, in thousandths
  int epochs, folds;
  std::uint64_t seed;
};

RoleWeights train_roles(const std::vector<RoleExample>& examples, const std::uint8_t* single, const RoleSchedule& schedule);

// Share of the gold arguments that are among the spans that the labeller considers: the most that it can find.
double span_recall(const std::vector<RoleExample>& examples);

}  // namespace paragauge::analysis
