#include "matching/staged_links.hpp"

#include <algorithm>
#include <utility>

#include "matching/lexicon.hpp"

namespace paragauge {

namespace {

Ids synsets(const WordClasses& classes, std::int32_t word) {
  const auto begin = classes.synset_offsets[word], end = classes.synset_offsets[word + 1];
  return {classes.synsets + begin, classes.synsets + end};
}

bool matches(int stage, std::int32_t a, std::int32_t b, const WordClasses& classes) {
  if (stage == kExact) return a == b;
  if (stage == kStem) return classes.stems[a] == classes.stems[b];
  return intersect(synsets(classes, a), synsets(classes, b));
}

bool applies(int stage, const StageOptions& options) {
  return stage == kExact || (stage == kStem && options.stem) || (stage == kSynonym && options.synonym);
}

}  // namespace

StagedLinks link_words(Span candidate, Span reference, const WordClasses& classes, const std::vector<WordLink>& paraphrases,
                       const StageOptions& options) {
  StagedLinks result{{}, true};
  std::vector<char> i_used(static_cast<std::size_t>(candidate.size()), 0), j_used(static_cast<std::size_t>(reference.size()), 0);
  std::vector<WordLink> possible;
  std::vector<char> found(options.joint ? i_used.size() * j_used.size() : 0, 0);  // pairs that an earlier stage links
  const auto is_new = [&](std::int32_t i, std::int32_t j) {
    char& seen = found[static_cast<std::size_t>(i) * j_used.size() + static_cast<std::size_t>(j)];
    return !std::exchange(seen, 1);
  };
  const auto choose = [&](bool few_chunks) {
    const auto search = few_chunks ? choose_fewest_chunks : choose_links;
    result.proven = search(std::move(possible), options.limits, result.links) && result.proven;
    possible.clear();
    for (const WordLink& link : result.links) {
      std::fill_n(i_used.begin() + link.i, link.i_length, 1);
      std::fill_n(j_used.begin() + link.j, link.j_length, 1);
    }
  };
  for (int stage = kExact; stage <= kSynonym; ++stage) {
    if (!applies(stage, options)) continue;
    for (std::int32_t i = 0; i < candidate.size(); ++i) {
      if (i_used[static_cast<std::size_t>(i)]) continue;
      for (std::int32_t j = 0; j < reference.size(); ++j)
        if (!j_used[static_cast<std::size_t>(j)] && matches(stage, candidate.begin[i], reference.begin[j], classes) &&
            (!options.joint || is_new(i, j)))
          possible.push_back({i, j, 1, 1, stage});
    }
    if (!options.joint) choose(false);
  }
  if (options.joint) choose(true);
  for (const WordLink& link : paraphrases) {
    const auto free = [](const std::vector<char>& used, std::int32_t begin, std::int32_t length) {
      return std::none_of(used.begin() + begin, used.begin() + begin + length, [](char taken) { return taken != 0; });
    };
    if (free(i_used, link.i, link.i_length) && free(j_used, link.j, link.j_length))
      possible.push_back({link.i, link.j, link.i_length, link.j_length, kParaphrase});
  }
  if (!possible.empty()) choose(false);
  return result;
}

Covered covered_weights(Span sentence, const std::vector<WordLink>& links, bool of_reference, const double* word_weights,
                        const double* stage_weights) {
  Covered covered;
  std::vector<double> terms;  // kept, so that no compiler joins products and sums, which rounds otherwise
  for (const WordLink& link : links) {
    const std::int32_t begin = of_reference ? link.j : link.i, length = of_reference ? link.j_length : link.i_length;
    for (std::int32_t k = begin; k < begin + length; ++k)
      terms.push_back(word_weights[sentence.begin[k]] * stage_weights[link.stage]);
  }
  for (const double term : terms) covered.matched += term;
  for (const std::int32_t* word = sentence.begin; word < sentence.end; ++word) covered.total += word_weights[*word];
  covered.words = static_cast<std::int64_t>(terms.size());
  return covered;
}

}  // namespace paragauge
