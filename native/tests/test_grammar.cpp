// Rule extraction, the index and synchronous parsing on many small random inputs; parsing against an obvious
// re-implementation, extraction against itself with other numbers of threads (its oracle is in Python).
#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "check.hpp"
#include "grammar/extract.hpp"
#include "grammar/index.hpp"
#include "grammar/parse.hpp"
#include "grammar/text.hpp"

namespace {

using Side = std::vector<int>;  // words from 0; -1 and -2 are the first and second nonterminal
using Item = std::array<int, 5>;  // label, source span, target span

int uniform(std::mt19937& rng, int low, int high) { return std::uniform_int_distribution<int>(low, high)(rng); }

struct Packed {
  std::vector<char> text;
  std::vector<std::int64_t> offsets{0};

  void add(const std::string& one) {
    text.insert(text.end(), one.begin(), one.end());
    offsets.push_back(static_cast<std::int64_t>(text.size()));
  }
  paragauge::Words words() {
    text.reserve(text.size() + 1);  // so that there always is an address
    return {text.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
  }
};

struct RandomRule {
  int lhs;
  int labels[2];
  Side source, target;
};

const std::array<std::string, 2> label_names{"X", "NP"};

RandomRule random_rule(std::mt19937& rng) {
  RandomRule rule{uniform(rng, 0, 1), {uniform(rng, 0, 1), uniform(rng, 0, 1)}, {}, {}};
  const int gaps = uniform(rng, 0, 2);
  for (Side* side : {&rule.source, &rule.target}) {
    for (int w = uniform(rng, gaps > 0 ? 0 : 1, 2); w > 0; --w) side->push_back(uniform(rng, 0, 1));
    for (int g = 1; g <= gaps; ++g) side->push_back(-g);
    std::shuffle(side->begin(), side->end(), rng);
  }
  return rule;
}

std::string side_text(const RandomRule& rule, const Side& side) {
  std::string text;
  for (const int symbol : side) {
    if (!text.empty()) text += ' ';
    text += symbol >= 0 ? std::string(1, static_cast<char>('a' + symbol))
                        : "[" + label_names[static_cast<std::size_t>(rule.labels[-symbol - 1])] + "," + std::to_string(-symbol) + "]";
  }
  return text;
}

// All ways to lay a side over words [first, last): the spans of both nonterminals.
void lay(const Side& side, std::size_t place, const std::vector<int>& words, int first, int last, std::array<int, 4> spans,
         std::vector<std::array<int, 4>>& out) {
  if (place == side.size()) {
    if (first == last) out.push_back(spans);
    return;
  }
  if (side[place] >= 0) {
    if (first < last && words[static_cast<std::size_t>(first)] == side[place]) lay(side, place + 1, words, first + 1, last, spans, out);
    return;
  }
  const auto slot = static_cast<std::size_t>(2 * (-side[place] - 1));
  for (int end = first + 1; end <= last; ++end) {
    spans[slot] = first;
    spans[slot + 1] = end;
    lay(side, place + 1, words, end, last, spans, out);
  }
}

bool oracle(const std::vector<RandomRule>& rules, const std::vector<int>& source, const std::vector<int>& target, bool glue) {
  const int n = static_cast<int>(source.size()), m = static_cast<int>(target.size());
  std::set<Item> items;
  for (bool fresh = true; fresh;) {
    fresh = false;
    for (const RandomRule& rule : rules)
      for (int i = 0; i < n; ++i)
        for (int j = i + 1; j <= n; ++j) {
          std::vector<std::array<int, 4>> lefts;
          lay(rule.source, 0, source, i, j, {-1, -1, -1, -1}, lefts);
          if (lefts.empty()) continue;
          for (int k = 0; k < m; ++k)
            for (int l = k + 1; l <= m; ++l) {
              std::vector<std::array<int, 4>> rights;
              lay(rule.target, 0, target, k, l, {-1, -1, -1, -1}, rights);
              for (const auto& left : lefts)
                for (const auto& right : rights) {
                  bool known = true;
                  for (std::size_t g = 0; g < 2; ++g)
                    if (left[2 * g] >= 0)
                      known = known && items.count({rule.labels[g], left[2 * g], left[2 * g + 1], right[2 * g], right[2 * g + 1]}) > 0;
                  if (known && items.insert({rule.lhs, i, j, k, l}).second) fresh = true;
                }
            }
        }
  }
  if (!glue) return items.count({0, 0, n, 0, m}) > 0 || items.count({1, 0, n, 0, m}) > 0;
  std::set<std::pair<int, int>> reached{{0, 0}};
  for (bool fresh = true; fresh;) {
    fresh = false;
    for (const Item& item : items)
      if (reached.count({item[1], item[3]}) > 0 && reached.insert({item[2], item[4]}).second) fresh = true;
  }
  return reached.count({n, m}) > 0;
}

paragauge::GrammarView view(const paragauge::GrammarArrays& arrays) {
  const auto index = [](const paragauge::Strings& strings) {
    return paragauge::PhraseIndex(strings.text.data(), static_cast<std::int64_t>(strings.text.size()), strings.offsets.data(),
                                  static_cast<std::int64_t>(strings.offsets.size()) - 1);
  };
  return {index(arrays.words), arrays.on_source.data(), index(arrays.labels),
          reinterpret_cast<const paragauge::Shape*>(arrays.shapes.data()), static_cast<std::int64_t>(arrays.shapes.size() / 4),
          {arrays.source_first.data(), arrays.source_symbols.data(), static_cast<std::int64_t>(arrays.source_first.size()) - 1},
          {arrays.target_first.data(), arrays.target_symbols.data(), static_cast<std::int64_t>(arrays.target_first.size()) - 1},
          arrays.source_rules.data(), arrays.rule_target.data(), arrays.rule_shape.data(),
          static_cast<std::int64_t>(arrays.rule_target.size())};
}

void test_parsing() {
  std::mt19937 rng(7);
  int derived = 0;
  for (int round = 0; round < 1500; ++round) {
    std::vector<RandomRule> rules;
    Packed lhs, sources, targets;
    for (int r = uniform(rng, 2, 9); r > 0; --r) {
      rules.push_back(random_rule(rng));
      lhs.add(label_names[static_cast<std::size_t>(rules.back().lhs)]);
      sources.add(side_text(rules.back(), rules.back().source));
      targets.add(side_text(rules.back(), rules.back().target));
    }
    paragauge::GrammarBuilder builder;
    builder.add(lhs.words(), sources.words(), targets.words());
    const paragauge::GrammarArrays arrays = builder.finish();
    Packed tokens;
    for (const char* token : {"a", "b", "c", "unknown"}) tokens.add(token);
    std::vector<int> source, target;
    for (int w = uniform(rng, 1, 3); w > 0; --w) source.push_back(uniform(rng, 0, 1));
    for (int w = uniform(rng, 1, 3); w > 0; --w) target.push_back(uniform(rng, 0, 1));
    const std::vector<std::int64_t> source_offsets{0, static_cast<std::int64_t>(source.size())};
    const std::vector<std::int64_t> target_offsets{0, static_cast<std::int64_t>(target.size())};
    const bool glue = uniform(rng, 0, 1) == 1;
    paragauge::ParseOptions options;
    options.pass_through = paragauge::PassThrough::none;
    options.glue = glue;
    options.derivations = true;
    std::vector<paragauge::ParseResult> results;
    paragauge::parse_pairs(view(arrays), tokens.words(), {source.data(), source_offsets.data(), 1},
                           {target.data(), target_offsets.data(), 1}, options, results);
    const bool expected = oracle(rules, source, target, glue);
    CHECK((results[0].status == paragauge::ParseStatus::derived) == expected);
    CHECK(results[0].derivation.empty() == !expected);
    derived += expected;
    if (!glue) continue;
    for (const int more : {70, 300}) {  // the same pair at the end of long sentences, which use wider sets
      std::vector<int> long_source(static_cast<std::size_t>(more), 3), long_target(static_cast<std::size_t>(more), 3);
      long_source.insert(long_source.end(), source.begin(), source.end());
      long_target.insert(long_target.end(), target.begin(), target.end());
      const std::vector<std::int64_t> ends{0, static_cast<std::int64_t>(long_source.size())};
      const std::vector<std::int64_t> target_ends{0, static_cast<std::int64_t>(long_target.size())};
      if (round % 50 != 0) continue;
      options.pass_through = paragauge::PassThrough::unknown;
      options.max_span = 4;
      paragauge::parse_pairs(view(arrays), tokens.words(), {long_source.data(), ends.data(), 1},
                             {long_target.data(), target_ends.data(), 1}, options, results);
      if (expected) CHECK(results[0].status == paragauge::ParseStatus::derived);
    }
  }
  CHECK(derived > 20);
}

void test_extraction_is_the_same_for_any_number_of_threads() {
  std::mt19937 rng(3);
  Packed words;
  for (const char* word : {"a", "bb", "ccc", "\xc3\xa9"}) words.add(word);
  Packed names;
  std::vector<std::int32_t> ids[2], positions, nodes;
  std::vector<std::int64_t> offsets[2]{{0}, {0}}, link_offsets{0}, tree_offsets{0};
  for (int pair = 0; pair < 600; ++pair) {
    const int lengths[2] = {uniform(rng, 0, 9), uniform(rng, 0, 9)};
    for (int side = 0; side < 2; ++side) {
      for (int w = 0; w < lengths[side]; ++w) ids[side].push_back(uniform(rng, 0, 3));
      offsets[side].push_back(static_cast<std::int64_t>(ids[side].size()));
    }
    if (lengths[0] > 0 && lengths[1] > 0)
      for (int k = uniform(rng, 0, 8); k > 0; --k)
        positions.insert(positions.end(), {uniform(rng, 0, lengths[0] - 1), uniform(rng, 0, lengths[1] - 1)});
    link_offsets.push_back(static_cast<std::int64_t>(positions.size() / 2));
    for (int w = 0; w < lengths[0]; ++w) nodes.insert(nodes.end(), {w, uniform(rng, w + 1, lengths[0]), uniform(rng, 0, 1)});
    tree_offsets.push_back(static_cast<std::int64_t>(nodes.size() / 3));
  }
  const paragauge::LinkedBitext bitext{{ids[0].data(), offsets[0].data(), 600}, {ids[1].data(), offsets[1].data(), 600},
                                       positions.data(), link_offsets.data()};
  const paragauge::Trees trees{nodes.data(), tree_offsets.data(), {"NP", "VP"}};
  paragauge::check_trees(trees, bitext.source);
  paragauge::LexicalCounts lexical;
  lexical.add(bitext);
  for (const auto labels : {paragauge::LabelSet::hiero, paragauge::LabelSet::constituents, paragauge::LabelSet::ccg,
                            paragauge::LabelSet::samt}) {
    std::vector<char> texts[2];
    for (int run = 0; run < 2; ++run) {
      paragauge::RuleOptions options;
      options.labels = labels;
      options.tight = false;
      options.threads = 1 + 2 * run;
      options.max_rows = run == 0 ? 1 : 1 << 20;
      paragauge::RuleRows rows;
      for (std::int64_t first = 0; first < 600;)
        first = paragauge::extract_rules({bitext, words.words(), words.words(), &lexical}, trees, options, first, rows);
      CHECK(rows.size() > 0);
      CHECK(static_cast<std::int64_t>(rows.direct_lexical.size()) == rows.size());
      texts[run] = rows.source.text;
      texts[run].insert(texts[run].end(), rows.target.text.begin(), rows.target.text.end());
      texts[run].insert(texts[run].end(), rows.alignment.text.begin(), rows.alignment.text.end());
    }
    CHECK(texts[0] == texts[1]);
  }
  const std::vector<std::int32_t> outside{0, 99, 0};
  const std::vector<std::int64_t> one{0, 1};
  CHECK_THROWS(paragauge::check_trees({outside.data(), one.data(), {"NP"}}, {ids[0].data(), offsets[0].data(), 1}), std::invalid_argument);
}

void test_text() {
  std::mt19937 rng(11);
  // Whatever the bytes, a line is a rule or an error.
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    static const std::array<const char*, 12> pieces{"[X]", " ||| ", "[X,1]", "[NP,2]", " ", "a", "|", "\n", "]", "[", ",", "\xff"};
    for (int k = uniform(rng, 0, 25); k > 0; --k) text += pieces[static_cast<std::size_t>(uniform(rng, 0, 11))];
    paragauge::RuleTexts rules;
    try {
      paragauge::read_rules(text, rules);
    } catch (const paragauge::RuleError&) {
    }
    CHECK(rules.lhs.offsets.size() >= 1);
  }
  paragauge::RuleTexts rules;
  paragauge::read_rules("[X] ||| [A,2] b [C,1] ||| [C,1] [A,2] ||| p(e|f)=1.5 ||| 0-1", rules);
  CHECK(std::string(rules.source.text.begin(), rules.source.text.end()) == "[A,1] b [C,2]");
  CHECK(std::string(rules.target.text.begin(), rules.target.text.end()) == "[C,2] [A,1]");
  const std::string sides[2] = {"a [A,1] b [C,2]", "[C,2] [A,1]"};
  const std::int64_t ends[2][2] = {{0, 15}, {0, 11}};
  paragauge::Strings renumbered[2];
  paragauge::renumber({sides[1].data(), ends[1], 1}, {sides[0].data(), ends[0], 1}, renumbered[0], renumbered[1]);
  CHECK(renumbered[0][0] == "[C,1] [A,2]");
  CHECK(renumbered[1][0] == "a [A,2] b [C,1]");
  CHECK_THROWS(paragauge::renumber({sides[1].data(), ends[1], 1}, {"a", std::array<std::int64_t, 2>{0, 1}.data(), 1},
                                   renumbered[0], renumbered[1]), paragauge::RuleError);
  const std::string links[2] = {"0-0 1-2 2-1 x-1 3", "0-2 1-0 2-2 4-"};
  const std::int64_t link_ends[2][2] = {{0, 17}, {0, 14}};
  paragauge::Strings composed;
  paragauge::compose_links({links[0].data(), link_ends[0], 1}, {links[1].data(), link_ends[1], 1}, composed);
  CHECK(composed[0] == "0-1 1-0 1-2");
}

}  // namespace

int main() {
  test_parsing();
  test_extraction_is_the_same_for_any_number_of_threads();
  test_text();
  return 0;
}
