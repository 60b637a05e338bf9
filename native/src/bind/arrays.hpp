// Arrays on their way between Python and the native core.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/sequences.hpp"
#include "base/strings.hpp"
#include "phrases/index.hpp"
#include "phrases/links.hpp"

namespace paragauge {

template <class T>
using In = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using Out = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;

template <class T>
std::int64_t size(const In<T>& array) {
  return static_cast<std::int64_t>(array.shape(0));
}

inline void check_threads(int threads) {
  if (threads < 1) throw std::invalid_argument("threads must be at least 1");
}

inline void check_order(int max_order) {
  if (max_order < 1 || max_order > 1000) throw std::invalid_argument("max_order must lie between 1 and 1000");
}

inline void check_ids(const In<std::int32_t>& ids, std::int64_t low, std::int64_t limit, const char* what) {
  for (std::int64_t k = 0; k < size(ids); ++k)
    if (ids.data()[k] < low || ids.data()[k] >= limit)
      throw std::invalid_argument(std::string(what) + ": a number is out of range");
}

// Sequences and strings are pairs of arrays: all items one after another, and where those of each begin (and the end).
using InSequences = std::pair<In<std::int32_t>, In<std::int64_t>>;
using InStrings = std::pair<In<std::uint8_t>, In<std::int64_t>>;

// What is wrong is said of `what`, the name of the argument.
inline Sequences sequences(const InSequences& in, const char* what) {
  const auto& [ids, offsets] = in;
  check_offsets(offsets.data(), size(offsets), size(ids), what);
  return {ids.data(), offsets.data(), size(offsets) - 1};
}

inline Words words(const In<std::uint8_t>& text, const In<std::int64_t>& offsets, const char* what) {
  check_offsets(offsets.data(), size(offsets), size(text), what);
  return {reinterpret_cast<const char*>(text.data()), offsets.data(), size(offsets) - 1};
}

inline Words words(const InStrings& in, const char* what) { return words(in.first, in.second, what); }

// Sentence pairs, and the links of each: a source and a target position in turn.
struct InBitext {
  InSequences source, target, links;
};

inline LinkedBitext linked_bitext(const InBitext& in) {
  const Sequences source = sequences(in.source, "source"), target = sequences(in.target, "target");
  const auto& [positions, offsets] = in.links;
  if (size(positions) % 2 != 0) throw std::invalid_argument("links: needs two positions for each link");
  check_offsets(offsets.data(), size(offsets), size(positions) / 2, "links");
  if (source.count != target.count || size(offsets) != source.count + 1)
    throw std::invalid_argument("source, target and links must have as many sentences");
  const LinkedBitext bitext{source, target, positions.data(), offsets.data()};
  check_links(bitext);
  return bitext;
}

// Only the ends of a text's offsets: reading all of them would cost what memory-mapping saves.
inline bool ends_fit(const InStrings& strings) {
  const auto& [text, offsets] = strings;
  return size(offsets) >= 1 && offsets.data()[0] == 0 && offsets.data()[size(offsets) - 1] == size(text);
}

inline void check_ends(const InStrings& strings, const char* what) {
  if (!ends_fit(strings)) throw std::invalid_argument(std::string(what) + ": the offsets do not fit the text");
}

// Phrases that lie sorted in mapped files.
inline PhraseIndex phrase_index(const InStrings& strings) {
  const auto& [text, offsets] = strings;
  return {reinterpret_cast<const char*>(text.data()), size(text), offsets.data(), size(offsets) - 1};
}

// The array takes the numbers over.
template <class T>
Out<T> out(std::vector<T>&& data) {
  auto* kept = new std::vector<T>(std::move(data));
  nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Out<T>(kept->data(), {kept->size()}, owner);
}

template <class T>
nanobind::ndarray<nanobind::numpy, T> out(std::unique_ptr<T[]> data, std::initializer_list<std::size_t> shape) {
  T* raw = data.release();
  nanobind::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nanobind::ndarray<nanobind::numpy, T>(raw, shape, owner);
}

inline Out<std::uint8_t> out_text(std::vector<char>&& data) {
  auto* kept = new std::vector<char>(std::move(data));
  nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<char>*>(p); });
  return Out<std::uint8_t>(reinterpret_cast<std::uint8_t*>(kept->data()), {kept->size()}, owner);
}

inline nanobind::tuple out_strings(Strings&& strings) {
  return nanobind::make_tuple(out_text(std::move(strings.text)), out(std::move(strings.offsets)));
}

}  // namespace paragauge
