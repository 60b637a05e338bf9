#include "analysis/constituents.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace paragauge::analysis {

namespace {

constexpr Feature no_word = 3, no_tag = 250, no_label = 251;

Feature bucket(int length) {
  return static_cast<Feature>(length <= 6 ? length : length <= 10 ? 7 : length <= 20 ? 8 : length <= 40 ? 9 : 10);
}

}  // namespace

SpanSystem::SpanSystem(const Sentence& sentence, const Tags& tags, const Dependencies& dependencies)
    : sentence_(sentence), tags_(tags), dependencies_(dependencies), count_(static_cast<int>(tags.size())) {
  const auto count = static_cast<std::size_t>(count_);
  depth_.assign(count, -1);
  leftmost_.resize(count);
  rightmost_.resize(count);
  for (int i = 0; i < count_; ++i) leftmost_[static_cast<std::size_t>(i)] = rightmost_[static_cast<std::size_t>(i)] = i;
  std::vector<std::int32_t> path;
  for (int i = 0; i < count_; ++i) {
    int word = i;
    path.clear();
    while (word >= 0 && depth_[static_cast<std::size_t>(word)] < 0) {
      path.push_back(word);
      word = dependencies.heads[static_cast<std::size_t>(word)];
    }
    int depth = word < 0 ? -1 : depth_[static_cast<std::size_t>(word)];
    while (!path.empty()) {
      depth_[static_cast<std::size_t>(path.back())] = ++depth;
      path.pop_back();
    }
  }
  std::vector<std::int32_t> order(count);  // the deepest first, so that dependents are done before their heads
  for (int i = 0; i < count_; ++i) order[static_cast<std::size_t>(i)] = i;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return depth_[static_cast<std::size_t>(a)] > depth_[static_cast<std::size_t>(b)];
  });
  for (const int word : order) {
    const int head = dependencies.heads[static_cast<std::size_t>(word)];
    if (head < 0) continue;
    auto &left = leftmost_[static_cast<std::size_t>(head)], &right = rightmost_[static_cast<std::size_t>(head)];
    left = std::min(left, leftmost_[static_cast<std::size_t>(word)]);
    right = std::max(right, rightmost_[static_cast<std::size_t>(word)]);
  }
}

SpanSystem::State SpanSystem::initial() const {
  State state{};
  state.empty = true;
  state.below = state.head = -1;
  return state;
}

int SpanSystem::joint_head(const State& left, const State& right) const {
  const int of_left = dependencies_.heads[static_cast<std::size_t>(left.head)];
  const int of_right = dependencies_.heads[static_cast<std::size_t>(right.head)];
  if (of_right >= left.begin && of_right < left.end) return left.head;
  if (of_left >= right.begin && of_left < right.end) return right.head;
  return depth_[static_cast<std::size_t>(left.head)] <= depth_[static_cast<std::size_t>(right.head)] ? left.head : right.head;
}

SpanSystem::State SpanSystem::apply(const State* arena, int index, int step, int action) const {
  State next = arena[index];
  if (step % 2 == 1) {
    next.label = static_cast<std::uint8_t>(action);
    return next;
  }
  if (action == 0) {
    const int word = next.empty ? 0 : next.end;
    next.below = next.empty ? -1 : index;
    next.empty = false;
    next.begin = next.head = word;
    next.split = next.end = word + 1;
    next.label = next.first_label = next.last_label = 0;
    next.parts = 1;
    return next;
  }
  const State& right = arena[index];
  const State& left = arena[right.below];
  // A span without a label is a part of something larger: its own parts count.
  const bool open_left = left.label == 0 && left.end - left.begin > 1;
  const bool open_right = right.label == 0 && right.end - right.begin > 1;
  next.begin = left.begin;
  next.split = right.begin;
  next.head = joint_head(left, right);
  next.below = left.below;
  next.label = 0;
  next.first_label = open_left ? left.first_label : left.label;
  next.last_label = open_right ? right.last_label : right.label;
  next.parts = static_cast<std::uint8_t>(std::min(20, (open_left ? left.parts : 1) + (open_right ? right.parts : 1)));
  return next;
}

void SpanSystem::features(const State* arena, const State& state, int step, Features& out) const {
  if (step % 2 == 0) structure_features(arena, state, out);
  else label_features(arena, state, out);
}

void SpanSystem::structure_features(const State* arena, const State& state, Features& out) const {
  const auto inside = [&](int i) { return i >= 0 && i < count_; };
  const auto word = [&](int i) { return inside(i) ? sentence_.words[static_cast<std::size_t>(i)].lower : no_word; };
  const auto tag = [&](int i) -> Feature { return inside(i) ? tags_[static_cast<std::size_t>(i)] : no_tag; };
  const auto relation = [&](int i) -> Feature { return inside(i) ? dependencies_.relations[static_cast<std::size_t>(i)] : no_label; };
  const auto head_of = [&](int i) { return inside(i) ? dependencies_.heads[static_cast<std::size_t>(i)] : -2; };
  // A single word without a label is its tag; a larger span without one is known by its parts.
  const auto name = [&](const State* s) -> Feature {
    if (s == nullptr) return no_label;
    if (s->label != 0) return s->label;
    return s->end - s->begin == 1 ? 300 + tag(s->begin) : 600u + s->first_label;
  };
  const State* s0 = state.empty ? nullptr : &state;
  const State* s1 = s0 != nullptr && s0->below >= 0 ? arena + s0->below : nullptr;
  const State* s2 = s1 != nullptr && s1->below >= 0 ? arena + s1->below : nullptr;
  const int b = s0 != nullptr ? s0->end : 0;
  const int h0 = s0 != nullptr ? s0->head : -1, h1 = s1 != nullptr ? s1->head : -1, h2 = s2 != nullptr ? s2->head : -1;
  const Feature n0 = name(s0), n1 = name(s1), n2 = name(s2);
  const Feature t0 = tag(h0), t1 = tag(h1), t2 = tag(h2), w0 = word(h0), w1 = word(h1);
  const Feature tb = tag(b), tb1 = tag(b + 1), tb2 = tag(b + 2), wb = word(b);
  const int f0 = s0 != nullptr ? s0->begin : -1, f1 = s1 != nullptr ? s1->begin : -1;
  const Feature tf0 = tag(f0), tf1 = tag(f1), wf0 = word(f0), wf1 = word(f1);
  const Feature tl0 = tag(b - 1), tl1 = f0 > 0 ? tag(f0 - 1) : no_tag, wl0 = word(b - 1), wl1 = f0 > 0 ? word(f0 - 1) : no_word;
  const Feature len0 = s0 != nullptr ? bucket(s0->end - s0->begin) : 15, len1 = s1 != nullptr ? bucket(s1->end - s1->begin) : 15;
  const Feature r0 = relation(h0), r1 = relation(h1);
  // How the heads hang together, and whether their dependents are all inside.
  const int a0 = head_of(h0), a1 = head_of(h1);
  const auto place = [&](int head) -> Feature {  // where a head is
    if (head < 0) return 0;
    if (head >= b) return head == b ? 1 : 2;
    if (s0 != nullptr && head >= s0->begin) return 3;
    if (s1 != nullptr && head >= s1->begin) return head == h1 ? 4 : 5;
    if (s2 != nullptr && head >= s2->begin) return head == h2 ? 6 : 7;
    return 8;
  };
  const Feature arc0 = place(a0), arc1 = place(a1), arcb = place(head_of(b));
  const Feature more0 = h0 >= 0 ? Feature(rightmost_[static_cast<std::size_t>(h0)] >= b) : 2;
  const Feature more1 = h1 >= 0 ? Feature(rightmost_[static_cast<std::size_t>(h1)] >= b) : 2;
  const Feature left0 = h0 >= 0 ? Feature(leftmost_[static_cast<std::size_t>(h0)] < f0) : 2;
  const Feature left1 = h1 >= 0 ? Feature(leftmost_[static_cast<std::size_t>(h1)] < f1) : 2;
  const Feature arcs = arc0 * 9 + arc1, more = more0 + 3 * more1 + 9 * left0 + 27 * left1;
  const Feature parts1 = s1 != nullptr ? std::min<int>(s1->parts, 4) : 0;

  int n = 0;
  out.add(n++, n0, n1); out.add(n++, n0, n1, n2); out.add(n++, n0, n1, tb); out.add(n++, n0, tb); out.add(n++, n0, tb, tb1);
  out.add(n++, n1, tb); out.add(n++, n0, n1, tb, tb1); out.add(n++, n0, wb); out.add(n++, n1, n0, wb);
  out.add(n++, n0, w0); out.add(n++, n1, w1); out.add(n++, n0, w0, n1); out.add(n++, n1, w1, n0); out.add(n++, n0, w0, n1, w1);
  out.add(n++, n0, t0, n1, t1); out.add(n++, n0, t0); out.add(n++, n1, t1); out.add(n++, n0, t0, tb); out.add(n++, n1, t1, tb);
  out.add(n++, n0, t0, n1, t1, tb); out.add(n++, n0, n1, n2, tb); out.add(n++, t2, n1, n0);
  out.add(n++, tb, tb1, tb2); out.add(n++, n0, tb, tb1, tb2);
  out.add(n++, n0, n1, len0, len1); out.add(n++, n0, len0, tb); out.add(n++, n1, len1, n0);
  out.add(n++, n0, tf0, n1, tf1); out.add(n++, n0, wf0, n1); out.add(n++, n1, wf1, n0); out.add(n++, n0, tl0, tb);
  out.add(n++, n0, wl0, tb); out.add(n++, n1, tl1, n0, tf0); out.add(n++, n1, wl1, n0, tf0); out.add(n++, n1, n0, wf0, tb);
  out.add(n++, n1, tl1, tf0, wf0);
  // dependencies
  out.add(n++, arcs); out.add(n++, arcs, more); out.add(n++, arcs, arcb); out.add(n++, n0, n1, arcs); out.add(n++, n0, n1, arcs, more);
  out.add(n++, n0, n1, more); out.add(n++, r0, r1, arcs); out.add(n++, r0, arcs, tb); out.add(n++, n0, r0, n1, arcs);
  out.add(n++, r1, n1, n0, arcs); out.add(n++, r0, n0, more); out.add(n++, r1, n1, more); out.add(n++, n0, n1, arcb, arcs);
  out.add(n++, n0, relation(b), arcb, tb); out.add(n++, n1, n0, relation(b), arcb); out.add(n++, r0, r1, relation(b), arcs, arcb);
  out.add(n++, arcs, more, r0, t0); out.add(n++, arcs, more, r1, t1); out.add(n++, t0, t1, arcs, more); out.add(n++, arcs, more, arcb, tb);
  out.add(n++, parts1, n1, n0, r0, arc0); out.add(n++, n1, n0, parts1, more); out.add(n++, w1, r0, arcs); out.add(n++, w0, r0, arcs);
}

void SpanSystem::label_features(const State* arena, const State& s, Features& out) const {
  const auto inside = [&](int i) { return i >= 0 && i < count_; };
  const auto word = [&](int i) { return inside(i) ? sentence_.words[static_cast<std::size_t>(i)].lower : no_word; };
  const auto tag = [&](int i) -> Feature { return inside(i) ? tags_[static_cast<std::size_t>(i)] : no_tag; };
  const auto relation = [&](int i) -> Feature { return inside(i) ? dependencies_.relations[static_cast<std::size_t>(i)] : no_label; };
  const State* before = s.below >= 0 ? arena + s.below : nullptr;
  const int h = s.head, i = s.begin, j = s.end, above = dependencies_.heads[static_cast<std::size_t>(h)];
  const auto name = [&](const State* x) -> Feature {
    if (x == nullptr) return no_label;
    if (x->label != 0) return x->label;
    return x->end - x->begin == 1 ? 300 + tag(x->begin) : 600u + x->first_label;
  };
  const Feature length = bucket(j - i), parts = std::min<int>(s.parts, 5);
  const Feature first = s.first_label != 0 ? s.first_label : 300 + tag(i);
  const Feature last = s.last_label != 0 ? s.last_label : 300 + tag(j - 1);
  const Feature t = tag(h), w = word(h), r = relation(h);
  const auto compare = [](int a, int b) -> Feature { return a < b ? 0 : a == b ? 1 : 2; };
  const Feature whole = compare(leftmost_[static_cast<std::size_t>(h)], i) * 3 + compare(rightmost_[static_cast<std::size_t>(h)] + 1, j);
  const Feature side = above < 0 ? 0 : above < i ? 1 : above >= j ? 2 : 3;
  const Feature ta = tag(above), wa = word(above), ra = relation(above);
  const Feature all = (i == 0) + 2u * (j == count_);
  const Feature nb = name(before), tn = tag(j), tn1 = tag(j + 1), tp = tag(i - 1);
  const Feature wn = word(j), wp = word(i - 1), wf = word(i), wl = word(j - 1), tf = tag(i), tl = tag(j - 1);

  int n = 0;
  out.add(n++, first, last); out.add(n++, first, last, parts); out.add(n++, first, last, t); out.add(n++, first, last, w);
  out.add(n++, first, last, t, r); out.add(n++, first, last, whole); out.add(n++, first, last, r, whole); out.add(n++, first, last, tn);
  out.add(n++, first, last, tn, tn1); out.add(n++, first, last, nb); out.add(n++, first, last, nb, tn); out.add(n++, first, last, parts, r, whole);
  out.add(n++, t, r); out.add(n++, t, r, whole); out.add(n++, t, r, whole, side); out.add(n++, t, r, length, whole); out.add(n++, t, whole, tn);
  out.add(n++, t, r, ta, side); out.add(n++, r, whole, ta, ra); out.add(n++, w, r, whole); out.add(n++, w, whole); out.add(n++, w, t, length);
  out.add(n++, wa, r, whole, side); out.add(n++, whole, side, all, length); out.add(n++, all, t, first, last); out.add(n++, all, tl, whole, length);
  out.add(n++, wf, wl); out.add(n++, tf, tl, length); out.add(n++, wf, tl, length); out.add(n++, tf, wl, length); out.add(n++, tf, tl, whole, r);
  out.add(n++, wf, t, r, whole); out.add(n++, wf, last, length); out.add(n++, wl, first, length); out.add(n++, wf, t, length);
  out.add(n++, tp, tn, first, last); out.add(n++, wn, first, last); out.add(n++, wp, first, last); out.add(n++, wn, t, whole); out.add(n++, wp, t, whole);
  out.add(n++, tp, t, r, whole); out.add(n++, nb, t, r, whole); out.add(n++, nb, tn, t, length); out.add(n++, tn, tn1, t, whole, r);
  out.add(n++, name(before), first, last, whole); out.add(n++, relation(j), tn, first, last); out.add(n++, relation(j), tn, t, whole);
  out.add(n++, tag(s.split - 1), tag(s.split), first, last); out.add(n++, word(s.split), first, last); out.add(n++, word(s.split - 1), first, last);
  out.add(n++, tag(s.split), tl, t, parts); out.add(n++, length, t); out.add(n++, length, first, last, r);
  out.add(n++, tag(i), tag(i + 1), j - i > 1 ? tag(i + 2) : no_tag, length); out.add(n++, tag(j - 1), tag(j - 2), length, t);
}

std::vector<LabelledSpan> ConstituentParser::parse(const Sentence& sentence, const Tags& tags,
                                                   const Dependencies& dependencies) {
  std::vector<LabelledSpan> spans;
  if (sentence.words.empty()) return spans;
  const SpanSystem system(sentence, tags, dependencies);
  int place = beam_.run(system);
  const auto& arena = beam_.arena();
  for (; arena[static_cast<std::size_t>(place)].previous >= 0; place = arena[static_cast<std::size_t>(place)].previous) {
    const auto& state = arena[static_cast<std::size_t>(place)];
    if (state.step % 2 == 0 && state.label != 0) spans.push_back({state.begin, state.end, state.label});
  }
  std::sort(spans.begin(), spans.end(), [](const LabelledSpan& a, const LabelledSpan& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  return spans;
}

bool ConstituentParser::learn(const Sentence& sentence, const Tags& tags, const Dependencies& dependencies,
                              const std::vector<LabelledSpan>& gold, Lesson lesson, LearningWeights& structure,
                              LearningWeights& labels) {
  if (sentence.words.empty()) return false;
  const SpanSystem system(sentence, tags, dependencies);
  return beam_.learn(system, oracle(static_cast<int>(sentence.words.size()), gold), lesson, {&structure, &labels});
}

std::vector<int> oracle(int count, const std::vector<LabelledSpan>& gold) {
  std::map<std::pair<int, int>, int> labels;
  for (const LabelledSpan& span : gold) {
    if (span.begin < 0 || span.begin >= span.end || span.end > count) throw std::invalid_argument("a span out of range");
    if (!labels.emplace(std::pair(span.begin, span.end), span.label).second)
      throw std::invalid_argument("two labels for one span");
  }
  // The begin of the smallest span that holds [begin, end) and more.
  const auto parent_begin = [&](int begin, int end) {
    int best = 0, size = count + 1;
    for (const LabelledSpan& span : gold) {
      const int length = span.end - span.begin;
      if (span.begin <= begin && span.end >= end && length > end - begin && length < size) {
        best = span.begin;
        size = length;
      }
    }
    return best;
  };
  std::vector<int> actions;
  std::vector<std::pair<int, int>> stack;
  int next = 0;
  while (next < count || stack.size() > 1) {
    if (stack.size() > 1 && parent_begin(stack.back().first, stack.back().second) < stack.back().first) {
      const int end = stack.back().second;
      stack.pop_back();
      stack.back().second = end;
      actions.push_back(1);
    } else {
      if (next == count) throw std::invalid_argument("spans that cross");
      stack.emplace_back(next, next + 1);
      ++next;
      actions.push_back(0);
    }
    const auto found = labels.find(stack.back());
    actions.push_back(found == labels.end() ? 0 : found->second);
  }
  return actions;
}

}  // namespace paragauge::analysis
