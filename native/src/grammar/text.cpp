#include "grammar/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/numbers.hpp"
#include "base/parallel.hpp"
#include "grammar/surface.hpp"

namespace paragauge {

namespace {

constexpr std::string_view bars = "|||";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

void split(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  std::size_t place = 0;
  for (;;) {
    const std::size_t end = line.find(bars, place);
    if (end == std::string_view::npos) break;
    fields.push_back(trimmed(line.substr(place, end - place)));
    place = end + bars.size();
  }
  fields.push_back(trimmed(line.substr(place)));
}

void put_side(const std::vector<Symbol>& symbols, const std::vector<int>& order, Strings& out) {
  bool more = false;
  for (const Symbol& symbol : symbols) {
    if (more) out.text.push_back(' ');
    more = true;
    if (!symbol.nonterminal()) {
      out.text.insert(out.text.end(), symbol.text.begin(), symbol.text.end());
      continue;
    }
    const auto place = std::find(order.begin(), order.end(), symbol.index) - order.begin();
    const std::string number = std::to_string(place + 1);
    out.text.push_back('[');
    out.text.insert(out.text.end(), symbol.label.begin(), symbol.label.end());
    out.text.push_back(',');
    out.text.insert(out.text.end(), number.begin(), number.end());
    out.text.push_back(']');
  }
  out.end();
}

// Indices must be the same on both sides, each once, with the same labels.
void check_nonterminals(const std::vector<Symbol>& source, const std::vector<Symbol>& target, std::vector<int>& order) {
  order.clear();
  for (const Symbol& symbol : source) {
    if (!symbol.nonterminal()) continue;
    if (std::find(order.begin(), order.end(), symbol.index) != order.end())
      throw std::invalid_argument("has the nonterminal index " + std::to_string(symbol.index) + " twice on one side");
    order.push_back(symbol.index);
  }
  std::size_t found = 0;
  for (const Symbol& symbol : target) {
    if (!symbol.nonterminal()) continue;
    ++found;
    const auto other = std::find_if(source.begin(), source.end(), [&](const Symbol& one) {
      return one.nonterminal() && one.index == symbol.index && one.label == symbol.label;
    });
    if (other == source.end()) found = std::numeric_limits<std::size_t>::max() / 2;
  }
  if (found != order.size())
    throw std::invalid_argument("does not have the same nonterminals on both sides, such as [NP,1] and [NP,1]");
}

void read_rule(std::string_view line, std::vector<std::string_view>& fields, std::vector<Symbol>& source,
               std::vector<Symbol>& target, std::vector<int>& order, RuleTexts& rules) {
  split(line, fields);
  if (fields.size() < 3)
    throw std::invalid_argument("found " + std::to_string(fields.size()) + " field" + (fields.size() == 1 ? "" : "s") +
                                ", expected '[LHS] ||| source ||| target ||| features ||| alignment'");
  const std::string_view lhs = fields[0];
  if (lhs.size() < 3 || lhs.front() != '[' || lhs.back() != ']' || lhs.find(' ') != std::string_view::npos)
    throw std::invalid_argument("'" + std::string(lhs) + "' is no left-hand side, expected one such as [NP]");
  read_side(fields[1], source);
  read_side(fields[2], target);
  check_nonterminals(source, target, order);
  rules.lhs.add(lhs.substr(1, lhs.size() - 2));
  put_side(source, order, rules.source);
  put_side(target, order, rules.target);
  rules.features.add(fields.size() > 3 ? fields[3] : std::string_view());
  rules.alignment.add(fields.size() > 4 ? fields[4] : std::string_view());
}

std::string_view text_of(const Words& words, std::int64_t k) {
  return words.count == 0 ? std::string_view() : words[k];
}

// The numbers of links such as "0-0 1-2"; anything else between spaces is passed over.
void read_links(std::string_view text, std::vector<std::pair<int, int>>& links) {
  links.clear();
  std::size_t place = 0;
  while (place < text.size()) {
    const std::size_t end = std::min(text.find(' ', place), text.size());
    int numbers[2] = {0, 0}, part = 0;
    bool digits[2] = {false, false}, wrong = false;
    for (const char c : text.substr(place, end - place)) {
      if (c == '-' && part == 0) {
        part = 1;
      } else if (c >= '0' && c <= '9' && numbers[part] < 1'000'000) {
        numbers[part] = 10 * numbers[part] + (c - '0');
        digits[part] = true;
      } else {
        wrong = true;
      }
    }
    if (digits[0] && digits[1] && !wrong) links.emplace_back(numbers[0], numbers[1]);
    place = end + 1;
  }
}

void append_feature(std::string& out, std::string_view name, double value) {
  out += ' ';
  out += name;
  out += '=';
  append_general(value == 0 ? 0.0 : value, 6, out);  // no -0
}

SideMeasure measure(const std::vector<Symbol>& symbols, std::vector<int>& order, bool& contains_x) {
  SideMeasure side;
  order.clear();
  bool gap_before = false;
  for (const Symbol& symbol : symbols) {
    if (symbol.nonterminal()) {
      ++side.gaps;
      side.adjacent = side.adjacent || gap_before;
      contains_x = contains_x || symbol.label == "X";
      order.push_back(symbol.index);
    } else {
      ++side.words;
      side.characters += count_characters(symbol.text);
    }
    gap_before = symbol.nonterminal();
  }
  return side;
}

int unaligned(const std::vector<Symbol>& symbols, std::string_view alignment, bool target) {
  std::vector<char> linked(symbols.size(), 0);
  std::size_t place = 0;
  while (place < alignment.size()) {
    std::size_t end = alignment.find(' ', place);
    if (end == std::string_view::npos) end = alignment.size();
    const std::string_view link = alignment.substr(place, end - place);
    const std::size_t dash = link.find('-');
    if (dash != std::string_view::npos) {
      std::size_t number = 0;
      for (const char c : target ? link.substr(dash + 1) : link.substr(0, dash))
        if (c >= '0' && c <= '9' && number < symbols.size()) number = 10 * number + static_cast<std::size_t>(c - '0');
      if (number < linked.size()) linked[number] = 1;
    }
    place = end + 1;
  }
  int count = 0;
  for (std::size_t k = 0; k < symbols.size(); ++k) count += !symbols[k].nonterminal() && !linked[k];
  return count;
}

void append_surface(std::string& out, std::string_view lhs, const std::vector<Symbol>& source,
                    const std::vector<Symbol>& target, std::string_view alignment) {
  RuleMeasure rule;
  std::vector<int> orders[2];
  rule.contains_x = lhs == "X";
  rule.source = measure(source, orders[0], rule.contains_x);
  rule.target = measure(target, orders[1], rule.contains_x);
  rule.monotonic = orders[0] == orders[1];
  rule.identity = source.size() == target.size() &&
                  std::equal(source.begin(), source.end(), target.begin(),
                             [](const Symbol& a, const Symbol& b) { return a.text == b.text; });
  rule.unaligned_source = unaligned(source, alignment, false);
  rule.unaligned_target = unaligned(target, alignment, true);
  for (std::size_t k = 0; k < written_surfaces; ++k)
    append_feature(out, surface_names[k], surface_value(static_cast<Surface>(k), rule));
}

}  // namespace

void read_rules(std::string_view text, RuleTexts& rules) {
  std::vector<std::string_view> fields;
  std::vector<Symbol> source, target;
  std::vector<int> order;
  std::int64_t line = 0;
  std::size_t place = 0;
  while (place < text.size()) {
    std::size_t end = text.find('\n', place);
    if (end == std::string_view::npos) end = text.size();
    try {
      read_rule(text.substr(place, end - place), fields, source, target, order, rules);
    } catch (const std::invalid_argument& error) {
      throw RuleError(line, error.what());
    }
    ++line;
    place = end + 1;
  }
}

std::vector<double> feature_values(const Words& features, std::string_view name) {
  std::vector<double> values(static_cast<std::size_t>(features.count), std::numeric_limits<double>::quiet_NaN());
  const std::string prefix = std::string(name) + "=";
  for (std::int64_t k = 0; k < features.count; ++k) {
    const std::string_view text = text_of(features, k);
    std::size_t place = 0;
    while ((place = text.find(prefix, place)) != std::string_view::npos) {
      if (place > 0 && text[place - 1] != ' ') {
        ++place;
        continue;
      }
      const std::size_t begin = place + prefix.size();
      const std::string number(text.substr(begin, std::min(text.find(' ', begin), text.size()) - begin));
      char* end = nullptr;
      const double value = std::strtod(number.c_str(), &end);
      if (number.empty() || *end != '\0' || !std::isfinite(value))
        throw RuleError(k, "the feature " + std::string(name) + " is '" + number + "', expected a number");
      values[static_cast<std::size_t>(k)] = value;
      break;
    }
  }
  return values;
}

FeatureTable feature_table(const Words& features, std::vector<std::string> names) {
  FeatureTable table;
  table.names = std::move(names);
  std::unordered_map<std::string_view, std::size_t> places;
  std::deque<std::string> kept;  // what the keys of the map refer to
  for (std::size_t k = 0; k < table.names.size(); ++k) places.emplace(kept.emplace_back(table.names[k]), k);
  struct Cell {
    std::int64_t row;
    std::size_t column;
    float value;
  };
  std::vector<Cell> cells;
  std::string number;
  for (std::int64_t k = 0; k < features.count; ++k) {
    const std::string_view text = text_of(features, k);
    int unnamed = 0;
    std::size_t place = 0;
    while (place < text.size()) {
      const std::size_t end = std::min(text.find(' ', place), text.size());
      const std::string_view item = text.substr(place, end - place);
      place = end + 1;
      if (item.empty()) continue;
      const std::size_t equals = item.rfind('=');
      number = equals == std::string_view::npos ? item : item.substr(equals + 1);
      const int position = unnamed++;
      char* last = nullptr;
      const double value = std::strtod(number.c_str(), &last);
      if (number.empty() || *last != '\0' || !std::isfinite(value)) continue;
      const std::string by_place = std::to_string(position);
      const std::string_view name = equals == std::string_view::npos ? std::string_view(by_place) : item.substr(0, equals);
      auto found = places.find(name);
      if (found == places.end()) {
        found = places.emplace(kept.emplace_back(name), table.names.size()).first;
        table.names.emplace_back(name);
      }
      cells.push_back({k, found->second, static_cast<float>(value)});
    }
  }
  table.values.assign(static_cast<std::size_t>(features.count) * table.names.size(), 0.0f);
  for (const Cell& cell : cells)
    table.values[static_cast<std::size_t>(cell.row) * table.names.size() + cell.column] = cell.value;
  return table;
}

void unlabel(const Words& sides, Strings& out) {
  std::vector<Symbol> symbols;
  for (std::int64_t k = 0; k < sides.count; ++k) {
    read_side(text_of(sides, k), symbols);
    bool more = false;
    for (const Symbol& symbol : symbols) {
      if (more) out.text.push_back(' ');
      more = true;
      const std::string text = symbol.nonterminal() ? "[X," + std::to_string(symbol.index) + "]" : std::string(symbol.text);
      out.text.insert(out.text.end(), text.begin(), text.end());
    }
    out.end();
  }
}

void renumber(const Words& first, const Words& second, Strings& first_out, Strings& second_out) {
  std::vector<Symbol> one, other;
  std::vector<int> order;
  for (std::int64_t k = 0; k < first.count; ++k) {
    read_side(text_of(first, k), one);
    read_side(text_of(second, k), other);
    try {
      check_nonterminals(one, other, order);
    } catch (const std::invalid_argument& error) {
      throw RuleError(k, error.what());
    }
    put_side(one, order, first_out);
    put_side(other, order, second_out);
  }
}

void compose_links(const Words& first, const Words& second, Strings& out) {
  std::vector<std::pair<int, int>> one, other, both;
  for (std::int64_t k = 0; k < first.count; ++k) {
    read_links(text_of(first, k), one);
    read_links(text_of(second, k), other);
    both.clear();
    for (const auto& [i, f] : one)
      for (const auto& [j, g] : other)
        if (f == g) both.emplace_back(i, j);
    std::sort(both.begin(), both.end());
    both.erase(std::unique(both.begin(), both.end()), both.end());
    for (const auto& [i, j] : both) {
      if (&i != &both.front().first) out.text.push_back(' ');
      append_number(i, out.text);
      out.text.push_back('-');
      append_number(j, out.text);
    }
    out.end();
  }
}

std::vector<std::int8_t> rule_classes(const Words& sources) {
  std::vector<std::int8_t> classes;
  classes.reserve(static_cast<std::size_t>(sources.count));
  std::vector<Symbol> symbols;
  for (std::int64_t k = 0; k < sources.count; ++k) {
    read_side(text_of(sources, k), symbols);
    const bool gap = std::any_of(symbols.begin(), symbols.end(), [](const Symbol& symbol) { return symbol.nonterminal(); });
    classes.push_back(gap ? 2 : symbols.size() > 1 ? 1 : 0);
  }
  return classes;
}

std::string write_rules(const Words& lhs, const Words& source, const Words& target, const Words& features,
                        const Words& alignment, const std::vector<FeatureColumn>& columns, bool surface, int threads) {
  constexpr std::int64_t rules_in_block = 1 << 10;
  std::vector<std::string> blocks(static_cast<std::size_t>((lhs.count + rules_in_block - 1) / rules_in_block));
  parallel_blocks(lhs.count, rules_in_block, threads, [&](std::int64_t begin, std::int64_t end, int) {
    std::string& out = blocks[static_cast<std::size_t>(begin / rules_in_block)];
    std::vector<Symbol> source_symbols, target_symbols;
    for (std::int64_t k = begin; k < end; ++k) {
      out += '[';
      out += text_of(lhs, k);
      out += "] ||| ";
      out += text_of(source, k);
      out += " ||| ";
      out += text_of(target, k);
      out += " |||";
      if (!text_of(features, k).empty()) {
        out += ' ';
        out += text_of(features, k);
      }
      for (const FeatureColumn& column : columns) append_feature(out, column.name, column.values[k]);
      const std::string_view links = text_of(alignment, k);
      if (surface) {
        read_side(text_of(source, k), source_symbols);
        read_side(text_of(target, k), target_symbols);
        append_surface(out, text_of(lhs, k), source_symbols, target_symbols, links);
      }
      if (!links.empty()) {
        out += " ||| ";
        out += links;
      }
      out += '\n';
    }
  });
  std::string all;
  for (const std::string& block : blocks) all += block;
  return all;
}

}  // namespace paragauge
