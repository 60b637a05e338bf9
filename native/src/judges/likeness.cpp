// Compiled without fused products and sums: scores are the same on every machine.
#include "judges/likeness.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/portable.hpp"

namespace paragauge::judges {

namespace {

using Text = std::u32string;

bool has(const std::vector<Text>& list, const Text& text) { return std::find(list.begin(), list.end(), text) != list.end(); }

bool starts_with(const Text& text, const Text& part) { return text.compare(0, part.size(), part) == 0; }

bool ends_with(const Text& text, const Text& part) {
  return text.size() >= part.size() && text.compare(text.size() - part.size(), part.size(), part) == 0;
}

// Whether one word is the other with something before it that denies it.
bool prefixed(const Word& a, const Word& b) {
  const Word& shorter = a.text.size() < b.text.size() ? a : b;
  const Word& longer = a.text.size() < b.text.size() ? b : a;
  return ends_with(longer.text, shorter.text) && has(longer.denied, shorter.text);
}

template <class List>
std::size_t common(const List& a, const List& b) {
  std::size_t found = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] < b[j]) {
      ++i;
    } else if (b[j] < a[i]) {
      ++j;
    } else {
      ++found, ++i, ++j;
    }
  }
  return found;
}

// What Jaro and Winkler's similarity cannot exceed: all common letters in order.
double most_alike(const Word& a, const Word& b) {
  const auto shared = static_cast<double>(common(a.letters, b.letters));
  if (shared == 0) return 0;
  const double jaro = (shared / static_cast<double>(a.text.size()) + shared / static_cast<double>(b.text.size()) + 1) / 3;
  std::size_t prefix = 0;
  while (prefix < 4 && prefix < a.text.size() && prefix < b.text.size() && a.text[prefix] == b.text[prefix]) ++prefix;
  return jaro + 0.1 * static_cast<double>(prefix) * (1 - jaro);
}

bool is_part(const Word& a, const Word& b) {
  const Text& shorter = a.text.size() < b.text.size() ? a.text : b.text;
  const Text& longer = a.text.size() < b.text.size() ? b.text : a.text;
  return starts_with(longer, shorter) || ends_with(longer, shorter);
}

PARAGAUGE_WIDE_VECTORS
std::int32_t product(const std::int8_t* one, const std::int8_t* other, std::int64_t width) {
  std::int32_t sum = 0;
  for (std::int64_t k = 0; k < width; ++k) sum += static_cast<std::int32_t>(one[k]) * other[k];
  return sum;
}

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }  // nothing is lost where there is nothing

}  // namespace

void Word::complete() {
  letters = text;
  std::sort(letters.begin(), letters.end());
  bigrams.clear();
  if (is_mark) return;
  char32_t last = U'<';
  const auto add = [&](char32_t next) {
    bigrams.push_back(static_cast<std::uint64_t>(last) << 32 | next);
    last = next;
  };
  for (const char32_t code : text) add(code);
  add(U'>');
}

float Likeness::cosine(std::int32_t a, std::int32_t b) const {
  if (a < 0 || b < 0) return 0;
  const std::int32_t sum = product(vectors_.codes + a * vectors_.width, vectors_.codes + b * vectors_.width, vectors_.width);
  return static_cast<float>(sum) * (vectors_.scales[a] * vectors_.scales[b]);
}

bool Likeness::opposite(const Word& a, const Word& b) const {
  // "staffed" has the lemma "staff", "unstaffed" itself.
  if (a.part != 'n' && b.part != 'n' && a.stem != b.stem && prefixed(a, b)) return true;
  if (has(b.denied_by_lemma, a.lemma) || has(a.denied_by_lemma, b.lemma)) return true;  // "harmless" and "harmful", too
  return a.entry >= 0 && b.entry >= 0 && relations_.are_antonyms(a.entry, b.entry, true);
}

const Word& Likeness::known(const Word& word) const {
  if (!word.has_bits) {
    word.synset_bits = bits_of(lexicon_.synsets(word.entry));
    word.derivation_bits = bits_of(relations_.derivations(word.entry));
    word.has_bits = true;
  }
  return word;
}

bool Likeness::share_synset(const Word& a, const Word& b) const {
  return (known(a).synset_bits & known(b).synset_bits) != 0 && intersect(lexicon_.synsets(a.entry), lexicon_.synsets(b.entry));
}

bool Likeness::has_wider(const Word& a, const Word& b, int steps) const {
  if (a.wider_steps != steps) {
    a.wider.clear();
    if (a.part == 'a')
      relations_.similar(a.entry, a.wider);
    else
      relations_.wider(a.entry, steps, settings_.senses, a.wider);
    a.wider_steps = steps;
    a.wider_bits = bits_of({a.wider.data(), a.wider.data() + a.wider.size()});
  }
  return (a.wider_bits & known(b).synset_bits) != 0 &&
         intersect({a.wider.data(), a.wider.data() + a.wider.size()}, lexicon_.synsets(b.entry));
}

// Whether WordNet has one word as a kind of the other, or two adjectives as similar.
bool Likeness::related(const Word& a, const Word& b) const {
  if (a.part != b.part || a.is_name || b.is_name || a.entry < 0 || b.entry < 0) return false;
  if (a.part == 'a') return has_wider(a, b, 1);
  const int steps = a.part == 'n' ? settings_.noun_steps : a.part == 'v' ? settings_.verb_steps : 0;
  return steps > 0 && (has_wider(a, b, steps) || has_wider(b, a, steps));
}

bool Likeness::derived(const Word& a, const Word& b) const {
  if (a.is_name || a.entry < 0 || b.entry < 0 || (known(a).derivation_bits & bit_of(b.entry)) == 0) return false;
  const Ids list = relations_.derivations(a.entry);
  if (!std::binary_search(list.begin(), list.end(), b.entry)) return false;
  const std::string_view spelled = lexicon_.lemma(b.entry);
  return b.lemma.size() == spelled.size() && std::equal(spelled.begin(), spelled.end(), b.lemma.begin());
}

bool Likeness::compare_content(const Word& a, const Word& b, double translated, const Spelling& spelling, Kind& kind,
                               double& score) const {
  if (a.is_date || b.is_date) return false;
  if (a.stem == b.stem) {
    kind = kForm, score = settings_.form;
  } else if (!a.group.empty() && a.group == b.group) {
    kind = kGroup, score = settings_.group;
  } else if (settings_.synonym > 0 && a.entry >= 0 && b.entry >= 0 && share_synset(a, b)) {
    kind = kSynonym, score = 1 - (1 - settings_.synonym) * (1 - translated);
  } else if (settings_.derived > 0 && (derived(a, b) || derived(b, a))) {
    kind = kDerived, score = std::max(settings_.derived, translated);
  } else if (translated < settings_.related && related(a, b)) {
    kind = kKindOf, score = settings_.related;
  } else if (translated > 0 && !(a.is_name && b.is_name)) {
    kind = kTranslation, score = translated;
  } else if (a.vector < 0 || b.vector < 0 || a.is_name || b.is_name) {
    constexpr double rounding = 1e-9;
    if (!(settings_.contained && is_part(a, b)) && most_alike(a, b) + rounding < settings_.spelled_alike) return false;
    kind = kSpelling, score = spelling(a, b);
    if (!(score > 0)) return false;
  } else {
    return false;
  }
  if (opposite(a, b)) kind = kOpposite, score = 0;
  return true;
}

bool Likeness::compare(const Word& a, const Word& b, double translated, const Spelling& spelling, Kind& kind,
                       double& score) const {
  if (a.is_mark) return false;
  if (&a == &b || a.text == b.text) {
    kind = kSame, score = 1;
    return true;
  }
  if (b.is_mark) return false;
  if (a.lemma == b.lemma) {
    kind = kForm, score = settings_.form;
    return true;
  }
  if (a.has_number || b.has_number) {
    kind = kNumber, score = 1;
    return a.has_number && b.has_number && a.number == b.number;
  }
  if (a.is_content && b.is_content) return compare_content(a, b, translated, spelling, kind, score);
  kind = kGroup, score = settings_.group;
  return (!a.group.empty() && a.group == b.group) || (a.is_negation && b.is_negation);
}

double Likeness::context(const Sentence& first, const Sentence& second, std::int32_t i, std::int32_t j) const {
  const auto& ours = first.words;
  const auto& theirs = second.words;
  const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
  double bonus = 0;
  if (i > 0 && j > 0)
    bonus += ours[a - 1]->text == theirs[b - 1]->text ? settings_.neighbour : 0;
  else if (i == j)
    bonus += settings_.neighbour;
  if (a + 1 < ours.size() && b + 1 < theirs.size())
    bonus += ours[a + 1]->text == theirs[b + 1]->text ? settings_.neighbour : 0;
  const std::int32_t head = first.heads[a], other = second.heads[b];
  if (head >= 0 && other >= 0)
    bonus += ours[static_cast<std::size_t>(head)]->lemma == theirs[static_cast<std::size_t>(other)]->lemma ? settings_.neighbour : 0;
  const double place = static_cast<double>(i) / static_cast<double>(ours.size());
  const double their_place = static_cast<double>(j) / static_cast<double>(theirs.size());
  return bonus - settings_.distance * std::abs(place - their_place);
}

Linked Likeness::link(const Sentence& first, const Sentence& second, const std::vector<Place>& phrases,
                      const Spelling& spelling) const {
  struct Option {
    double strength;
    Link link;
  };
  std::vector<Option> options;
  Linked linked;
  const auto rows = static_cast<std::int32_t>(first.words.size()), columns = static_cast<std::int32_t>(second.words.size());
  std::vector<float> alike(first.words.size() * second.words.size());
  const auto cell = [&](std::int32_t i, std::int32_t j) -> float& {
    return alike[static_cast<std::size_t>(i) * second.words.size() + static_cast<std::size_t>(j)];
  };
  const auto found = [&](std::int32_t i, std::int32_t j, Kind kind, double score) {
    linked.kinds |= std::uint32_t{1} << kind;
    float& likeness = cell(i, j);
    likeness = score == 0 ? 0 : std::max(likeness, static_cast<float>(score));
    if (score >= settings_.least) options.push_back({score + context(first, second, i, j), {i, j, kind, score}});
  };
  for (std::int32_t i = 0; i < rows; ++i) {
    const Word& word = *first.words[static_cast<std::size_t>(i)];
    for (std::int32_t j = 0; j < columns; ++j) {
      const Word& other = *second.words[static_cast<std::size_t>(j)];
      float square = 0;
      if (word.vector >= 0 && other.vector >= 0) {
        const float near = std::max(cosine(word.vector, other.vector), 0.0f);
        const float squared = near * near;
        square = squared * std::min(vectors_.trust[word.vector], vectors_.trust[other.vector]);
      }
      cell(i, j) = square;
      Kind kind;
      double score;
      const double translated = square > settings_.unrelated_square ? static_cast<double>(square) : 0.0;
      if (compare(word, other, translated, spelling, kind, score)) found(i, j, kind, score);
    }
  }
  for (const auto& [i, j] : phrases) found(i, j, kPhrase, settings_.phrase);
  std::stable_sort(options.begin(), options.end(), [](const Option& a, const Option& b) {
    if (a.strength != b.strength) return a.strength > b.strength;
    return a.link.i != b.link.i ? a.link.i < b.link.i : a.link.j < b.link.j;
  });
  linked.to_second.assign(first.words.size(), -1);
  linked.to_first.assign(second.words.size(), -1);
  for (const Option& option : options) {
    auto& to = linked.to_second[static_cast<std::size_t>(option.link.i)];
    auto& from = linked.to_first[static_cast<std::size_t>(option.link.j)];
    if (to >= 0 || from >= 0) continue;
    to = option.link.j;
    from = option.link.i;
    linked.links.push_back(option.link);
  }
  std::sort(linked.links.begin(), linked.links.end(), [](const Link& a, const Link& b) { return a.i < b.i; });
  linked.said.assign(first.words.size(), 0);
  linked.supported.assign(second.words.size(), 0);
  for (std::int32_t i = 0; i < rows; ++i)
    for (std::int32_t j = 0; j < columns; ++j) {
      float& said = linked.said[static_cast<std::size_t>(i)];
      float& supported = linked.supported[static_cast<std::size_t>(j)];
      said = std::max(said, cell(i, j));
      supported = std::max(supported, cell(i, j));
    }
  return linked;
}

Unsaid Likeness::unsaid(const std::vector<const Word*>& words, const std::vector<double>& expressed,
                        const std::vector<std::uint8_t>& denied, const std::vector<std::uint8_t>& explained) const {
  struct Sum {
    double lost = 0, total = 0;
    void add(double weight, double part) {
      total += weight;
      lost += part;
    }
  };
  Sum all, content, other, other_content;
  for (std::size_t place = 0; place < words.size(); ++place) {
    const Word& word = *words[place];
    if (word.is_mark) continue;
    double said = expressed[place];
    if (denied[place]) said = std::max(said, settings_.denied_opposite);
    double weight = std::pow(std::min(word.information, settings_.enough), settings_.information_power);
    if (word.is_name) weight *= settings_.name_weight;
    const double part = weight * (1 - said);
    all.add(weight, part);
    if (word.is_content) content.add(weight, part);
    if (explained[place]) continue;
    other.add(weight, part);
    if (word.is_content) other_content.add(weight, part);
  }
  return {share(all.lost, all.total), share(content.lost, content.total), share(other.lost, other.total),
          share(other_content.lost, other_content.total)};
}

double letter_f1(const std::vector<const Word*>& first, const std::vector<const Word*>& second) {
  const auto all = [](const std::vector<const Word*>& words) {
    std::vector<std::uint64_t> list;
    for (const Word* word : words) list.insert(list.end(), word->bigrams.begin(), word->bigrams.end());
    std::sort(list.begin(), list.end());
    return list;
  };
  const auto ours = all(first), theirs = all(second);
  const std::size_t total = ours.size() + theirs.size();
  return total == 0 ? 1.0 : 2 * static_cast<double>(common(ours, theirs)) / static_cast<double>(total);
}

}  // namespace paragauge::judges
