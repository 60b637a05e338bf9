// WordNet as one small graph: lemmas, the synsets that they belong to, and how inflected forms lead to them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace paragauge {

enum PartOfSpeech { kNoun, kVerb, kAdjective, kAdverb };
constexpr int kPartsOfSpeech = 4;

// What the lexicon is read from; it must outlive the lexicon.
struct LexiconData {
  const char* lemma_text;             // all lemmas one after the other
  std::int64_t lemma_text_size;
  const std::uint8_t* lemma_lengths;  // bytes of each lemma
  const std::uint8_t* sense_counts;   // synsets of each lemma
  std::int64_t lemmas;
  const std::int32_t* senses;         // the synsets of all lemmas, rising within a lemma
  std::int64_t sense_total;
  const std::int32_t* synset_counts;  // synsets of each part of speech: they are numbered in this order
  const char* exception_text;
  std::int64_t exception_text_size;
  const std::uint8_t* exception_lengths;
  const std::uint8_t* exception_parts;  // part of speech
  const std::int32_t* exception_lemmas;  // -1: the form has no lemma, and no rule applies to it
  std::int64_t exceptions;              // sorted by form, then by part of speech, then as WordNet lists them
};

struct Ids {
  const std::int32_t* begin_;
  const std::int32_t* end_;
  const std::int32_t* begin() const { return begin_; }
  const std::int32_t* end() const { return end_; }
  std::int64_t size() const { return end_ - begin_; }
};

// A bit for each number, several to a bit: lists without a common bit have no number in common, and need not be compared.
inline std::uint64_t bit_of(std::int32_t number) {
  return std::uint64_t{1} << (static_cast<std::uint32_t>(number) * 0x9e3779b1u >> 26);
}

inline std::uint64_t bits_of(Ids numbers) {
  std::uint64_t bits = 0;
  for (const std::int32_t number : numbers) bits |= bit_of(number);
  return bits;
}

// Whether two rising lists have a number in common.
bool intersect(Ids a, Ids b);

class Lexicon {
 public:
  // Checks everything that a damaged file could get wrong; throws std::invalid_argument.
  explicit Lexicon(const LexiconData& data);

  std::int64_t size() const { return data_.lemmas; }
  std::string_view lemma(std::int32_t id) const;
  // The number of a lemma as WordNet's index spells it (lower case, underlines for spaces), or -1.
  std::int32_t find(std::string_view lemma) const;
  bool has(std::int32_t lemma, PartOfSpeech part) const { return parts_[static_cast<std::size_t>(lemma)] >> part & 1; }
  Ids synsets(std::int32_t lemma) const;
  // Where the synsets of a lemma begin among those of all lemmas, and how many these are.
  std::int64_t first_sense(std::int32_t lemma) const { return sense_starts_[static_cast<std::size_t>(lemma)]; }
  std::int64_t sense_total() const { return data_.sense_total; }
  std::int32_t synset_start(PartOfSpeech part) const { return part_starts_[part]; }
  std::int32_t synset_total() const { return part_starts_[kPartsOfSpeech]; }
  // The lemmas of a synset, rising.
  Ids members(std::int32_t synset) const;
  // All members of all synsets of a lemma, itself included, rising.
  Ids synonyms(std::int32_t lemma) const;
  bool share_synonym(std::int32_t a, std::int32_t b) const { return a == b || intersect(synonyms(a), synonyms(b)); }

  // The lemmas of a word as one part of speech, the best first: the word itself if it is one, then the list of
  // exceptions or, where the word is not in it, the rules of detachment.
  void morphy(std::string_view word, PartOfSpeech part, std::vector<std::int32_t>& lemmas) const;
  // The lemma of an inflected form: as above, but never for being the word itself. -1 if there is none.
  std::int32_t uninflect(std::string_view word, PartOfSpeech part) const;
  // Rising, without repetition: the synsets of all lemmas that a word may have, of every part of speech.
  void word_synsets(std::string_view word, std::vector<std::int32_t>& synsets) const;

 private:
  void detach(std::string_view word, PartOfSpeech part, std::vector<std::int32_t>& lemmas) const;
  // Appends the lemmas of an exception; false if the word is none.
  bool exceptions(std::string_view word, PartOfSpeech part, std::vector<std::int32_t>& lemmas) const;
  std::string_view exception(std::int64_t row) const;

  LexiconData data_;
  std::vector<std::int32_t> lemma_starts_, sense_starts_, exception_starts_;
  std::vector<std::uint8_t> parts_;
  std::vector<std::int32_t> slots_;  // open addressing: number of a lemma, -1 for none
  std::vector<std::int32_t> member_starts_, members_;
  std::vector<std::int32_t> synonym_starts_, synonyms_;
  std::int32_t part_starts_[kPartsOfSpeech + 1];
};

}  // namespace paragauge
