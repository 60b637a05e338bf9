#include "lm/model.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "base/parallel.hpp"
#include "base/portable.hpp"
#include "lm/hash.hpp"

namespace paragauge::lm {

namespace {

std::uint64_t key_of(Node parent, Word word) {
  return (static_cast<std::uint64_t>(parent) << 32) | static_cast<std::uint32_t>(word);
}

// The slot of *key*, or null. Files may be damaged: a table without an empty slot must not hold us for ever.
const Slot* find(const Table& table, std::uint64_t key) {
  const auto count = static_cast<std::size_t>(table.count);
  std::size_t place = scaled(mix(key), count);
  for (std::size_t steps = 0; steps < count; ++steps) {
    const Slot& slot = table.slots[place];
    if (slot.key == key) return &slot;
    if (slot.key == empty_key) return nullptr;
    place = place + 1 == count ? 0 : place + 1;
  }
  return nullptr;
}

bool is_no_context(float log10_backoff) { return log10_backoff == 0 && std::signbit(log10_backoff); }

Weights weights_of(float log10_p, float log10_backoff, bool has_children) {
  if (log10_backoff == 0) log10_backoff = has_children ? 0.0f : -0.0f;
  return {log10_p, log10_backoff};
}

class TableBuilder {
 public:
  explicit TableBuilder(std::size_t ngrams) : slots_(ngrams + ngrams / 2 + 1, Slot{empty_key, {0, 0}}) {
    if (slots_.size() > most_ngrams) throw std::length_error("too many n-grams of one order for the model format");
  }

  Node insert(std::uint64_t key, Weights weights) {
    std::size_t place = scaled(mix(key), slots_.size());
    while (slots_[place].key != empty_key) place = place + 1 == slots_.size() ? 0 : place + 1;
    slots_[place] = Slot{key, weights};
    return static_cast<Node>(place);
  }

  std::vector<Slot> take() { return std::move(slots_); }

 private:
  std::vector<Slot> slots_;
};

}  // namespace

ModelArrays build_model(const Trie& trie, const Probabilities& probabilities) {
  const auto order = trie.levels.size();
  auto kept = [&](std::size_t level, Node node) { return !std::isnan(probabilities.log10_p[level][node]); };
  auto weights = [&](std::size_t level, Node node) {
    if (level + 1 == order) return Weights{probabilities.log10_p[level][node], -0.0f};
    bool has_children = false;
    const auto& first_child = trie.levels[level].first_child;
    for (Node child = first_child[node]; child < first_child[node + 1] && !has_children; ++child)
      has_children = kept(level + 1, child);
    return weights_of(probabilities.log10_p[level][node], probabilities.log10_backoff[level][node], has_children);
  };

  ModelArrays model;
  std::vector<Node> place(trie.levels[0].size());  // of each node of the level below, in its table
  std::iota(place.begin(), place.end(), Node{0});
  for (Node word = 0; word < place.size(); ++word) model.unigrams.push_back(weights(0, word));
  model.sizes.push_back(static_cast<std::int64_t>(place.size()));
  for (std::size_t level = 1; level < order; ++level) {
    const Level& ngrams = trie.levels[level];
    std::size_t size = 0;
    for (Node node = 0; node < ngrams.size(); ++node) size += kept(level, node);
    TableBuilder table(size);
    std::vector<Node> next(ngrams.size(), 0);
    const auto& first_child = trie.levels[level - 1].first_child;
    for (std::size_t parent = 0; parent < place.size(); ++parent) {
      for (Node node = first_child[parent]; node < first_child[parent + 1]; ++node) {
        if (kept(level, node)) next[node] = table.insert(key_of(place[parent], ngrams.word[node]), weights(level, node));
      }
    }
    model.tables.push_back(table.take());
    model.sizes.push_back(static_cast<std::int64_t>(size));
    place = std::move(next);
  }
  return model;
}

void Model::finish(State& state) const {
  while (state.length > 0 && is_no_context(state.log10_backoff[static_cast<std::size_t>(state.length - 1)])) --state.length;
}

double Model::advance(const State& before, Word word, State& after, int& found) const {
  const Weights& unigram = unigrams_[word];
  double log10_p = unigram.log10_p;
  after.node[0] = static_cast<Node>(word);
  after.log10_backoff[0] = unigram.log10_backoff;
  // Every suffix of a known n-gram is known: the first miss ends the search.
  int n = 1;
  for (; n <= before.length; ++n) {
    const auto level = static_cast<std::size_t>(n - 1);
    const Slot* slot = find(tables_[level], key_of(before.node[level], word));
    if (slot == nullptr) break;
    log10_p = slot->weights.log10_p;
    after.node[level + 1] = static_cast<Node>(slot - tables_[level].slots);
    after.log10_backoff[level + 1] = slot->weights.log10_backoff;
  }
  found = n;
  for (int context = n; context <= before.length; ++context)
    log10_p += before.log10_backoff[static_cast<std::size_t>(context - 1)];
  after.length = std::min(n, order() - 1);
  finish(after);
  return log10_p;
}

void Model::prefetch(Word context, Word word) const {
  if (tables_.empty()) return;
  const std::uint64_t key = key_of(static_cast<Node>(context), word);
  paragauge::prefetch(tables_[0].slots + scaled(mix(key), static_cast<std::size_t>(tables_[0].count)));
}

State Model::empty_state() const {
  State state;
  state.length = 0;
  return state;
}

State Model::begin_state() const {
  State state = empty_state();
  if (order() == 1) return state;
  state.length = 1;
  state.node[0] = static_cast<Node>(sentence_begin);
  state.log10_backoff[0] = unigrams_[sentence_begin].log10_backoff;
  finish(state);
  return state;
}

State Model::state_of(const std::vector<Node>& nodes) const {
  State state = empty_state();
  if (static_cast<int>(nodes.size()) >= order()) throw std::invalid_argument("the state belongs to another model");
  state.length = static_cast<int>(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::int64_t limit = i == 0 ? words_ : tables_[i - 1].count;
    if (nodes[i] >= limit) throw std::invalid_argument("the state belongs to another model");
    state.node[i] = nodes[i];
    state.log10_backoff[i] =
        i == 0 ? unigrams_[nodes[i]].log10_backoff : tables_[i - 1].slots[nodes[i]].weights.log10_backoff;
  }
  return state;
}

SentenceScore score_sentence(const Model& model, const Word* begin, const Word* end) {
  SentenceScore score;
  State states[2] = {model.begin_state(), model.empty_state()};
  int current = 0, found = 0;
  for (const Word* word = begin; word + 1 < end; ++word) model.prefetch(word[0], word[1]);
  for (const Word* word = begin; word < end; ++word, current = 1 - current) {
    const double log10_p = model.advance(states[current], *word, states[1 - current], found);
    score.log10_p += log10_p;
    if (*word == unknown_word) {
      ++score.unknown;
      score.unknown_log10_p += log10_p;
    }
  }
  score.words = end - begin;
  score.log10_p += model.advance(states[current], sentence_end, states[1 - current], found);
  return score;
}

Listing list_words(const Model& model) {
  Listing listing;
  listing.order = 1;
  for (Word word = 0; word < model.words(); ++word) {
    listing.rows.push_back(word);
    listing.weights.push_back(model.unigram(word));
    listing.places.push_back(static_cast<Node>(word));
  }
  return listing;
}

Listing list_longer(const Model& model, const Listing& contexts, int threads) {
  constexpr Node none = 0xffffffffu;
  const auto width = static_cast<std::size_t>(contexts.order);
  const Table& table = model.table(contexts.order + 1);
  std::vector<Node> rank(static_cast<std::size_t>(contexts.order == 1 ? model.words() : model.table(contexts.order).count), none);
  for (std::size_t i = 0; i < contexts.places.size(); ++i) rank[contexts.places[i]] = static_cast<Node>(i);

  // Contexts are in order already: n-grams are put together by context, and then each group is sorted by the last word.
  struct Child {
    Word word;
    Node place;
    Weights weights;
  };
  std::vector<std::size_t> begin(contexts.places.size() + 1, 0);
  std::vector<Node> ranks;  // of the contexts, so that they are looked up once: the tables are large, and in no order
  for (std::int64_t place = 0; place < table.count; ++place) {
    const std::uint64_t key = table.slots[place].key;
    if (key == empty_key) continue;
    const auto context = static_cast<std::size_t>(key >> 32);
    if (context >= rank.size() || rank[context] == none || static_cast<std::int64_t>(key & 0xffffffffu) >= model.words())
      throw std::runtime_error("the tables of the model are damaged");
    ranks.push_back(rank[context]);
    ++begin[ranks.back() + std::size_t{1}];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Child> sorted(begin.back());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  auto of_context = ranks.begin();
  for (std::int64_t place = 0; place < table.count; ++place) {
    const Slot& slot = table.slots[place];
    if (slot.key != empty_key)
      sorted[next[*of_context++]++] = {static_cast<Word>(slot.key & 0xffffffffu), static_cast<Node>(place), slot.weights};
  }

  Listing listing;
  listing.order = contexts.order + 1;
  listing.rows.resize(sorted.size() * (width + 1));
  listing.weights.resize(sorted.size());
  listing.places.resize(sorted.size());
  parallel_blocks(static_cast<std::int64_t>(contexts.places.size()), 1 << 12, threads,
                  [&](std::int64_t first, std::int64_t last, int) {
                    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
                      const auto context = contexts.rows.begin() + static_cast<std::ptrdiff_t>(i * width);
                      std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begin[i]),
                                sorted.begin() + static_cast<std::ptrdiff_t>(begin[i + 1]),
                                [](const Child& a, const Child& b) { return a.word < b.word; });
                      for (std::size_t child = begin[i]; child < begin[i + 1]; ++child) {
                        const auto row = listing.rows.begin() + static_cast<std::ptrdiff_t>(child * (width + 1));
                        std::copy(context, context + static_cast<std::ptrdiff_t>(width), row);
                        row[static_cast<std::ptrdiff_t>(width)] = sorted[child].word;
                        listing.weights[child] = sorted[child].weights;
                        listing.places[child] = sorted[child].place;
                      }
                    }
                  });
  return listing;
}

}  // namespace paragauge::lm
