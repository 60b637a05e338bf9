// What the models see of a word: hashes of its form and parts, and what the word table knows of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/weights.hpp"

namespace paragauge::analysis {

// What a word may be. The table has these bits for lemmas; those of regular inflected forms follow from them.
enum Kind : std::uint16_t {
  noun = 1, verb = 2, adjective = 4, adverb = 8,
  plural = 16, third_person = 32, past = 64, ing_form = 128, comparative = 256, superlative = 512,
  complete = 1 << 15,  // of a word in the table: nothing is to be added
};

struct WordFacts {
  std::uint16_t tags = 0;     // a number for the set of tags that it was seen with; 0: seen rarely or never
  std::uint16_t kinds = 0;    // what a dictionary says that it may be, as bits
};

// From lower-cased words to facts. Layout: u32 slots, u32 sets; u64 set[sets] (of tags, as bits); then for each slot u32 hash,
// u16 number of the set, u16 kinds. A slot of zeros is empty.
class WordTable {
 public:
  WordTable() = default;
  explicit WordTable(std::string_view data);  // checks; throws std::invalid_argument; the data must outlive the table
  WordFacts find(Feature lower) const;
  std::uint64_t tag_set(std::uint16_t number) const { return number < set_count_ ? sets_[number] : 0; }

  static std::string pack(const std::vector<std::pair<Feature, WordFacts>>& words, const std::vector<std::uint64_t>& sets);

 private:
  struct Slot {
    std::uint32_t hash;
    std::uint16_t tags, kinds;
  };
  std::uint32_t slot_count_ = 0, set_count_ = 0;
  const std::uint64_t* sets_ = nullptr;
  const Slot* slots_ = nullptr;
};

struct Word {
  Feature form, lower;  // digits are all the same
  Feature prefix[3], suffix[5];
  Feature shape;
  WordFacts facts;
};

// Quotation marks, brackets and dashes in one writing, whatever their escapes.
std::string_view normalized(std::string_view word);
Feature hash_text(std::string_view text);
std::string lowered(std::string_view text);  // ASCII letters; digits become 0
Word look_at(std::string_view text, const WordTable& table);

// A sentence as the models see it.
struct Sentence {
  std::vector<Word> words;
  Feature letters;  // whether it has capitals, small letters, both

  Sentence() = default;
  Sentence(const std::vector<std::string_view>& texts, const WordTable& table);
};

}  // namespace paragauge::analysis
