// Dependencies: arc-standard transitions, beam search, averaged perceptron.
//
// Actions: 0 shifts the next word onto the stack; 1 + 2 r makes the second item of the stack depend on the first with
// relation r; 2 + 2 r the first on the second. A sentence of n words takes 2 n - 1 of them, and the item that is left is the root.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analysis_beam.hpp"
#include "analysis_tagger.hpp"

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
  int steps() const { return 2 * count_ - 1; }
  State initial() const;
  int kind(int) const { return 0; }
  void shared_features(int, Features&) const {}
  void features(const State* arena, const State& state, int step, Features& out) const;
  int only_action(const State& state, int) const { return state.below < 0 ? 0 : -1; }
  bool legal(const State& state, int, int action) const {
    return action == 0 ? state.next < count_ : state.below >= 0;
  }
  State apply(const State* arena, int index, int step, int action) const;

 private:
  const Sentence& sentence_;
  const Tags& tags_;
  int count_;
  std::vector<std::uint16_t> commas_, verbs_, conjunctions_;  // how many before each word
};

class DependencyParser {
 public:
  DependencyParser(const Scorer& scorer, const std::uint8_t* tag_kinds, int width, std::int64_t margin)
      : tag_kinds_(tag_kinds), beam_({&scorer}, width, margin) {}
  Dependencies parse(const Sentence& sentence, const Tags& tags);
  bool learn(const Sentence& sentence, const Tags& tags, const Dependencies& gold, Lesson lesson, LearningWeights& weights);

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
