// ARPA files: block by block in, block by block out.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lm/model.hpp"
#include "lm/trie.hpp"
#include "lm/vocabulary.hpp"

namespace paragauge::lm {

// What is wrong with a file, and in which line (from 1).
struct ArpaError : std::runtime_error {
  ArpaError(const std::string& message, std::int64_t number) : std::runtime_error(message), line(number) {}
  std::int64_t line;
};

struct ArpaModel {
  VocabularyArrays vocabulary;
  ModelArrays model;
  std::int64_t filled = 0;            // n-grams that were missing although longer ones end with them
  bool unknown_word_missing = false;  // <unk> was not in the file
};

// Takes the file in blocks of any size. Memory: 4 bytes for each word of each n-gram, and 12 for the rest of it.
class ArpaReader {
 public:
  ArpaReader();
  void feed(std::string_view block);
  ArpaModel finish();

 private:
  enum class Part { before_data, counts, header, ngrams, after_end };

  // The n-grams of one order as they stand in the file, one a line.
  struct Section {
    std::int64_t expected = 0;
    std::int64_t first_line = 0;
    std::vector<Word> rows;
    std::vector<Weights> weights;
    std::vector<std::uint32_t> lines;  // after first_line; no_line if the row only fills a gap
  };
  static constexpr std::uint32_t no_line = 0xffffffffu;

  void take_line(std::string_view line);
  void take_count(std::string_view line);
  void take_header(std::string_view line);
  void take_ngram(std::string_view line);
  void end_section(std::string_view line);
  Word new_word(std::string_view text);
  Word known_word(std::string_view text) const;
  [[noreturn]] void fail(const std::string& message) const;

  void end_vocabulary();
  void sort_section(std::size_t section);
  void fill_suffixes();
  std::string text_of(const Word* row, std::size_t width) const;
  Trie build_trie(int threads) const;
  std::int64_t fill_gaps(const Trie& trie, Probabilities& probabilities) const;

  Part part_ = Part::before_data;
  std::int64_t line_ = 0;
  std::string rest_;  // a line that continues in the next block
  std::vector<Section> sections_;
  std::size_t section_ = 0;  // the one under way
  VocabularyArrays vocabulary_;
  std::vector<bool> seen_{false, false, false};
  std::vector<std::string_view> fields_;
  bool unknown_word_missing_ = false;
};

// Gives the text of a model in blocks; an empty one says that it is over. N-grams are sorted by the numbers of their words.
// The text does not depend on the number of threads.
class ArpaWriter {
 public:
  ArpaWriter(const Model& model, const Vocabulary& vocabulary, std::vector<std::int64_t> sizes, int threads)
      : model_(model), vocabulary_(vocabulary), sizes_(std::move(sizes)), threads_(threads) {}

  std::string next();

 private:
  std::string head() const;
  void write_ngram(std::string& text, std::size_t row) const;

  const Model& model_;
  const Vocabulary& vocabulary_;
  std::vector<std::int64_t> sizes_;
  int threads_;
  Listing listing_;
  int order_ = 0;  // the one under way; 0 before the head
  std::size_t row_ = 0;
};

}  // namespace paragauge::lm
