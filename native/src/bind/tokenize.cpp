// The Python face of the tokenisers: str in, str out, character by character, so that any str is text enough.
#include "bind/tokenize.hpp"

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/characters.hpp"
#include "bind/arrays.hpp"
#include "bind/text.hpp"
#include "lm/vocabulary.hpp"
#include "matching/ngrams.hpp"
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

// Texts as numbers: text i is ids[offsets[i]] up to ids[offsets[i + 1]].
struct Encoded {
  std::vector<std::int32_t> ids;
  std::vector<std::int64_t> offsets{0};

  std::int64_t count() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  paragauge::Sequences sequences() const { return {ids.data(), offsets.data(), count()}; }
};

void read(nb::handle one, text::Tokenizer& work) {
  for_each_character(one, [&](std::size_t length) { work.begin(length); }, [&](char32_t code) { work.add(code); });
  work.tokenize();
}

// Gives equal tokens equal numbers, whatever the list of texts that they are in.
class Encoder {
 public:
  explicit Encoder(const text::Rules& rules) : work_(rules, {is_alphanumeric, is_decimal}) { vocabulary_.index(); }

  Encoded operator()(nb::handle texts) {
    Encoded made;
    for (nb::handle one : texts) {
      read(one, work_);
      work_.for_each([&](const Character* first, const Character* last) {
        bytes_.clear();
        for (; first < last; ++first) text::append_utf8(first->code, bytes_);
        made.ids.push_back(vocabulary_.number(bytes_));
      });
      made.offsets.push_back(static_cast<std::int64_t>(made.ids.size()));
    }
    return made;
  }

 private:
  paragauge::lm::VocabularyArrays vocabulary_;
  text::Tokenizer work_;
  std::string bytes_;
};

nb::list summed(const std::vector<std::int64_t>& rows, std::size_t width) {
  std::vector<std::int64_t> sums(width, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) sums[i % width] += rows[i];
  nb::list made;
  for (const std::int64_t sum : sums) made.append(sum);
  return made;
}

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
    Encoder encoder(rules_);
    nb::list made;
    for (nb::handle group : groups) {
      Encoded encoded = encoder(group);
      encoded.ids.reserve(1);  // an array needs an address
      made.append(nb::make_tuple(paragauge::out(std::move(encoded.ids)), paragauge::out(std::move(encoded.offsets))));
    }
    return made;
  }

  // The sums of BLEU's rows, without an array on the way: a program that needs no more need not load NumPy.
  nb::list bleu_totals(nb::list candidates, nb::list references, const std::vector<std::int64_t>& groups, int max_order,
                       int threads) const {
    paragauge::check_order(max_order);
    paragauge::check_threads(threads);
    Encoder encoder(rules_);
    const Encoded own = encoder(candidates), others = encoder(references);
    paragauge::check_offsets(groups.data(), static_cast<std::int64_t>(groups.size()), others.count(), "groups");
    if (static_cast<std::int64_t>(groups.size()) != own.count() + 1)
      throw std::invalid_argument("groups: needs one entry more than there are candidates");
    const auto width = static_cast<std::size_t>(2 + 2 * max_order);
    std::vector<std::int64_t> rows(static_cast<std::size_t>(own.count()) * width);
    {
      nb::gil_scoped_release release;
      paragauge::bleu_rows(own.sequences(), others.sequences(), groups.data(), max_order, threads, rows.data());
    }
    return summed(rows, width);
  }

 private:
  static nb::str word(StringBuilder& builder, const Character* first, const Character* last) {
    builder.clear();
    for (; first < last; ++first) builder.add(first->code);
    return builder.make();
  }

  text::Rules rules_;
};

// The characters of texts as numbers; without white space, unless it is wanted.
Encoded encoded_characters(nb::list texts, bool white_space) {
  Encoded made;
  for (nb::handle one : texts) {
    for_each_character(one, [](std::size_t) {}, [&](char32_t code) {
      const auto number = static_cast<std::int32_t>(code);
      if (white_space || !paragauge::is_space(number)) made.ids.push_back(number);
    });
    made.offsets.push_back(static_cast<std::int64_t>(made.ids.size()));
  }
  return made;
}

nb::tuple characters(nb::list texts, bool white_space) {
  Encoded made = encoded_characters(texts, white_space);
  made.ids.reserve(1);  // an array needs an address
  return nb::make_tuple(paragauge::out(std::move(made.ids)), paragauge::out(std::move(made.offsets)));
}

// chrF's counts of each pair of texts: (candidate, reference, matches) of n-grams for each order of characters, then of words.
struct ChrfRows {
  std::size_t width;
  std::vector<std::int64_t> rows;

  ChrfRows(nb::list candidates, nb::list references, int char_order, int word_order, bool white_space, int threads)
      : width(static_cast<std::size_t>(3 * (char_order + word_order))) {
    if (nb::len(candidates) != nb::len(references))
      throw std::invalid_argument("references: needs one for each candidate");
    paragauge::check_order(char_order);
    if (word_order != 0) paragauge::check_order(word_order);
    paragauge::check_threads(threads);
    rows.resize(nb::len(candidates) * width);
    count(encoded_characters(candidates, white_space), encoded_characters(references, white_space), char_order, 0, threads);
    if (word_order == 0) return;
    Encoder encoder(text::rules_of("chrf"));
    const Encoded own = encoder(candidates), others = encoder(references);
    count(own, others, word_order, char_order, threads);
  }

  void count(const Encoded& own, const Encoded& others, int orders, int before, int threads) {
    nb::gil_scoped_release release;
    paragauge::chrf_rows(own.sequences(), others.sequences(), orders, threads, rows.data() + 3 * before,
                         static_cast<std::int64_t>(width));
  }
};

nb::ndarray<nb::numpy, std::int64_t> chrf_rows(nb::list candidates, nb::list references, int char_order, int word_order,
                                               bool white_space, int threads) {
  ChrfRows made(candidates, references, char_order, word_order, white_space, threads);
  auto array = std::make_unique<std::int64_t[]>(made.rows.size());
  std::copy(made.rows.begin(), made.rows.end(), array.get());
  return paragauge::out(std::move(array), {made.rows.size() / made.width, made.width});
}

nb::list chrf_totals(nb::list candidates, nb::list references, int char_order, int word_order, bool white_space,
                     int threads) {
  const ChrfRows made(candidates, references, char_order, word_order, white_space, threads);
  return summed(made.rows, made.width);
}

}  // namespace

void bind_tokenize(nb::module_& m) {
  m.def("characters", &characters, "texts"_a, nb::kw_only(), "white_space"_a,
        "Return the characters of texts as numbers, with or without white space, and the offsets of texts.");
  m.def("chrf_rows", &chrf_rows, "candidates"_a, "references"_a, nb::kw_only(), "char_order"_a, "word_order"_a,
        "white_space"_a, "threads"_a,
        "Return an array (pairs, 3 orders): n-grams of the candidate, of the reference, and matches, for each order of "
        "characters, then of words.");
  m.def("chrf_totals", &chrf_totals, "candidates"_a, "references"_a, nb::kw_only(), "char_order"_a, "word_order"_a,
        "white_space"_a, "threads"_a, "Return the sums of the columns of chrf_rows.");
  nb::class_<Tokenizer>(m, "Tokenizer", "One of the tokenisers 13a, intl, zh, char and penn, or chrf, the words of chrF++.")
      .def(nb::init<nb::str>(), "name"_a)
      .def("tokens", &Tokenizer::tokens, "text"_a, "Return the tokens of a text.")
      .def("spans", &Tokenizer::spans, "text"_a,
           "Return the tokens of a text, each with the beginning and the end of what it stands for in the text.")
      .def("lines", &Tokenizer::lines, "texts"_a, "Return each text with a space between its tokens.")
      .def("encode", &Tokenizer::encode, "groups"_a,
           "Return token numbers and offsets of each group of texts; equal tokens have equal numbers in all groups.")
      .def("bleu_totals", &Tokenizer::bleu_totals, "candidates"_a, "references"_a, "groups"_a, "max_order"_a, "threads"_a,
           "Return the sums of the columns of bleu_rows for these texts.");
}
