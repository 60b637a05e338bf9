#include "bind/judges.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "bind/arrays.hpp"
#include "bind/held_model.hpp"
#include "bind/native_lexicon.hpp"
#include "bind/structs.hpp"
#include "judges/fluency.hpp"
#include "judges/likeness.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace judges = paragauge::judges;

namespace {

// Any string of Python, half characters included.
std::u32string text_of(nb::handle string) {
  const Py_ssize_t length = PyUnicode_GetLength(string.ptr());
  if (length < 0) throw nb::python_error();
  std::u32string text(static_cast<std::size_t>(length), 0);
  static_assert(sizeof(char32_t) == sizeof(Py_UCS4));
  // The call writes a zero after the last character, where a string keeps one anyway.
  if (!PyUnicode_AsUCS4(string.ptr(), reinterpret_cast<Py_UCS4*>(text.data()), length + 1, 1)) throw nb::python_error();
  return text;
}

std::vector<std::u32string> texts_of(nb::iterable strings) {
  std::vector<std::u32string> texts;
  for (nb::handle string : strings) texts.push_back(text_of(string));
  return texts;
}

// A word and its text as Python has it, for those who spell.
struct ComparedWord : judges::Word {
  nb::str spelled;
};

struct LikenessVectors {
  paragauge::In<std::int8_t> codes;
  paragauge::In<float> scales, trust;
};

class NativeLikeness {
 public:
  NativeLikeness(const paragauge::NativeLexicon& lexicon, const paragauge::NativeWordRelations& relations,
                 const LikenessVectors& vectors, const judges::Settings& settings)
      : vectors_(vectors), likeness_(*lexicon.lexicon, *relations.relations, rows(vectors), settings),
        entries_(lexicon.lexicon->size()) {}

  float cosine(std::int32_t a, std::int32_t b) const {
    check_row(a);
    check_row(b);
    return likeness_.cosine(a, b);
  }

  bool opposite(const ComparedWord& a, const ComparedWord& b) const { return likeness_.opposite(checked(a), checked(b)); }

  nb::tuple link(nb::list first, nb::list second, std::vector<std::int32_t> first_heads,
                 std::vector<std::int32_t> second_heads, const std::vector<judges::Place>& phrases,
                 nb::callable spelling) const {
    const judges::Sentence one = sentence(first, std::move(first_heads)), other = sentence(second, std::move(second_heads));
    for (const auto& [i, j] : phrases)
      if (i < 0 || j < 0 || static_cast<std::size_t>(i) >= one.words.size() || static_cast<std::size_t>(j) >= other.words.size())
        throw std::invalid_argument("phrases: a place is out of range");
    const auto spell = [&](const judges::Word& a, const judges::Word& b) {
      return nb::cast<double>(spelling(static_cast<const ComparedWord&>(a).spelled, static_cast<const ComparedWord&>(b).spelled));
    };
    const judges::Linked linked = likeness_.link(one, other, phrases, spell);
    nb::list links;
    for (const judges::Link& link : linked.links)
      links.append(nb::make_tuple(link.i, link.j, static_cast<std::int32_t>(link.kind), link.score));
    return nb::make_tuple(links, tuple(linked.to_second), tuple(linked.to_first), tuple(linked.said), tuple(linked.supported),
                          linked.kinds);
  }

  nb::tuple unsaid(nb::list words, const std::vector<double>& expressed, const std::vector<std::int64_t>& denied,
                   const std::vector<std::int64_t>& explained) const {
    const auto compared = NativeLikeness::words(words);
    if (expressed.size() != compared.size()) throw std::invalid_argument("expressed: needs a number for each word");
    const judges::Unsaid found =
        likeness_.unsaid(compared, expressed, marked(denied, compared.size()), marked(explained, compared.size()));
    return nb::make_tuple(found.all, found.content, found.other, found.other_content);
  }

  static double letter_f1(nb::list first, nb::list second) { return judges::letter_f1(words(first), words(second)); }

 private:
  template <class T>
  static nb::tuple tuple(const std::vector<T>& list) {
    const auto made = nb::steal<nb::tuple>(PyTuple_New(static_cast<Py_ssize_t>(list.size())));
    if (!made.is_valid()) throw nb::python_error();
    for (std::size_t k = 0; k < list.size(); ++k)
      PyTuple_SET_ITEM(made.ptr(), static_cast<Py_ssize_t>(k), nb::cast(list[k]).release().ptr());
    return made;
  }

  static std::vector<std::uint8_t> marked(const std::vector<std::int64_t>& places, std::size_t size) {
    std::vector<std::uint8_t> marks(size, 0);
    for (const std::int64_t place : places) {
      if (place < 0 || static_cast<std::size_t>(place) >= size) throw std::invalid_argument("a place is out of range");
      marks[static_cast<std::size_t>(place)] = 1;
    }
    return marks;
  }

  static judges::Vectors rows(const LikenessVectors& columns) {
    const std::int64_t count = paragauge::size(columns.scales);
    if (count < 1 || paragauge::size(columns.codes) % count != 0 || paragauge::size(columns.trust) < count)
      throw std::invalid_argument("vectors: the columns do not fit");
    return {columns.codes.data(), columns.scales.data(), columns.trust.data(), count, paragauge::size(columns.codes) / count};
  }

  void check_row(std::int32_t row) const {
    if (row < -1 || row >= paragauge::size(vectors_.scales)) throw std::invalid_argument("no vector has this number");
  }

  const ComparedWord& checked(const ComparedWord& word) const {
    check_row(word.vector);
    if (word.entry < -1 || word.entry >= entries_) throw std::invalid_argument("no lemma has this number");
    return word;
  }

  static std::vector<const judges::Word*> words(nb::list list) {
    std::vector<const judges::Word*> made;
    for (nb::handle each : list) made.push_back(&nb::cast<const ComparedWord&>(each));
    return made;
  }

  judges::Sentence sentence(nb::list list, std::vector<std::int32_t> heads) const {
    judges::Sentence made{words(list), std::move(heads)};
    for (const judges::Word* word : made.words) (void)checked(static_cast<const ComparedWord&>(*word));
    if (made.heads.size() != made.words.size()) throw std::invalid_argument("heads: needs one for each word");
    for (const std::int32_t head : made.heads)
      if (head < -1 || head >= static_cast<std::int32_t>(made.words.size()))
        throw std::invalid_argument("heads: a place is out of range");
    return made;
  }

  LikenessVectors vectors_;
  judges::Likeness likeness_;
  std::int64_t entries_;
};

struct InExpectations {
  nb::object model;
  paragauge::In<float> log10_shares;
  std::int32_t mark;
};

class NativeFluency {
 public:
  NativeFluency(const InExpectations& grammar, const InExpectations& wording, const judges::FluencySettings& settings)
      : grammar_(grammar), wording_(wording), fluency_(view(grammar), view(wording), settings) {}

  nb::object losses(nb::list candidates, nb::list originals) const {
    if (candidates.size() != originals.size()) throw std::invalid_argument("originals: needs one for each candidate");
    constexpr std::size_t width = 5;
    auto rows = std::make_unique<double[]>(candidates.size() * width);
    double* place = rows.get();
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const judges::FluencyLosses found = fluency_.losses(sentence(candidates[k]), sentence(originals[k]));
      for (const double loss : {found.grammar, found.wording, found.ending, found.doubling, found.telegram}) *place++ = loss;
    }
    return nb::cast(paragauge::out(std::move(rows), {candidates.size(), width}));
  }

  // Whether each place of a candidate is new, and the surprises of both models there.
  nb::tuple places(nb::list candidate, nb::list original) const {
    const judges::FluencyPlaces found = fluency_.places(sentence(candidate), sentence(original));
    nb::list is_new;
    for (const std::uint8_t each : found.is_new) is_new.append(each != 0);
    return nb::make_tuple(is_new, found.grammar, found.wording);
  }

 private:
  static judges::Expectations view(const InExpectations& in) {
    const paragauge::lm::Model& model = nb::cast<const paragauge::HeldModel&>(in.model).model();
    if (paragauge::size(in.log10_shares) != model.words()) throw std::invalid_argument("log10_shares: needs one for each word");
    if (in.mark < 0 || in.mark >= model.words()) throw std::invalid_argument("mark: no word has this number");
    return {model, in.log10_shares.data(), in.mark};
  }

  judges::FluencySentence sentence(nb::handle tokens) const {
    judges::FluencySentence made;
    for (nb::handle each : tokens) {
      const auto& token = nb::cast<const judges::FluencyToken&>(each);
      if (!fluency_.knows(token)) throw std::invalid_argument("no class has this number");
      made.push_back(&token);
    }
    return made;
  }

  InExpectations grammar_, wording_;
  judges::Fluency fluency_;
};

}  // namespace

void bind_judges(nb::module_& m) {
  using paragauge::field;
  using judges::Settings;
  paragauge::bind_struct(
      m, "LikenessSettings", "Settings of the comparison of words.", field("form", &Settings::form),
      field("group", &Settings::group), field("synonym", &Settings::synonym), field("derived", &Settings::derived),
      field("related", &Settings::related), field("phrase", &Settings::phrase), field("least", &Settings::least),
      field("unrelated_square", &Settings::unrelated_square), field("spelled_alike", &Settings::spelled_alike),
      field("contained", &Settings::contained), field("noun_steps", &Settings::noun_steps),
      field("verb_steps", &Settings::verb_steps), field("senses", &Settings::senses),
      field("neighbour", &Settings::neighbour), field("distance", &Settings::distance),
      field("enough", &Settings::enough), field("information_power", &Settings::information_power),
      field("name_weight", &Settings::name_weight), field("denied_opposite", &Settings::denied_opposite));
  paragauge::bind_struct(m, "LikenessVectors", "Vectors of words, and how far each is to be believed.",
                         field("codes", &LikenessVectors::codes), field("scales", &LikenessVectors::scales),
                         field("trust", &LikenessVectors::trust));
  nb::class_<ComparedWord>(m, "ComparedWord", "What is known of a word that is compared with others.")
      .def(
          "__init__",
          [](ComparedWord* self, nb::str text, nb::str lemma, nb::str stem, nb::str group, nb::str part, bool is_mark,
             bool is_content, bool is_name, bool is_date, bool is_negation, nb::object number, double information,
             std::int32_t vector, std::int32_t entry, nb::iterable denied, nb::iterable denied_by_lemma) {
            ComparedWord made{};
            made.spelled = text;
            made.text = text_of(text);
            made.lemma = text_of(lemma);
            made.stem = text_of(stem);
            made.group = text_of(group);
            const std::u32string letter = text_of(part);
            made.part = letter.empty() ? '\0' : static_cast<char>(letter[0]);
            made.is_mark = is_mark;
            made.is_content = is_content;
            made.is_name = is_name;
            made.is_date = is_date;
            made.is_negation = is_negation;
            made.has_number = !number.is_none();
            if (made.has_number) made.number = nb::cast<double>(number);
            made.information = information;
            made.vector = vector;
            made.entry = entry;
            made.denied = texts_of(denied);
            made.denied_by_lemma = texts_of(denied_by_lemma);
            made.complete();
            new (self) ComparedWord(std::move(made));
          },
          nb::kw_only(), "text"_a, "lemma"_a, "stem"_a, "group"_a, "part"_a, "is_mark"_a, "is_content"_a, "is_name"_a,
          "is_date"_a, "is_negation"_a, "number"_a.none(), "information"_a, "vector"_a, "entry"_a, "denied"_a, "denied_by_lemma"_a);
  nb::class_<NativeLikeness>(m, "NativeLikeness")
      .def(nb::init<const paragauge::NativeLexicon&, const paragauge::NativeWordRelations&, const LikenessVectors&,
                    const Settings&>(),
           "lexicon"_a, "relations"_a, "vectors"_a, "settings"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("cosine", &NativeLikeness::cosine, "a"_a, "b"_a, "Return the cosine of two vectors, 0 if one has the number -1.")
      .def("opposite", &NativeLikeness::opposite, "a"_a, "b"_a)
      .def("link", &NativeLikeness::link, "first"_a, "second"_a, nb::kw_only(), "first_heads"_a,
           "second_heads"_a, "phrases"_a, "spelling"_a,
           "Return the links (place, other place, kind, score), the linked place of each word of both sentences, the "
           "best likeness of each word, and a bit for each kind of evidence.")
      .def("unsaid", &NativeLikeness::unsaid, "words"_a, "expressed"_a, nb::kw_only(), "denied"_a, "explained"_a,
           "Return the shares that are not expressed, of all words and of content words, and the same without the words "
           "that are explained.");
  using judges::FluencySettings;
  paragauge::bind_struct(m, "Expectations", "An n-gram model of classes, and how frequent each class is anywhere.",
                         field("model", &InExpectations::model), field("log10_shares", &InExpectations::log10_shares),
                         field("mark", &InExpectations::mark));
  paragauge::bind_struct(m, "FluencySettings", "Settings of the judge of fluency.",
                         field("easy_end", &FluencySettings::easy_end),
                         field("usual_small_share", &FluencySettings::usual_small_share),
                         field("spared_small_share", &FluencySettings::spared_small_share),
                         field("telegram_floor", &FluencySettings::telegram_floor),
                         field("faultless_places", &FluencySettings::faultless_places));
  nb::class_<judges::FluencyToken>(m, "FluencyToken", "A token as the judge of fluency sees it.")
      .def(
          "__init__",
          [](judges::FluencyToken* self, nb::str word, std::int32_t grammar, std::int32_t wording, bool is_small, bool is_mark) {
            judges::FluencyToken made{text_of(word), 0, grammar, wording, is_small, is_mark};
            made.hash = paragauge::hash_of({reinterpret_cast<const char*>(made.word.data()), made.word.size() * sizeof(char32_t)});
            new (self) judges::FluencyToken(std::move(made));
          },
          nb::kw_only(), "word"_a, "grammar"_a, "wording"_a, "is_small"_a, "is_mark"_a);
  nb::class_<NativeFluency>(m, "NativeFluency")
      .def(nb::init<const InExpectations&, const InExpectations&, const FluencySettings&>(), "grammar"_a, "wording"_a,
           "settings"_a)
      .def("losses", &NativeFluency::losses, "candidates"_a, "originals"_a,
           "Return a row for each pair: the losses by grammar, wording, ending, doubling and telegram.")
      .def("places", &NativeFluency::places, "candidate"_a, "original"_a,
           "Return for each word and the end whether it is new, and the surprises of both models.");
  m.def("letter_f1", &NativeLikeness::letter_f1, "first"_a, "second"_a,
        "Return F1 of the pairs of letters that two lists of words have in common.");
}
