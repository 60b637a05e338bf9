// The Python face of the tokenisers: str in, str out, character by character, so that any str is text enough.
#include "bind/tokenize.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/characters.hpp"
#include "bind/arrays.hpp"
#include "bind/text.hpp"
#include "lm/vocabulary.hpp"
#include "text/tokenize.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace text = paragauge::text;
using text::Character;

namespace {

bool is_alphanumeric(char32_t code) { return Py_UNICODE_ISALNUM(static_cast<Py_UCS4>(code)) != 0; }
bool is_decimal(char32_t code) { return Py_UNICODE_ISDECIMAL(static_cast<Py_UCS4>(code)) != 0; }

// Calls begin(length), then take(code) for every character of a str.
template <class Begin, class Take>
void for_each_character(nb::handle text, const Begin& begin, const Take& take) {
  PyObject* object = text.ptr();
  if (!PyUnicode_Check(object)) throw nb::type_error("expected str");
#if PY_VERSION_HEX < 0x030c0000
  if (PyUnicode_READY(object) != 0) throw nb::python_error();
#endif
  const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(object));
  begin(length);
  const void* data = PyUnicode_DATA(object);
  const auto take_all = [&](const auto* codes) {
    for (std::size_t i = 0; i < length; ++i) take(static_cast<char32_t>(codes[i]));
  };
  switch (PyUnicode_KIND(object)) {
    case PyUnicode_1BYTE_KIND: take_all(static_cast<const Py_UCS1*>(data)); break;
    case PyUnicode_2BYTE_KIND: take_all(static_cast<const Py_UCS2*>(data)); break;
    default: take_all(static_cast<const Py_UCS4*>(data));
  }
}

// Characters on their way into a str, which is made as narrow as they allow.
class StringBuilder {
 public:
  void clear() {
    codes_.clear();
    largest_ = 0;
  }
  void add(char32_t code) {
    codes_.push_back(static_cast<Py_UCS4>(code));
    largest_ = std::max(largest_, static_cast<Py_UCS4>(code));
  }
  bool empty() const { return codes_.empty(); }

  nb::str make() const {
    PyObject* made = PyUnicode_New(static_cast<Py_ssize_t>(codes_.size()), largest_);
    if (made == nullptr) throw nb::python_error();
    void* data = PyUnicode_DATA(made);
    switch (PyUnicode_KIND(made)) {
      case PyUnicode_1BYTE_KIND: std::copy(codes_.begin(), codes_.end(), static_cast<Py_UCS1*>(data)); break;
      case PyUnicode_2BYTE_KIND: std::copy(codes_.begin(), codes_.end(), static_cast<Py_UCS2*>(data)); break;
      default: std::copy(codes_.begin(), codes_.end(), static_cast<Py_UCS4*>(data));
    }
    return nb::steal<nb::str>(made);
  }

 private:
  std::vector<Py_UCS4> codes_;
  Py_UCS4 largest_ = 0;
};

// Has no state between calls, so that threads may share it.
class Tokenizer {
 public:
  explicit Tokenizer(nb::str name) : rules_(text::rules_of(paragauge::text_of(name))) {}

  nb::list tokens(nb::str one) const {
    text::Tokenizer work(rules_, {is_alphanumeric, is_decimal});
    read(one, work);
    nb::list found;
    StringBuilder builder;
    work.for_each([&](const Character* first, const Character* last) { found.append(word(builder, first, last)); });
    return found;
  }

  // (token, begin, end): what stands in the text is text[begin:end].
  nb::list spans(nb::str one) const {
    text::Tokenizer work(rules_, {is_alphanumeric, is_decimal});
    read(one, work);
    nb::list found;
    StringBuilder builder;
    work.for_each([&](const Character* first, const Character* last) {
      found.append(nb::make_tuple(word(builder, first, last), first->begin, (last - 1)->end));
    });
    return found;
  }

  // Each text as one line, with a space between tokens.
  nb::list lines(nb::list texts) const {
    nb::list made;
    StringBuilder builder;
    text::Tokenizer work(rules_, {is_alphanumeric, is_decimal});
    for (nb::handle one : texts) {
      read(one, work);
      builder.clear();
      work.for_each([&](const Character* first, const Character* last) {
        if (!builder.empty()) builder.add(' ');
        for (; first < last; ++first) builder.add(first->code);
      });
      made.append(builder.make());
    }
    return made;
  }

  // Tokens as numbers, the same in all groups of texts: for each group the numbers, and where those of each text begin.
  nb::list encode(nb::list groups) const {
    paragauge::lm::VocabularyArrays vocabulary;
    vocabulary.index();
    text::Tokenizer work(rules_, {is_alphanumeric, is_decimal});
    std::string bytes;
    nb::list made;
    for (nb::handle group : groups) {
      std::vector<std::int32_t> ids;
      std::vector<std::int64_t> offsets{0};
      for (nb::handle one : group) {
        read(one, work);
        work.for_each([&](const Character* first, const Character* last) {
          bytes.clear();
          for (; first < last; ++first) text::append_utf8(first->code, bytes);
          ids.push_back(vocabulary.number(bytes));
        });
        offsets.push_back(static_cast<std::int64_t>(ids.size()));
      }
      ids.reserve(1);  // an array needs an address
      made.append(nb::make_tuple(paragauge::out(std::move(ids)), paragauge::out(std::move(offsets))));
    }
    return made;
  }

 private:

  static void read(nb::handle one, text::Tokenizer& work) {
    for_each_character(one, [&](std::size_t length) { work.begin(length); }, [&](char32_t code) { work.add(code); });
    work.tokenize();
  }

  static nb::str word(StringBuilder& builder, const Character* first, const Character* last) {
    builder.clear();
    for (; first < last; ++first) builder.add(first->code);
    return builder.make();
  }

  text::Rules rules_;
};

// The characters of texts as numbers, and where those of each text begin; without white space, unless it is wanted.
nb::tuple characters(nb::list texts, bool white_space) {
  std::vector<std::int32_t> codes;
  std::vector<std::int64_t> offsets{0};
  for (nb::handle one : texts) {
    for_each_character(one, [](std::size_t) {}, [&](char32_t code) {
      const auto number = static_cast<std::int32_t>(code);
      if (white_space || !paragauge::is_space(number)) codes.push_back(number);
    });
    offsets.push_back(static_cast<std::int64_t>(codes.size()));
  }
  codes.reserve(1);  // an array needs an address
  return nb::make_tuple(paragauge::out(std::move(codes)), paragauge::out(std::move(offsets)));
}

}  // namespace

void bind_tokenize(nb::module_& m) {
  m.def("characters", &characters, "texts"_a, nb::kw_only(), "white_space"_a,
        "Return the characters of texts as numbers, with or without white space, and the offsets of texts.");
  nb::class_<Tokenizer>(m, "Tokenizer", "One of the tokenisers 13a, intl, zh, char and penn, or chrf, the words of chrF++.")
      .def(nb::init<nb::str>(), "name"_a)
      .def("tokens", &Tokenizer::tokens, "text"_a, "Return the tokens of a text.")
      .def("spans", &Tokenizer::spans, "text"_a,
           "Return the tokens of a text, each with the beginning and the end of what it stands for in the text.")
      .def("lines", &Tokenizer::lines, "texts"_a, "Return each text with a space between its tokens.")
      .def("encode", &Tokenizer::encode, "groups"_a,
           "Return token numbers and offsets of each group of texts; equal tokens have equal numbers in all groups.");
}
