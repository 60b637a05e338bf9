// The Python face of the native core: checks what comes in, releases the GIL, hands arrays out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bind/align.hpp"
#include "bind/analysis.hpp"
#include "bind/arrays.hpp"
#include "bind/cover.hpp"
#include "bind/decode.hpp"
#include "bind/edit_rate.hpp"
#include "bind/grammar.hpp"
#include "bind/judges.hpp"
#include "bind/lexicon.hpp"
#include "bind/links.hpp"
#include "bind/lm.hpp"
#include "bind/matching.hpp"
#include "bind/pem.hpp"
#include "bind/phrases.hpp"
#include "bind/rows.hpp"
#include "bind/tokenize.hpp"
#include "matching/ngrams.hpp"
#include "statistics/ranks.hpp"
#include "statistics/swaps.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using paragauge::check_order;
using paragauge::InSequences;
using paragauge::out;
using paragauge::sequences;
using Ids = paragauge::In<std::int32_t>;
using Offsets = paragauge::In<std::int64_t>;
using Counts = nb::ndarray<nb::numpy, std::int64_t>;

// Candidates, and the references of each: those from groups[k] to groups[k + 1].
struct Groups {
  paragauge::Sequences candidates, references;

  Groups(const InSequences& candidate_ids, const InSequences& reference_ids, const Offsets& groups)
      : candidates(sequences(candidate_ids, "candidates")), references(sequences(reference_ids, "references")) {
    paragauge::check_offsets(groups.data(), static_cast<std::int64_t>(groups.shape(0)), references.count, "groups");
    if (static_cast<std::int64_t>(groups.shape(0)) != candidates.count + 1)
      throw std::invalid_argument("groups: needs one entry more than there are candidates");
  }
};

Counts ngram_overlap(InSequences candidate_ids, InSequences reference_ids, Offsets groups, int max_order, int threads) {
  check_order(max_order);
  paragauge::check_threads(threads);
  const Groups texts(candidate_ids, reference_ids, groups);
  const auto segments = static_cast<std::size_t>(texts.candidates.count);
  const auto orders = static_cast<std::size_t>(max_order);
  auto overlap = std::make_unique<std::int64_t[]>(segments * 3 * orders);
  {
    nb::gil_scoped_release release;
    paragauge::ngram_overlap(texts.candidates, texts.references, groups.data(), max_order, threads, overlap.get());
  }
  return out(std::move(overlap), {segments, 3, orders});
}

Counts bleu_rows(InSequences candidate_ids, InSequences reference_ids, Offsets groups, int max_order, int threads) {
  check_order(max_order);
  paragauge::check_threads(threads);
  const Groups texts(candidate_ids, reference_ids, groups);
  const auto segments = static_cast<std::size_t>(texts.candidates.count);
  const auto width = static_cast<std::size_t>(2 + 2 * max_order);
  auto rows = std::make_unique<std::int64_t[]>(segments * width);
  {
    nb::gil_scoped_release release;
    paragauge::bleu_rows(texts.candidates, texts.references, groups.data(), max_order, threads, rows.get());
  }
  return out(std::move(rows), {segments, width});
}

Counts leave_one_out_overlap(InSequences sentences, int max_order) {
  check_order(max_order);
  const auto all = sequences(sentences, "sentences");
  const auto orders = static_cast<std::size_t>(max_order);
  auto matched = std::make_unique<std::int64_t[]>(static_cast<std::size_t>(all.count) * orders);
  {
    nb::gil_scoped_release release;
    paragauge::leave_one_out_overlap(all, max_order, matched.get());
  }
  return out(std::move(matched), {static_cast<std::size_t>(all.count), orders});
}

Counts pairwise_overlap(InSequences candidate_ids, InSequences reference_ids, int max_order) {
  check_order(max_order);
  const auto candidates = sequences(candidate_ids, "candidates"), references = sequences(reference_ids, "references");
  const auto rows = static_cast<std::size_t>(candidates.count);
  const auto columns = static_cast<std::size_t>(references.count);
  const auto orders = static_cast<std::size_t>(max_order);
  auto matched = std::make_unique<std::int64_t[]>(rows * columns * orders);
  {
    nb::gil_scoped_release release;
    paragauge::pairwise_overlap(candidates, references, max_order, matched.get());
  }
  return out(std::move(matched), {rows, columns, orders});
}

using Weights = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void check_numbers(const Ids& numbers, std::int64_t items, std::int64_t limit, const char* what) {
  if (static_cast<std::int64_t>(numbers.shape(0)) != items)
    throw std::invalid_argument(std::string(what) + ": needs one for each item");
  for (std::int64_t i = 0; i < items; ++i)
    if (numbers.data()[i] < 0 || numbers.data()[i] >= limit)
      throw std::invalid_argument(std::string(what) + ": out of range");
}

nb::ndarray<nb::numpy, double> weighted_spearman(Ids x, Ids y, Ids units, std::int64_t x_groups, std::int64_t y_groups,
                                                 Weights weights, int threads) {
  const auto items = static_cast<std::int64_t>(x.shape(0));
  check_numbers(x, items, x_groups, "x");
  check_numbers(y, items, y_groups, "y");
  check_numbers(units, items, static_cast<std::int64_t>(weights.shape(1)), "units");
  paragauge::check_threads(threads);
  auto result = std::make_unique<double[]>(weights.shape(0));
  {
    nb::gil_scoped_release release;
    paragauge::weighted_spearman({x.data(), y.data(), units.data(), items, x_groups, y_groups}, weights.data(),
                                 static_cast<std::int64_t>(weights.shape(0)),
                                 static_cast<std::int64_t>(weights.shape(1)), threads, result.get());
  }
  return out(std::move(result), {weights.shape(0)});
}

using Kept = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

paragauge::RankStatistic rank_statistic(const std::string& name) {
  if (name == "spearman") return paragauge::RankStatistic::spearman;
  if (name == "kendall") return paragauge::RankStatistic::tau_b;
  if (name == "kendall-c") return paragauge::RankStatistic::tau_c;
  throw std::invalid_argument("statistic: expected spearman, kendall or kendall-c");
}

// The items of each group must come in rising order, all of them.
void check_orders(const Numbers& orders, const Weights& scores, const Ids& levels, const Offsets& groups) {
  std::vector<char> seen;
  for (std::size_t metric = 0; metric < orders.shape(0); ++metric) {
    const std::int32_t* order = orders.data() + metric * orders.shape(1);
    const double* own = scores.data() + metric * scores.shape(1);
    seen.assign(orders.shape(1), 0);
    for (std::size_t group = 0; group + 1 < groups.shape(0); ++group) {
      const std::int64_t begin = groups.data()[group], end = groups.data()[group + 1];
      for (std::int64_t k = begin; k < end; ++k) {
        const std::int32_t item = order[k];
        if (item < begin || item >= end || seen[static_cast<std::size_t>(item)]++)
          throw std::invalid_argument("orders: needs each item of a group once");
        if (k == begin) continue;
        const std::int32_t last = order[k - 1];
        if (!(own[last] < own[item] || (own[last] == own[item] && levels.data()[last] <= levels.data()[item])))
          throw std::invalid_argument("orders: scores must rise, and levels where scores are equal");
      }
    }
  }
}

nb::ndarray<nb::numpy, double> swapped_correlations(Weights scores, Numbers orders, Ids levels, Offsets groups,
                                                    Numbers pairs, Kept kept, const std::string& statistic,
                                                    int threads) {
  const auto items = static_cast<std::int64_t>(scores.shape(1)), metrics = static_cast<std::int64_t>(scores.shape(0));
  if (items >= paragauge::kMostSwapItems) throw std::invalid_argument("scores: too many items");
  if (orders.shape(0) != scores.shape(0) || orders.shape(1) != scores.shape(1) || kept.shape(1) != scores.shape(1))
    throw std::invalid_argument("orders and kept: need one column for each item");
  if (pairs.shape(1) != 2) throw std::invalid_argument("pairs: needs two columns");
  for (std::size_t k = 0; k < 2 * pairs.shape(0); ++k)
    if (pairs.data()[k] < 0 || pairs.data()[k] >= metrics) throw std::invalid_argument("pairs: out of range");
  paragauge::check_offsets(groups.data(), static_cast<std::int64_t>(groups.shape(0)), items, "groups");
  check_numbers(levels, items, items, "levels");
  check_orders(orders, scores, levels, groups);
  paragauge::check_threads(threads);
  const paragauge::RankStatistic which = rank_statistic(statistic);
  const std::size_t permutations = kept.shape(0) * paragauge::kSwapLanes;
  auto result = std::make_unique<double[]>(pairs.shape(0) * 2 * permutations);
  {
    nb::gil_scoped_release release;
    paragauge::swapped_correlations(
        {scores.data(), orders.data(), levels.data(), groups.data(), items,
         static_cast<std::int64_t>(groups.shape(0)) - 1},
        pairs.data(), static_cast<std::int64_t>(pairs.shape(0)), kept.data(),
        static_cast<std::int64_t>(kept.shape(0)), which, threads, result.get());
  }
  return out(std::move(result), {pairs.shape(0), 2, permutations});
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The loops of paragauge that decide its speed.";
  m.attr("version") = PARAGAUGE_VERSION;
  m.def("ngram_overlap", &ngram_overlap, "candidates"_a, "references"_a, "groups"_a, "max_order"_a,
        "threads"_a,
        "Return an array (segments, 3, max_order): clipped matches, different n-grams of the "
        "candidate, and how many of those occur in a reference.");
  m.def("bleu_rows", &bleu_rows, "candidates"_a, "references"_a, "groups"_a, "max_order"_a, "threads"_a,
        "Return an array (segments, 2 + 2 max_order): lengths of the candidate and of the closest reference, clipped "
        "matches, and n-grams of the candidate.");
  m.def("pairwise_overlap", &pairwise_overlap, "candidates"_a, "references"_a, "max_order"_a,
        "Return an array (candidates, references, max_order): clipped matches of every pair.");
  m.def("leave_one_out_overlap", &leave_one_out_overlap, "sentences"_a, "max_order"_a,
        "Return an array (sequences, max_order): clipped matches of each sequence with all others.");
  m.def("weighted_spearman", &weighted_spearman, "x"_a, "y"_a, nb::kw_only(), "units"_a, "x_groups"_a,
        "y_groups"_a, "weights"_a, "threads"_a,
        "Return Spearman's correlation for each row of weights, which say how often each unit counts; x and y are groups "
        "of equal values in rising order.");
  m.def("swapped_correlations", &swapped_correlations, nb::kw_only(), "scores"_a, "orders"_a, "levels"_a, "groups"_a,
        "pairs"_a, "kept"_a, "statistic"_a, "threads"_a,
        "Return an array (pairs, 2, permutations): rank correlations of both metrics of each pair with the levels of human "
        "scores after swapping, each the mean over groups; kept has one bit for each of 32 permutations.");
  bind_align(m);
  bind_cover(m);
  bind_decode(m);
  bind_edit_rate(m);
  bind_matching(m);
  bind_phrases(m);
  bind_lm(m);
  bind_pem(m);
  bind_grammar(m);
  bind_lexicon(m);
  bind_judges(m);
  bind_links(m);
  bind_analysis(m);
  bind_rows(m);
  bind_tokenize(m);
}
