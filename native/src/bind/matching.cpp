#include "bind/matching.hpp"

#include <nanobind/ndarray.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "bind/native_lexicon.hpp"
#include "matching/assignment.hpp"
#include "matching/similarity.hpp"
#include "matching/staged_links.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using paragauge::check_ids;
using paragauge::In;
using paragauge::out;
using paragauge::sequences;
using paragauge::size;

// Links of all pairs: rows (i, j, length in the candidate, length in the reference, stage), where those of each pair
// begin, and whether they are proven best.
nb::tuple link_words(In<std::int32_t> candidate_ids, In<std::int64_t> candidate_offsets, In<std::int32_t> reference_ids,
                     In<std::int64_t> reference_offsets, In<std::int32_t> stems, In<std::int32_t> synsets,
                     In<std::int64_t> synset_offsets, In<std::int32_t> paraphrases, In<std::int64_t> paraphrase_offsets,
                     bool stem, bool synonym, bool joint, std::int64_t max_options, std::int64_t max_steps,
                     int threads) {
  const auto candidates = sequences(candidate_ids, candidate_offsets, "candidate_offsets");
  const auto references = sequences(reference_ids, reference_offsets, "reference_offsets");
  if (candidates.count != references.count) throw std::invalid_argument("every candidate needs one reference");
  const std::int64_t words = size(stems);
  check_ids(candidate_ids, 0, words, "candidate_ids");
  check_ids(reference_ids, 0, words, "reference_ids");
  paragauge::check_offsets(synset_offsets.data(), size(synset_offsets), size(synsets), "synset_offsets");
  if (size(synset_offsets) != words + 1) throw std::invalid_argument("synset_offsets: needs one entry more than there are words");
  if (size(paraphrases) % 4 != 0) throw std::invalid_argument("paraphrases: needs four numbers for each");
  paragauge::check_offsets(paraphrase_offsets.data(), size(paraphrase_offsets), size(paraphrases) / 4, "paraphrase_offsets");
  if (size(paraphrase_offsets) != candidates.count + 1) throw std::invalid_argument("paraphrase_offsets: needs one entry more than there are pairs");
  for (std::int64_t pair = 0; pair < candidates.count; ++pair)
    for (std::int64_t k = paraphrase_offsets.data()[pair]; k < paraphrase_offsets.data()[pair + 1]; ++k) {
      const std::int32_t* row = paraphrases.data() + 4 * k;
      if (row[0] < 0 || row[1] < 0 || row[2] < 1 || row[3] < 1 || row[2] > candidates[pair].size() - row[0] ||
          row[3] > references[pair].size() - row[1])
        throw std::invalid_argument("paraphrases: a link points out of its sentence");
    }
  if (max_options < 1 || max_steps < 1) throw std::invalid_argument("limits must be at least 1");
  paragauge::check_threads(threads);
  std::vector<std::int32_t> rows;
  std::vector<std::int64_t> starts{0};
  std::vector<std::uint8_t> proven(static_cast<std::size_t>(candidates.count));
  {
    nb::gil_scoped_release release;
    const paragauge::WordClasses classes{stems.data(), synsets.data(), synset_offsets.data()};
    const paragauge::StageOptions options{stem, synonym, joint, {max_options, max_steps}};
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
      proven[pair] = results[pair].proven;
    }
  }
  return nb::make_tuple(out(std::move(rows)), out(std::move(starts)), out(std::move(proven)));
}

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

// Matches of all pairs: rows (candidate item, reference item, stage) with their weights, and where those of each pair
// and group (n-grams of order 1, 2, ..., then triples if there are any offsets for them) begin.
nb::tuple match_items(In<std::int32_t> candidate_lemmas, In<std::int32_t> candidate_tags, In<std::int64_t> candidate_offsets,
                      In<std::int32_t> reference_lemmas, In<std::int32_t> reference_tags, In<std::int64_t> reference_offsets,
                      In<std::int32_t> candidate_triples, In<std::int64_t> candidate_triple_offsets,
                      In<std::int32_t> reference_triples, In<std::int64_t> reference_triple_offsets,
                      In<std::int32_t> lexicon_ids, const paragauge::NativeLexicon& lexicon, int max_order, bool triples,
                      double distance, int threads) {
  const auto lemmas = sequences(candidate_lemmas, candidate_offsets, "candidate_offsets");
  const auto other_lemmas = sequences(reference_lemmas, reference_offsets, "reference_offsets");
  const auto own_triples = sequences(candidate_triples, candidate_triple_offsets, "candidate_triple_offsets");
  const auto other_triples = sequences(reference_triples, reference_triple_offsets, "reference_triple_offsets");
  if (size(candidate_tags) != size(candidate_lemmas) || size(reference_tags) != size(reference_lemmas))
    throw std::invalid_argument("every lemma needs one tag");
  if (lemmas.count != other_lemmas.count || lemmas.count != own_triples.count || lemmas.count != other_triples.count)
    throw std::invalid_argument("every candidate needs one reference, and triples");
  for (const auto* ids : {&candidate_lemmas, &reference_lemmas}) check_ids(*ids, 0, size(lexicon_ids), "lemmas");
  for (const auto* ids : {&candidate_triples, &reference_triples}) {
    if (size(*ids) % 3 != 0) throw std::invalid_argument("triples: needs three numbers for each");
    check_ids(*ids, 0, size(lexicon_ids), "triples");
  }
  for (const auto* offsets : {&candidate_triple_offsets, &reference_triple_offsets})
    for (std::int64_t k = 0; k < size(*offsets); ++k)
      if (offsets->data()[k] % 3 != 0) throw std::invalid_argument("triples: a sentence ends within one");
  check_ids(lexicon_ids, -1, lexicon.lexicon->size(), "lexicon_ids");
  if (max_order < 1 || max_order > 100) throw std::invalid_argument("max_order must lie between 1 and 100");
  if (!(distance >= 0 && distance <= 1)) throw std::invalid_argument("distance must lie between 0 and 1");
  paragauge::check_threads(threads);
  const auto groups = static_cast<std::size_t>(max_order) + triples;
  std::vector<std::int32_t> rows;
  std::vector<double> weights;
  std::vector<std::int64_t> starts{0};
  {
    nb::gil_scoped_release release;
    const paragauge::Similarity similarity{lexicon.lexicon.get(), lexicon_ids.data()};
    std::vector<std::vector<std::vector<paragauge::ItemMatch>>> results(static_cast<std::size_t>(lemmas.count));
    paragauge::parallel_blocks(lemmas.count, 16, threads, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t pair = begin; pair < end; ++pair) {
        auto& matches = results[static_cast<std::size_t>(pair)];
        const auto tags = [&](const In<std::int32_t>& all, const In<std::int64_t>& offsets) {
          return paragauge::Span{all.data() + offsets.data()[pair], all.data() + offsets.data()[pair + 1]};
        };
        paragauge::match_ngrams({lemmas[pair], tags(candidate_tags, candidate_offsets)},
                                {other_lemmas[pair], tags(reference_tags, reference_offsets)}, similarity, max_order, distance,
                                matches);
        if (triples) {
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
  m.def("link_words", &link_words, "candidate_ids"_a, "candidate_offsets"_a, "reference_ids"_a, "reference_offsets"_a,
        "stems"_a, "synsets"_a, "synset_offsets"_a, "paraphrases"_a, "paraphrase_offsets"_a, "stem"_a, "synonym"_a,
        "joint"_a, "max_options"_a, "max_steps"_a, "threads"_a,
        "Return the links of each pair of sentences, where those of each begin, and whether they are proven best.");
  m.def("best_assignment", &best_assignment, "weights"_a,
        "Return the column of each row, -1 for none, so that the sum of weights is greatest.");
  m.def("match_items", &match_items, "candidate_lemmas"_a, "candidate_tags"_a, "candidate_offsets"_a, "reference_lemmas"_a,
        "reference_tags"_a, "reference_offsets"_a, "candidate_triples"_a, "candidate_triple_offsets"_a, "reference_triples"_a,
        "reference_triple_offsets"_a, "lexicon_ids"_a, "lexicon"_a, "max_order"_a, "triples"_a, "distance"_a, "threads"_a,
        "Return MAXSIM's matches of each pair and group of items: rows, weights, and where those of each group begin.");
}
