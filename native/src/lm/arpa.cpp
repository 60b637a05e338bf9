#include "lm/arpa.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"

namespace paragauge::lm {

namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();
constexpr float log10_of_missing_unknown_word = -100.0f;  // KenLM's choice
constexpr std::string_view other_unknown_word = "<UNK>";  // some tools write it so
constexpr std::int64_t rows_in_block = 1 << 16, rows_in_piece = 1 << 12;

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 60;
  return "'" + std::string(text.substr(0, longest)) + (text.size() > longest ? "...'" : "'");
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

void split_fields(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  const auto separates = [](char c) { return c == ' ' || c == '\t'; };
  for (std::size_t begin = 0, end = 0; begin < line.size(); begin = end) {
    while (begin < line.size() && separates(line[begin])) ++begin;
    end = begin;
    while (end < line.size() && !separates(line[end])) ++end;
    if (begin < end) fields.push_back(line.substr(begin, end - begin));
  }
}

// The finite number that *text* is, or nothing but NaN.
float number(std::string_view text) {
#if defined(__cpp_lib_to_chars)
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return missing;
#else
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (copy.empty() || end != copy.c_str() + copy.size()) return missing;
#endif
  return std::isfinite(static_cast<float>(value)) ? static_cast<float>(value) : missing;
}

// The shortest text that reads back as the same number.
void append_number(std::string& text, float value) {
  if (value == 0) {
    text += '0';  // never -0
    return;
  }
  char buffer[32];
#if defined(__cpp_lib_to_chars)
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
#else
  text.append(buffer, static_cast<std::size_t>(std::snprintf(buffer, sizeof buffer, "%.9g", static_cast<double>(value))));
#endif
}

std::string ngrams_of(std::size_t order) { return std::to_string(order) + "-grams"; }

}  // namespace

ArpaReader::ArpaReader() {
  for (const char* reserved : {"<unk>", "<s>", "</s>"}) vocabulary_.add(reserved);
  vocabulary_.index();
}

void ArpaReader::fail(const std::string& message) const { throw ArpaError(message, line_); }

void ArpaReader::feed(std::string_view block) {
  while (!block.empty()) {
    const std::size_t end = block.find('\n');
    if (end == std::string_view::npos) {
      rest_.append(block);
      return;
    }
    if (rest_.empty()) {
      take_line(block.substr(0, end));
    } else {
      rest_.append(block.substr(0, end));
      take_line(rest_);
      rest_.clear();
    }
    block.remove_prefix(end + 1);
  }
}

void ArpaReader::take_line(std::string_view line) {
  ++line_;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const bool blank = is_blank(line);
  switch (part_) {
    case Part::before_data:
      if (blank) return;
      if (line.substr(0, 5) == "iARPA" || line.substr(0, 5) == "qARPA")
        fail("looks like IRSTLM's " + std::string(line.substr(0, 5)) + " format, expected ARPA; convert it with: compile-lm --text=yes");
      if (line.substr(0, 6) != "\\data\\" || !is_blank(line.substr(6)))
        fail("found " + quoted(line) + ", expected '\\data\\', with which ARPA files begin");
      part_ = Part::counts;
      return;
    case Part::counts:
      if (!blank && line[0] != '\\') return take_count(line);
      if (sections_.empty()) fail("expected 'ngram 1=COUNT' after '\\data\\'");
      part_ = Part::header;
      if (!blank) take_header(line);
      return;
    case Part::header:
      if (!blank) take_header(line);
      return;
    case Part::ngrams:
      if (!blank && line[0] != '\\') return take_ngram(line);
      end_section(line);
      return;
    case Part::after_end:
      if (!blank) fail("found " + quoted(line) + " after '\\end\\', expected nothing more");
      return;
  }
}

void ArpaReader::take_count(std::string_view line) {
  const std::size_t equals = line.find('=');
  std::int64_t order = 0, count = 0;
  const auto whole = [](std::string_view text, std::int64_t& value) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    const std::size_t end = text.find_last_not_of(" \t") + 1;
    const auto result = std::from_chars(text.data() + begin, text.data() + end, value);
    return begin < end && result.ec == std::errc() && result.ptr == text.data() + end && value >= 0;
  };
  if (line.substr(0, 6) != "ngram " || equals == std::string_view::npos || !whole(line.substr(6, equals - 6), order) ||
      !whole(line.substr(equals + 1), count))
    fail("found " + quoted(line) + ", expected a line such as 'ngram 1=10000'");
  if (order != static_cast<std::int64_t>(sections_.size()) + 1)
    fail("found the count of " + ngrams_of(static_cast<std::size_t>(order)) + ", expected that of " + ngrams_of(sections_.size() + 1));
  if (order > highest_order) fail("orders above " + std::to_string(highest_order) + " are not supported");
  sections_.emplace_back();
  sections_.back().expected = count;
}

void ArpaReader::take_header(std::string_view line) {
  const std::size_t last = line.find_last_not_of(" \t") + 1;
  const std::string expected = section_ == sections_.size() ? "\\end\\" : "\\" + ngrams_of(section_ + 1) + ":";
  if (line.substr(0, last) != expected) fail("found " + quoted(line) + ", expected '" + expected + "'");
  if (section_ == sections_.size()) {
    part_ = Part::after_end;
    return;
  }
  part_ = Part::ngrams;
  sections_[section_].first_line = line_ + 1;
}

void ArpaReader::take_ngram(std::string_view line) {
  Section& section = sections_[section_];
  const std::size_t order = section_ + 1;
  if (static_cast<std::int64_t>(section.weights.size()) == section.expected)
    fail("found more " + ngrams_of(order) + " than the " + std::to_string(section.expected) + " that the head promises");
  split_fields(line, fields_);
  if (fields_.size() < order + 1 || fields_.size() > order + 2)
    fail("found " + std::to_string(fields_.size()) + " fields in " + quoted(line) + ", expected a log10 probability, " +
         std::to_string(order) + " word(s) and perhaps a back-off weight");
  Weights weights{number(fields_[0]), 0};
  if (std::isnan(weights.log10_p))
    fail(quoted(fields_[0]) + " is not a finite log10 probability; write -99 for the logarithm of zero");
  if (weights.log10_p > 0) fail("log10 probability " + quoted(fields_[0]) + " is above 0; are these plain probabilities?");
  if (fields_.size() == order + 2) {
    weights.log10_backoff = number(fields_.back());
    if (std::isnan(weights.log10_backoff)) fail(quoted(fields_.back()) + " is not a finite back-off weight");
    if (order == sections_.size() && weights.log10_backoff != 0)
      fail("found the back-off weight " + quoted(fields_.back()) + " in the highest order, which has none");
  }
  for (std::size_t i = 1; i <= order; ++i)
    section.rows.push_back(order == 1 ? new_word(fields_[i]) : known_word(fields_[i]));
  section.weights.push_back(weights);
  section.lines.push_back(static_cast<std::uint32_t>(line_ - section.first_line));
}

std::string ArpaReader::text_of(const Word* row, std::size_t width) const {
  std::string text;
  for (std::size_t n = 0; n < width; ++n) {
    if (n > 0) text += ' ';
    text += vocabulary_.word(static_cast<std::size_t>(row[n]));
  }
  return quoted(text);
}

Word ArpaReader::new_word(std::string_view text) {
  if (!is_utf8(text)) fail("found bytes that are not UTF-8 text; convert the file with: iconv -t utf-8");
  const Word word = text == other_unknown_word ? unknown_word : vocabulary_.number(text);
  seen_.resize(static_cast<std::size_t>(vocabulary_.size()), false);
  if (seen_[static_cast<std::size_t>(word)]) fail("the 1-gram " + quoted(text) + " is there twice");
  seen_[static_cast<std::size_t>(word)] = true;
  return word;
}

Word ArpaReader::known_word(std::string_view text) const {
  const Word word = text == other_unknown_word ? unknown_word : vocabulary_.find(text);
  if (word < 0) fail("the word " + quoted(text) + " is not among the 1-grams");
  return word;
}

void ArpaReader::end_section(std::string_view line) {
  const Section& section = sections_[section_];
  const auto found = static_cast<std::int64_t>(section.weights.size());
  if (found != section.expected)
    fail("found " + std::to_string(found) + " " + ngrams_of(section_ + 1) + ", the head promises " +
         std::to_string(section.expected) + "; is the file complete?");
  if (section_ == 0) end_vocabulary();
  ++section_;
  part_ = Part::header;
  if (!is_blank(line)) take_header(line);
}

void ArpaReader::end_vocabulary() {
  for (Word word : {sentence_begin, sentence_end}) {
    if (!seen_[static_cast<std::size_t>(word)])
      fail("there is no 1-gram " + std::string(vocabulary_.word(static_cast<std::size_t>(word))) +
           "; sentences need their beginning and end");
  }
  unknown_word_missing_ = !seen_[unknown_word];
  if (!unknown_word_missing_) return;
  sections_[0].rows.push_back(unknown_word);
  sections_[0].weights.push_back({log10_of_missing_unknown_word, 0});
  sections_[0].lines.push_back(no_line);
}

// Sorts rows by their words; a row that is there twice is a mistake, unless both only fill a gap.
void ArpaReader::sort_section(std::size_t index) {
  Section& section = sections_[index];
  const std::size_t width = index + 1;
  const std::size_t count = section.weights.size();
  const auto row = [&](std::size_t i) { return section.rows.data() + i * width; };
  bool equal_go_first = false;
  const auto before = [&](std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < width; ++i) {
      if (row(a)[i] != row(b)[i]) return row(a)[i] < row(b)[i];
    }
    return a < b && equal_go_first;
  };
  std::size_t ascending = 1;  // our own files are sorted
  while (ascending < count && before(ascending - 1, ascending)) ++ascending;
  if (ascending >= count) return;
  std::vector<std::size_t> sorted(count);
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  equal_go_first = true;  // so that the second of two is the one that is reported
  std::sort(sorted.begin(), sorted.end(), before);
  std::vector<Word> rows;
  std::vector<Weights> weights;
  std::vector<std::uint32_t> lines;
  lines.reserve(section.lines.size());
  rows.reserve(section.rows.size());
  weights.reserve(section.weights.size());
  for (std::size_t i : sorted) {
    const bool again = !weights.empty() && std::equal(row(i), row(i) + width, rows.end() - static_cast<std::ptrdiff_t>(width));
    if (again && section.lines[i] == no_line) continue;
    if (again)
      throw ArpaError("the " + std::to_string(width) + "-gram " + text_of(row(i), width) + " is there twice",
                      section.first_line + section.lines[i]);
    rows.insert(rows.end(), row(i), row(i) + width);
    weights.push_back(section.weights[i]);
    lines.push_back(section.lines[i]);
  }
  section.rows = std::move(rows);
  section.lines = std::move(lines);
  section.weights = std::move(weights);
}

// Adds every n-gram without its first word, where that is missing: pruned models lack some, and look-ups want to stop at the
// first n-gram that is not there. An n-gram without its last word is its context; one that is missing has no back-off weight,
// so the file is wrong.
void ArpaReader::fill_suffixes() {
  for (std::size_t index = sections_.size(); index-- > 2;) {
    const Section& section = sections_[index];
    Section& shorter = sections_[index - 1];
    const std::size_t width = index;  // of the shorter rows
    // The rows that begin with the same word are neighbours: only these are searched.
    std::vector<std::size_t> group(static_cast<std::size_t>(vocabulary_.size()) + 1, 0);
    for (std::size_t i = 0; i < shorter.rows.size(); i += width) ++group[static_cast<std::size_t>(shorter.rows[i]) + 1];
    std::partial_sum(group.begin(), group.end(), group.begin());
    const auto known = [&, count = shorter.weights.size()](const Word* row) {
      std::size_t low = group[static_cast<std::size_t>(row[0])], high = group[static_cast<std::size_t>(row[0]) + 1];
      while (low < high) {
        const std::size_t middle = (low + high) / 2;
        const Word* other = shorter.rows.data() + middle * width;
        if (std::lexicographical_compare(other, other + width, row, row + width)) low = middle + 1; else high = middle;
      }
      return low < count && std::equal(row, row + width, shorter.rows.data() + low * width);
    };
    std::vector<Word> gaps;
    const Word* previous = nullptr;
    const Word* without_context = nullptr;
    std::uint32_t line = no_line;
    for (std::size_t i = 0; i < section.weights.size(); ++i) {
      const Word* row = section.rows.data() + i * (width + 1);
      const bool same_context = previous != nullptr && std::equal(row, row + width, previous);
      if (!same_context && !known(row)) {
        gaps.insert(gaps.end(), row, row + width);  // that of a row that fills a gap fills one itself
        if (section.lines[i] < line) {
          without_context = row;
          line = section.lines[i];
        }
      }
      if (!known(row + 1)) gaps.insert(gaps.end(), row + 1, row + 1 + width);
      previous = row;
    }
    if (without_context != nullptr)
      throw ArpaError("the " + std::to_string(width + 1) + "-gram " + text_of(without_context, width + 1) + " has the context " +
                          text_of(without_context, width) + ", which is not among the " + ngrams_of(width),
                      section.first_line + line);
    if (gaps.empty()) continue;
    shorter.rows.insert(shorter.rows.end(), gaps.begin(), gaps.end());
    shorter.weights.resize(shorter.rows.size() / width, Weights{missing, 0});
    shorter.lines.resize(shorter.weights.size(), no_line);
    sort_section(index - 1);
  }
}

Trie ArpaReader::build_trie(int threads) const {
  Trie trie;
  trie.levels.resize(sections_.size());
  for (std::size_t index = 0; index < sections_.size(); ++index) {
    const Section& section = sections_[index];
    const std::size_t width = index + 1, count = section.weights.size();
    if (count > most_ngrams) throw std::length_error("too many n-grams of one order");
    Level& level = trie.levels[index];
    for (std::size_t i = 0; i < count; ++i) level.word.push_back(section.rows[(i + 1) * width - 1]);
    if (index == 0) continue;
    // Rows and their contexts ascend together.
    const Section& contexts = sections_[index - 1];
    auto& first_child = trie.levels[index - 1].first_child;
    first_child.push_back(0);
    for (std::size_t i = 0; i < count; ++i) {
      const Word* row = section.rows.data() + i * width;
      while (!std::equal(row, row + index, contexts.rows.data() + (first_child.size() - 1) * index))
        first_child.push_back(static_cast<Node>(i));
    }
    first_child.resize(contexts.weights.size() + 1, static_cast<Node>(count));
  }
  link_suffixes(trie, threads);
  return trie;
}

// An n-gram that was missing gets the probability that backing off gives it: nothing changes.
std::int64_t ArpaReader::fill_gaps(const Trie& trie, Probabilities& probabilities) const {
  std::int64_t filled = 0;
  for (std::size_t n = 1; n < trie.levels.size(); ++n) {
    const auto& first_child = trie.levels[n - 1].first_child;
    auto& log10_p = probabilities.log10_p;
    for (std::size_t context = 0; context + 1 < first_child.size(); ++context) {
      for (Node child = first_child[context]; child < first_child[context + 1]; ++child) {
        if (!std::isnan(log10_p[n][child])) continue;
        log10_p[n][child] = probabilities.log10_backoff[n - 1][context] + log10_p[n - 1][trie.levels[n].suffix[child]];
        ++filled;
      }
    }
  }
  return filled;
}

ArpaModel ArpaReader::finish() {
  if (!rest_.empty()) {
    take_line(rest_);
    rest_.clear();
  }
  if (part_ == Part::before_data) fail("the file has no content, expected '\\data\\'");
  if (part_ != Part::after_end) fail("the file ends without '\\end\\'; the copy may be incomplete");
  for (std::size_t index = 0; index < sections_.size(); ++index) sort_section(index);
  fill_suffixes();
  const Trie trie = build_trie(1);
  Probabilities probabilities;
  for (const Section& section : sections_) {
    std::vector<float> log10_p, log10_backoff;
    for (const Weights& weights : section.weights) {
      log10_p.push_back(weights.log10_p);
      log10_backoff.push_back(weights.log10_backoff);
    }
    probabilities.log10_p.push_back(std::move(log10_p));
    probabilities.log10_backoff.push_back(std::move(log10_backoff));
  }
  sections_.clear();
  ArpaModel result;
  result.unknown_word_missing = unknown_word_missing_;
  result.filled = fill_gaps(trie, probabilities);
  result.model = build_model(trie, probabilities);
  result.vocabulary = std::move(vocabulary_);
  result.vocabulary.index();
  return result;
}

std::string ArpaWriter::head() const {
  std::string text = "\\data\\\n";
  for (std::size_t i = 0; i < sizes_.size(); ++i)
    text += "ngram " + std::to_string(i + 1) + "=" + std::to_string(sizes_[i]) + "\n";
  return text;
}

void ArpaWriter::write_ngram(std::string& text, std::size_t row) const {
  append_number(text, listing_.weights[row].log10_p);
  const auto width = static_cast<std::size_t>(order_);
  for (std::size_t i = 0; i < width; ++i) {
    text += i == 0 ? '\t' : ' ';
    text += vocabulary_.word(listing_.rows[row * width + i]);
  }
  if (order_ < model_.order()) {
    text += '\t';
    append_number(text, listing_.weights[row].log10_backoff);
  }
  text += '\n';
}

std::string ArpaWriter::next() {
  if (order_ == 0) {
    order_ = 1;
    listing_ = list_words(model_);
    return head() + "\n\\1-grams:\n";
  }
  std::string text;
  if (order_ > model_.order()) return text;
  const std::int64_t rows = std::min(static_cast<std::int64_t>(listing_.weights.size() - row_), rows_in_block);
  std::vector<std::string> pieces(static_cast<std::size_t>((rows + rows_in_piece - 1) / rows_in_piece));
  parallel_blocks(rows, rows_in_piece, threads_, [&](std::int64_t begin, std::int64_t end, int) {
    std::string& piece = pieces[static_cast<std::size_t>(begin / rows_in_piece)];
    for (std::int64_t row = begin; row < end; ++row) write_ngram(piece, row_ + static_cast<std::size_t>(row));
  });
  for (const std::string& piece : pieces) text += piece;
  row_ += static_cast<std::size_t>(rows);
  if (row_ < listing_.weights.size()) return text;
  row_ = 0;
  if (++order_ > model_.order()) return text + "\n\\end\\\n";
  listing_ = list_longer(model_, listing_, threads_);
  return text + "\n\\" + ngrams_of(static_cast<std::size_t>(order_)) + ":\n";
}

}  // namespace paragauge::lm
