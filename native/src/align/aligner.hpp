// Word alignment: IBM Model 1 and the HMM in both directions, trained by EM, apart or by agreement.
//
// Direction 0 generates the target from the source, t(f | e), direction 1 the source from the target. Both
// share one table of co-occurring pairs. Training by agreement (Liang, Taskar and Klein, 2006) counts
//   q(i, j) = p0(a_j = i | e, f) p1(b_i = j | e, f)
// for both directions, so that they also share the counts and differ only in how these are normalised. Trained
// apart, the directions never meet: one is trained to its end, then the other in the same room.
//
// Expected counts are integers (multiples of 2^-k): their sum does not depend on the order of the threads,
// and so neither does any result.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "align/jumps.hpp"
#include "align/posterior.hpp"
#include "align/symmetrize.hpp"
#include "align/table.hpp"

namespace paragauge::align {

enum class Model { model1, hmm };

struct Options {
  bool agreement = true;
  double null_probability = 0.1;
  double alpha = 0.001;       // added to every count of a translation table
  double null_alpha = 0.1;    // the same for the null word
  bool leave_one_out = true;  // see OwnCounts
  double jump_smoothing = 1;
  double tension = 0;        // of the diagonal prior in Model 1
  double unseen = 1e-7;      // t of a pair that never occurred together
  double unseen_twin = 0.1;  // the same, if both words are written alike
};

// Links of many sentence pairs: those of pair s are [starts[s], starts[s + 1]), by source, then target.
struct Links {
  std::vector<std::int64_t> starts{0};
  std::vector<std::int32_t> positions;  // source, target, source, target, ...
  std::vector<float> scores;            // product of the two posteriors of each link
  std::vector<double> logp;             // of each sentence pair, [pair][direction]
};

class FixedPointCounts {
 public:
  FixedPointCounts() = default;
  explicit FixedPointCounts(std::int64_t size);
  void add(std::int64_t index, std::int64_t amount) {
    counts_[index].fetch_add(amount, std::memory_order_relaxed);
  }
  std::int64_t take(std::int64_t index) {  // returns the count and sets it to 0
    const std::int64_t count = counts_[index].load(std::memory_order_relaxed);
    counts_[index].store(0, std::memory_order_relaxed);
    return count;
  }
  std::int64_t size() const { return size_; }

 private:
  std::int64_t size_ = 0;
  std::unique_ptr<std::atomic<std::int64_t>[]> counts_;
};

// What training leaves behind: enough to align any text. Tables hold expected counts, and
//   t(f | e) = (counts[0][e, f] + alpha) / (totals[0][e] + alpha F), F the number of target words,
//   t(e | f) = (counts[1][e, f] + alpha) / (totals[1][f] + alpha E).
template <class Real>
struct Parameters {
  Options options;
  Model model = Model::model1;  // of the last iteration
  PairTable table;
  std::array<std::vector<Real>, 2> counts;  // by agreement they are the same, and the second is empty
  std::array<std::vector<Real>, 2> totals;
  std::array<std::vector<Real>, 2> null;  // [0][f] t(f | null), [1][e] t(e | null)
  std::array<JumpTable<Real>, 2> jumps;

  const std::vector<Real>& counts_of(int direction) const {
    return counts[1].empty() ? counts[0] : counts[direction];
  }
};

template <class Real>
struct Workspace {
  Direction<Real> directions[2];
  ExpectedJumps<Real> jumps;
  std::vector<Real> scales[2];
};

// What each cell added to the counts in the last E-step. Training takes it away again before the next one, so
// that a link is judged by the evidence of the other sentences (leaving one out, the mean-field form of a
// collapsed Gibbs sampler: Asuncion et al., 2009). Otherwise a word that occurs once explains every word of
// its sentence. In units of 1 / `unit`: 16 bits are enough beside float parameters.
template <class Real>
struct OwnCounts {
  using Count = std::conditional_t<std::is_same_v<Real, float>, std::uint16_t, std::int64_t>;
  static constexpr double unit = std::is_same_v<Real, float> ? 65535.0 : 1099511627776.0;
  std::vector<Count> counts;  // by agreement of both directions, else of the one that is being trained
};

// Directions [first, last): both, or one of them.
struct Directions {
  int first = 0, last = 2;

  bool has(int direction) const { return first <= direction && direction < last; }
  bool operator==(const Directions& other) const { return first == other.first && last == other.last; }
};
constexpr Directions both_directions{0, 2};

// Posteriors of the directions for sentence pair s. `own` may be null: nothing is taken away then.
template <class Real>
void posteriors(const Parameters<Real>& parameters, const Bitext& bitext, const Cells& cells, std::int64_t s,
                const OwnCounts<Real>* own, Workspace<Real>& workspace, Directions directions = both_directions);

template <class Real>
Links decode(const Parameters<Real>& parameters, const Bitext& bitext, const Cells& cells, Decoding decoding,
             double threshold, int threads);

struct PriorPair {
  std::int32_t source, target;
  double count;
};

// A model of word classes (prefixes, stems) that lends counts to the words: rare words share what is known of
// their relatives. Class pair (c, d) gives strength * t(d | c) t(c | d) to each pair of their words.
template <class Real>
struct CoarseModel {
  const Parameters<Real>* parameters;
  std::vector<std::int32_t> source_classes, target_classes;  // of each word
  double strength;
};

template <class Real>
class Trainer {
 public:
  // The text must outlive the trainer. No sentence is longer than max_length.
  Trainer(const Bitext& bitext, std::int32_t source_words, std::int32_t target_words, int max_length,
          const Options& options, int threads);

  // Counts that are added in every M-step, if the words occur together at all.
  void add_priors(const std::vector<PriorPair>& priors);
  void add_priors(const CoarseModel<Real>& coarse);

  // One iteration of EM, in both directions by agreement, in one if they are trained apart: all steps of the first
  // direction come before those of the second. Returns the log-likelihoods of the text under the parameters before it.
  std::array<double, 2> step(Model model, Directions directions = both_directions);

  // Ends training and frees what only steps need.
  void stop();

  const Parameters<Real>& parameters() const { return parameters_; }
  const Cells& cells() const { return cells_; }
  Parameters<Real> finish() && { return std::move(parameters_); }

 private:
  std::int64_t fixed(double count) const;
  void begin(Directions directions);
  void count_text(Directions directions);
  void count_pair(std::int64_t s, Workspace<Real>& workspace, Directions directions);
  void count_links(std::int64_t s, Workspace<Real>& workspace, Directions directions);
  void count_cell(std::int64_t cell, double posterior);
  void count_jumps(int direction, Workspace<Real>& workspace);
  void maximise_translations(int direction);
  void maximise_null(int direction);
  void maximise_jumps(int direction);

  Bitext bitext_;
  int max_length_, threads_;
  Cells cells_;
  Parameters<Real> parameters_;
  Directions directions_{0, 0};  // what was trained last
  std::vector<std::pair<std::int64_t, std::int64_t>> priors_;  // pair in the table, count
  std::int64_t unit_ = 1;                                      // one, as a fixed-point count
  OwnCounts<Real> own_;           // this and the next one are made when training begins, so that
  FixedPointCounts pair_counts_;  // a model of word classes may have the room before
  std::array<FixedPointCounts, 2> null_counts_, bucket_counts_, context_counts_;
  std::vector<double> logp_;  // [pair][direction]
};

}  // namespace paragauge::align
