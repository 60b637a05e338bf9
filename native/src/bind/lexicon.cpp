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

}  // namespace

namespace paragauge {

NativeLexicon::NativeLexicon(In<std::uint8_t> lemma_text, In<std::uint8_t> lemma_lengths, In<std::uint8_t> sense_counts,
                             In<std::int32_t> senses, In<std::int32_t> synset_counts, In<std::uint8_t> exception_text,
                             In<std::uint8_t> exception_lengths, In<std::uint8_t> exception_parts,
                             In<std::int32_t> exception_lemmas)
    : bytes_{lemma_text, lemma_lengths, sense_counts, exception_text, exception_lengths, exception_parts},
      numbers_{senses, synset_counts, exception_lemmas} {
  if (size(lemma_lengths) != size(sense_counts) || size(synset_counts) != kPartsOfSpeech ||
      size(exception_lengths) != size(exception_parts) || size(exception_lengths) != size(exception_lemmas))
    throw std::invalid_argument("the columns of the lexicon do not fit each other");
  lexicon = std::make_unique<Lexicon>(LexiconData{
      reinterpret_cast<const char*>(lemma_text.data()), size(lemma_text), lemma_lengths.data(), sense_counts.data(),
      size(lemma_lengths), senses.data(), size(senses), synset_counts.data(),
      reinterpret_cast<const char*>(exception_text.data()), size(exception_text), exception_lengths.data(),
      exception_parts.data(), exception_lemmas.data(), size(exception_lengths)});
}

NativeWordRelations::NativeWordRelations(const NativeLexicon& of, In<std::uint8_t> sense_ranks,
                                         In<std::uint8_t> hypernym_counts, In<std::int32_t> hypernyms,
                                         In<std::int32_t> antonym_sources, In<std::int32_t> antonyms,
                                         In<std::int32_t> opposed_sources, In<std::int32_t> opposed,
                                         In<std::int32_t> similar_sources, In<std::int32_t> similar,
                                         In<std::int32_t> derivation_sources, In<std::int32_t> derivations)
    : lexicon(*of.lexicon),
      bytes_{sense_ranks, hypernym_counts},
      numbers_{hypernyms, antonym_sources, antonyms, opposed_sources, opposed,
               similar_sources, similar, derivation_sources, derivations} {
  relations = std::make_unique<WordRelations>(
      lexicon, WordRelationData{sense_ranks.data(), size(sense_ranks), hypernym_counts.data(), size(hypernym_counts),
                                hypernyms.data(), size(hypernyms), pairs(antonym_sources, antonyms),
                                pairs(opposed_sources, opposed), pairs(similar_sources, similar),
                                pairs(derivation_sources, derivations)});
}

}  // namespace paragauge

void bind_lexicon(nb::module_& m) {
  using namespace paragauge;
  nb::class_<NativeLexicon>(m, "NativeLexicon")
      .def(nb::init<In<std::uint8_t>, In<std::uint8_t>, In<std::uint8_t>, In<std::int32_t>, In<std::int32_t>,
                    In<std::uint8_t>, In<std::uint8_t>, In<std::uint8_t>, In<std::int32_t>>(),
           "lemma_text"_a, "lemma_lengths"_a, "sense_counts"_a, "senses"_a, "synset_counts"_a, "exception_text"_a,
           "exception_lengths"_a, "exception_parts"_a, "exception_lemmas"_a)
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

  using Numbers = In<std::int32_t>;
  nb::class_<NativeWordRelations>(m, "NativeWordRelations")
      .def(nb::init<const NativeLexicon&, In<std::uint8_t>, In<std::uint8_t>, Numbers, Numbers, Numbers, Numbers, Numbers,
                    Numbers, Numbers, Numbers, Numbers>(),
           "lexicon"_a, "sense_ranks"_a, "hypernym_counts"_a, "hypernyms"_a, "antonym_sources"_a, "antonyms"_a,
           "opposed_sources"_a, "opposed"_a, "similar_sources"_a, "similar"_a, "derivation_sources"_a, "derivations"_a,
           nb::keep_alive<1, 2>())
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
