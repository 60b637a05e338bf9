// How alike two words are, and which words of two sentences say the same.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "matching/lexicon.hpp"
#include "matching/word_relations.hpp"

namespace paragauge::judges {

// What is known of a word; see paragauge.judges.reading.Word.
struct Word {
  std::u32string text, lemma, stem, group;  // no group: empty
  char part = 0;                            // n, v, a, r, or 0
  bool is_mark = false, is_content = false, is_name = false, is_date = false, is_negation = false, has_number = false;
  double number = 0;
  double information = 0;                   // from 0 to 1; rarer words have more
  std::int32_t vector = -1, entry = -1;     // rows of the vectors and of the lexicon, -1 for none
  std::vector<std::u32string> denied, denied_by_lemma;  // words that its text and its lemma deny by their form

  // From here on `complete` fills in.
  std::u32string letters;              // those of the text, sorted
  std::vector<std::uint64_t> bigrams;  // of a word with its borders, sorted; none for marks
  void complete();

  // Synsets that its senses lead to, so many steps up; found when first asked for, as everything below.
  mutable std::vector<std::int32_t> wider;
  mutable int wider_steps = -1;
  // `bits_of` these synsets, its own and the lemmas derived from it.
  mutable std::uint64_t wider_bits = 0, synset_bits = 0, derivation_bits = 0;
  mutable bool has_bits = false;  // those of synsets and derivations
};

enum Kind : std::int32_t {
  kSame, kForm, kNumber, kGroup, kOpposite, kSynonym, kDerived, kKindOf, kTranslation, kSpelling, kPhrase
};

struct Settings {
  double form = 0, group = 0, synonym = 0, derived = 0, related = 0, phrase = 0, least = 0;
  float unrelated_square = 0;      // squared cosines up to here say nothing
  double spelled_alike = 0;        // similarities of spelling up to here say nothing
  bool contained = false;          // whether a word that is part of another is like it
  int noun_steps = 0, verb_steps = 0, senses = 0;
  double neighbour = 0, distance = 0;  // what the places of two words add to their likeness
  double enough = 0, information_power = 0;  // information from which a word counts in full; how much others count less
  double name_weight = 0;
  double denied_opposite = 0;  // how well the denial of its opposite expresses a word
};

struct Vectors {
  const std::int8_t* codes;
  const float* scales;
  const float* trust;
  std::int64_t rows, width;
};

struct Link {
  std::int32_t i, j;
  Kind kind;
  double score;  // of the evidence alone
};

// A sentence: its words and the head of each, -1 for none.
struct Sentence {
  std::vector<const Word*> words;
  std::vector<std::int32_t> heads;
};

using Place = std::pair<std::int32_t, std::int32_t>;

struct Linked {
  std::vector<Link> links;                              // rising in i; each word at most once
  std::vector<std::int32_t> to_second, to_first;        // -1 for none
  std::vector<float> said, supported;                   // the best likeness of each word of the first and of the second
  std::uint32_t kinds = 0;                              // a bit for each kind of evidence that was found, linked or not
};

// Shares of the information of a sentence's words that the other sentence does not express: of all and of content words; of
// those but the ones that a change explains.
struct Unsaid {
  double all, content, other, other_content;
};

class Likeness {
 public:
  using Spelling = std::function<double(const Word&, const Word&)>;

  Likeness(const Lexicon& lexicon, const WordRelations& relations, const Vectors& vectors, const Settings& settings)
      : lexicon_(lexicon), relations_(relations), vectors_(vectors), settings_(settings) {}

  float cosine(std::int32_t a, std::int32_t b) const;
  bool opposite(const Word& a, const Word& b) const;
  bool related(const Word& a, const Word& b) const;
  // Whether there is evidence for or against the same meaning; `translated` is their squared cosine, 0 if it says nothing.
  bool compare(const Word& a, const Word& b, double translated, const Spelling& spelling, Kind& kind, double& score) const;
  // `phrases` are pairs of words inside phrases that mean the same. The strongest evidence comes first; neighbours,
  // heads and places break ties.
  Linked link(const Sentence& first, const Sentence& second, const std::vector<Place>& phrases,
              const Spelling& spelling) const;
  // `expressed` says how well each word is; of the words in `denied` the opposite is denied.
  Unsaid unsaid(const std::vector<const Word*>& words, const std::vector<double>& expressed,
                const std::vector<std::uint8_t>& denied, const std::vector<std::uint8_t>& explained) const;

 private:
  const Word& known(const Word& word) const;  // with its bits
  bool share_synset(const Word& a, const Word& b) const;
  bool compare_content(const Word& a, const Word& b, double translated, const Spelling& spelling, Kind& kind,
                       double& score) const;
  bool derived(const Word& a, const Word& b) const;
  bool has_wider(const Word& a, const Word& b, int steps) const;
  double context(const Sentence& first, const Sentence& second, std::int32_t i, std::int32_t j) const;

  const Lexicon& lexicon_;
  const WordRelations& relations_;
  Vectors vectors_;
  Settings settings_;
};

// F1 of the letters that words have in common, in pairs and with the borders of words; 1 if there are none at all.
double letter_f1(const std::vector<const Word*>& first, const std::vector<const Word*>& second);

}  // namespace paragauge::judges
