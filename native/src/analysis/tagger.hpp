// Tags for words: beam search from left to right over an averaged perceptron.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/beam.hpp"
#include "analysis/words.hpp"

namespace paragauge::analysis {

constexpr int most_tags = 64;  // a set of tags is a 64-bit number

using Tags = std::vector<std::uint8_t>;

// One sentence to be tagged, as the beam wants it.
class TaggingSystem {
 public:
  struct State {
    std::int64_t score;
    int previous, step;
    std::int16_t action;
    bool gold;
    std::uint8_t last, before_last;
  };

  TaggingSystem(const Sentence& sentence, const WordTable& table) : sentence_(sentence), table_(table) {}
  int steps() const { return static_cast<int>(sentence_.words.size()); }
  State initial() const { return {0, -1, 0, 0, false, most_tags, most_tags}; }
  int kind(int) const { return 0; }
  bool single(int) const { return false; }
  void shared_features(int step, Features& out) const;
  void features(const State* arena, const State& state, int step, Features& out) const;
  int only_action(const State&, int step) const {
    const std::uint64_t set = table_.tag_set(sentence_.words[static_cast<std::size_t>(step)].facts.tags);
    const std::uint64_t tags = set & ~(1ull << 63);
    if (set == tags || (tags & (tags - 1)) != 0 || tags == 0) return -1;
    int tag = 0;
    while ((tags >> tag & 1) == 0) ++tag;
    return tag;
  }
  bool legal(const State&, int step, int action) const {
    const std::uint64_t set = table_.tag_set(sentence_.words[static_cast<std::size_t>(step)].facts.tags);
    return (set >> 63 & 1) == 0 || (set >> action & 1) != 0;  // bit 63: the word has no other tags
  }
  State apply(const State* arena, int index, int, int action) const {
    State next = arena[index];
    next.before_last = next.last;
    next.last = static_cast<std::uint8_t>(action);
    return next;
  }

 private:
  const Word& at(int position) const;

  const Sentence& sentence_;
  const WordTable& table_;
};

class Tagger {
 public:
  Tagger(const Scorer& scorer, const WordTable& table, int width)
      : table_(table), beam_({&scorer}, width) {}
  Tags tag(const Sentence& sentence);
  bool learn(const Sentence& sentence, const Tags& gold, Lesson lesson, LearningWeights& weights);

 private:
  const WordTable& table_;
  Beam<TaggingSystem> beam_;
};

}  // namespace paragauge::analysis
