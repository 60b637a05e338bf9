// Dependencies: arc-standard transitions, beam search, averaged perceptron.
//
// An even step shifts the next word onto the stack (0), makes the second item of the stack depend on the first (1) or the first
// on the second (2); the odd step after an arc names its relation, and each state keeps only the best name. A sentence of n
// words takes 4 n - 2 steps, and the item that is left is the root.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analysis/beam.hpp"
#include "analysis/tagger.hpp"

namespace paragauge::analysis {

constexpr std::uint8_t root_relation = 255;

struct Dependencies {
  std::vector<std::int32_t> heads;  // -1 for the root
  std::vector<std::uint8_t> relations;  // root_relation for the root
};

class ParsingSystem {
 public:
  // The item on top of the stack, with what hangs on it; the items below are those of earlier states.
  struct State {
    std::int64_t score;
    int previous, step;
    std::int16_t action;
    bool gold;
    std::uint8_t left_label, left_label2, right_label, right_label2;  // of the outermost and the next dependents
    std::int32_t top;       // a word; -1 if the stack is empty
    std::int32_t left, left2, right, right2;
    std::int32_t below;     // the state whose top is the next item; -1 if there is none
    std::int32_t next;      // the first word that is not shifted
    std::uint64_t left_set, right_set;  // relations of the dependents, as bits
    std::uint8_t left_count, right_count;
  };

  ParsingSystem(const Sentence& sentence, const Tags& tags, const std::uint8_t* tag_kinds);
  int steps() const { return 4 * count_ - 2; }
  State initial() const;
  int kind(int step) const { return step % 2; }
  bool single(int step) const { return step % 2 == 1; }
  void shared_features(int, Features&) const {}
  void features(const State* arena, const State& state, int step, Features& out) const;
  int only_action(const State& state, int step) const {
    if (step % 2 == 1) return state.action == 0 ? 0 : -1;  // a shift needs no name
    return state.below < 0 ? 0 : -1;
  }
  bool legal(const State& state, int step, int action) const {
    return step % 2 == 1 || (action == 0 ? state.next < count_ : state.below >= 0);
  }
  State apply(const State* arena, int index, int step, int action) const;

 private:
  void structure_features(const State* arena, const State& state, Features& out) const;
  void name_features(const State* arena, const State& state, Features& out) const;
  Feature between(int first, int second) const;  // what stands between two words
  Feature word(int i) const;
  Feature tag(int i) const;

  const Sentence& sentence_;
  const Tags& tags_;
  int count_;
  std::vector<std::uint16_t> commas_, verbs_, conjunctions_;  // how many before each word
};

class DependencyParser {
 public:
  DependencyParser(const Scorer& structure, const Scorer& names, const std::uint8_t* tag_kinds, int width)
      : tag_kinds_(tag_kinds), beam_({&structure, &names}, width) {}
  Dependencies parse(const Sentence& sentence, const Tags& tags);
  bool learn(const Sentence& sentence, const Tags& tags, const Dependencies& gold, Lesson lesson,
             LearningWeights& structure, LearningWeights& names);

 private:
  const std::uint8_t* tag_kinds_;
  Beam<ParsingSystem> beam_;
};

// What the parser wants to know of a tag.
enum TagKind : std::uint8_t { other_tag = 0, comma_tag = 1, verb_tag = 2, conjunction_tag = 3 };

// Actions that build a projective tree.
std::vector<int> oracle(const Dependencies& gold);
// Moves heads up the tree until no two arcs cross.
void make_projective(Dependencies& dependencies);

}  // namespace paragauge::analysis
