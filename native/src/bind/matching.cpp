#include "bind/matching.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "bind/native_lexicon.hpp"
#include "bind/structs.hpp"
#include "matching/assignment.hpp"
#include "matching/similarity.hpp"
#include "matching/staged_links.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using paragauge::check_ids;
using paragauge::In;
using paragauge::InSequences;
using paragauge::out;
using paragauge::sequences;
using paragauge::size;

// What is known of each word of the vocabulary.
struct InWordClasses {
  In<std::int32_t> stems;
  InSequences synsets;
};

void check_phrase_link(const std::int32_t* row, paragauge::Span candidate, paragauge::Span reference) {
  if (row[0] < 0 || row[1] < 0 || row[2] < 1 || row[3] < 1 || row[2] > candidate.size() - row[0] ||
      row[3] > reference.size() - row[1])
    throw std::invalid_argument("paraphrases: a link points out of its sentence");
}

// Links of all pairs: rows (i, j, length in the candidate, length in the reference, stage), where those of each pair
// begin, the number of their chunks, and whether they are proven best. Paraphrases are rows of four numbers: possible links of phrases.
nb::tuple link_words(InSequences candidate_ids, InSequences reference_ids, const InWordClasses& known,
                     InSequences phrase_links, const paragauge::StageOptions& options, int threads) {
  const auto candidates = sequences(candidate_ids, "candidates"), references = sequences(reference_ids, "references");
  if (candidates.count != references.count) throw std::invalid_argument("every candidate needs one reference");
  const auto& stems = known.stems;
  const auto &synsets = known.synsets.first, &paraphrases = phrase_links.first;
  const auto &synset_offsets = known.synsets.second, &paraphrase_offsets = phrase_links.second;
  const std::int64_t words = size(stems);
  check_ids(candidate_ids.first, 0, words, "candidates");
  check_ids(reference_ids.first, 0, words, "references");
  paragauge::check_offsets(synset_offsets.data(), size(synset_offsets), size(synsets), "synsets");
  if (size(synset_offsets) != words + 1) throw std::invalid_argument("synsets: needs one entry more than there are words");
  if (size(paraphrases) % 4 != 0) throw std::invalid_argument("paraphrases: needs four numbers for each");
  paragauge::check_offsets(paraphrase_offsets.data(), size(paraphrase_offsets), size(paraphrases) / 4, "paraphrases");
  if (size(paraphrase_offsets) != candidates.count + 1) throw std::invalid_argument("paraphrases: needs one entry more than there are pairs");
  for (std::int64_t pair = 0; pair < candidates.count; ++pair)
    for (std::int64_t k = paraphrase_offsets.data()[pair]; k < paraphrase_offsets.data()[pair + 1]; ++k)
      check_phrase_link(paraphrases.data() + 4 * k, candidates[pair], references[pair]);
  paragauge::check_threads(threads);
  std::vector<std::int32_t> rows;
  std::vector<std::int64_t> starts{0}, chunks;
  std::vector<std::uint8_t> proven(static_cast<std::size_t>(candidates.count));
  {
    nb::gil_scoped_release release;
    const paragauge::WordClasses classes{stems.data(), synsets.data(), synset_offsets.data()};
    std::vector<paragauge::StagedLinks> results(static_cast<std::size_t>(candidates.count));
    paragauge::parallel_blocks(candidates.count, 32, threads, [&](std::int64_t begin, std::int64_t end, int) {
      std::vector<paragauge::WordLink> phrases;
      for (std::int64_t pair = begin; pair < end; ++pair) {
        phrases.clear();
        for (std::int64_t k = paraphrase_offsets.data()[pair]; k < paraphrase_offsets.data()[pair + 1]; ++k) {
          const std::int32_t* row = paraphrases.data() + 4 * k;
          phrases.push_back({row[0], row[1], row[2], row[3], paragauge::kParaphrase});
        }
        results[static_cast<std::size_t>(pair)] =
            paragauge::link_words(candidates[pair], references[pair], classes, phrases, options);
      }
    });
    for (std::size_t pair = 0; pair < results.size(); ++pair) {
      for (const paragauge::WordLink& link : results[pair].links)
        rows.insert(rows.end(), {link.i, link.j, link.i_length, link.j_length, link.stage});
      starts.push_back(static_cast<std::int64_t>(rows.size() / 5));
      chunks.push_back(paragauge::count_chunks(results[pair].links));
      proven[pair] = results[pair].proven;
    }
  }
  return nb::make_tuple(out(std::move(rows)), out(std::move(starts)), out(std::move(chunks)), out(std::move(proven)));
}

// Of each pair: the weight of the words of one side that links cover, the weight of all its words, and how many are covered.
nb::ndarray<nb::numpy, double, nb::ndim<1>> covered_weights(InSequences ids, InSequences links, bool of_reference,
                                                            In<double> word_weights, In<double> stage_weights) {
  const auto sentences = sequences(ids, "sentences");
  const auto& [rows, starts] = links;
  check_ids(ids.first, 0, size(word_weights), "sentences");
  if (size(rows) % 5 != 0) throw std::invalid_argument("links: needs five numbers for each");
  paragauge::check_offsets(starts.data(), size(starts), size(rows) / 5, "links");
  if (size(starts) != sentences.count + 1) throw std::invalid_argument("links: needs one entry more than there are sentences");
  if (size(stage_weights) != paragauge::kStages) throw std::invalid_argument("stage_weights: needs one for each stage");
  std::vector<double> columns;
  std::vector<paragauge::WordLink> found;
  for (std::int64_t pair = 0; pair < sentences.count; ++pair) {
    found.clear();
    for (std::int64_t k = starts.data()[pair]; k < starts.data()[pair + 1]; ++k) {
      const std::int32_t* row = rows.data() + 5 * k;
      const std::int32_t begin = row[of_reference ? 1 : 0], length = row[of_reference ? 3 : 2];
      if (begin < 0 || length < 0 || length > sentences[pair].size() - begin || row[4] < 0 || row[4] >= paragauge::kStages)
        throw std::invalid_argument("links: a link points out of its sentence");
      found.push_back({row[0], row[1], row[2], row[3], row[4]});
    }
    const paragauge::Covered covered =
        paragauge::covered_weights(sentences[pair], found, of_reference, word_weights.data(), stage_weights.data());
    columns.insert(columns.end(), {covered.matched, covered.total, static_cast<double>(covered.words)});
  }
  return out(std::move(columns));
}

// What is known of words that come again and again, by their numbers: linked one pair of sentences at a time.
class WordBook {
 public:
  void add(std::int32_t stem, const std::vector<std::int32_t>& synsets, double weight) {
    if (!std::is_sorted(synsets.begin(), synsets.end())) throw std::invalid_argument("synsets: must rise");
    stems_.push_back(stem);
    synsets_.insert(synsets_.end(), synsets.begin(), synsets.end());
    offsets_.push_back(static_cast<std::int64_t>(synsets_.size()));
    weights_.push_back(weight);
  }

  nb::tuple cover(const std::vector<std::int32_t>& candidate, const std::vector<std::int32_t>& reference,
                  const In<std::int32_t>& phrase_links, const paragauge::StageOptions& options,
                  const std::array<double, paragauge::kStages>& stage_weights) const {
    for (const auto* sentence : {&candidate, &reference})
      for (const std::int32_t word : *sentence)
        if (word < 0 || static_cast<std::size_t>(word) >= stems_.size()) throw std::invalid_argument("no word has this number");
    const paragauge::Span own{candidate.data(), candidate.data() + candidate.size()};
    const paragauge::Span other{reference.data(), reference.data() + reference.size()};
    if (size(phrase_links) % 4 != 0) throw std::invalid_argument("paraphrases: needs four numbers for each");
    std::vector<paragauge::WordLink> phrases;
    for (std::int64_t k = 0; k < size(phrase_links); k += 4) {
      const std::int32_t* row = phrase_links.data() + k;
      check_phrase_link(row, own, other);
      phrases.push_back({row[0], row[1], row[2], row[3], paragauge::kParaphrase});
    }
    const paragauge::WordClasses classes{stems_.data(), synsets_.data(), offsets_.data()};
    const paragauge::StagedLinks found = paragauge::link_words(own, other, classes, phrases, options);
    const auto covered = [&](paragauge::Span sentence, bool of_reference) {
      const paragauge::Covered sums =
          paragauge::covered_weights(sentence, found.links, of_reference, weights_.data(), stage_weights.data());
      return nb::make_tuple(sums.matched, sums.total, sums.words);
    };
    return nb::make_tuple(covered(own, false), covered(other, true), paragauge::count_chunks(found.links), found.proven);
  }

 private:
  std::vector<std::int32_t> stems_, synsets_;
  std::vector<std::int64_t> offsets_{0};
  std::vector<double> weights_;
};

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>> best_assignment(Table weights) {
  const auto rows = static_cast<std::int64_t>(weights.shape(0)), columns = static_cast<std::int64_t>(weights.shape(1));
  if (rows + columns > (1 << 30)) throw std::invalid_argument("weights: too many items");
  std::vector<std::int32_t> column_of_row;
  std::vector<paragauge::Edge> edges;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      const double weight = weights.data()[i * columns + j];
      if (!(weight >= 0) || weight > 1e300) throw std::invalid_argument("weights: must be finite and not negative");
      if (weight > 0) edges.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), weight});
    }
  {
    nb::gil_scoped_release release;
    paragauge::best_assignment(static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns), edges, column_of_row);
  }
  return out(std::move(column_of_row));
}

// Sentences to be compared: numbers of lemmas and tags, and triples of numbers.
struct InItems {
  InSequences lemmas;
  In<std::int32_t> tags;  // of each lemma
  InSequences triples;
};

struct ItemOptions {
  int max_order;
  bool triples;
  double distance;
  bool tags_alone;
};

void check_items(const ItemOptions& options) {
  if (options.max_order < 1 || options.max_order > 100) throw std::invalid_argument("max_order must lie between 1 and 100");
  if (!(options.distance >= 0 && options.distance <= 1)) throw std::invalid_argument("distance must lie between 0 and 1");
}

// Matches of all pairs: rows (candidate item, reference item, stage) with their weights, and where those of each pair
// and group (n-grams of order 1, 2, ..., then triples if there are any offsets for them) begin.
nb::tuple match_items(const InItems& candidates, const InItems& references, const ItemOptions& options,
                      In<std::int32_t> lexicon_ids, const paragauge::NativeLexicon& lexicon, const InSequences& related,
                      int threads) {
  const auto lemmas = sequences(candidates.lemmas, "lemmas"), other_lemmas = sequences(references.lemmas, "lemmas");
  const auto own_triples = sequences(candidates.triples, "triples"), other_triples = sequences(references.triples, "triples");
  if (lemmas.count != other_lemmas.count || lemmas.count != own_triples.count || lemmas.count != other_triples.count)
    throw std::invalid_argument("every candidate needs one reference, and triples");
  for (const InItems* items : {&candidates, &references}) {
    const auto& [triples, offsets] = items->triples;
    if (size(items->tags) != size(items->lemmas.first)) throw std::invalid_argument("every lemma needs one tag");
    check_ids(items->lemmas.first, 0, size(lexicon_ids), "lemmas");
    if (size(triples) % 3 != 0) throw std::invalid_argument("triples: needs three numbers for each");
    check_ids(triples, 0, size(lexicon_ids), "triples");
    for (std::int64_t k = 0; k < size(offsets); ++k)
      if (offsets.data()[k] % 3 != 0) throw std::invalid_argument("triples: a sentence ends within one");
  }
  check_ids(lexicon_ids, -1, lexicon.lexicon->size(), "lexicon_ids");
  const auto relatives = sequences(related, "related");
  if (relatives.count != 0 && relatives.count != size(lexicon_ids)) throw std::invalid_argument("related: needs a row for each lemma");
  paragauge::check_threads(threads);
  const auto groups = static_cast<std::size_t>(options.max_order) + options.triples;
  std::vector<std::int32_t> rows;
  std::vector<double> weights;
  std::vector<std::int64_t> starts{0};
  {
    nb::gil_scoped_release release;
    const paragauge::Similarity similarity{lexicon.lexicon.get(), lexicon_ids.data(), relatives, options.tags_alone};
    std::vector<std::vector<std::vector<paragauge::ItemMatch>>> results(static_cast<std::size_t>(lemmas.count));
    paragauge::parallel_blocks(lemmas.count, 16, threads, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t pair = begin; pair < end; ++pair) {
        auto& matches = results[static_cast<std::size_t>(pair)];
        const auto tags = [&](const InItems& items) {
          const std::int64_t* offsets = items.lemmas.second.data() + pair;
          return paragauge::Span{items.tags.data() + offsets[0], items.tags.data() + offsets[1]};
        };
        paragauge::match_ngrams({lemmas[pair], tags(candidates)}, {other_lemmas[pair], tags(references)}, similarity,
                                options.max_order, options.distance, matches);
        if (options.triples) {
          matches.emplace_back();
          paragauge::match_triples(own_triples[pair], other_triples[pair], similarity, matches.back());
        }
      }
    });
    for (auto& matches : results) {
      matches.resize(groups);
      for (const auto& group : matches) {
        for (const paragauge::ItemMatch& match : group) {
          rows.insert(rows.end(), {match.candidate, match.reference, match.stage});
          weights.push_back(match.weight);
        }
        starts.push_back(static_cast<std::int64_t>(weights.size()));
      }
    }
  }
  return nb::make_tuple(out(std::move(rows)), out(std::move(weights)), out(std::move(starts)));
}

}  // namespace

void bind_matching(nb::module_& m) {
  using paragauge::field;
  using paragauge::SearchLimits;
  using paragauge::StageOptions;
  paragauge::bind_struct(m, "WordClasses", "What is known of each word of a vocabulary.",
                         field("stems", &InWordClasses::stems), field("synsets", &InWordClasses::synsets));
  paragauge::bind_checked_struct(
      m, "SearchLimits", "How far the search for the best links may go.",
      [](const SearchLimits& limits) {
        if (limits.options < 1 || limits.steps < 1) throw std::invalid_argument("limits must be at least 1");
      },
      field("options", &SearchLimits::options), field("steps", &SearchLimits::steps));
  paragauge::bind_struct(m, "LinkOptions", "Which words may be linked, and how links are chosen.",
                         field("stem", &StageOptions::stem), field("synonym", &StageOptions::synonym),
                         field("joint", &StageOptions::joint), field("limits", &StageOptions::limits));
  m.def("link_words", &link_words, "candidates"_a, "references"_a, nb::kw_only(), "known"_a, "paraphrases"_a, "options"_a,
        "threads"_a,
        "Return the links of each pair of sentences, where those of each begin, their chunks, and whether they are proven best.");
  m.def("covered_weights", &covered_weights, "sentences"_a, "links"_a, nb::kw_only(), "of_reference"_a, "word_weights"_a,
        "stage_weights"_a,
        "Return of each sentence the weight of the words that links cover, the weight of all, and the number of those covered.");
  nb::class_<WordBook>(m, "WordBook", "What is known of words, by their numbers.")
      .def(nb::init<>())
      .def("add", &WordBook::add, "stem"_a, "synsets"_a, "weight"_a, "Add the word with the next number.")
      .def("cover", &WordBook::cover, "candidate"_a, "reference"_a, nb::kw_only(), "paraphrases"_a, "options"_a,
           "stage_weights"_a,
           "Link a pair of sentences and return what links cover of each (weight, weight of all, words), the number of "
           "chunks, and whether the links are proven best.");
  m.def("best_assignment", &best_assignment, "weights"_a,
        "Return the column of each row, -1 for none, so that the sum of weights is greatest.");
  paragauge::bind_struct(m, "SentenceItems", "The lemmas, tags and triples of sentences, as numbers.",
                         field("lemmas", &InItems::lemmas), field("tags", &InItems::tags),
                         field("triples", &InItems::triples));
  paragauge::bind_checked_struct(m, "ItemOptions", "What is compared of sentences, and how.", check_items,
                                 field("max_order", &ItemOptions::max_order), field("triples", &ItemOptions::triples),
                                 field("distance", &ItemOptions::distance), field("tags_alone", &ItemOptions::tags_alone));
  m.def("match_items", &match_items, "candidates"_a, "references"_a, nb::kw_only(), "options"_a, "lexicon_ids"_a, "lexicon"_a,
        "related"_a, "threads"_a,
        "Return MAXSIM's matches of each pair and group of items: rows, weights, and where those of each group begin.");
}
