#include "matching/word_relations.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace paragauge {

namespace {

void check_numbers(const std::int32_t* numbers, std::int64_t count, std::int64_t limit, const char* what) {
  for (std::int64_t i = 0; i < count; ++i)
    if (numbers[i] < 0 || numbers[i] >= limit) throw std::invalid_argument(std::string(what) + " are out of range");
}

void check_pairs(const Pairs& pairs, std::int64_t limit, const char* what) {
  check_numbers(pairs.sources, pairs.count, limit, what);
  check_numbers(pairs.targets, pairs.count, limit, what);
  for (std::int64_t i = 1; i < pairs.count; ++i)
    if (pairs.sources[i - 1] > pairs.sources[i] ||
        (pairs.sources[i - 1] == pairs.sources[i] && pairs.targets[i - 1] >= pairs.targets[i]))
      throw std::invalid_argument(std::string(what) + " are not sorted");
}

void sort_once(std::vector<std::int32_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

void append(std::vector<std::int32_t>& list, Ids ids) { list.insert(list.end(), ids.begin(), ids.end()); }

}  // namespace

Ids Pairs::of(std::int32_t source) const {
  const auto [first, last] = std::equal_range(sources, sources + count, source);
  return {targets + (first - sources), targets + (last - sources)};
}

WordRelations::WordRelations(const Lexicon& lexicon, const WordRelationData& data) : lexicon_(lexicon), data_(data) {
  if (data.sense_total != lexicon.sense_total() || data.hypernym_synsets != lexicon.synset_start(kAdjective))
    throw std::invalid_argument("the columns of the relations do not fit the lexicon");
  hypernym_starts_.reserve(static_cast<std::size_t>(data.hypernym_synsets) + 1);
  hypernym_starts_.push_back(0);
  for (std::int64_t i = 0; i < data.hypernym_synsets; ++i)
    hypernym_starts_.push_back(hypernym_starts_.back() + data.hypernym_counts[i]);
  if (hypernym_starts_.back() != data.hypernym_total)
    throw std::invalid_argument("numbers of hypernyms do not add up to what they describe");
  check_numbers(data.hypernyms, data.hypernym_total, data.hypernym_synsets, "hypernyms");
  check_pairs(data.antonyms, lexicon.size(), "antonyms");
  check_pairs(data.opposed, lexicon.synset_total(), "opposed synsets");
  check_pairs(data.similar, lexicon.synset_total(), "similar synsets");
  check_pairs(data.derivations, lexicon.size(), "derivations");
}

Ids WordRelations::hypernyms_of(std::int32_t synset) const {
  if (synset >= data_.hypernym_synsets) return {data_.hypernyms, data_.hypernyms};
  const auto i = static_cast<std::size_t>(synset);
  return {data_.hypernyms + hypernym_starts_[i], data_.hypernyms + hypernym_starts_[i + 1]};
}

void WordRelations::frequent_senses(std::int32_t lemma, int senses, std::vector<std::int32_t>& synsets) const {
  const std::uint8_t* rank = data_.sense_ranks + lexicon_.first_sense(lemma);
  for (const std::int32_t synset : lexicon_.synsets(lemma))
    if (*rank++ < senses) synsets.push_back(synset);
}

bool WordRelations::is_member(std::int32_t lemma, std::int32_t synset) const {
  const Ids synsets = lexicon_.synsets(lemma);
  return std::binary_search(synsets.begin(), synsets.end(), synset);
}

template <class Work>
bool WordRelations::any_opposed(std::int32_t lemma, const Work& work) const {
  for (const std::int32_t synset : lexicon_.synsets(lemma)) {
    for (const std::int32_t opposite : data_.opposed.of(synset)) {
      if (work(opposite)) return true;
      for (const std::int32_t satellite : data_.similar.of(opposite))
        if (work(satellite)) return true;
    }
    for (const std::int32_t head : data_.similar.of(synset))
      for (const std::int32_t opposite : data_.opposed.of(head))
        if (work(opposite)) return true;
  }
  return false;
}

void WordRelations::antonyms(std::int32_t lemma, bool indirect, std::vector<std::int32_t>& lemmas) const {
  append(lemmas, data_.antonyms.of(lemma));
  if (!indirect) return;
  any_opposed(lemma, [&](std::int32_t synset) {
    append(lemmas, lexicon_.members(synset));
    return false;
  });
  sort_once(lemmas);
}

bool WordRelations::are_antonyms(std::int32_t a, std::int32_t b, bool indirect) const {
  const Ids direct = data_.antonyms.of(a);
  if (std::binary_search(direct.begin(), direct.end(), b)) return true;
  return indirect && any_opposed(a, [&](std::int32_t synset) { return is_member(b, synset); });
}

void WordRelations::hypernyms(std::int32_t lemma, std::vector<std::int32_t>& lemmas) const {
  for (const std::int32_t synset : lexicon_.synsets(lemma))
    for (const std::int32_t hypernym : hypernyms_of(synset)) append(lemmas, lexicon_.members(hypernym));
  sort_once(lemmas);
}

void WordRelations::wider(std::int32_t lemma, int depth, int senses, std::vector<std::int32_t>& synsets) const {
  std::vector<std::int32_t> reached;  // in the order of their distance
  frequent_senses(lemma, senses, reached);
  std::size_t begin = 0;
  for (int step = 0; step < depth && begin < reached.size(); ++step) {
    const std::size_t end = reached.size();
    for (; begin < end; ++begin)
      for (const std::int32_t hypernym : hypernyms_of(reached[begin])) {
        // A sense from which we start may also be reached.
        if (std::find(synsets.begin(), synsets.end(), hypernym) != synsets.end()) continue;
        synsets.push_back(hypernym);
        reached.push_back(hypernym);
      }
  }
  std::sort(synsets.begin(), synsets.end());
}

void WordRelations::similar(std::int32_t lemma, std::vector<std::int32_t>& synsets) const {
  for (const std::int32_t synset : lexicon_.synsets(lemma)) append(synsets, data_.similar.of(synset));
  sort_once(synsets);
}

bool WordRelations::is_kind_of(std::int32_t a, std::int32_t b, int depth, int senses) const {
  std::vector<std::int32_t> found;
  wider(a, depth, senses, found);
  return intersect({found.data(), found.data() + found.size()}, lexicon_.synsets(b));
}

bool WordRelations::are_siblings(std::int32_t a, std::int32_t b, int senses) const {
  if (intersect(lexicon_.synsets(a), lexicon_.synsets(b))) return false;
  std::vector<std::int32_t> of_a, of_b;
  frequent_senses(a, senses, of_a);
  frequent_senses(b, senses, of_b);
  for (const std::int32_t i : of_a)
    for (const std::int32_t j : of_b)
      if (intersect(hypernyms_of(i), hypernyms_of(j))) return true;
  return false;
}

bool WordRelations::are_similar(std::int32_t a, std::int32_t b) const {
  std::vector<std::int32_t> found;
  similar(a, found);
  return intersect({found.data(), found.data() + found.size()}, lexicon_.synsets(b));
}

}  // namespace paragauge
