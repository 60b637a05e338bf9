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
#include "grammar/extract.hpp"
#include "grammar/index.hpp"
#include "grammar/parse.hpp"
#include "grammar/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using paragauge::check_ids;
using paragauge::In;
using paragauge::out;
using paragauge::out_strings;
using paragauge::size;

using InStrings = std::pair<In<std::uint8_t>, In<std::int64_t>>;  // text and offsets

paragauge::Words words(const InStrings& strings, const char* what) {
  return paragauge::words(strings.first, strings.second, what);
}

void check_same_count(const paragauge::Words& one, const paragauge::Words& other) {
  if (one.count != other.count) throw std::invalid_argument("columns must have as many strings");
}

template <class Enum>
Enum choice(int value, int count, const char* what) {
  if (value < 0 || value >= count) throw std::invalid_argument(std::string(what) + ": no such choice");
  return static_cast<Enum>(value);
}

nb::tuple extract_rules(In<std::int32_t> source_ids, In<std::int64_t> source_offsets, In<std::int32_t> target_ids,
                        In<std::int64_t> target_offsets, In<std::int32_t> links, In<std::int64_t> link_offsets,
                        InStrings source_text, InStrings target_text, In<std::int32_t> tree_nodes,
                        In<std::int64_t> tree_offsets, InStrings tree_labels, const paragauge::LexicalCounts* lexical,
                        std::int64_t first, int labels, int chain, bool trees_of_target,
                        const std::vector<std::int32_t>& limits, bool adjacent, bool tight, std::int64_t max_rows,
                        int threads) {
  const auto source_words = words(source_text, "source_text"), target_words = words(target_text, "target_text");
  const auto bitext =
      paragauge::linked_bitext(source_ids, source_offsets, target_ids, target_offsets, links, link_offsets);
  check_ids(source_ids, 0, source_words.count, "source_ids");
  check_ids(target_ids, 0, target_words.count, "target_ids");
  if (first < 0 || first > bitext.source.count) throw std::invalid_argument("first: no such sentence pair");
  paragauge::check_threads(threads);
  if (limits.size() != 7) throw std::invalid_argument("limits: needs seven numbers");

  paragauge::RuleOptions options;
  options.labels = choice<paragauge::LabelSet>(labels, 3, "labels");
  options.chain = choice<paragauge::UnaryChain>(chain, 3, "chain");
  options.trees_of_target = trees_of_target;
  options.max_span = limits[0];
  options.max_target_span = limits[1];
  options.max_symbols = limits[2];
  options.max_target_symbols = limits[3];
  options.max_words = limits[4];
  options.max_nonterminals = limits[5];
  options.min_links = limits[6];
  for (int k = 0; k < 5; ++k)
    if (limits[static_cast<std::size_t>(k)] < 1) throw std::invalid_argument("limits: must be at least 1");
  if (options.max_nonterminals < 0 || options.max_nonterminals > 2) throw std::invalid_argument("max_nonterminals must be 0, 1 or 2");
  if (options.min_links < 0) throw std::invalid_argument("min_links must not be negative");
  options.adjacent = adjacent;
  options.tight = tight;
  options.max_rows = max_rows;
  options.threads = threads;

  paragauge::Trees trees;
  if (options.labels != paragauge::LabelSet::hiero) {
    const auto names = words(tree_labels, "tree_labels");
    for (std::int64_t k = 0; k < names.count; ++k)
      trees.names.emplace_back(names[k]);
    if (size(tree_nodes) % 3 != 0) throw std::invalid_argument("tree_nodes: needs three numbers for each node");
    paragauge::check_offsets(tree_offsets.data(), size(tree_offsets), size(tree_nodes) / 3, "tree_offsets");
    if (size(tree_offsets) != bitext.source.count + 1) throw std::invalid_argument("tree_offsets: needs a tree for each sentence");
    trees.nodes = tree_nodes.data();
    trees.offsets = tree_offsets.data();
    paragauge::check_trees(trees, trees_of_target ? bitext.target : bitext.source);
  }

  paragauge::RuleRows rows;
  std::int64_t next = 0;
  {
    nb::gil_scoped_release release;
    next = paragauge::extract_rules(bitext, first, source_words, target_words, trees, lexical, options, rows);
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

nb::tuple unlabel(InStrings sides) {
  paragauge::Strings strings;
  paragauge::unlabel(words(sides, "sides"), strings);
  return out_strings(std::move(strings));
}

nb::ndarray<nb::numpy, std::int8_t, nb::ndim<1>> rule_classes(InStrings sources) {
  return out(paragauge::rule_classes(words(sources, "sources")));
}

nb::bytes write_rules(InStrings lhs, InStrings source, InStrings target, InStrings features, InStrings alignment,
                      const std::vector<std::string>& names, const std::vector<In<double>>& columns, bool surface) {
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
    text = paragauge::write_rules(lhs_words, source_words, target_words, feature_words, alignment_words, values, surface);
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
  return columns;
}

// Keeps the arrays that it searches alive.
class SearchableGrammar {
 public:
  SearchableGrammar(InStrings words, In<std::uint8_t> on_source, InStrings labels, In<std::int32_t> shapes,
        In<std::int32_t> source_first, In<std::int32_t> source_symbols, In<std::int64_t> source_rules,
        In<std::int32_t> target_first, In<std::int32_t> target_symbols, In<std::int32_t> rule_target,
        In<std::int32_t> rule_shape)
      : words_(std::move(words)), labels_(std::move(labels)), on_source_(std::move(on_source)), shapes_(std::move(shapes)),
        source_first_(std::move(source_first)), source_symbols_(std::move(source_symbols)),
        target_first_(std::move(target_first)), target_symbols_(std::move(target_symbols)),
        rule_target_(std::move(rule_target)), rule_shape_(std::move(rule_shape)), source_rules_(std::move(source_rules)) {
    // Sizes and ends only: reading everything here would cost what memory-mapping saves.
    const std::int64_t rules = size(rule_target_), sources = size(source_first_) - 1, targets = size(target_first_) - 1;
    const auto fits = [](const InStrings& strings) {
      return size(strings.second) >= 1 && strings.second.data()[0] == 0 &&
             strings.second.data()[size(strings.second) - 1] == size(strings.first);
    };
    if (!fits(words_) || !fits(labels_) || size(on_source_) != size(words_.second) - 1 || size(shapes_) % 4 != 0 ||
        sources < 1 || targets < 1 || size(source_symbols_) != sources - 1 || size(target_symbols_) != targets - 1 ||
        size(source_rules_) != sources + 1 || source_rules_.data()[sources] != rules || size(rule_shape_) != rules)
      throw std::invalid_argument("the arrays of the grammar do not fit one another");
    const std::int64_t label_count = size(labels_.second) - 1;
    for (std::int64_t k = 0; k < size(shapes_); ++k)
      if (shapes_.data()[k] < (k % 4 == 1 || k % 4 == 2 ? -1 : 0) || (k % 4 < 3 && shapes_.data()[k] >= label_count))
        throw std::invalid_argument("the shapes of the grammar are damaged");
  }

  paragauge::GrammarView view() const {
    const auto index = [](const InStrings& strings) {
      return paragauge::PhraseIndex(reinterpret_cast<const char*>(strings.first.data()), size(strings.first),
                                    strings.second.data(), size(strings.second) - 1);
    };
    return {index(words_), on_source_.data(), index(labels_),
            reinterpret_cast<const paragauge::Shape*>(shapes_.data()), size(shapes_) / 4,
            {source_first_.data(), source_symbols_.data(), size(source_first_) - 1},
            {target_first_.data(), target_symbols_.data(), size(target_first_) - 1},
            source_rules_.data(), rule_target_.data(), rule_shape_.data(), size(rule_target_)};
  }

  std::int64_t rules() const { return size(rule_target_); }

  // A rule as text: left-hand side, source side, target side.
  nb::tuple rule(std::int64_t number) const {
    if (number < 0 || number >= rules()) throw std::out_of_range("no such rule");
    const auto grammar = view();
    const std::int32_t shape_number = grammar.rule_shape[number], target = grammar.rule_target[number];
    if (shape_number < 0 || shape_number >= grammar.shape_count || target < 0 || target >= grammar.target.nodes)
      throw std::invalid_argument("the index of the grammar is damaged");
    const paragauge::Shape& shape = grammar.shapes[shape_number];
    std::vector<std::int32_t> path;
    const auto side = [&](bool of_target) {
      std::string text;
      int gap = of_target && shape.swapped ? 1 : 0;
      for (const std::int32_t symbol : path) {
        if (!text.empty()) text += ' ';
        if (symbol != paragauge::gap_symbol) {
          text += grammar.words[symbol - 1];
          continue;
        }
        text += '[';
        text += grammar.labels[gap == 0 ? shape.first : shape.second];
        text += ',';
        text += static_cast<char>('1' + gap);
        text += ']';
        gap = 1 - gap;
      }
      return text;
    };
    grammar.source.path(grammar.source_of(number), path);
    const std::string source = side(false);
    grammar.target.path(target, path);
    return nb::make_tuple(std::string(grammar.labels[shape.lhs]), source, side(true));
  }

  nb::tuple parse(InStrings tokens, In<std::int32_t> source_ids, In<std::int64_t> source_offsets,
                  In<std::int32_t> target_ids, In<std::int64_t> target_offsets, int pass_through, bool glue,
                  std::int32_t max_span, std::int32_t max_target_span, double seconds, std::int64_t bytes, bool derivations, int threads) const {
    const auto token_words = words(tokens, "tokens");
    const auto source = paragauge::sequences(source_ids, source_offsets, "source_offsets");
    check_ids(source_ids, 0, token_words.count, "source_ids");
    const auto target = paragauge::sequences(target_ids, target_offsets, "target_offsets");
    check_ids(target_ids, 0, token_words.count, "target_ids");
    if (source.count != target.count) throw std::invalid_argument("source and target must have as many sentences");
    paragauge::check_threads(threads);
    if (max_span < 0 || max_target_span < 0) throw std::invalid_argument("max_span must not be negative");
    const paragauge::ParseOptions options{choice<paragauge::PassThrough>(pass_through, 3, "pass_through"), glue, max_span,
                                          max_target_span, seconds, bytes, derivations, threads};
    std::vector<paragauge::ParseResult> results;
    std::vector<std::int8_t> status;
    std::vector<std::int64_t> rules, items, starts{0}, nodes;
    std::vector<double> times;
    {
      nb::gil_scoped_release release;
      paragauge::parse_pairs(view(), token_words, source, target, options, results);
      for (const paragauge::ParseResult& one : results) {
        status.push_back(static_cast<std::int8_t>(one.status));
        rules.push_back(one.rules);
        items.push_back(one.items);
        times.push_back(one.seconds);
        for (const paragauge::DerivationNode& node : one.derivation)
          nodes.insert(nodes.end(), {node.rule, node.parent, node.label, node.source_first, node.source_last,
                                     node.target_first, node.target_last});
        starts.push_back(static_cast<std::int64_t>(nodes.size() / 7));
      }
    }
    return nb::make_tuple(out(std::move(status)), out(std::move(rules)), out(std::move(items)), out(std::move(times)),
                          out(std::move(starts)), out(std::move(nodes)));
  }

 private:
  InStrings words_, labels_;
  In<std::uint8_t> on_source_;
  In<std::int32_t> shapes_, source_first_, source_symbols_, target_first_, target_symbols_, rule_target_, rule_shape_;
  In<std::int64_t> source_rules_;
};

}  // namespace

void bind_grammar(nb::module_& m) {
  m.def("extract_rules", &extract_rules, "source_ids"_a, "source_offsets"_a, "target_ids"_a, "target_offsets"_a,
        "links"_a, "link_offsets"_a, "source_text"_a, "target_text"_a, "tree_nodes"_a, "tree_offsets"_a,
        "tree_labels"_a, "lexical"_a.none(), "first"_a, "labels"_a, "chain"_a, "trees_of_target"_a, "limits"_a,
        "adjacent"_a, "tight"_a, "max_rows"_a, "threads"_a,
        "Return the first sentence pair not done, then left-hand sides, source sides, target sides and alignments as "
        "text and offsets, then direct and inverse lexical weights.");
  m.def("read_rules", &read_rules, "text"_a,
        "Return left-hand sides, sides, features and alignments of lines, then the first wrong line (or -1) and why.");
  m.def("feature_values", &feature_values, "features"_a, "name"_a,
        "Return the value of a feature of each rule (NaN for none), then the first wrong row (or -1) and why.");
  m.def("unlabel", &unlabel, "sides"_a, "Return sides with every label replaced by X.");
  m.def("rule_classes", &rule_classes, "sources"_a,
        "Return of each source side: 0 one word, 1 several words, 2 with a nonterminal.");
  m.def("write_rules", &write_rules, "lhs"_a, "source"_a, "target"_a, "features"_a, "alignment"_a, "names"_a,
        "columns"_a, "surface"_a, "Return rules as lines of text.");
  nb::class_<paragauge::GrammarBuilder>(m, "GrammarBuilder", "Lays rules out so that they can be searched.")
      .def(nb::init<>())
      .def("add", &add_rules, "lhs"_a, "source"_a, "target"_a, "Add rules; return the first wrong one (or -1) and why.")
      .def("finish", &finish, "Return the columns of the index by name.");
  nb::class_<SearchableGrammar>(m, "GrammarIndex", "Rules that can be searched without being loaded.")
      .def(nb::init<InStrings, In<std::uint8_t>, InStrings, In<std::int32_t>, In<std::int32_t>, In<std::int32_t>,
                    In<std::int64_t>, In<std::int32_t>, In<std::int32_t>, In<std::int32_t>, In<std::int32_t>>(),
           "words"_a, "on_source"_a, "labels"_a, "shapes"_a, "source_first"_a, "source_symbols"_a, "source_rules"_a,
           "target_first"_a, "target_symbols"_a, "rule_target"_a, "rule_shape"_a)
      .def_prop_ro("rules", &SearchableGrammar::rules, "How many rules there are.")
      .def("rule", &SearchableGrammar::rule, "number"_a, "Return left-hand side, source side and target side of a rule.")
      .def("parse", &SearchableGrammar::parse, "tokens"_a, "source_ids"_a, "source_offsets"_a, "target_ids"_a, "target_offsets"_a,
           "pass_through"_a, "glue"_a, "max_span"_a, "max_target_span"_a, "seconds"_a, "bytes"_a, "derivations"_a, "threads"_a,
           "Return of each pair: status (1 derived, 0 not, 2 time limit, 3 memory limit), rules that fit, chart items, "
           "seconds; then offsets and nodes of derivations, seven numbers for each node.");
}
