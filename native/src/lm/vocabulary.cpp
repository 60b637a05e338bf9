#include "lm/vocabulary.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/characters.hpp"
#include "lm/hash.hpp"

namespace paragauge::lm {

namespace {

constexpr std::uint64_t empty_slot = ~std::uint64_t{0};

}  // namespace

void VocabularyArrays::add(std::string_view word) {
  bytes.insert(bytes.end(), word.begin(), word.end());
  offsets.push_back(static_cast<std::int64_t>(bytes.size()));
}

void VocabularyArrays::index(std::size_t slot_count) {
  slots.assign(slot_count, empty_slot);
  for (std::size_t i = 0; i < static_cast<std::size_t>(size()); ++i) {
    const std::uint64_t hash = hash_of(word(i));
    std::size_t slot = scaled(hash, slots.size());
    while (slots[slot] != empty_slot) slot = slot + 1 == slots.size() ? 0 : slot + 1;
    slots[slot] = (hash << 32) | static_cast<std::uint64_t>(i);
  }
}

std::size_t VocabularyArrays::slot_of(std::string_view text, std::uint64_t hash) const {
  std::size_t slot = scaled(hash, slots.size());
  for (; slots[slot] != empty_slot; slot = slot + 1 == slots.size() ? 0 : slot + 1) {
    if ((slots[slot] >> 32) == (hash & 0xffffffffu) && word(slots[slot] & 0xffffffffu) == text) break;
  }
  return slot;
}

Word VocabularyArrays::find(std::string_view text) const {
  const std::uint64_t found = slots[slot_of(text, hash_of(text))];
  return found == empty_slot ? -1 : static_cast<Word>(found & 0xffffffffu);
}

Word VocabularyArrays::number(std::string_view text) {
  const std::uint64_t hash = hash_of(text);
  const std::size_t slot = slot_of(text, hash);
  if (slots[slot] != empty_slot) return static_cast<Word>(slots[slot] & 0xffffffffu);
  const std::int64_t next = size();
  if (next >= 0x7fffffff) throw std::length_error("more than 2^31 - 1 different words");
  add(text);
  slots[slot] = (hash << 32) | static_cast<std::uint64_t>(next);
  if (2 * static_cast<std::size_t>(size()) > slots.size()) index(2 * slots.size());
  return static_cast<Word>(next);
}

Encoder::Encoder() {
  for (const char* reserved : {"<unk>", "<s>", "</s>"}) vocabulary_.add(reserved);
  vocabulary_.index();
}

void Encoder::add_text(std::string_view text) {
  split(text, tokens_);
  for (std::string_view token : tokens_) add_word(token);
  end_sentence();
}

Word Vocabulary::find(std::string_view word) const {
  const std::uint64_t hash = hash_of(word);
  const auto count = static_cast<std::size_t>(slot_count_);
  if (count == 0) return unknown_word;
  std::size_t slot = scaled(hash, count);
  for (std::size_t steps = 0; steps < count; ++steps) {
    const std::uint64_t found = slots_[slot];
    if (found == empty_slot) return unknown_word;
    if ((found >> 32) == (hash & 0xffffffffu)) {
      const auto number = static_cast<std::int64_t>(found & 0xffffffffu);
      if (number < words_ && this->word(static_cast<Word>(number)) == word) return static_cast<Word>(number);
    }
    slot = slot + 1 == count ? 0 : slot + 1;
  }
  return unknown_word;
}

std::string_view Vocabulary::word(Word number) const {
  const std::int64_t begin = offsets_[number], end = offsets_[number + 1];
  if (begin < 0 || end < begin || end > size_in_bytes_) return {};
  return {reinterpret_cast<const char*>(bytes_) + begin, static_cast<std::size_t>(end - begin)};
}

std::int32_t next_code_point(const char*& place, const char* end) {
  const auto byte = [](const char* p) { return static_cast<unsigned char>(*p); };
  const unsigned char lead = byte(place++);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xf0 && lead < 0xf5 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc2 ? 1 : 0;
  if (more == 0 || lead >= 0xf5 || end - place < more) return -1;
  std::int32_t code = lead & (0x3f >> more);
  for (int i = 0; i < more; ++i) {
    if ((byte(place) & 0xc0) != 0x80) return -1;
    code = (code << 6) | (byte(place++) & 0x3f);
  }
  const bool too_long = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return too_long || surrogate || code > 0x10ffff ? -1 : code;
}

bool is_utf8(std::string_view text) {
  const char* place = text.data();
  const char* end = place + text.size();
  while (place < end) {
    if (next_code_point(place, end) < 0) return false;
  }
  return true;
}

void split(std::string_view text, std::vector<std::string_view>& tokens) {
  tokens.clear();
  const char* end = text.data() + text.size();
  const char* begin = nullptr;  // of the token under way
  for (const char* place = text.data(); place < end;) {
    const char* here = place;
    // In the middle of a word nearly every byte is a visible ASCII character; as a signed number, others are below.
    if (begin != nullptr && static_cast<signed char>(*place) > ' ') {
      ++place;
      continue;
    }
    if (is_space(next_code_point(place, end))) {
      if (begin != nullptr) tokens.emplace_back(begin, static_cast<std::size_t>(here - begin));
      begin = nullptr;
    } else if (begin == nullptr) {
      begin = here;
    }
  }
  if (begin != nullptr) tokens.emplace_back(begin, static_cast<std::size_t>(end - begin));
}

}  // namespace paragauge::lm
