// Sorted phrases, looked up by their text, and the most probable segmentation of a sentence into them.
#pragma once

#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace paragauge {

// Phrases as text with a space between words, sorted by bytes, each once. Looking one up is a binary search, which
// needs nothing but the text itself: a memory-mapped file serves as it is.
class PhraseIndex {
 public:
  PhraseIndex(const char* text, std::int64_t bytes, const std::int64_t* offsets, std::int64_t count)
      : text_(text), bytes_(bytes), offsets_(offsets), count_(count) {}

  struct Range {
    std::int64_t begin, end;

    bool empty() const { return begin >= end; }
  };

  std::int64_t size() const { return count_; }
  // Offsets come from a file that is not read as a whole when it is opened, so they are checked as they are used.
  std::string_view operator[](std::int64_t i) const {
    const std::int64_t begin = offsets_[i], end = offsets_[i + 1];
    if (begin < 0 || end < begin || end > bytes_) throw std::invalid_argument("phrase offsets are damaged");
    return {text_ + begin, static_cast<std::size_t>(end - begin)};
  }

  // The number of a phrase, or -1.
  std::int64_t find(std::string_view phrase) const { return find(phrase, {0, count_}); }
  std::int64_t find(std::string_view phrase, Range within) const;

  // The number of a phrase, or -1, and the phrases that begin with its words and have more: they come next.
  struct Found {
    std::int64_t number;
    Range longer;
  };
  Found find_with_longer(std::string_view phrase, Range within) const;

 private:
  // The first phrase in the range that is not before `text` followed by the character `next` (0 for none).
  std::int64_t lower_bound(std::string_view text, char next, Range within) const;
  // The same, if it is expected near the beginning of the range.
  std::int64_t near_lower_bound(std::string_view text, char next, Range within) const;
  bool is_before(std::int64_t i, std::string_view text, char next) const;

  const char* text_;
  std::int64_t bytes_;
  const std::int64_t* offsets_;
  std::int64_t count_;
};

// What single words lead to in one index. Every word of a sentence may begin a phrase, and words recur: those that were looked
// up lately are remembered. Threads may share it.
class FirstWords {
 public:
  PhraseIndex::Found find(const PhraseIndex& index, std::string_view word);

 private:
  static constexpr std::size_t most = 1 << 15;

  std::mutex mutex_;
  std::unordered_map<std::string, PhraseIndex::Found> known_;
};

// Calls take(begin, length, number) for all phrases of up to max_length words in a sentence, by place and length. Longer ones
// are sought only among those that begin with the same words.
template <class Take>
void for_each_phrase(const PhraseIndex& index, FirstWords& first_words, const std::vector<std::string_view>& words,
                     std::int64_t max_length, const Take& take) {
  std::string text;
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    PhraseIndex::Range within{0, index.size()};
    text.clear();
    for (std::int64_t length = 1; length <= max_length && begin + static_cast<std::size_t>(length) <= words.size(); ++length) {
      const std::string_view word = words[begin + static_cast<std::size_t>(length) - 1];
      if (word.empty()) break;
      if (length > 1) text += ' ';
      text += word;
      const PhraseIndex::Found found = length == 1 ? first_words.find(index, text) : index.find_with_longer(text, within);
      if (found.number >= 0) take(begin, length, found.number);
      within = found.longer;
      if (within.empty()) break;
    }
  }
}

// Numbers strings by a hash table in memory: for going through many of them while a table is made, not for looking up.
class PhraseNumbers {
 public:
  explicit PhraseNumbers(const PhraseIndex& phrases);

  // The number of a phrase, or -1.
  std::int32_t operator[](std::string_view phrase) const;

 private:
  PhraseIndex phrases_;
  std::vector<std::int32_t> slots_;
};

struct Segmentation {
  std::vector<std::int32_t> lengths;  // of the phrases, in words
  std::vector<std::int64_t> phrases;  // their numbers, -1 for an unseen word
};

// The segmentation of a sentence that maximises the product of N(p) / total over its phrases. Any single word may stand
// as a phrase; an unseen one counts `unseen`. Ties: fewer phrases, then the longer phrase first. No phrase is longer
// than max_length words.
//
// `words` holds the sentence's words as pieces of one text with single spaces between them.
Segmentation segment(const PhraseIndex& index, const std::int64_t* counts, double total, double unseen,
                     std::int64_t max_length, const std::vector<std::string_view>& words);

// Sorts pairs by target, within a target by falling count and then by position; rows has target_count + 1 entries.
void invert_pairs(const std::int32_t* targets, const std::int64_t* counts, std::int64_t pairs, std::int64_t target_count,
                  std::vector<std::int64_t>& rows, std::vector<std::int64_t>& order);

// Pieces of `line` between spaces.
void split_words(std::string_view line, std::vector<std::string_view>& words);

}  // namespace paragauge
