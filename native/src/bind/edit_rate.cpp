#include "bind/edit_rate.hpp"

#include <memory>
#include <stdexcept>
#include <vector>

#include "bind/arrays.hpp"
#include "matching/edit_rate.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using paragauge::In;
using paragauge::InSequences;
using paragauge::out;
using paragauge::sequences;
using paragauge::size;

// Costs are 32-bit numbers, and so are positions.
void check_length(std::int64_t words, const char* what) {
  if (words >= (1 << 26)) throw std::invalid_argument(std::string(what) + ": a sentence is too long");
}

void check_lengths(const paragauge::Sequences& all, const char* what) {
  for (std::int64_t i = 0; i < all.count; ++i) check_length(all[i].size(), what);
}

nb::ndarray<nb::numpy, std::int64_t> edit_counts(InSequences candidate_ids, InSequences reference_ids,
                                                 In<std::int64_t> groups, int threads) {
  const auto candidates = sequences(candidate_ids, "candidates"), references = sequences(reference_ids, "references");
  check_lengths(candidates, "candidates");
  check_lengths(references, "references");
  paragauge::check_offsets(groups.data(), size(groups), references.count, "groups");
  if (size(groups) != candidates.count + 1)
    throw std::invalid_argument("groups: needs one entry more than there are candidates");
  paragauge::check_threads(threads);
  const auto rows = static_cast<std::size_t>(references.count);
  auto counts = std::make_unique<std::int64_t[]>(rows * 4);
  {
    nb::gil_scoped_release release;
    paragauge::edit_counts(candidates, references, groups.data(), threads, counts.get());
  }
  return out(std::move(counts), {rows, 4});
}

// The shifts of one pair, three numbers each, and the edits after them.
nb::tuple edit_path(In<std::int32_t> candidate, In<std::int32_t> reference) {
  check_length(size(candidate), "candidate");
  check_length(size(reference), "reference");
  std::vector<std::int32_t> shifts;
  std::vector<std::uint8_t> edits;
  {
    nb::gil_scoped_release release;
    paragauge::EditRate search;
    search.find({candidate.data(), candidate.data() + size(candidate)},
                {reference.data(), reference.data() + size(reference)});
    for (const paragauge::Shift& shift : search.shifts())
      shifts.insert(shifts.end(), {shift.start, shift.length, shift.to});
    for (const paragauge::Edit edit : search.edits()) edits.push_back(static_cast<std::uint8_t>(edit));
  }
  return nb::make_tuple(out(std::move(shifts)), out(std::move(edits)));
}

}  // namespace

void bind_edit_rate(nb::module_& m) {
  m.def("edit_counts", &edit_counts, "candidates"_a, "references"_a, "groups"_a, nb::kw_only(), "threads"_a,
        "Return an array (references, 4): insertions, deletions, substitutions and shifts that turn a candidate into "
        "each of its references.");
  m.def("edit_path", &edit_path, "candidate"_a, "reference"_a,
        "Return the shifts of a candidate (start, length, new start, one after another) and the edits after them, from "
        "left to right: 0 keep, 1 substitute, 2 insert, 3 delete.");
}
