// Tokenisers: text to words, each with the place in the text that it comes from.
//
// Every tokeniser is a list of rewriting rules, applied one after another, that put blanks between words; these are the
// rules of sacreBLEU's tokenisers and of Python's Penn tokeniser before it was native, which the tests keep to compare
// with. Rules scan from left to right, and what one match has consumed no other match of that rule may touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace paragauge::text {

// A character, and what it stands for: text[begin .. end). Blanks that a rule inserts stand for nothing.
struct Character {
  char32_t code;
  std::int32_t begin, end;
};

using Characters = std::vector<Character>;

// What Unicode says of characters beyond ASCII. It comes from Python, so that both always agree.
struct Unicode {
  bool (*is_alphanumeric)(char32_t code);
  bool (*is_decimal)(char32_t code);
};

enum class Rules { v13a, international, chinese, characters, penn, chrf };

// The rules of that name: 13a, intl, zh, char, penn, or chrf (the words of chrF++). Throws std::invalid_argument for others.
Rules rules_of(std::string_view name);

class Tokenizer {
 public:
  Tokenizer(Rules rules, Unicode unicode) : rules_(rules), unicode_(unicode) {}

  // Begins a text of *length* characters; add() takes them, and tokenize() leaves words with blanks between them.
  void begin(std::size_t length);
  void add(char32_t code) {
    const auto place = static_cast<std::int32_t>(text_.size());
    text_.push_back({code, place, place + 1});
  }
  void tokenize();

  // Calls word(first, last) for all words, whose characters are [first, last).
  template <class Word>
  void for_each(const Word& word) const {
    const Character* const end = text_.data() + text_.size();
    for (const Character* place = text_.data(); place < end;) {
      while (place < end && is_blank(place->code)) ++place;
      const Character* const first = place;
      while (place < end && !is_blank(place->code)) ++place;
      if (place > first) word(first, place);
    }
  }

 private:
  static bool is_blank(char32_t code);

  template <class Length, class Put>
  void rewrite(const Length& length, const Put& put);
  template <class Test>
  void set_apart(const Test& test);  // characters, by their code
  template <class Test>
  void split_second(const Test& test);
  template <class Test>
  void split_first(const Test& test);

  void strip_end();
  void replace(std::u32string_view found, std::u32string_view by);
  void unescape();
  void split_western();
  void split_international();
  void split_chinese();
  void split_penn();
  void split_quotes();
  void split_apostrophes();
  void split_contractions();
  void split_word_ends();

  // Of the text that a rule reads.
  bool at(std::size_t place, char32_t code) const { return place < text_.size() && text_[place].code == code; }
  bool is_word(std::size_t place) const;  // \w: a letter, a digit or _
  bool is_decimal(std::size_t place) const;
  bool is_apostrophe(std::size_t place) const;
  bool matches(std::size_t place, std::string_view letters) const;  // whatever their case
  std::size_t run_of(char32_t code, std::size_t place) const;

  // Of the text that it writes.
  void keep(std::size_t place) { next_.push_back(text_[place]); }
  void blank() { next_.push_back({U' ', 0, 0}); }
  void apart(std::size_t place, std::size_t count) {  // with a blank on either side
    blank();
    next_.insert(next_.end(), text_.data() + place, text_.data() + place + count);
    blank();
  }
  void put(char32_t code, std::size_t first, std::size_t last) {
    next_.push_back({code, text_[first].begin, text_[last].end});
  }

  Rules rules_;
  Unicode unicode_;
  Characters text_, next_;
};

// Appends a character as UTF-8; half a surrogate pair like any other character.
void append_utf8(char32_t code, std::string& bytes);

}  // namespace paragauge::text
