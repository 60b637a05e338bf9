// A language model over arrays that Python owns, perhaps mapped from files.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lm/model.hpp"
#include "lm/vocabulary.hpp"

namespace paragauge {

template <class T, int dimensions>
using Input = nanobind::ndarray<const T, nanobind::ndim<dimensions>, nanobind::c_contig, nanobind::device::cpu>;

class HeldModel {
 public:
  HeldModel(Input<float, 2> unigrams, std::vector<Input<std::uint64_t, 2>> tables, Input<std::uint8_t, 1> bytes,
            Input<std::int64_t, 1> offsets, Input<std::uint64_t, 1> slots)
      : unigrams_(unigrams), tables_(std::move(tables)), bytes_(bytes), offsets_(offsets), slots_(slots),
        model_(view()),
        vocabulary_(bytes.data(), static_cast<std::int64_t>(bytes.shape(0)), offsets.data(), model_.words(), slots.data(),
                    static_cast<std::int64_t>(slots.shape(0))) {}

  const lm::Model& model() const { return model_; }
  const lm::Vocabulary& vocabulary() const { return vocabulary_; }

 private:
  lm::Model view() const {
    const auto words = static_cast<std::int64_t>(unigrams_.shape(0));
    if (unigrams_.shape(1) != 2) throw std::invalid_argument("unigrams: needs two columns");
    if (words < lm::first_ordinary_word || words > 0x7fffffff)
      throw std::invalid_argument("unigrams: needs between 3 and 2^31 - 1 rows");
    if (static_cast<std::int64_t>(offsets_.shape(0)) != words + 1)
      throw std::invalid_argument("word offsets: needs one entry more than there are unigrams");
    if (slots_.shape(0) > lm::most_ngrams) throw std::invalid_argument("word slots: too many");
    if (tables_.size() >= static_cast<std::size_t>(lm::highest_order)) throw std::invalid_argument("tables: too many orders");
    std::vector<lm::Table> tables;
    for (const auto& table : tables_) {
      if (table.shape(1) != 2 || table.shape(0) < 1 || table.shape(0) > lm::most_ngrams)
        throw std::invalid_argument("tables: needs two columns and between 1 and 2^32 - 16 rows");
      tables.push_back({reinterpret_cast<const lm::Slot*>(table.data()), static_cast<std::int64_t>(table.shape(0))});
    }
    return {reinterpret_cast<const lm::Weights*>(unigrams_.data()), words, std::move(tables)};
  }


 protected:
  Input<float, 2> unigrams_;
  std::vector<Input<std::uint64_t, 2>> tables_;
  Input<std::uint8_t, 1> bytes_;
  Input<std::int64_t, 1> offsets_;
  Input<std::uint64_t, 1> slots_;
  lm::Model model_;
  lm::Vocabulary vocabulary_;
};

}  // namespace paragauge
