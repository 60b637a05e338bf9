// A grammar's index as Python holds it: with the arrays that it searches, which may be mapped files.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "grammar/index.hpp"
#include "grammar/parse.hpp"

namespace paragauge {

using InTrie = std::pair<In<std::int32_t>, In<std::int32_t>>;  // the first edge of each node, symbols of edges

// The columns of an index; see GrammarView.
struct GrammarColumns {
  InStrings words;
  In<std::uint8_t> on_source;
  InStrings labels;
  In<std::int32_t> shapes;
  InTrie source, target;
  In<std::int64_t> source_rules;
  In<std::int32_t> rule_target, rule_shape;
};

// Keeps the arrays that it searches alive.
class SearchableGrammar {
 public:
  explicit SearchableGrammar(const GrammarColumns& columns) : columns_(columns) {
    // Sizes and ends only: reading everything here would cost what memory-mapping saves.
    const GrammarColumns& c = columns_;
    const std::int64_t rules = size(c.rule_target);
    const std::int64_t sources = size(c.source.first) - 1, targets = size(c.target.first) - 1;
    if (!ends_fit(c.words) || !ends_fit(c.labels) ||
        size(c.on_source) != size(c.words.second) - 1 || size(c.shapes) % 4 != 0 || sources < 1 || targets < 1 ||
        size(c.source.second) != sources - 1 || size(c.target.second) != targets - 1 ||
        size(c.source_rules) != sources + 1 || c.source_rules.data()[sources] != rules || size(c.rule_shape) != rules)
      throw std::invalid_argument("the arrays of the grammar do not fit one another");
    const std::int64_t label_count = size(c.labels.second) - 1;
    for (std::int64_t k = 0; k < size(c.shapes); ++k)
      if (c.shapes.data()[k] < (k % 4 == 1 || k % 4 == 2 ? -1 : 0) || (k % 4 < 3 && c.shapes.data()[k] >= label_count))
        throw std::invalid_argument("the shapes of the grammar are damaged");
    for (std::int64_t k = 0; k < size(c.shapes); k += 4)
      if (c.shapes.data()[k + 2] < 0 ? c.shapes.data()[k + 3] != 0 : c.shapes.data()[k + 1] < 0)
        throw std::invalid_argument("the shapes of the grammar are damaged");
  }

  GrammarView view() const {
    const GrammarColumns& c = columns_;
    const auto trie = [](const InTrie& in) {
      return TrieView{in.first.data(), in.second.data(), size(in.first) - 1};
    };
    return {phrase_index(c.words), c.on_source.data(), phrase_index(c.labels),
            reinterpret_cast<const Shape*>(c.shapes.data()), size(c.shapes) / 4, trie(c.source), trie(c.target),
            c.source_rules.data(), c.rule_target.data(), c.rule_shape.data(), size(c.rule_target)};
  }

  std::int64_t rules() const { return size(columns_.rule_target); }

  // A rule as text: left-hand side, source side, target side.
  nanobind::tuple rule(std::int64_t number) const {
    if (number < 0 || number >= rules()) throw std::out_of_range("no such rule");
    const auto grammar = view();
    const std::int32_t shape_number = grammar.rule_shape[number], target = grammar.rule_target[number];
    if (shape_number < 0 || shape_number >= grammar.shape_count || target < 0 || target >= grammar.target.nodes)
      throw std::invalid_argument("the index of the grammar is damaged");
    const Shape& shape = grammar.shapes[shape_number];
    std::vector<std::int32_t> path;
    const auto side = [&](bool of_target) {
      std::string text;
      int gap = of_target && shape.swapped ? 1 : 0;
      for (const std::int32_t symbol : path) {
        if (!text.empty()) text += ' ';
        if (symbol != gap_symbol) {
          if (symbol < 1 || symbol > grammar.words.size()) throw std::invalid_argument("the index of the grammar is damaged");
          text += grammar.words[symbol - 1];
          continue;
        }
        const std::int32_t label = gap == 0 ? shape.first : shape.second;
        if (label < 0) throw std::invalid_argument("the index of the grammar is damaged");
        text += '[';
        text += grammar.labels[label];
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
    return nanobind::make_tuple(std::string(grammar.labels[shape.lhs]), source, side(true));
  }

  nanobind::tuple parse(InStrings tokens, InSequences source_ids, InSequences target_ids,
                  const ParseOptions& options) const {
    const auto token_words = words(tokens, "tokens");
    const auto source = sequences(source_ids, "source"), target = sequences(target_ids, "target");
    check_ids(source_ids.first, 0, token_words.count, "source");
    check_ids(target_ids.first, 0, token_words.count, "target");
    if (source.count != target.count) throw std::invalid_argument("source and target must have as many sentences");
    std::vector<ParseResult> results;
    std::vector<std::int8_t> status;
    std::vector<std::int64_t> rules, items, starts{0}, nodes;
    std::vector<double> times;
    {
      nanobind::gil_scoped_release release;
      parse_pairs(view(), token_words, source, target, options, results);
      for (const ParseResult& one : results) {
        status.push_back(static_cast<std::int8_t>(one.status));
        rules.push_back(one.rules);
        items.push_back(one.items);
        times.push_back(one.seconds);
        for (const DerivationNode& node : one.derivation)
          nodes.insert(nodes.end(), {node.rule, node.parent, node.label, node.source_first, node.source_last,
                                     node.target_first, node.target_last});
        starts.push_back(static_cast<std::int64_t>(nodes.size() / 7));
      }
    }
    return nanobind::make_tuple(out(std::move(status)), out(std::move(rules)), out(std::move(items)), out(std::move(times)),
                          out(std::move(starts)), out(std::move(nodes)));
  }

 private:
  GrammarColumns columns_;
};

}  // namespace paragauge
