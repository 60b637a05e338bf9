#include "text/tokenize.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/characters.hpp"

namespace paragauge::text {

namespace {

struct Range {
  char32_t first, last;
};

#include "text/categories.inc"

template <std::size_t size>
bool is_in(const Range (&ranges)[size], char32_t code) {
  const Range* const after =
      std::upper_bound(ranges, ranges + size, code, [](char32_t one, const Range& range) { return one < range.first; });
  return after != ranges && code <= (after - 1)->last;
}

// Three bits for each character of ASCII, so that few characters are searched for.
enum Category : std::uint8_t { is_number = 1, is_punctuation = 2, is_symbol = 4 };

std::uint8_t search_category(char32_t code) {
  return static_cast<std::uint8_t>((is_in(numbers, code) ? is_number : 0) | (is_in(punctuation, code) ? is_punctuation : 0) |
                                   (is_in(symbols, code) ? is_symbol : 0));
}

struct AsciiCategories {
  std::uint8_t of[128];
  AsciiCategories() {
    for (char32_t code = 0; code < 128; ++code) of[code] = search_category(code);
  }
};

std::uint8_t category(char32_t code) {
  static const AsciiCategories ascii;
  return code < 128 ? ascii.of[code] : search_category(code);
}

bool is_digit(char32_t code) { return code >= '0' && code <= '9'; }
bool is_dot_or_comma(char32_t code) { return code == '.' || code == ','; }

// mteval-v13a: [{-~[-` -&(-+:-@/]
bool is_western_mark(char32_t code) {
  return (code >= '{' && code <= '~') || (code >= '[' && code <= '`') || (code >= ' ' && code <= '&') ||
         (code >= '(' && code <= '+') || (code >= ':' && code <= '@') || code == '/';
}

// What sacreBLEU's tokeniser zh takes for Chinese. Its ranges beyond U+FFFF are written with four digits and a fifth that is
// a character of its own; compared with single characters, they are the two ranges marked here.
constexpr Range chinese[] = {
    {0x2001, 0x2a6d},  // meant: U+20000 to U+2A6D6
    {0x2e80, 0x2eff}, {0x2f00, 0x2fdf}, {0x2ff0, 0x2fff}, {0x3000, 0x303f}, {0x3100, 0x312f}, {0x31a0, 0x31bf},
    {0x31c0, 0x31ef}, {0x3200, 0x32ff}, {0x3300, 0x33ff}, {0x3400, 0x4db5}, {0x4e00, 0x9fa5}, {0x9fa6, 0x9fbb},
    {0xf900, 0xfa2d}, {0xfa30, 0xfa6a}, {0xfa70, 0xfad9}, {0xfe10, 0xfe1f}, {0xfe30, 0xfe4f}, {0xff00, 0xffef},
};  // the other, U+2F81 to U+2FA1 (meant: U+2F800 to U+2FA1D), and the signs U+2600 to U+27BF lie inside others

bool is_opening(char32_t code) { return code == ' ' || code == '(' || code == '[' || code == '{' || code == '<'; }
bool is_bracket(char32_t code) {
  return code == ']' || code == '[' || code == '(' || code == ')' || code == '{' || code == '}' || code == '<' || code == '>';
}
bool may_follow_full_stop(char32_t code) {
  return code == ']' || code == ')' || code == '}' || code == '>' || code == '\'' || code == U'\u2019' ||
         is_space(static_cast<std::int32_t>(code));
}
bool is_penn_mark(char32_t code) {
  return code == ';' || code == '@' || code == '#' || code == '$' || code == '%' || code == '&' || code == '?' || code == '!';
}
bool is_long_dash(char32_t code) { return code == U'\u2013' || code == U'\u2014'; }

}  // namespace

Rules rules_of(std::string_view name) {
  if (name == "13a") return Rules::v13a;
  if (name == "intl") return Rules::international;
  if (name == "zh") return Rules::chinese;
  if (name == "char") return Rules::characters;
  if (name == "penn") return Rules::penn;
  if (name == "chrf") return Rules::chrf;
  throw std::invalid_argument("no native tokeniser has the name " + std::string(name));
}

void append_utf8(char32_t code, std::string& bytes) {
  const auto more = [&](int shift) { bytes.push_back(static_cast<char>(0x80 | ((code >> shift) & 0x3f))); };
  if (code < 0x80) {
    bytes.push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    bytes.push_back(static_cast<char>(0xc0 | (code >> 6)));
    more(0);
  } else if (code < 0x10000) {
    bytes.push_back(static_cast<char>(0xe0 | (code >> 12)));
    more(6);
    more(0);
  } else {
    bytes.push_back(static_cast<char>(0xf0 | (code >> 18)));
    more(12);
    more(6);
    more(0);
  }
}

bool Tokenizer::is_blank(char32_t code) { return is_space(static_cast<std::int32_t>(code)); }

void Tokenizer::begin(std::size_t length) {
  if (length >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw std::length_error("a text has more than 2^31 characters");
  text_.clear();
  next_.clear();
  text_.reserve(length + 2);
  next_.reserve(length + length / 2 + 16);
}

// Applies a rule: length(i) is how many characters it takes at place i, 0 if it does not match there; put(i) writes what
// takes their place. Most rules do not match at all in most texts, which then need not be copied.
template <class Length, class Put>
void Tokenizer::rewrite(const Length& length, const Put& put) {
  const std::size_t size = text_.size();
  std::size_t copied = 0;
  for (std::size_t i = 0; i < size;) {
    const std::size_t taken = length(i);
    if (taken == 0) {
      ++i;
      continue;
    }
    next_.insert(next_.end(), text_.data() + copied, text_.data() + i);
    put(i);
    i += taken;
    copied = i;
  }
  if (copied == 0) return;
  next_.insert(next_.end(), text_.data() + copied, text_.data() + size);
  text_.swap(next_);
  next_.clear();
}

template <class Test>
void Tokenizer::set_apart(const Test& test) {
  rewrite([&](std::size_t i) -> std::size_t { return test(text_[i].code); }, [&](std::size_t i) { apart(i, 1); });
}

// Of two characters where the test holds, the second is set apart, or the first.
template <class Test>
void Tokenizer::split_second(const Test& test) {
  rewrite([&](std::size_t i) -> std::size_t { return test(i) ? 2 : 0; },
          [&](std::size_t i) {
            keep(i);
            apart(i + 1, 1);
          });
}

template <class Test>
void Tokenizer::split_first(const Test& test) {
  rewrite([&](std::size_t i) -> std::size_t { return test(i) ? 2 : 0; },
          [&](std::size_t i) {
            apart(i, 1);
            keep(i + 1);
          });
}

// Trailing white space goes first, as in sacreBLEU's metrics, since it can change what 13a does.
void Tokenizer::strip_end() {
  while (!text_.empty() && is_blank(text_.back().code)) text_.pop_back();
}

void Tokenizer::replace(std::u32string_view found, std::u32string_view by) {
  rewrite(
      [&](std::size_t i) -> std::size_t {
        if (i + found.size() > text_.size()) return 0;
        for (std::size_t k = 0; k < found.size(); ++k)
          if (text_[i + k].code != found[k]) return 0;
        return found.size();
      },
      [&](std::size_t i) {
        for (const char32_t code : by) put(code, i, i + found.size() - 1);
      });
}

void Tokenizer::unescape() {
  bool marked = false, skipped = false, lines = false;
  for (const Character& one : text_) {
    marked |= one.code == '&';
    skipped |= one.code == '<';
    lines |= one.code == '\n';
  }
  if (skipped) replace(U"<skipped>", U"");
  if (lines) {
    replace(U"-\n", U"");
    replace(U"\n", U" ");
  }
  if (marked) {
    replace(U"&quot;", U"\"");
    replace(U"&amp;", U"&");
    replace(U"&lt;", U"<");
    replace(U"&gt;", U">");
  }
}

// What 13a and zh share.
void Tokenizer::split_western() {
  bool dots = false, dashes = false;
  for (const Character& one : text_) {
    dots |= is_dot_or_comma(one.code);
    dashes |= one.code == '-';
  }
  set_apart([](char32_t code) { return code != ' ' && is_western_mark(code); });
  const auto dot = [this](std::size_t i) { return i < text_.size() && is_dot_or_comma(text_[i].code); };
  const auto digit = [this](std::size_t i) { return is_digit(text_[i].code); };
  if (dots) {
    // ([^0-9])([.,]) and then ([.,])([^0-9])
    split_second([&](std::size_t i) { return !digit(i) && dot(i + 1); });
    split_first([&](std::size_t i) { return dot(i) && i + 1 < text_.size() && !digit(i + 1); });
  }
  if (dashes) split_second([&](std::size_t i) { return digit(i) && at(i + 1, '-'); });  // ([0-9])(-)
}

void Tokenizer::split_international() {
  const auto is = [this](std::size_t i, Category what) { return (category(text_[i].code) & what) != 0; };
  const auto two = [this](std::size_t i) { return i + 1 < text_.size(); };
  // (\P{N})(\p{P}) and then (\p{P})(\P{N})
  split_second([&](std::size_t i) { return two(i) && is(i + 1, is_punctuation) && !is(i, is_number); });
  split_first([&](std::size_t i) { return two(i) && is(i, is_punctuation) && !is(i + 1, is_number); });
  set_apart([](char32_t code) { return (category(code) & is_symbol) != 0; });
}

void Tokenizer::split_chinese() {
  std::size_t first = 0;
  while (first < text_.size() && is_blank(text_[first].code)) ++first;
  text_.erase(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(first));
  set_apart([](char32_t code) { return is_in(chinese, code); });
}

bool Tokenizer::is_word(std::size_t place) const {
  if (place >= text_.size()) return false;
  const char32_t code = text_[place].code;
  if (code < 0x80) return is_digit(code) || (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') || code == '_';
  return unicode_.is_alphanumeric(code);
}

bool Tokenizer::is_decimal(std::size_t place) const {
  const char32_t code = text_[place].code;
  return code < 0x80 ? is_digit(code) : unicode_.is_decimal(code);
}

bool Tokenizer::is_apostrophe(std::size_t place) const { return at(place, '\'') || at(place, U'\u2019'); }

// Whether the text goes on with *letters*, small letters of ASCII; as in Python's expressions, the long s is an s, and the dotted
// capital and the dotless small i are an i.
bool Tokenizer::matches(std::size_t place, std::string_view letters) const {
  if (place + letters.size() > text_.size()) return false;
  for (std::size_t k = 0; k < letters.size(); ++k) {
    const char32_t code = text_[place + k].code;
    const auto letter = static_cast<char32_t>(letters[k]);
    if (code == letter || (code >= 'A' && code <= 'Z' && code + ('a' - 'A') == letter)) continue;
    if (letter == 's' && code == 0x17f) continue;
    if (letter == 'i' && (code == 0x130 || code == 0x131)) continue;
    return false;
  }
  return true;
}

std::size_t Tokenizer::run_of(char32_t code, std::size_t place) const {
  std::size_t end = place;
  while (at(end, code)) ++end;
  return end - place;
}

void Tokenizer::split_penn() {
  bool quotes = false, apostrophes = false, dots = false, marks = false, brackets = false, dashes = false;
  for (const Character& one : text_) {
    const char32_t code = one.code;
    if ((code | 0x20) - 'a' < 26 || code == ' ') continue;
    quotes |= code == '"' || code == '`' || code == '\'' || code == U'\u201c' || code == U'\u201d';
    apostrophes |= code == '\'' || code == U'\u2019';
    dots |= code == '.' || code == U'\u2026';
    marks |= is_penn_mark(code) || code == ':' || code == ',';
    brackets |= is_bracket(code);
    dashes |= code == '-' || is_long_dash(code);
  }
  if (quotes) split_quotes();
  const auto apart_all = [this](const auto& length) { rewrite(length, [&](std::size_t i) { apart(i, length(i)); }); };
  if (dots) {
    apart_all([&](std::size_t i) -> std::size_t {
      if (at(i, U'\u2026')) return 1;
      const std::size_t run = run_of('.', i);
      return run >= 3 ? run : 0;
    });
  }
  if (marks) {  // a comma or colon inside a number stays
    apart_all([&](std::size_t i) -> std::size_t {
      const char32_t code = text_[i].code;
      return is_penn_mark(code) || ((code == ':' || code == ',') && (i + 1 == text_.size() || !is_decimal(i + 1)));
    });
  }
  if (dots) {  // the full stop that ends the sentence
    std::size_t tail = text_.size();
    while (tail > 0 && may_follow_full_stop(text_[tail - 1].code)) --tail;
    split_second([&](std::size_t i) {
      return i + 2 >= tail && at(i + 1, '.') && text_[i].code != '.' && !is_blank(text_[i].code);
    });
  }
  if (brackets) set_apart(is_bracket);
  if (dashes) {
    apart_all([&](std::size_t i) -> std::size_t {
      if (is_long_dash(text_[i].code)) return 1;
      const std::size_t run = run_of('-', i);
      return run >= 2 ? run : 0;
    });
  }
  if (apostrophes) split_apostrophes();
  split_contractions();
}

// Double quotes become `` and '', opening at the start of a word.
void Tokenizer::split_quotes() {
  const auto mark = [this](char32_t code, std::size_t first, std::size_t count) {
    put(code, first, first + count - 1);
    put(code, first, first + count - 1);
    blank();
  };
  const auto opens = [this](std::size_t i) { return at(i, '"') || at(i, U'\u201c'); };
  const auto two = [this](char32_t code, std::size_t i) { return at(i, code) && at(i + 1, code); };
  if (opens(0)) {
    mark('`', 0, 1);
    next_.insert(next_.end(), text_.begin() + 1, text_.end());
    text_.swap(next_);
    next_.clear();
  }
  rewrite([&](std::size_t i) -> std::size_t { return is_opening(text_[i].code) && opens(i + 1) ? 2 : 0; },
          [&](std::size_t i) {
            keep(i);
            blank();
            mark('`', i + 1, 1);
          });
  const auto opening = [&](std::size_t i) -> std::size_t { return two('`', i) ? 2 : at(i, U'\u201c') ? 1 : 0; };
  rewrite(opening, [&](std::size_t i) {
    blank();
    mark('`', i, opening(i));
  });
  // Two apostrophes open only before a word, so that the tokens of tokenised text stay as they are.
  rewrite(
      [&](std::size_t i) -> std::size_t {
        return is_opening(text_[i].code) && two('\'', i + 1) && i + 3 < text_.size() && !at(i + 3, '\'') &&
                       !is_blank(text_[i + 3].code)
                   ? 3
                   : 0;
      },
      [&](std::size_t i) {
        keep(i);
        blank();
        mark('`', i + 1, 2);
      });
  const auto closing = [&](std::size_t i) -> std::size_t {
    return two('\'', i) ? 2 : at(i, '"') || at(i, U'\u201d') ? 1 : 0;
  };
  rewrite(closing, [&](std::size_t i) {
    blank();
    mark('\'', i, closing(i));
  });
}

// Single quotes that close, possessives, contractions with an apostrophe.
void Tokenizer::split_apostrophes() {
  // Splits off what has this length after a character that is neither an apostrophe nor white space.
  const auto split_off = [this](const auto& length_of) {
    std::size_t length = 0;
    rewrite(
        [&](std::size_t i) -> std::size_t {
          length = is_apostrophe(i) || is_blank(text_[i].code) ? 0 : length_of(i + 1);
          return length == 0 ? 0 : 1 + length;
        },
        [&](std::size_t i) {
          keep(i);
          apart(i + 1, length);
        });
  };
  split_off([this](std::size_t i) -> std::size_t {
    return is_apostrophe(i) && (i + 1 == text_.size() || is_blank(text_[i + 1].code)) ? 1 : 0;
  });
  split_off([this](std::size_t i) -> std::size_t {
    if (!is_apostrophe(i)) return 0;
    for (const std::string_view ending : {"s", "m", "d", "ll", "re", "ve"})
      if (matches(i + 1, ending) && !is_word(i + 1 + ending.size())) return 1 + ending.size();
    return 0;
  });
  split_off([this](std::size_t i) -> std::size_t {
    return matches(i, "n") && is_apostrophe(i + 1) && matches(i + 2, "t") && !is_word(i + 3) ? 3 : 0;
  });
}

// Words that are two: cannot, d'ye, gimme, lemme, gonna, wanna, gotta, more'n, 'tis, 'twas. All begin and end where words do,
// so no two of them overlap, and the order of the rules does not matter.
void Tokenizer::split_contractions() {
  struct Pair {
    std::string_view first, second;
    bool apostrophe;  // between the two
  };
  static constexpr Pair pairs[] = {{"can", "not", false}, {"d", "ye", true},    {"gim", "me", false}, {"lem", "me", false},
                                   {"gon", "na", false},  {"wan", "na", false}, {"got", "ta", false}, {"more", "n", true}};
  std::size_t first = 0, whole = 0;  // length of the first part, and of both
  rewrite(
      [&](std::size_t i) -> std::size_t {
        const char32_t small = text_[i].code | 0x20;
        const bool may_begin = small == 'c' || small == 'd' || small == 'g' || small == 'l' || small == 'w' || small == 'm';
        if (!(may_begin || is_apostrophe(i)) || (i > 0 && is_word(i - 1))) return 0;
        if (!may_begin) {
          first = 2;
          if (!matches(i + 1, "t")) return 0;
          if (matches(i + 2, "is") && !is_word(i + 4)) return whole = 4;
          if (matches(i + 2, "was") && !is_word(i + 5)) return whole = 5;
          return 0;
        }
        for (const Pair& pair : pairs) {
          const std::size_t second = i + pair.first.size() + pair.apostrophe, end = second + pair.second.size();
          if (!matches(i, pair.first) || !matches(second, pair.second) || is_word(end)) continue;
          if (pair.apostrophe && !is_apostrophe(second - 1)) continue;
          first = pair.first.size();
          return whole = end - i;
        }
        return 0;
      },
      [&](std::size_t i) {
        for (std::size_t k = 0; k < whole; ++k) {
          if (k == first) blank();
          keep(i + k);
        }
      });
}

// A mark at the end of a word is a word of its own, else one at its beginning, as in sacreBLEU's chrF++.
void Tokenizer::split_word_ends() {
  const auto is_edge = [this](std::size_t i) { return i >= text_.size() || is_blank(text_[i].code); };
  const auto is_mark = [this](std::size_t i) {
    const char32_t code = text_[i].code;
    return (code >= '!' && code <= '/') || (code >= ':' && code <= '@') || (code >= '[' && code <= '`') ||
           (code >= '{' && code <= '~');
  };
  std::size_t end = 0;  // of the word under way
  rewrite(
      [&](std::size_t i) -> std::size_t {
        if (is_edge(i)) return 0;
        if (i == 0 || is_edge(i - 1))
          for (end = i; !is_edge(end);) ++end;
        const bool first = i == 0 || is_edge(i - 1), last = i + 1 == end;
        if (first == last || !is_mark(i)) return 0;  // a word of one character stays
        return last || !is_mark(end - 1) ? 1 : 0;
      },
      [&](std::size_t i) { apart(i, 1); });
}

void Tokenizer::tokenize() {
  switch (rules_) {
    case Rules::v13a:
      strip_end();
      unescape();
      text_.insert(text_.begin(), {U' ', 0, 0});
      text_.push_back({U' ', 0, 0});
      split_western();
      break;
    case Rules::international:
      strip_end();
      split_international();
      break;
    case Rules::chinese:
      strip_end();
      split_chinese();
      split_western();
      break;
    case Rules::characters:
      set_apart([](char32_t) { return true; });
      break;
    case Rules::penn:
      split_penn();
      break;
    case Rules::chrf:
      split_word_ends();
      break;
  }
}

}  // namespace paragauge::text
