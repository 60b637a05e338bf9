// Language models: counts against maps of vectors, sums of probabilities, ARPA files there and back and damaged.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "check.hpp"
#include "lm/arpa.hpp"
#include "lm/counts.hpp"
#include "lm/estimate.hpp"
#include "lm/model.hpp"
#include "lm/vocabulary.hpp"

using namespace paragauge::lm;
using Ngram = std::vector<Word>;

namespace {

struct Text {
  std::vector<std::int32_t> ids;
  std::vector<std::int64_t> offsets{0};
  std::vector<Ngram> sentences;

  paragauge::Sequences view() const {
    return {ids.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
  }
};

Text random_text(std::mt19937& rng, int sentences, int longest, int words) {
  Text text;
  std::uniform_int_distribution<int> length(0, longest), word(first_ordinary_word, words - 1);
  for (int i = 0; i < sentences; ++i) {
    Ngram sentence(static_cast<std::size_t>(length(rng)));
    for (Word& token : sentence) token = std::min(word(rng), word(rng));
    text.ids.insert(text.ids.end(), sentence.begin(), sentence.end());
    text.offsets.push_back(static_cast<std::int64_t>(text.ids.size()));
    text.sentences.push_back(sentence);
  }
  return text;
}

std::map<Ngram, std::uint32_t> count_slowly(const Text& text, std::size_t n) {
  std::map<Ngram, std::uint32_t> counts;
  for (const Ngram& sentence : text.sentences) {
    Ngram padded{sentence_begin};
    padded.insert(padded.end(), sentence.begin(), sentence.end());
    padded.push_back(sentence_end);
    for (auto begin = padded.begin(); padded.end() - begin >= static_cast<std::ptrdiff_t>(n); ++begin)
      ++counts[Ngram(begin, begin + static_cast<std::ptrdiff_t>(n))];
  }
  return counts;
}

// All n-grams of a level with their counts, by walking down from the words.
void collect(const NgramCounts& counts, std::size_t level, std::size_t node, Ngram& prefix, std::size_t depth,
             std::map<Ngram, std::pair<std::uint32_t, std::uint32_t>>& found) {
  prefix.push_back(counts.trie.levels[level].word[node]);
  if (level == depth) {
    found[prefix] = {counts.count[level][node], counts.adjusted[level][node]};
  } else {
    const auto& first = counts.trie.levels[level].first_child;
    for (std::size_t child = first[node]; child < first[node + 1]; ++child)
      collect(counts, level + 1, child, prefix, depth, found);
  }
  prefix.pop_back();
}

void counts_equal_oracle(std::mt19937& rng, int order, int words, int threads) {
  const Text text = random_text(rng, 12, 7, words);
  const NgramCounts counts = count_ngrams(text.view(), words, order, threads);
  for (std::size_t n = 1; n <= static_cast<std::size_t>(order); ++n) {
    std::map<Ngram, std::pair<std::uint32_t, std::uint32_t>> found;
    Ngram prefix;
    for (std::size_t word = 0; word < static_cast<std::size_t>(words); ++word) collect(counts, 0, word, prefix, n - 1, found);
    const auto expected = count_slowly(text, n);
    std::map<Ngram, std::set<Word>> left;
    if (n < static_cast<std::size_t>(order)) {
      for (const auto& [ngram, count] : count_slowly(text, n + 1)) left[Ngram(ngram.begin() + 1, ngram.end())].insert(ngram[0]);
    }
    for (const auto& [ngram, pair] : found) {
      const auto place = expected.find(ngram);
      CHECK(pair.first == (place == expected.end() ? 0 : place->second));
      const bool as_it_is = n == static_cast<std::size_t>(order) || ngram[0] == sentence_begin;
      const std::size_t adjusted = n == 1 && ngram[0] == sentence_begin ? 0 : as_it_is ? pair.first : left[ngram].size();
      CHECK(pair.second == adjusted);
    }
    CHECK(n == 1 ? found.size() == static_cast<std::size_t>(words) : found.size() == expected.size());
  }
}

Model view(const ModelArrays& arrays) {
  std::vector<Table> tables;
  for (const auto& table : arrays.tables) tables.push_back({table.data(), static_cast<std::int64_t>(table.size())});
  return {arrays.unigrams.data(), static_cast<std::int64_t>(arrays.unigrams.size()), tables};
}

void sums_to_one(const Model& model, const Text& text) {
  int found = 0;
  for (const Ngram& sentence : text.sentences) {
    State state = model.begin_state(), after;
    for (std::size_t i = 0; i <= sentence.size(); ++i) {
      double sum = 0;
      for (Word word = 0; word < model.words(); ++word) {
        if (word != sentence_begin) sum += std::pow(10.0, model.advance(state, word, after, found));
      }
      CHECK(std::abs(sum - 1) < 1e-5);
      if (i == sentence.size()) break;
      model.advance(state, sentence[i], after, found);
      state = after;
    }
  }
}

std::string arpa_of(const ModelArrays& arrays, const VocabularyArrays& words) {
  const Model model = view(arrays);
  const Vocabulary vocabulary(words.bytes.data(), static_cast<std::int64_t>(words.bytes.size()), words.offsets.data(), words.size(),
                              words.slots.data(), static_cast<std::int64_t>(words.slots.size()));
  ArpaWriter writer(model, vocabulary, arrays.sizes, 2);
  std::string text;
  for (std::string block = writer.next(); !block.empty(); block = writer.next()) text += block;
  return text;
}

VocabularyArrays named_words(int count) {
  VocabularyArrays words;
  for (const char* reserved : {"<unk>", "<s>", "</s>"}) words.add(reserved);
  for (int i = first_ordinary_word; i < count; ++i) words.add("word" + std::to_string(i));
  words.index();
  return words;
}

// Reads *text* in blocks of *size*; an empty answer if it is refused.
std::string read_and_write(const std::string& text, std::size_t size) {
  ArpaReader reader;
  try {
    for (std::size_t i = 0; i < text.size(); i += size) reader.feed(std::string_view(text).substr(i, size));
    const ArpaModel read = reader.finish();
    return arpa_of(read.model, read.vocabulary);
  } catch (const ArpaError& error) {
    CHECK(error.line >= 0);
    return {};
  }
}

void models_are_sound(std::mt19937& rng, int order, int words, int threads) {
  const Text text = random_text(rng, 20, 8, words);
  const NgramCounts counts = count_ngrams(text.view(), words, order, threads);
  const auto orders = static_cast<std::size_t>(order);
  const std::vector<std::uint32_t> all(orders, 1);
  std::vector<std::uint32_t> cut(orders, 2);
  cut[0] = 1;
  const std::vector<std::array<double, 3>> discounts(orders, {0.5, 1.0, 1.5});
  const std::vector<std::vector<double>> coefficients(orders, {0.5, 0.75});
  for (const auto& min_counts : {all, cut}) {
    for (const Probabilities& probabilities : {estimate_kneser_ney(counts, discounts, min_counts, threads),
                                               estimate_katz(counts, coefficients, min_counts, threads)}) {
      const ModelArrays arrays = build_model(counts.trie, probabilities);
      sums_to_one(view(arrays), text);
      const std::string arpa = arpa_of(arrays, named_words(words));
      CHECK(read_and_write(arpa, 7) == arpa);
      CHECK(read_and_write(arpa, 100000) == arpa);
    }
  }
}

void damaged_arpa_files_do_no_harm(std::mt19937& rng) {
  const Text text = random_text(rng, 6, 5, 6);
  const NgramCounts counts = count_ngrams(text.view(), 6, 3, 1);
  const auto model = build_model(counts.trie, estimate_katz(counts, {{1.0}, {0.5}, {0.5}}, {1, 1, 1}, 1));
  const std::string arpa = arpa_of(model, named_words(6));
  int read = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string damaged = arpa;
    for (int i = 0; i < 2; ++i) {
      const std::size_t place = rng() % damaged.size();
      switch (rng() % 3) {
        case 0: damaged[place] = static_cast<char>(rng() % 256); break;
        case 1: damaged.erase(place, 1 + rng() % 12); break;
        default: damaged.insert(place, damaged.substr(rng() % damaged.size(), rng() % 30));
      }
    }
    read += !read_and_write(damaged, 64).empty();
  }
  CHECK(read > 0 && read < 1500);
}

void vocabularies_find_their_words() {
  const VocabularyArrays words = named_words(500);
  const Vocabulary vocabulary(words.bytes.data(), static_cast<std::int64_t>(words.bytes.size()), words.offsets.data(), words.size(),
                              words.slots.data(), static_cast<std::int64_t>(words.slots.size()));
  for (Word word = 0; word < 500; ++word) CHECK(vocabulary.find(vocabulary.word(word)) == word);
  for (const char* absent : {"", "word", "word2", "word500", "a word that is longer than eight bytes"})
    CHECK(vocabulary.find(absent) == unknown_word);
}

void encoding_gives_numbers_in_order_of_appearance() {
  Encoder encoder;
  for (int i = 0; i < 3000; ++i) encoder.add_text("w" + std::to_string(i) + " w" + std::to_string(i / 2));
  CHECK(encoder.ids().size() == 6000 && encoder.offsets().size() == 3001);
  CHECK(encoder.vocabulary().size() == 3003);
  for (std::size_t i = 0; i < 3000; ++i) {
    CHECK(encoder.ids()[2 * i] == static_cast<Word>(3 + i));
    CHECK(encoder.ids()[2 * i + 1] == static_cast<Word>(3 + i / 2));
    CHECK(encoder.vocabulary().word(3 + i) == "w" + std::to_string(i));
  }
}

void hostile_tables_do_no_harm(std::mt19937& rng) {
  std::vector<Weights> unigrams(5);
  std::vector<Slot> full(7);  // without an empty slot
  for (Slot& slot : full) slot.key = rng();
  const Model model(unigrams.data(), 5, {{full.data(), 7}, {full.data(), 7}});
  const Ngram sentence{3, 4, 0, 3};
  score_sentence(model, sentence.data(), sentence.data() + sentence.size());
  CHECK_THROWS(model.state_of({9}), std::invalid_argument);
  CHECK_THROWS(model.state_of({1, 1, 1}), std::invalid_argument);
  full[0].key = (std::uint64_t{100} << 32) | 3;
  CHECK_THROWS(list_longer(model, list_words(model), 2), std::runtime_error);
}

void utf8_is_checked_and_split() {
  CHECK(is_utf8("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
  for (const char* wrong : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xe2\x82", "\xf4\x90\x80\x80", "a\x80", "\xc3"}) CHECK(!is_utf8(wrong));
  std::vector<std::string_view> tokens;
  split("\t a\xc2\xa0 b\xe3\x80\x80", tokens);
  CHECK((tokens == std::vector<std::string_view>{"a", "b"}));
  split(" ", tokens);
  CHECK(tokens.empty());
}

void wrong_input_is_refused() {
  const std::vector<std::int32_t> ids{3, 2};
  const std::vector<std::int64_t> offsets{0, 2};
  const paragauge::Sequences view{ids.data(), offsets.data(), 1};
  CHECK_THROWS(count_ngrams(view, 4, 2, 1), std::invalid_argument);  // </s> inside a sentence
  CHECK_THROWS(count_ngrams(view, 4, 0, 1), std::invalid_argument);
  CHECK_THROWS(count_ngrams(view, 4, highest_order + 1, 1), std::invalid_argument);
  CHECK_THROWS(count_ngrams(view, 2, 2, 1), std::invalid_argument);
}

void threads_do_all_the_work_and_report_failure() {
  std::vector<int> seen(1000, 0);
  paragauge::parallel_blocks(1000, 7, 4, [&](std::int64_t begin, std::int64_t end, int) {
    for (auto i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
  });
  CHECK(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
  CHECK_THROWS(paragauge::parallel_blocks(100, 1, 3, [](std::int64_t begin, std::int64_t, int) {
    if (begin == 50) throw std::runtime_error("stop");
  }), std::runtime_error);
}

}  // namespace

int main() {
  std::mt19937 rng(1);
  for (int round = 0; round < 30; ++round) {
    for (int order = 1; order <= 5; ++order) {
      counts_equal_oracle(rng, order, 4 + round % 5, 1 + round % 3);
      if (round < 8) models_are_sound(rng, order, 5 + round, 1 + round % 3);
    }
  }
  damaged_arpa_files_do_no_harm(rng);
  vocabularies_find_their_words();
  encoding_gives_numbers_in_order_of_appearance();
  hostile_tables_do_no_harm(rng);
  utf8_is_checked_and_split();
  wrong_input_is_refused();
  threads_do_all_the_work_and_report_failure();
}
