#include "bind/cover.hpp"

#include <nanobind/ndarray.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "bind/arrays.hpp"
#include "phrases/cover.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using paragauge::In;
using paragauge::InStrings;
using paragauge::size;

void split(std::string_view line, paragauge::WordList& words) {
  paragauge::split_words(line, words);
  if (words.size() >= (std::size_t{1} << 30)) throw std::invalid_argument("a line has too many words");
}

constexpr std::size_t kFixedColumns = 4;  // matched, words, paraphrased, unproven

// Keeps the arrays of its tables alive.
class Matcher {
 public:
  Matcher(int min_length, std::int64_t exact_steps) : options_{min_length, exact_steps} {
    if (min_length < 1) throw std::invalid_argument("min_length must be at least 1");
    if (exact_steps < 0) throw std::invalid_argument("exact_steps must not be negative");
  }

  void add(InStrings phrases, In<std::int64_t> rows, In<std::int32_t> sets, In<std::uint8_t> known,
           std::int64_t set_count) {
    paragauge::check_ends(phrases, "phrases");
    const std::int64_t count = size(phrases.second) - 1;
    if (size(rows) != count + 1 || size(known) != count)
      throw std::invalid_argument("rows and known: need one for each phrase");
    paragauge::check_offsets(rows.data(), size(rows), size(sets), "rows");
    for (std::int64_t k = 0; k < size(sets); ++k)
      if (sets.data()[k] < 0 || sets.data()[k] >= set_count) throw std::invalid_argument("sets: out of range");
    tables_.push_back({paragauge::phrase_index(phrases), rows.data(), sets.data(), known.data(), set_count});
    kept_.push_back({std::move(phrases), std::move(rows), std::move(sets), std::move(known)});
  }

  nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>> rows(InStrings candidate_texts, InStrings reference_texts,
                                                         In<std::int64_t> groups, int threads) const {
    const auto candidates = paragauge::words(candidate_texts, "candidates");
    const auto references = paragauge::words(reference_texts, "references");
    paragauge::check_offsets(groups.data(), size(groups), references.count, "groups");
    if (size(groups) != candidates.count + 1)
      throw std::invalid_argument("groups: needs one entry more than there are candidates");
    paragauge::check_threads(threads);
    std::int64_t most = 0;
    for (std::int64_t i = 0; i < candidates.count; ++i) most = std::max(most, groups.data()[i + 1] - groups.data()[i]);
    const auto segments = static_cast<std::size_t>(candidates.count);
    const std::size_t width = kFixedColumns + 2 * static_cast<std::size_t>(most);
    auto data = std::make_unique<std::int64_t[]>(segments * width);
    {
      nb::gil_scoped_release release;
      std::vector<std::unique_ptr<paragauge::CoverFinder>> finders(static_cast<std::size_t>(threads));
      paragauge::parallel_blocks(candidates.count, 16, threads, [&](std::int64_t begin, std::int64_t end, int thread) {
        auto& finder = finders[static_cast<std::size_t>(thread)];
        if (!finder) finder = std::make_unique<paragauge::CoverFinder>(tables_, options_);
        paragauge::WordList candidate;
        std::vector<paragauge::WordList> group;
        for (std::int64_t i = begin; i < end; ++i) {
          split(candidates[i], candidate);
          group.resize(static_cast<std::size_t>(groups.data()[i + 1] - groups.data()[i]));
          for (std::size_t r = 0; r < group.size(); ++r)
            split(references[groups.data()[i] + static_cast<std::int64_t>(r)], group[r]);
          finder->load(candidate, group);
          fill(*finder, candidate, group, data.get() + static_cast<std::size_t>(i) * width);
        }
      });
    }
    std::int64_t* raw = data.release();
    nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<std::int64_t*>(p); });
    return nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>>(raw, {segments, width}, owner);
  }

  // One segment in detail: matches as tuples, marks of the candidate, and for each reference by itself its marks.
  nb::tuple explain(InStrings candidate_texts, InStrings reference_texts) const {
    const auto candidates = paragauge::words(candidate_texts, "candidates");
    const auto references = paragauge::words(reference_texts, "references");
    if (candidates.count != 1) throw std::invalid_argument("expected one candidate");
    paragauge::WordList candidate;
    std::vector<paragauge::WordList> group(static_cast<std::size_t>(references.count));
    split(candidates[0], candidate);
    for (std::int64_t r = 0; r < references.count; ++r) split(references[r], group[static_cast<std::size_t>(r)]);
    paragauge::CoverFinder finder(tables_, options_);
    finder.load(candidate, group);
    nb::list matches, marks, own;
    const paragauge::Cover& all = finder.cover_all();
    for (const paragauge::PhraseMatch& each : all.matches)
      matches.append(nb::make_tuple(each.reference, each.candidate_begin, each.candidate_length, each.reference_begin,
                                    each.reference_length, each.counts));
    for (const paragauge::WordMark mark : all.candidate) own.append(static_cast<int>(mark));
    for (std::size_t r = 0; r < group.size(); ++r) {
      nb::list one;
      const auto number = static_cast<std::int32_t>(r);
      for (const paragauge::WordMark mark : finder.cover_one(number).references[r]) one.append(static_cast<int>(mark));
      marks.append(one);
    }
    return nb::make_tuple(matches, own, marks);
  }

 private:
  struct Kept {
    InStrings phrases;
    In<std::int64_t> rows;
    In<std::int32_t> sets;
    In<std::uint8_t> known;
  };

  static void fill(paragauge::CoverFinder& finder, const paragauge::WordList& candidate,
                   const std::vector<paragauge::WordList>& group, std::int64_t* row) {
    bool proven = true;
    for (std::size_t r = 0; r < group.size(); ++r) {
      const paragauge::Cover& cover = finder.cover_one(static_cast<std::int32_t>(r));
      std::int64_t found = 0;
      for (const paragauge::WordMark mark : cover.references[r]) found += mark != paragauge::WordMark::none;
      row[kFixedColumns + 2 * r] = found;
      row[kFixedColumns + 2 * r + 1] = static_cast<std::int64_t>(group[r].size());
      proven = proven && cover.proven;
      if (group.size() == 1) set_precision(cover, candidate, row);
    }
    if (group.size() != 1) {
      const paragauge::Cover& cover = finder.cover_all();
      proven = proven && cover.proven;
      set_precision(cover, candidate, row);
    }
    row[3] = !proven;
  }

  static void set_precision(const paragauge::Cover& cover, const paragauge::WordList& candidate, std::int64_t* row) {
    row[0] = cover.matched;
    row[1] = static_cast<std::int64_t>(candidate.size());
    row[2] = cover.paraphrased;
  }

  paragauge::CoverOptions options_;
  std::vector<paragauge::PhraseSets> tables_;
  std::vector<Kept> kept_;
};

}  // namespace

void bind_cover(nb::module_& m) {
  nb::class_<Matcher>(m, "PhraseMatcher", "Matches phrases that share a set, then single words.")
      .def(nb::init<int, std::int64_t>(), "min_length"_a, "exact_steps"_a)
      .def("add", &Matcher::add, "phrases"_a, nb::kw_only(), "rows"_a, "sets"_a, "known"_a, "set_count"_a,
           "Add a table: sorted phrases, and the sets of each.")
      .def("rows", &Matcher::rows, "candidates"_a, "references"_a, "groups"_a, "threads"_a,
           "Return for each segment: matched words of the candidate, its words, those matched as paraphrases, 1 if a "
           "cover may not be the best, then matched words and words of each reference by itself.")
      .def("explain", &Matcher::explain, "candidates"_a, "references"_a,
           "Return of one segment the matches (reference, begin and length in the candidate, begin and length in the "
           "reference, whether it counts), the marks of the candidate's words and those of each reference's.");
}
