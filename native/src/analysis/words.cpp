#include "analysis/words.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/hashing.hpp"

namespace paragauge::analysis {

namespace {

constexpr std::size_t longest_looked_at = 64;  // bytes of a word that matter; URLs and worse are long

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

char kind_of(char c) {
  if (is_upper(c)) return 'X';
  if (is_lower(c)) return 'x';
  if (is_digit(c)) return '0';
  return static_cast<unsigned char>(c) >= 0x80 ? 'u' : c;
}

// Runs of one kind are told apart up to two.
Feature shape_of(std::string_view text) {
  std::string shape;
  for (const char c : text) {
    const char kind = kind_of(c);
    const std::size_t size = shape.size();
    if (size >= 2 && shape[size - 1] == kind && shape[size - 2] == kind) continue;
    shape.push_back(kind);
    if (shape.size() >= 12) break;
  }
  return hash_text(shape);
}

struct Ending {
  std::string_view ending, instead;
  std::uint16_t lemma, form;
};

constexpr Ending endings[] = {
    {"s", "", noun, plural},       {"s", "", verb, third_person}, {"es", "", noun, plural},   {"es", "", verb, third_person},
    {"ies", "y", noun, plural},    {"ies", "y", verb, third_person}, {"men", "man", noun, plural}, {"ed", "", verb, past},
    {"ed", "e", verb, past},       {"ied", "y", verb, past},      {"ing", "", verb, ing_form}, {"ing", "e", verb, ing_form},
    {"er", "", adjective, comparative}, {"er", "e", adjective, comparative}, {"ier", "y", adjective, comparative},
    {"est", "", adjective, superlative}, {"est", "e", adjective, superlative}, {"iest", "y", adjective, superlative}};

// The bits of regular forms: "parsers" is the plural of a noun if "parser" is a noun.
std::uint16_t inflected_kinds(std::string_view word, const WordTable& table) {
  unsigned kinds = 0;
  std::string lemma;
  for (const Ending& rule : endings) {
    if (word.size() < rule.ending.size() + 2 || word.substr(word.size() - rule.ending.size()) != rule.ending) continue;
    lemma.assign(word.substr(0, word.size() - rule.ending.size()));
    const std::size_t stem = lemma.size();
    lemma += rule.instead;
    if (table.find(hash_text(lemma)).kinds & rule.lemma) kinds |= rule.form;
    // "stopped" has one p more than "stop"
    else if (rule.instead.empty() && rule.ending.size() > 1 && stem > 2 && lemma[stem - 1] == lemma[stem - 2]) {
      lemma.pop_back();
      if (table.find(hash_text(lemma)).kinds & rule.lemma) kinds |= rule.form;
    }
  }
  return static_cast<std::uint16_t>(kinds);
}

}  // namespace

Feature hash_text(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return mix(hash);
}

std::string_view normalized(std::string_view word) {
  static constexpr std::pair<std::string_view, std::string_view> same[] = {
      {"-LRB-", "("}, {"-RRB-", ")"}, {"-LSB-", "["}, {"-RSB-", "]"}, {"-LCB-", "{"}, {"-RCB-", "}"},
      {"\u201c", "``"}, {"\u201d", "''"}, {"\u2018", "`"}, {"\u2019", "'"},
      {"\u2014", "--"}, {"\u2026", "..."}, {"\u2019s", "'s"}, {"n\u2019t", "n't"}, {"\u2019re", "'re"},
      {"\u2019ll", "'ll"}, {"\u2019ve", "'ve"}, {"\u2019m", "'m"}, {"\u2019d", "'d"}};
  for (const auto& [from, to] : same)
    if (word == from) return to;
  return word.substr(0, longest_looked_at);
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (is_upper(c)) c = static_cast<char>(c - 'A' + 'a');
    else if (is_digit(c)) c = '0';
  }
  return lower;
}

Word look_at(std::string_view text, const WordTable& table) {
  const std::string_view word = normalized(text);
  const std::string lower = lowered(word);
  Word seen;
  seen.lower = hash_text(lower);
  std::string form(word);
  for (char& c : form)
    if (is_digit(c)) c = '0';
  seen.form = hash_text(form);
  seen.shape = shape_of(word);
  const std::string_view whole(lower);
  for (std::size_t n = 1; n <= 3; ++n) seen.prefix[n - 1] = hash_text(whole.substr(0, n));
  for (std::size_t n = 1; n <= 5; ++n)
    seen.suffix[n - 1] = hash_text(whole.substr(whole.size() - std::min(whole.size(), n)));
  seen.facts = table.find(seen.lower);
  if ((seen.facts.kinds & complete) == 0)
    seen.facts.kinds = static_cast<std::uint16_t>(seen.facts.kinds | inflected_kinds(lower, table));
  seen.facts.kinds &= static_cast<std::uint16_t>(~complete);
  return seen;
}

Sentence::Sentence(const std::vector<std::string_view>& texts, const WordTable& table) {
  words.reserve(texts.size());
  bool upper = false, lower = false;
  for (const std::string_view text : texts) {
    words.push_back(look_at(text, table));
    for (const char c : text.substr(0, longest_looked_at)) {
      upper |= is_upper(c);
      lower |= is_lower(c);
    }
  }
  letters = (upper ? 1u : 0u) + (lower ? 2u : 0u);
}

std::string WordTable::pack(const std::vector<std::pair<Feature, WordFacts>>& words,
                            const std::vector<std::uint64_t>& sets) {
  auto sorted = words;
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto count = static_cast<std::uint32_t>(words.size() + words.size() / 4 + 1);
  std::vector<Slot> slots(count, Slot{0, 0, 0});
  for (const auto& [hash, facts] : sorted) {
    if (facts.tags == 0 && facts.kinds == 0) continue;
    std::uint32_t i = first_slot(hash, count);
    while (slots[i].tags != 0 || slots[i].kinds != 0) i = i + 1 == count ? 0 : i + 1;
    slots[i] = {static_cast<std::uint32_t>(hash), facts.tags, facts.kinds};
  }
  const auto set_count = static_cast<std::uint32_t>(sets.size());
  std::string packed;
  packed.append(reinterpret_cast<const char*>(&count), 4);
  packed.append(reinterpret_cast<const char*>(&set_count), 4);
  packed.append(reinterpret_cast<const char*>(sets.data()), sets.size() * 8);
  packed.append(reinterpret_cast<const char*>(slots.data()), slots.size() * sizeof(Slot));
  return packed;
}

WordTable::WordTable(std::string_view data) {
  if (data.size() < 8 || reinterpret_cast<std::uintptr_t>(data.data()) % 8 != 0)
    throw std::invalid_argument("word table: too short, or at an odd place");
  std::memcpy(&slot_count_, data.data(), 4);
  std::memcpy(&set_count_, data.data() + 4, 4);
  if (slot_count_ < 1 || data.size() != 8 + 8ull * set_count_ + sizeof(Slot) * slot_count_)
    throw std::invalid_argument("word table: sizes do not agree");
  sets_ = reinterpret_cast<const std::uint64_t*>(data.data() + 8);
  slots_ = reinterpret_cast<const Slot*>(sets_ + set_count_);
  bool any_empty = false;
  for (std::uint32_t i = 0; i < slot_count_; ++i) {
    any_empty |= slots_[i].tags == 0 && slots_[i].kinds == 0;
    if (slots_[i].tags != 0 && slots_[i].tags >= set_count_) throw std::invalid_argument("word table: no such set of tags");
  }
  if (!any_empty) throw std::invalid_argument("word table: no empty slot");
}

WordFacts WordTable::find(Feature lower) const {
  if (slot_count_ == 0) return {};
  for (std::uint32_t i = first_slot(lower, slot_count_);; i = i + 1 == slot_count_ ? 0 : i + 1) {
    const Slot& slot = slots_[i];
    if (slot.tags == 0 && slot.kinds == 0) return {};
    if (slot.hash == static_cast<std::uint32_t>(lower)) return {slot.tags, slot.kinds};
  }
}

}  // namespace paragauge::analysis
