// Words compared by a made-up WordNet of three lemmas and vectors of two numbers.
#include "judges/fluency.hpp"
#include "judges/likeness.hpp"

#include <string>
#include <vector>

#include "check.hpp"

using namespace paragauge;
using judges::Word;

namespace {

struct Small {
  std::string text = "busgocoach";  // by lemma: bus {0}, go {2}, coach {0, 1}
  std::vector<std::uint8_t> lengths{3, 2, 5}, senses_of{1, 1, 2};
  std::vector<std::int32_t> senses{0, 2, 0, 1}, synsets{2, 1, 0, 0};
  std::vector<std::uint8_t> ranks{0, 0, 0, 1}, hypernym_counts{0, 1, 0};
  std::vector<std::int32_t> hypernyms{0};
  std::vector<std::int8_t> codes{3, 4, 4, 3};
  std::vector<float> scales{0.2f, 0.2f}, trust{1.0f, 0.5f};
  Lexicon lexicon{{text.data(), 10, lengths.data(), senses_of.data(), 3, senses.data(), 4, synsets.data(), "", 0, nullptr,
                   nullptr, nullptr, 0}};
  WordRelations relations{lexicon,
                          {ranks.data(), 4, hypernym_counts.data(), 3, hypernyms.data(), 1, {}, {}, {}, {}}};

  judges::Likeness likeness() const {
    judges::Settings settings;
    settings.form = 0.95;
    settings.synonym = 0.6;
    settings.least = 0.2;
    settings.unrelated_square = 0.2f;
    settings.spelled_alike = 0.85;
    settings.noun_steps = 3;
    settings.related = 0.6;
    settings.senses = 3;
    return {lexicon, relations, {codes.data(), scales.data(), trust.data(), 2, 2}, settings};
  }
};

Word word(const std::u32string& text, std::int32_t entry, std::int32_t vector) {
  Word made;
  made.text = made.lemma = made.stem = text;
  made.part = 'n';
  made.is_content = true;
  made.entry = entry;
  made.vector = vector;
  made.complete();
  return made;
}

double no_spelling(const Word&, const Word&) { return 0; }

void test_links() {
  const Small small;
  const judges::Likeness likeness = small.likeness();
  const Word bus = word(U"bus", 0, 0), coach = word(U"coach", 2, 1), other = word(U"xyz", -1, -1);
  CHECK(likeness.cosine(0, 1) == 24 * (0.2f * 0.2f) && likeness.cosine(0, -1) == 0);
  const judges::Linked linked = likeness.link({{&bus, &other}, {1, -1}}, {{&other, &coach}, {-1, 0}}, {}, no_spelling);
  CHECK(linked.links.size() == 2 && linked.to_second[0] == 1 && linked.to_second[1] == 0);
  CHECK(linked.links[0].kind == judges::kSynonym && linked.links[1].kind == judges::kSame);
  CHECK(linked.said[1] == 1 && linked.kinds == (1u << judges::kSynonym | 1u << judges::kSame));
  const judges::Linked nothing = likeness.link({{&bus}, {-1}}, {{}, {}}, {}, no_spelling);
  CHECK(nothing.links.empty() && nothing.said.size() == 1 && nothing.said[0] == 0 && nothing.supported.empty());
}

void test_relations() {
  const Small small;
  const judges::Likeness likeness = small.likeness();
  const Word bus = word(U"bus", 0, -1), coach = word(U"coach", 2, -1), go = word(U"go", 1, -1), none = word(U"none", -1, -1);
  CHECK(likeness.related(coach, bus) && likeness.related(bus, coach));  // a sense of coach is a kind of bus
  CHECK(!likeness.related(bus, go) && !likeness.related(bus, none));
  Word unfit = word(U"unfit", -1, -1), fit = word(U"fit", -1, -1);
  unfit.part = fit.part = 'a';
  unfit.denied = {U"fit"};
  CHECK(likeness.opposite(unfit, fit) && likeness.opposite(fit, unfit) && !likeness.opposite(fit, none));
}

void test_letters() {
  const Word one = word(U"ab", -1, -1), other = word(U"b", -1, -1);
  CHECK(judges::letter_f1({&one}, {&one}) == 1 && judges::letter_f1({}, {}) == 1 && judges::letter_f1({&one}, {}) == 0);
  CHECK(judges::letter_f1({&one}, {&other}) == 2.0 / 5);  // "b>" of "<a ab b>" and "<b b>"
}

void test_unsaid() {
  judges::Settings settings;
  settings.enough = 0.5;
  settings.information_power = 2;
  settings.name_weight = 4;
  settings.denied_opposite = 0.75;
  const Small small;
  const std::vector<float> none{1.0f};
  const judges::Likeness likeness{small.lexicon, small.relations, {small.codes.data(), none.data(), none.data(), 1, 4}, settings};
  Word rare = word(U"rare", -1, -1), name = word(U"name", -1, -1), small_word = word(U"of", -1, -1), mark = word(U",", -1, -1);
  rare.information = 0.9;  // more than enough: weighs 0.25
  name.information = 0.25;  // 0.0625, as a name 0.25
  name.is_name = true;
  small_word.information = 0.5;  // 0.25
  small_word.is_content = false;
  mark.information = 1;
  mark.is_mark = true;
  const std::vector<const Word*> words{&rare, &name, &small_word, &mark};
  judges::Unsaid found = likeness.unsaid(words, {1, 0, 0.5, 0}, {0, 0, 0, 0}, {0, 0, 0, 0});
  CHECK(found.all == 0.5 && found.content == 0.5 && found.other == 0.5 && found.other_content == 0.5);
  found = likeness.unsaid(words, {1, 0, 0.5, 0}, {1, 1, 0, 0}, {0, 1, 0, 0});
  CHECK(found.all == 0.25 && found.content == 0.125 && found.other == 0.25 && found.other_content == 0);
  found = likeness.unsaid({&mark}, {0}, {0}, {0});
  CHECK(found.all == 0 && found.other_content == 0);
}

void test_sums() {
  for (std::size_t size = 1; size < 600; ++size) {
    std::vector<double> numbers(size);
    for (std::size_t k = 0; k < size; ++k) numbers[k] = static_cast<double>(k * k % 97);
    double sum = 0;
    for (const double number : numbers) sum += number;
    CHECK(judges::sum_in_pairs(numbers) == sum);
  }
}

void test_fluency() {
  // <unk>, <s>, </s>, the mark, and two classes: what they cost here, and anywhere.
  const std::vector<lm::Weights> unigrams{{-1, 0}, {-99, 0}, {-2, 0}, {-1, 0}, {-3, 0}, {-0.5f, 0}};
  const std::vector<float> shares{0, 0, -1, -1, -1, -1};
  const lm::Model model(unigrams.data(), 6, {});
  const judges::Expectations expected{model, shares.data(), 3};
  const judges::Fluency fluency(expected, expected, {0.25, 0.5, 0, 0.5, 2});
  const judges::FluencyToken a{U"a", 1, 4, 4, false, false}, b{U"b", 1, 5, 5, true, false}, c{U"c", 3, 0, 0, false, false};
  const judges::FluencyToken mark{U"", 0, 0, 0, false, true}, quote{U"", 0, 0, 0, false, false};
  CHECK(fluency.knows(a) && !fluency.knows({U"x", 4, 6, 0, false, false}) && !fluency.knows({U"x", 4, 0, -1, false, false}));

  const judges::FluencyPlaces copy = fluency.places({&mark, &a, &quote, &b, &mark}, {&a, &b});
  CHECK(copy.is_new == std::vector<std::uint8_t>({0, 0, 0}) && copy.doubled == 0);
  CHECK(copy.grammar == std::vector<double>({2, -0.5, 1}));
  // "a" and "b" have the same hash, and are told apart all the same; an unknown class surprises nobody.
  const judges::FluencyPlaces places = fluency.places({&b, &b, &c}, {&a, &b, &c});
  CHECK(places.is_new == std::vector<std::uint8_t>({1, 1, 0, 0}) && places.doubled == 1 && places.grammar[2] == 0);

  const judges::FluencyLosses losses = fluency.losses({&a, &a}, {&b});
  CHECK(losses.grammar == 8.0 / 4 && losses.wording == losses.grammar && losses.ending == 0.75 && losses.doubling == 1.0 / 4);
  CHECK(losses.telegram == 0.5 * (0.5 + 4.0 / 4));  // half of the words of English are small, none of these
  const judges::FluencyLosses none = fluency.losses({}, {&b});
  CHECK(none.grammar == 0 && none.ending == 0.75 && none.doubling == 0 && none.telegram == 0.25);
}

}  // namespace

int main() {
  test_links();
  test_relations();
  test_letters();
  test_unsaid();
  test_sums();
  test_fluency();
}
