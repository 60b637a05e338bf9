// Decoding with random grammars and models: scores are those of the derivations that come back, k-best lists are sorted and
// distinct, and neither the beam nor the number of threads changes what they must not. The enumeration of all derivations is
// compared in Python.
#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "check.hpp"
#include "decode/decoder.hpp"
#include "lm/counts.hpp"
#include "lm/estimate.hpp"
#include "lm/vocabulary.hpp"

namespace {

namespace lm = paragauge::lm;

int uniform(std::mt19937& rng, int low, int high) { return std::uniform_int_distribution<int>(low, high)(rng); }

struct Packed {
  std::vector<char> text;
  std::vector<std::int64_t> offsets{0};

  void add(const std::string& one) {
    text.insert(text.end(), one.begin(), one.end());
    offsets.push_back(static_cast<std::int64_t>(text.size()));
  }
  paragauge::Words words() {
    text.reserve(text.size() + 1);  // so that there always is an address
    return {text.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
  }
};

std::string random_side(std::mt19937& rng, const std::vector<std::string>& gaps) {
  std::vector<std::string> symbols = gaps;
  for (int w = uniform(rng, gaps.empty() ? 1 : 0, 2); w > 0; --w) symbols.insert(symbols.begin() + uniform(rng, 0, static_cast<int>(symbols.size())), std::string(1, static_cast<char>('a' + uniform(rng, 0, 2))));
  std::string text;
  for (const std::string& symbol : symbols) text += (text.empty() ? "" : " ") + symbol;
  return text;
}

struct Model {
  lm::VocabularyArrays vocabulary;
  lm::ModelArrays arrays;

  explicit Model(std::mt19937& rng, int order) {
    lm::Encoder encoder;
    for (int s = 0; s < 30; ++s) {
      for (int w = uniform(rng, 1, 6); w > 0; --w) encoder.add_word(std::string(1, static_cast<char>('a' + uniform(rng, 0, 2))));
      encoder.end_sentence();
    }
    vocabulary = encoder.vocabulary();
    vocabulary.index();
    const paragauge::Sequences text{encoder.ids().data(), encoder.offsets().data(), static_cast<std::int64_t>(encoder.offsets().size()) - 1};
    const auto counts = lm::count_ngrams(text, vocabulary.size(), order, 1);
    const std::vector<std::array<double, 3>> discounts(static_cast<std::size_t>(order), {0.5, 1.0, 1.5});
    const std::vector<std::uint32_t> least(static_cast<std::size_t>(order), 1);
    arrays = lm::build_model(counts.trie, lm::estimate_kneser_ney(counts, discounts, least, 1));
  }

  lm::Model view() const {
    std::vector<lm::Table> tables;
    for (const auto& table : arrays.tables) tables.push_back({table.data(), static_cast<std::int64_t>(table.size())});
    return {arrays.unigrams.data(), static_cast<std::int64_t>(arrays.unigrams.size()), tables};
  }
  lm::Word find(std::string_view word) const { return std::max(vocabulary.find(word), lm::unknown_word); }
};

paragauge::GrammarView view(const paragauge::GrammarArrays& arrays) {
  const auto index = [](const paragauge::Strings& strings) {
    return paragauge::PhraseIndex(strings.text.data(), static_cast<std::int64_t>(strings.text.size()), strings.offsets.data(),
                                  static_cast<std::int64_t>(strings.offsets.size()) - 1);
  };
  return {index(arrays.words), arrays.on_source.data(), index(arrays.labels),
          reinterpret_cast<const paragauge::Shape*>(arrays.shapes.data()), static_cast<std::int64_t>(arrays.shapes.size() / 4),
          {arrays.source_first.data(), arrays.source_symbols.data(), static_cast<std::int64_t>(arrays.source_first.size()) - 1},
          {arrays.target_first.data(), arrays.target_symbols.data(), static_cast<std::int64_t>(arrays.target_first.size()) - 1},
          arrays.source_rules.data(), arrays.rule_target.data(), arrays.rule_shape.data(),
          static_cast<std::int64_t>(arrays.rule_target.size())};
}

bool same(const std::vector<paragauge::DecodeResult>& a, const std::vector<paragauge::DecodeResult>& b) {
  for (std::size_t s = 0; s < a.size(); ++s) {
    if (a[s].status != b[s].status || a[s].best.size() != b[s].best.size()) return false;
    for (std::size_t k = 0; k < a[s].best.size(); ++k)
      if (a[s].best[k].text != b[s].best[k].text || a[s].best[k].score != b[s].best[k].score) return false;
  }
  return true;
}

void test_decoding() {
  std::mt19937 rng(11);
  int found = 0;
  for (int round = 0; round < 200; ++round) {
    Packed lhs, sources, targets, tokens;
    std::vector<float> values;
    const int rule_count = uniform(rng, 1, 15);
    for (int r = 0; r < rule_count; ++r) {
      std::vector<std::string> gaps;
      for (int g = uniform(rng, 0, 2); g > 0; --g)
        gaps.push_back((uniform(rng, 0, 1) ? "[X," : "[NP,") + std::to_string(gaps.size() + 1) + "]");
      lhs.add(uniform(rng, 0, 1) ? "X" : "NP");
      sources.add(random_side(rng, gaps));
      if (uniform(rng, 0, 1)) std::reverse(gaps.begin(), gaps.end());
      targets.add(random_side(rng, gaps));
      values.push_back(static_cast<float>(uniform(rng, -20, 20)) / 8);
    }
    paragauge::GrammarBuilder builder;
    builder.add(lhs.words(), sources.words(), targets.words());
    const auto arrays = builder.finish();
    const Model model(rng, uniform(rng, 1, 4));
    const lm::Model lm_view = model.view();
    std::vector<lm::Word> lm_words, token_words;
    const auto grammar = view(arrays);
    for (std::int64_t w = 0; w < grammar.words.size(); ++w) lm_words.push_back(model.find(grammar.words[w]));
    for (const char* token : {"a", "b", "c", "z"}) {
      tokens.add(token);
      token_words.push_back(model.find(token));
    }
    using paragauge::FeatureKind;
    const paragauge::DecoderView decoder{grammar, arrays.rule_row.data(), values.data(), rule_count, 1,
                                         uniform(rng, 0, 3) ? &lm_view : nullptr, lm_words.data(),
                                         {{FeatureKind::stored, 0, 1.0}, {FeatureKind::language_model, 0, 0.5},
                                          {FeatureKind::surface, static_cast<int>(paragauge::Surface::target_words), 0.25},
                                          {FeatureKind::pass_through, 0, -0.75}, {FeatureKind::glue, 0, -0.125}, {FeatureKind::unknown_words, 0, -1.5}}};
    std::vector<std::int32_t> ids;
    std::vector<std::int64_t> offsets{0};
    for (int s = 0; s < 4; ++s) {
      for (int w = uniform(rng, 0, 9); w > 0; --w) ids.push_back(uniform(rng, 0, 3));
      offsets.push_back(static_cast<std::int64_t>(ids.size()));
    }
    ids.reserve(1);
    const paragauge::Sequences sentences{ids.data(), offsets.data(), 4};
    paragauge::DecodeOptions options;
    options.kbest = 8;
    options.beam = uniform(rng, 1, 40);
    options.max_span = uniform(rng, 0, 5);
    options.max_rules = uniform(rng, 0, 3);
    options.glue = uniform(rng, 0, 3) > 0;
    options.distinct = uniform(rng, 0, 1);
    options.derivations = true;
    options.pass_through = static_cast<paragauge::PassThrough>(uniform(rng, 0, 2));
    std::vector<paragauge::DecodeResult> one, four;
    paragauge::decode(decoder, tokens.words(), token_words.data(), sentences, options, one);
    options.threads = 4;
    paragauge::decode(decoder, tokens.words(), token_words.data(), sentences, options, four);
    CHECK(same(one, four));
    for (const paragauge::DecodeResult& result : one) {
      std::set<std::string> texts;
      double last = 1e300;
      for (const paragauge::Decoded& candidate : result.best) {
        double score = 0;
        for (std::size_t k = 0; k < candidate.features.size(); ++k) score += decoder.features[k].weight * candidate.features[k];
        CHECK(std::abs(score - candidate.score) < 1e-6);
        CHECK(candidate.score <= last + 1e-9);
        last = candidate.score;
        CHECK(texts.insert(candidate.text).second || !options.distinct);
        ++found;
      }
      CHECK((result.status == paragauge::DecodeStatus::found) == !result.best.empty());
    }
    options.bytes = 64;
    paragauge::decode(decoder, tokens.words(), token_words.data(), sentences, options, four);
    for (std::int64_t s = 0; s < 4; ++s)
      if (sentences[s].size() > 2) CHECK(four[static_cast<std::size_t>(s)].status == paragauge::DecodeStatus::memory_limit);
  }
  CHECK(found > 1000);
}

void test_damaged_index() {
  Packed lhs, sources, targets, tokens;
  lhs.add("X");
  sources.add("a");
  targets.add("b");
  tokens.add("a");
  paragauge::GrammarBuilder builder;
  builder.add(lhs.words(), sources.words(), targets.words());
  auto arrays = builder.finish();
  arrays.rule_row[0] = 5;
  const std::vector<float> values{1.0f};
  const paragauge::DecoderView decoder{view(arrays), arrays.rule_row.data(), values.data(), 1, 1, nullptr, nullptr,
                                       {{paragauge::FeatureKind::stored, 0, 1.0}}};
  const std::int32_t ids[] = {0};
  const std::int64_t offsets[] = {0, 1};
  std::vector<paragauge::DecodeResult> results;
  CHECK_THROWS(paragauge::decode(decoder, tokens.words(), nullptr, {ids, offsets, 1}, {}, results), std::invalid_argument);
}

}  // namespace

int main() {
  test_decoding();
  test_damaged_index();
  return 0;
}
