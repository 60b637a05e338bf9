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
#include "pem/bags.hpp"
#include "pem/svr.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using paragauge::pem::BagOptions;
using paragauge::pem::Network;
using paragauge::pem::TwoBags;

using paragauge::In;
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

// Keeps the columns that it reads alive.
class Pivot {
 public:
  Pivot(In<std::uint8_t> source_text, In<std::int64_t> source_offsets, In<std::int64_t> source_totals,
        In<std::int64_t> source_rows, In<std::uint8_t> target_text, In<std::int64_t> target_offsets,
        In<std::int32_t> pair_targets, In<std::int64_t> pair_counts, double total, double unseen, double unknown,
        double min_edge, double min_weight, int max_order)
      : source_text_(std::move(source_text)),
        target_text_(std::move(target_text)),
        source_offsets_(std::move(source_offsets)),
        source_totals_(std::move(source_totals)),
        source_rows_(std::move(source_rows)),
        target_offsets_(std::move(target_offsets)),
        pair_counts_(std::move(pair_counts)),
        pair_targets_(std::move(pair_targets)),
        total_(total) {
    paragauge::check_ends(source_text_, source_offsets_, "source_offsets");
    paragauge::check_ends(target_text_, target_offsets_, "target_offsets");
    if (size(source_totals_) + 1 != size(source_offsets_) || size(source_rows_) != size(source_offsets_))
      throw std::invalid_argument("source_totals and source_rows must fit the source phrases");
    if (size(pair_targets_) != size(pair_counts_)) throw std::invalid_argument("pair_counts: needs one for each pair");
    options_.unseen = unseen;
    options_.unknown = unknown;
    options_.min_edge = min_edge;
    options_.min_weight = min_weight;
    options_.max_order = max_order;
    check_options(options_);
  }

  nb::ndarray<nb::numpy, double> overlap(In<std::uint8_t> original_text, In<std::int64_t> original_offsets,
                                         In<std::uint8_t> candidate_text, In<std::int64_t> candidate_offsets,
                                         int threads) const {
    const auto originals = paragauge::words(original_text, original_offsets, "original_offsets");
    const auto candidates = paragauge::words(candidate_text, candidate_offsets, "candidate_offsets");
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
  static paragauge::PhraseIndex index(const In<std::uint8_t>& text, const In<std::int64_t>& offsets) {
    return {reinterpret_cast<const char*>(text.data()), size(text), offsets.data(), size(offsets) - 1};
  }

  paragauge::pem::PivotTable view() const {
    return {index(source_text_, source_offsets_), index(target_text_, target_offsets_), source_totals_.data(),
            source_rows_.data(), pair_targets_.data(), pair_counts_.data(), size(pair_counts_), total_};
  }

  In<std::uint8_t> source_text_, target_text_;
  In<std::int64_t> source_offsets_, source_totals_, source_rows_, target_offsets_, pair_counts_;
  In<std::int32_t> pair_targets_;
  double total_;
  BagOptions options_;
};

nb::ndarray<nb::numpy, double> rbf_predict(InRows vectors, In<double> coefficients, double gamma, double intercept,
                                           InRows rows, int threads) {
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
  nb::class_<Pivot>(m, "Pivot", "A phrase table that turns sentences into bags of pivot n-grams.")
      .def(nb::init<In<std::uint8_t>, In<std::int64_t>, In<std::int64_t>, In<std::int64_t>, In<std::uint8_t>,
                    In<std::int64_t>, In<std::int32_t>, In<std::int64_t>, double, double, double, double, double,
                    int>(),
           "source_text"_a, "source_offsets"_a, "source_totals"_a, "source_rows"_a, "target_text"_a,
           "target_offsets"_a, "pair_targets"_a, "pair_counts"_a, "total"_a, "unseen"_a, "unknown"_a, "min_edge"_a,
           "min_weight"_a, "max_order"_a)
      .def("overlap", &Pivot::overlap, "original_text"_a, "original_offsets"_a, "candidate_text"_a,
           "candidate_offsets"_a, "threads"_a,
           "Return an array (pairs, 3, max_order): weight of shared n-grams, of the original's, of the candidate's.")
      .def("network", &Pivot::network, "sentence"_a,
           "Return for each phrase its length, its number (-1 if unknown) and its edges.")
      .def("bags", &Pivot::bags, "original"_a, "candidate"_a,
           "Return the n-grams of a pair: text, order, weight in the original, weight in the candidate.");
  m.def("rbf_predict", &rbf_predict, "vectors"_a, "coefficients"_a, "gamma"_a, "intercept"_a, "rows"_a, "threads"_a,
        "Return what a support vector regressor says of each row.");
}
