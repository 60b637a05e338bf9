// The Python face of the language models.
#include "bind/lm.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/sequences.hpp"
#include "bind/arrays.hpp"
#include "bind/held_model.hpp"
#include "bind/text.hpp"
#include "lm/arpa.hpp"
#include "lm/counts.hpp"
#include "lm/estimate.hpp"
#include "lm/model.hpp"
#include "lm/vocabulary.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace lm = paragauge::lm;

namespace {

using paragauge::HeldModel;
using paragauge::Input;
template <class T>
using Output = nb::ndarray<nb::numpy, T>;

// An array that owns the vector it lies in; a vector of structs becomes several numbers a row.
template <class T, class Item>
nb::object to_numpy(std::vector<Item>&& items) {
  static_assert(sizeof(Item) % sizeof(T) == 0, "items are made of numbers");
  auto kept = std::make_unique<std::vector<Item>>(std::move(items));
  if (kept->empty()) kept->reserve(1);  // an array needs an address
  auto* data = reinterpret_cast<T*>(kept->data());
  const std::size_t count = kept->size(), width = sizeof(Item) / sizeof(T);
  nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<std::vector<Item>*>(p); });
  if (width == 1) return nb::cast(Output<T>(data, {count}, owner));
  return nb::cast(Output<T>(data, {count, width}, owner));
}

nb::tuple to_python(lm::VocabularyArrays&& vocabulary) {
  return nb::make_tuple(to_numpy<std::uint8_t>(std::move(vocabulary.bytes)),
                        to_numpy<std::int64_t>(std::move(vocabulary.offsets)),
                        to_numpy<std::uint64_t>(std::move(vocabulary.slots)));
}

nb::tuple to_python(lm::ModelArrays&& model) {
  nb::list tables;
  for (auto& table : model.tables) tables.append(to_numpy<std::uint64_t>(std::move(table)));
  return nb::make_tuple(to_numpy<float>(std::move(model.unigrams)), tables, to_numpy<std::int64_t>(std::move(model.sizes)));
}

// Text on its way to counts.
class Encoder {
 public:
  // Sentences with white space between words.
  void add_texts(nb::list sentences) {
    const nb::tuple kept(sentences);  // nobody can take a text away while it is read
    std::vector<std::string_view> texts;
    for (nb::handle sentence : kept) texts.push_back(paragauge::text_of(sentence));
    nb::gil_scoped_release release;
    for (std::string_view text : texts) encoder_.add_text(text);
  }

  // Sentences that are sequences of words.
  void add_tokens(nb::list sentences) {
    for (nb::handle sentence : sentences) {
      for (nb::handle word : sentence) encoder_.add_word(paragauge::text_of(word));
      encoder_.end_sentence();
    }
  }

  std::int64_t sentences() const { return static_cast<std::int64_t>(encoder_.offsets().size()) - 1; }
  std::int64_t tokens() const { return static_cast<std::int64_t>(encoder_.ids().size()); }

  // (sentence from 0, word) of the first reserved word among the sentences, or None.
  nb::object first_reserved() const {
    const auto& ids = encoder_.ids();
    const auto found = std::find_if(ids.begin(), ids.end(), [](lm::Word word) { return word < lm::first_ordinary_word; });
    if (found == ids.end()) return nb::none();
    const auto& offsets = encoder_.offsets();
    const auto sentence = std::upper_bound(offsets.begin(), offsets.end(), found - ids.begin()) - offsets.begin() - 1;
    return nb::make_tuple(sentence, *found);
  }

  const lm::Encoder& encoder() const { return encoder_; }

 private:
  lm::Encoder encoder_;
};

// Counts, as Python holds them between counting and estimation.
class Counts {
 public:
  Counts(const Encoder& encoder, int order, int threads) {
    const auto& [ids, offsets] = std::tie(encoder.encoder().ids(), encoder.encoder().offsets());
    const paragauge::Sequences sentences{ids.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
    vocabulary_ = encoder.encoder().vocabulary();
    nb::gil_scoped_release release;
    vocabulary_.index();
    counts_ = lm::count_ngrams(sentences, vocabulary_.size(), order, threads);
  }

  nb::tuple vocabulary() const { return to_python(lm::VocabularyArrays(vocabulary_)); }

  int order() const { return counts_.trie.order(); }

  std::vector<std::int64_t> sizes() const {
    std::vector<std::int64_t> sizes;
    for (const lm::Level& level : counts_.trie.levels) sizes.push_back(static_cast<std::int64_t>(level.size()));
    return sizes;
  }

  std::vector<std::int64_t> counts_of_counts(int order, bool adjusted, int up_to) const {
    check_order(order);
    if (up_to < 1) throw std::invalid_argument("up_to must be at least 1");
    return counts_.counts_of_counts(order, adjusted, up_to);
  }

  // (occurrences, adjusted count) of the n-gram; (0, 0) if it does not occur.
  std::pair<std::int64_t, std::int64_t> find(nb::sequence words) const {
    const lm::Vocabulary vocabulary(vocabulary_.bytes.data(), static_cast<std::int64_t>(vocabulary_.bytes.size()),
                                    vocabulary_.offsets.data(), vocabulary_.size(), vocabulary_.slots.data(),
                                    static_cast<std::int64_t>(vocabulary_.slots.size()));
    std::vector<lm::Word> ngram;
    for (nb::handle word : words) ngram.push_back(vocabulary.find(paragauge::text_of(word)));  // <unk> never occurs
    check_order(static_cast<int>(ngram.size()));
    const auto& levels = counts_.trie.levels;
    auto node = static_cast<std::size_t>(ngram[0]);
    for (std::size_t i = 1; i < ngram.size(); ++i) {
      const auto begin = levels[i].word.begin() + levels[i - 1].first_child[node];
      const auto end = levels[i].word.begin() + levels[i - 1].first_child[node + 1];
      const auto place = std::lower_bound(begin, end, ngram[i]);
      if (place == end || *place != ngram[i]) return {0, 0};
      node = static_cast<std::size_t>(place - levels[i].word.begin());
    }
    return {counts_.count[ngram.size() - 1][node], counts_.adjusted[ngram.size() - 1][node]};
  }

  nb::tuple kneser_ney(const std::vector<std::vector<double>>& discounts, const std::vector<std::uint32_t>& min_counts,
                       int threads) const {
    check_each_order(discounts.size(), min_counts.size());
    std::vector<std::array<double, 3>> triples;
    for (const auto& discount : discounts) {
      if (discount.size() != 3) throw std::invalid_argument("discounts: needs three numbers for each order");
      triples.push_back({discount[0], discount[1], discount[2]});
    }
    return build([&] { return lm::estimate_kneser_ney(counts_, triples, min_counts, threads); });
  }

  nb::tuple katz(const std::vector<std::vector<double>>& coefficients, const std::vector<std::uint32_t>& min_counts,
                 int threads) const {
    check_each_order(coefficients.size(), min_counts.size());
    return build([&] { return lm::estimate_katz(counts_, coefficients, min_counts, threads); });
  }

 private:
  void check_order(int order) const {
    if (order < 1 || order > counts_.trie.order()) throw std::invalid_argument("order: not among those that were counted");
  }

  // Cut-offs that grow with the order keep every n-gram's shorter parts.
  void check_each_order(std::size_t options, std::size_t min_counts) const {
    if (options != counts_.trie.levels.size() || min_counts != counts_.trie.levels.size())
      throw std::invalid_argument("one entry is needed for each order");
  }

  template <class Estimate>
  nb::tuple build(Estimate estimate) const {
    lm::ModelArrays model;
    {
      nb::gil_scoped_release release;
      model = lm::build_model(counts_.trie, estimate());
    }
    return to_python(std::move(model));
  }

  lm::VocabularyArrays vocabulary_;
  lm::NgramCounts counts_;
};

// A model over arrays that Python owns, perhaps mapped from files.
class Queries : public HeldModel {
 public:
  using HeldModel::HeldModel;

  int order() const { return model_.order(); }
  lm::Word find(nb::str word) const { return vocabulary_.find(paragauge::text_of(word)); }

  nb::str word(std::int64_t number) const {
    if (number < 0 || number >= vocabulary_.size()) throw nb::index_error("no word has this number");
    const std::string_view text = vocabulary_.word(static_cast<lm::Word>(number));
    return nb::steal<nb::str>(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  }

  nb::tuple begin_state() const { return nodes(model_.begin_state()); }

  // (log10 p, found n-gram length, nodes of the next state)
  nb::tuple advance(const std::vector<lm::Node>& state, nb::str word) const {
    lm::State after;
    int found = 0;
    const double log10_p = model_.advance(model_.state_of(state), vocabulary_.find(paragauge::text_of(word)), after, found);
    return nb::make_tuple(log10_p, found, nodes(after));
  }

  // The numbers of words given as text and offsets; that of <unk> for those that are not in the vocabulary.
  nb::object find_all(paragauge::InStrings words) const {
    const paragauge::Words texts = paragauge::words(words, "words");
    std::vector<lm::Word> numbers(static_cast<std::size_t>(texts.count));
    for (std::int64_t k = 0; k < texts.count; ++k) numbers[static_cast<std::size_t>(k)] = vocabulary_.find(texts[k]);
    return to_numpy<lm::Word>(std::move(numbers));
  }

  // Scores of sentences that are sequences of words.
  nb::tuple score_tokens(nb::sequence sentences, int threads) const {
    std::vector<lm::Word> words;
    std::vector<std::size_t> ends;
    for (nb::handle sentence : sentences) {
      for (nb::handle word : sentence) words.push_back(vocabulary_.find(paragauge::text_of(word)));
      ends.push_back(words.size());
    }
    return scores(ends.size(), threads, [&](std::size_t i, std::vector<lm::Word>&) {
      return lm::score_sentence(model_, words.data() + (i == 0 ? 0 : ends[i - 1]), words.data() + ends[i]);
    });
  }

  // Scores of sentences with white space between words.
  nb::tuple score_texts(nb::sequence sentences, int threads) const {
    const nb::tuple kept(sentences);  // nobody can take a text away while threads read it
    std::vector<std::string_view> texts;
    for (nb::handle sentence : kept) texts.push_back(paragauge::text_of(sentence));
    return scores(texts.size(), threads, [&](std::size_t i, std::vector<lm::Word>& words) {
      thread_local std::vector<std::string_view> tokens;
      lm::split(texts[i], tokens);
      words.clear();
      for (std::string_view token : tokens) words.push_back(vocabulary_.find(token));
      return lm::score_sentence(model_, words.data(), words.data() + words.size());
    });
  }

  // The same of one sentence, without arrays.
  nb::tuple score_one(nb::handle sentence) const {
    std::vector<lm::Word> words;
    if (PyUnicode_Check(sentence.ptr())) {
      std::vector<std::string_view> tokens;
      lm::split(paragauge::text_of(sentence), tokens);
      for (std::string_view token : tokens) words.push_back(vocabulary_.find(token));
    } else {
      for (nb::handle word : sentence) words.push_back(vocabulary_.find(paragauge::text_of(word)));
    }
    const lm::SentenceScore score = lm::score_sentence(model_, words.data(), words.data() + words.size());
    return nb::make_tuple(score.log10_p, score.words);
  }

  // Every word of sentences that are sequences of words, and their ends: numbers, log10 p, lengths of the found n-grams.
  nb::tuple score_words(nb::sequence sentences) const {
    std::vector<lm::Word> words;
    std::vector<float> log10_p;
    std::vector<std::uint8_t> found_orders;
    for (nb::handle sentence : sentences)
      each_word(sentence, [&](lm::Word word, float log10_p_of_word, int found) {
        log10_p.push_back(log10_p_of_word);
        found_orders.push_back(static_cast<std::uint8_t>(found));
        words.push_back(word);
      });
    return nb::make_tuple(to_numpy<lm::Word>(std::move(words)), to_numpy<float>(std::move(log10_p)),
                          to_numpy<std::uint8_t>(std::move(found_orders)));
  }

  // Of each sentence the mean of log10 p in its place less log10 p anywhere, over known words and the end; of words that are
  // rarer than `rare` at least 0.
  nb::object log_odds(nb::sequence sentences, float rare) const {
    std::vector<double> means;
    for (nb::handle sentence : sentences) {
      double sum = 0;
      std::int64_t count = 0;
      each_word(sentence, [&](lm::Word word, float log10_p, int) {
        if (word == lm::unknown_word) return;
        const float anywhere = model_.unigram(word).log10_p;
        const float odds = log10_p - anywhere;
        sum += static_cast<double>(anywhere < rare ? std::max(odds, 0.0f) : odds);
        ++count;
      });
      means.push_back(sum / static_cast<double>(count));
    }
    return to_numpy<double>(std::move(means));
  }

 private:
  // Calls use(word, log10 p, length of the n-gram found) for each word of a sequence of words, and for its end.
  template <class Use>
  void each_word(nb::handle sentence, const Use& use) const {
    lm::State before = model_.begin_state(), after;
    const auto next = [&](lm::Word word) {
      int found = 0;
      const auto log10_p = static_cast<float>(model_.advance(before, word, after, found));
      use(word, log10_p, found);
      std::swap(before, after);
    };
    for (nb::handle word : sentence) next(vocabulary_.find(paragauge::text_of(word)));
    next(lm::sentence_end);
  }

  static nb::tuple nodes(const lm::State& state) {
    nb::list list;
    for (int i = 0; i < state.length; ++i) list.append(state.node[static_cast<std::size_t>(i)]);
    return nb::tuple(list);
  }

  template <class Score>
  static nb::tuple scores(std::size_t count, int threads, Score score) {
    std::vector<double> log10_p(count), unknown_log10_p(count);
    std::vector<std::int64_t> words(count), unknown(count);
    {
      nb::gil_scoped_release release;
      paragauge::parallel_blocks(static_cast<std::int64_t>(count), 256, threads, [&](std::int64_t begin, std::int64_t end, int) {
        std::vector<lm::Word> buffer;
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
          const lm::SentenceScore one = score(i, buffer);
          log10_p[i] = one.log10_p;
          unknown_log10_p[i] = one.unknown_log10_p;
          words[i] = one.words;
          unknown[i] = one.unknown;
        }
      });
    }
    return nb::make_tuple(to_numpy<double>(std::move(log10_p)), to_numpy<std::int64_t>(std::move(words)),
                          to_numpy<std::int64_t>(std::move(unknown)), to_numpy<double>(std::move(unknown_log10_p)));
  }

};

// A mistake in an ARPA file: ValueError(line, message).
[[noreturn]] void raise(const lm::ArpaError& error) {
  const std::string_view text = error.what();
  const auto message =
      nb::steal<nb::str>(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  PyErr_SetObject(PyExc_ValueError, nb::make_tuple(error.line, message).ptr());
  throw nb::python_error();
}

class Reader {
 public:
  void feed(nb::bytes block) {
    try {
      nb::gil_scoped_release release;
      reader_.feed({block.c_str(), block.size()});
    } catch (const lm::ArpaError& error) {
      raise(error);
    }
  }

  nb::tuple finish() {
    std::optional<lm::ArpaModel> result;
    try {
      nb::gil_scoped_release release;
      result = reader_.finish();
    } catch (const lm::ArpaError& error) {
      raise(error);
    }
    return nb::make_tuple(to_python(std::move(result->vocabulary)), to_python(std::move(result->model)), result->filled,
                          result->unknown_word_missing);
  }

 private:
  lm::ArpaReader reader_;
};

class Writer {
 public:
  Writer(const Queries& queries, std::vector<std::int64_t> sizes, int threads)
      : writer_(queries.model(), queries.vocabulary(), std::move(sizes), threads) {
    if (threads < 1) throw std::invalid_argument("threads must be at least 1");
  }

  nb::bytes next() {
    std::string text;
    {
      nb::gil_scoped_release release;
      text = writer_.next();
    }
    return nb::bytes(text.data(), text.size());
  }

 private:
  lm::ArpaWriter writer_;
};

}  // namespace

void bind_lm(nb::module_& m) {
  m.attr("LM_HIGHEST_ORDER") = lm::highest_order;
  nb::class_<Encoder>(m, "LmEncoder", "Sentences becoming numbers, and their words a vocabulary.")
      .def(nb::init<>())
      .def("add_texts", &Encoder::add_texts, "sentences"_a)
      .def("add_tokens", &Encoder::add_tokens, "sentences"_a)
      .def_prop_ro("sentences", &Encoder::sentences)
      .def_prop_ro("tokens", &Encoder::tokens)
      .def("first_reserved", &Encoder::first_reserved);
  nb::class_<Counts>(m, "LmCounts", "Counts of the n-grams of sentences, all orders.")
      .def(nb::init<const Encoder&, int, int>(), "encoder"_a, "order"_a, "threads"_a)
      .def("vocabulary", &Counts::vocabulary)
      .def_prop_ro("order", &Counts::order)
      .def("sizes", &Counts::sizes)
      .def("counts_of_counts", &Counts::counts_of_counts, "order"_a, "adjusted"_a, "up_to"_a)
      .def("find", [](const Counts& counts, nb::sequence ngram) {
        const auto [count, adjusted] = counts.find(ngram);
        return nb::make_tuple(count, adjusted);
      }, "ngram"_a)
      .def("kneser_ney", &Counts::kneser_ney, "discounts"_a, "min_counts"_a, "threads"_a)
      .def("katz", &Counts::katz, "coefficients"_a, "min_counts"_a, "threads"_a);
  nb::class_<HeldModel>(m, "LmModel", "A back-off model that lies in arrays.");
  nb::class_<Queries, HeldModel>(m, "LmQueries", "Queries of a back-off model that lies in arrays.")
      .def(nb::init<Input<float, 2>, std::vector<Input<std::uint64_t, 2>>, Input<std::uint8_t, 1>, Input<std::int64_t, 1>,
                    Input<std::uint64_t, 1>>(),
           "unigrams"_a, "tables"_a, "bytes"_a, "offsets"_a, "slots"_a)
      .def_prop_ro("order", &Queries::order)
      .def("find", &Queries::find, "word"_a)
      .def("word", &Queries::word, "number"_a)
      .def("find_all", &Queries::find_all, "words"_a)
      .def("begin_state", &Queries::begin_state)
      .def("advance", &Queries::advance, "state"_a, "word"_a)
      .def("score_one", &Queries::score_one, "sentence"_a)
      .def("score_words", &Queries::score_words, "sentences"_a)
      .def("log_odds", &Queries::log_odds, "sentences"_a, "rare"_a)
      .def("score_tokens", &Queries::score_tokens, "sentences"_a, "threads"_a)
      .def("score_texts", &Queries::score_texts, "sentences"_a, "threads"_a);
  nb::class_<Reader>(m, "ArpaReader", "Reads an ARPA file block by block.")
      .def(nb::init<>())
      .def("feed", &Reader::feed, "block"_a)
      .def("finish", &Reader::finish);
  nb::class_<Writer>(m, "ArpaWriter", "Gives a model as an ARPA file, block by block.")
      .def(nb::init<const Queries&, std::vector<std::int64_t>, int>(), "queries"_a, "sizes"_a, "threads"_a,
           nb::keep_alive<1, 2>())
      .def("next", &Writer::next);
}
