#include "bind/judges.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/native_lexicon.hpp"
#include "bind/structs.hpp"
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

  static double letter_f1(nb::list first, nb::list second) { return judges::letter_f1(words(first), words(second)); }

 private:
  template <class T>
  static nb::tuple tuple(const std::vector<T>& list) {
    nb::list made;
    for (const T& each : list) made.append(each);
    return nb::tuple(made);
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
      field("neighbour", &Settings::neighbour), field("distance", &Settings::distance));
  paragauge::bind_struct(m, "LikenessVectors", "Vectors of words, and how far each is to be believed.",
                         field("codes", &LikenessVectors::codes), field("scales", &LikenessVectors::scales),
                         field("trust", &LikenessVectors::trust));
  nb::class_<ComparedWord>(m, "ComparedWord", "What is known of a word that is compared with others.")
      .def(
          "__init__",
          [](ComparedWord* self, nb::str text, nb::str lemma, nb::str stem, nb::str group, nb::str part, bool is_mark,
             bool is_content, bool is_name, bool is_date, bool is_negation, nb::object number, std::int32_t vector,
             std::int32_t entry, nb::iterable denied, nb::iterable denied_by_lemma) {
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
            made.vector = vector;
            made.entry = entry;
            made.denied = texts_of(denied);
            made.denied_by_lemma = texts_of(denied_by_lemma);
            made.complete();
            new (self) ComparedWord(std::move(made));
          },
          nb::kw_only(), "text"_a, "lemma"_a, "stem"_a, "group"_a, "part"_a, "is_mark"_a, "is_content"_a, "is_name"_a,
          "is_date"_a, "is_negation"_a, "number"_a.none(), "vector"_a, "entry"_a, "denied"_a, "denied_by_lemma"_a);
  nb::class_<NativeLikeness>(m, "NativeLikeness")
      .def(nb::init<const paragauge::NativeLexicon&, const paragauge::NativeWordRelations&, const LikenessVectors&,
                    const Settings&>(),
           "lexicon"_a, "relations"_a, "vectors"_a, "settings"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("cosine", &NativeLikeness::cosine, "a"_a, "b"_a, "Return the cosine of two vectors, 0 if one has the number -1.")
      .def("opposite", &NativeLikeness::opposite, "a"_a, "b"_a)
      .def("link", &NativeLikeness::link, "first"_a, "second"_a, nb::kw_only(), "first_heads"_a,
           "second_heads"_a, "phrases"_a, "spelling"_a,
           "Return the links (place, other place, kind, score), the linked place of each word of both sentences, the "
           "best likeness of each word, and a bit for each kind of evidence.");
  m.def("letter_f1", &NativeLikeness::letter_f1, "first"_a, "second"_a,
        "Return F1 of the pairs of letters that two lists of words have in common.");
}
