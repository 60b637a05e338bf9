// Constituents: spans that grow from left to right, structure and label decided in turns (after Cross and Huang, 2016), by
// beam search over an averaged perceptron that also sees the tags and dependencies found before.
//
// An even step shifts the next word (0) or joins the two topmost spans (1); the odd step after it labels the span on top, with 0 if
// it is no constituent. A label may stand for several nodes over the same words. A sentence of n words takes 4 n - 2 steps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/beam.hpp"
#include "analysis/dependencies.hpp"

namespace paragauge::analysis {

struct LabelledSpan {
  std::int32_t begin, end, label;
};

class SpanSystem {
 public:
  struct State {
    std::int64_t score;
    int previous, step;
    std::int16_t action;
    bool gold;
    std::uint8_t label;                    // of the span on top; 0 for none
    std::uint8_t first_label, last_label;  // of its outermost parts
    std::uint8_t parts;
    std::int32_t begin, end, split;        // the top of the stack
    std::int32_t head;                     // the word in it on which the others depend
    std::int32_t below;                    // the state whose top is the next item; -1 if there is none
    bool empty;
  };

  SpanSystem(const Sentence& sentence, const Tags& tags, const Dependencies& dependencies);
  int steps() const { return 4 * count_ - 2; }
  State initial() const;
  int kind(int step) const { return step % 2; }
  bool single(int) const { return false; }
  void shared_features(int, Features&) const {}
  void features(const State* arena, const State& state, int step, Features& out) const;
  int only_action(const State& state, int step) const {
    if (step % 2 == 1) return -1;
    if (state.empty || state.below < 0) return 0;
    return state.end == count_ ? 1 : -1;
  }
  bool legal(const State& state, int step, int action) const {
    if (step % 2 == 1) return true;
    return action == 0 ? (state.empty ? 0 : state.end) < count_ : !state.empty && state.below >= 0;
  }
  State apply(const State* arena, int index, int step, int action) const;

 private:
  int joint_head(const State& left, const State& right) const;
  void structure_features(const State* arena, const State& state, Features& out) const;
  void label_features(const State* arena, const State& state, Features& out) const;

  const Sentence& sentence_;
  const Tags& tags_;
  const Dependencies& dependencies_;
  int count_;
  std::vector<std::int32_t> depth_, leftmost_, rightmost_;  // in the dependency tree
};

class ConstituentParser {
 public:
  ConstituentParser(const Scorer& structure, const Scorer& labels, int width)
      : beam_({&structure, &labels}, width) {}
  // The spans with a label, parents before children.
  std::vector<LabelledSpan> parse(const Sentence& sentence, const Tags& tags, const Dependencies& dependencies);
  bool learn(const Sentence& sentence, const Tags& tags, const Dependencies& dependencies,
             const std::vector<LabelledSpan>& gold, Lesson lesson, LearningWeights& structure, LearningWeights& labels);

 private:
  Beam<SpanSystem> beam_;
};

std::vector<int> oracle(int count, const std::vector<LabelledSpan>& gold);

}  // namespace paragauge::analysis
