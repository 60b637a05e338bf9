// N-gram overlap against an obvious re-implementation with maps of vectors, on many small random inputs.
#include "matching/ngrams.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "check.hpp"

using Sentence = std::vector<std::int32_t>;
using Bag = std::map<Sentence, std::int64_t>;

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
  paragauge::Sequences view() const {
    return {ids.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
  }
};

Bag bag(const Sentence& sentence, std::size_t n) {
  Bag counts;
  for (std::size_t i = 0; i + n <= sentence.size(); ++i)
    ++counts[Sentence(sentence.begin() + static_cast<long>(i), sentence.begin() + static_cast<long>(i + n))];
  return counts;
}

Sentence random_sentence(std::mt19937& rng, int longest, int vocabulary) {
  Sentence sentence(std::uniform_int_distribution<std::size_t>(0, static_cast<std::size_t>(longest))(rng));
  for (auto& token : sentence) token = std::uniform_int_distribution<int>(-1, vocabulary)(rng);
  return sentence;
}

void overlap_equals_oracle(std::mt19937& rng, int longest, int vocabulary) {
  const int max_order = 4;
  std::vector<Sentence> candidates, references;
  std::vector<std::int64_t> groups{0};
  for (int i = 0; i < 3; ++i) {
    candidates.push_back(random_sentence(rng, longest, vocabulary));
    for (int r = std::uniform_int_distribution<int>(0, 3)(rng); r > 0; --r)
      references.push_back(random_sentence(rng, longest, vocabulary));
    groups.push_back(static_cast<std::int64_t>(references.size()));
  }
  const Flat flat_candidates(candidates), flat_references(references);
  std::vector<std::int64_t> overlap(candidates.size() * 3 * max_order, -1);
  paragauge::ngram_overlap(flat_candidates.view(), flat_references.view(), groups.data(), max_order, 1,
                           overlap.data());

  for (std::size_t i = 0; i < candidates.size(); ++i) {
    for (int n = 1; n <= max_order; ++n) {
      std::int64_t clipped = 0, distinct = 0, shared = 0;
      std::vector<Bag> reference_bags;
      for (auto r = groups[i]; r < groups[i + 1]; ++r)
        reference_bags.push_back(bag(references[static_cast<std::size_t>(r)], static_cast<std::size_t>(n)));
      for (const auto& [ngram, count] : bag(candidates[i], static_cast<std::size_t>(n))) {
        std::int64_t clip = 0;
        for (Bag& reference : reference_bags) clip = std::max(clip, reference[ngram]);
        clipped += std::min(count, clip);
        distinct += 1;
        shared += clip > 0;
      }
      const std::int64_t* row = overlap.data() + i * 3 * max_order + static_cast<std::size_t>(n - 1);
      CHECK(row[0] == clipped);
      CHECK(row[max_order] == distinct);
      CHECK(row[2 * max_order] == shared);
    }
  }
}

void leave_one_out_equals_overlap_with_all_others(std::mt19937& rng) {
  const int max_order = 3;
  std::vector<Sentence> sentences;
  for (int i = 0; i < 5; ++i) sentences.push_back(random_sentence(rng, 8, 3));
  const Flat flat(sentences);
  std::vector<std::int64_t> matched(sentences.size() * max_order, -1);
  paragauge::leave_one_out_overlap(flat.view(), max_order, matched.data());

  for (std::size_t i = 0; i < sentences.size(); ++i) {
    std::vector<Sentence> others = sentences;
    others.erase(others.begin() + static_cast<long>(i));
    const Flat candidate({sentences[i]}), references(others);
    const std::int64_t groups[] = {0, static_cast<std::int64_t>(others.size())};
    std::vector<std::int64_t> overlap(3 * max_order, -1);
    paragauge::ngram_overlap(candidate.view(), references.view(), groups, max_order, 2, overlap.data());
    for (int n = 0; n < max_order; ++n)
      CHECK(matched[i * max_order + static_cast<std::size_t>(n)] == overlap[static_cast<std::size_t>(n)]);
  }
}

void pairwise_equals_overlap_one_by_one(std::mt19937& rng) {
  const int max_order = 3;
  std::vector<Sentence> candidates, references;
  for (int i = 0; i < 4; ++i) candidates.push_back(random_sentence(rng, 9, 3));
  for (int i = 0; i < 3; ++i) references.push_back(random_sentence(rng, 9, 4));
  const Flat flat_candidates(candidates), flat_references(references);
  std::vector<std::int64_t> matched(candidates.size() * references.size() * max_order, -1);
  paragauge::pairwise_overlap(flat_candidates.view(), flat_references.view(), max_order, matched.data());

  const std::int64_t* row = matched.data();
  for (const Sentence& candidate : candidates) {
    for (const Sentence& reference : references) {
      const Flat one({candidate}), other({reference});
      const std::int64_t groups[] = {0, 1};
      std::vector<std::int64_t> overlap(3 * max_order, -1);
      paragauge::ngram_overlap(one.view(), other.view(), groups, max_order, 2, overlap.data());
      for (int n = 0; n < max_order; ++n) CHECK(row[n] == overlap[static_cast<std::size_t>(n)]);
      row += max_order;
    }
  }
}

}  // namespace

int main() {
  std::mt19937 rng(7);
  for (int round = 0; round < 300; ++round) {
    overlap_equals_oracle(rng, 12, 3);
    overlap_equals_oracle(rng, 30, 200);
    leave_one_out_equals_overlap_with_all_others(rng);
    pairwise_equals_overlap_one_by_one(rng);
  }
  overlap_equals_oracle(rng, 3000, 2000);  // large enough to grow the table several times

  const std::int64_t decreasing[] = {0, 3, 2}, late[] = {1, 2}, good[] = {0, 1, 2};
  CHECK_THROWS(paragauge::check_offsets(decreasing, 3, 2, "offsets"), std::invalid_argument);
  CHECK_THROWS(paragauge::check_offsets(late, 2, 2, "offsets"), std::invalid_argument);
  CHECK_THROWS(paragauge::check_offsets(good, 3, 5, "offsets"), std::invalid_argument);
  CHECK_THROWS(paragauge::check_offsets(good, 0, 0, "offsets"), std::invalid_argument);
  paragauge::check_offsets(good, 3, 2, "offsets");
  std::puts("ngrams: all checks passed");
  return 0;
}
