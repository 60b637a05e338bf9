#include "bind/grammar.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/searchable_grammar.hpp"
#include "bind/structs.hpp"
#include "grammar/extract.hpp"
#include "grammar/index.hpp"
#include "grammar/parse.hpp"
#include "grammar/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using paragauge::check_ids;
using paragauge::GrammarColumns;
using paragauge::In;
using paragauge::InBitext;
using paragauge::InSequences;
using paragauge::InStrings;
using paragauge::out;
using paragauge::out_strings;
using paragauge::RuleOptions;
using paragauge::SearchableGrammar;
using paragauge::size;
using paragauge::words;

void check_same_count(const paragauge::Words& one, const paragauge::Words& other) {
  if (one.count != other.count) throw std::invalid_argument("columns must have as many strings");
}

void check_rule_options(const RuleOptions& options) {
  for (const std::int32_t limit : {options.max_span, options.max_target_span, options.max_symbols,
                                   options.max_target_symbols, options.max_words})
    if (limit < 1) throw std::invalid_argument("limits: must be at least 1");
  if (options.max_nonterminals < 0 || options.max_nonterminals > 2)
    throw std::invalid_argument("max_nonterminals must be 0, 1 or 2");
  if (options.min_links < 0) throw std::invalid_argument("min_links must not be negative");
  paragauge::check_threads(options.threads);
}

void check_parse_options(const paragauge::ParseOptions& options) {
  if (options.max_span < 0 || options.max_target_span < 0) throw std::invalid_argument("max_span must not be negative");
  paragauge::check_threads(options.threads);
}

// One tree for each sentence: nodes are rows of three numbers (first word, one past the last, label).
struct InTrees {
  InSequences nodes;
  InStrings labels;
};

nb::tuple extract_rules(const InBitext& in, std::int64_t first, InStrings source_text, InStrings target_text,
                        const InTrees* in_trees, const paragauge::LexicalCounts* lexical, const RuleOptions& options) {
  const auto source_words = words(source_text, "source_words"), target_words = words(target_text, "target_words");
  const auto bitext = paragauge::linked_bitext(in);
  check_ids(in.source.first, 0, source_words.count, "source");
  check_ids(in.target.first, 0, target_words.count, "target");
  if (first < 0 || first > bitext.source.count) throw std::invalid_argument("first: no such sentence pair");

  paragauge::Trees trees;
  if (options.labels != paragauge::LabelSet::hiero) {
    if (in_trees == nullptr) throw std::invalid_argument("labels need trees");
    const auto names = words(in_trees->labels, "labels");
    for (std::int64_t k = 0; k < names.count; ++k) trees.names.emplace_back(names[k]);
    const auto& [nodes, offsets] = in_trees->nodes;
    if (size(nodes) % 3 != 0) throw std::invalid_argument("trees: needs three numbers for each node");
    paragauge::check_offsets(offsets.data(), size(offsets), size(nodes) / 3, "trees");
    if (size(offsets) != bitext.source.count + 1) throw std::invalid_argument("trees: needs one for each sentence");
    trees.nodes = nodes.data();
    trees.offsets = offsets.data();
    paragauge::check_trees(trees, options.trees_of_target ? bitext.target : bitext.source);
  }

  paragauge::RuleRows rows;
  std::int64_t next = 0;
  {
    nb::gil_scoped_release release;
    next = paragauge::extract_rules({bitext, source_words, target_words, lexical}, trees, options, first, rows);
  }
  return nb::make_tuple(next, out_strings(std::move(rows.label)), out_strings(std::move(rows.source)),
                        out_strings(std::move(rows.target)), out_strings(std::move(rows.alignment)),
                        out(std::move(rows.direct_lexical)), out(std::move(rows.inverse_lexical)));
}

// Errors in rules come back as (row, message): the caller knows the file.
nb::tuple read_rules(nb::bytes text) {
  paragauge::RuleTexts rules;
  std::int64_t row = -1;
  std::string message;
  const std::string_view data(text.c_str(), text.size());
  {
    nb::gil_scoped_release release;
    try {
      paragauge::read_rules(data, rules);
    } catch (const paragauge::RuleError& error) {
      row = error.row;
      message = error.what();
    }
  }
  return nb::make_tuple(out_strings(std::move(rules.lhs)), out_strings(std::move(rules.source)),
                        out_strings(std::move(rules.target)), out_strings(std::move(rules.features)),
                        out_strings(std::move(rules.alignment)), row, message);
}

nb::tuple feature_values(InStrings features, std::string_view name) {
  const auto texts = words(features, "features");
  std::vector<double> values;
  std::int64_t row = -1;
  std::string message;
  try {
    values = paragauge::feature_values(texts, name);
  } catch (const paragauge::RuleError& error) {
    row = error.row;
    message = error.what();
  }
  return nb::make_tuple(out(std::move(values)), row, message);
}

nb::tuple feature_table(InStrings features, std::vector<std::string> names) {
  const auto texts = words(features, "features");
  paragauge::FeatureTable table;
  {
    nb::gil_scoped_release release;
    table = paragauge::feature_table(texts, std::move(names));
  }
  return nb::make_tuple(table.names, out(std::move(table.values)));
}

nb::tuple unlabel(InStrings sides) {
  paragauge::Strings strings;
  paragauge::unlabel(words(sides, "sides"), strings);
  return out_strings(std::move(strings));
}

nb::tuple renumber(InStrings first, InStrings second) {
  const auto one = words(first, "first"), other = words(second, "second");
  check_same_count(one, other);
  paragauge::Strings sides[2];
  std::int64_t row = -1;
  {
    nb::gil_scoped_release release;
    try {
      paragauge::renumber(one, other, sides[0], sides[1]);
    } catch (const paragauge::RuleError& error) {
      row = error.row;
    }
  }
  return nb::make_tuple(out_strings(std::move(sides[0])), out_strings(std::move(sides[1])), row);
}

nb::tuple compose_links(InStrings first, InStrings second) {
  const auto one = words(first, "first"), other = words(second, "second");
  check_same_count(one, other);
  paragauge::Strings links;
  {
    nb::gil_scoped_release release;
    paragauge::compose_links(one, other, links);
  }
  return out_strings(std::move(links));
}

nb::ndarray<nb::numpy, std::int8_t, nb::ndim<1>> rule_classes(InStrings sources) {
  return out(paragauge::rule_classes(words(sources, "sources")));
}

nb::bytes write_rules(InStrings lhs, InStrings source, InStrings target, InStrings features, InStrings alignment,
                      const std::vector<std::string>& names, const std::vector<In<double>>& columns, bool surface,
                      int threads) {
  paragauge::check_threads(threads);
  const auto lhs_words = words(lhs, "lhs"), source_words = words(source, "source"), target_words = words(target, "target");
  const auto feature_words = words(features, "features"), alignment_words = words(alignment, "alignment");
  check_same_count(lhs_words, source_words);
  check_same_count(lhs_words, target_words);
  if (feature_words.count > 0) check_same_count(lhs_words, feature_words);
  if (alignment_words.count > 0) check_same_count(lhs_words, alignment_words);
  if (names.size() != columns.size()) throw std::invalid_argument("columns: needs one for each name");
  std::vector<paragauge::FeatureColumn> values;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (size(columns[k]) != lhs_words.count) throw std::invalid_argument("columns: needs a number for each rule");
    values.push_back({names[k], columns[k].data()});
  }
  std::string text;
  {
    nb::gil_scoped_release release;
    text = paragauge::write_rules(lhs_words, source_words, target_words, feature_words, alignment_words, values, surface,
                                  threads);
  }
  return nb::bytes(text.data(), text.size());
}

nb::tuple add_rules(paragauge::GrammarBuilder& builder, InStrings lhs, InStrings source, InStrings target) {
  const auto lhs_words = words(lhs, "lhs"), source_words = words(source, "source"), target_words = words(target, "target");
  check_same_count(lhs_words, source_words);
  check_same_count(lhs_words, target_words);
  std::int64_t row = -1;
  std::string message;
  {
    nb::gil_scoped_release release;
    try {
      builder.add(lhs_words, source_words, target_words);
    } catch (const paragauge::RuleError& error) {
      row = error.row;
      message = error.what();
    }
  }
  return nb::make_tuple(row, message);
}

nb::dict finish(paragauge::GrammarBuilder& builder) {
  paragauge::GrammarArrays arrays;
  {
    nb::gil_scoped_release release;
    arrays = builder.finish();
  }
  nb::dict columns;
  const auto strings = [&](const char* text, const char* offsets, paragauge::Strings&& from) {
    const nb::tuple both = out_strings(std::move(from));
    columns[text] = both[0];
    columns[offsets] = both[1];
  };
  strings("words.text", "words.offsets", std::move(arrays.words));
  strings("labels.text", "labels.offsets", std::move(arrays.labels));
  columns["words.on_source"] = out(std::move(arrays.on_source));
  columns["shapes"] = out(std::move(arrays.shapes));
  columns["source.first"] = out(std::move(arrays.source_first));
  columns["source.symbols"] = out(std::move(arrays.source_symbols));
  columns["source.rules"] = out(std::move(arrays.source_rules));
  columns["target.first"] = out(std::move(arrays.target_first));
  columns["target.symbols"] = out(std::move(arrays.target_symbols));
  columns["rules.target"] = out(std::move(arrays.rule_target));
  columns["rules.shape"] = out(std::move(arrays.rule_shape));
  columns["rules.row"] = out(std::move(arrays.rule_row));
  return columns;
}

}  // namespace

void bind_grammar(nb::module_& m) {
  using paragauge::bind_checked_struct;
  using paragauge::bind_struct;
  using paragauge::field;
  using paragauge::LabelSet;
  using paragauge::ParseOptions;
  using paragauge::PassThrough;
  using paragauge::UnaryChain;
  nb::enum_<LabelSet>(m, "LabelSet")
      .value("hiero", LabelSet::hiero)
      .value("constituents", LabelSet::constituents)
      .value("ccg", LabelSet::ccg)
      .value("samt", LabelSet::samt);
  nb::enum_<UnaryChain>(m, "UnaryChain")
      .value("bottom", UnaryChain::bottom)
      .value("top", UnaryChain::top)
      .value("all", UnaryChain::all);
  nb::enum_<PassThrough>(m, "PassThrough")
      .value("none", PassThrough::none)
      .value("unknown", PassThrough::unknown)
      .value("all", PassThrough::all);
  bind_checked_struct(m, "RuleOptions", "Which rules are extracted, and how many at a time.", check_rule_options,
                      field("labels", &RuleOptions::labels), field("chain", &RuleOptions::chain),
                      field("trees_of_target", &RuleOptions::trees_of_target),
                      field("default_label", &RuleOptions::default_label),
                      field("default_in_gaps", &RuleOptions::default_in_gaps),
                      field("max_span", &RuleOptions::max_span),
                      field("max_target_span", &RuleOptions::max_target_span),
                      field("max_symbols", &RuleOptions::max_symbols),
                      field("max_target_symbols", &RuleOptions::max_target_symbols),
                      field("max_words", &RuleOptions::max_words),
                      field("max_nonterminals", &RuleOptions::max_nonterminals),
                      field("min_links", &RuleOptions::min_links), field("adjacent", &RuleOptions::adjacent),
                      field("tight", &RuleOptions::tight), field("max_rows", &RuleOptions::max_rows),
                      field("threads", &RuleOptions::threads));
  bind_struct(m, "SentenceTrees", "One tree for each sentence.", field("nodes", &InTrees::nodes),
              field("labels", &InTrees::labels));
  m.def("extract_rules", &extract_rules, "bitext"_a, nb::kw_only(), "first"_a, "source_words"_a, "target_words"_a,
        "trees"_a.none(), "lexical"_a.none(), "options"_a,
        "Return the first sentence pair not done, then left-hand sides, source sides, target sides and alignments as "
        "text and offsets, then direct and inverse lexical weights.");
  m.def("read_rules", &read_rules, "text"_a,
        "Return left-hand sides, sides, features and alignments of lines, then the first wrong line (or -1) and why.");
  m.def("feature_values", &feature_values, "features"_a, "name"_a,
        "Return the value of a feature of each rule (NaN for none), then the first wrong row (or -1) and why.");
  m.def("feature_table", &feature_table, "features"_a, "names"_a,
        "Return the names of features, those given first, and their values rule by rule (0 for none).");
  m.def("unlabel", &unlabel, "sides"_a, "Return sides with every label replaced by X.");
  m.def("renumber", &renumber, "first"_a, "second"_a,
        "Return both sides of rules with nonterminals numbered in the order of the first, then the first rule whose "
        "sides do not match (or -1).");
  m.def("compose_links", &compose_links, "first"_a, "second"_a,
        "Return the links from each first sequence to each second one through a third, to which both are linked.");
  m.def("rule_classes", &rule_classes, "sources"_a,
        "Return of each source side: 0 one word, 1 several words, 2 with a nonterminal.");
  m.def("write_rules", &write_rules, nb::kw_only(), "lhs"_a, "source"_a, "target"_a, "features"_a, "alignment"_a,
        "names"_a, "columns"_a, "surface"_a, "threads"_a, "Return rules as lines of text.");
  nb::class_<paragauge::GrammarBuilder>(m, "GrammarBuilder", "Lays rules out so that they can be searched.")
      .def(nb::init<>())
      .def("add", &add_rules, "lhs"_a, "source"_a, "target"_a, "Add rules; return the first wrong one (or -1) and why.")
      .def("finish", &finish, "Return the columns of the index by name.");
  bind_struct(m, "GrammarColumns", "The columns of the index of a grammar.",
              field("words", &GrammarColumns::words), field("on_source", &GrammarColumns::on_source),
              field("labels", &GrammarColumns::labels), field("shapes", &GrammarColumns::shapes),
              field("source", &GrammarColumns::source), field("target", &GrammarColumns::target),
              field("source_rules", &GrammarColumns::source_rules), field("rule_target", &GrammarColumns::rule_target),
              field("rule_shape", &GrammarColumns::rule_shape));
  bind_checked_struct(m, "ParseOptions", "How pairs are parsed, and the limits of each.", check_parse_options,
                      field("pass_through", &ParseOptions::pass_through), field("glue", &ParseOptions::glue),
                      field("max_span", &ParseOptions::max_span),
                      field("max_target_span", &ParseOptions::max_target_span),
                      field("seconds", &ParseOptions::seconds), field("bytes", &ParseOptions::bytes),
                      field("derivations", &ParseOptions::derivations), field("threads", &ParseOptions::threads));
  nb::class_<SearchableGrammar>(m, "GrammarIndex", "Rules that can be searched without being loaded.")
      .def(nb::init<const GrammarColumns&>(), "columns"_a)
      .def_prop_ro("rules", &SearchableGrammar::rules, "How many rules there are.")
      .def("rule", &SearchableGrammar::rule, "number"_a, "Return left-hand side, source side and target side of a rule.")
      .def("parse", &SearchableGrammar::parse, "tokens"_a, nb::kw_only(), "source"_a, "target"_a, "options"_a,
           "Return of each pair: status (1 derived, 0 not, 2 time limit, 3 memory limit), rules that fit, chart items, "
           "seconds; then offsets and nodes of derivations, seven numbers for each node.");
}
