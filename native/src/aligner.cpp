#include "aligner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "parallel.hpp"
#include "symmetrize.hpp"

namespace paragauge::align {

namespace {

constexpr std::int64_t sentence_block = 32;
constexpr std::int64_t row_block = 64;

// exp(digamma(x)), the mean-field weight of a Dirichlet count. Small x underflows to 0 at once; otherwise x is
// moved up by the recurrence digamma(x) = digamma(x + 1) - 1 / x and the asymptotic series of
// exp(digamma(y + 1/2)) taken, which is good to 1e-12 there.
double exp_digamma(double x) {
  if (x < 0.01) return 0;  // below exp(-100)
  double shift = 0;
  for (; x < 9; ++x) shift += 1 / x;
  const double y = x - 0.5, z = 1 / (y * y);
  const double series =
      y + (1 / y) * (1.0 / 24 + z * (-37.0 / 5760 + z * (10313.0 / 2903040 - z * 5509121.0 / 1393459200)));
  return shift == 0 ? series : series * std::exp(-shift);
}

double weight_of(double count, double alpha, bool variational) {
  return variational ? exp_digamma(count + alpha) : count + alpha;
}

// Below this a posterior is not worth the trip to memory.
template <class Real>
constexpr Real negligible = std::is_same_v<Real, float> ? Real(1e-6) : Real(0);

template <class Real>
void fill_emissions(const Parameters<Real>& p, const Bitext& bitext, const Cells& cells, std::int64_t s,
                    Workspace<Real>& workspace) {
  const Span source = bitext.source[s], target = bitext.target[s];
  Direction<Real>&forth = workspace.directions[0], &back = workspace.directions[1];
  forth.resize(source.size(), target.size());
  back.resize(target.size(), source.size());
  const Real *forth_weights = p.weights_of(0).data(), *back_weights = p.weights_of(1).data();
  const auto pairs = static_cast<std::uint32_t>(p.table.size());
  const auto unseen = static_cast<Real>(p.options.unseen), twin = static_cast<Real>(p.options.unseen_twin);
  const auto source_words = static_cast<std::int32_t>(p.scales[0].size());
  const auto target_words = static_cast<std::int32_t>(p.scales[1].size());
  const std::uint32_t* cell = cells.pairs.data() + cells.starts[s];
  std::vector<Real>& target_scales = workspace.sums;
  target_scales.resize(static_cast<std::size_t>(target.size()));
  for (std::int64_t j = 0; j < target.size(); ++j) {
    const std::int32_t f = target.begin[j];
    const bool known = f < target_words;
    target_scales[j] = known ? p.scales[1][f] : Real(0);
    forth.null_emission[j] = known ? p.null[0][f] : unseen;
    Real* row = forth.emission.data() + j * forth.stride;
    std::fill(row + source.size(), row + forth.stride, Real(0));
  }
  for (std::int64_t i = 0; i < source.size(); ++i) {
    const std::int32_t e = source.begin[i];
    const bool known = e < source_words;
    const Real scale = known ? p.scales[0][e] : Real(0);
    back.null_emission[i] = known ? p.null[1][e] : unseen;
    Real* row = back.emission.data() + i * back.stride;
    for (std::int64_t j = 0; j < target.size(); ++j) {
      const std::uint32_t pair = *cell++;
      if (pair < pairs) {
        forth.emission[j * forth.stride + i] = std::max(forth_weights[pair] * scale, unseen);
        row[j] = std::max(back_weights[pair] * target_scales[j], unseen);
      } else {
        forth.emission[j * forth.stride + i] = row[j] = pair == pairs ? unseen : twin;
      }
    }
    std::fill(row + target.size(), row + back.stride, Real(0));
  }
}

}  // namespace

FixedPointCounts::FixedPointCounts(std::int64_t size)
    : size_(size), counts_(new std::atomic<std::int64_t>[static_cast<std::size_t>(size)]) {
  for (std::int64_t i = 0; i < size; ++i) counts_[i].store(0, std::memory_order_relaxed);
}

template <class Real>
void posteriors(const Parameters<Real>& p, const Bitext& bitext, const Cells& cells, std::int64_t s,
                Workspace<Real>& workspace) {
  fill_emissions(p, bitext, cells, s, workspace);
  for (int direction = 0; direction < 2; ++direction) {
    Direction<Real>& d = workspace.directions[direction];
    if (p.model == Model::hmm)
      hmm_posteriors(d, p.jumps[direction], p.options.null_probability);
    else
      model1_posteriors(d, p.options.null_probability, p.options.tension);
  }
}

template <class Real>
Trainer<Real>::Trainer(const Bitext& bitext, std::int32_t source_words, std::int32_t target_words,
                       int max_length, const Options& options, const std::vector<PriorPair>& priors, int threads)
    : bitext_(bitext), max_length_(max_length), threads_(threads),
      parameters_{options, Model::model1, {}, {}, {}, {},
                  {JumpTable<Real>(max_length, options.null_probability),
                   JumpTable<Real>(max_length, options.null_probability)}} {
  PairTable& table = parameters_.table;
  index_bitext(bitext, source_words, target_words, threads, table, cells_);
  const std::int64_t tokens =
      std::max(bitext.source.offsets[bitext.source.count], bitext.target.offsets[bitext.target.count]);
  // No count exceeds the number of tokens (and the priors): as many binary digits as that leaves, but 40.
  int digits = 40;
  while (digits > 20 && static_cast<double>(tokens + 1024) * std::ldexp(1.0, digits) > 4e18) --digits;
  unit_ = std::ldexp(1.0, digits);
  for (const PriorPair& prior : priors)
    if (const std::int64_t pair = table.find(prior.source, prior.target); pair >= 0)
      priors_.emplace_back(pair, fixed(prior.count));

  const std::int32_t words[2] = {source_words, target_words};
  for (int side = 0; side < 2; ++side) row_sizes_[side].assign(static_cast<std::size_t>(words[side]), 0);
  for (std::int32_t e = 0; e < source_words; ++e)
    row_sizes_[0][e] = static_cast<std::int32_t>(table.rows[e + 1] - table.rows[e]);
  for (const std::int32_t f : table.columns) ++row_sizes_[1][f];

  for (int direction = 0; direction < 2; ++direction) {
    if (direction == 0 || !options.agreement) {
      parameters_.weights[direction].assign(static_cast<std::size_t>(table.size()), Real(1));
      pair_counts_[direction] = FixedPointCounts(table.size());
    }
    auto& scales = parameters_.scales[direction];
    scales.resize(static_cast<std::size_t>(words[direction]));
    for (std::int32_t w = 0; w < words[direction]; ++w)
      scales[w] = static_cast<Real>(1.0 / std::max(row_sizes_[direction][w], 1));
    const std::int32_t generated = words[1 - direction];
    parameters_.null[direction].assign(static_cast<std::size_t>(generated),
                                       static_cast<Real>(1.0 / std::max(generated, 1)));
    null_counts_[direction] = FixedPointCounts(generated);
    bucket_counts_[direction] = FixedPointCounts(JumpBuckets::count);
    context_counts_[direction] = FixedPointCounts(JumpTable<Real>::contexts(max_length));
  }
  logp_.assign(static_cast<std::size_t>(2 * bitext.source.count), 0.0);
}

template <class Real>
std::int64_t Trainer<Real>::fixed(double count) const {
  return std::llround(count * unit_);
}

template <class Real>
std::array<double, 2> Trainer<Real>::step(Model model) {
  parameters_.model = model;
  std::vector<Workspace<Real>> workspaces(static_cast<std::size_t>(threads_));
  parallel_blocks(bitext_.source.count, sentence_block, threads_,
                  [&](std::int64_t begin, std::int64_t end, int thread) {
                    for (std::int64_t s = begin; s < end; ++s) count_pair(s, workspaces[thread]);
                  });
  maximise_translations();
  for (int direction = 0; direction < 2; ++direction) {
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
void Trainer<Real>::count_pair(std::int64_t s, Workspace<Real>& workspace) {
  if (bitext_.source[s].size() == 0 || bitext_.target[s].size() == 0) return;  // nothing to learn from
  posteriors(parameters_, bitext_, cells_, s, workspace);
  count_links(s, workspace);
  for (int direction = 0; direction < 2; ++direction) {
    logp_[2 * s + direction] = workspace.directions[direction].logp;
    if (parameters_.model == Model::hmm) count_jumps(direction, workspace);
  }
}

template <class Real>
void Trainer<Real>::count_links(std::int64_t s, Workspace<Real>& workspace) {
  const Direction<Real>&forth = workspace.directions[0], &back = workspace.directions[1];
  const std::uint32_t* cell = cells_.pairs.data() + cells_.starts[s];
  const bool agreement = parameters_.options.agreement;
  for (std::int64_t i = 0; i < forth.states; ++i)
    for (std::int64_t j = 0; j < back.states; ++j, ++cell) {
      const Real p = forth.posterior[j * forth.stride + i], q = back.posterior[i * back.stride + j];
      if (agreement) {
        if (p * q > negligible<Real>) pair_counts_[0].add(*cell, fixed(double(p) * double(q)));
      } else {
        if (p > negligible<Real>) pair_counts_[0].add(*cell, fixed(p));
        if (q > negligible<Real>) pair_counts_[1].add(*cell, fixed(q));
      }
    }
  const Span generated[2] = {bitext_.target[s], bitext_.source[s]};
  for (int direction = 0; direction < 2; ++direction) {
    const Direction<Real>& d = workspace.directions[direction];
    for (std::int64_t j = 0; j < d.observations; ++j)
      null_counts_[direction].add(generated[direction].begin[j], fixed(d.null_posterior[j]));
  }
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

template <class Real>
void Trainer<Real>::maximise_translations() {
  const Options& options = parameters_.options;
  const PairTable& table = parameters_.table;
  for (int direction = 0; direction < (options.agreement ? 1 : 2); ++direction) {
    FixedPointCounts& counts = pair_counts_[direction];
    std::vector<Real>& weights = parameters_.weights[direction];
    for (const auto& [pair, count] : priors_) counts.add(pair, count);
    FixedPointCounts source_totals(table.source_words()), target_totals(table.target_words);
    parallel_blocks(table.source_words(), row_block, threads_, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t e = begin; e < end; ++e) {
        std::int64_t total = 0;
        for (std::int64_t pair = table.rows[e]; pair < table.rows[e + 1]; ++pair) {
          const std::int64_t count = counts.take(pair);
          weights[pair] = static_cast<Real>(weight_of(count / unit_, options.alpha, options.variational));
          if (count == 0) continue;
          total += count;
          if (options.agreement || direction == 1) target_totals.add(table.columns[pair], count);
        }
        source_totals.add(e, total);
      }
    });
    for (int side = 0; side < 2; ++side) {
      if (!options.agreement && side != direction) continue;
      FixedPointCounts& totals = side == 0 ? source_totals : target_totals;
      std::vector<Real>& scales = parameters_.scales[side];
      for (std::int64_t w = 0; w < totals.size(); ++w) {
        const double total = weight_of(totals.take(w) / unit_, options.alpha * row_sizes_[side][w], options.variational);
        scales[w] = static_cast<Real>(total > 1e-30 ? 1 / total : 0);  // a row that nothing supports any more
      }
    }
  }
}

template <class Real>
void Trainer<Real>::maximise_null(int direction) {
  const Options& options = parameters_.options;
  std::vector<Real>& null = parameters_.null[direction];
  FixedPointCounts& counts = null_counts_[direction];
  std::vector<double> taken(null.size());
  double total = 0;
  for (std::size_t w = 0; w < null.size(); ++w) total += taken[w] = counts.take(static_cast<std::int64_t>(w)) / unit_;
  const double alpha = options.null_alpha;
  const double scale = weight_of(total, alpha * static_cast<double>(null.size()), options.variational);
  for (std::size_t w = 0; w < null.size(); ++w)
    null[w] = static_cast<Real>(scale > 0 ? weight_of(taken[w], alpha, options.variational) / scale : 0);
}

template <class Real>
void Trainer<Real>::maximise_jumps(int direction) {
  JumpCounts counts;
  const auto take = [&](FixedPointCounts& fixed_counts, std::vector<double>& into) {
    into.resize(static_cast<std::size_t>(fixed_counts.size()));
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = fixed_counts.take(static_cast<std::int64_t>(i)) / unit_;
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
      posteriors(p, bitext, cells, s, workspace);
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

#define PARAGAUGE_INSTANTIATE(Real)                                                                             \
  template class Trainer<Real>;                                                                                 \
  template void posteriors(const Parameters<Real>&, const Bitext&, const Cells&, std::int64_t, Workspace<Real>&); \
  template Links decode(const Parameters<Real>&, const Bitext&, const Cells&, Decoding, double, int);
PARAGAUGE_INSTANTIATE(float)
PARAGAUGE_INSTANTIATE(double)
#undef PARAGAUGE_INSTANTIATE

}  // namespace paragauge::align
