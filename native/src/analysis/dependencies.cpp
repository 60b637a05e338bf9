#include "analysis/dependencies.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace paragauge::analysis {

namespace {

constexpr std::uint8_t no_label = 255;
constexpr Feature no_word = 3, no_tag = 250;

std::uint64_t distance_of(int near, int far) {
  const int distance = far - near;
  return static_cast<std::uint64_t>(distance <= 5 ? distance : distance <= 10 ? 6 : distance <= 20 ? 7 : 8);
}

}  // namespace

ParsingSystem::ParsingSystem(const Sentence& sentence, const Tags& tags, const std::uint8_t* tag_kinds)
    : sentence_(sentence), tags_(tags), count_(static_cast<int>(tags.size())) {
  std::uint16_t commas = 0, verbs = 0, conjunctions = 0;
  for (const std::uint8_t tag : tags) {
    commas_.push_back(commas);
    verbs_.push_back(verbs);
    conjunctions_.push_back(conjunctions);
    commas = static_cast<std::uint16_t>(commas + (tag_kinds[tag] == comma_tag));
    verbs = static_cast<std::uint16_t>(verbs + (tag_kinds[tag] == verb_tag));
    conjunctions = static_cast<std::uint16_t>(conjunctions + (tag_kinds[tag] == conjunction_tag));
  }
  commas_.push_back(commas);
  verbs_.push_back(verbs);
  conjunctions_.push_back(conjunctions);
}

ParsingSystem::State ParsingSystem::initial() const {
  State state{};
  state.top = state.left = state.left2 = state.right = state.right2 = state.below = -1;
  state.left_label = state.left_label2 = state.right_label = state.right_label2 = no_label;
  return state;
}

ParsingSystem::State ParsingSystem::apply(const State* arena, int index, int step, int action) const {
  const State& state = arena[index];
  if (step % 2 == 1) {
    State next = state;
    const std::uint64_t bit = 1ull << (action & 63);
    if (state.action == 1) {
      next.left_label = static_cast<std::uint8_t>(action);
      next.left_set |= bit;
    } else if (state.action == 2) {
      next.right_label = static_cast<std::uint8_t>(action);
      next.right_set |= bit;
    }
    return next;
  }
  if (action == 0) {
    State next = initial();
    next.top = state.next;
    next.next = state.next + 1;
    next.below = state.top < 0 ? -1 : index;
    return next;
  }
  const State& second = arena[state.below];
  if (action == 1) {
    State next = state;
    next.below = second.below;
    next.left2 = state.left;
    next.left_label2 = state.left_label;
    next.left = second.top;
    next.left_count = static_cast<std::uint8_t>(std::min(state.left_count + 1, 200));
    return next;
  }
  State next = second;
  next.next = state.next;
  next.right2 = second.right;
  next.right_label2 = second.right_label;
  next.right = state.top;
  next.right_count = static_cast<std::uint8_t>(std::min(second.right_count + 1, 200));
  return next;
}

Feature ParsingSystem::word(int i) const {
  return i >= 0 && i < count_ ? sentence_.words[static_cast<std::size_t>(i)].lower : no_word;
}

Feature ParsingSystem::tag(int i) const { return i >= 0 && i < count_ ? tags_[static_cast<std::size_t>(i)] : no_tag; }

Feature ParsingSystem::between(int first, int second) const {
  const auto has = [&](const std::vector<std::uint16_t>& counts) -> Feature {
    return counts[static_cast<std::size_t>(second)] > counts[static_cast<std::size_t>(first) + 1];
  };
  return has(commas_) + 2 * has(verbs_) + 4 * has(conjunctions_);
}

void ParsingSystem::features(const State* arena, const State& state, int step, Features& out) const {
  if (step % 2 == 0) structure_features(arena, state, out);
  else name_features(arena, state, out);
}

// The arc was made just now: from the top of the stack to its outermost dependent on one side.
void ParsingSystem::name_features(const State* arena, const State& state, Features& out) const {
  const bool left = state.action == 1;
  const State& before = arena[state.previous];
  const State& child = left ? arena[before.below] : before;
  const int h = state.top, c = child.top;
  const Feature side = left, wh = word(h), th = tag(h), wc = word(c), tc = tag(c);
  const Feature d = distance_of(std::min(h, c), std::max(h, c)), gap = between(std::min(h, c), std::max(h, c));
  const Feature hl = state.left_set, hr = state.right_set, cl = child.left_set, cr = child.right_set;
  const Feature wcl = word(child.left), wcr = word(child.right), tcl = tag(child.left), tcr = tag(child.right);
  const Feature tb = tag(state.next), wb = word(state.next);
  const Feature last = word(count_ - 1);
  const auto& shape = sentence_.words[static_cast<std::size_t>(c)];
  int n = 0;
  out.add(n++, side, th, tc); out.add(n++, side, wh, tc); out.add(n++, side, th, wc); out.add(n++, side, wh, wc);
  out.add(n++, side, wc, tc); out.add(n++, side, wh, th); out.add(n++, side, wc); out.add(n++, side, tc);
  out.add(n++, side, th, tc, d); out.add(n++, side, wc, d); out.add(n++, side, th, tc, gap); out.add(n++, side, wc, th, gap);
  out.add(n++, side, th, tc, hl); out.add(n++, side, th, tc, hr); out.add(n++, side, th, tc, cl); out.add(n++, side, th, tc, cr);
  out.add(n++, side, wh, tc, hl); out.add(n++, side, wh, tc, hr); out.add(n++, side, wc, cl); out.add(n++, side, wc, cr);
  out.add(n++, side, tc, hl, cl); out.add(n++, side, tc, hr, cl); out.add(n++, side, th, tc, hl, hr); out.add(n++, side, th, tc, cl, cr);
  out.add(n++, side, tc, wcl); out.add(n++, side, tc, wcr); out.add(n++, side, th, tc, wcl); out.add(n++, side, wh, wcl, tc);
  out.add(n++, side, tc, tcl, tcr); out.add(n++, side, th, tc, tcl); out.add(n++, side, wc, wcl); out.add(n++, side, th, tc, tb);
  out.add(n++, side, th, tc, tag(c - 1), tag(c + 1)); out.add(n++, side, th, tc, tag(h - 1), tag(h + 1));
  out.add(n++, side, tc, word(c - 1)); out.add(n++, side, tc, word(c + 1)); out.add(n++, side, tc, wb, th);
  out.add(n++, side, th, tc, last); out.add(n++, side, tc, shape.suffix[2]); out.add(n++, side, tc, th, shape.shape);
  out.add(n++, side, th, tc, left ? state.left_label2 : state.right_label2);
  out.add(n++, side, wc, left ? state.left_label2 : state.right_label2);
  out.add(n++, side, tc, hl); out.add(n++, side, tc, hr); out.add(n++, side, cl); out.add(n++, side, th, gap);
  out.add(n++, side); out.add(n++, side, th); out.add(n++, side, wh); out.add(n++, side, d);
}

void ParsingSystem::structure_features(const State* arena, const State& state, Features& out) const {
  const State* s0 = &state;
  const State* s1 = s0->below >= 0 ? arena + s0->below : nullptr;
  const State* s2 = s1 != nullptr && s1->below >= 0 ? arena + s1->below : nullptr;
  const int i0 = s0->top, i1 = s1 != nullptr ? s1->top : -1, i2 = s2 != nullptr ? s2->top : -1, b = s0->next;

  const Feature w0 = word(i0), w1 = word(i1), w2 = word(i2), t0 = tag(i0), t1 = tag(i1), t2 = tag(i2);
  const Feature wb = word(b), wb1 = word(b + 1), tb = tag(b), tb1 = tag(b + 1), tb2 = tag(b + 2);
  const Feature l0 = s0->left_label, r0 = s0->right_label;
  const Feature l1 = s1 != nullptr ? s1->left_label : no_label, r1 = s1 != nullptr ? s1->right_label : no_label;
  const Feature tl0 = tag(s0->left), tr0 = tag(s0->right);
  const Feature tl1 = s1 != nullptr ? tag(s1->left) : no_tag, tr1 = s1 != nullptr ? tag(s1->right) : no_tag;
  const Feature wl0 = word(s0->left), wr0 = word(s0->right);
  const Feature wl1 = s1 != nullptr ? word(s1->left) : no_word, wr1 = s1 != nullptr ? word(s1->right) : no_word;
  const Feature sl0 = s0->left_set, sr0 = s0->right_set;
  const Feature sl1 = s1 != nullptr ? s1->left_set : 0, sr1 = s1 != nullptr ? s1->right_set : 0;
  const Feature d = s1 != nullptr ? distance_of(i1, i0) : 15;
  const Feature gap = s1 != nullptr ? between(i1, i0) : 0;
  const Feature v0l = s0->left_count, v0r = s0->right_count;
  const Feature v1l = s1 != nullptr ? s1->left_count : 0, v1r = s1 != nullptr ? s1->right_count : 0;

  int n = 0;
  // one word
  out.add(n++, w0, t0); out.add(n++, w0); out.add(n++, t0);
  out.add(n++, w1, t1); out.add(n++, w1); out.add(n++, t1);
  out.add(n++, wb, tb); out.add(n++, wb); out.add(n++, tb);
  out.add(n++, wb1, tb1); out.add(n++, tb1); out.add(n++, tb, tb1, tb2);
  out.add(n++, w2, t2); out.add(n++, t2);
  // two words
  out.add(n++, w0, w1); out.add(n++, w0, t0, t1); out.add(n++, t0, w1, t1); out.add(n++, t0, t1);
  out.add(n++, w0, t0, w1, t1); out.add(n++, w0, t1); out.add(n++, t0, w1);
  out.add(n++, w0, tb); out.add(n++, t0, wb); out.add(n++, t0, tb); out.add(n++, w0, wb);
  out.add(n++, t1, tb); out.add(n++, w1, tb); out.add(n++, t1, wb); out.add(n++, w1, wb);
  // three tags
  out.add(n++, t0, t1, tb); out.add(n++, t0, t1, t2); out.add(n++, t0, tb, tb1); out.add(n++, t0, t1, tb, tb1);
  out.add(n++, w0, t1, tb); out.add(n++, t0, w1, tb); out.add(n++, t0, t1, wb);
  out.add(n++, t1, t0, w2); out.add(n++, t2, t1, t0, tb);
  // dependents
  out.add(n++, t0, t1, tl0); out.add(n++, t0, t1, tr0); out.add(n++, t0, t1, tl1); out.add(n++, t0, t1, tr1);
  out.add(n++, t0, t1, l0); out.add(n++, t0, t1, r0); out.add(n++, t0, t1, l1); out.add(n++, t0, t1, r1);
  out.add(n++, t0, t1, wl0); out.add(n++, t0, t1, wr0); out.add(n++, t0, t1, wl1); out.add(n++, t0, t1, wr1);
  out.add(n++, w0, wl0, t1); out.add(n++, w1, wr1, t0); out.add(n++, w1, wr0, t0); out.add(n++, w1, wl0, t0);
  out.add(n++, t0, tl0, l0, tag(s0->left2), s0->left_label2);
  out.add(n++, t0, tr0, r0, tag(s0->right2), s0->right_label2);
  if (s1 != nullptr) {
    out.add(n, t1, tr1, r1, tag(s1->right2), s1->right_label2);
    out.add(n + 1, t1, tl1, l1, tag(s1->left2), s1->left_label2);
  }
  n += 2;
  // sets of relations, numbers of dependents
  out.add(n++, t0, sl0); out.add(n++, w0, sl0); out.add(n++, t0, sr0); out.add(n++, w0, sr0);
  out.add(n++, t1, sl1); out.add(n++, w1, sl1); out.add(n++, t1, sr1); out.add(n++, w1, sr1);
  out.add(n++, d); out.add(n++, v1r); out.add(n++, t0, sr1); out.add(n++, t1, sl0); out.add(n++, t0, t1, sl0, sr1); out.add(n++, t0, t1, sl1, sr1); out.add(n++, t0, t1, sl0, sl1);
  out.add(n++, t0, v0l, v0r, tb); out.add(n++, t1, v1l, v1r, t0); out.add(n++, w1, v1r, t0); out.add(n++, w0, v0l, t1);
  // distance and what lies between
  out.add(n++, t0, t1, d); out.add(n++, w0, t1, d); out.add(n++, t0, w1, d); out.add(n++, w0, w1, d);
  out.add(n++, t0, t1, gap); out.add(n++, w0, t1, gap); out.add(n++, t0, w1, gap); out.add(n++, t0, t1, tb, gap);
  // the words around the two
  out.add(n++, t0, t1, tag(i0 - 1), tag(i1 + 1)); out.add(n++, t0, t1, tag(i0 - 1), tag(i1 - 1));
  out.add(n++, t0, t1, tag(i0 + 1), tag(i1 + 1)); out.add(n++, t0, t1, tag(i0 + 1), tag(i1 - 1));
  out.add(n++, word(i1 + 1), t0, t1); out.add(n++, word(i0 - 1), t0, t1);
}

Dependencies DependencyParser::parse(const Sentence& sentence, const Tags& tags) {
  Dependencies found;
  const std::size_t count = sentence.words.size();
  found.heads.assign(count, -1);
  found.relations.assign(count, root_relation);
  if (count == 0) return found;
  const ParsingSystem system(sentence, tags, tag_kinds_);
  const auto& arena = beam_.arena();
  const auto* state = &arena[static_cast<std::size_t>(beam_.run(system))];
  while (state->previous >= 0) {  // an odd step and the even one before it
    const auto& arc = arena[static_cast<std::size_t>(state->previous)];
    if (arc.action != 0) {
      const auto child = static_cast<std::size_t>(arc.action == 1 ? state->left : state->right);
      found.heads[child] = state->top;
      found.relations[child] = static_cast<std::uint8_t>(state->action);
    }
    state = &arena[static_cast<std::size_t>(arc.previous)];
  }
  return found;
}

bool DependencyParser::learn(const Sentence& sentence, const Tags& tags, const Dependencies& gold,
                             Lesson lesson, LearningWeights& structure, LearningWeights& names) {
  if (sentence.words.empty()) return false;
  const ParsingSystem system(sentence, tags, tag_kinds_);
  return beam_.learn(system, oracle(gold), lesson, {&structure, &names});
}

std::vector<int> oracle(const Dependencies& gold) {
  const int count = static_cast<int>(gold.heads.size());
  std::vector<int> missing(gold.heads.size(), 0);  // dependents that are not attached yet
  for (const int head : gold.heads)
    if (head >= 0) ++missing[static_cast<std::size_t>(head)];
  std::vector<int> actions, stack;
  int next = 0;
  while (next < count || stack.size() > 1) {
    if (stack.size() >= 2) {
      const auto first = static_cast<std::size_t>(stack.back()), second = static_cast<std::size_t>(stack[stack.size() - 2]);
      if (gold.heads[second] == stack.back() && missing[second] == 0) {
        actions.insert(actions.end(), {1, gold.relations[second]});
        --missing[first];
        stack.erase(stack.end() - 2);
        continue;
      }
      if (gold.heads[first] == static_cast<int>(second) && missing[first] == 0) {
        actions.insert(actions.end(), {2, gold.relations[first]});
        --missing[second];
        stack.pop_back();
        continue;
      }
    }
    if (next == count) throw std::invalid_argument("a tree is not projective, or has several roots");
    actions.insert(actions.end(), {0, 0});
    stack.push_back(next++);
  }
  return actions;
}

void make_projective(Dependencies& dependencies) {
  auto& heads = dependencies.heads;
  const int count = static_cast<int>(heads.size());
  const auto under = [&](int word, int above) {
    for (int steps = 0; word >= 0 && steps <= count; ++steps) {
      if (word == above) return true;
      word = heads[static_cast<std::size_t>(word)];
    }
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    int best = -1, shortest = count + 1;
    for (int child = 0; child < count; ++child) {
      const int head = heads[static_cast<std::size_t>(child)];
      if (head < 0) continue;
      for (int inner = std::min(child, head) + 1; inner < std::max(child, head); ++inner)
        if (!under(inner, head)) {
          if (std::abs(child - head) < shortest) {
            shortest = std::abs(child - head);
            best = child;
          }
          break;
        }
    }
    if (best >= 0) {
      int& head = heads[static_cast<std::size_t>(best)];
      head = heads[static_cast<std::size_t>(head)];
      changed = head >= 0;
      if (!changed) throw std::invalid_argument("a tree has no root");
    }
  }
}

}  // namespace paragauge::analysis
