#include "phrases/cover.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include "base/hashing.hpp"

namespace paragauge {

namespace {

constexpr std::int32_t kNone = -1;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// From set numbers to list heads, emptied in no time: an entry counts only if it has the present round.
class SetTable {
 public:
  void clear(std::size_t expected) {
    std::size_t size = 64;
    while (size < 2 * expected) size *= 2;
    if (size > keys_.size()) {
      keys_.assign(size, 0);
      values_.assign(size, kNone);
      rounds_.assign(size, 0);
      round_ = 0;
    }
    ++round_;
  }

  std::int32_t& operator[](std::int64_t key) {
    std::size_t slot = slot_of(key);
    if (rounds_[slot] != round_) {
      rounds_[slot] = round_;
      keys_[slot] = key;
      values_[slot] = kNone;
    }
    return values_[slot];
  }

  std::int32_t find(std::int64_t key) const {
    const std::size_t slot = slot_of(key);
    return rounds_[slot] == round_ ? values_[slot] : kNone;
  }

 private:
  std::size_t slot_of(std::int64_t key) const {
    const std::size_t mask = keys_.size() - 1;
    std::size_t slot = static_cast<std::size_t>(mix(static_cast<std::uint64_t>(key))) & mask;
    while (rounds_[slot] == round_ && keys_[slot] != key) slot = (slot + 1) & mask;
    return slot;
  }

  std::vector<std::int64_t> keys_;
  std::vector<std::int32_t> values_;
  std::vector<std::uint64_t> rounds_;
  std::uint64_t round_ = 0;
};

struct Occurrence {
  std::int32_t begin, length, phrase;
};

struct Sentence {
  std::vector<std::int32_t> words;  // by number
  std::vector<Occurrence> phrases;  // by begin, then length
};

struct Phrase {
  std::int32_t length;
  std::vector<std::int64_t> sets;      // of all tables
  std::vector<std::int32_t> partners;  // phrases of references that share a set, the longest first
};

struct Place {
  std::int64_t number;
  PhraseIndex::Range more;
};

// Several phrases of the candidate begin here; together with a partner of the right length each makes `size` words.
struct Choice {
  std::int32_t size, begin, occurrence, first_partner, last_partner;
};

}  // namespace

struct CoverFinder::State {
  std::vector<PhraseSets> tables;
  std::vector<std::int64_t> first_set;  // of each table, in the common numbering
  CoverOptions options;

  std::unordered_map<std::string_view, std::vector<Place>> places;  // of single words, kept from segment to segment
  std::unordered_map<std::string_view, std::int32_t> word_numbers, phrase_numbers;
  Sentence candidate;
  std::vector<Sentence> references;
  std::vector<Phrase> phrases;
  // Where each phrase begins in each reference: starts[starts_of[r][p] .. starts_of[r][p + 1]).
  std::vector<std::vector<std::int32_t>> starts_of, starts;
  std::vector<Choice> choices;
  SetTable sets;
  Cover cover;

  // While a cover is looked for:
  std::vector<std::int32_t> active;               // references that take part
  std::vector<std::vector<std::uint8_t>> used;    // words of references
  std::vector<std::vector<std::int32_t>> next;    // by reference and phrase: the first start that may be free
  std::vector<std::int32_t> span_at;              // occurrence that a word of the candidate belongs to
  std::vector<std::vector<std::int32_t>> matched; // by reference and begin in the candidate: match number
  std::vector<std::int32_t> word_counts, best_counts, present_counts;

  void look_up(const WordList& words, Sentence& sentence);
  void link_phrases();
  void list_choices();
  void begin(std::vector<std::int32_t>&& references);
  bool is_free(std::int32_t reference, std::int32_t begin, std::int32_t length) const;
  void take(const Occurrence& own, std::int32_t reference, std::int32_t begin, std::int32_t length);
  void cover_greedily();
  void cover_exactly();
  void clip();
  void match_words();
  void finish();
  const Cover& run(std::vector<std::int32_t>&& references);
};

CoverFinder::CoverFinder(const std::vector<PhraseSets>& tables, const CoverOptions& options) : state_(new State) {
  state_->tables = tables;
  state_->options = options;
  std::int64_t sets = 0;
  for (const PhraseSets& table : tables) {
    state_->first_set.push_back(sets);
    sets += table.set_count;
  }
}

CoverFinder::~CoverFinder() { delete state_; }

void CoverFinder::load(const WordList& candidate, const std::vector<WordList>& references) {
  State& s = *state_;
  s.word_numbers.clear();
  s.phrase_numbers.clear();
  s.phrases.clear();
  s.look_up(candidate, s.candidate);
  s.references.resize(references.size());
  for (std::size_t r = 0; r < references.size(); ++r) s.look_up(references[r], s.references[r]);
  s.link_phrases();
  s.list_choices();
}

void CoverFinder::State::look_up(const WordList& words, Sentence& sentence) {
  const auto length = static_cast<std::int32_t>(words.size());
  sentence.words.clear();
  sentence.phrases.clear();
  for (const std::string_view word : words)
    sentence.words.push_back(
        word_numbers.emplace(word, static_cast<std::int32_t>(word_numbers.size())).first->second);
  std::vector<Place> now;
  for (std::int32_t begin = 0; begin < length; ++begin) {
    const std::string_view first = words[at(begin)];
    auto known = places.find(first);
    if (known == places.end()) {
      std::vector<Place> fresh;
      for (const PhraseSets& table : tables) {
        const auto [number, longer] = table.index.find_with_longer(first, {0, table.index.size()});
        fresh.push_back({number, longer});
      }
      known = places.emplace(first, std::move(fresh)).first;
    }
    now = known->second;
    for (std::int32_t end = begin + 1;; ++end) {
      const std::string_view last = words[at(end - 1)];
      const std::string_view text(first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data()));
      bool goes_on = false;
      if (end > begin + 1)
        for (std::size_t t = 0; t < tables.size(); ++t) {
          const PhraseIndex::Range within = now[t].more;
          if (within.empty()) {
            now[t] = {kNone, within};
          } else {
            const auto [number, longer] = tables[t].index.find_with_longer(text, within);
            now[t] = {number, longer};
          }
        }
      bool found = false;
      for (std::size_t t = 0; t < tables.size(); ++t) {
        found = found || (now[t].number >= 0 && tables[t].known[now[t].number]);
        goes_on = goes_on || !now[t].more.empty();
      }
      if (found && end - begin >= options.min_length) {
        const auto [entry, fresh] = phrase_numbers.emplace(text, static_cast<std::int32_t>(phrases.size()));
        if (fresh) {
          Phrase phrase;
          phrase.length = end - begin;
          for (std::size_t t = 0; t < tables.size(); ++t)
            if (now[t].number >= 0)
              for (std::int64_t k = tables[t].rows[now[t].number]; k < tables[t].rows[now[t].number + 1]; ++k)
                phrase.sets.push_back(first_set[t] + tables[t].sets[k]);
          phrases.push_back(std::move(phrase));
        }
        sentence.phrases.push_back({begin, end - begin, entry->second});
      }
      if (!goes_on || end == length) break;
    }
  }
}

void CoverFinder::State::link_phrases() {
  const std::size_t count = phrases.size();
  std::vector<std::int32_t> own;  // different phrases of the candidate
  std::vector<std::uint8_t> in_candidate(count, 0);
  std::size_t entries = 0;
  for (const Occurrence& each : candidate.phrases)
    if (!in_candidate[at(each.phrase)]) {
      in_candidate[at(each.phrase)] = 1;
      own.push_back(each.phrase);
      entries += phrases[at(each.phrase)].sets.size();
    }
  // The members of a set, as a list that begins in `sets`.
  std::vector<std::pair<std::int32_t, std::int32_t>> members;  // phrase, next
  members.reserve(entries);
  sets.clear(entries);
  for (const std::int32_t p : own)
    for (const std::int64_t set : phrases[at(p)].sets) {
      std::int32_t& head = sets[set];
      members.emplace_back(p, head);
      head = static_cast<std::int32_t>(members.size()) - 1;
    }

  starts_of.assign(references.size(), {});
  starts.assign(references.size(), {});
  std::vector<std::uint8_t> seen(count, 0);
  std::vector<std::int32_t> linked_to(count, kNone);
  for (std::size_t r = 0; r < references.size(); ++r) {
    std::vector<std::int32_t>& bounds = starts_of[r];
    bounds.assign(count + 1, 0);
    for (const Occurrence& each : references[r].phrases) ++bounds[at(each.phrase) + 1];
    for (std::size_t p = 0; p < count; ++p) bounds[p + 1] += bounds[p];
    starts[r].resize(references[r].phrases.size());
    std::vector<std::int32_t> place(bounds.begin(), bounds.end() - 1);
    for (const Occurrence& each : references[r].phrases) {
      starts[r][at(place[at(each.phrase)]++)] = each.begin;
      const std::int32_t q = each.phrase;
      if (seen[at(q)]) continue;
      seen[at(q)] = 1;
      if (in_candidate[at(q)]) {
        phrases[at(q)].partners.push_back(q);
        linked_to[at(q)] = q;
      }
      for (const std::int64_t set : phrases[at(q)].sets)
        for (std::int32_t m = sets.find(set); m != kNone; m = members[at(m)].second) {
          const std::int32_t p = members[at(m)].first;
          if (linked_to[at(p)] == q) continue;
          linked_to[at(p)] = q;
          phrases[at(p)].partners.push_back(q);
        }
    }
  }
  for (const std::int32_t p : own) {
    std::vector<std::int32_t>& partners = phrases[at(p)].partners;
    std::stable_sort(partners.begin(), partners.end(), [this](std::int32_t one, std::int32_t other) {
      return phrases[at(one)].length > phrases[at(other)].length;
    });
  }
}

void CoverFinder::State::list_choices() {
  choices.clear();
  for (std::size_t o = 0; o < candidate.phrases.size(); ++o) {
    const Occurrence& own = candidate.phrases[o];
    const std::vector<std::int32_t>& partners = phrases[at(own.phrase)].partners;
    for (std::size_t first = 0; first < partners.size();) {
      const std::int32_t length = phrases[at(partners[first])].length;
      std::size_t last = first;
      while (last < partners.size() && phrases[at(partners[last])].length == length) ++last;
      choices.push_back({own.length + length, own.begin, static_cast<std::int32_t>(o),
                         static_cast<std::int32_t>(first), static_cast<std::int32_t>(last)});
      first = last;
    }
  }
  std::stable_sort(choices.begin(), choices.end(), [](const Choice& one, const Choice& other) {
    return one.size != other.size ? one.size > other.size : one.begin < other.begin;
  });
}

void CoverFinder::State::begin(std::vector<std::int32_t>&& chosen) {
  active = std::move(chosen);
  cover.matches.clear();
  cover.proven = true;
  span_at.assign(candidate.words.size(), kNone);
  used.resize(references.size());
  next.resize(references.size());
  matched.resize(references.size());
  for (const std::int32_t r : active) {
    used[at(r)].assign(references[at(r)].words.size(), 0);
    next[at(r)].assign(starts_of[at(r)].begin(), starts_of[at(r)].end() - 1);
    matched[at(r)].assign(candidate.words.size(), kNone);
  }
}

bool CoverFinder::State::is_free(std::int32_t reference, std::int32_t begin, std::int32_t length) const {
  const std::vector<std::uint8_t>& words = used[at(reference)];
  for (std::int32_t k = begin; k < begin + length; ++k)
    if (words[at(k)]) return false;
  return true;
}

void CoverFinder::State::take(const Occurrence& own, std::int32_t reference, std::int32_t begin, std::int32_t length) {
  matched[at(reference)][at(own.begin)] = static_cast<std::int32_t>(cover.matches.size());
  cover.matches.push_back({reference, own.begin, own.length, begin, length, true});
  for (std::int32_t k = begin; k < begin + length; ++k) used[at(reference)][at(k)] = 1;
}

// The most words first, both sides added; then leftmost: by begin in the candidate, by reference, by begin in the
// reference, and the longer phrase of the candidate.
void CoverFinder::State::cover_greedily() {
  for (std::size_t first = 0; first < choices.size();) {
    std::size_t last = first;
    while (last < choices.size() && choices[last].size == choices[first].size &&
           choices[last].begin == choices[first].begin)
      ++last;
    for (const std::int32_t r : active) {
      std::int32_t best_begin = kNone, best_length = 0, best_own = kNone;
      for (std::size_t c = first; c < last; ++c) {
        const Occurrence& own = candidate.phrases[at(choices[c].occurrence)];
        const std::int32_t holder = span_at[at(own.begin)];
        if (holder == choices[c].occurrence) {
          if (matched[at(r)][at(own.begin)] != kNone) continue;
        } else {
          bool free = true;
          for (std::int32_t k = own.begin; free && k < own.begin + own.length; ++k) free = span_at[at(k)] == kNone;
          if (!free) continue;
        }
        const std::vector<std::int32_t>& partners = phrases[at(own.phrase)].partners;
        for (std::int32_t k = choices[c].first_partner; k < choices[c].last_partner; ++k) {
          const std::int32_t q = partners[at(k)], length = phrases[at(q)].length;
          std::int32_t& place = next[at(r)][at(q)];
          const std::int32_t end = starts_of[at(r)][at(q) + 1];
          while (place < end && !is_free(r, starts[at(r)][at(place)], length)) ++place;
          if (place == end) continue;
          const std::int32_t begin = starts[at(r)][at(place)];
          if (best_begin == kNone || begin < best_begin ||
              (begin == best_begin && own.length > candidate.phrases[at(best_own)].length)) {
            best_begin = begin;
            best_length = length;
            best_own = choices[c].occurrence;
          }
        }
      }
      if (best_begin == kNone) continue;
      const Occurrence& own = candidate.phrases[at(best_own)];
      for (std::int32_t k = own.begin; k < own.begin + own.length; ++k) span_at[at(k)] = best_own;
      take(own, r, best_begin, best_length);
    }
    first = last;
  }
}

// Branch and bound over the phrases of the candidate from left to right, and over what each of them may match in each
// reference. The bound lets every phrase have its longest partner, whoever else wants it.
void CoverFinder::State::cover_exactly() {
  const auto words = static_cast<std::int32_t>(candidate.words.size());
  std::int64_t best_value = 0;
  for (std::int32_t i = 0; i < words; ++i) best_value += span_at[at(i)] != kNone;
  for (const PhraseMatch& each : cover.matches) best_value += each.reference_length;
  std::vector<PhraseMatch> best = cover.matches;

  std::vector<std::vector<std::int32_t>> beginning(at(words));  // occurrences by begin
  std::vector<std::int64_t> most(candidate.phrases.size(), 0);  // words that an occurrence can add
  for (std::size_t o = 0; o < candidate.phrases.size(); ++o) {
    const Occurrence& own = candidate.phrases[o];
    for (const std::int32_t r : active)
      for (const std::int32_t q : phrases[at(own.phrase)].partners)
        if (starts_of[at(r)][at(q) + 1] > starts_of[at(r)][at(q)]) {
          most[o] += phrases[at(q)].length;
          break;  // partners begin with the longest
        }
    if (most[o] == 0) continue;
    most[o] += own.length;
    beginning[at(own.begin)].push_back(static_cast<std::int32_t>(o));
  }
  std::vector<std::int64_t> bound(at(words) + 1, 0);
  for (std::int32_t i = words - 1; i >= 0; --i) {
    bound[at(i)] = bound[at(i) + 1];
    for (const std::int32_t o : beginning[at(i)])
      bound[at(i)] = std::max(bound[at(i)], most[at(o)] + bound[at(i + candidate.phrases[at(o)].length)]);
    std::stable_sort(beginning[at(i)].begin(), beginning[at(i)].end(),
                     [&most](std::int32_t one, std::int32_t other) { return most[at(one)] > most[at(other)]; });
  }

  for (const std::int32_t r : active) std::fill(used[at(r)].begin(), used[at(r)].end(), std::uint8_t{0});
  cover.matches.clear();
  std::int64_t steps = 0, value = 0;
  const auto tired = [&] { return steps >= options.exact_steps; };
  // Both call each other: the next word of the candidate, and the next reference for one of its phrases.
  std::function<void(std::int32_t)> at_word;
  std::function<void(std::int32_t, std::size_t, bool)> at_reference;
  at_word = [&](std::int32_t i) {
    if (tired()) return;
    ++steps;
    if (value > best_value) {
      best_value = value;
      best = cover.matches;
    }
    if (i == words || value + bound[at(i)] <= best_value) return;
    for (const std::int32_t o : beginning[at(i)]) {
      if (value + most[at(o)] + bound[at(i + candidate.phrases[at(o)].length)] > best_value)
        at_reference(o, 0, false);
      if (tired()) return;
    }
    at_word(i + 1);
  };
  at_reference = [&](std::int32_t o, std::size_t which, bool any) {
    const Occurrence& own = candidate.phrases[at(o)];
    if (which == active.size()) {
      if (!any) return;
      value += own.length;
      at_word(own.begin + own.length);
      value -= own.length;
      return;
    }
    const std::int32_t r = active[which];
    for (const std::int32_t q : phrases[at(own.phrase)].partners) {
      const std::int32_t length = phrases[at(q)].length;
      for (std::int32_t k = starts_of[at(r)][at(q)]; k < starts_of[at(r)][at(q) + 1]; ++k) {
        const std::int32_t begin = starts[at(r)][at(k)];
        if (!is_free(r, begin, length)) continue;
        std::fill_n(used[at(r)].begin() + begin, length, std::uint8_t{1});
        cover.matches.push_back({r, own.begin, own.length, begin, length, true});
        value += length;
        at_reference(o, which + 1, true);
        value -= length;
        cover.matches.pop_back();
        std::fill_n(used[at(r)].begin() + begin, length, std::uint8_t{0});
        if (tired()) return;
      }
    }
    at_reference(o, which + 1, any);
  };
  // The depth of the calls grows with the words; a sentence that deep would never be searched to its end anyhow.
  if (words <= 10000) at_word(0);
  cover.proven = words <= 10000 && !tired();

  begin(std::vector<std::int32_t>(active));
  const bool proven = cover.proven;
  for (const PhraseMatch& each : best) {
    std::int32_t o = 0;
    while (candidate.phrases[at(o)].begin != each.candidate_begin ||
           candidate.phrases[at(o)].length != each.candidate_length)
      ++o;
    for (std::int32_t k = each.candidate_begin; k < each.candidate_begin + each.candidate_length; ++k) span_at[at(k)] = o;
    take(candidate.phrases[at(o)], each.reference, each.reference_begin, each.reference_length);
  }
  cover.proven = proven;
}

// Phrases of the candidate that are linked to one another count as one phrase, and match no more often than such
// phrases do in the reference where they match most often.
void CoverFinder::State::clip() {
  std::vector<std::int32_t> spans;  // occurrences, from left to right
  for (std::size_t i = 0; i < span_at.size(); ++i)
    if (span_at[i] != kNone && candidate.phrases[at(span_at[i])].begin == static_cast<std::int32_t>(i))
      spans.push_back(span_at[i]);
  std::vector<std::int32_t> parent(spans.size());
  for (std::size_t k = 0; k < spans.size(); ++k) parent[k] = static_cast<std::int32_t>(k);
  const auto root = [&parent](std::int32_t k) {
    while (parent[at(k)] != k) k = parent[at(k)] = parent[at(parent[at(k)])];
    return k;
  };
  std::size_t entries = 0;
  for (const std::int32_t o : spans) entries += phrases[at(candidate.phrases[at(o)].phrase)].sets.size();
  sets.clear(entries);
  std::unordered_map<std::int32_t, std::int32_t> first_of;  // phrases that repeat are the same, sets or not
  for (std::size_t k = 0; k < spans.size(); ++k) {
    const auto own = static_cast<std::int32_t>(k);
    const std::int32_t p = candidate.phrases[at(spans[k])].phrase;
    const auto [entry, fresh] = first_of.emplace(p, own);
    if (!fresh) {
      parent[at(root(own))] = root(entry->second);
      continue;
    }
    for (const std::int64_t set : phrases[at(p)].sets) {
      std::int32_t& head = sets[set];
      if (head == kNone) head = own;
      parent[at(root(own))] = root(head);
    }
  }
  std::vector<std::int32_t> limit(spans.size(), 0), present(spans.size(), 0), span_of(candidate.words.size(), kNone);
  for (std::size_t k = 0; k < spans.size(); ++k)
    span_of[at(candidate.phrases[at(spans[k])].begin)] = static_cast<std::int32_t>(k);
  for (const std::int32_t r : active) {
    std::fill(present.begin(), present.end(), 0);
    for (const PhraseMatch& each : cover.matches)
      if (each.reference == r) {
        const auto group = at(root(span_of[at(each.candidate_begin)]));
        limit[group] = std::max(limit[group], ++present[group]);
      }
  }
  std::vector<std::int32_t> order(parent.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::int32_t>(k);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t one, std::int32_t other) {
    return candidate.phrases[at(spans[at(one)])].length > candidate.phrases[at(spans[at(other)])].length;
  });
  for (const std::int32_t k : order)
    if (limit[at(root(k))]-- <= 0) {
      const Occurrence& own = candidate.phrases[at(spans[at(k)])];
      for (std::int32_t i = own.begin; i < own.begin + own.length; ++i) span_at[at(i)] = kNone;
      for (const std::int32_t r : active) {
        const std::int32_t m = matched[at(r)][at(own.begin)];
        if (m == kNone) continue;
        PhraseMatch& match = cover.matches[at(m)];
        match.counts = false;
        for (std::int32_t i = 0; i < match.reference_length; ++i) used[at(r)][at(match.reference_begin + i)] = 0;
      }
    }
}

// What phrases left over matches by identity, no more often than it is left over in any single reference.
void CoverFinder::State::match_words() {
  const std::size_t words = word_numbers.size();
  best_counts.assign(words, 0);
  for (const std::int32_t r : active) {
    present_counts.assign(words, 0);
    const std::vector<std::int32_t>& numbers = references[at(r)].words;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (!used[at(r)][i]) {
        std::int32_t& count = present_counts[at(numbers[i])];
        best_counts[at(numbers[i])] = std::max(best_counts[at(numbers[i])], ++count);
      }
  }
  word_counts.assign(words, 0);
  for (std::size_t i = 0; i < candidate.words.size(); ++i) {
    const std::size_t word = at(candidate.words[i]);
    if (span_at[i] != kNone) {
      cover.candidate[i] = WordMark::phrase;
    } else if (word_counts[word] < best_counts[word]) {
      ++word_counts[word];
      cover.candidate[i] = WordMark::word;
    }
  }
  if (active.size() != 1) return;
  const std::int32_t r = active.front();
  for (std::size_t i = 0; i < references[at(r)].words.size(); ++i) {
    const std::size_t word = at(references[at(r)].words[i]);
    if (used[at(r)][i]) {
      cover.references[at(r)][i] = WordMark::phrase;
    } else if (word_counts[word] > 0) {
      --word_counts[word];
      cover.references[at(r)][i] = WordMark::word;
    }
  }
}

void CoverFinder::State::finish() {
  cover.matched = cover.paraphrased = 0;
  for (const WordMark mark : cover.candidate) cover.matched += mark != WordMark::none;
  std::vector<std::uint8_t> literal(candidate.words.size(), 0);
  for (const PhraseMatch& each : cover.matches) {
    if (!each.counts) continue;
    bool same = each.candidate_length == each.reference_length;
    for (std::int32_t k = 0; same && k < each.candidate_length; ++k)
      same = candidate.words[at(each.candidate_begin + k)] ==
             references[at(each.reference)].words[at(each.reference_begin + k)];
    if (same) std::fill_n(literal.begin() + each.candidate_begin, each.candidate_length, std::uint8_t{1});
  }
  for (std::size_t i = 0; i < literal.size(); ++i)
    cover.paraphrased += cover.candidate[i] == WordMark::phrase && !literal[i];
}

const Cover& CoverFinder::State::run(std::vector<std::int32_t>&& chosen) {
  begin(std::move(chosen));
  cover.candidate.assign(candidate.words.size(), WordMark::none);
  cover.references.resize(references.size());
  for (std::size_t r = 0; r < references.size(); ++r)
    cover.references[r].assign(references[r].words.size(), WordMark::none);
  cover_greedily();
  if (options.exact_steps > 0) cover_exactly();
  if (active.size() > 1) clip();  // against one reference, matches are one to one already
  match_words();
  finish();
  return cover;
}

const Cover& CoverFinder::cover_all() {
  std::vector<std::int32_t> all;
  for (std::size_t r = 0; r < state_->references.size(); ++r) all.push_back(static_cast<std::int32_t>(r));
  return state_->run(std::move(all));
}

const Cover& CoverFinder::cover_one(std::int32_t reference) { return state_->run({reference}); }

}  // namespace paragauge
