// Beam search over derivations that all have the same number of steps, and learning from it.
//
// A System describes one sentence:
//   struct State { std::int64_t score; int previous, step; std::int16_t action; bool gold; ... };
//   int steps() const;                        how many actions a derivation has
//   State initial() const;
//   int kind(int step) const;                 which scorer decides the step
//   void shared_features(int step, Features&) const;  what all states of the step have in common
//   void features(const State* arena, const State& state, int step, Features&) const;  the rest
//   int only_action(const State& state, int step) const;  the only legal action, if it is easy to see; else -1
//   bool single(int step) const;              whether each state goes on with its best action alone
//   bool legal(const State& state, int step, int action) const;
//   State apply(const State* arena, int index, int step, int action) const;
// The arena holds all states; a state names others by their place in it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "analysis/weights.hpp"

namespace paragauge::analysis {

enum class Lesson {
  note,   // only count the features of the gold derivation
  learn,  // correct the weights if need be
};

struct Candidate {
  std::int64_t score;
  int state;
  int action;
};

// The best few candidates; of equal ones those that came first.
class BestFew {
 public:
  explicit BestFew(int width) : width_(static_cast<std::size_t>(width)) { items_.reserve(width_ + 1); }
  void clear() { items_.clear(); }
  void offer(std::int64_t score, int state, int action) {
    if (items_.size() == width_ && score <= items_.back().score) return;
    auto place = items_.end();
    while (place != items_.begin() && (place - 1)->score < score) --place;
    items_.insert(place, {score, state, action});
    if (items_.size() > width_) items_.pop_back();
  }
  const std::vector<Candidate>& items() const { return items_; }

 private:
  std::size_t width_;
  std::vector<Candidate> items_;
};

template <class System>
class Beam {
 public:
  using State = typename System::State;

  Beam(std::vector<const Scorer*> scorers, int width)
      : scorers_(std::move(scorers)), best_(width) {}

  // The place of the best last state in arena().
  int run(const System& system) {
    start(system);
    for (int step = 0; step < system.steps(); ++step) {
      prepared_ = false;
      advance(system, step);
    }
    return beam_.front();
  }

  // One step of learning: if the best derivation is not the gold one, weights change where the gold derivation is
  // furthest behind (maximum violation). Says whether they did.
  bool learn(const System& system, const std::vector<int>& gold, Lesson lesson,
             const std::vector<LearningWeights*>& weights) {
    if (lesson == Lesson::note) {
      note(system, gold, weights);
      return false;
    }
    start(system);
    int gold_state = 0, worst_gold = -1, worst_best = -1;
    std::int64_t worst = -1;
    for (int step = 0; step < system.steps(); ++step) {
      const int action = gold[static_cast<std::size_t>(step)];
      prepared_ = false;
      std::int64_t gold_score = arena_[static_cast<std::size_t>(gold_state)].score;
      if (system.only_action(arena_[static_cast<std::size_t>(gold_state)], step) < 0) {
        score(system, arena_[static_cast<std::size_t>(gold_state)], step);
        gold_score += scores_[action];
      }
      const int before = gold_state;
      advance(system, step);
      gold_state = -1;
      for (const int place : beam_) {  // the gold state may be in the beam
        State& state = arena_[static_cast<std::size_t>(place)];
        if (state.previous == before && state.action == action) gold_state = place;
      }
      if (gold_state < 0) gold_state = add(system, before, step, action, gold_score);
      arena_[static_cast<std::size_t>(gold_state)].gold = true;
      const State& best = arena_[static_cast<std::size_t>(beam_.front())];
      if (!best.gold && best.score - gold_score > worst) {
        worst = best.score - gold_score;
        worst_best = beam_.front();
        worst_gold = gold_state;
      }
    }
    // A derivation that was behind on the way and won in the end needs no correction.
    if (worst_gold < 0 || arena_[static_cast<std::size_t>(beam_.front())].gold) return false;
    change(system, worst_best, -1, weights);
    // The gold path is as long as the other one: go back as far as the two differ.
    int other = worst_best;
    int common = 0;
    while (!arena_[static_cast<std::size_t>(other)].gold) {
      other = arena_[static_cast<std::size_t>(other)].previous;
      ++common;
    }
    for (int place = worst_gold; common > 0; --common) {
      update(system, place, 1, weights);
      place = arena_[static_cast<std::size_t>(place)].previous;
    }
    return true;
  }

  const std::vector<State>& arena() const { return arena_; }

 private:
  // Notes the features of the gold derivation.
  void note(const System& system, const std::vector<int>& gold, const std::vector<LearningWeights*>& weights) {
    start(system);
    for (int step = 0; step < system.steps(); ++step) {
      if (system.only_action(arena_.back(), step) < 0) {
        features_.clear();
        system.shared_features(step, features_);
        system.features(arena_.data(), arena_.back(), step, features_);
        weights[static_cast<std::size_t>(system.kind(step))]->note(features_);
      }
      const int index = static_cast<int>(arena_.size()) - 1;
      add(system, index, step, gold[static_cast<std::size_t>(step)], 0);
    }
  }

  // Appends the state that an action leads to, and returns its place.
  int add(const System& system, int index, int step, int action, std::int64_t score) {
    arena_.push_back(system.apply(arena_.data(), index, step, action));
    State& state = arena_.back();
    state.previous = index;
    state.step = step + 1;
    state.score = score;
    state.action = static_cast<std::int16_t>(action);
    state.gold = false;
    return static_cast<int>(arena_.size()) - 1;
  }

  void start(const System& system) {
    arena_.clear();
    arena_.push_back(system.initial());
    arena_[0].previous = -1;
    arena_[0].step = 0;
    arena_[0].score = 0;
    arena_[0].gold = true;
    beam_.assign(1, 0);
  }

  void score(const System& system, const State& state, int step) {
    const auto kind = static_cast<std::size_t>(system.kind(step));
    const Scorer& scorer = *scorers_[kind];
    if (!prepared_) {
      prepared_ = true;
      scored_ = 0;
      std::fill(shared_, shared_ + scorer.classes(), 0);
      features_.clear();
      system.shared_features(step, features_);
      if (features_.size() > 0) scorer.add_scores(features_, shared_);
    }
    std::copy(shared_, shared_ + scorer.classes(), scores_);
    features_.clear();
    system.features(arena_.data(), state, step, features_);
    // States that differ only where no feature looks any more are frequent, and have the same scores.
    for (std::size_t k = 0; k < scored_; ++k)
      if (earlier_[k].features == features_) {
        std::copy(earlier_[k].scores, earlier_[k].scores + scorer.classes(), scores_);
        return;
      }
    scorer.add_scores(features_, scores_);
    if (scored_ == earlier_.size()) earlier_.emplace_back();
    earlier_[scored_].features = features_;
    std::copy(scores_, scores_ + scorer.classes(), earlier_[scored_].scores);
    ++scored_;
  }

  void advance(const System& system, int step) {
    best_.clear();
    const int classes = scorers_[static_cast<std::size_t>(system.kind(step))]->classes();
    const bool single = system.single(step);
    for (const int place : beam_) {
      const State& state = arena_[static_cast<std::size_t>(place)];
      if (const int only = system.only_action(state, step); only >= 0) {
        best_.offer(state.score, place, only);
        continue;
      }
      score(system, state, step);
      int best = -1;
      for (int action = 0; action < classes; ++action) {
        if (!system.legal(state, step, action)) continue;
        if (!single) best_.offer(state.score + scores_[action], place, action);
        else if (best < 0 || scores_[action] > scores_[best]) best = action;
      }
      if (single) best_.offer(state.score + scores_[best], place, best);
    }
    beam_.clear();
    for (const Candidate& candidate : best_.items())
      beam_.push_back(add(system, candidate.state, step, candidate.action, candidate.score));
  }

  void change(const System& system, int place, int amount, const std::vector<LearningWeights*>& weights) {
    for (; !arena_[static_cast<std::size_t>(place)].gold; place = arena_[static_cast<std::size_t>(place)].previous)
      update(system, place, amount, weights);
  }

  void update(const System& system, int place, int amount, const std::vector<LearningWeights*>& weights) {
    const State& state = arena_[static_cast<std::size_t>(place)];
    const int step = state.step - 1;
    if (system.only_action(arena_[static_cast<std::size_t>(state.previous)], step) >= 0) return;  // nothing was decided
    features_.clear();
    system.shared_features(step, features_);
    system.features(arena_.data(), arena_[static_cast<std::size_t>(state.previous)], step, features_);
    weights[static_cast<std::size_t>(system.kind(step))]->update(features_, state.action, amount);
  }

  std::vector<const Scorer*> scorers_;
  BestFew best_;
  std::vector<State> arena_;
  std::vector<int> beam_;
  Features features_;
  Score scores_[most_classes], shared_[most_classes];
  struct Earlier {
    Features features;
    Score scores[most_classes];
  };
  std::vector<Earlier> earlier_;  // of the step
  std::size_t scored_ = 0;        // of them
  bool prepared_ = false;
};

}  // namespace paragauge::analysis
