// The Python face of rows of text.
#include "bind/rows.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "bind/arrays.hpp"
#include "text/rows.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace text = paragauge::text;
using paragauge::In;

namespace {

// A column is an array of whole numbers, an array of numbers, or a tuple: all texts one after another, their offsets, and
// perhaps an array that numbers them.
nb::bytes write_rows(nb::list columns, const std::vector<std::string>& separators, int threads) {
  paragauge::check_threads(threads);
  if (columns.size() != separators.size() || columns.size() == 0)
    throw std::invalid_argument("separators: needs one for each column, of which there must be any");
  // Arrays stay where they are as long as these do.
  std::vector<In<std::int64_t>> whole, offsets;
  std::vector<In<double>> numbers;
  std::vector<In<std::uint8_t>> texts;
  std::vector<In<std::int32_t>> indices;
  std::vector<text::Column> made;
  std::int64_t rows = -1;
  const auto check = [&](std::int64_t count) {
    if (rows >= 0 && count != rows) throw std::invalid_argument("columns: all must have as many rows");
    rows = count;
  };
  for (nb::handle column : columns) {
    if (nb::isinstance<nb::tuple>(column)) {
      const auto parts = nb::borrow<nb::tuple>(column);
      if (parts.size() < 2 || parts.size() > 3) throw std::invalid_argument("columns: texts are two arrays or three");
      texts.push_back(nb::cast<In<std::uint8_t>>(parts[0]));
      offsets.push_back(nb::cast<In<std::int64_t>>(parts[1]));
      const auto words = paragauge::words(texts.back(), offsets.back(), "columns");
      const std::int32_t* places = nullptr;
      if (parts.size() == 3) {
        indices.push_back(nb::cast<In<std::int32_t>>(parts[2]));
        paragauge::check_ids(indices.back(), 0, words.count, "columns");
        places = indices.back().data();
      }
      check(places == nullptr ? words.count : paragauge::size(indices.back()));
      made.emplace_back(text::TextColumn{words, places});
    } else if (In<std::int64_t> integers; nb::try_cast(column, integers, false)) {
      whole.push_back(integers);
      check(paragauge::size(integers));
      made.emplace_back(whole.back().data());
    } else {
      numbers.push_back(nb::cast<In<double>>(column, false));
      check(paragauge::size(numbers.back()));
      made.emplace_back(numbers.back().data());
    }
  }
  std::string out;
  {
    nb::gil_scoped_release release;
    out = text::write_rows(rows, made, separators, threads);
  }
  return nb::bytes(out.data(), out.size());
}

}  // namespace

void bind_rows(nb::module_& m) {
  m.def("write_rows", &write_rows, "columns"_a, nb::kw_only(), "separators"_a, "threads"_a,
        "Return lines with a cell of each column, each after its separator. A column is an array of int64, an array of "
        "float64, written as repr does, or a tuple of texts, offsets and perhaps the number of the text of each row.");
}
