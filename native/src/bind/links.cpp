#include "bind/links.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "align/network.hpp"
#include "base/parallel.hpp"
#include "bind/arrays.hpp"
#include "bind/structs.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using paragauge::In;
using paragauge::InSequences;
using paragauge::InStrings;
using paragauge::out;
using paragauge::sequences;
using paragauge::size;
namespace links = paragauge::links;

namespace {

constexpr std::int64_t pairs_in_block = 16;
constexpr std::size_t most_units = 4096;

void need(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

// What is known of words; see WordFacts.
struct FactColumns {
  In<std::int32_t> forms, cased, lemmas, stems, numbers, parts, common, flags, vectors, entries;
  In<float> information;
  InSequences letters, synsets, derived, opposites, kinds;
  InStrings text;
};

struct VectorColumns {
  In<std::int8_t> codes;
  In<float> scales, trust;
};

struct ParaphraseColumns {
  InStrings phrases;
  In<std::int64_t> rows;
  In<std::int32_t> targets;
  In<double> scores;
};

links::WordFacts facts_of(const FactColumns& columns, std::int64_t vector_rows) {
  links::WordFacts facts{};
  facts.count = size(columns.forms);
  for (const auto* column : {&columns.cased, &columns.lemmas, &columns.stems, &columns.numbers, &columns.parts, &columns.common, &columns.flags,
                             &columns.vectors, &columns.entries})
    need(size(*column) == facts.count, "facts: columns differ in length");
  need(size(columns.information) == facts.count, "facts: columns differ in length");
  paragauge::check_ids(columns.vectors, -1, vector_rows, "facts.vectors");
  facts.forms = columns.forms.data();
  facts.cased = columns.cased.data();
  facts.lemmas = columns.lemmas.data();
  facts.stems = columns.stems.data();
  facts.numbers = columns.numbers.data();
  facts.parts = columns.parts.data();
  facts.common = columns.common.data();
  facts.flags = columns.flags.data();
  facts.vectors = columns.vectors.data();
  facts.entries = columns.entries.data();
  facts.information = columns.information.data();
  facts.letters = sequences(columns.letters, "facts.letters");
  facts.synsets = sequences(columns.synsets, "facts.synsets");
  facts.derived = sequences(columns.derived, "facts.derived");
  facts.opposites = sequences(columns.opposites, "facts.opposites");
  facts.kinds = sequences(columns.kinds, "facts.kinds");
  facts.text = paragauge::words(columns.text, "facts.text");
  for (const auto count : {facts.letters.count, facts.synsets.count, facts.derived.count, facts.opposites.count,
                           facts.kinds.count, facts.text.count})
    need(count == facts.count, "facts: needs one sequence for each word");
  return facts;
}

class NativeLinkModel {
 public:
  // Networks: for each round the hidden layer's weights (features x units), its biases, the top's weights and bias.
  NativeLinkModel(const VectorColumns& vectors, const std::optional<ParaphraseColumns>& paraphrases,
                  const std::vector<In<float>>& networks)
      : vectors_(vectors), paraphrases_(paraphrases) {
    links::Vectors rows{vectors_.codes.data(), vectors_.scales.data(), vectors_.trust.data(), size(vectors_.scales), 0};
    need(size(vectors_.trust) == rows.rows, "vectors: needs the trust of each row");
    if (rows.rows > 0) {
      need(size(vectors_.codes) % rows.rows == 0, "vectors: the codes do not fit");
      rows.width = size(vectors_.codes) / rows.rows;
    }
    links::Paraphrases table;
    if (paraphrases_) {
      (void)paragauge::words(paraphrases_->phrases, "phrases");
      table.phrases = paragauge::phrase_index(paraphrases_->phrases);
      const std::int64_t count = table.phrases.size();
      paragauge::check_offsets(paraphrases_->rows.data(), size(paraphrases_->rows), size(paraphrases_->targets), "rows");
      need(size(paraphrases_->rows) == count + 1, "rows: needs one entry more than there are phrases");
      need(size(paraphrases_->scores) == size(paraphrases_->targets), "scores: needs one for each paraphrase");
      paragauge::check_ids(paraphrases_->targets, 0, count, "targets");
      numbers_ = std::make_unique<paragauge::PhraseNumbers>(table.phrases);
      table.numbers = numbers_.get();
      table.rows = paraphrases_->rows.data();
      table.targets = paraphrases_->targets.data();
      table.scores = paraphrases_->scores.data();
    }
    std::vector<links::Network> rounds;
    for (const In<float>& flat : networks) {
      constexpr std::size_t for_each = links::feature_count + 2;
      const auto total = static_cast<std::size_t>(size(flat));
      need(total >= 1 + for_each && (total - 1) % for_each == 0 && total / for_each <= most_units,
           "network: not as many weights as its units need");
      links::Network network;
      network.hidden = (total - 1) / for_each;
      const float* place = flat.data();
      const auto take = [&place](std::size_t count) {
        std::vector<float> taken(place, place + count);
        place += count;
        return taken;
      };
      network.weights = take(network.hidden * links::feature_count);
      network.biases = take(network.hidden);
      network.top = take(network.hidden);
      network.top_bias = *place;
      rounds.push_back(std::move(network));
    }
    model_ = std::make_unique<links::LinkModel>(links::EvidenceFinder(rows, table), std::move(rounds));
    vector_rows_ = rows.rows;
  }

  nb::tuple run(const FactColumns& columns, InSequences source_ids, InSequences target_ids,
                const std::optional<In<float>>& prior, std::optional<std::size_t> rounds, float threshold,
                bool with_features, int threads) const {
    paragauge::check_threads(threads);
    const links::WordFacts facts = facts_of(columns, vector_rows_);
    const auto source = sequences(source_ids, "source"), target = sequences(target_ids, "target");
    need(source.count == target.count, "source and target must have as many sentences");
    paragauge::check_ids(source_ids.first, 0, facts.count, "source");
    paragauge::check_ids(target_ids.first, 0, facts.count, "target");
    std::vector<std::int64_t> areas{0};
    if (prior) {
      for (std::int64_t k = 0; k < source.count; ++k) areas.push_back(areas.back() + source[k].size() * target[k].size());
      need(size(*prior) == areas.back(), "prior: needs a number for each two words of a pair");
    }
    const std::size_t run_rounds = std::min(rounds.value_or(model_->rounds()), model_->rounds());
    struct Found {
      std::vector<std::int32_t> cells;
      std::vector<float> probabilities, first, features;
    };
    std::vector<Found> all(static_cast<std::size_t>(source.count));
    {
      nb::gil_scoped_release release;
      paragauge::parallel_blocks(source.count, pairs_in_block, threads, [&](std::int64_t begin, std::int64_t end, int) {
        links::Evidence evidence;
        for (std::int64_t k = begin; k < end; ++k) {
          model_->run(facts, source[k], target[k], prior ? prior->data() + areas[static_cast<std::size_t>(k)] : nullptr,
                      run_rounds, evidence);
          Found& found = all[static_cast<std::size_t>(k)];
          for (const links::Cell& cell : evidence.cells) {
            const auto [i, j, slot] = cell;
            const float p = evidence.grid[evidence.place(cell)];
            if (!(p >= threshold)) continue;
            found.cells.push_back(i);
            found.cells.push_back(j);
            found.probabilities.push_back(p);
            found.first.push_back(evidence.first[slot]);
            if (with_features)
              found.features.insert(found.features.end(), evidence.features[slot].begin(), evidence.features[slot].end());
          }
        }
      });
    }
    Found joined;
    std::vector<std::int64_t> starts{0};
    for (Found& found : all) {
      joined.cells.insert(joined.cells.end(), found.cells.begin(), found.cells.end());
      joined.probabilities.insert(joined.probabilities.end(), found.probabilities.begin(), found.probabilities.end());
      joined.first.insert(joined.first.end(), found.first.begin(), found.first.end());
      joined.features.insert(joined.features.end(), found.features.begin(), found.features.end());
      starts.push_back(static_cast<std::int64_t>(joined.probabilities.size()));
      found = Found{};
    }
    return nb::make_tuple(out(std::move(starts)), out(std::move(joined.cells)), out(std::move(joined.probabilities)),
                          out(std::move(joined.first)), out(std::move(joined.features)));
  }

 private:
  VectorColumns vectors_;
  std::optional<ParaphraseColumns> paraphrases_;
  std::unique_ptr<paragauge::PhraseNumbers> numbers_;
  std::unique_ptr<links::LinkModel> model_;
  std::int64_t vector_rows_ = 0;
};

}  // namespace

void bind_links(nb::module_& m) {
  paragauge::bind_struct(
      m, "FactColumns", "What is known of each word, by its number.", paragauge::field("forms", &FactColumns::forms),
      paragauge::field("cased", &FactColumns::cased), paragauge::field("lemmas", &FactColumns::lemmas),
      paragauge::field("stems", &FactColumns::stems), paragauge::field("numbers", &FactColumns::numbers),
      paragauge::field("parts", &FactColumns::parts), paragauge::field("common", &FactColumns::common), paragauge::field("flags", &FactColumns::flags),
      paragauge::field("vectors", &FactColumns::vectors), paragauge::field("entries", &FactColumns::entries),
      paragauge::field("information", &FactColumns::information), paragauge::field("letters", &FactColumns::letters),
      paragauge::field("synsets", &FactColumns::synsets), paragauge::field("derived", &FactColumns::derived),
      paragauge::field("opposites", &FactColumns::opposites), paragauge::field("kinds", &FactColumns::kinds),
      paragauge::field("text", &FactColumns::text));
  paragauge::bind_struct(m, "VectorColumns", "Word vectors.", paragauge::field("codes", &VectorColumns::codes),
                         paragauge::field("scales", &VectorColumns::scales), paragauge::field("trust", &VectorColumns::trust));
  paragauge::bind_struct(m, "ParaphraseColumns", "The columns of a paraphrase table.",
                         paragauge::field("phrases", &ParaphraseColumns::phrases),
                         paragauge::field("rows", &ParaphraseColumns::rows),
                         paragauge::field("targets", &ParaphraseColumns::targets),
                         paragauge::field("scores", &ParaphraseColumns::scores));
  nb::class_<NativeLinkModel>(m, "NativeLinkModel")
      .def(nb::init<const VectorColumns&, const std::optional<ParaphraseColumns>&, const std::vector<In<float>>&>(), nb::kw_only(),
           "vectors"_a, "paraphrases"_a.none(), "networks"_a)
      .def("run", &NativeLinkModel::run, "facts"_a, "source"_a, "target"_a, nb::kw_only(), "prior"_a.none(), "rounds"_a.none(),
           "threshold"_a, "features"_a, "threads"_a,
           "Return where the cells of each pair begin, the cells (i, j in turn), their probabilities after the given "
           "rounds and after the first, and, if wanted, their evidence.");
  nb::list names;
  for (const std::string& name : links::feature_names()) names.append(name.c_str());
  m.attr("LINK_EVIDENCE") = nb::tuple(names);
}
