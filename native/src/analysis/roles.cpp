#include "analysis/roles.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "base/hashing.hpp"

namespace paragauge::analysis {
namespace {

constexpr Feature nothing = 7;
constexpr std::size_t most_edges = 5;  // on each side of a word above the predicate

// Where each word's subtree begins and ends, and the words below each.
struct Shape {
  std::vector<std::vector<int>> children;
  std::vector<int> begin, end;  // of the subtree: dependencies are projective

  explicit Shape(const Dependencies& tree) : children(tree.heads.size()), begin(tree.heads.size()), end(tree.heads.size()) {
    const int count = static_cast<int>(tree.heads.size());
    for (int word = 0; word < count; ++word) {
      begin[static_cast<std::size_t>(word)] = word;
      end[static_cast<std::size_t>(word)] = word + 1;
      const int head = tree.heads[static_cast<std::size_t>(word)];
      if (head >= 0) children[static_cast<std::size_t>(head)].push_back(word);
    }
    for (int word = 0; word < count; ++word) {
      int steps = 0;
      for (int above = tree.heads[static_cast<std::size_t>(word)]; above >= 0 && steps <= count;
           above = tree.heads[static_cast<std::size_t>(above)], ++steps) {
        begin[static_cast<std::size_t>(above)] = std::min(begin[static_cast<std::size_t>(above)], word);
        end[static_cast<std::size_t>(above)] = std::max(end[static_cast<std::size_t>(above)], word + 1);
      }
    }
  }
};

enum Way : int { child, grandchild, sibling, above, joined };

struct Possible {
  std::int32_t begin, end, head;
  int way;
  Feature path;
  int steps;  // up from the predicate
  Feature edge = nothing;  // which dependents of the head are the last inside and the first outside
};

// Relation names are numbers here; what the labeller needs to know of them comes from the words that carry them.
class Spans {
 public:
  Spans(const ParsedSentence& parsed, const Shape& shape) : parsed_(parsed), shape_(shape) {}

  std::vector<Possible> of(int predicate) const {
    std::vector<Possible> found;
    const auto& heads = parsed_.dependencies.heads;
    const auto& relations = parsed_.dependencies.relations;
    int before = -1;
    for (const int word : shape_.children[static_cast<std::size_t>(predicate)]) {
      const Feature path = combine(11, relation(word));
      add(found, subtree(word), word, predicate, child, path, 0);
      for (const int below : shape_.children[static_cast<std::size_t>(word)])
        add(found, subtree(below), below, predicate, grandchild, combine(combine(12, relation(word)), relation(below)), 0);
      // "want [them to leave]": two dependents that are one argument.
      if (before > predicate && subtree(before).second == subtree(word).first && !is_mark(word) && !is_mark(before))
        add(found, {subtree(before).first, subtree(word).second}, before, predicate, joined, combine(path, relation(before)), 0);
      before = word;
    }
    Feature path = 13;
    int last = predicate, steps = 0;
    for (int word = heads[static_cast<std::size_t>(predicate)]; word >= 0 && steps < 6;
         last = word, word = heads[static_cast<std::size_t>(word)]) {
      path = combine(path, relations[static_cast<std::size_t>(last)]);
      ++steps;
      add_parts(found, word, last, predicate, path, steps);
      for (const int beside : shape_.children[static_cast<std::size_t>(word)])
        if (beside != last) add(found, subtree(beside), beside, predicate, sibling, combine(combine(path, 17), relation(beside)), steps);
    }
    return found;
  }

  Feature relation(int word) const { return parsed_.dependencies.relations[static_cast<std::size_t>(word)]; }

 private:
  using Span = std::pair<int, int>;

  bool is_mark(int word) const { return parsed_.tag_uses[parsed_.tags[static_cast<std::size_t>(word)]] == is_punctuation; }

  Span subtree(int word) const { return {shape_.begin[static_cast<std::size_t>(word)], shape_.end[static_cast<std::size_t>(word)]}; }

  // A word above the predicate with some of its dependents on either side: "is [a good man]", "[the man] who left".
  void add_parts(std::vector<Possible>& found, int word, int branch, int predicate, Feature path, int steps) const {
    struct Edge {
      int place;
      Feature inside, outside;
    };
    const auto& children = shape_.children[static_cast<std::size_t>(word)];
    const auto middle = static_cast<std::size_t>(std::lower_bound(children.begin(), children.end(), word) - children.begin());
    const auto outside_of = [&](std::size_t k) { return k < children.size() ? relation(children[k]) : Feature{253}; };
    std::vector<Edge> lefts{{word, 252, outside_of(middle - 1)}}, rights{{word + 1, 252, outside_of(middle)}};
    for (std::size_t k = middle; k-- > 0 && children[k] != branch && subtree(children[k]).second == lefts.back().place;)
      lefts.push_back({subtree(children[k]).first, relation(children[k]), outside_of(k - 1)});
    for (std::size_t k = middle; k < children.size() && children[k] != branch && subtree(children[k]).first == rights.back().place; ++k)
      rights.push_back({subtree(children[k]).second, relation(children[k]), outside_of(k + 1)});
    if (steps > 2) {  // far above, only all of them
      lefts = {lefts.back()};
      rights = {rights.back()};
    }
    if (lefts.size() > most_edges) lefts.erase(lefts.begin() + 1, lefts.end() - (most_edges - 1));
    if (rights.size() > most_edges) rights.erase(rights.begin() + 1, rights.end() - (most_edges - 1));
    for (const Edge& left : lefts)
      for (const Edge& right : rights)
        add(found, {left.place, right.place}, word, predicate, above, path, steps,
            combine(combine(left.inside, left.outside), combine(right.inside + 256, right.outside)));
  }

  void add(std::vector<Possible>& found, Span span, int head, int predicate, int way, Feature path, int steps,
           Feature edge = nothing) const {
    const Span whole = span;
    while (span.first < span.second && span.first != head && is_mark(span.first)) ++span.first;
    while (span.first < span.second && span.second - 1 != head && is_mark(span.second - 1)) --span.second;
    if (span.first <= predicate && predicate < span.second) return;
    if (span.first >= span.second) return;
    if (is_mark(head) && span.second - span.first == 1) return;
    for (const Possible& one : found)
      if (one.begin == span.first && one.end == span.second) return;
    found.push_back({span.first, span.second, head, way, path, steps, edge});
    // Quotation marks and brackets on both sides belong to what they enclose.
    if (way == child && whole.first < span.first && whole.second > span.second && whole != span)
      found.push_back({whole.first, whole.second, head, way, combine(path, 19), steps, edge});
  }

  const ParsedSentence& parsed_;
  const Shape& shape_;
};

Feature distance_of(int distance) {
  const int size = std::abs(distance);
  return static_cast<Feature>((distance < 0 ? 32 : 0) + (size <= 4 ? size : size <= 6 ? 5 : size <= 10 ? 6 : size <= 20 ? 7 : 8));
}

class RoleFeatures {
 public:
  explicit RoleFeatures(const ParsedSentence& parsed) : parsed_(parsed), shape_(parsed.dependencies), spans_(parsed, shape_) {}

  std::vector<Possible> candidates(int predicate) const { return spans_.of(predicate); }

  void of_word(int p, Features& out) const {
    out.clear();
    int n = 0;
    const Feature w = word(p), l = lemma(p), t = tag(p), r = spans_.relation(p);
    const int h = parsed_.dependencies.heads[static_cast<std::size_t>(p)];
    const Feature frame = frame_of(p), set = child_set(p);
    out.add(n++, w, t); out.add(n++, l, t); out.add(n++, l); out.add(n++, t, r); out.add(n++, l, t, r); out.add(n++, r, t, tag(h));
    out.add(n++, l, tag(h), r); out.add(n++, l, word(h)); out.add(n++, l, word(p - 1)); out.add(n++, l, word(p + 1));
    out.add(n++, t, word(p - 1)); out.add(n++, t, word(p + 1)); out.add(n++, l, tag(p - 1)); out.add(n++, l, tag(p + 1));
    out.add(n++, t, tag(p - 1), tag(p + 1)); out.add(n++, t, set); out.add(n++, l, set); out.add(n++, t, frame);
    out.add(n++, t, suffix(p, 2)); out.add(n++, t, suffix(p, 3)); out.add(n++, t, suffix(p, 2), r);
    out.add(n++, l, case_of(p)); out.add(n++, t, case_of(p)); out.add(n++, t);
    for (const int child : shape_.children[static_cast<std::size_t>(p)]) {
      if (out.size() > 90) break;
      out.add(30, l, spans_.relation(child)); out.add(31, t, spans_.relation(child)); out.add(32, l, word(child));
      out.add(33, l, spans_.relation(child), case_of(child));
    }
  }

  // Of a predicate, once for all its candidates.
  struct About {
    Feature lemma, word, tag, voice, relation, frame, head_tag, set;
  };

  About about(int p) const {
    const int h = parsed_.dependencies.heads[static_cast<std::size_t>(p)];
    return {lemma(p), word(p), tag(p), voice(p), spans_.relation(p), frame_of(p), tag(h), child_set(p)};
  }

  void of_candidate(int p, const About& about, const Possible& c, Features& out) const {
    out.clear();
    int n = 0;
    const Feature l = about.lemma, v = about.voice, pt = about.tag;
    const int h = c.head;
    const Feature side = c.begin > p, w = word(h), hl = lemma(h), t = tag(h), r = spans_.relation(h), cs = case_of(h);
    const Feature d = distance_of(c.begin > p ? c.begin - p : c.end - 1 - p), way = static_cast<Feature>(c.way);
    const Feature first = word(c.begin), last = word(c.end - 1), first_tag = tag(c.begin), last_tag = tag(c.end - 1);
    const Feature rs = combine(combine(r, side), way), path = combine(c.path, side);
    const Feature size = static_cast<Feature>(std::min(8, c.end - c.begin));
    const Feature only = static_cast<Feature>(c.end - c.begin == 1);
    out.add(n++, rs); out.add(n++, rs, v); out.add(n++, rs, l); out.add(n++, rs, l, v); out.add(n++, rs, l, cs); out.add(n++, rs, cs);
    out.add(n++, rs, cs, w); out.add(n++, rs, w); out.add(n++, rs, hl); out.add(n++, rs, l, hl); out.add(n++, rs, t); out.add(n++, rs, t, l);
    out.add(n++, path); out.add(n++, path, v); out.add(n++, path, l); out.add(n++, path, l, v); out.add(n++, path, pt); out.add(n++, path, pt, v, t);
    out.add(n++, path, cs); out.add(n++, path, l, cs); out.add(n++, path, w); out.add(n++, path, t); out.add(n++, path, first);
    out.add(n++, path, about.relation); out.add(n++, path, about.head_tag); out.add(n++, path, pt, about.set);
    out.add(n++, w); out.add(n++, hl); out.add(n++, w, l); out.add(n++, hl, l, side); out.add(n++, t, l, side); out.add(n++, t, pt, side, v);
    out.add(n++, first); out.add(n++, first, last); out.add(n++, first, rs); out.add(n++, last, rs); out.add(n++, first, l); out.add(n++, first_tag, rs, last_tag);
    out.add(n++, cs, w); out.add(n++, cs, hl, pt); out.add(n++, cs, l); out.add(n++, cs, l, v, side); out.add(n++, cs, pt, t);
    out.add(n++, d, r, pt); out.add(n++, d, t, pt); out.add(n++, d, l); out.add(n++, d, way, v); out.add(n++, way, size, r);
    out.add(n++, l, v, about.frame, rs); out.add(n++, pt, v, about.frame, rs); out.add(n++, l, about.set, rs); out.add(n++, pt, about.set, rs);
    out.add(n++, word(c.begin - 1), side, way); out.add(n++, word(c.end), side, way); out.add(n++, tag(c.begin - 1), rs); out.add(n++, tag(c.end), rs);
    out.add(n++, suffix(h, 2), rs); out.add(n++, suffix(h, 3), r); out.add(n++, child_set(h), rs); out.add(n++, child_set(h), path);
    out.add(n++, shape(h), rs); out.add(n++, shape(h), cs); out.add(n++, only, first, rs); out.add(n++, only, first, pt);
    out.add(n++, static_cast<Feature>(c.steps), r, pt); out.add(n++, static_cast<Feature>(c.steps), rs, v); out.add(n++, mark_of(h), rs); out.add(n++, mark_of(h), first, l);
    out.add(n++, c.edge, path); out.add(n++, c.edge, path, t); out.add(n++, c.edge, pt, rs); out.add(n++, c.edge, path, w); out.add(n++, path, first, last);
    out.add(n++, about.word, rs); out.add(n++, about.word, path); out.add(n++, pt, rs); out.add(n++, pt, way, t, v);
  }

 private:
  Feature word(int i) const { return inside(i) ? parsed_.sentence.words[static_cast<std::size_t>(i)].lower : nothing; }
  Feature shape(int i) const { return inside(i) ? parsed_.sentence.words[static_cast<std::size_t>(i)].shape : nothing; }
  Feature suffix(int i, int k) const { return inside(i) ? parsed_.sentence.words[static_cast<std::size_t>(i)].suffix[k] : nothing; }
  Feature lemma(int i) const { return inside(i) ? parsed_.lemmas[static_cast<std::size_t>(i)] : nothing; }
  Feature tag(int i) const { return inside(i) ? parsed_.tags[static_cast<std::size_t>(i)] : 251; }
  bool inside(int i) const { return i >= 0 && i < static_cast<int>(parsed_.tags.size()); }

  // The first child, if it stands before the head and at its subtree's beginning: mostly a preposition or a conjunction.
  Feature case_of(int i) const {
    if (!inside(i)) return nothing;
    const auto& below = shape_.children[static_cast<std::size_t>(i)];
    return !below.empty() && below[0] < i ? combine(word(below[0]), spans_.relation(below[0])) : nothing;
  }
  Feature mark_of(int i) const {
    if (!inside(i)) return nothing;
    Feature all = 5;
    for (const int below : shape_.children[static_cast<std::size_t>(i)])
      if (below < i) all = combine(all, tag(below));
    return all;
  }

  Feature frame_of(int p) const {
    Feature frame = 3;
    bool passed = false;
    for (const int below : shape_.children[static_cast<std::size_t>(p)]) {
      if (below > p && !passed) {
        frame = combine(frame, 999);
        passed = true;
      }
      frame = combine(frame, spans_.relation(below));
    }
    return frame;
  }

  Feature child_set(int p) const {
    std::uint64_t bits = 0;
    for (const int below : shape_.children[static_cast<std::size_t>(p)]) bits |= 1ull << (spans_.relation(below) & 63);
    return bits;
  }

  // Of verbs: what auxiliaries stand before it, by their relation and form.
  Feature voice(int p) const {
    Feature found = tag(p);
    for (const int below : shape_.children[static_cast<std::size_t>(p)])
      if (below < p && shape_.children[static_cast<std::size_t>(below)].empty() && spans_.relation(below) != root_relation &&
          p - below <= 4 && parsed_.tags[static_cast<std::size_t>(below)] != 255)
        found = combine(found, combine(spans_.relation(below), 1));
    return found;
  }

  const ParsedSentence& parsed_;
  Shape shape_;
  Spans spans_;
};

struct Scored {
  Score score;
  std::int32_t candidate, role;
};

// The best roles first, none overlapping another, single roles once.
std::vector<Argument> choose(const std::vector<Possible>& candidates, std::vector<Scored> scored, const std::uint8_t* single) {
  std::stable_sort(scored.begin(), scored.end(), [](const Scored& a, const Scored& b) { return a.score > b.score; });
  std::vector<Argument> chosen;
  std::array<bool, most_classes> taken{};
  for (const Scored& each : scored) {
    const Possible& c = candidates[static_cast<std::size_t>(each.candidate)];
    const auto role = static_cast<std::size_t>(each.role);
    if (single[role] && taken[role]) continue;
    if (std::any_of(chosen.begin(), chosen.end(), [&](const Argument& a) { return a.begin < c.end && c.begin < a.end; })) continue;
    taken[role] = true;
    chosen.push_back({c.begin, c.end, each.role});
  }
  std::sort(chosen.begin(), chosen.end(), [](const Argument& a, const Argument& b) { return a.begin < b.begin; });
  return chosen;
}

int best_of(const Score* scores, int count) { return static_cast<int>(std::max_element(scores, scores + count) - scores); }

std::vector<Argument> find_arguments(const RoleFeatures& seen, int predicate, const Scorer& weights, const std::uint8_t* single, Score slack) {
  const auto candidates = seen.candidates(predicate);
  const auto about = seen.about(predicate);
  const int roles = weights.classes();
  std::vector<Score> scores(static_cast<std::size_t>(roles));
  std::vector<Scored> scored;
  Features features;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    seen.of_candidate(predicate, about, candidates[k], features);
    std::fill(scores.begin(), scores.end(), 0);
    weights.add_scores(features, scores.data());
    // The second best counts too: it may be free where the best is taken.
    for (int role = 1; role < roles; ++role)
      if (scores[static_cast<std::size_t>(role)] + slack > scores[0])
        scored.push_back({scores[static_cast<std::size_t>(role)] - scores[0], static_cast<std::int32_t>(k), role});
  }
  return choose(candidates, std::move(scored), single);
}

}  // namespace

std::vector<Argument> RoleLabeller::arguments(const ParsedSentence& parsed, int predicate) const {
  return find_arguments(RoleFeatures(parsed), predicate, models_.roles, single_, slack_);
}

std::vector<Predicate> RoleLabeller::label(const ParsedSentence& parsed, const std::uint8_t* sense_counts) const {
  std::vector<Predicate> found;
  const RoleFeatures seen(parsed);
  Features features;
  for (std::size_t word = 0; word < parsed.tags.size(); ++word) {
    if (parsed.tag_uses[parsed.tags[word]] != may_be_predicate) continue;
    seen.of_word(static_cast<int>(word), features);
    Score yes[2] = {0, 0};
    models_.predicates.add_scores(features, yes);
    if (yes[1] <= yes[0]) continue;
    std::array<Score, most_senses> senses{};
    models_.senses.add_scores(features, senses.data());
    const int count = std::max(1, std::min<int>(most_senses, sense_counts[word]));
    const auto number = static_cast<std::int32_t>(word);
    found.push_back({number, best_of(senses.data(), count), find_arguments(seen, number, models_.roles, single_, slack_)});
  }
  return found;
}

RoleWeights train_roles(const std::vector<RoleExample>& examples, int roles, std::size_t bytes, int epochs, std::uint64_t seed) {
  LearningWeights predicates(2, 2), senses(most_senses, 2), naming(roles, 2);
  std::vector<std::size_t> order(examples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::uint64_t state = seed;
  Features features;
  std::vector<Score> scores(most_classes);
  // A margin keeps the right class ahead by more than chance.
  const auto learn = [&](LearningWeights& weights, int right, int count, int margin, bool note) {
    if (note) {
      weights.note(features);
      return;
    }
    std::fill(scores.begin(), scores.end(), 0);
    weights.add_scores(features, scores.data());
    int best = -1;
    for (int k = 0; k < count; ++k)
      if (k != right && (best < 0 || scores[static_cast<std::size_t>(k)] > scores[static_cast<std::size_t>(best)])) best = k;
    if (best < 0 || scores[static_cast<std::size_t>(right)] > scores[static_cast<std::size_t>(best)] + margin) return;
    weights.update(features, right, 1);
    weights.update(features, best, -1);
  };
  for (int epoch = -1; epoch < epochs; ++epoch) {
    const bool note = epoch < 0;
    if (!note)
      for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[static_cast<std::size_t>(mix(state += 0x9e3779b97f4a7c15ull) % i)]);
    for (const std::size_t place : order) {
      const RoleExample& example = examples[place];
      const RoleFeatures seen(example.parsed);
      predicates.tick();
      senses.tick();
      naming.tick();
      std::size_t next = 0;
      for (std::size_t word = 0; word < example.parsed.tags.size(); ++word) {
        const bool is_predicate = next < example.gold.size() && example.gold[next].word == static_cast<std::int32_t>(word);
        if (is_predicate || example.parsed.tag_uses[example.parsed.tags[word]] == may_be_predicate) {
          seen.of_word(static_cast<int>(word), features);
          learn(predicates, is_predicate, 2, 4, note);
        }
        if (!is_predicate) continue;
        const Predicate& gold = example.gold[next++];
        const int count = std::min<int>(most_senses, example.sense_counts[word]);
        if (count > 1 && gold.sense < count) learn(senses, gold.sense, count, 2, note);
        const auto about = seen.about(gold.word);
        for (const Possible& c : seen.candidates(gold.word)) {
          int role = 0;
          for (const Argument& a : gold.arguments)
            if (a.begin == c.begin && a.end == c.end) role = a.role;
          seen.of_candidate(gold.word, about, c, features);
          learn(naming, role, roles, 6, note);
        }
      }
    }
    if (note)
      for (LearningWeights* each : {&predicates, &senses, &naming}) each->end_notes();
  }
  RoleWeights packed;
  packed.predicates = predicates.pack(bytes / 10);
  packed.senses = senses.pack(bytes / 10);
  packed.roles = naming.pack(bytes - packed.predicates.size() - packed.senses.size());
  return packed;
}

double span_recall(const std::vector<RoleExample>& examples) {
  std::int64_t all = 0, found = 0;
  for (const RoleExample& example : examples) {
    const RoleFeatures seen(example.parsed);
    for (const Predicate& gold : example.gold) {
      const auto candidates = seen.candidates(gold.word);
      for (const Argument& a : gold.arguments) {
        ++all;
        found += std::any_of(candidates.begin(), candidates.end(), [&](const Possible& c) { return c.begin == a.begin && c.end == a.end; });
      }
    }
  }
  return all > 0 ? static_cast<double>(found) / static_cast<double>(all) : 1.0;
}

}  // namespace paragauge::analysis
