// The lexicon on a made-up WordNet, and on damaged ones.
#include "matching/lexicon.hpp"

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "matching/word_relations.hpp"

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

// Nouns: 0 = {cat}, 1 = {dog}, 2 = {pet}, 3 = {thing, dog}; adjectives: 4 = {arid}, 5 = {dry}, 6 = {moist}, 7 = {wet}.
struct Clusters {
  std::string text = "ariddogdrycatpetthingwetmoist";
  std::vector<std::uint8_t> lengths{4, 3, 3, 3, 3, 5, 3, 5}, senses_of{1, 2, 1, 1, 1, 1, 1, 1};
  std::vector<std::int32_t> senses{4, 1, 3, 5, 0, 2, 3, 7, 6}, synsets{4, 0, 4, 0};
  std::vector<std::uint8_t> ranks{0, 1, 0, 0, 0, 0, 0, 0, 0};  // a dog is a thing more often than a pet
  std::vector<std::uint8_t> hypernym_counts{1, 1, 1, 0};
  std::vector<std::int32_t> hypernyms{2, 2, 3};
  std::vector<std::int32_t> antonym_sources{2, 6}, antonyms{6, 2}, opposed_sources{5, 7}, opposed{7, 5};
  std::vector<std::int32_t> similar_sources{4, 5, 6, 7}, similar{5, 4, 7, 6}, none;

  Lexicon lexicon() const {
    return Lexicon({text.data(), static_cast<std::int64_t>(text.size()), lengths.data(), senses_of.data(),
                    static_cast<std::int64_t>(lengths.size()), senses.data(), static_cast<std::int64_t>(senses.size()),
                    synsets.data(), text.data(), 0, lengths.data(), lengths.data(), synsets.data(), 0});
  }

  static Pairs pairs(const std::vector<std::int32_t>& sources, const std::vector<std::int32_t>& targets) {
    return {sources.data(), targets.data(), static_cast<std::int64_t>(sources.size())};
  }

  WordRelations relations(const Lexicon& lexicon) const {
    return WordRelations(
        lexicon, {ranks.data(), static_cast<std::int64_t>(ranks.size()), hypernym_counts.data(),
                  static_cast<std::int64_t>(hypernym_counts.size()), hypernyms.data(),
                  static_cast<std::int64_t>(hypernyms.size()), pairs(antonym_sources, antonyms),
                  pairs(opposed_sources, opposed), pairs(similar_sources, similar), pairs(none, none)});
  }
};

void test_relations() {
  const Clusters clusters;
  const Lexicon lexicon = clusters.lexicon();
  const WordRelations relations = clusters.relations(lexicon);
  const std::int32_t arid = 0, dog = 1, dry = 2, cat = 3, pet = 4, thing = 5, wet = 6, moist = 7;
  CHECK(relations.are_antonyms(dry, wet, false) && !relations.are_antonyms(arid, wet, false));
  CHECK(relations.are_antonyms(arid, wet, true) && relations.are_antonyms(wet, arid, true));
  CHECK(!relations.are_antonyms(arid, moist, true) && !relations.are_antonyms(dog, cat, true));
  std::vector<std::int32_t> found;
  relations.antonyms(dry, true, found);
  CHECK((found == std::vector<std::int32_t>{wet, moist}));
  CHECK(relations.are_similar(arid, dry) && relations.are_similar(dry, arid) && !relations.are_similar(dry, wet));
  CHECK(relations.is_kind_of(cat, pet, 1, 1) && !relations.is_kind_of(cat, thing, 1, 1) && relations.is_kind_of(cat, thing, 2, 1));
  CHECK(!relations.is_kind_of(dog, pet, 3, 1) && relations.is_kind_of(dog, pet, 3, 2));  // by its second sense
  CHECK(!relations.is_kind_of(pet, cat, 9, 9));
  CHECK(!relations.are_siblings(dog, cat, 1) && relations.are_siblings(dog, cat, 2) && !relations.are_siblings(dog, thing, 2));
  found.clear();
  relations.hypernyms(pet, found);
  CHECK((found == std::vector<std::int32_t>{dog, thing}));
  CHECK(relations.derivations(dog).size() == 0);
}

void test_damaged_relations_are_refused() {
  const Lexicon lexicon = Clusters().lexicon();
  const auto refused = [&](auto damage) {
    Clusters clusters;
    damage(clusters);
    CHECK_THROWS(clusters.relations(lexicon), std::invalid_argument);
  };
  refused([](Clusters& c) { c.ranks.pop_back(); });
  refused([](Clusters& c) { c.hypernym_counts[0] = 9; });
  refused([](Clusters& c) { c.hypernym_counts.pop_back(); });
  refused([](Clusters& c) { c.hypernyms[0] = 4; });
  refused([](Clusters& c) { c.antonyms[0] = 8; });
  refused([](Clusters& c) { c.opposed[0] = -1; });
  refused([](Clusters& c) { c.similar_sources[0] = 6; });
}

}  // namespace

int main() {
  test_look_ups();
  test_morphy();
  test_damage_is_refused();
  test_relations();
  test_damaged_relations_are_refused();
}
