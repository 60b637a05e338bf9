// Phrase extraction, look-up and segmentation against obvious re-implementations, on many small random inputs.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/hashing.hpp"
#include "check.hpp"
#include "phrases/count.hpp"
#include "phrases/digests.hpp"
#include "phrases/index.hpp"
#include "phrases/paraphrases.hpp"

namespace {

using paragauge::Link;

int uniform(std::mt19937& rng, int low, int high) { return std::uniform_int_distribution<int>(low, high)(rng); }

std::string random_phrase(std::mt19937& rng, int words) {
  static const std::vector<std::string> vocabulary{"a", "b", "ab", "c", "\x01", "\xc3\xa9"};
  std::string phrase;
  for (int k = uniform(rng, 1, words); k > 0; --k)
    phrase += (phrase.empty() ? "" : " ") + vocabulary[static_cast<std::size_t>(uniform(rng, 0, 5))];
  return phrase;
}

struct Packed {
  std::vector<char> text;
  std::vector<std::int64_t> offsets{0};

  explicit Packed(const std::vector<std::string>& strings) {
    for (const std::string& one : strings) {
      text.insert(text.end(), one.begin(), one.end());
      offsets.push_back(static_cast<std::int64_t>(text.size()));
    }
    text.push_back('#');  // one byte more than belongs to it, so that there always is an address
  }
  paragauge::Words words() const {
    return {text.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
  }
  paragauge::PhraseIndex index() const {
    return {text.data(), offsets.back(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
  }
};

struct Bitext {
  std::vector<std::int32_t> source_ids, target_ids, positions;
  std::vector<std::int64_t> source_offsets{0}, target_offsets{0}, link_offsets{0};

  void add(const std::vector<std::int32_t>& source, const std::vector<std::int32_t>& target, const std::set<Link>& links) {
    source_ids.insert(source_ids.end(), source.begin(), source.end());
    target_ids.insert(target_ids.end(), target.begin(), target.end());
    for (const Link& link : links) positions.insert(positions.end(), {link.source, link.target});
    source_offsets.push_back(static_cast<std::int64_t>(source_ids.size()));
    target_offsets.push_back(static_cast<std::int64_t>(target_ids.size()));
    link_offsets.push_back(static_cast<std::int64_t>(positions.size() / 2));
  }
  paragauge::LinkedBitext view() const {
    const auto count = static_cast<std::int64_t>(source_offsets.size()) - 1;
    return {{source_ids.data(), source_offsets.data(), count},
            {target_ids.data(), target_offsets.data(), count},
            positions.data(),
            link_offsets.data()};
  }
};

std::string piece(const std::vector<std::int32_t>& words, int first, int last, char side) {
  std::string text;
  for (int k = first; k <= last; ++k)
    text += (k > first ? " " : "") + std::string(1, side) + std::to_string(words[static_cast<std::size_t>(k)]);
  return text;
}

using Pairs = std::multiset<std::pair<std::string, std::string>>;

// Every box, checked by the definition.
void oracle(const std::vector<std::int32_t>& source, const std::vector<std::int32_t>& target, const std::set<Link>& links,
            int max_length, Pairs& found) {
  const int rows = static_cast<int>(source.size()), columns = static_cast<int>(target.size());
  for (int i1 = 0; i1 < rows; ++i1)
    for (int i2 = i1; i2 < std::min(rows, i1 + max_length); ++i2)
      for (int j1 = 0; j1 < columns; ++j1)
        for (int j2 = j1; j2 < std::min(columns, j1 + max_length); ++j2) {
          bool inside = false, leaves = false;
          for (const Link& link : links) {
            const bool row = i1 <= link.source && link.source <= i2, column = j1 <= link.target && link.target <= j2;
            inside |= row && column;
            leaves |= row != column;
          }
          if (inside && !leaves) found.emplace(piece(source, i1, i2, 's'), piece(target, j1, j2, 't'));
        }
}

std::string string_at(const paragauge::Strings& strings, std::size_t k) {
  return {strings.text.data() + strings.offsets[k], static_cast<std::size_t>(strings.offsets[k + 1] - strings.offsets[k])};
}

// Checks the order of the columns and that they add up; returns every pair with all that belongs to it.
std::vector<std::string> check_columns(const paragauge::TableColumns& columns, const Pairs& expected) {
  std::map<std::pair<std::string, std::string>, std::int64_t> counts;
  std::map<std::string, std::int64_t> totals[2];
  for (const auto& pair : expected) {
    ++counts[pair];
    ++totals[0][pair.first];
    ++totals[1][pair.second];
  }
  const paragauge::TableColumns::Side* sides[2] = {&columns.source, &columns.target};
  for (int side = 0; side < 2; ++side) {
    CHECK(sides[side]->totals.size() == totals[side].size());
    std::size_t k = 0;
    for (const auto& [phrase, total] : totals[side]) {  // a map is sorted
      CHECK(string_at(sides[side]->phrases, k) == phrase && sides[side]->totals[k] == total);
      ++k;
    }
  }
  CHECK(columns.counts.size() == counts.size());
  CHECK(columns.source_rows.back() == static_cast<std::int64_t>(counts.size()));
  std::vector<std::string> table;
  for (std::size_t k = 0; k < columns.counts.size(); ++k) {
    const auto source = static_cast<std::size_t>(columns.pair_source[k]);
    const std::pair<std::string, std::string> pair{
        string_at(columns.source.phrases, source),
        string_at(columns.target.phrases, static_cast<std::size_t>(columns.pair_target[k]))};
    CHECK(columns.counts[k] == counts[pair]);
    CHECK(columns.source_rows[source] <= static_cast<std::int64_t>(k) &&
          static_cast<std::int64_t>(k) < columns.source_rows[source + 1]);
    if (k > 0 && columns.pair_source[k - 1] == columns.pair_source[k])
      CHECK(columns.counts[k - 1] > columns.counts[k] ||
            (columns.counts[k - 1] == columns.counts[k] && columns.pair_target[k - 1] < columns.pair_target[k]));
    table.push_back(pair.first + "|" + pair.second + "|" + string_at(columns.alignment, k) + "|" +
                    std::to_string(columns.direct_lexical[k]) + "|" + std::to_string(columns.inverse_lexical[k]));
  }
  return table;
}

// By the definition, pair by pair.
void check_pruning(const paragauge::TableColumns& columns) {
  const paragauge::TableColumns left = paragauge::pruned(columns, {2, 0.2, 2});
  std::vector<std::string> expected, found;
  const auto row = [](const paragauge::TableColumns& from, std::size_t k) {
    const auto source = static_cast<std::size_t>(from.pair_source[k]), target = static_cast<std::size_t>(from.pair_target[k]);
    return string_at(from.source.phrases, source) + "|" + string_at(from.target.phrases, target) + "|" +
           std::to_string(from.counts[k]) + "|" + std::to_string(from.source.totals[source]) + "|" +
           std::to_string(from.target.totals[target]) + "|" + string_at(from.alignment, k);
  };
  for (std::size_t k = 0; k < columns.counts.size(); ++k) {
    const auto source = static_cast<std::size_t>(columns.pair_source[k]);
    const std::int64_t place = static_cast<std::int64_t>(k) - columns.source_rows[source];
    const double p = static_cast<double>(columns.counts[k]) / static_cast<double>(columns.source.totals[source]);
    if (columns.counts[k] >= 2 && p >= 0.2 && place < 2) expected.push_back(row(columns, k));
  }
  std::set<std::int32_t> targets(left.pair_target.begin(), left.pair_target.end());
  CHECK(targets.size() == left.target.totals.size());
  CHECK(left.source_rows.size() == left.source.totals.size() + 1);
  for (std::size_t k = 0; k < left.counts.size(); ++k) found.push_back(row(left, k));
  CHECK(found == expected);
}

void extraction_equals_oracle(std::mt19937& rng, int sentences, int longest, int max_length) {
  std::vector<std::string> source_names, target_names;
  for (int k = 0; k < 5; ++k) {
    source_names.push_back("s" + std::to_string(k));
    target_names.push_back("t" + std::to_string(k));
  }
  Bitext bitext;
  Pairs expected;
  for (int n = 0; n < sentences; ++n) {
    std::vector<std::int32_t> source(static_cast<std::size_t>(uniform(rng, 0, longest)));
    std::vector<std::int32_t> target(static_cast<std::size_t>(uniform(rng, 0, longest)));
    for (auto& word : source) word = uniform(rng, 0, 4);
    for (auto& word : target) word = uniform(rng, 0, 4);
    std::set<Link> links;
    if (!source.empty() && !target.empty())
      for (int k = uniform(rng, 0, longest); k > 0; --k)
        links.insert({uniform(rng, 0, static_cast<int>(source.size()) - 1),
                      uniform(rng, 0, static_cast<int>(target.size()) - 1)});
    bitext.add(source, target, links);
    oracle(source, target, links, max_length, expected);
  }
  const Packed source_words(source_names), target_words(target_names);
  paragauge::LexicalCounts lexical;
  lexical.add(bitext.view());
  std::vector<std::vector<std::string>> tables;
  for (const int threads : {1, 3}) {
    paragauge::PhraseCounts counts(max_length, threads);
    counts.add({bitext.view(), source_words.words(), target_words.words(), &lexical});
    CHECK(counts.bytes() > 0);
    Pairs found;
    for (std::int64_t begin = 0; begin < counts.size(); begin += 7) {  // in pieces
      const paragauge::PairRows rows = counts.rows(begin, begin + 7);
      for (std::size_t k = 0; k < rows.counts.size(); ++k) {
        for (std::int64_t n = 0; n < rows.counts[k]; ++n)
          found.emplace(string_at(rows.source, k), string_at(rows.target, k));
        CHECK(rows.direct_lexical[k] > 0.0 && rows.direct_lexical[k] <= 1.0);
        CHECK(rows.inverse_lexical[k] > 0.0 && rows.inverse_lexical[k] <= 1.0);
        CHECK(string_at(rows.alignment, k).size() >= 8 + 3);
      }
    }
    CHECK(found == expected);
    tables.push_back(check_columns(counts.columns(), expected));
    check_pruning(counts.columns());
    counts.clear();
    CHECK(counts.size() == 0 && counts.columns().counts.empty());
  }
  CHECK(tables[0] == tables[1]);

  // By Moses' rule pairs are counted once for each alignment, and make up the same table but for weights and alignments.
  paragauge::PhraseCounts counts(max_length, 2, paragauge::LexicalRule::moses);
  paragauge::LexicalCounts moses(paragauge::LexicalRule::moses);
  moses.add(bitext.view());
  counts.add({bitext.view(), source_words.words(), target_words.words(), &moses});
  const paragauge::PairRows rows = counts.rows(0, counts.size());
  Pairs found;
  for (std::size_t k = 0; k < rows.counts.size(); ++k) {
    for (std::int64_t n = 0; n < rows.counts[k]; ++n) found.emplace(string_at(rows.source, k), string_at(rows.target, k));
    CHECK(string_at(rows.by_target, k) == paragauge::alignment_order(string_at(rows.alignment, k).substr(8), true));
    CHECK(string_at(rows.by_source, k) == paragauge::alignment_order(string_at(rows.alignment, k).substr(8), false));
  }
  CHECK(found == expected);
  check_columns(counts.columns(), expected);
}

void alignments_are_ordered_as_lists_of_sets(std::mt19937& rng) {
  struct Alignment {
    std::vector<std::set<int>> sets = std::vector<std::set<int>>(4);  // of each target word
    std::string text;
  };
  const auto any = [&] {
    Alignment made;
    std::set<std::pair<int, int>> links;
    for (int k = uniform(rng, 1, 5); k > 0; --k) links.emplace(uniform(rng, 0, 12), uniform(rng, 0, 3));
    for (const auto& [i, j] : links) {
      made.sets[static_cast<std::size_t>(j)].insert(i);
      made.text += (made.text.empty() ? "" : " ") + std::to_string(i) + "-" + std::to_string(j);
    }
    return made;
  };
  for (int round = 0; round < 300; ++round) {
    const Alignment one = any(), other = any();
    const std::string a = paragauge::alignment_order(one.text, true), b = paragauge::alignment_order(other.text, true);
    CHECK((a < b) == (one.sets < other.sets) && (a == b) == (one.sets == other.sets));
  }
  CHECK(paragauge::alignment_order("0-1 2-0", false) == paragauge::alignment_order("0-2 1-0", true));
}

// All places of all phrases one after another.
void paraphrases_equal_brute_force(std::mt19937& rng) {
  std::set<std::string> known;
  for (int k = 0; k < 12; ++k) known.insert(random_phrase(rng, 3));
  const std::vector<std::string> phrases(known.begin(), known.end());
  const Packed packed(phrases);
  std::vector<std::int64_t> rows{0};
  std::vector<std::int32_t> numbers;
  std::vector<double> scores;
  for (std::size_t k = 0; k < phrases.size(); ++k) {
    for (int n = uniform(rng, 0, 4); n > 0; --n) {
      numbers.push_back(uniform(rng, 0, static_cast<int>(phrases.size()) - 1));
      scores.push_back(uniform(rng, 0, 4) / 4.0);
    }
    rows.push_back(static_cast<std::int64_t>(numbers.size()));
  }
  const std::string lines[2] = {random_phrase(rng, 7), random_phrase(rng, 7)};
  std::vector<std::string_view> words[2];
  for (int side = 0; side < 2; ++side) paragauge::split_words(lines[side], words[side]);
  const auto phrase = [&](int side, std::size_t begin, std::size_t length) {
    std::string text;
    for (std::size_t k = begin; k < begin + length; ++k) text += (k > begin ? " " : "") + std::string(words[side][k]);
    return text;
  };
  std::vector<std::array<std::int32_t, 4>> expected, found;
  const double least = uniform(rng, 0, 4) / 4.0;
  for (std::size_t length = 1; length <= 2; ++length)
    for (std::size_t i = 0; i + length <= words[0].size(); ++i)
      for (std::size_t p = 0; p < phrases.size(); ++p) {
        if (phrases[p] != phrase(0, i, length)) continue;
        for (std::size_t q = 0; q < phrases.size(); ++q) {
          bool is_one = false;
          for (auto k = static_cast<std::size_t>(rows[p]); k < static_cast<std::size_t>(rows[p + 1]); ++k)
            is_one = is_one || (numbers[k] == static_cast<std::int32_t>(q) && p != q && scores[k] >= least);
          for (std::size_t j = 0; is_one && j < words[1].size(); ++j)
            for (std::size_t other = 1; other <= 2 && j + other <= words[1].size(); ++other)
              if (phrases[q] == phrase(1, j, other))
                expected.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j),
                                    static_cast<std::int32_t>(length), static_cast<std::int32_t>(other)});
        }
      }
  paragauge::FirstWords first_words;
  paragauge::ParaphraseFinder finder(
      {packed.index(), rows.data(), numbers.data(), scores.data(), static_cast<std::int64_t>(numbers.size())}, first_words, 2, least);
  std::vector<paragauge::PhraseLink> links;
  finder.find(words[0], words[1], links);
  links.clear();
  finder.find(words[0], words[1], links);  // what is remembered says the same
  for (const paragauge::PhraseLink& link : links) found.push_back({link.i, link.j, link.i_length, link.j_length});
  CHECK(found == expected);
}

// Strings of which some are beginnings of others, also with zeros in them.
void strings_are_sorted_by_their_bytes(std::mt19937& rng) {
  paragauge::StringNumbers strings;
  std::set<std::string> expected;
  for (int n = 0; n < 500; ++n) {
    std::string one(static_cast<std::size_t>(uniform(rng, 0, 30)), 'a');
    for (char& c : one)
      if (uniform(rng, 0, 9) == 0) c = "\0b \xff"[uniform(rng, 0, 3)];
    const std::int32_t number = strings.number(one, paragauge::hash_of(one));
    CHECK(strings[number] == one && strings.number(one, paragauge::hash_of(one)) == number);
    expected.insert(one);
  }
  std::vector<std::string> found;
  for (const std::int32_t number : paragauge::sorted_order(strings))
    found.emplace_back(strings[number]);
  CHECK((found == std::vector<std::string>(expected.begin(), expected.end())));
}

void lexical_counts_by_hand() {
  // the/la house/maison, and "the" linked to "le" elsewhere; "oh" has no link.
  Bitext bitext;
  bitext.add({0, 1}, {0, 1}, {{0, 0}, {1, 1}});
  bitext.add({0, 2}, {2}, {{0, 0}});
  paragauge::LexicalCounts lexical;
  lexical.add(bitext.view());
  CHECK(lexical.direct(0, 0) == 0.5 && lexical.direct(0, 2) == 0.5 && lexical.direct(1, 1) == 1.0);
  CHECK(lexical.inverse(0, 0) == 1.0);
  CHECK(lexical.inverse(2, paragauge::LexicalCounts::null_word) == 1.0);
  CHECK(lexical.direct(paragauge::LexicalCounts::null_word, 0) == 0.0);
  CHECK(lexical.direct(77, 0) == 0.0);
  // "the" without a link counts by Moses' rule.
  bitext.add({0}, {}, {});
  paragauge::LexicalCounts koehn, moses(paragauge::LexicalRule::moses);
  koehn.add(bitext.view());
  moses.add(bitext.view());
  CHECK(koehn.direct(0, 0) == 0.5 && moses.direct(0, 0) == 1.0 / 3);
  CHECK(koehn.inverse(0, 0) == 1.0 && moses.inverse(0, 0) == 1.0);
  CHECK(moses.inverse(0, paragauge::LexicalCounts::null_word) == 0.5);
}

void pharaoh_text() {
  const std::string text = "0-0 1-2\n\n 3p4\t5?6 7-8-P\r\n10-11";
  const auto parsed = paragauge::parse_pharaoh(text.data(), text.size());
  CHECK(parsed.error_begin == parsed.error_end);
  CHECK((parsed.offsets == std::vector<std::int64_t>{0, 2, 2, 5, 6}));
  CHECK((parsed.positions == std::vector<std::int32_t>{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11}));
  for (const std::string bad : {"1:2", "1-", "-1", "1-2-3", "99999999999-1", "1--2", "a-1", "1-2-X"}) {
    const std::string line = "0-0\n0-1 " + bad + " 3-3\n";
    const auto failed = paragauge::parse_pharaoh(line.data(), line.size());
    CHECK(line.substr(failed.error_begin, failed.error_end - failed.error_begin) == bad);
    CHECK(failed.offsets.size() == 2);
  }
  const Bitext outside = [] {
    Bitext one;
    one.add({0}, {0}, {{0, 1}});
    return one;
  }();
  CHECK_THROWS(paragauge::check_links(outside.view()), std::invalid_argument);
}

struct Best {
  double log_probability = -INFINITY;
  std::vector<std::int32_t> lengths;
};

// All segmentations; counts are powers of two, so that sums of logarithms to base 2 are exact and ties are ties.
void all_segmentations(const std::map<std::string, int>& log2_counts, const std::vector<std::string>& words, std::size_t from,
                       double value, std::vector<std::int32_t>& lengths, Best& best) {
  if (from == words.size()) {
    const bool tie = value == best.log_probability;
    const bool fewer = lengths.size() < best.lengths.size();
    const bool longer_first = lengths.size() == best.lengths.size() && lengths > best.lengths;
    if (value > best.log_probability || (tie && (fewer || longer_first))) best = {value, lengths};
    return;
  }
  std::string phrase;
  for (std::size_t to = from; to < words.size(); ++to) {
    phrase += (to > from ? " " : "") + words[to];
    const auto known = log2_counts.find(phrase);
    if (known == log2_counts.end() && to > from) continue;
    lengths.push_back(static_cast<std::int32_t>(to - from + 1));
    // The total is 64, and an unseen word counts one half.
    all_segmentations(log2_counts, words, to + 1, value + (known == log2_counts.end() ? -1 : known->second) - 6, lengths, best);
    lengths.pop_back();
  }
}

void segmentation_equals_brute_force(std::mt19937& rng) {
  std::map<std::string, int> log2_counts;
  for (int k = uniform(rng, 0, 12); k > 0; --k) log2_counts[random_phrase(rng, 3)] = uniform(rng, 0, 5);
  std::vector<std::string> phrases;
  std::vector<std::int64_t> counts;
  for (const auto& [phrase, log2_count] : log2_counts) {
    phrases.push_back(phrase);
    counts.push_back(std::int64_t{1} << log2_count);
  }
  const Packed packed(phrases);
  for (std::size_t k = 0; k < phrases.size(); ++k)
    CHECK(packed.index().find(phrases[k]) == static_cast<std::int64_t>(k));
  const paragauge::PhraseNumbers numbers(packed.index());
  for (int k = 0; k < 10; ++k) {
    const std::string phrase = random_phrase(rng, 3);
    const auto known = std::find(phrases.begin(), phrases.end(), phrase);
    const auto expected = known == phrases.end() ? -1 : known - phrases.begin();
    CHECK(packed.index().find(phrase) == expected);
    CHECK(numbers[phrase] == expected);
  }
  const std::string line = random_phrase(rng, 7);
  std::vector<std::string_view> pieces;
  paragauge::split_words(line, pieces);
  const std::vector<std::string> words(pieces.begin(), pieces.end());
  Best best;
  std::vector<std::int32_t> lengths;
  all_segmentations(log2_counts, words, 0, 0.0, lengths, best);
  const auto found = paragauge::segment(packed.index(), counts.data(), 64.0, 0.5, 1000, pieces);
  CHECK(found.lengths == best.lengths);
}

void inversion_sorts_by_target_and_count() {
  const std::int32_t targets[] = {1, 0, 1, 1};
  const std::int64_t counts[] = {2, 1, 5, 2};
  std::vector<std::int64_t> rows, order;
  paragauge::invert_pairs(targets, counts, 4, 3, rows, order);
  CHECK((rows == std::vector<std::int64_t>{0, 1, 4, 4}));
  CHECK((order == std::vector<std::int64_t>{1, 2, 0, 3}));
}

void digests_see_letters_only() {
  paragauge::SentenceDigests digests;
  for (const char* text : {"He said, \"I can't go.\"", "he said , `` i ca n't go . ''", "He said \u201cI can\u2019t go\u2026\u201d",
                           "he said i cant came", "", "...", "caf\u00e9", "cafe", "\xe2", "\xe2\x80"})
    digests.add(text, 3, 1);
  CHECK(digests.sentences[0] == digests.sentences[1]);
  CHECK(digests.sentences[0] == digests.sentences[2]);
  CHECK(digests.sentences[0] != digests.sentences[3]);
  CHECK(digests.sentences[4] == digests.sentences[5]);
  CHECK(digests.sentences[6] != digests.sentences[7]);
  // "he said i" is in all, "i cant go" in two that do not split the contraction.
  const auto grams = [&](std::size_t k) {
    return std::set<std::uint64_t>(digests.grams.begin() + digests.offsets[k], digests.grams.begin() + digests.offsets[k + 1]);
  };
  CHECK(grams(0).size() == 3 && grams(1).size() == 4 && grams(2) == grams(0));
  std::set<std::uint64_t> common;
  for (const std::uint64_t digest : grams(1)) if (grams(0).count(digest)) common.insert(digest);
  CHECK(common.size() == 1);
  CHECK(grams(3).count(*common.begin()));
  paragauge::SentenceDigests sampled;
  sampled.add("he said , `` i ca n't go . ''", 3, 2);
  for (const std::uint64_t digest : sampled.grams) CHECK(grams(1).count(digest) && digest % 2 == 0);
}

}  // namespace

int main() {
  digests_see_letters_only();
  std::mt19937 rng(7);
  for (int round = 0; round < 150; ++round) {
    extraction_equals_oracle(rng, 3, 6, uniform(rng, 1, 7));
    segmentation_equals_brute_force(rng);
    segmentation_equals_brute_force(rng);
  }
  extraction_equals_oracle(rng, 1500, 4, 4);  // more than a round
  lexical_counts_by_hand();
  alignments_are_ordered_as_lists_of_sets(rng);
  for (int round = 0; round < 300; ++round) paraphrases_equal_brute_force(rng);
  strings_are_sorted_by_their_bytes(rng);
  pharaoh_text();
  inversion_sorts_by_target_and_count();
  const Packed damaged({"a", "b"});
  const std::int64_t wild[] = {0, 1 << 20, 2};
  CHECK_THROWS(paragauge::PhraseIndex(damaged.text.data(), 2, wild, 2).find("b"), std::invalid_argument);
  std::puts("phrases: all checks passed");
  return 0;
}
