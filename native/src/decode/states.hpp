// What the language model still has to know of a hypothesis: its first words, whose probabilities depend on what will
// stand before them, and the state after its last word. Both are as short as the model allows, so that hypotheses
// that no continuation can tell apart are equal.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/hashing.hpp"
#include "lm/model.hpp"

namespace paragauge {

// States of hypotheses one after another, each with room for order - 1 words.
class StateArena {
 public:
  void reset(int order) {
    width_ = static_cast<std::size_t>(order - 1);
    heads_.clear();
    left_.clear();
    nodes_.clear();
    backoffs_.clear();
  }

  struct Head {
    double left_score = 0;  // log10 p of the first words, without what will stand before them
    std::int16_t left = 0, right = 0;
    bool closed = false;  // what follows the first words does not depend on what stands before them
  };

  const Head& head(std::int32_t state) const { return heads_[static_cast<std::size_t>(state)]; }
  const lm::Word* left(std::int32_t state) const { return left_.data() + static_cast<std::size_t>(state) * width_; }

  void load_right(std::int32_t state, lm::State& out) const {
    const auto at = static_cast<std::size_t>(state) * width_;
    out.length = head(state).right;
    for (int k = 0; k < out.length; ++k) {
      out.node[static_cast<std::size_t>(k)] = nodes_[at + static_cast<std::size_t>(k)];
      out.log10_backoff[static_cast<std::size_t>(k)] = backoffs_[at + static_cast<std::size_t>(k)];
    }
  }

  std::int32_t add(const std::vector<lm::Word>& left, double left_score, bool closed, const lm::State& right) {
    const std::size_t at = heads_.size() * width_;
    heads_.push_back({left_score, static_cast<std::int16_t>(left.size()), static_cast<std::int16_t>(right.length), closed});
    left_.resize(at + width_, 0);
    nodes_.resize(at + width_, 0);
    backoffs_.resize(at + width_, 0);
    std::copy(left.begin(), left.end(), left_.begin() + static_cast<std::ptrdiff_t>(at));
    for (std::size_t k = 0; k < static_cast<std::size_t>(right.length); ++k) {
      nodes_[at + k] = right.node[k];
      backoffs_[at + k] = right.log10_backoff[k];
    }
    return static_cast<std::int32_t>(heads_.size()) - 1;
  }

  void drop_last() {
    heads_.pop_back();
    left_.resize(heads_.size() * width_);
    nodes_.resize(heads_.size() * width_);
    backoffs_.resize(heads_.size() * width_);
  }

  std::uint64_t hash(std::int32_t state) const {
    const Head& one = head(state);
    const auto at = static_cast<std::size_t>(state) * width_;
    std::uint64_t value = mix((static_cast<std::uint64_t>(one.left) << 20) ^ (static_cast<std::uint64_t>(one.right) << 2) ^ one.closed);
    for (std::size_t k = 0; k < static_cast<std::size_t>(one.left); ++k) value = mix(value ^ static_cast<std::uint32_t>(left_[at + k]));
    for (std::size_t k = 0; k < static_cast<std::size_t>(one.right); ++k) value = mix(value + nodes_[at + k]);
    return value;
  }

  bool equal(std::int32_t a, std::int32_t b) const {
    const Head &one = head(a), &other = head(b);
    if (one.left != other.left || one.right != other.right || one.closed != other.closed) return false;
    const auto i = static_cast<std::size_t>(a) * width_, j = static_cast<std::size_t>(b) * width_;
    return std::equal(left_.data() + i, left_.data() + i + one.left, left_.data() + j) &&
           std::equal(nodes_.data() + i, nodes_.data() + i + one.right, nodes_.data() + j);
  }

  std::size_t bytes() const { return heads_.size() * (sizeof(Head) + 12 * width_); }

 private:
  std::size_t width_ = 0;
  std::vector<Head> heads_;
  std::vector<lm::Word> left_;
  std::vector<lm::Node> nodes_;
  std::vector<float> backoffs_;
};

// Puts words and hypotheses together from left to right.
class StateBuilder {
 public:
  StateBuilder(const lm::Model* model, const StateArena& arena)
      : model_(model), arena_(arena), most_(model == nullptr ? 0 : static_cast<std::size_t>(model->order() - 1)) {}

  void begin() {
    score_ = 0;
    left_score_ = 0;
    left_.clear();
    closed_ = most_ == 0;
    empty_ = true;
    states_[current_].length = 0;
  }

  // Nothing can come before: only the state after the last word counts.
  void begin_after(const lm::State& state) {
    begin();
    closed_ = true;
    empty_ = false;
    copy(state, states_[current_]);
  }
  void begin_after(std::int32_t state) {
    begin();
    closed_ = true;
    empty_ = false;
    arena_.load_right(state, states_[current_]);
  }

  void word(lm::Word word) {
    if (model_ == nullptr) return;
    const double log10_p = advance(word);
    score_ += log10_p;
    note(word, log10_p);
    empty_ = false;
  }

  void hypothesis(std::int32_t state) {
    if (model_ == nullptr) return;
    const StateArena::Head head = arena_.head(state);
    const lm::Word* left = arena_.left(state);
    if (empty_) {
      left_.assign(left, left + head.left);
      left_score_ = head.left_score;
      closed_ = head.closed;
      arena_.load_right(state, states_[current_]);
      empty_ = false;
      return;
    }
    double real = 0;
    for (int k = 0; k < head.left; ++k) {
      const double log10_p = advance(left[k]);
      real += log10_p;
      note(left[k], log10_p);
    }
    score_ += real - head.left_score;
    if (head.closed) {
      arena_.load_right(state, states_[current_]);
      closed_ = true;
    }
  }

  double end() {  // of the sentence
    if (model_ != nullptr) score_ += advance(lm::sentence_end);
    return score_;
  }

  double score() const { return score_; }  // log10 p, beyond what the hypotheses had

  std::int32_t save(StateArena& arena) const { return arena.add(left_, left_score_, closed_, states_[current_]); }

 private:
  static void copy(const lm::State& from, lm::State& to) {
    to.length = from.length;
    std::copy_n(from.node.begin(), from.length, to.node.begin());
    std::copy_n(from.log10_backoff.begin(), from.length, to.log10_backoff.begin());
  }

  double advance(lm::Word word) {
    int found = 0;
    const double log10_p = model_->advance(states_[current_], word, states_[1 - current_], found);
    current_ = 1 - current_;
    return log10_p;
  }

  // A word whose context may still grow. Once the model has forgotten the first word, or can hold no more, what comes
  // later does not depend on what stands before.
  void note(lm::Word word, double log10_p) {
    if (closed_) return;
    left_.push_back(word);
    left_score_ += log10_p;
    closed_ = static_cast<std::size_t>(states_[current_].length) < left_.size() || left_.size() >= most_;
  }

  const lm::Model* model_;
  const StateArena& arena_;
  std::size_t most_;
  lm::State states_[2];
  int current_ = 0;
  double score_ = 0, left_score_ = 0;
  std::vector<lm::Word> left_;
  bool closed_ = false, empty_ = true;
};

}  // namespace paragauge
