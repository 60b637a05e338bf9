#include "analysis/roles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <map>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <utility>

#include "analysis/role_network.hpp"
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

enum Way : int { child, grandchild, sibling, above, joined, alone };

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
    const auto& children = shape_.children[static_cast<std::size_t>(predicate)];
    for (std::size_t k = 0; k < children.size(); ++k) {
      const int word = children[k];
      const Feature path = combine(11, relation(word));
      add(found, subtree(word), word, predicate, child, path, 0);
      // "have some [questions] for you": the noun that a light verb is about.
      if (word > predicate) add(found, {word, word + 1}, word, predicate, alone, combine(14, relation(word)), 0);
      for (const int below : shape_.children[static_cast<std::size_t>(word)])
        add(found, subtree(below), below, predicate, grandchild, combine(combine(12, relation(word)), relation(below)), 0);
      // "want [them to leave]": dependents that are one argument.
      Feature joint = path;
      for (std::size_t before = k; before-- > 0 && k - before < 3 && !is_mark(word);) {
        const int first = children[before];
        if ((first < predicate) != (word < predicate) || subtree(first).second != subtree(children[before + 1]).first || is_mark(first)) break;
        joint = combine(joint, relation(first));
        add(found, {subtree(first).first, subtree(word).second}, first, predicate, joined, joint, 0);
      }
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

  bool is_mark(int word) const { return parsed_.tag_uses[parsed_.tags[static_cast<std::size_t>(word)]] & is_punctuation; }

  Span subtree(int word) const { return {shape_.begin[static_cast<std::size_t>(word)], shape_.end[static_cast<std::size_t>(word)]}; }

  // Whether a bracket at an edge of a span has its partner inside, and something beside the two: "Bush ( the elder )".
  bool is_closed(const Span& span, int edge) const {
    static const Feature open = hash_text("("), close = hash_text(")"), penn_open = hash_text("-lrb-"), penn_close = hash_text("-rrb-");
    const auto is = [&](int word, Feature one, Feature other) {
      const Feature here = parsed_.sentence.words[static_cast<std::size_t>(word)].lower;
      return here == one || here == other;
    };
    const bool last = edge == span.second - 1;
    if (!is(edge, last ? close : open, last ? penn_close : penn_open)) return false;
    for (int word = span.first + last; word < span.second - !last; ++word)
      if (word != edge && is(word, last ? open : close, last ? penn_open : penn_close)) return true;
    return false;
  }

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
    while (span.first < span.second && span.first != head && is_mark(span.first) && !is_closed(span, span.first)) ++span.first;
    while (span.first < span.second && span.second - 1 != head && is_mark(span.second - 1) && !is_closed(span, span.second - 1)) --span.second;
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

}  // namespace

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

  // For the network: mostly single facts, which it combines itself.
  void of_network(int p, const About& about, const Possible& c, Features& out) const {
    out.clear();
    int n = 0;
    const Feature l = about.lemma, v = about.voice, pt = about.tag;
    const int h = c.head, last = c.end - 1;
    const Feature side = c.begin > p, t = tag(h), r = spans_.relation(h), cs = case_of(h);
    const Feature d = distance_of(c.begin > p ? c.begin - p : last - p), way = static_cast<Feature>(c.way);
    const Feature rs = combine(combine(r, side), way), path = combine(c.path, side);
    const bool longer = c.end - c.begin > 1;
    out.add(n++, l); out.add(n++, about.word); out.add(n++, pt); out.add(n++, v); out.add(n++, about.relation); out.add(n++, about.frame);
    out.add(n++, about.head_tag); out.add(n++, about.set); out.add(n++, word(p - 1)); out.add(n++, word(p + 1)); out.add(n++, tag(p - 1));
    out.add(n++, tag(p + 1)); out.add(n++, suffix(p, 2)); out.add(n++, suffix(p, 3));
    out.add(n++, word(h)); out.add(n++, lemma(h)); out.add(n++, t); out.add(n++, r); out.add(n++, cs); out.add(n++, suffix(h, 2));
    out.add(n++, suffix(h, 3)); out.add(n++, shape(h)); out.add(n++, child_set(h)); out.add(n++, mark_of(h));
    out.add(n++, word(c.begin)); out.add(n++, word(last)); out.add(n++, tag(c.begin)); out.add(n++, tag(last)); out.add(n++, word(c.begin - 1));
    out.add(n++, word(c.end)); out.add(n++, tag(c.begin - 1)); out.add(n++, tag(c.end)); out.add(n++, tag(c.begin - 2)); out.add(n++, tag(c.end + 1));
    out.add(n++, longer ? word(c.begin + 1) : 3); out.add(n++, longer ? tag(c.begin + 1) : 3);
    out.add(n++, rs); out.add(n++, path); out.add(n++, d); out.add(n++, way, side); out.add(n++, std::min(8, c.end - c.begin));
    out.add(n++, static_cast<Feature>(c.steps)); out.add(n++, c.edge);
    out.add(n++, path, v); out.add(n++, path, pt); out.add(n++, path, t); out.add(n++, path, l); out.add(n++, rs, cs); out.add(n++, rs, l);
    out.add(n++, rs, l, v); out.add(n++, cs, t); out.add(n++, cs, l); out.add(n++, way, side, pt);
    const Between between(parsed_, side != 0 ? p + 1 : c.end, side != 0 ? c.begin : p);
    out.add(n++, between.commas); out.add(n++, between.verbs); out.add(n++, between.questions); out.add(n++, between.tags, side);
    out.add(n++, between.commas, between.verbs, side);
    for (std::size_t k = 0; k < WordClasses{}.size(); ++k)
      for (const int i : {h, p, c.begin, last, c.begin - 1, c.end}) out.add(n++, inside(i) ? parsed_.classes[static_cast<std::size_t>(i)][k] : 9999);
  }

 private:
  // What stands between a predicate and a span.
  struct Between {
    Feature commas = 0, verbs = 0, questions = 0, tags = 0;

    Between(const ParsedSentence& parsed, int begin, int end) {
      Feature all = 1;
      for (int i = begin; i < end; ++i) {
        const std::uint8_t own = parsed.tags[static_cast<std::size_t>(i)], use = parsed.tag_uses[own];
        commas = std::min<Feature>(3, commas + ((use & is_comma) != 0));
        verbs = std::min<Feature>(3, verbs + ((use & is_verb) != 0));
        questions = std::min<Feature>(2, questions + ((use & is_question) != 0));
        all = combine(all, own);
      }
      if (end - begin <= 4) tags = combine(all, static_cast<Feature>(end - begin));
    }
  };

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

namespace {

// An argument and the candidate that it was.
struct Chosen {
  Argument argument;
  std::int32_t candidate;
};

// What a role of a candidate is worth: its probability above the least, in millionths.
struct Worth {
  std::int32_t candidate, role;
  std::int64_t gain;
};

// The roles that are worth most together and do not overlap.
std::vector<std::size_t> best_apart(const std::vector<Possible>& candidates, const std::vector<Worth>& by_end) {
  const auto span = [&](std::size_t i) -> const Possible& { return candidates[static_cast<std::size_t>(by_end[i].candidate)]; };
  std::vector<std::int64_t> best(by_end.size() + 1, 0);
  std::vector<std::size_t> before(by_end.size());  // how many end where this begins, or earlier
  for (std::size_t i = 0; i < by_end.size(); ++i) {
    before[i] = i;
    while (before[i] > 0 && span(before[i] - 1).end > span(i).begin) --before[i];
    best[i + 1] = std::max(best[i], best[before[i]] + by_end[i].gain);
  }
  std::vector<std::size_t> chosen;
  for (std::size_t i = by_end.size(); i > 0;) {
    if (best[i] == best[i - 1]) {
      --i;
    } else {
      chosen.push_back(i - 1);
      i = before[i - 1];
    }
  }
  return chosen;
}

// The best roles that do not overlap, single roles once: where two want one, the lesser goes, and all choose again.
std::vector<Chosen> choose(const std::vector<Possible>& candidates, std::vector<Worth> worths, const std::uint8_t* single) {
  const auto span = [&](const Worth& each) -> const Possible& { return candidates[static_cast<std::size_t>(each.candidate)]; };
  std::stable_sort(worths.begin(), worths.end(), [&](const Worth& a, const Worth& b) { return span(a).end < span(b).end; });
  for (;;) {
    const std::vector<std::size_t> best = best_apart(candidates, worths);
    std::array<std::size_t, most_classes> holder{};  // of each role: its place, from one
    std::size_t lesser = 0;
    for (const std::size_t place : best) {
      const auto role = static_cast<std::size_t>(worths[place].role);
      if (!single[role]) continue;
      if (holder[role] != 0) {
        lesser = worths[place].gain < worths[holder[role] - 1].gain ? place + 1 : holder[role];
        break;
      }
      holder[role] = place + 1;
    }
    if (lesser != 0) {
      worths.erase(worths.begin() + static_cast<std::ptrdiff_t>(lesser - 1));
      continue;
    }
    std::vector<Chosen> chosen;
    for (auto place = best.rbegin(); place != best.rend(); ++place) {
      const Worth& each = worths[*place];
      chosen.push_back({{span(each).begin, span(each).end, each.role}, each.candidate});
    }
    return chosen;
  }
}

int best_of(const Score* scores, int count) { return static_cast<int>(std::max_element(scores, scores + count) - scores); }

// A predicate as the first model sees it, on its own: scores of its candidates, and the arguments chosen by them.
struct View {
  std::int32_t word, sense;
  RoleFeatures::About about;
  std::vector<Possible> candidates;
  std::vector<Score> scores;  // of each candidate for each role
  std::vector<Chosen> chosen;

  Score* of(std::size_t candidate, int roles) { return scores.data() + candidate * static_cast<std::size_t>(roles); }
  const Score* of(std::size_t candidate, int roles) const { return scores.data() + candidate * static_cast<std::size_t>(roles); }

  // least: probability, in thousandths.
  void choose_roles(int roles, const std::uint8_t* single, int least) {
    std::vector<Worth> worths;
    std::array<double, most_classes> shares;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const Score* own = of(k, roles);
      const Score top = *std::max_element(own, own + roles);
      double all = 0;
      for (int role = 0; role < roles; ++role)
        all += shares[static_cast<std::size_t>(role)] = std::exp(static_cast<double>(own[role] - top) / units_a_nat);
      for (int role = 1; role < roles; ++role) {
        const std::int64_t gain = std::llround(shares[static_cast<std::size_t>(role)] / all * 1e6) - least * std::int64_t{1000};
        if (gain > 0) worths.push_back({static_cast<std::int32_t>(k), role, gain});
      }
    }
    chosen = choose(candidates, std::move(worths), single);
  }
};

int sense_of(const RoleFeatures& seen, int word, const Scorer& weights, int known, Features& features) {
  const int count = std::max(1, std::min<int>(most_senses, known));
  if (count == 1) return 0;
  std::array<Score, most_senses> senses{};
  seen.of_word(word, features);
  weights.add_scores(features, senses.data());
  return best_of(senses.data(), count);
}

View view_of(const RoleFeatures& seen, int word, int known_senses, const Scorer& senses, const Scorer& weights, const Scorer& network,
             const std::uint8_t* single, int least) {
  Features features;
  View view{word, sense_of(seen, word, senses, known_senses, features), seen.about(word), seen.candidates(word), {}, {}};
  const int roles = weights.classes();
  view.scores.assign(view.candidates.size() * static_cast<std::size_t>(roles), 0);
  for (std::size_t k = 0; k < view.candidates.size(); ++k) {
    seen.of_candidate(word, view.about, view.candidates[k], features);
    weights.add_scores(features, view.of(k, roles));
    seen.of_network(word, view.about, view.candidates[k], features);
    network.add_scores(features, view.of(k, roles));
    for (Score* score = view.of(k, roles); score != view.of(k + 1, roles); ++score) *score /= 2;
  }
  view.choose_roles(roles, single, least);
  return view;
}

// How far apart two scores are, in steps.
Feature step_of(Score difference) {
  constexpr std::array<Score, 9> halves{1, 2, 3, 4, 6, 8, 10, 12, 16};  // of a natural logarithm
  const Score size = std::abs(difference) * 2 / units_a_nat;
  const auto step = static_cast<Feature>(std::upper_bound(halves.begin(), halves.end(), size) - halves.begin());
  return step * 2 + (difference < 0);
}

// What the second model knows of a candidate: what the first one thinks of it, of the other candidates of its predicate, and of the
// same words beside the sentence's other predicates.
class ContextFeatures {
 public:
  ContextFeatures(const ParsedSentence& parsed, const std::vector<View>& views, int roles) : parsed_(parsed), views_(views), roles_(roles) {}

  // False if the first model is sure that the candidate has no role.
  bool of(const View& view, std::size_t candidate, Features& out) const {
    out.clear();
    const Score* own = view.of(candidate, roles_);
    const int best = 1 + best_of(own + 1, roles_ - 1);
    if (own[0] - own[best] > 7 * units_a_nat) return false;
    const Possible& c = view.candidates[candidate];
    const Feature role = static_cast<Feature>(best), margin = step_of(own[best] - own[0]);
    int second = best == 1 ? 2 : 1;
    for (int k = 1; k < roles_; ++k)
      if (k != best && own[k] > own[second]) second = k;
    const Feature next = static_cast<Feature>(second), gap = step_of(own[best] - own[second]);
    const Feature lemma = view.about.lemma, voice = view.about.voice, tag = view.about.tag;
    const Feature sense = combine(lemma, static_cast<Feature>(view.sense));
    const Feature relation = parsed_.dependencies.relations[static_cast<std::size_t>(c.head)];
    const Feature head = parsed_.lemmas[static_cast<std::size_t>(c.head)];
    const Feature side = c.begin > view.word, way = static_cast<Feature>(c.way), rs = combine(combine(relation, side), way);
    Feature mask = 0;
    bool taken = false;
    for (const Chosen& each : view.chosen)
      if (static_cast<std::size_t>(each.candidate) == candidate) taken = true;
      else mask |= Feature{1} << (each.argument.role & 63);
    int n = 0;
    out.add(n++, taken); out.add(n++, role, margin); out.add(n++, role, margin, gap); out.add(n++, role, next, gap); out.add(n++, role, margin, lemma);
    out.add(n++, role, margin, way); out.add(n++, role, margin, tag); out.add(n++, role, margin, rs); out.add(n++, taken, role, rs); out.add(n++, taken, margin);
    out.add(n++, mask, role); out.add(n++, mask, role, voice); out.add(n++, mask, sense); out.add(n++, mask, sense, rs); out.add(n++, mask, rs, tag);
    out.add(n++, sense, rs); out.add(n++, sense, rs, voice); out.add(n++, sense, c.path); out.add(n++, sense, role); out.add(n++, sense, head);
    // Who else wants the role.
    Score rival = -30 * units_a_nat;
    for (std::size_t k = 0; k < view.candidates.size(); ++k)
      if (const Score* other = view.of(k, roles_); k != candidate && (view.candidates[k].end <= c.begin || c.end <= view.candidates[k].begin))
        rival = std::max(rival, other[best] - other[0]);
    out.add(n++, role, step_of(own[best] - own[0] - rival)); out.add(n++, role, margin, step_of(rival));
    for (const Chosen& each : view.chosen) {
      if (static_cast<std::size_t>(each.candidate) == candidate || out.size() > 60) continue;
      const Feature place = place_of(each.argument, c), theirs = static_cast<Feature>(each.argument.role);
      out.add(40, theirs, place); out.add(41, theirs, place, role); out.add(42, theirs, place, role, margin); out.add(43, theirs, place, lemma);
      out.add(44, theirs, place, rs);
    }
    for (const View& other : views_) {
      if (other.word == view.word || out.size() > Features::most - 30) continue;
      const Feature link = link_of(view.word, other.word);
      Feature around = 0, beside = 0;  // the roles of the predicate's own clause and of the candidate in the other's structure
      for (const Chosen& each : other.chosen) {
        const Argument& a = each.argument;
        if (a.begin <= view.word && view.word < a.end) around = static_cast<Feature>(a.role);
        if (a.begin == c.begin && a.end == c.end) beside = static_cast<Feature>(a.role);
      }
      if (c.begin <= other.word && other.word < c.end) around += 256;
      if (beside == 0 && (around == 0 || link == 0)) continue;
      const Feature their = other.about.lemma;
      out.add(50, link, around, beside); out.add(51, link, around, beside, role); out.add(52, link, around, beside, their);
      out.add(53, link, around, beside, their, rs); out.add(54, link, beside, lemma); out.add(55, link, beside, role, margin);
    }
    return true;
  }

 private:
  static Feature place_of(const Argument& a, const Possible& c) {
    if (a.end <= c.begin) return 1;
    if (c.end <= a.begin) return 2;
    return a.begin <= c.begin && c.end <= a.end ? 3 : 4;
  }

  // How another predicate hangs together with this one: above, below, beside under the same word, or not at all.
  Feature link_of(int word, int other) const {
    const auto& heads = parsed_.dependencies.heads;
    const auto& relations = parsed_.dependencies.relations;
    const auto here = static_cast<std::size_t>(word), there = static_cast<std::size_t>(other);
    if (heads[here] == other) return combine(21, relations[here]);
    if (heads[there] == word) return combine(22, relations[there]);
    if (heads[here] >= 0 && heads[here] == heads[there]) return combine(23, relations[here]);
    return 0;
  }

  const ParsedSentence& parsed_;
  const std::vector<View>& views_;
  int roles_;
};

// Scores of the second model are added to those of the first.
void revise(const ParsedSentence& parsed, std::vector<View>& views, const Scorer& revision, const std::uint8_t* single, int least) {
  const int roles = revision.classes();
  const ContextFeatures context(parsed, views, roles);
  std::vector<std::vector<Score>> revised;
  Features features;
  for (const View& view : views) {
    revised.push_back(view.scores);
    for (std::size_t k = 0; k < view.candidates.size(); ++k)
      if (context.of(view, k, features)) revision.add_scores(features, revised.back().data() + k * static_cast<std::size_t>(roles));
  }
  for (std::size_t i = 0; i < views.size(); ++i) {
    views[i].scores = std::move(revised[i]);
    views[i].choose_roles(roles, single, least);
  }
}

// Multinomial logistic regression by stochastic gradients, averaged over time. Weights are whole numbers, so that sums do not depend
// on the order of threads or the compiler.
class Learner {
 public:
  explicit Learner(int classes) : weights_(classes, 2), scores_(static_cast<std::size_t>(classes)), shares_(scores_.size()) {}

  void note(const Features& features) { weights_.note(features); }
  void end_notes() { weights_.end_notes(); }
  void tick() { weights_.tick(); }
  std::string pack(std::size_t bytes) const { return weights_.pack(bytes, largest_weight * learning_units); }
  std::string pack_best(std::size_t bytes) const { return weights_.pack(bytes); }

  // For choices of which only the best counts: a perceptron that keeps the right class ahead by a margin.
  void learn_best(const Features& features, int right, int count, int margin) {
    std::fill(scores_.begin(), scores_.end(), 0);
    weights_.add_scores(features, scores_.data());
    int best = right == 0 ? 1 : 0;
    for (int k = 0; k < count; ++k)
      if (k != right && scores_[static_cast<std::size_t>(k)] > scores_[static_cast<std::size_t>(best)]) best = k;
    if (scores_[static_cast<std::size_t>(right)] > scores_[static_cast<std::size_t>(best)] + margin) return;
    weights_.update(features, right, 1);
    weights_.update(features, best, -1);
  }

  // offset: scores that something else has given the classes, in packed units; none if it is null.
  void learn(const Features& features, int right, int count, const Score* offset = nullptr) {
    std::fill(scores_.begin(), scores_.end(), 0);
    weights_.add_scores(features, scores_.data());
    const auto classes = static_cast<std::size_t>(count);
    double top = -1e9, sum = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      shares_[k] = scores_[k] / learning_units + (offset != nullptr ? static_cast<double>(offset[k]) / units_a_nat : 0);
      top = std::max(top, shares_[k]);
    }
    for (std::size_t k = 0; k < classes; ++k) sum += shares_[k] = std::exp(shares_[k] - top);
    for (std::size_t k = 0; k < classes; ++k) {
      const double gradient = (static_cast<int>(k) == right) - shares_[k] / sum;
      const int amount = static_cast<int>(std::lround(gradient * rate));
      if (std::abs(gradient) > least_gradient && amount != 0) weights_.update(features, static_cast<int>(k), amount);
    }
  }

 private:
  static constexpr double learning_units = 2048, rate = 64, least_gradient = 0.01, largest_weight = 127.0 * 127.0 / units_a_nat;
  LearningWeights weights_;
  std::vector<Score> scores_;
  std::vector<double> shares_;
};

int role_of(const Possible& c, const Predicate& gold) {
  for (const Argument& a : gold.arguments)
    if (a.begin == c.begin && a.end == c.end) return a.role;
  return 0;
}

// Calls learn(example) for every place in every epoch, in an order of chance; the first time to note features.
template <class Learn, class End>
void run_epochs(std::vector<std::size_t> order, int epochs, std::uint64_t seed, const Learn& learn, const End& end_notes) {
  for (const std::size_t place : order) learn(place, true);
  end_notes();
  std::uint64_t state = seed;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[static_cast<std::size_t>(mix(state += 0x9e3779b97f4a7c15ull) % i)]);
    for (const std::size_t place : order) learn(place, false);
  }
}

// Networks that begin with other chances make other mistakes; together they make fewer.
std::string train_networks(const std::vector<RoleExample>& examples, const std::vector<std::size_t>& places, const RoleSchedule& schedule) {
  std::vector<LearningNetwork> networks;
  for (int number = 0; number < schedule.networks; ++number) {
    const std::uint64_t seed = mix(schedule.seed + static_cast<std::uint64_t>(number));
    LearningNetwork& network = networks.emplace_back(schedule.roles, schedule.units, schedule.least_notes, seed);
    Features features;
    std::size_t seen_places = 0;
    run_epochs(places, schedule.epochs, seed, [&](std::size_t place, bool note) {
      const RoleExample& example = examples[place];
      const RoleFeatures seen(example.parsed);
      for (const Predicate& gold : example.gold) {
        const auto about = seen.about(gold.word);
        for (const Possible& c : seen.candidates(gold.word)) {
          seen.of_network(gold.word, about, c, features);
          note ? network.note(features) : network.learn(features, role_of(c, gold));
        }
      }
      if (!note && ++seen_places % places.size() == 0) network.end_epoch();
    }, [&] { network.end_notes(); });
  }
  return LearningNetwork::pack(networks, units_a_nat);
}

RoleWeights train_first(const std::vector<RoleExample>& examples, const std::vector<std::size_t>& places, const RoleSchedule& schedule) {
  Learner predicates(2), senses(most_senses), naming(schedule.roles);
  Features features;
  run_epochs(places, schedule.epochs, schedule.seed, [&](std::size_t place, bool note) {
    const RoleExample& example = examples[place];
    const RoleFeatures seen(example.parsed);
    const auto learn_best = [&](Learner& learner, int right, int count, int margin) {
      note ? learner.note(features) : learner.learn_best(features, right, count, margin);
    };
    for (Learner* each : {&predicates, &senses, &naming}) each->tick();
    std::size_t next = 0;
    for (std::size_t word = 0; word < example.parsed.tags.size(); ++word) {
      const bool is_predicate = next < example.gold.size() && example.gold[next].word == static_cast<std::int32_t>(word);
      if (is_predicate || (example.parsed.tag_uses[example.parsed.tags[word]] & may_be_predicate) != 0) {
        seen.of_word(static_cast<int>(word), features);
        learn_best(predicates, is_predicate, 2, 4);
      }
      if (!is_predicate) continue;
      const Predicate& gold = example.gold[next++];
      const int count = std::min<int>(most_senses, example.sense_counts[word]);
      if (count > 1 && gold.sense < count) learn_best(senses, gold.sense, count, 2);
      const auto about = seen.about(gold.word);
      for (const Possible& c : seen.candidates(gold.word)) {
        seen.of_candidate(gold.word, about, c, features);
        note ? naming.note(features) : naming.learn(features, role_of(c, gold), schedule.roles);
      }
    }
  }, [&] { for (Learner* each : {&predicates, &senses, &naming}) each->end_notes(); });
  RoleWeights packed;
  packed.predicates = predicates.pack_best(schedule.bytes / 10);
  packed.senses = senses.pack_best(schedule.bytes / 10);
  packed.roles = naming.pack(schedule.bytes / 2);
  packed.network = train_networks(examples, places, schedule);
  return packed;
}

// Of sentences that occur several times, with other analyses, all belong to the same fold.
std::size_t fold_of(const RoleExample& example, std::size_t folds) {
  Feature all = 1;
  for (const auto& word : example.parsed.sentence.words) all = combine(all, word.lower);
  return static_cast<std::size_t>(mix(all) % folds);
}

}  // namespace

ClassTable::ClassTable(std::string_view data) {
  if (data.size() < 4 || reinterpret_cast<std::uintptr_t>(data.data()) % 4 != 0) throw std::invalid_argument("classes: too short, or at an odd place");
  std::memcpy(&count_, data.data(), 4);
  if (data.size() != 4 + std::size_t{count_} * (4 + sizeof(WordClasses))) throw std::invalid_argument("classes: sizes do not agree");
  hashes_ = reinterpret_cast<const std::uint32_t*>(data.data() + 4);
  classes_ = reinterpret_cast<const std::uint16_t*>(hashes_ + count_);
  if (!std::is_sorted(hashes_, hashes_ + count_)) throw std::invalid_argument("classes: out of order");
}

WordClasses ClassTable::find(Feature lemma) const {
  const auto hash = static_cast<std::uint32_t>(lemma >> 32);
  const std::uint32_t* place = std::lower_bound(hashes_, hashes_ + count_, hash);
  WordClasses found{};
  if (place != hashes_ + count_ && *place == hash) std::copy_n(classes_ + (place - hashes_) * static_cast<std::ptrdiff_t>(found.size()), found.size(), found.begin());
  return found;
}

std::string ClassTable::pack(std::vector<std::pair<Feature, WordClasses>> lemmas) {
  std::sort(lemmas.begin(), lemmas.end());
  lemmas.erase(std::unique(lemmas.begin(), lemmas.end(), [](const auto& a, const auto& b) { return a.first >> 32 == b.first >> 32; }), lemmas.end());
  std::vector<std::uint32_t> hashes{static_cast<std::uint32_t>(lemmas.size())};
  std::vector<std::uint16_t> classes;
  for (const auto& [lemma, own] : lemmas) {
    hashes.push_back(static_cast<std::uint32_t>(lemma >> 32));
    classes.insert(classes.end(), own.begin(), own.end());
  }
  std::string packed(reinterpret_cast<const char*>(hashes.data()), hashes.size() * 4);
  return packed.append(reinterpret_cast<const char*>(classes.data()), classes.size() * 2);
}

std::vector<Predicate> RoleLabeller::finish(const ParsedSentence& parsed, const RoleFeatures& seen, const std::vector<int>& words,
                                            const std::uint8_t* sense_counts) const {
  std::vector<View> views;
  for (const int word : words)
    views.push_back(view_of(seen, word, sense_counts[word], models_.senses, models_.roles, models_.network, single_, least_));
  revise(parsed, views, models_.revision, single_, least_);
  std::vector<Predicate> found;
  for (const View& view : views) {
    found.push_back({view.word, view.sense, {}});
    for (const Chosen& each : view.chosen) found.back().arguments.push_back(each.argument);
  }
  return found;
}

std::vector<Predicate> RoleLabeller::label(const ParsedSentence& parsed, const std::vector<int>& words, const std::uint8_t* sense_counts) const {
  return finish(parsed, RoleFeatures(parsed), words, sense_counts);
}

std::vector<Predicate> RoleLabeller::label(const ParsedSentence& parsed, const std::uint8_t* sense_counts) const {
  const RoleFeatures seen(parsed);
  std::vector<int> words;
  Features features;
  for (std::size_t word = 0; word < parsed.tags.size(); ++word) {
    if ((parsed.tag_uses[parsed.tags[word]] & may_be_predicate) == 0) continue;
    seen.of_word(static_cast<int>(word), features);
    Score yes[2] = {0, 0};
    models_.predicates.add_scores(features, yes);
    if (yes[1] > yes[0]) words.push_back(static_cast<int>(word));
  }
  return finish(parsed, seen, words, sense_counts);
}

RoleWeights train_roles(const std::vector<RoleExample>& examples, const std::uint8_t* single, const RoleSchedule& schedule) {
  std::vector<std::size_t> all(examples.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  RoleWeights packed;
  // The second model learns from what first models say of sentences that they have not seen.
  const auto folds = static_cast<std::size_t>(schedule.folds);
  std::vector<RoleWeights> without(folds);
  std::vector<std::thread> workers;
  workers.emplace_back([&] { packed = train_first(examples, all, schedule); });
  for (std::size_t fold = 0; fold < folds; ++fold)
    workers.emplace_back([&, fold] {
      std::vector<std::size_t> rest;
      std::copy_if(all.begin(), all.end(), std::back_inserter(rest), [&](std::size_t place) { return fold_of(examples[place], folds) != fold; });
      without[fold] = train_first(examples, rest, schedule);
    });
  for (std::thread& worker : workers) worker.join();
  std::vector<PackedWeights> senses, roles;
  std::vector<PackedNetwork> networks;
  for (const RoleWeights& each : without) {
    senses.emplace_back(each.senses);
    roles.emplace_back(each.roles);
    networks.emplace_back(each.network);
  }
  Learner revision(schedule.roles);
  Features features;
  run_epochs(all, schedule.epochs, schedule.seed, [&](std::size_t place, bool note) {
    const RoleExample& example = examples[place];
    const RoleFeatures seen(example.parsed);
    const std::size_t fold = fold_of(example, folds);
    std::vector<View> views;
    for (const Predicate& gold : example.gold)
      views.push_back(view_of(seen, gold.word, example.sense_counts[static_cast<std::size_t>(gold.word)], senses[fold], roles[fold],
                              networks[fold], single, schedule.least));
    const ContextFeatures context(example.parsed, views, schedule.roles);
    revision.tick();
    for (std::size_t i = 0; i < views.size(); ++i)
      for (std::size_t k = 0; k < views[i].candidates.size(); ++k) {
        if (!context.of(views[i], k, features)) continue;
        if (note) revision.note(features);
        else revision.learn(features, role_of(views[i].candidates[k], example.gold[i]), schedule.roles, views[i].of(k, schedule.roles));
      }
  }, [&] { revision.end_notes(); });
  packed.revision = revision.pack(schedule.bytes - packed.predicates.size() - packed.senses.size() - packed.roles.size());
  packed.network = PackedNetwork(packed.network).pruned(schedule.network_bytes);
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
