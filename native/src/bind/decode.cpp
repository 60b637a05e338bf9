// The Python face of the decoder.
#include "bind/decode.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <cmath>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/held_model.hpp"
#include "bind/searchable_grammar.hpp"
#include "bind/structs.hpp"
#include "decode/decoder.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using paragauge::DecodeOptions;
using paragauge::FeatureKind;
using paragauge::HeldModel;
using paragauge::In;
using paragauge::Input;
using paragauge::InSequences;
using paragauge::InStrings;
using paragauge::out;
using paragauge::SearchableGrammar;
using paragauge::size;

void check_options(const DecodeOptions& options) {
  if (options.max_span < 0 || options.max_rules < 0) throw std::invalid_argument("limits must not be negative");
  if (options.beam < 1 || options.kbest < 1) throw std::invalid_argument("beam and kbest must be at least 1");
  paragauge::check_threads(options.threads);
}

// Features as columns: of each its kind (FeatureKind), which one of that kind it is, and its weight.
struct FeatureColumns {
  In<std::int64_t> rule_row;   // row of `values` of each rule; empty if there are no stored features
  Input<float, 2> values;      // stored features of rules
  In<std::int32_t> kinds, indices;
  In<double> weights;
};

// Keeps what it reads alive.
class Decoder {
 public:
  Decoder(nb::object grammar, nb::object model, const FeatureColumns& columns, In<std::int32_t> lm_words)
      : grammar_object_(grammar), model_object_(model), grammar_(nb::cast<const SearchableGrammar*>(grammar)),
        model_(model.is_none() ? nullptr : nb::cast<const HeldModel*>(model)), columns_(columns), lm_words_(lm_words) {
    const auto view = grammar_->view();
    const std::int64_t features = size(columns_.kinds);
    if (size(columns_.indices) != features || size(columns_.weights) != features)
      throw std::invalid_argument("features: kinds, indices and weights must have as many entries");
    if (columns_.values.shape(1) > 0 && size(columns_.rule_row) != view.rule_count)
      throw std::invalid_argument("rule_row: needs one entry for each rule");
    for (std::int64_t k = 0; k < features; ++k) {
      const std::int32_t kind = columns_.kinds.data()[k], index = columns_.indices.data()[k];
      const bool stored = kind == static_cast<std::int32_t>(FeatureKind::stored);
      const auto limit = static_cast<std::int32_t>(stored ? columns_.values.shape(1) : paragauge::surface_names.size());
      if (kind < 0 || kind > static_cast<std::int32_t>(FeatureKind::glue) || index < 0 || index >= std::max(limit, stored ? 0 : 1))
        throw std::invalid_argument("features: no such feature");
      if (!std::isfinite(columns_.weights.data()[k])) throw std::invalid_argument("weights must be finite");
    }
    if (model_ != nullptr) {
      if (size(lm_words_) != view.words.size()) throw std::invalid_argument("lm_words: needs one entry for each word");
      paragauge::check_ids(lm_words_, 0, model_->model().words(), "lm_words");
    }
  }

  nb::tuple decode(InStrings tokens, In<std::int32_t> token_words, InSequences sentences, const DecodeOptions& options) const {
    const auto token_texts = paragauge::words(tokens, "tokens");
    const auto source = paragauge::sequences(sentences, "sentences");
    paragauge::check_ids(sentences.first, 0, token_texts.count, "sentences");
    if (model_ != nullptr) {
      if (size(token_words) != token_texts.count) throw std::invalid_argument("token_words: needs one entry for each token");
      paragauge::check_ids(token_words, 0, model_->model().words(), "token_words");
    }
    std::vector<std::int8_t> status;
    std::vector<std::int64_t> starts{0}, node_starts{0}, nodes;
    std::vector<double> scores, features;
    paragauge::Strings texts;
    {
      nb::gil_scoped_release release;
      std::vector<paragauge::DecodeResult> results;
      paragauge::decode(view(), token_texts, token_words.data(), source, options, results);
      for (const paragauge::DecodeResult& result : results) {
        status.push_back(static_cast<std::int8_t>(result.status));
        for (const paragauge::Decoded& one : result.best) {
          scores.push_back(one.score);
          features.insert(features.end(), one.features.begin(), one.features.end());
          texts.add(one.text);
          for (const paragauge::DerivationNode& node : one.derivation)
            nodes.insert(nodes.end(), {node.rule, node.parent, node.label, node.source_first, node.source_last,
                                       node.target_first, node.target_last});
          node_starts.push_back(static_cast<std::int64_t>(nodes.size() / 7));
        }
        starts.push_back(static_cast<std::int64_t>(scores.size()));
      }
    }
    return nb::make_tuple(out(std::move(status)), out(std::move(starts)), out(std::move(scores)), out(std::move(features)),
                          paragauge::out_strings(std::move(texts)), out(std::move(node_starts)), out(std::move(nodes)));
  }

 private:
  paragauge::DecoderView view() const {
    paragauge::DecoderView view{grammar_->view(), columns_.rule_row.data(), columns_.values.data(),
                                static_cast<std::int64_t>(columns_.values.shape(0)),
                                static_cast<std::int32_t>(columns_.values.shape(1)),
                                model_ == nullptr ? nullptr : &model_->model(), lm_words_.data(), {}};
    for (std::int64_t k = 0; k < size(columns_.kinds); ++k)
      view.features.push_back({static_cast<FeatureKind>(columns_.kinds.data()[k]), columns_.indices.data()[k],
                               columns_.weights.data()[k]});
    return view;
  }

  nb::object grammar_object_, model_object_;
  const SearchableGrammar* grammar_;
  const HeldModel* model_;
  FeatureColumns columns_;
  In<std::int32_t> lm_words_;
};

}  // namespace

void bind_decode(nb::module_& m) {
  using paragauge::bind_checked_struct;
  using paragauge::bind_struct;
  using paragauge::field;
  nb::list names;
  for (const std::string_view name : paragauge::surface_names) names.append(nb::str(name.data(), name.size()));
  m.attr("SURFACE_FEATURES") = nb::tuple(names);
  bind_checked_struct(m, "DecodeOptions", "How sentences are decoded, and the limits of each.", check_options,
                      field("pass_through", &DecodeOptions::pass_through), field("glue", &DecodeOptions::glue),
                      field("max_span", &DecodeOptions::max_span), field("max_rules", &DecodeOptions::max_rules),
                      field("beam", &DecodeOptions::beam), field("kbest", &DecodeOptions::kbest),
                      field("distinct", &DecodeOptions::distinct), field("derivations", &DecodeOptions::derivations),
                      field("bytes", &DecodeOptions::bytes), field("threads", &DecodeOptions::threads));
  bind_struct(m, "FeatureColumns", "Stored features of rules, and the features and weights to decode with.",
              field("rule_row", &FeatureColumns::rule_row), field("values", &FeatureColumns::values),
              field("kinds", &FeatureColumns::kinds), field("indices", &FeatureColumns::indices),
              field("weights", &FeatureColumns::weights));
  nb::class_<Decoder>(m, "Decoder", "Rewrites sentences with a grammar and a language model.")
      .def(nb::init<nb::object, nb::object, const FeatureColumns&, In<std::int32_t>>(), "grammar"_a, "model"_a.none(),
           nb::kw_only(), "columns"_a, "lm_words"_a)
      .def("decode", &Decoder::decode, "tokens"_a, nb::kw_only(), "token_words"_a, "sentences"_a, "options"_a,
           "Return of each sentence: status (1 found, 0 no derivation, 3 memory limit) and where its candidates begin; "
           "of each candidate: score, features, text, where the nodes of its derivation begin, and the nodes.");
}
