#include "align/aligner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "align/symmetrize.hpp"
#include "base/parallel.hpp"
#include "base/portable.hpp"

namespace paragauge::align {

namespace {

constexpr std::int64_t sentence_block = 32;
constexpr std::int64_t row_block = 64;

// Below this a posterior is not worth the trip to memory.
template <class Real>
constexpr Real negligible = std::is_same_v<Real, float> ? Real(1e-6) : Real(0);

// The least t of a pair that occurs: without smoothing a count can vanish, and a sentence in which some word
// has no explanation at all would have no posteriors.
template <class Real>
constexpr Real least_t = std::is_same_v<Real, float> ? Real(1e-9) : Real(1e-30);

// Counts lie all over a table that no cache holds: ask for them a few cells ahead.
constexpr std::int64_t cells_ahead = 24;

template <class Real>
Real reciprocal(Real value) {
  return value > 0 ? 1 / value : 0;
}

// The factors 1 / (totals + alpha * words) of the words of one sentence, without what this sentence pair
// added.
template <class Real>
void normalisers(const Parameters<Real>& p, int side, const Span& sentence, std::vector<Real>& own) {
  const std::vector<Real>& totals = p.totals[side];
  const Real prior = static_cast<Real>(p.options.alpha * static_cast<double>(p.totals[1 - side].size()));
  for (std::int64_t i = 0; i < sentence.size(); ++i) {
    const std::int32_t word = sentence.begin[i];
    const bool known = word < static_cast<std::int32_t>(totals.size());
    own[i] = known ? reciprocal(std::max(totals[word] - own[i], Real(0)) + prior) : Real(0);
  }
}

template <class Real>
void fill_null_emissions(const std::vector<Real>& null, const Span& sentence, Real unseen,
                         Direction<Real>& d) {
  for (std::int64_t j = 0; j < sentence.size(); ++j) {
    const std::int32_t word = sentence.begin[j];
    d.null_emission[j] = word < static_cast<std::int32_t>(null.size()) ? null[word] : unseen;
    Real* row = d.emission.data() + j * d.stride;
    std::fill(row + d.states, row + d.stride, Real(0));
  }
}

// The emissions of the directions asked for. Both are filled in one go, since a pair's counts are far to fetch.
template <bool forth_wanted, bool back_wanted, class Real>
void fill_emissions(const Parameters<Real>& p, const Bitext& bitext, const Cells& cells, std::int64_t s,
                    const OwnCounts<Real>* own, Workspace<Real>& workspace) {
  using Count = typename OwnCounts<Real>::Count;
  constexpr Real quantum = static_cast<Real>(1 / OwnCounts<Real>::unit);
  const Span source = bitext.source[s], target = bitext.target[s];
  const std::int64_t start = cells.starts[s], rows = source.size(), columns = target.size();
  const auto unseen = static_cast<Real>(p.options.unseen), twin = static_cast<Real>(p.options.unseen_twin);
  Direction<Real>&forth = workspace.directions[0], &back = workspace.directions[1];
  forth.resize(rows, columns);
  back.resize(columns, rows);
  if (forth_wanted) fill_null_emissions(p.null[0], target, unseen, forth);
  if (back_wanted) fill_null_emissions(p.null[1], source, unseen, back);

  const Count* own_counts = own ? own->counts.data() + start : nullptr;
  std::vector<Real>&source_scales = workspace.scales[0], &target_scales = workspace.scales[1];
  source_scales.assign(static_cast<std::size_t>(rows), Real(0));
  target_scales.assign(static_cast<std::size_t>(columns), Real(0));
  if (own)
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) {
        const Real counted = own_counts[i * columns + j] * quantum;
        if (forth_wanted) source_scales[i] += counted;
        if (back_wanted) target_scales[j] += counted;
      }
  if (forth_wanted) normalisers(p, 0, source, source_scales);
  if (back_wanted) normalisers(p, 1, target, target_scales);

  const Real *forth_counts = p.counts_of(0).data(), *back_counts = p.counts_of(1).data();
  const auto pairs = static_cast<std::uint32_t>(p.table.size());
  const auto alpha = static_cast<Real>(p.options.alpha);
  const std::uint32_t* cell = cells.pairs.data() + start;
  const auto last_cell = static_cast<std::int64_t>(cells.pairs.size());
  for (std::int64_t i = 0, index = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j, ++index) {
      Real &t = forth.emission[j * forth.stride + i], &u = back.emission[i * back.stride + j];
      const std::uint32_t pair = cell[index];
      if (start + index + cells_ahead < last_cell) {
        if (forth_wanted) prefetch(forth_counts + cell[index + cells_ahead]);
        if (back_wanted && (!forth_wanted || back_counts != forth_counts))
          prefetch(back_counts + cell[index + cells_ahead]);
      }
      if (pair >= pairs) {
        t = u = pair == pairs ? unseen : twin;
        continue;
      }
      const Real counted = own ? own_counts[index] * quantum : Real(0);
      // Rounding may leave less than nothing.
      if (forth_wanted)
        t = std::max((std::max(forth_counts[pair] - counted, Real(0)) + alpha) * source_scales[i], least_t<Real>);
      if (back_wanted)
        u = std::max((std::max(back_counts[pair] - counted, Real(0)) + alpha) * target_scales[j], least_t<Real>);
    }
}

}  // namespace

FixedPointCounts::FixedPointCounts(std::int64_t size)
    : size_(size), counts_(new std::atomic<std::int64_t>[static_cast<std::size_t>(size)]) {
  for (std::int64_t i = 0; i < size; ++i) counts_[i].store(0, std::memory_order_relaxed);
}

template <class Real>
void posteriors(const Parameters<Real>& p, const Bitext& bitext, const Cells& cells, std::int64_t s,
                const OwnCounts<Real>* own, Workspace<Real>& workspace, Directions directions) {
  if (directions == both_directions)
    fill_emissions<true, true>(p, bitext, cells, s, own, workspace);
  else if (directions.has(0))
    fill_emissions<true, false>(p, bitext, cells, s, own, workspace);
  else
    fill_emissions<false, true>(p, bitext, cells, s, own, workspace);
  for (int direction = directions.first; direction < directions.last; ++direction) {
    Direction<Real>& d = workspace.directions[direction];
    if (p.model == Model::hmm)
      hmm_posteriors(d, p.jumps[direction], p.options.null_probability);
    else
      model1_posteriors(d, p.options.null_probability, p.options.tension);
  }
}

template <class Real>
Trainer<Real>::Trainer(const Bitext& bitext, std::int32_t source_words, std::int32_t target_words,
                       int max_length, const Options& options, int threads)
    : bitext_(bitext), max_length_(max_length), threads_(threads),
      parameters_{options,
                  Model::model1,
                  {},
                  {},
                  {},
                  {},
                  {JumpTable<Real>(max_length, options.null_probability),
                   JumpTable<Real>(max_length, options.null_probability)}} {
  PairTable& table = parameters_.table;
  index_bitext(bitext, source_words, target_words, threads, table, cells_);
  // No count exceeds the number of tokens and priors: fixed-point counts get the binary digits that this
  // leaves.
  const double tokens = static_cast<double>(
      std::max(bitext.source.offsets[bitext.source.count], bitext.target.offsets[bitext.target.count]));
  int digits = 40;
  while (digits > 16 && (tokens + (1 << 20)) * std::ldexp(1.0, digits) > 4e18) --digits;
  unit_ = std::int64_t{1} << digits;

  // The first E-step sees uniform tables: a count of one for every pair.
  std::array<std::vector<Real>, 2>& totals = parameters_.totals;
  totals[0].assign(static_cast<std::size_t>(source_words), Real(0));
  totals[1].assign(static_cast<std::size_t>(target_words), Real(0));
  for (std::int32_t e = 0; e < source_words; ++e)
    totals[0][e] = static_cast<Real>(table.rows[e + 1] - table.rows[e]);
  for (const std::int32_t f : table.columns) totals[1][f] += 1;
  for (int direction = 0; direction < 2; ++direction) {
    const std::size_t generated = totals[1 - direction].size();
    parameters_.null[direction].assign(generated, static_cast<Real>(1.0 / std::max<double>(1, generated)));
    null_counts_[direction] = FixedPointCounts(static_cast<std::int64_t>(generated));
    bucket_counts_[direction] = FixedPointCounts(JumpBuckets::count);
    context_counts_[direction] = FixedPointCounts(JumpTable<Real>::contexts(max_length));
    if (direction == 1 && options.agreement) break;
    parameters_.counts[direction].assign(static_cast<std::size_t>(table.size()), Real(1));
  }
  logp_.assign(static_cast<std::size_t>(2 * bitext.source.count), 0.0);
}

template <class Real>
std::int64_t Trainer<Real>::fixed(double count) const {
  return std::llround(count * static_cast<double>(unit_));
}

template <class Real>
void Trainer<Real>::add_priors(const std::vector<PriorPair>& priors) {
  for (const PriorPair& prior : priors)
    if (const std::int64_t pair = parameters_.table.find(prior.source, prior.target); pair >= 0)
      priors_.emplace_back(pair, fixed(prior.count));
}

template <class Real>
void Trainer<Real>::add_priors(const CoarseModel<Real>& coarse) {
  constexpr double least = 0.02;  // below, the classes know nothing worth lending
  const Parameters<Real>& p = *coarse.parameters;
  const double prior[2] = {p.options.alpha * static_cast<double>(p.totals[1].size()),
                           p.options.alpha * static_cast<double>(p.totals[0].size())};
  const PairTable& table = parameters_.table;
  const std::int64_t blocks = (table.source_words() + row_block - 1) / row_block;
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> found(static_cast<std::size_t>(blocks));
  parallel_blocks(table.source_words(), row_block, threads_, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t e = begin; e < end; ++e) {
      const std::int32_t c = coarse.source_classes[e];
      for (std::int64_t pair = table.rows[e]; pair < table.rows[e + 1]; ++pair) {
        const std::int32_t d = coarse.target_classes[table.columns[pair]];
        const std::int64_t classes = p.table.find(c, d);
        if (classes < 0) continue;
        const double t = p.counts_of(0)[classes] / (p.totals[0][c] + prior[0]);
        const double u = p.counts_of(1)[classes] / (p.totals[1][d] + prior[1]);
        if (t * u > least) found[begin / row_block].emplace_back(pair, fixed(coarse.strength * t * u));
      }
    }
  });
  for (const auto& block : found) priors_.insert(priors_.end(), block.begin(), block.end());
}

template <class Real>
void Trainer<Real>::begin(Directions directions) {
  if (directions == directions_) return;
  const bool joint = directions == both_directions, fresh = directions_.last == 0;
  if (joint != parameters_.options.agreement)
    throw std::logic_error("by agreement both directions are trained at once, apart one at a time");
  if (!fresh && directions.first < directions_.last)
    throw std::logic_error("the training of this direction has ended");
  if (fresh) pair_counts_ = FixedPointCounts(parameters_.table.size());
  if (parameters_.options.leave_one_out) own_.counts.assign(cells_.pairs.size(), 0);
  directions_ = directions;
}

template <class Real>
void Trainer<Real>::stop() {
  directions_ = {2, 2};  // nothing comes after it
  own_ = {};
  pair_counts_ = {};
}

template <class Real>
std::array<double, 2> Trainer<Real>::step(Model model, Directions directions) {
  begin(directions);
  parameters_.model = model;
  count_text(directions);
  maximise_translations(directions.first);
  for (int direction = directions.first; direction < directions.last; ++direction) {
    maximise_null(direction);
    if (model == Model::hmm) maximise_jumps(direction);
  }
  std::array<double, 2> logp{0, 0};
  for (std::size_t s = 0; s < logp_.size(); s += 2) {
    logp[0] += logp_[s];
    logp[1] += logp_[s + 1];
  }
  return logp;
}

template <class Real>
void Trainer<Real>::count_text(Directions directions) {
  std::vector<Workspace<Real>> workspaces(static_cast<std::size_t>(threads_));
  parallel_blocks(bitext_.source.count, sentence_block, threads_,
                  [&](std::int64_t begin, std::int64_t end, int thread) {
                    for (std::int64_t s = begin; s < end; ++s) count_pair(s, workspaces[thread], directions);
                  });
}

template <class Real>
void Trainer<Real>::count_pair(std::int64_t s, Workspace<Real>& workspace, Directions directions) {
  if (bitext_.source[s].size() == 0 || bitext_.target[s].size() == 0) return;  // nothing to learn from
  const OwnCounts<Real>* own = parameters_.options.leave_one_out ? &own_ : nullptr;
  posteriors(parameters_, bitext_, cells_, s, own, workspace, directions);
  count_links(s, workspace, directions);
  for (int direction = directions.first; direction < directions.last; ++direction) {
    logp_[2 * s + direction] = workspace.directions[direction].logp;
    if (parameters_.model == Model::hmm) count_jumps(direction, workspace);
  }
}

template <class Real>
void Trainer<Real>::count_links(std::int64_t s, Workspace<Real>& workspace, Directions directions) {
  const Direction<Real>&forth = workspace.directions[0], &back = workspace.directions[1];
  const bool agreement = parameters_.options.agreement;
  std::int64_t cell = cells_.starts[s];
  for (std::int64_t i = 0; i < back.observations; ++i)
    for (std::int64_t j = 0; j < forth.observations; ++j, ++cell) {
      const double p = forth.posterior[j * forth.stride + i], q = back.posterior[i * back.stride + j];
      if (agreement)
        count_cell(cell, p * q);
      else
        count_cell(cell, directions.has(0) ? p : q);
    }
  const Span generated[2] = {bitext_.target[s], bitext_.source[s]};
  for (int direction = directions.first; direction < directions.last; ++direction) {
    const Direction<Real>& d = workspace.directions[direction];
    for (std::int64_t j = 0; j < d.observations; ++j)
      null_counts_[direction].add(generated[direction].begin[j], fixed(d.null_posterior[j]));
  }
}

template <class Real>
void Trainer<Real>::count_cell(std::int64_t cell, double posterior) {
  std::int64_t count = 0;
  if (parameters_.options.leave_one_out) {  // what is counted must be exactly what is taken away later
    using Own = OwnCounts<Real>;
    const auto units = static_cast<std::int64_t>(posterior * Own::unit + 0.5);
    own_.counts[cell] = static_cast<typename Own::Count>(units);
    if (units > 0) count = fixed(static_cast<double>(units) / Own::unit);
  } else if (posterior > negligible<Real>) {
    count = fixed(posterior);
  }
  if (count > 0) pair_counts_.add(cells_.pairs[cell], count);
}

template <class Real>
void Trainer<Real>::count_jumps(int direction, Workspace<Real>& workspace) {
  const Direction<Real>& d = workspace.directions[direction];
  ExpectedJumps<Real>& expected = workspace.jumps;
  expected_jumps(d, parameters_.jumps[direction], expected);
  std::array<double, JumpBuckets::count> buckets{};
  const auto length = static_cast<int>(d.states);
  const Real* inner = expected.inner.data() + max_length_ + JumpTable<Real>::padding;
  for (int width = 1 - length; width < length; ++width) buckets[JumpBuckets::of(width)] += inner[width];
  FixedPointCounts& contexts = context_counts_[direction];
  for (int i = 0; i < length; ++i) {
    buckets[JumpBuckets::first(i + 1)] += expected.first[i];
    buckets[JumpBuckets::last(length - i)] += expected.last[i];
    contexts.add(JumpTable<Real>::context(length, i), fixed(expected.leaving[i]));
  }
  buckets[JumpBuckets::last(length + 1)] += expected.nothing;
  contexts.add(JumpTable<Real>::context(length, -1), fixed(expected.starts));
  for (int b = 0; b < JumpBuckets::count; ++b)
    if (buckets[b] > 0) bucket_counts_[direction].add(b, fixed(buckets[b]));
}

// By agreement the counts of direction 0 are those of both.
template <class Real>
void Trainer<Real>::maximise_translations(int direction) {
  const bool agreement = parameters_.options.agreement;
  const PairTable& table = parameters_.table;
  std::vector<Real>& parameters = parameters_.counts[direction];
  for (const auto& [pair, count] : priors_) pair_counts_.add(pair, count);
  FixedPointCounts source_totals(table.source_words()), target_totals(table.target_words);
  parallel_blocks(table.source_words(), row_block, threads_, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t e = begin; e < end; ++e) {
      std::int64_t total = 0;
      for (std::int64_t pair = table.rows[e]; pair < table.rows[e + 1]; ++pair) {
        const std::int64_t count = pair_counts_.take(pair);
        parameters[pair] = static_cast<Real>(static_cast<double>(count) / unit_);
        if (count == 0) continue;
        total += count;
        if (agreement || direction == 1) target_totals.add(table.columns[pair], count);
      }
      source_totals.add(e, total);
    }
  });
  for (int side = 0; side < 2; ++side) {
    if (!agreement && side != direction) continue;
    FixedPointCounts& totals = side == 0 ? source_totals : target_totals;
    for (std::int64_t w = 0; w < totals.size(); ++w)
      parameters_.totals[side][w] = static_cast<Real>(static_cast<double>(totals.take(w)) / unit_);
  }
}

template <class Real>
void Trainer<Real>::maximise_null(int direction) {
  std::vector<Real>& null = parameters_.null[direction];
  const auto alpha = static_cast<std::int64_t>(fixed(parameters_.options.null_alpha));
  std::vector<std::int64_t> counts(null.size());
  double total = 0;
  for (std::size_t w = 0; w < null.size(); ++w) {
    counts[w] = null_counts_[direction].take(static_cast<std::int64_t>(w)) + alpha;
    total += static_cast<double>(counts[w]);
  }
  for (std::size_t w = 0; w < null.size(); ++w)
    null[w] = static_cast<Real>(total > 0 ? static_cast<double>(counts[w]) / total : 0);
}

template <class Real>
void Trainer<Real>::maximise_jumps(int direction) {
  JumpCounts counts;
  const auto take = [&](FixedPointCounts& fixed_counts, std::vector<double>& into) {
    into.resize(static_cast<std::size_t>(fixed_counts.size()));
    for (std::size_t i = 0; i < into.size(); ++i)
      into[i] = static_cast<double>(fixed_counts.take(static_cast<std::int64_t>(i))) / unit_;
  };
  take(bucket_counts_[direction], counts.buckets);
  take(context_counts_[direction], counts.contexts);
  parameters_.jumps[direction].maximise(counts, parameters_.options.jump_smoothing);
}

namespace {

template <class Real>
void directional_links(const Parameters<Real>& p, Workspace<Real>& workspace, int direction,
                       std::vector<std::int32_t>& links) {
  const Direction<Real>& d = workspace.directions[direction];
  if (p.model == Model::hmm)
    hmm_viterbi(d, p.jumps[direction], p.options.null_probability, links);
  else
    model1_viterbi(d, links);
}

}  // namespace

template <class Real>
Links decode(const Parameters<Real>& p, const Bitext& bitext, const Cells& cells, Decoding decoding,
             double threshold, int threads) {
  const std::int64_t count = bitext.source.count;
  Links links;
  links.logp.assign(static_cast<std::size_t>(2 * count), 0.0);
  links.starts.assign(static_cast<std::size_t>(count) + 1, 0);
  const std::int64_t blocks = (count + sentence_block - 1) / sentence_block;
  std::vector<std::vector<std::int32_t>> positions(static_cast<std::size_t>(blocks));
  std::vector<std::vector<float>> scores(static_cast<std::size_t>(blocks));
  std::vector<Workspace<Real>> workspaces(static_cast<std::size_t>(threads));
  parallel_blocks(count, sentence_block, threads, [&](std::int64_t begin, std::int64_t end, int thread) {
    Workspace<Real>& workspace = workspaces[thread];
    const Direction<Real>&forth = workspace.directions[0], &back = workspace.directions[1];
    std::vector<std::int32_t> directional[2];
    LinkGrid grid;
    auto& block_positions = positions[begin / sentence_block];
    auto& block_scores = scores[begin / sentence_block];
    for (std::int64_t s = begin; s < end; ++s) {
      const std::int64_t rows = bitext.source[s].size(), columns = bitext.target[s].size();
      if (rows == 0 || columns == 0) continue;
      posteriors(p, bitext, cells, s, static_cast<const OwnCounts<Real>*>(nullptr), workspace);
      links.logp[2 * s] = forth.logp;
      links.logp[2 * s + 1] = back.logp;
      const auto score = [&](std::int64_t i, std::int64_t j) {
        return double(forth.posterior[j * forth.stride + i]) * double(back.posterior[i * back.stride + j]);
      };
      grid.reset(rows, columns);
      if (decoding == Decoding::agreement) {
        for (std::int64_t i = 0; i < rows; ++i)
          for (std::int64_t j = 0; j < columns; ++j)
            if (score(i, j) >= threshold) grid.take(i, j);
      } else {
        for (int direction = 0; direction < 2; ++direction)
          directional_links(p, workspace, direction, directional[direction]);
        for (std::int64_t j = 0; j < columns; ++j)
          if (directional[0][j] >= 0) grid.add(directional[0][j], j, LinkGrid::forward);
        for (std::int64_t i = 0; i < rows; ++i)
          if (directional[1][i] >= 0) grid.add(i, directional[1][i], LinkGrid::backward);
        symmetrize(grid, decoding);
      }
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
          if (grid.kept(i, j)) {
            block_positions.push_back(static_cast<std::int32_t>(i));
            block_positions.push_back(static_cast<std::int32_t>(j));
            block_scores.push_back(static_cast<float>(score(i, j)));
            ++links.starts[s + 1];
          }
    }
  });
  for (std::int64_t s = 0; s < count; ++s) links.starts[s + 1] += links.starts[s];
  for (std::int64_t block = 0; block < blocks; ++block) {
    links.positions.insert(links.positions.end(), positions[block].begin(), positions[block].end());
    links.scores.insert(links.scores.end(), scores[block].begin(), scores[block].end());
  }
  return links;
}

#define PARAGAUGE_INSTANTIATE(Real)                                                            \
  template class Trainer<Real>;                                                                \
  template void posteriors(const Parameters<Real>&, const Bitext&, const Cells&, std::int64_t, \
                           const OwnCounts<Real>*, Workspace<Real>&, Directions);                          \
  template Links decode(const Parameters<Real>&, const Bitext&, const Cells&, Decoding, double, int);
PARAGAUGE_INSTANTIATE(float)
PARAGAUGE_INSTANTIATE(double)
#undef PARAGAUGE_INSTANTIATE

}  // namespace paragauge::align
