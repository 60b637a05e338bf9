#include "lm/counts.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/parallel.hpp"

namespace paragauge::lm {

namespace {

// A place where n-grams begin; the second and third word are kept beside it, since they decide most comparisons.
struct Start {
  std::uint64_t next_words;
  std::uint32_t position;
};

std::vector<Word> with_boundaries(Sequences sentences, std::int64_t words, int order) {
  const std::int64_t tokens = sentences.offsets[sentences.count];
  const std::int64_t length = tokens + 2 * sentences.count;
  if (static_cast<std::uint64_t>(length) >= most_ngrams)
    throw std::length_error("more than 4 thousand million tokens; split the corpus");
  std::vector<Word> text;
  text.reserve(static_cast<std::size_t>(length + order));
  for (std::int64_t i = 0; i < sentences.count; ++i) {
    text.push_back(sentence_begin);
    const Span sentence = sentences[i];
    for (const Word* word = sentence.begin; word < sentence.end; ++word) {
      if (*word < first_ordinary_word || *word >= words)
        throw std::invalid_argument("ids: " + std::to_string(*word) + " is no word of the vocabulary");
      text.push_back(*word);
    }
    text.push_back(sentence_end);
  }
  text.insert(text.end(), static_cast<std::size_t>(order), sentence_end);  // so that reading ahead stays inside
  return text;
}

// The second and third word, or 0 where the sentence is over before.
std::uint64_t next_words(const Word* start, int order) {
  if (order < 2 || start[0] == sentence_end) return 0;
  const auto second = static_cast<std::uint64_t>(start[1]) << 32;
  if (order < 3 || start[1] == sentence_end) return second;
  return second | static_cast<std::uint32_t>(start[2]);
}

// Starts, grouped by their first word: group w is starts[begin[w] .. begin[w + 1]).
struct Groups {
  std::vector<Start> starts;
  std::vector<std::uint32_t> begin;
};

Groups group_by_first_word(const std::vector<Word>& text, std::size_t length, std::int64_t words, int order) {
  Groups groups;
  groups.begin.assign(static_cast<std::size_t>(words) + 1, 0);
  for (std::size_t i = 0; i < length; ++i) ++groups.begin[static_cast<std::size_t>(text[i]) + 1];
  for (std::size_t w = 0; w < static_cast<std::size_t>(words); ++w) groups.begin[w + 1] += groups.begin[w];
  std::vector<std::uint32_t> place(groups.begin.begin(), groups.begin.end() - 1);
  groups.starts.resize(length);
  for (std::size_t i = 0; i < length; ++i)
    groups.starts[place[static_cast<std::size_t>(text[i])]++] =
        Start{next_words(&text[i], order), static_cast<std::uint32_t>(i)};
  return groups;
}

void sort_groups(Groups& groups, const std::vector<Word>& text, int order, int threads) {
  auto before = [&](const Start& a, const Start& b) {
    if (a.next_words != b.next_words) return a.next_words < b.next_words;
    const Word* left = &text[a.position];
    const Word* right = &text[b.position];
    if (left[1] == sentence_end || left[2] == sentence_end) return false;  // equal up to the end of the sentence
    for (int n = 3; n < order; ++n) {
      if (left[n] != right[n]) return left[n] < right[n];
      if (left[n] == sentence_end) return false;
    }
    return false;
  };
  if (order < 2) return;
  const auto words = static_cast<std::int64_t>(groups.begin.size()) - 1;
  // <s> and the commonest words have by far the largest groups: single groups are handed out, so that threads share.
  parallel_blocks(words, 1 + words / 4096, threads, [&](std::int64_t begin, std::int64_t end, int) {
    for (auto w = static_cast<std::size_t>(begin); w < static_cast<std::size_t>(end); ++w) {
      if (w == sentence_end) continue;  // nothing follows
      std::sort(groups.starts.begin() + groups.begin[w], groups.starts.begin() + groups.begin[w + 1], before);
    }
  });
}

// How many words the n-grams beginning at both places share, at most *order*.
int shared_words(const Word* left, const Word* right, int order) {
  int n = 0;
  while (n < order && left[n] == right[n]) {
    if (left[n++] == sentence_end) break;
  }
  return n;
}

void add_ngrams(NgramCounts& counts, const Word* start, int known, int order) {
  for (int n = 1; n <= order; ++n) {
    const auto level = static_cast<std::size_t>(n - 1);
    if (n > known) {
      counts.trie.levels[level].word.push_back(start[n - 1]);
      counts.count[level].push_back(0);
      if (n < order)
        counts.trie.levels[level].first_child.push_back(static_cast<Node>(counts.trie.levels[level + 1].size()));
    }
    ++counts.count[level].back();
    if (start[n - 1] == sentence_end) break;
  }
}

void count_adjusted(NgramCounts& counts) {
  const auto order = static_cast<std::size_t>(counts.trie.order());
  counts.adjusted.resize(order);
  counts.adjusted[order - 1] = counts.count[order - 1];
  // The n-grams that begin with <s> are one range of every level.
  std::size_t begin = sentence_begin, end = sentence_begin + 1;
  for (std::size_t level = 0; level + 1 < order; ++level) {
    auto& adjusted = counts.adjusted[level];
    adjusted.assign(counts.count[level].size(), 0);
    for (Node suffix : counts.trie.levels[level + 1].suffix) ++adjusted[suffix];
    std::copy(counts.count[level].begin() + static_cast<std::ptrdiff_t>(begin),
              counts.count[level].begin() + static_cast<std::ptrdiff_t>(end),
              adjusted.begin() + static_cast<std::ptrdiff_t>(begin));
    begin = counts.trie.levels[level].first_child[begin];
    end = counts.trie.levels[level].first_child[end];
  }
  counts.adjusted[0][sentence_begin] = 0;
}

}  // namespace

void link_suffixes(Trie& trie, int threads) {
  for (std::size_t n = 1; n < trie.levels.size(); ++n) {
    Level& level = trie.levels[n];
    const Level& parents = trie.levels[n - 1];
    level.suffix.resize(level.size());
    parallel_blocks(static_cast<std::int64_t>(parents.size()), 4096, threads, [&](std::int64_t begin, std::int64_t end, int) {
      for (auto parent = static_cast<std::size_t>(begin); parent < static_cast<std::size_t>(end); ++parent) {
        const Node first = parents.first_child[parent], last = parents.first_child[parent + 1];
        if (n == 1) {
          for (Node child = first; child < last; ++child) level.suffix[child] = static_cast<Node>(level.word[child]);
          continue;
        }
        // Children ascend on both sides, so the search goes on from where it was.
        const auto& grandparents = trie.levels[n - 2].first_child;
        auto place = parents.word.begin() + grandparents[parents.suffix[parent]];
        const auto limit = parents.word.begin() + grandparents[parents.suffix[parent] + 1];
        for (Node child = first; child < last; ++child) {
          place = std::lower_bound(place, limit, level.word[child]);
          level.suffix[child] = static_cast<Node>(place - parents.word.begin());
        }
      }
    });
  }
}

std::vector<std::int64_t> NgramCounts::counts_of_counts(int order, bool adjusted_counts, int up_to) const {
  std::vector<std::int64_t> totals(static_cast<std::size_t>(up_to), 0);
  const auto level = static_cast<std::size_t>(order - 1);
  const auto& counts = adjusted_counts ? adjusted[level] : count[level];
  for (std::size_t node = 0; node < counts.size(); ++node) {
    if (order == 1 && node == sentence_begin) continue;
    if (counts[node] >= 1 && counts[node] <= totals.size()) ++totals[counts[node] - 1];
  }
  return totals;
}

NgramCounts count_ngrams(Sequences sentences, std::int64_t words, int order, int threads) {
  if (order < 1 || order > highest_order)
    throw std::invalid_argument("order must lie between 1 and " + std::to_string(highest_order));
  if (words < first_ordinary_word || words > 0x7fffffff)
    throw std::invalid_argument("words: the vocabulary needs <unk>, <s> and </s>, and at most 2^31 - 1 words");
  const std::vector<Word> text = with_boundaries(sentences, words, order);
  const std::size_t length = text.size() - static_cast<std::size_t>(order);
  Groups groups = group_by_first_word(text, length, words, order);
  sort_groups(groups, text, order, threads);

  NgramCounts counts;
  counts.trie.levels.resize(static_cast<std::size_t>(order));
  counts.count.resize(static_cast<std::size_t>(order));
  for (std::size_t w = 0; w < static_cast<std::size_t>(words); ++w) {
    const Word* previous = nullptr;
    for (std::uint32_t i = groups.begin[w]; i < groups.begin[w + 1]; ++i) {
      const Word* start = &text[groups.starts[i].position];
      add_ngrams(counts, start, previous == nullptr ? 0 : shared_words(previous, start, order), order);
      previous = start;
    }
    if (previous == nullptr) {  // a word that does not occur, <unk> for one, is in the vocabulary all the same
      counts.trie.levels[0].word.push_back(static_cast<Word>(w));
      counts.count[0].push_back(0);
      if (order > 1) counts.trie.levels[0].first_child.push_back(static_cast<Node>(counts.trie.levels[1].size()));
    }
  }
  for (std::size_t level = 0; level + 1 < static_cast<std::size_t>(order); ++level)
    counts.trie.levels[level].first_child.push_back(static_cast<Node>(counts.trie.levels[level + 1].size()));
  groups = Groups{};
  link_suffixes(counts.trie, threads);
  count_adjusted(counts);
  return counts;
}

}  // namespace paragauge::lm
