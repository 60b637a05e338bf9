#include "matching/lexicon.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace paragauge {

namespace {

struct Rule {
  std::string_view suffix, replacement;
};

// WordNet's rules of detachment (morphy, section 7WN of its manual), in its order.
const std::vector<Rule> kRules[kPartsOfSpeech] = {
    {{"s", ""}, {"ses", "s"}, {"ves", "f"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"}},
    {{"s", ""}, {"ies", "y"}, {"es", "e"}, {"es", ""}, {"ed", "e"}, {"ed", ""}, {"ing", "e"}, {"ing", ""}},
    {{"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}},
    {}};

std::uint64_t hash(std::string_view text) {  // FNV-1a
  std::uint64_t value = 0xcbf29ce484222325ull;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return value ^ value >> 29;
}

std::vector<std::int32_t> starts(const std::uint8_t* lengths, std::int64_t count, std::int64_t total, const char* what) {
  std::vector<std::int32_t> result(static_cast<std::size_t>(count) + 1);
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    sum += lengths[i];
    if (sum > total) break;
    result[static_cast<std::size_t>(i) + 1] = static_cast<std::int32_t>(sum);
  }
  if (sum != total) throw std::invalid_argument(std::string(what) + " do not add up to what they describe");
  return result;
}

bool ends_with(std::string_view word, std::string_view suffix) {
  return word.size() >= suffix.size() && word.substr(word.size() - suffix.size()) == suffix;
}

void append_new(std::vector<std::int32_t>& list, std::int32_t value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

}  // namespace

bool intersect(Ids a, Ids b) {
  const std::int32_t *i = a.begin(), *j = b.begin();
  while (i != a.end() && j != b.end()) {
    if (*i == *j) return true;
    if (*i < *j)
      ++i;
    else
      ++j;
  }
  return false;
}

Lexicon::Lexicon(const LexiconData& data) : data_(data) {
  constexpr std::int64_t kLimit = 1 << 30;  // numbers and starts are 32-bit
  if (data.lemmas > kLimit || data.lemma_text_size > kLimit || data.sense_total > kLimit || data.exception_text_size > kLimit)
    throw std::invalid_argument("the lexicon is too large");
  lemma_starts_ = starts(data.lemma_lengths, data.lemmas, data.lemma_text_size, "lengths of lemmas");
  sense_starts_ = starts(data.sense_counts, data.lemmas, data.sense_total, "numbers of senses");
  exception_starts_ = starts(data.exception_lengths, data.exceptions, data.exception_text_size, "lengths of exceptions");
  part_starts_[0] = 0;
  for (int part = 0; part < kPartsOfSpeech; ++part) {
    // Every synset has a member.
    if (data.synset_counts[part] < 0 || data.synset_counts[part] > data.sense_total - part_starts_[part])
      throw std::invalid_argument("a part of speech has an impossible number of synsets");
    part_starts_[part + 1] = part_starts_[part] + data.synset_counts[part];
  }
  const std::int32_t synsets = part_starts_[kPartsOfSpeech];

  parts_.resize(static_cast<std::size_t>(data.lemmas));
  member_starts_.resize(static_cast<std::size_t>(synsets) + 1);
  for (std::int32_t lemma = 0; lemma < data.lemmas; ++lemma) {
    std::int32_t previous = -1;
    for (const std::int32_t synset : this->synsets(lemma)) {
      if (synset <= previous || synset >= synsets) throw std::invalid_argument("synsets are out of range or order");
      previous = synset;
      const int part = static_cast<int>(std::upper_bound(part_starts_ + 1, part_starts_ + kPartsOfSpeech, synset) - part_starts_) - 1;
      parts_[static_cast<std::size_t>(lemma)] |= static_cast<std::uint8_t>(1 << part);
      ++member_starts_[static_cast<std::size_t>(synset) + 1];
    }
  }
  for (std::int64_t row = 0; row < data.exceptions; ++row) {
    if (data.exception_parts[row] >= kPartsOfSpeech || data.exception_lemmas[row] < -1 || data.exception_lemmas[row] >= data.lemmas)
      throw std::invalid_argument("an exception leads to no lemma");
    if (row > 0 && exception(row) < exception(row - 1)) throw std::invalid_argument("exceptions are not sorted");
  }

  std::size_t capacity = 16;
  while (capacity < 2 * static_cast<std::size_t>(data.lemmas)) capacity *= 2;
  slots_.assign(capacity, -1);
  for (std::int32_t id = 0; id < data.lemmas; ++id) {
    std::size_t slot = hash(lemma(id)) & (capacity - 1);
    while (slots_[slot] >= 0) {
      if (lemma(slots_[slot]) == lemma(id)) throw std::invalid_argument("a lemma occurs twice");
      slot = (slot + 1) & (capacity - 1);
    }
    slots_[slot] = id;
  }

  for (std::size_t i = 1; i < member_starts_.size(); ++i) member_starts_[i] += member_starts_[i - 1];
  members_.resize(static_cast<std::size_t>(data.sense_total));
  std::vector<std::int32_t> fill = member_starts_;
  for (std::int32_t lemma = 0; lemma < data.lemmas; ++lemma)
    for (const std::int32_t synset : this->synsets(lemma))
      members_[static_cast<std::size_t>(fill[static_cast<std::size_t>(synset)]++)] = lemma;
  synonym_starts_.reserve(static_cast<std::size_t>(data.lemmas) + 1);
  synonym_starts_.push_back(0);
  for (std::int32_t lemma = 0; lemma < data.lemmas; ++lemma) {
    const auto begin = static_cast<std::ptrdiff_t>(synonyms_.size());
    for (const std::int32_t synset : this->synsets(lemma)) {
      const Ids found = members(synset);
      synonyms_.insert(synonyms_.end(), found.begin(), found.end());
    }
    std::sort(synonyms_.begin() + begin, synonyms_.end());
    synonyms_.erase(std::unique(synonyms_.begin() + begin, synonyms_.end()), synonyms_.end());
    if (static_cast<std::int64_t>(synonyms_.size()) > kLimit) throw std::invalid_argument("the lexicon is too large");
    synonym_starts_.push_back(static_cast<std::int32_t>(synonyms_.size()));
  }
}

std::string_view Lexicon::lemma(std::int32_t id) const {
  const auto i = static_cast<std::size_t>(id);
  return {data_.lemma_text + lemma_starts_[i], static_cast<std::size_t>(lemma_starts_[i + 1] - lemma_starts_[i])};
}

std::string_view Lexicon::exception(std::int64_t row) const {
  const auto i = static_cast<std::size_t>(row);
  return {data_.exception_text + exception_starts_[i], static_cast<std::size_t>(exception_starts_[i + 1] - exception_starts_[i])};
}

std::int32_t Lexicon::find(std::string_view text) const {
  std::size_t slot = hash(text) & (slots_.size() - 1);
  for (; slots_[slot] >= 0; slot = (slot + 1) & (slots_.size() - 1))
    if (lemma(slots_[slot]) == text) return slots_[slot];
  return -1;
}

Ids Lexicon::synsets(std::int32_t lemma) const {
  const auto i = static_cast<std::size_t>(lemma);
  return {data_.senses + sense_starts_[i], data_.senses + sense_starts_[i + 1]};
}

Ids Lexicon::members(std::int32_t synset) const {
  const auto i = static_cast<std::size_t>(synset);
  return {members_.data() + member_starts_[i], members_.data() + member_starts_[i + 1]};
}

Ids Lexicon::synonyms(std::int32_t lemma) const {
  const auto i = static_cast<std::size_t>(lemma);
  return {synonyms_.data() + synonym_starts_[i], synonyms_.data() + synonym_starts_[i + 1]};
}

bool Lexicon::exceptions(std::string_view word, PartOfSpeech part, std::vector<std::int32_t>& lemmas) const {
  std::int64_t low = 0, high = data_.exceptions;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (exception(middle) < word)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = false;
  for (; low < data_.exceptions && exception(low) == word; ++low) {
    if (data_.exception_parts[low] != part) continue;
    if (data_.exception_lemmas[low] >= 0) append_new(lemmas, data_.exception_lemmas[low]);
    found = true;
  }
  return found;
}

void Lexicon::detach(std::string_view word, PartOfSpeech part, std::vector<std::int32_t>& lemmas) const {
  std::string form;
  for (const Rule& rule : kRules[part]) {
    if (!ends_with(word, rule.suffix)) continue;
    form.assign(word.substr(0, word.size() - rule.suffix.size()));
    form += rule.replacement;
    const std::int32_t id = find(form);
    if (id >= 0 && has(id, part)) append_new(lemmas, id);
  }
}

void Lexicon::morphy(std::string_view word, PartOfSpeech part, std::vector<std::int32_t>& lemmas) const {
  const std::int32_t self = find(word);
  if (self >= 0 && has(self, part)) append_new(lemmas, self);
  if (!exceptions(word, part, lemmas)) detach(word, part, lemmas);
}

std::int32_t Lexicon::uninflect(std::string_view word, PartOfSpeech part) const {
  std::vector<std::int32_t> lemmas;
  if (!exceptions(word, part, lemmas)) detach(word, part, lemmas);
  return lemmas.empty() ? -1 : lemmas.front();
}

void Lexicon::word_synsets(std::string_view word, std::vector<std::int32_t>& synsets) const {
  synsets.clear();
  std::vector<std::int32_t> lemmas;
  for (int part = 0; part < kPartsOfSpeech; ++part) morphy(word, static_cast<PartOfSpeech>(part), lemmas);
  for (const std::int32_t lemma : lemmas) {
    const Ids found = this->synsets(lemma);
    synsets.insert(synsets.end(), found.begin(), found.end());
  }
  std::sort(synsets.begin(), synsets.end());
  synsets.erase(std::unique(synsets.begin(), synsets.end()), synsets.end());
}

}  // namespace paragauge
