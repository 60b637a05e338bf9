// Arrays on their way between Python and the native core.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

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

inline void check_ids(const In<std::int32_t>& ids, std::int64_t low, std::int64_t limit, const char* what) {
  for (std::int64_t k = 0; k < size(ids); ++k)
    if (ids.data()[k] < low || ids.data()[k] >= limit)
      throw std::invalid_argument(std::string(what) + ": a number is out of range");
}

inline Sequences sequences(const In<std::int32_t>& ids, const In<std::int64_t>& offsets, const char* what) {
  check_offsets(offsets.data(), size(offsets), size(ids), what);
  return {ids.data(), offsets.data(), size(offsets) - 1};
}

inline Words words(const In<std::uint8_t>& text, const In<std::int64_t>& offsets, const char* what) {
  check_offsets(offsets.data(), size(offsets), size(text), what);
  return {reinterpret_cast<const char*>(text.data()), offsets.data(), size(offsets) - 1};
}

inline LinkedBitext linked_bitext(const In<std::int32_t>& source_ids, const In<std::int64_t>& source_offsets,
                                  const In<std::int32_t>& target_ids, const In<std::int64_t>& target_offsets,
                                  const In<std::int32_t>& links, const In<std::int64_t>& link_offsets) {
  const Sequences source = sequences(source_ids, source_offsets, "source_offsets");
  const Sequences target = sequences(target_ids, target_offsets, "target_offsets");
  if (size(links) % 2 != 0) throw std::invalid_argument("links: needs two positions for each link");
  check_offsets(link_offsets.data(), size(link_offsets), size(links) / 2, "link_offsets");
  if (source.count != target.count || size(link_offsets) != source.count + 1)
    throw std::invalid_argument("source, target and links must have as many sentences");
  const LinkedBitext bitext{source, target, links.data(), link_offsets.data()};
  check_links(bitext);
  return bitext;
}

// Only the ends of a text's offsets: reading all of them would cost what memory-mapping saves.
inline void check_ends(const In<std::uint8_t>& text, const In<std::int64_t>& offsets, const char* what) {
  const std::int64_t* begin = offsets.data();
  if (size(offsets) < 1 || begin[0] != 0 || begin[size(offsets) - 1] != size(text))
    throw std::invalid_argument(std::string(what) + " do not fit the text");
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
