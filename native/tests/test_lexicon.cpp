// The lexicon on a made-up WordNet, and on damaged ones.
#include "lexicon.hpp"

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"

using namespace paragauge;

namespace {

struct Small {
  std::string text;
  std::vector<std::uint8_t> lengths, senses_of{1, 2, 1, 1, 1};
  // Nouns: 0 = {bus, coach}, 1 = {coach, trainer}; verb: 2 = {go, leave}.
  std::vector<std::int32_t> senses{0, 0, 1, 2, 2, 1}, synsets{2, 1, 0, 0};
  std::string forms = "gonewentwents";
  std::vector<std::uint8_t> form_lengths{4, 4, 5}, parts{1, 1, 1};
  std::vector<std::int32_t> form_lemmas{2, 2, -1};

  Small() {
    for (const std::string lemma : {"bus", "coach", "go", "leave", "trainer"}) {
      text += lemma;
      lengths.push_back(static_cast<std::uint8_t>(lemma.size()));
    }
  }

  Lexicon lexicon() const {
    return Lexicon({text.data(), static_cast<std::int64_t>(text.size()), lengths.data(), senses_of.data(),
                    static_cast<std::int64_t>(lengths.size()), senses.data(), static_cast<std::int64_t>(senses.size()),
                    synsets.data(), forms.data(), static_cast<std::int64_t>(forms.size()), form_lengths.data(),
                    parts.data(), form_lemmas.data(), static_cast<std::int64_t>(parts.size())});
  }
};

std::vector<std::string> morphy(const Lexicon& lexicon, const std::string& word, PartOfSpeech part) {
  std::vector<std::int32_t> ids;
  lexicon.morphy(word, part, ids);
  std::vector<std::string> lemmas;
  for (const std::int32_t id : ids) lemmas.emplace_back(lexicon.lemma(id));
  return lemmas;
}

void test_look_ups() {
  const Small small;
  const Lexicon lexicon = small.lexicon();
  const std::int32_t bus = lexicon.find("bus"), coach = lexicon.find("coach"), trainer = lexicon.find("trainer"), go = lexicon.find("go");
  CHECK(bus == 0 && trainer == 4 && lexicon.find("buses") == -1 && lexicon.find("") == -1);
  CHECK(lexicon.synonyms(coach).size() == 3 && lexicon.synonyms(bus).size() == 2);
  CHECK(lexicon.share_synonym(bus, trainer));  // by way of coach
  CHECK(!lexicon.share_synonym(bus, go) && lexicon.share_synonym(go, go));
  CHECK(lexicon.has(go, kVerb) && !lexicon.has(go, kNoun));
}

void test_morphy() {
  const Small small;
  const Lexicon lexicon = small.lexicon();
  using Words = std::vector<std::string>;
  CHECK(morphy(lexicon, "coaches", kNoun) == Words{"coach"});
  CHECK(morphy(lexicon, "leaving", kVerb) == Words{"leave"});
  CHECK(morphy(lexicon, "went", kVerb) == Words{"go"});
  CHECK(morphy(lexicon, "went", kNoun) == Words{});
  CHECK(morphy(lexicon, "wents", kVerb) == Words{});
  CHECK(morphy(lexicon, "go", kVerb) == Words{"go"});
  CHECK(lexicon.uninflect("go", kVerb) == -1 && lexicon.uninflect("goes", kVerb) == lexicon.find("go"));
  std::vector<std::int32_t> synsets;
  lexicon.word_synsets("coaches", synsets);
  CHECK((synsets == std::vector<std::int32_t>{0, 1}));
}

void test_damage_is_refused() {
  Small small;
  small.lengths[0] = 200;
  CHECK_THROWS(small.lexicon(), std::invalid_argument);
  small = Small();
  small.senses[1] = 9;
  CHECK_THROWS(small.lexicon(), std::invalid_argument);
  small = Small();
  small.form_lemmas[0] = 5;
  CHECK_THROWS(small.lexicon(), std::invalid_argument);
  small = Small();
  small.synsets[0] = 1 << 30;
  CHECK_THROWS(small.lexicon(), std::invalid_argument);
  small = Small();
  small.forms = "zonewentwents";
  CHECK_THROWS(small.lexicon(), std::invalid_argument);
}

}  // namespace

int main() {
  test_look_ups();
  test_morphy();
  test_damage_is_refused();
}
