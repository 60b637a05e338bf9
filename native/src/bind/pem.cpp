#include "bind/pem.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string_view.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "bind/arrays.hpp"
#include "bind/structs.hpp"
#include "pem/bags.hpp"
#include "pem/svr.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using paragauge::pem::BagOptions;
using paragauge::pem::Network;
using paragauge::pem::TwoBags;

using paragauge::In;
using paragauge::InStrings;
using paragauge::size;
using InRows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::str python_text(std::string_view text) { return nb::str(text.data(), text.size()); }

void check_options(const BagOptions& options) {
  if (!(options.unseen > 0.0)) throw std::invalid_argument("unseen must be above 0");
  if (!(options.unknown >= 0.0 && options.unknown <= 1.0)) throw std::invalid_argument("unknown must lie between 0 and 1");
  if (!(options.min_edge >= 0.0) || !(options.min_weight >= 0.0))
    throw std::invalid_argument("min_edge and min_weight must not be negative");
  if (options.max_order < 1 || options.max_order > 100) throw std::invalid_argument("max_order must lie between 1 and 100");
}

// What a pair is worked on in.
struct Workspace {
  static constexpr std::size_t most_kept = std::size_t{1} << 16;  // n-grams: a few megabytes

  TwoBags bags;
  Network network;
  std::vector<std::string_view> words;
};

// The columns of a phrase table that are read; see PivotTable.
struct PivotColumns {
  InStrings source;
  In<std::int64_t> source_totals, source_rows;
  InStrings target;
  In<std::int32_t> pair_targets;
  In<std::int64_t> pair_counts;
  double total;
};

void check_columns(const PivotColumns& columns) {
  const std::int64_t phrases = size(columns.source.second) - 1;
  paragauge::check_ends(columns.source, "source");
  paragauge::check_ends(columns.target, "target");
  if (size(columns.source_totals) != phrases || size(columns.source_rows) != phrases + 1)
    throw std::invalid_argument("source_totals and source_rows must fit the source phrases");
  if (size(columns.pair_targets) != size(columns.pair_counts))
    throw std::invalid_argument("pair_counts: needs one for each pair");
}

// Keeps the columns that it reads alive.
class Pivot {
 public:
  Pivot(const PivotColumns& columns, const BagOptions& options) : columns_(columns), options_(options) {}

  nb::ndarray<nb::numpy, double> overlap(InStrings original_texts, InStrings candidate_texts, int threads) const {
    const auto originals = paragauge::words(original_texts, "originals");
    const auto candidates = paragauge::words(candidate_texts, "candidates");
    if (originals.count != candidates.count)
      throw std::invalid_argument("originals and candidates must be as many");
    paragauge::check_threads(threads);
    const auto width = static_cast<std::size_t>(3 * options_.max_order);
    const auto count = static_cast<std::size_t>(originals.count);
    auto sums = std::make_unique<double[]>(count * width);
    {
      nb::gil_scoped_release release;
      const auto table = view();
      paragauge::parallel_blocks(originals.count, 32, threads, [&](std::int64_t begin, std::int64_t end, int) {
        // Kept from call to call: people score one pair at a time, and fresh memory costs more than the bags do.
        thread_local Workspace workspace;
        auto& [bags, network, words] = workspace;
        for (std::int64_t k = begin; k < end; ++k) {
          bags.clear();
          const std::string_view lines[] = {originals[k], candidates[k]};
          try {
            for (const auto side : {TwoBags::original, TwoBags::candidate}) {
              paragauge::split_words(lines[side], words);
              paragauge::pem::build_network(table, options_, words, network);
              bags.add(side, network, options_.max_order, options_.min_weight);
            }
          } catch (const std::length_error&) {
            workspace = Workspace{};
            throw std::length_error("the bags of pair " + std::to_string(k + 1) + " outgrow memory");
          }
          bags.sum_up(options_.min_weight, options_.max_order, sums.get() + static_cast<std::size_t>(k) * width);
          if (bags.entries().capacity() > Workspace::most_kept) workspace = Workspace{};
        }
      });
    }
    return paragauge::out(std::move(sums), {count, 3, static_cast<std::size_t>(options_.max_order)});
  }

  // The network of one sentence: for each phrase its length in words, its number, and the edges as (text, probability).
  nb::list network(std::string_view sentence) const {
    std::vector<std::string_view> words;
    Network network;
    paragauge::split_words(sentence, words);
    paragauge::pem::build_network(view(), options_, words, network);
    nb::list phrases;
    for (std::size_t k = 0; k + 1 < network.starts.size(); ++k) {
      nb::list edges;
      for (std::size_t e = network.starts[k]; e < network.starts[k + 1]; ++e)
        edges.append(nb::make_tuple(python_text(network.edges[e].text), network.edges[e].probability));
      phrases.append(nb::make_tuple(network.segmentation.lengths[k], network.segmentation.phrases[k], edges));
    }
    return phrases;
  }

  // The n-grams of one pair: (text, order, weight in the original, weight in the candidate).
  nb::list bags(std::string_view original, std::string_view candidate) const {
    TwoBags bags;
    const std::string_view lines[] = {original, candidate};
    for (const auto side : {TwoBags::original, TwoBags::candidate}) {
      std::vector<std::string_view> words;
      Network network;
      paragauge::split_words(lines[side], words);
      paragauge::pem::build_network(view(), options_, words, network);
      bags.add(side, network, options_.max_order, options_.min_weight);
    }
    const auto& entries = bags.entries();
    nb::list listed;
    for (std::size_t node = 1; node < entries.size(); ++node) {
      double weights[2];
      for (int side = 0; side < 2; ++side)
        weights[side] = entries[node].weight[side] > options_.min_weight ? entries[node].weight[side] : 0.0;
      if (weights[0] == 0.0 && weights[1] == 0.0) continue;
      std::string text;
      for (std::size_t at = node; at != 0; at = entries[at].parent) {
        const std::string word(bags.word(entries[at].token));
        text = text.empty() ? word : word + " " + text;
      }
      listed.append(nb::make_tuple(python_text(text), entries[node].order, weights[0], weights[1]));
    }
    return listed;
  }

 private:
  paragauge::pem::PivotTable view() const {
    const PivotColumns& c = columns_;
    return {paragauge::phrase_index(c.source), paragauge::phrase_index(c.target), c.source_totals.data(),
            c.source_rows.data(), c.pair_targets.data(), c.pair_counts.data(), size(c.pair_counts), c.total};
  }

  PivotColumns columns_;
  BagOptions options_;
};

nb::ndarray<nb::numpy, double> rbf_predict(InRows rows, InRows vectors, In<double> coefficients, double gamma,
                                           double intercept, int threads) {
  if (vectors.shape(0) != coefficients.shape(0))
    throw std::invalid_argument("coefficients: needs one for each support vector");
  if (vectors.shape(1) != rows.shape(1)) throw std::invalid_argument("rows must have as many columns as the vectors");
  paragauge::check_threads(threads);
  const std::size_t count = rows.shape(0);
  auto values = std::make_unique<double[]>(count);
  {
    nb::gil_scoped_release release;
    const paragauge::RbfRegressor regressor{vectors.data(),
                                            coefficients.data(),
                                            static_cast<std::int64_t>(vectors.shape(0)),
                                            static_cast<std::int64_t>(vectors.shape(1)),
                                            gamma,
                                            intercept};
    paragauge::rbf_predict(regressor, rows.data(), static_cast<std::int64_t>(count), threads, values.get());
  }
  return paragauge::out(std::move(values), {count});
}

}  // namespace

void bind_pem(nb::module_& m) {
  using paragauge::bind_checked_struct;
  using paragauge::field;
  bind_checked_struct(m, "PivotColumns", "The columns of a phrase table that bags are made from.", check_columns,
                      field("source", &PivotColumns::source), field("source_totals", &PivotColumns::source_totals),
                      field("source_rows", &PivotColumns::source_rows), field("target", &PivotColumns::target),
                      field("pair_targets", &PivotColumns::pair_targets),
                      field("pair_counts", &PivotColumns::pair_counts), field("total", &PivotColumns::total));
  bind_checked_struct(m, "BagOptions", "How sentences become bags.", check_options,
                      field("unseen", &BagOptions::unseen), field("unknown", &BagOptions::unknown),
                      field("min_edge", &BagOptions::min_edge), field("min_weight", &BagOptions::min_weight),
                      field("max_order", &BagOptions::max_order));
  nb::class_<Pivot>(m, "Pivot", "A phrase table that turns sentences into bags of pivot n-grams.")
      .def(nb::init<const PivotColumns&, const BagOptions&>(), "columns"_a, "options"_a)
      .def("overlap", &Pivot::overlap, "originals"_a, "candidates"_a, "threads"_a,
           "Return an array (pairs, 3, max_order): weight of shared n-grams, of the original's, of the candidate's.")
      .def("network", &Pivot::network, "sentence"_a,
           "Return for each phrase its length, its number (-1 if unknown) and its edges.")
      .def("bags", &Pivot::bags, "original"_a, "candidate"_a,
           "Return the n-grams of a pair: text, order, weight in the original, weight in the candidate.");
  m.def("rbf_predict", &rbf_predict, "rows"_a, nb::kw_only(), "vectors"_a, "coefficients"_a, "gamma"_a, "intercept"_a,
        "threads"_a,
        "Return what a support vector regressor says of each row.");
}
