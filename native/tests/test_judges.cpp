// Words compared by a made-up WordNet of three lemmas and vectors of two numbers.
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

}  // namespace

int main() {
  test_links();
  test_relations();
  test_letters();
}
