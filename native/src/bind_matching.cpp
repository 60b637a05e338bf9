#include "bind_matching.hpp"

#include <nanobind/ndarray.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "parallel.hpp"
#include "staged_links.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::int64_t size(const In<T>& array) {
  return static_cast<std::int64_t>(array.shape(0));
}

template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> out(std::vector<T>&& data) {
  auto* kept = new std::vector<T>(std::move(data));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner);
}

paragauge::Sequences sequences(const In<std::int32_t>& ids, const In<std::int64_t>& offsets, const char* what) {
  paragauge::check_offsets(offsets.data(), size(offsets), size(ids), what);
  return {ids.data(), offsets.data(), size(offsets) - 1};
}

void check_ids(const In<std::int32_t>& ids, std::int64_t low, std::int64_t limit, const char* what) {
  for (std::int64_t k = 0; k < size(ids); ++k)
    if (ids.data()[k] < low || ids.data()[k] >= limit)
      throw std::invalid_argument(std::string(what) + ": a number is out of range");
}

// Links of all pairs: rows (i, j, length in the candidate, length in the reference, stage), where those of each pair
// begin, and whether they are proven best.
nb::tuple link_words(In<std::int32_t> candidate_ids, In<std::int64_t> candidate_offsets, In<std::int32_t> reference_ids,
                     In<std::int64_t> reference_offsets, In<std::int32_t> stems, In<std::int32_t> synsets,
                     In<std::int64_t> synset_offsets, In<std::int32_t> paraphrases, In<std::int64_t> paraphrase_offsets,
                     bool stem, bool synonym, bool joint, std::int64_t max_options, std::int64_t max_steps,
                     int threads) {
  const auto candidates = sequences(candidate_ids, candidate_offsets, "candidate_offsets");
  const auto references = sequences(reference_ids, reference_offsets, "reference_offsets");
  if (candidates.count != references.count) throw std::invalid_argument("every candidate needs one reference");
  const std::int64_t words = size(stems);
  check_ids(candidate_ids, 0, words, "candidate_ids");
  check_ids(reference_ids, 0, words, "reference_ids");
  paragauge::check_offsets(synset_offsets.data(), size(synset_offsets), size(synsets), "synset_offsets");
  if (size(synset_offsets) != words + 1) throw std::invalid_argument("synset_offsets: needs one entry more than there are words");
  if (size(paraphrases) % 4 != 0) throw std::invalid_argument("paraphrases: needs four numbers for each");
  paragauge::check_offsets(paraphrase_offsets.data(), size(paraphrase_offsets), size(paraphrases) / 4, "paraphrase_offsets");
  if (size(paraphrase_offsets) != candidates.count + 1) throw std::invalid_argument("paraphrase_offsets: needs one entry more than there are pairs");
  for (std::int64_t pair = 0; pair < candidates.count; ++pair)
    for (std::int64_t k = paraphrase_offsets.data()[pair]; k < paraphrase_offsets.data()[pair + 1]; ++k) {
      const std::int32_t* row = paraphrases.data() + 4 * k;
      if (row[0] < 0 || row[1] < 0 || row[2] < 1 || row[3] < 1 || row[2] > candidates[pair].size() - row[0] ||
          row[3] > references[pair].size() - row[1])
        throw std::invalid_argument("paraphrases: a link points out of its sentence");
    }
  if (max_options < 1 || max_steps < 1) throw std::invalid_argument("limits must be at least 1");
  if (threads < 1) throw std::invalid_argument("threads must be at least 1");
  std::vector<std::int32_t> rows;
  std::vector<std::int64_t> starts{0};
  std::vector<std::uint8_t> proven(static_cast<std::size_t>(candidates.count));
  {
    nb::gil_scoped_release release;
    const paragauge::WordClasses classes{stems.data(), synsets.data(), synset_offsets.data()};
    const paragauge::StageOptions options{stem, synonym, joint, {max_options, max_steps}};
    std::vector<paragauge::StagedLinks> results(static_cast<std::size_t>(candidates.count));
    paragauge::parallel_blocks(candidates.count, 32, threads, [&](std::int64_t begin, std::int64_t end, int) {
      std::vector<paragauge::Link> phrases;
      for (std::int64_t pair = begin; pair < end; ++pair) {
        phrases.clear();
        for (std::int64_t k = paraphrase_offsets.data()[pair]; k < paraphrase_offsets.data()[pair + 1]; ++k) {
          const std::int32_t* row = paraphrases.data() + 4 * k;
          phrases.push_back({row[0], row[1], row[2], row[3], paragauge::kParaphrase});
        }
        results[static_cast<std::size_t>(pair)] =
            paragauge::link_words(candidates[pair], references[pair], classes, phrases, options);
      }
    });
    for (std::size_t pair = 0; pair < results.size(); ++pair) {
      for (const paragauge::Link& link : results[pair].links)
        rows.insert(rows.end(), {link.i, link.j, link.i_length, link.j_length, link.stage});
      starts.push_back(static_cast<std::int64_t>(rows.size() / 5));
      proven[pair] = results[pair].proven;
    }
  }
  return nb::make_tuple(out(std::move(rows)), out(std::move(starts)), out(std::move(proven)));
}

}  // namespace

void bind_matching(nb::module_& m) {
  m.def("link_words", &link_words, "candidate_ids"_a, "candidate_offsets"_a, "reference_ids"_a, "reference_offsets"_a,
        "stems"_a, "synsets"_a, "synset_offsets"_a, "paraphrases"_a, "paraphrase_offsets"_a, "stem"_a, "synonym"_a,
        "joint"_a, "max_options"_a, "max_steps"_a, "threads"_a,
        "Return the links of each pair of sentences, where those of each begin, and whether they are proven best.");
}
