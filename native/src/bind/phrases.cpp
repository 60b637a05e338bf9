#include "bind/phrases.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "bind/arrays.hpp"
#include "bind/structs.hpp"
#include "bind/text.hpp"
#include "lm/vocabulary.hpp"
#include "phrases/digests.hpp"
#include "phrases/count.hpp"
#include "phrases/index.hpp"
#include "phrases/paraphrases.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using paragauge::check_ids;
using paragauge::In;
using paragauge::InBitext;
using paragauge::InStrings;
using paragauge::linked_bitext;
using paragauge::out;
using paragauge::out_strings;
using paragauge::out_text;
using paragauge::size;
using paragauge::words;

// Words and their numbers, given out in order of appearance.
nb::tuple sentence_digests(nb::list sentences, int gram, std::uint64_t sample) {
  if (gram < 1 || sample < 1) throw std::invalid_argument("gram and sample must be at least 1");
  const nb::tuple kept(sentences);  // nobody can take a text away while it is read
  std::vector<std::string_view> texts;
  for (nb::handle sentence : kept) texts.push_back(paragauge::text_of(sentence));
  paragauge::SentenceDigests digests;
  {
    nb::gil_scoped_release release;
    for (const std::string_view text : texts) digests.add(text, gram, sample);
  }
  return nb::make_tuple(out(std::move(digests.sentences)), out(std::move(digests.grams)), out(std::move(digests.offsets)));
}

class Vocabulary {
 public:
  Vocabulary() { words_.index(); }

  // Word numbers and offsets of sentences with white space between words.
  nb::tuple encode(nb::list sentences) {
    const nb::tuple kept(sentences);  // nobody can take a text away while it is read
    std::vector<std::string_view> texts;
    for (nb::handle sentence : kept) texts.push_back(paragauge::text_of(sentence));
    std::vector<std::int32_t> ids;
    std::vector<std::int64_t> offsets{0};
    {
      nb::gil_scoped_release release;
      std::vector<std::string_view> tokens;
      for (const std::string_view text : texts) {
        paragauge::lm::split(text, tokens);
        for (const std::string_view token : tokens) ids.push_back(words_.number(token));
        offsets.push_back(static_cast<std::int64_t>(ids.size()));
      }
    }
    return nb::make_tuple(out(std::move(ids)), out(std::move(offsets)));
  }

  nb::tuple strings() const {
    std::vector<std::uint8_t> bytes = words_.bytes;
    std::vector<std::int64_t> offsets = words_.offsets;
    return nb::make_tuple(out(std::move(bytes)), out(std::move(offsets)));
  }

  std::int64_t size() const { return words_.size(); }

 private:
  paragauge::lm::VocabularyArrays words_;
};

nb::tuple parse_pharaoh(nb::bytes text) {
  paragauge::ParsedLinks parsed;
  const char* data = text.c_str();
  const std::size_t length = text.size();
  {
    nb::gil_scoped_release release;
    parsed = paragauge::parse_pharaoh(data, length);
  }
  return nb::make_tuple(out(std::move(parsed.positions)), out(std::move(parsed.offsets)), parsed.error_begin,
                        parsed.error_end);
}

void add_lexical(paragauge::LexicalCounts& counts, const InBitext& in) {
  const auto bitext = linked_bitext(in);
  check_ids(in.source.first, 0, std::int64_t{1} << 31, "source");
  check_ids(in.target.first, 0, std::int64_t{1} << 31, "target");
  nb::gil_scoped_release release;
  counts.add(bitext);
}

nb::tuple lexical_rows(const paragauge::LexicalCounts& counts) {
  paragauge::LexicalCounts::Rows rows = counts.rows();
  return nb::make_tuple(out(std::move(rows.source)), out(std::move(rows.target)), out(std::move(rows.count)));
}

void put_lexical(paragauge::LexicalCounts& counts, In<std::int32_t> sources, In<std::int32_t> targets,
                 In<std::int64_t> pair_counts, In<std::int64_t> source_totals, In<std::int64_t> target_totals) {
  constexpr std::int32_t null_word = paragauge::LexicalCounts::null_word;
  const std::int64_t rows = size(sources);
  if (size(targets) != rows || size(pair_counts) != rows || size(source_totals) != rows || size(target_totals) != rows)
    throw std::invalid_argument("all columns need one entry for each pair of words");
  check_ids(sources, null_word, std::int64_t{1} << 31, "sources");
  check_ids(targets, null_word, std::int64_t{1} << 31, "targets");
  for (std::int64_t k = 0; k < rows; ++k)
    if (sources.data()[k] == null_word && targets.data()[k] == null_word)
      throw std::invalid_argument("a row has no word at all");
  nb::gil_scoped_release release;
  for (std::int64_t k = 0; k < rows; ++k)
    counts.put(sources.data()[k], targets.data()[k], pair_counts.data()[k], source_totals.data()[k],
               target_totals.data()[k]);
}

// The sentence pair that has too many phrases, or -1.
std::int64_t count_phrases(paragauge::PhraseCounts& counts, const InBitext& in, InStrings source_text, InStrings target_text,
                           const paragauge::LexicalCounts* lexical) {
  const auto bitext = linked_bitext(in);
  const auto source_words = words(source_text, "source_words"), target_words = words(target_text, "target_words");
  check_ids(in.source.first, 0, source_words.count, "source");
  check_ids(in.target.first, 0, target_words.count, "target");
  nb::gil_scoped_release release;
  try {
    counts.add({bitext, source_words, target_words, lexical});
  } catch (const paragauge::TooManyPhrases& error) {
    return error.pair;
  }
  return -1;
}

paragauge::LexicalRule lexical_rule(std::string_view name) {
  if (name == "koehn") return paragauge::LexicalRule::koehn;
  if (name == "moses") return paragauge::LexicalRule::moses;
  throw std::invalid_argument("rule must be koehn or moses");
}

nb::tuple phrase_rows(const paragauge::PhraseCounts& counts, std::int64_t begin, std::int64_t end) {
  paragauge::PairRows rows;
  {
    nb::gil_scoped_release release;
    rows = counts.rows(begin, end);
  }
  return nb::make_tuple(out_strings(std::move(rows.source)), out_strings(std::move(rows.target)),
                        out_strings(std::move(rows.alignment)), out(std::move(rows.counts)),
                        out(std::move(rows.direct_lexical)), out(std::move(rows.inverse_lexical)),
                        out_strings(std::move(rows.by_target)), out_strings(std::move(rows.by_source)));
}

nb::dict phrase_columns(const paragauge::PhraseCounts& counts, std::int64_t min_count, double min_prob,
                        std::optional<std::int64_t> top) {
  paragauge::TableColumns found;
  {
    nb::gil_scoped_release release;
    found = counts.columns();
    if (min_count > 1 || min_prob > 0 || top)
      found = paragauge::pruned(
          found, {min_count, min_prob, top.value_or(std::numeric_limits<std::int64_t>::max())});
  }
  nb::dict columns;
  const auto put_strings = [&](const std::string& name, paragauge::Strings&& strings) {
    columns[(name + ".text").c_str()] = out_text(std::move(strings.text));
    columns[(name + ".offsets").c_str()] = out(std::move(strings.offsets));
  };
  put_strings("source", std::move(found.source.phrases));
  put_strings("target", std::move(found.target.phrases));
  put_strings("alignment", std::move(found.alignment));
  columns["source.totals"] = out(std::move(found.source.totals));
  columns["target.totals"] = out(std::move(found.target.totals));
  columns["source.rows"] = out(std::move(found.source_rows));
  columns["pairs.source"] = out(std::move(found.pair_source));
  columns["pairs.target"] = out(std::move(found.pair_target));
  columns["pairs.counts"] = out(std::move(found.counts));
  columns["pairs.direct_lexical"] = out(std::move(found.direct_lexical));
  columns["pairs.inverse_lexical"] = out(std::move(found.inverse_lexical));
  return columns;
}

// Pairs sorted by source become pairs sorted by target: positions, by falling count and then source within a target.
nb::tuple invert_pairs(In<std::int32_t> targets, In<std::int64_t> counts, std::int64_t target_count) {
  if (size(targets) != size(counts)) throw std::invalid_argument("counts: needs one for each pair");
  if (target_count < 0) throw std::invalid_argument("target_count must not be negative");
  check_ids(targets, 0, target_count, "targets");
  std::vector<std::int64_t> rows, order;
  {
    nb::gil_scoped_release release;
    paragauge::invert_pairs(targets.data(), counts.data(), size(targets), target_count, rows, order);
  }
  return nb::make_tuple(out(std::move(rows)), out(std::move(order)));
}

// Lists of tokens, read without the GIL: the tuples keep every token where it is.
struct TokenLists {
  std::vector<nb::tuple> kept;
  std::vector<std::vector<std::string_view>> sentences;

  explicit TokenLists(nb::sequence texts) {
    for (nb::handle tokens : texts) {
      kept.push_back(nb::tuple(nb::borrow(tokens)));
      auto& words = sentences.emplace_back();
      for (nb::handle token : kept.back()) {
        Py_ssize_t length = 0;
        const char* text = PyUnicode_Check(token.ptr()) ? PyUnicode_AsUTF8AndSize(token.ptr(), &length) : nullptr;
        if (text == nullptr) PyErr_Clear();  // half a character, which no phrase has; an empty word is in none either
        words.emplace_back(text == nullptr ? "" : text, static_cast<std::size_t>(length));
      }
    }
  }
};

// Where the paraphrases of each phrase begin, their numbers and their scores.
struct InParaphrases {
  In<std::int64_t> rows;
  In<std::int32_t> numbers;
  In<double> scores;
};

// Keeps the arrays that it searches alive.
class Index {
 public:
  Index(In<std::uint8_t> text, In<std::int64_t> offsets) : phrases_(std::move(text), std::move(offsets)) {
    paragauge::check_ends(phrases_, "phrases");
  }

  paragauge::PhraseIndex view() const { return paragauge::phrase_index(phrases_); }

  std::int64_t find(std::string_view phrase) const { return view().find(phrase); }

  // Links between phrases of each candidate and their paraphrases in the reference at the same place: rows of four
  // numbers, and where those of each pair begin.
  nb::tuple paraphrase_links(nb::sequence candidates, nb::sequence references, const InParaphrases& table,
                             std::int64_t max_length, double least, int threads) const {
    const TokenLists own(candidates), theirs(references);
    if (own.sentences.size() != theirs.sentences.size()) throw std::invalid_argument("every candidate needs one reference");
    if (size(table.rows) != size(phrases_.second) || size(table.numbers) != size(table.scores))
      throw std::invalid_argument("the columns of the paraphrases do not fit each other");
    paragauge::check_threads(threads);
    const auto pairs = static_cast<std::int64_t>(own.sentences.size());
    std::vector<std::int32_t> rows;
    std::vector<std::int64_t> starts{0};
    {
      nb::gil_scoped_release release;
      const paragauge::Paraphrases paraphrases{view(), table.rows.data(), table.numbers.data(), table.scores.data(),
                                               size(table.numbers)};
      std::vector<std::vector<paragauge::PhraseLink>> links(own.sentences.size());
      paragauge::parallel_blocks(pairs, 64, threads, [&](std::int64_t begin, std::int64_t end, int) {
        paragauge::ParaphraseFinder finder(paraphrases, first_words_, max_length, least);
        for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
          finder.find(own.sentences[k], theirs.sentences[k], links[k]);
      });
      for (const auto& found : links) {
        for (const paragauge::PhraseLink& link : found) rows.insert(rows.end(), {link.i, link.j, link.i_length, link.j_length});
        starts.push_back(static_cast<std::int64_t>(rows.size() / 4));
      }
    }
    return nb::make_tuple(out(std::move(rows)), out(std::move(starts)));
  }

  nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>> find_all(In<std::uint8_t> text, In<std::int64_t> offsets) const {
    const auto phrases = words(text, offsets, "offsets");
    std::vector<std::int64_t> found(static_cast<std::size_t>(phrases.count));
    {
      nb::gil_scoped_release release;
      const auto index = view();
      for (std::int64_t k = 0; k < phrases.count; ++k)
        found[static_cast<std::size_t>(k)] = index.find(phrases[k]);
    }
    return out(std::move(found));
  }

  nb::tuple segment(InStrings sentences, In<std::int64_t> counts, double total, double unseen, std::int64_t max_length,
                    int threads) const {
    const auto lines = words(sentences, "sentences");
    if (size(counts) != size(phrases_.second) - 1) throw std::invalid_argument("counts: needs one for each phrase");
    paragauge::check_threads(threads);
    std::vector<paragauge::Segmentation> results(static_cast<std::size_t>(lines.count));
    std::vector<std::int64_t> starts{0}, phrases;
    std::vector<std::int32_t> lengths;
    {
      nb::gil_scoped_release release;
      const auto index = view();
      paragauge::parallel_blocks(lines.count, 64, threads, [&](std::int64_t begin, std::int64_t end, int) {
        std::vector<std::string_view> pieces;
        for (std::int64_t k = begin; k < end; ++k) {
          paragauge::split_words(lines[k], pieces);
          results[static_cast<std::size_t>(k)] =
              paragauge::segment(index, counts.data(), total, unseen, max_length, pieces);
        }
      });
      for (const paragauge::Segmentation& one : results) {
        lengths.insert(lengths.end(), one.lengths.begin(), one.lengths.end());
        phrases.insert(phrases.end(), one.phrases.begin(), one.phrases.end());
        starts.push_back(static_cast<std::int64_t>(lengths.size()));
      }
    }
    return nb::make_tuple(out(std::move(starts)), out(std::move(lengths)), out(std::move(phrases)));
  }

 private:
  InStrings phrases_;
  mutable paragauge::FirstWords first_words_;
};

// Keeps the arrays that it numbers alive.
class Numbers {
 public:
  Numbers(In<std::uint8_t> text, In<std::int64_t> offsets) : index_(std::move(text), std::move(offsets)), numbers_(index_.view()) {}

  nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>> number(In<std::uint8_t> text, In<std::int64_t> offsets) const {
    const auto phrases = words(text, offsets, "offsets");
    std::vector<std::int32_t> found(static_cast<std::size_t>(phrases.count));
    {
      nb::gil_scoped_release release;
      for (std::int64_t k = 0; k < phrases.count; ++k)
        found[static_cast<std::size_t>(k)] =
            numbers_[{phrases.text + phrases.offsets[k],
                      static_cast<std::size_t>(phrases.offsets[k + 1] - phrases.offsets[k])}];
    }
    return out(std::move(found));
  }

 private:
  Index index_;
  paragauge::PhraseNumbers numbers_;
};

}  // namespace

void bind_phrases(nb::module_& m) {
  using paragauge::field;
  paragauge::bind_struct(m, "LinkedBitext", "Sentence pairs as word numbers, with the links between their words.",
                         field("source", &InBitext::source), field("target", &InBitext::target),
                         field("links", &InBitext::links));
  m.def("parse_pharaoh", &parse_pharaoh, "text"_a,
        "Return link positions (source and target in turn), offsets of lines, and where the first word that is no link "
        "begins and ends (equal if there is none).");
  m.def("sentence_digests", &sentence_digests, "sentences"_a, "gram"_a, "sample"_a,
        "Return a digest of each sentence, digests of runs of `gram` words, and the offsets of the runs of each "
        "sentence. They do not depend on case, punctuation and tokens. One in `sample` runs is kept.");
  nb::class_<Vocabulary>(m, "WordNumbers", "Words and their numbers, given out in order of appearance.")
      .def(nb::init<>())
      .def("encode", &Vocabulary::encode, "sentences"_a,
           "Return word numbers and offsets of sentences with white space between words.")
      .def("strings", &Vocabulary::strings, "Return the text of all words one after another, and the offsets.")
      .def("__len__", &Vocabulary::size);
  nb::class_<paragauge::LexicalCounts>(m, "LexicalCounts", "How often words were linked, or left without a link.")
      .def(
          "__init__",
          [](paragauge::LexicalCounts* self, std::string_view rule) { new (self) paragauge::LexicalCounts(lexical_rule(rule)); },
          "rule"_a = "koehn")
      .def("add", &add_lexical, "bitext"_a, "Count a batch of linked sentence pairs.")
      .def("rows", &lexical_rows,
           "Return what was counted: source words, target words (-1 for none), and how often they were linked.")
      .def("put", &put_lexical, "sources"_a, "targets"_a, "counts"_a, "source_totals"_a, "target_totals"_a,
           "Put in what was counted and added up elsewhere: pairs of words (-1 for none), how often they were linked, "
           "and all links of either word.")
      .def("direct", &paragauge::LexicalCounts::direct, "source"_a, "target"_a, "Return w(target | source).")
      .def("inverse", &paragauge::LexicalCounts::inverse, "source"_a, "target"_a, "Return w(source | target).")
      .def_prop_ro("pairs", &paragauge::LexicalCounts::pairs, "Different pairs of linked words.");
  nb::class_<paragauge::PhraseCounts>(m, "PhraseCounts", "Phrase pairs of linked text, counted in memory.")
      .def(
          "__init__",
          [](paragauge::PhraseCounts* self, int max_length, int threads, std::string_view rule) {
            if (max_length < 1) throw std::invalid_argument("max_length must be at least 1");
            paragauge::check_threads(threads);
            new (self) paragauge::PhraseCounts(max_length, threads, lexical_rule(rule));
          },
          "max_length"_a, "threads"_a, "rule"_a = "koehn")
      .def("add", &count_phrases, "bitext"_a, nb::kw_only(), "source_words"_a, "target_words"_a, "lexical"_a.none(),
           "Count the phrase pairs of a batch; words must have the same numbers in every batch. Return -1, or a "
           "sentence pair that has too many, which ends the counting.")
      .def("rows", &phrase_rows, "begin"_a, "end"_a,
           "Return some pairs: text and offsets of source phrases, target phrases and alignments, each after eight "
           "characters that order them; counts, direct and inverse lexical weights.")
      .def("columns", &phrase_columns, "min_count"_a, "min_prob"_a, "top"_a.none(),
           "Return the columns of the table of all pairs that this pruning leaves.")
      .def("clear", &paragauge::PhraseCounts::clear, "Forget all pairs.")
      .def("__len__", &paragauge::PhraseCounts::size)
      .def_prop_ro("bytes", &paragauge::PhraseCounts::bytes, "Memory in use, about.");
  m.def("invert_pairs", &invert_pairs, "targets"_a, "counts"_a, "target_count"_a,
        "Return offsets of targets, and the positions of pairs by target, falling count and position.");
  paragauge::bind_struct(m, "Paraphrases", "The paraphrases of the phrases of an index.",
                         paragauge::field("rows", &InParaphrases::rows), paragauge::field("numbers", &InParaphrases::numbers),
                         paragauge::field("scores", &InParaphrases::scores));
  nb::class_<Index>(m, "PhraseIndex", "Sorted phrases, looked up by their text.")
      .def(nb::init<In<std::uint8_t>, In<std::int64_t>>(), "text"_a, "offsets"_a)
      .def("find", &Index::find, "phrase"_a, "Return the number of a phrase, or -1.")
      .def("paraphrase_links", &Index::paraphrase_links, "candidates"_a, "references"_a, nb::kw_only(), "table"_a,
           "max_length"_a, "least"_a, "threads"_a,
           "Return links of phrases and paraphrases, rows of four numbers, and where those of each pair begin.")
      .def("find_all", &Index::find_all, "text"_a, "offsets"_a, "Return the numbers of many phrases.")
      .def("segment", &Index::segment, "sentences"_a, nb::kw_only(), "counts"_a, "total"_a, "unseen"_a, "max_length"_a,
           "threads"_a, "Return offsets of sentences, lengths of phrases in words, and phrase numbers.");
  nb::class_<Numbers>(m, "PhraseNumbers", "Numbers many phrases by a hash table in memory.")
      .def(nb::init<In<std::uint8_t>, In<std::int64_t>>(), "text"_a, "offsets"_a)
      .def("number", &Numbers::number, "text"_a, "offsets"_a, "Return the numbers of phrases, -1 for those unknown.");
}
