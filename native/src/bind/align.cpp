#include "bind/align.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "align/aligner.hpp"
#include "bind/arrays.hpp"
#include "bind/structs.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace paragauge;
using namespace paragauge::align;

namespace {

template <class T>
using Vector = In<T>;
template <class T>
using Array = nb::ndarray<nb::numpy, T>;

template <class T>
Array<T> to_numpy(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Array<T>(owned->data(), shape, owner);
}

template <class T>
Array<T> to_numpy(std::vector<T> values) {
  const std::size_t size = values.size();
  return to_numpy(std::move(values), {size});
}

template <class T>
std::vector<T> to_vector(const Vector<T>& values) {
  return std::vector<T>(values.data(), values.data() + values.shape(0));
}

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

// One side of a bitext, copied: what Python does to its arrays meanwhile is its own affair.
struct Text {
  std::vector<std::int32_t> ids;
  std::vector<std::int64_t> offsets;

  Text(const InSequences& in, std::int64_t max_length, const char* what)
      : ids(to_vector(in.first)), offsets(to_vector(in.second)) {
    check_offsets(offsets.data(), static_cast<std::int64_t>(offsets.size()),
                  static_cast<std::int64_t>(ids.size()), what);
    for (std::size_t s = 1; s < offsets.size(); ++s)
      require(offsets[s] - offsets[s - 1] <= max_length, "a sentence is longer than max_length");
    for (const std::int32_t id : ids) require(id >= 0, "token ids must not be negative");
  }
  std::int32_t largest() const { return ids.empty() ? -1 : *std::max_element(ids.begin(), ids.end()); }
  Sequences view() const {
    return {ids.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
  }
};

struct TextPair {
  Text source, target;

  TextPair(const InSequences& in_source, const InSequences& in_target, int max_length)
      : source(in_source, max_length, "source"), target(in_target, max_length, "target") {
    require(source.offsets.size() == target.offsets.size(),
            "source and target differ in their number of sentences");
  }
  Bitext view() const { return {source.view(), target.view()}; }
};

void check_probability(double value, const char* message) { require(value >= 0 && value < 1, message); }

void check_options(const Options& options) {
  check_probability(options.null_probability, "null_probability must lie in [0, 1)");
  check_probability(options.unseen, "unseen must lie in [0, 1)");
  check_probability(options.unseen_twin, "unseen_twin must lie in [0, 1)");
  for (const double value : {options.alpha, options.null_alpha, options.jump_smoothing, options.tension})
    require(value >= 0 && value <= 1e6, "priors must lie between 0 and a million");
}

Decoding decoding_of(const std::string& name) {
  static const std::vector<std::pair<const char*, Decoding>> names = {
      {"agreement", Decoding::agreement},
      {"forward", Decoding::forward},
      {"backward", Decoding::backward},
      {"intersection", Decoding::intersection},
      {"union", Decoding::union_},
      {"grow-diag", Decoding::grow_diag},
      {"grow-diag-final", Decoding::grow_diag_final},
      {"grow-diag-final-and", Decoding::grow_diag_final_and},
  };
  for (const auto& [known, decoding] : names)
    if (name == known) return decoding;
  throw std::invalid_argument("no method named " + name);
}

Directions directions_of(const std::string& name) {
  if (name == "both") return both_directions;
  if (name == "forward") return {0, 1};
  if (name == "backward") return {1, 2};
  throw std::invalid_argument("no direction named " + name);
}

nb::tuple to_python(Links links) {
  const std::size_t count = links.scores.size(), pairs = links.starts.size() - 1;
  return nb::make_tuple(to_numpy(std::move(links.starts)), to_numpy(std::move(links.positions), {count, 2}),
                        to_numpy(std::move(links.scores)), to_numpy(std::move(links.logp), {pairs, 2}));
}

template <class Real>
class Aligner {
 public:
  explicit Aligner(Parameters<Real> parameters) : parameters_(std::move(parameters)) {}

  nb::tuple links(const InSequences& source, const InSequences& target, const Vector<std::int32_t>& twins,
                  const std::string& method, double threshold, int threads) const {
    const Decoding decoding = decoding_of(method);
    const TextPair text(source, target, parameters_.jumps[0].max_length());
    const std::vector<std::int32_t> twin_words = checked_twins(twins, text);
    require(threads >= 1, "threads must be at least 1");
    Links found;
    {
      nb::gil_scoped_release release;
      const Cells cells = locate(text.view(), parameters_.table, twin_words, threads);
      found = decode(parameters_, text.view(), cells, decoding, threshold, threads);
    }
    return to_python(std::move(found));
  }

  nb::tuple posteriors(const Vector<std::int32_t>& source_ids, const Vector<std::int32_t>& target_ids,
                       const Vector<std::int32_t>& twins) const {
    const std::int64_t ends[2][2] = {{0, static_cast<std::int64_t>(source_ids.shape(0))},
                                     {0, static_cast<std::int64_t>(target_ids.shape(0))}};
    const std::size_t shape[1] = {2};
    const TextPair text({source_ids, Vector<std::int64_t>(ends[0], 1, shape)},
                        {target_ids, Vector<std::int64_t>(ends[1], 1, shape)}, parameters_.jumps[0].max_length());
    require(ends[0][1] > 0 && ends[1][1] > 0, "both sentences need a token");
    const Cells cells = locate(text.view(), parameters_.table, checked_twins(twins, text), 1);
    Workspace<Real> workspace;
    align::posteriors(parameters_, text.view(), cells, 0, static_cast<const OwnCounts<Real>*>(nullptr),
                      workspace);
    return nb::make_tuple(matrix(workspace.directions[0]), matrix(workspace.directions[1]),
                          workspace.directions[0].logp, workspace.directions[1].logp);
  }

  const Parameters<Real>& parameters() const { return parameters_; }

  nb::dict arrays() const {
    nb::dict arrays;
    const Parameters<Real>& p = parameters_;
    arrays["rows"] = to_numpy(p.table.rows);
    arrays["columns"] = to_numpy(p.table.columns);
    for (int direction = 0; direction < 2; ++direction) {
      const std::string suffix = direction == 0 ? "_forward" : "_backward";
      arrays[("counts" + suffix).c_str()] = to_numpy(p.counts[direction]);
      arrays[("totals" + suffix).c_str()] = to_numpy(p.totals[direction]);
      arrays[("null" + suffix).c_str()] = to_numpy(p.null[direction]);
      arrays[("jumps" + suffix).c_str()] = to_numpy(p.jumps[direction].weights());
    }
    return arrays;
  }

 private:
  static std::vector<std::int32_t> checked_twins(const Vector<std::int32_t>& twins, const TextPair& text) {
    require(static_cast<std::int64_t>(twins.shape(0)) > text.source.largest(), "twins is too short");
    return to_vector(twins);
  }

  static Array<double> matrix(const Direction<Real>& d) {  // [observation][state], null last
    const std::int64_t width = d.states + 1;
    std::vector<double> values(static_cast<std::size_t>(d.observations * width));
    for (std::int64_t j = 0; j < d.observations; ++j) {
      for (std::int64_t i = 0; i < d.states; ++i) values[j * width + i] = d.posterior[j * d.stride + i];
      values[j * width + d.states] = d.null_posterior[j];
    }
    return to_numpy(std::move(values),
                    {static_cast<std::size_t>(d.observations), static_cast<std::size_t>(width)});
  }

  Parameters<Real> parameters_;
};

template <class Real>
class BoundTrainer {
 public:
  BoundTrainer(const InSequences& source, const InSequences& target, int source_words, int target_words,
               const Options& options, int max_length, int threads)
      : text_(source, target, max_length), threads_(threads) {
    require(threads >= 1, "threads must be at least 1");
    require(text_.source.largest() < source_words, "a source id lies past source_words");
    require(text_.target.largest() < target_words, "a target id lies past target_words");
    nb::gil_scoped_release release;
    trainer_ = std::make_unique<Trainer<Real>>(text_.view(), source_words, target_words, max_length, options,
                                               threads);
  }

  void add_pair_priors(const Vector<std::int32_t>& prior_source, const Vector<std::int32_t>& prior_target,
                       const Vector<double>& prior_counts) {
    require(prior_source.shape(0) == prior_target.shape(0) && prior_source.shape(0) == prior_counts.shape(0),
            "the prior arrays differ in length");
    std::vector<PriorPair> priors;
    for (std::size_t p = 0; p < prior_counts.shape(0); ++p) {
      const PriorPair prior{prior_source(p), prior_target(p), prior_counts(p)};
      require(prior.source >= 0 && prior.target >= 0 && prior.count >= 0 && prior.count <= 1000,
              "a prior is out of range");
      priors.push_back(prior);
    }
    checked()->add_priors(priors);
  }

  void add_class_priors(const Aligner<Real>& coarse, const Vector<std::int32_t>& source_classes,
                        const Vector<std::int32_t>& target_classes, double strength) {
    const Parameters<Real>& own = checked()->parameters();
    const Parameters<Real>& classes = coarse.parameters();
    require(
        source_classes.shape(0) == own.totals[0].size() && target_classes.shape(0) == own.totals[1].size(),
        "one class for each word is needed");
    require(strength >= 0 && strength <= 1000, "strength must lie between 0 and 1000");
    CoarseModel<Real> model{&classes, to_vector(source_classes), to_vector(target_classes), strength};
    for (int side = 0; side < 2; ++side)
      for (const std::int32_t number : side == 0 ? model.source_classes : model.target_classes)
        require(number >= 0 && number < static_cast<std::int32_t>(classes.totals[side].size()),
                "a class is out of range");
    nb::gil_scoped_release release;
    trainer_->add_priors(model);
  }

  std::vector<double> step(bool hmm, const std::string& direction) {
    Trainer<Real>& trainer = *checked();
    const Directions directions = directions_of(direction);
    nb::gil_scoped_release release;
    const auto logp = trainer.step(hmm ? Model::hmm : Model::model1, directions);
    return {logp.begin() + directions.first, logp.begin() + directions.last};
  }

  nb::tuple links(const std::string& method, double threshold) {
    const Decoding decoding = decoding_of(method);
    Trainer<Real>& trainer = *checked();
    Links found;
    {
      nb::gil_scoped_release release;
      trainer.stop();
      found = decode(trainer.parameters(), text_.view(), trainer.cells(), decoding, threshold, threads_);
    }
    return to_python(std::move(found));
  }

  // Moves the parameters out, since a copy of a large table is what the memory may lack.
  Aligner<Real> finish() {
    const auto trainer = std::move(checked());
    return Aligner<Real>(std::move(*trainer).finish());
  }
  std::int64_t pairs() { return checked()->parameters().table.size(); }

 private:
  std::unique_ptr<Trainer<Real>>& checked() {
    if (!trainer_) throw std::logic_error("training is finished");
    return trainer_;
  }

  TextPair text_;
  int threads_;
  std::unique_ptr<Trainer<Real>> trainer_;
};

template <class Real>
std::vector<Real> checked(const nb::dict& arrays, const std::string& name, std::size_t size) {
  const auto values = to_vector(nb::cast<Vector<Real>>(arrays[name.c_str()]));
  require(values.size() == size, (name + ": has the wrong length").c_str());
  for (const Real value : values)
    require(std::isfinite(value) && value >= 0,
            (name + ": must hold finite numbers that are not negative").c_str());
  return values;
}

Aligner<float> aligner_from_arrays(const nb::dict& arrays, const Options& options, bool hmm, int max_length) {
  PairTable table;
  table.rows = to_vector(nb::cast<Vector<std::int64_t>>(arrays["rows"]));
  table.columns = to_vector(nb::cast<Vector<std::int32_t>>(arrays["columns"]));
  check_offsets(table.rows.data(), static_cast<std::int64_t>(table.rows.size()), table.size(), "rows");
  const auto target_words = nb::cast<Vector<float>>(arrays["totals_backward"]).shape(0);
  table.target_words = static_cast<std::int32_t>(target_words);
  for (std::int32_t e = 0; e < table.source_words(); ++e)
    for (std::int64_t pair = table.rows[e]; pair < table.rows[e + 1]; ++pair) {
      require(table.columns[pair] >= 0 && table.columns[pair] < table.target_words,
              "columns: a word is out of range");
      require(pair == table.rows[e] || table.columns[pair - 1] < table.columns[pair], "columns: not sorted");
    }
  const std::size_t words[2] = {static_cast<std::size_t>(table.source_words()), target_words};
  const auto pairs = static_cast<std::size_t>(table.size());
  const double p0 = options.null_probability;
  const auto jumps = [&](const char* name) {
    std::vector<double> weights = checked<double>(arrays, name, JumpBuckets::count);
    for (const double weight : weights) require(weight > 0, "jumps: must be positive");
    return JumpTable<float>(max_length, p0, std::move(weights));
  };
  return Aligner<float>(
      {options,
       hmm ? Model::hmm : Model::model1,
       std::move(table),
       {checked<float>(arrays, "counts_forward", pairs),
        checked<float>(arrays, "counts_backward", options.agreement ? 0 : pairs)},
       {checked<float>(arrays, "totals_forward", words[0]),
        checked<float>(arrays, "totals_backward", words[1])},
       {checked<float>(arrays, "null_forward", words[1]), checked<float>(arrays, "null_backward", words[0])},
       {jumps("jumps_forward"), jumps("jumps_backward")}});
}

// links of both directions in, one alignment out; flat arrays as everywhere, sizes are (pairs, 2).
nb::tuple symmetrize_links(const Vector<std::int32_t>& sizes, const InSequences& forward, const InSequences& backward,
                           const std::string& method) {
  const Decoding decoding = decoding_of(method);
  require(decoding != Decoding::agreement, "agreement is no way to join two alignments");
  const auto pairs = static_cast<std::int64_t>(sizes.shape(0)) / 2;
  for (const auto& [directed, name] : {std::pair{&forward, "forward"}, std::pair{&backward, "backward"}}) {
    const auto& [links, starts] = *directed;
    check_offsets(starts.data(), size(starts), size(links) / 2, name);
    require(size(starts) == pairs + 1, "as many alignments as sizes are needed");
  }
  Links kept;
  LinkGrid grid;
  for (std::int64_t s = 0; s < pairs; ++s) {
    grid.reset(sizes(2 * s), sizes(2 * s + 1));
    const auto add = [&](const InSequences& directed, std::uint8_t from) {
      const auto& [links, starts] = directed;
      for (std::int64_t link = starts(s); link < starts(s + 1); ++link) {
        const std::int32_t i = links(2 * link), j = links(2 * link + 1);
        require(i >= 0 && j >= 0 && i < grid.rows() && j < grid.columns(),
                "a link points past its sentences");
        grid.add(i, j, from);
      }
    };
    add(forward, LinkGrid::forward);
    add(backward, LinkGrid::backward);
    symmetrize(grid, decoding);
    for (std::int32_t i = 0; i < grid.rows(); ++i)
      for (std::int32_t j = 0; j < grid.columns(); ++j)
        if (grid.kept(i, j)) {
          kept.positions.push_back(i);
          kept.positions.push_back(j);
        }
    kept.starts.push_back(static_cast<std::int64_t>(kept.positions.size()) / 2);
  }
  const std::size_t count = kept.positions.size() / 2;
  return nb::make_tuple(to_numpy(std::move(kept.starts)), to_numpy(std::move(kept.positions), {count, 2}));
}

template <class Real>
void bind_trainer(nb::module_& m, const char* trainer, const char* aligner) {
  nb::class_<Aligner<Real>>(m, aligner, "A trained word aligner.")
      .def("links", &Aligner<Real>::links, "source"_a, "target"_a, nb::kw_only(), "twins"_a, "method"_a, "threshold"_a,
           "threads"_a,
           "Return starts, links (n, 2), their scores and the log-probabilities (pairs, 2).")
      .def("posteriors", &Aligner<Real>::posteriors, "source_ids"_a, "target_ids"_a, "twins"_a,
           "Return the posteriors (J, I + 1) and (I, J + 1), null last, and both log-probabilities.")
      .def("arrays", &Aligner<Real>::arrays, "Return the parameters by name.");
  nb::class_<BoundTrainer<Real>>(m, trainer, "EM training of both directions.")
      .def(nb::init<const InSequences&, const InSequences&, int, int, const Options&, int, int>(), "source"_a, "target"_a,
           nb::kw_only(), "source_words"_a, "target_words"_a, "options"_a, "max_length"_a, "threads"_a)
      .def("add_pair_priors", &BoundTrainer<Real>::add_pair_priors, "source"_a, "target"_a, "counts"_a,
           "Add counts to word pairs in every iteration.")
      .def("add_class_priors", &BoundTrainer<Real>::add_class_priors, "coarse"_a, "source_classes"_a,
           "target_classes"_a, "strength"_a, "Add counts that a model of word classes lends to its words.")
      .def("step", &BoundTrainer<Real>::step, "hmm"_a, "direction"_a,
           "Run one iteration in the direction forward, backward or both; return its log-likelihoods before it.")
      .def("links", &BoundTrainer<Real>::links, "method"_a, "threshold"_a,
           "Align the training text, which ends training.")
      .def("finish", &BoundTrainer<Real>::finish, "End training and return the aligner.")
      .def_prop_ro("pairs", &BoundTrainer<Real>::pairs, "How many different word pairs the table holds.");
}

}  // namespace

void bind_align(nb::module_& m) {
  bind_checked_struct(m, "AlignOptions", "Options of the word aligner that reach the native core.", check_options,
                      field("agreement", &Options::agreement), field("null_probability", &Options::null_probability),
                      field("alpha", &Options::alpha), field("null_alpha", &Options::null_alpha),
                      field("leave_one_out", &Options::leave_one_out),
                      field("jump_smoothing", &Options::jump_smoothing), field("tension", &Options::tension),
                      field("unseen", &Options::unseen), field("unseen_twin", &Options::unseen_twin));
  bind_trainer<float>(m, "AlignTrainer", "NativeAligner");
  bind_trainer<double>(m, "AlignTrainer64", "NativeAligner64");
  m.def("aligner_from_arrays", &aligner_from_arrays, "arrays"_a, "options"_a, "hmm"_a, "max_length"_a,
        "Return the aligner that `arrays` came from.");
  m.def("symmetrize_links", &symmetrize_links, "sizes"_a, "forward"_a, "backward"_a, "method"_a, "Join two directed alignments of each sentence pair.");
}
