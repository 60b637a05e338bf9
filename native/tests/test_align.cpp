// The word aligner against obvious re-implementations: posteriors by enumerating every alignment, tables by
// maps.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "align/aligner.hpp"
#include "base/parallel.hpp"
#include "check.hpp"

using namespace paragauge;
using namespace paragauge::align;
using Sentence = std::vector<std::int32_t>;

namespace {

struct Flat {
  std::vector<std::int32_t> ids;
  std::vector<std::int64_t> offsets{0};

  explicit Flat(const std::vector<Sentence>& sentences) {
    for (const Sentence& sentence : sentences) {
      ids.insert(ids.end(), sentence.begin(), sentence.end());
      offsets.push_back(static_cast<std::int64_t>(ids.size()));
    }
  }
  Sequences view() const {
    return {ids.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
  }
};

struct RandomText {
  std::vector<Sentence> source, target;
  Flat flat_source, flat_target;

  explicit RandomText(unsigned seed, int sentences = 30, int words = 12, int longest = 20)
      : source(make(seed, sentences, words, longest)), target(make(seed + 1, sentences, words, longest)),
        flat_source(source), flat_target(target) {}
  Bitext view() const { return {flat_source.view(), flat_target.view()}; }

  static std::vector<Sentence> make(unsigned seed, int sentences, int words, int longest) {
    std::mt19937 random(seed);
    std::vector<Sentence> text(static_cast<std::size_t>(sentences));
    for (Sentence& sentence : text) {
      sentence.resize(random() % static_cast<unsigned>(longest));  // empty ones among them
      for (auto& word : sentence) word = static_cast<std::int32_t>(random() % static_cast<unsigned>(words));
    }
    return text;
  }
};

void tables_hold_exactly_the_pairs_that_meet() {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const RandomText text(seed);
    std::set<std::pair<std::int32_t, std::int32_t>> expected;
    for (std::size_t s = 0; s < text.source.size(); ++s)
      for (auto e : text.source[s])
        for (auto f : text.target[s]) expected.emplace(e, f);
    for (int threads = 1; threads <= 3; ++threads) {
      PairTable table;
      Cells cells;
      index_bitext(text.view(), 12, 12, threads, table, cells);
      CHECK(table.size() == static_cast<std::int64_t>(expected.size()));
      for (const auto& [e, f] : expected) CHECK(table.find(e, f) >= 0);
      CHECK(cells.pairs == locate(text.view(), table, std::vector<std::int32_t>(12, -1), threads).pairs);
      std::size_t cell = 0;
      for (std::size_t s = 0; s < text.source.size(); ++s)
        for (auto e : text.source[s])
          for (auto f : text.target[s]) CHECK(cells.pairs[cell++] == table.find(e, f));
    }
  }
}

void unknown_words_are_unseen_or_twins() {
  const RandomText text(3);
  PairTable table;
  Cells cells;
  index_bitext(text.view(), 12, 12, 1, table, cells);
  const Flat source({{12, 13}}), target({{12, 14}});
  std::vector<std::int32_t> twins(14, -1);
  twins[12] = 12;
  const Cells found = locate({source.view(), target.view()}, table, twins, 1);
  const auto unseen = static_cast<std::uint32_t>(table.size());
  CHECK((found.pairs == std::vector<std::uint32_t>{unseen + 1, unseen, unseen, unseen}));
}

// All alignments of a short sentence, one after the other.
struct Enumerated {
  std::vector<std::vector<double>> posterior;
  double total = 0, best = 0;
  std::vector<std::int32_t> best_links;
};

Enumerated enumerate(const Direction<double>& d, const JumpTable<double>& jumps, double p0) {
  const auto states = static_cast<int>(d.states), steps = static_cast<int>(d.observations);
  Enumerated result;
  result.posterior.assign(static_cast<std::size_t>(steps),
                          std::vector<double>(static_cast<std::size_t>(states) + 1));
  std::vector<std::int32_t> links(static_cast<std::size_t>(steps), 0);
  const double* band = jumps.forward();
  for (;;) {
    double p = 1;
    int last = -1;
    for (int j = 0; j < steps; ++j) {
      const int i = links[j] == states ? -1 : links[j];
      if (i < 0) {
        p *= p0 * d.null_emission[j];
        continue;
      }
      p *= (last < 0 ? jumps.first(states)[i] : jumps.leave(states)[last] * band[i - last]) *
           d.emission[j * d.stride + i];
      last = i;
    }
    p *= last < 0 ? jumps.nothing(states) : jumps.last(states)[last];
    result.total += p;
    for (int j = 0; j < steps; ++j) result.posterior[j][links[j]] += p;
    if (p > result.best) {
      result.best = p;
      result.best_links = links;
    }
    int j = 0;
    while (j < steps && ++links[j] > states) links[j++] = 0;
    if (j == steps) break;
  }
  for (auto& link : result.best_links) link = link == states ? -1 : link;
  return result;
}

void hmm_equals_enumeration() {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0.01, 1);
  for (int round = 0; round < 60; ++round) {
    std::vector<double> weights(JumpBuckets::count);
    for (double& weight : weights) weight = uniform(random);
    const JumpTable<double> jumps(9, 0.2, weights);
    Direction<double> d;
    d.resize(1 + round % 5, 1 + round % 4);
    std::fill(d.emission.begin(), d.emission.end(), 0.0);
    for (std::int64_t j = 0; j < d.observations; ++j) {
      d.null_emission[j] = uniform(random);
      for (std::int64_t i = 0; i < d.states; ++i) d.emission[j * d.stride + i] = uniform(random);
    }
    hmm_posteriors(d, jumps, 0.2);
    const Enumerated expected = enumerate(d, jumps, 0.2);
    CHECK(std::abs(d.logp - std::log(expected.total)) < 1e-10);
    for (std::int64_t j = 0; j < d.observations; ++j) {
      for (std::int64_t i = 0; i < d.states; ++i)
        CHECK(std::abs(d.posterior[j * d.stride + i] - expected.posterior[j][i] / expected.total) < 1e-10);
      CHECK(std::abs(d.null_posterior[j] - expected.posterior[j][d.states] / expected.total) < 1e-10);
    }
    std::vector<std::int32_t> links;
    hmm_viterbi(d, jumps, 0.2, links);
    CHECK(links == expected.best_links);
    ExpectedJumps<double> counted;
    expected_jumps(d, jumps, counted);
    double linked = 0, jumped = 0;  // as many jumps as links, and one to the end
    for (std::int64_t j = 0; j < d.observations; ++j) linked += 1 - d.null_posterior[j];
    for (const double count : counted.inner) jumped += count;
    for (const double count : counted.first) jumped += count;
    CHECK(std::abs(linked - jumped) < 1e-9);
    double left = counted.starts;
    for (const double count : counted.leaving) left += count;
    CHECK(std::abs(left - linked - 1) < 1e-9);
  }
}

void transitions_sum_to_one() {
  const JumpTable<double> jumps(30, 0.25);
  for (int length = 1; length <= 30; ++length) {
    double start = jumps.nothing(length);
    for (int i = 0; i < length; ++i) start += jumps.first(length)[i];
    CHECK(std::abs(start - 0.75) < 1e-12);
    for (int from = 0; from < length; ++from) {
      double sum = jumps.last(length)[from];
      for (int i = 0; i < length; ++i) sum += jumps.leave(length)[from] * jumps.forward()[i - from];
      CHECK(std::abs(sum - 0.75) < 1e-12);
    }
  }
}

Options plain(bool agreement) {
  Options options;
  options.agreement = agreement;
  options.leave_one_out = false;
  options.alpha = options.null_alpha = options.jump_smoothing = options.unseen = 0;
  return options;
}

void independent_training_never_lowers_the_likelihood() {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const RandomText text(seed);
    Trainer<double> trainer(text.view(), 12, 12, 20, plain(false), 1);
    for (int direction = 0; direction < 2; ++direction) {
      double previous = -1e300;
      for (int iteration = 0; iteration < 20; ++iteration) {
        const bool hmm = iteration >= 6;
        if (iteration == 6) previous = -1e300;  // another model, another likelihood
        const double logp =
            trainer.step(hmm ? Model::hmm : Model::model1, {direction, direction + 1})[direction];
        CHECK(logp >= previous - 1e-7);
        previous = logp;
      }
    }
  }
}

// Trained after another direction in the same room, a direction is what it is alone.
void directions_trained_apart_do_not_meet() {
  const RandomText text(7, 100, 30, 20);
  const Bitext swapped{text.view().target, text.view().source};
  for (const bool own : {false, true}) {
    Options options;
    options.agreement = false;
    options.leave_one_out = own;
    Trainer<float> pair(text.view(), 30, 30, 20, options, 2), alone(swapped, 30, 30, 20, options, 1);
    const auto train = [](Trainer<float>& trainer, int direction) {
      std::vector<double> logp;
      for (int iteration = 0; iteration < 6; ++iteration)
        logp.push_back(trainer.step(iteration < 2 ? Model::model1 : Model::hmm,
                                    {direction, direction + 1})[direction]);
      return logp;
    };
    train(pair, 0);
    CHECK(train(pair, 1) == train(alone, 0));
    CHECK(pair.parameters().totals[1] == alone.parameters().totals[0]);
    CHECK(pair.parameters().null[1] == alone.parameters().null[0]);
    CHECK_THROWS(pair.step(Model::hmm, {0, 1}), std::logic_error);
    CHECK_THROWS(pair.step(Model::hmm), std::logic_error);
    pair.stop();
    CHECK_THROWS(pair.step(Model::hmm, {1, 2}), std::logic_error);
  }
}

void threads_and_swapped_sides_change_nothing() {
  for (const bool own : {false, true}) {
    const RandomText text(11, 200, 30, 25);
    Options options;
    options.leave_one_out = own;
    Links links[3];
    for (int threads = 1; threads <= 3; ++threads) {
      Trainer<float> trainer(text.view(), 30, 30, 25, options, threads);
      for (int iteration = 0; iteration < 6; ++iteration)
        trainer.step(iteration < 2 ? Model::model1 : Model::hmm);
      links[threads - 1] =
          decode(trainer.parameters(), text.view(), trainer.cells(), Decoding::agreement, 0.1, threads);
      CHECK(links[threads - 1].positions == links[0].positions);
      CHECK(links[threads - 1].scores == links[0].scores);
      CHECK(links[threads - 1].logp == links[0].logp);
    }
    CHECK(!links[0].positions.empty());
    const Bitext swapped{text.view().target, text.view().source};
    Trainer<float> trainer(swapped, 30, 30, 25, options, 2);
    for (int iteration = 0; iteration < 6; ++iteration)
      trainer.step(iteration < 2 ? Model::model1 : Model::hmm);
    const Links other = decode(trainer.parameters(), swapped, trainer.cells(), Decoding::agreement, 0.1, 2);
    CHECK(other.starts == links[0].starts);
    for (std::size_t s = 0; s + 1 < other.starts.size(); ++s) {
      std::set<std::pair<int, int>> one, two;
      for (std::int64_t l = other.starts[s]; l < other.starts[s + 1]; ++l) {
        one.emplace(other.positions[2 * l + 1], other.positions[2 * l]);
        two.emplace(links[0].positions[2 * l], links[0].positions[2 * l + 1]);
      }
      CHECK(one == two);
    }
  }
}

void symmetrisations_are_nested() {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    const std::int64_t rows = 1 + random() % 7, columns = 1 + random() % 7;
    LinkGrid grids[5];
    const Decoding methods[5] = {Decoding::intersection, Decoding::grow_diag, Decoding::grow_diag_final_and,
                                 Decoding::grow_diag_final, Decoding::union_};
    std::vector<std::uint8_t> cells(static_cast<std::size_t>(rows * columns));
    for (auto& cell : cells) cell = random() % 3 == 0 ? 0 : random() % 4;
    for (int m = 0; m < 5; ++m) {
      grids[m].reset(rows, columns);
      for (std::int64_t c = 0; c < rows * columns; ++c) grids[m].add(c / columns, c % columns, cells[c]);
      symmetrize(grids[m], methods[m]);
    }
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) {
        CHECK(!grids[0].kept(i, j) || grids[1].kept(i, j));
        for (int m = 1; m < 4; ++m) CHECK(!grids[m].kept(i, j) || grids[4].kept(i, j));
        CHECK(!grids[1].kept(i, j) || (grids[2].kept(i, j) && grids[3].kept(i, j)));
      }
  }
}

void long_sentences_do_not_underflow() {
  const RandomText text(21, 4, 5000, 400);
  Trainer<float> trainer(text.view(), 5000, 5000, 400, Options{}, 2);
  for (int iteration = 0; iteration < 3; ++iteration)
    for (const double logp : trainer.step(iteration == 0 ? Model::model1 : Model::hmm))
      CHECK(std::isfinite(logp));
  Workspace<float> workspace;
  for (std::int64_t s = 0; s < 4; ++s) {
    if (text.source[s].empty() || text.target[s].empty()) continue;
    posteriors(trainer.parameters(), text.view(), trainer.cells(), s,
               static_cast<const OwnCounts<float>*>(nullptr), workspace);
    for (const Direction<float>& d : workspace.directions)
      for (std::int64_t j = 0; j < d.observations; ++j) {
        double sum = d.null_posterior[j];
        for (std::int64_t i = 0; i < d.states; ++i) sum += d.posterior[j * d.stride + i];
        CHECK(std::abs(sum - 1) < 1e-4);
      }
  }
}

void exceptions_come_out_of_threads() {
  CHECK_THROWS(parallel_blocks(100, 1, 3,
                               [](std::int64_t begin, std::int64_t, int) {
                                 if (begin == 40) throw std::length_error("enough");
                               }),
               std::length_error);
}

}  // namespace

int main() {
  tables_hold_exactly_the_pairs_that_meet();
  unknown_words_are_unseen_or_twins();
  hmm_equals_enumeration();
  transitions_sum_to_one();
  independent_training_never_lowers_the_likelihood();
  directions_trained_apart_do_not_meet();
  threads_and_swapped_sides_change_nothing();
  symmetrisations_are_nested();
  long_sentences_do_not_underflow();
  exceptions_come_out_of_threads();
}
