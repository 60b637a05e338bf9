// Words and their numbers, in arrays that can be mapped from a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lm/trie.hpp"

namespace paragauge::lm {

// What a vocabulary is made of. Word i is bytes[offsets[i] .. offsets[i + 1]) in UTF-8. A slot is empty (all bits set), or has
// 32 bits of the hash of a word above its number.
struct VocabularyArrays {
  std::vector<std::uint8_t> bytes;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint64_t> slots;

  std::int64_t size() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  std::string_view word(std::size_t number) const {
    return {reinterpret_cast<const char*>(bytes.data()) + offsets[number],
            static_cast<std::size_t>(offsets[number + 1] - offsets[number])};
  }
  void add(std::string_view word);
  void index() { index(static_cast<std::size_t>(2 * size() + 1)); }  // makes the slots
  Word find(std::string_view word) const;  // -1 if it is not there
  Word number(std::string_view word);      // that of the word, which is added if it is new; keeps the slots up to date

 private:
  std::size_t slot_of(std::string_view word, std::uint64_t hash) const;  // that of the word, or the empty one for it
  void index(std::size_t slot_count);
};

// Sentences becoming numbers, and their words a vocabulary.
class Encoder {
 public:
  Encoder();
  void add_word(std::string_view word) { ids_.push_back(vocabulary_.number(word)); }
  void end_sentence() { offsets_.push_back(static_cast<std::int64_t>(ids_.size())); }
  void add_text(std::string_view text);  // a sentence with white space between words

  const std::vector<Word>& ids() const { return ids_; }
  const std::vector<std::int64_t>& offsets() const { return offsets_; }
  const VocabularyArrays& vocabulary() const { return vocabulary_; }

 private:
  VocabularyArrays vocabulary_;
  std::vector<Word> ids_;
  std::vector<std::int64_t> offsets_{0};
  std::vector<std::string_view> tokens_;
};

// A view of such arrays, wherever they lie. They may come from a damaged file: whatever they hold, looking up ends, and
// stays inside.
class Vocabulary {
 public:
  Vocabulary(const std::uint8_t* bytes, std::int64_t size_in_bytes, const std::int64_t* offsets, std::int64_t words,
             const std::uint64_t* slots, std::int64_t slot_count)
      : bytes_(bytes), size_in_bytes_(size_in_bytes), offsets_(offsets), words_(words), slots_(slots), slot_count_(slot_count) {}

  std::int64_t size() const { return words_; }
  Word find(std::string_view word) const;  // unknown_word if it is not there
  std::string_view word(Word number) const;

 private:
  const std::uint8_t* bytes_;
  std::int64_t size_in_bytes_;
  const std::int64_t* offsets_;
  std::int64_t words_;
  const std::uint64_t* slots_;
  std::int64_t slot_count_;
};

// The next code point of UTF-8 text, moving *place* past it; -1 if the bytes are no UTF-8.
std::int32_t next_code_point(const char*& place, const char* end);

bool is_utf8(std::string_view text);

// The tokens of *text* as Python's str.split finds them: what stands between white space of any script.
void split(std::string_view text, std::vector<std::string_view>& tokens);

}  // namespace paragauge::lm
