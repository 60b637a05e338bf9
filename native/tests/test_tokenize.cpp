// The tokenisers on a few texts: words and the places they come from. The Python tests compare them with the expressions that
// define them, on text of every kind.
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "text/tokenize.hpp"

namespace {

using paragauge::text::Character;
using paragauge::text::rules_of;
using paragauge::text::Tokenizer;

struct Token {
  std::u32string text;
  int begin, end;
  bool operator==(const Token& other) const { return text == other.text && begin == other.begin && end == other.end; }
};

std::vector<Token> tokens(const char* name, const std::u32string& text) {
  const auto never = [](char32_t) { return false; };
  Tokenizer tokenizer(rules_of(name), {never, never});
  tokenizer.begin(text.size());
  for (const char32_t code : text) tokenizer.add(code);
  tokenizer.tokenize();
  std::vector<Token> found;
  tokenizer.for_each([&](const Character* first, const Character* last) {
    Token token{{}, first->begin, (last - 1)->end};
    for (; first < last; ++first) token.text.push_back(first->code);
    found.push_back(token);
  });
  return found;
}

}  // namespace

int main() {
  for (const char* name : {"13a", "intl", "zh", "char", "penn"}) CHECK(tokens(name, U"").empty() && tokens(name, U" \n").empty());
  CHECK((tokens("13a", U"a, 1,000-b.") ==
         std::vector<Token>{{U"a", 0, 1}, {U",", 1, 2}, {U"1,000", 3, 8}, {U"-", 8, 9}, {U"b", 9, 10}, {U".", 10, 11}}));
  CHECK((tokens("13a", U"x&quot;y &amp;lt;") ==
         std::vector<Token>{{U"x", 0, 1}, {U"\"", 1, 7}, {U"y", 7, 8}, {U"<", 9, 17}}));
  CHECK((tokens("13a", U"a<skipped>b c-\nd") == std::vector<Token>{{U"ab", 0, 11}, {U"cd", 12, 16}}));
  CHECK((tokens("intl", U"a.5 5.5 \u20ac9") ==
         std::vector<Token>{{U"a", 0, 1}, {U".", 1, 2}, {U"5", 2, 3}, {U"5.5", 4, 7}, {U"\u20ac", 8, 9}, {U"9", 9, 10}}));
  CHECK((tokens("zh", U" \u6211\u7231N.") == std::vector<Token>{{U"\u6211", 1, 2}, {U"\u7231", 2, 3}, {U"N", 3, 4}, {U".", 4, 5}}));
  CHECK((tokens("char", U"a \u6211") == std::vector<Token>{{U"a", 0, 1}, {U"\u6211", 2, 3}}));
  CHECK((tokens("penn", U"\"I can't,\" he") == std::vector<Token>{{U"``", 0, 1}, {U"I", 1, 2}, {U"ca", 3, 5}, {U"n't", 5, 8},
                                                                   {U",", 8, 9}, {U"''", 9, 10}, {U"he", 11, 13}}));
  CHECK((tokens("penn", U"'Twas cannot.)") ==
         std::vector<Token>{{U"'T", 0, 2}, {U"was", 2, 5}, {U"can", 6, 9}, {U"not", 9, 12}, {U".", 12, 13}, {U")", 13, 14}}));
  CHECK_THROWS(rules_of("moses"), std::invalid_argument);
  std::string bytes;
  for (const char32_t code : {U'a', U'\u00e9', U'\u6211', U'\U0001f600'}) paragauge::text::append_utf8(code, bytes);
  CHECK(bytes == "a\xc3\xa9\xe6\x88\x91\xf0\x9f\x98\x80");
}
