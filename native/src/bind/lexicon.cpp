#include "bind/lexicon.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bind/native_lexicon.hpp"
#include "bind/structs.hpp"
#include "matching/lexicon.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using paragauge::NativeLexicon;
using paragauge::NativeWordRelations;
using paragauge::out;

std::vector<std::int32_t> vector(paragauge::Ids ids) { return {ids.begin(), ids.end()}; }

void check_id(const paragauge::Lexicon& lexicon, std::int64_t id) {
  if (id < 0 || id >= lexicon.size()) throw std::invalid_argument("no lemma has this number");
}

paragauge::PartOfSpeech part_of_speech(int part) {
  if (part < 0 || part >= paragauge::kPartsOfSpeech) throw std::invalid_argument("no part of speech has this number");
  return static_cast<paragauge::PartOfSpeech>(part);
}

paragauge::Pairs pairs(const paragauge::In<std::int32_t>& sources, const paragauge::In<std::int32_t>& targets) {
  if (paragauge::size(sources) != paragauge::size(targets))
    throw std::invalid_argument("the columns of the relations do not fit each other");
  return {sources.data(), targets.data(), paragauge::size(sources)};
}

// The answer to a question about two lemmas, false if one is unknown.
template <class Question>
bool ask(const NativeWordRelations& self, std::string_view a, std::string_view b, const Question& question) {
  const std::int32_t i = self.lexicon.find(a), j = self.lexicon.find(b);
  return i >= 0 && j >= 0 && question(i, j);
}

template <class Work>
void each_word(const paragauge::In<std::uint8_t>& text, const paragauge::In<std::int64_t>& offsets, const Work& work) {
  const paragauge::Words words = paragauge::words(text, offsets, "offsets");
  nb::gil_scoped_release release;
  for (std::int64_t i = 0; i < words.count; ++i) work(words[i]);
}

nb::list find_phrases(const NativeLexicon& self, nb::list lemmas, std::size_t longest) {
  std::vector<std::string> words;  // as WordNet's index spells them; empty for what is in no phrase
  for (nb::handle each : lemmas) {
    std::string word;
    if (PyUnicode_Check(each.ptr()) && PyUnicode_IS_ASCII(each.ptr())) {
      Py_ssize_t length = 0;
      const char* text = PyUnicode_AsUTF8AndSize(each.ptr(), &length);
      word.assign(text, static_cast<std::size_t>(length));
      for (char& letter : word) letter = letter == ' ' ? '_' : static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter);
    }
    words.push_back(std::move(word));
  }
  nb::list found;
  std::string phrase;
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    phrase = words[begin];
    for (std::size_t end = begin + 1; !phrase.empty() && end < words.size() && end < begin + longest && !words[end].empty(); ++end) {
      phrase.append("_").append(words[end]);
      const std::int32_t number = self.lexicon->find(phrase);
      if (number >= 0) found.append(nb::make_tuple(begin, end + 1, number));
    }
  }
  return found;
}

}  // namespace

namespace paragauge {

NativeLexicon::NativeLexicon(const LexiconColumns& columns) : kept_(columns) {
  const LexiconColumns& c = kept_;
  if (size(c.lemma_lengths) != size(c.sense_counts) || size(c.synset_counts) != kPartsOfSpeech ||
      size(c.exception_lengths) != size(c.exception_parts) || size(c.exception_lengths) != size(c.exception_lemmas))
    throw std::invalid_argument("the columns of the lexicon do not fit each other");
  LexiconData data;
  data.lemma_text = reinterpret_cast<const char*>(c.lemma_text.data());
  data.lemma_text_size = size(c.lemma_text);
  data.lemma_lengths = c.lemma_lengths.data();
  data.sense_counts = c.sense_counts.data();
  data.lemmas = size(c.lemma_lengths);
  data.senses = c.senses.data();
  data.sense_total = size(c.senses);
  data.synset_counts = c.synset_counts.data();
  data.exception_text = reinterpret_cast<const char*>(c.exception_text.data());
  data.exception_text_size = size(c.exception_text);
  data.exception_lengths = c.exception_lengths.data();
  data.exception_parts = c.exception_parts.data();
  data.exception_lemmas = c.exception_lemmas.data();
  data.exceptions = size(c.exception_lengths);
  lexicon = std::make_unique<Lexicon>(data);
}

NativeWordRelations::NativeWordRelations(const NativeLexicon& of, const WordRelationColumns& columns)
    : lexicon(*of.lexicon), kept_(columns) {
  const WordRelationColumns& c = kept_;
  WordRelationData data;
  data.sense_ranks = c.sense_ranks.data();
  data.sense_total = size(c.sense_ranks);
  data.hypernym_counts = c.hypernym_counts.data();
  data.hypernym_synsets = size(c.hypernym_counts);
  data.hypernyms = c.hypernyms.data();
  data.hypernym_total = size(c.hypernyms);
  data.antonyms = pairs(c.antonym_sources, c.antonyms);
  data.opposed = pairs(c.opposed_sources, c.opposed);
  data.similar = pairs(c.similar_sources, c.similar);
  data.derivations = pairs(c.derivation_sources, c.derivations);
  relations = std::make_unique<WordRelations>(lexicon, data);
}

}  // namespace paragauge

void bind_lexicon(nb::module_& m) {
  using namespace paragauge;
  bind_struct(m, "LexiconColumns", "The columns of a lexicon's file.",
              field("lemma_text", &LexiconColumns::lemma_text), field("lemma_lengths", &LexiconColumns::lemma_lengths),
              field("sense_counts", &LexiconColumns::sense_counts), field("senses", &LexiconColumns::senses),
              field("synset_counts", &LexiconColumns::synset_counts),
              field("exception_text", &LexiconColumns::exception_text),
              field("exception_lengths", &LexiconColumns::exception_lengths),
              field("exception_parts", &LexiconColumns::exception_parts),
              field("exception_lemmas", &LexiconColumns::exception_lemmas));
  nb::class_<NativeLexicon>(m, "NativeLexicon")
      .def(nb::init<const LexiconColumns&>(), "columns"_a)
      .def("__len__", [](const NativeLexicon& self) { return self.lexicon->size(); })
      .def("find", [](const NativeLexicon& self, std::string_view lemma) { return self.lexicon->find(lemma); }, "lemma"_a)
      .def("lemma",
           [](const NativeLexicon& self, std::int32_t id) {
             check_id(*self.lexicon, id);
             const std::string_view text = self.lexicon->lemma(id);
             return nb::bytes(text.data(), text.size());
           },
           "id"_a)
      .def("synonyms",
           [](const NativeLexicon& self, std::int32_t id) {
             check_id(*self.lexicon, id);
             return vector(self.lexicon->synonyms(id));
           },
           "id"_a)
      .def("synsets",
           [](const NativeLexicon& self, std::int32_t id) {
             check_id(*self.lexicon, id);
             return vector(self.lexicon->synsets(id));
           },
           "id"_a)
      .def("share_synonym",
           [](const NativeLexicon& self, std::string_view a, std::string_view b) {
             if (a == b) return true;
             const std::int32_t i = self.lexicon->find(a), j = self.lexicon->find(b);
             return i >= 0 && j >= 0 && self.lexicon->share_synonym(i, j);
           },
           "a"_a, "b"_a)
      .def("morphy",
           [](const NativeLexicon& self, std::string_view word, int part) {
             std::vector<std::int32_t> lemmas;
             self.lexicon->morphy(word, part_of_speech(part), lemmas);
             return lemmas;
           },
           "word"_a, "part"_a)
      .def("uninflect",
           [](const NativeLexicon& self, std::string_view word, int part) {
             return self.lexicon->uninflect(word, part_of_speech(part));
           },
           "word"_a, "part"_a)
      .def("find_phrases", &find_phrases, "lemmas"_a, "longest"_a,
           "Return (begin, end, number) of each lemma of WordNet in two to *longest* neighbours; none has an empty one.")
      .def("find_all",
           [](const NativeLexicon& self, In<std::uint8_t> text, In<std::int64_t> offsets) {
             std::vector<std::int32_t> found;
             each_word(text, offsets, [&](std::string_view word) { found.push_back(self.lexicon->find(word)); });
             return out(std::move(found));
           },
           "text"_a, "offsets"_a, "Return the number of each lemma, -1 for none.")
      .def("word_synsets",
           [](const NativeLexicon& self, In<std::uint8_t> text, In<std::int64_t> offsets) {
             std::vector<std::int32_t> all, one;
             std::vector<std::int64_t> starts{0};
             each_word(text, offsets, [&](std::string_view word) {
               self.lexicon->word_synsets(word, one);
               all.insert(all.end(), one.begin(), one.end());
               starts.push_back(static_cast<std::int64_t>(all.size()));
             });
             return nb::make_tuple(out(std::move(all)), out(std::move(starts)));
           },
           "text"_a, "offsets"_a, "Return the synsets of each word, inflected or not, rising, and where those of each begin.");

  bind_struct(m, "WordRelationColumns", "The columns of the file of a lexicon's relations.",
              field("sense_ranks", &WordRelationColumns::sense_ranks),
              field("hypernym_counts", &WordRelationColumns::hypernym_counts),
              field("hypernyms", &WordRelationColumns::hypernyms),
              field("antonym_sources", &WordRelationColumns::antonym_sources),
              field("antonyms", &WordRelationColumns::antonyms),
              field("opposed_sources", &WordRelationColumns::opposed_sources),
              field("opposed", &WordRelationColumns::opposed),
              field("similar_sources", &WordRelationColumns::similar_sources),
              field("similar", &WordRelationColumns::similar),
              field("derivation_sources", &WordRelationColumns::derivation_sources),
              field("derivations", &WordRelationColumns::derivations));
  nb::class_<NativeWordRelations>(m, "NativeWordRelations")
      .def(nb::init<const NativeLexicon&, const WordRelationColumns&>(), "lexicon"_a, "columns"_a, nb::keep_alive<1, 2>())
      .def("antonyms",
           [](const NativeWordRelations& self, std::int32_t id, bool indirect) {
             check_id(self.lexicon, id);
             std::vector<std::int32_t> lemmas;
             self.relations->antonyms(id, indirect, lemmas);
             return lemmas;
           },
           "id"_a, "indirect"_a)
      .def("hypernyms",
           [](const NativeWordRelations& self, std::int32_t id) {
             check_id(self.lexicon, id);
             std::vector<std::int32_t> lemmas;
             self.relations->hypernyms(id, lemmas);
             return lemmas;
           },
           "id"_a)
      .def("derivations",
           [](const NativeWordRelations& self, std::int32_t id) {
             check_id(self.lexicon, id);
             return vector(self.relations->derivations(id));
           },
           "id"_a)
      .def("are_antonyms",
           [](const NativeWordRelations& self, std::string_view a, std::string_view b, bool indirect) {
             return ask(self, a, b, [&](auto i, auto j) { return self.relations->are_antonyms(i, j, indirect); });
           },
           "a"_a, "b"_a, "indirect"_a)
      .def("is_kind_of",
           [](const NativeWordRelations& self, std::string_view a, std::string_view b, int depth, int senses) {
             return ask(self, a, b, [&](auto i, auto j) { return self.relations->is_kind_of(i, j, depth, senses); });
           },
           "a"_a, "b"_a, "depth"_a, "senses"_a)
      .def("are_siblings",
           [](const NativeWordRelations& self, std::string_view a, std::string_view b, int senses) {
             return ask(self, a, b, [&](auto i, auto j) { return self.relations->are_siblings(i, j, senses); });
           },
           "a"_a, "b"_a, "senses"_a)
      .def("are_similar",
           [](const NativeWordRelations& self, std::string_view a, std::string_view b) {
             return ask(self, a, b, [&](auto i, auto j) { return self.relations->are_similar(i, j); });
           },
           "a"_a, "b"_a);
}
