// English analysis: packed weights against learning ones, oracles that rebuild their trees, hostile model data.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/role_network.hpp"
#include "analysis/roles.hpp"
#include "analysis/training.hpp"
#include "check.hpp"

namespace an = paragauge::analysis;

namespace {

// Bytes at an address that is a multiple of eight.
struct Aligned {
  explicit Aligned(const std::string& data) : words(data.size() / 8 + 1), size(data.size()) {
    std::memcpy(words.data(), data.data(), data.size());
  }
  std::string_view view() const { return {reinterpret_cast<const char*>(words.data()), size}; }
  std::vector<std::uint64_t> words;
  std::size_t size;
};

an::Features some_features(int first, int count) {
  an::Features features;
  for (int i = 0; i < count; ++i) features.add(i, static_cast<an::Feature>(first + i));
  return features;
}

void test_packed_weights_rank_classes_like_learned_ones(int classes) {
  an::LearningWeights weights(classes, 2);
  std::vector<an::Features> examples;
  for (int i = 0; i < 200; ++i) examples.push_back(some_features(i % 50, 6));
  for (const auto& features : examples) weights.note(features);
  weights.end_notes();
  for (std::size_t i = 0; i < examples.size(); ++i) {
    weights.tick();
    weights.update(examples[i], static_cast<int>(i % 50) * classes / 50, 1);
  }
  const Aligned packed(weights.pack(1 << 20));
  const an::PackedWeights view(packed.view());
  CHECK(view.classes() == classes);
  int agree = 0;
  for (const auto& features : examples) {
    an::Score learned[8] = {}, read[8] = {};
    weights.add_scores(features, learned);
    view.add_scores(features, read);
    agree += std::max_element(learned, learned + classes) - learned == std::max_element(read, read + classes) - read;
  }
  CHECK(agree > 190);  // averages are other numbers than the last weights: ties may fall elsewhere
  CHECK(weights.pack(1000).size() <= 1000);
  an::Score none[8] = {};
  view.add_scores(some_features(100000, 6), none);
  CHECK(std::all_of(none, none + classes, [](an::Score score) { return score == 0; }));
}

// Each of many features has the sign that it learned, and strangers have no weight, but for a few that are mistaken for others.
void test_packed_weights_tell_features_apart(int classes) {
  an::LearningWeights weights(classes, 1);
  const int count = 20000;
  const auto feature = [](int i) {
    an::Features one;
    one.add(0, static_cast<an::Feature>(i));
    return one;
  };
  for (int i = 0; i < count; ++i) weights.note(feature(i));
  weights.end_notes();
  for (int i = 0; i < count; ++i) weights.update(feature(i), i % classes, i % 7 == 0 ? -1 : 1);
  weights.tick();
  const Aligned packed(weights.pack(1 << 20));
  const an::PackedWeights view(packed.view());
  int mistaken = 0;
  for (int i = 0; i < 2 * count; ++i) {
    an::Score scores[8] = {};
    view.add_scores(feature(i), scores);
    for (int c = 0; c < classes; ++c) {
      const int expected = i >= count || c != i % classes ? 0 : i % 7 == 0 ? -1 : 1;
      mistaken += (scores[c] > 0) - (scores[c] < 0) != expected;
    }
  }
  CHECK(mistaken < 20);
}

void test_starting_again_averages_runs() {
  an::LearningWeights weights(2, 1);
  const auto features = some_features(0, 1);
  weights.note(features);
  weights.end_notes();
  weights.update(features, 0, 4);
  weights.tick();
  weights.start_again();
  an::Score scores[2] = {};
  weights.add_scores(features, scores);
  CHECK(scores[0] == 0);
  weights.update(features, 0, 2);
  for (int i = 0; i < 2; ++i) weights.tick();
  CHECK(std::abs(weights.largest() - (4.0 * 1 + 2.0 * 2) / 4) < 1e-12);  // time begins with one
}

void test_features_seen_once_get_no_weight() {
  an::LearningWeights weights(2, 2);
  const auto features = some_features(0, 3);
  weights.note(features);
  weights.end_notes();
  weights.update(features, 1, 1);
  an::Score scores[2] = {};
  weights.add_scores(features, scores);
  CHECK(scores[1] == 0);
  weights.note(features);
  weights.note(features);
  weights.end_notes();
  weights.update(features, 1, 1);
  weights.add_scores(features, scores);
  CHECK(scores[1] == 3);
}

void test_damaged_weights_are_refused_or_harmless(int classes) {
  an::LearningWeights weights(classes, 2);
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 30; ++i) weights.note(some_features(i, 4));
  weights.end_notes();
  for (int i = 0; i < 30; ++i) weights.update(some_features(i, 4), i % classes, 1);
  weights.tick();
  const std::string good = weights.pack(1 << 16);
  CHECK_THROWS(an::PackedWeights(Aligned("").view()), std::invalid_argument);
  CHECK_THROWS(an::PackedWeights(Aligned(good.substr(0, good.size() - 1)).view()), std::invalid_argument);
  std::mt19937 chance(2);
  for (int i = 0; i < 5000; ++i) {
    std::string bad = good;
    bad[chance() % bad.size()] = static_cast<char>(chance());
    const Aligned data(bad);
    try {
      const an::PackedWeights view(data.view());
      an::Score scores[an::most_classes] = {};
      for (int f = 0; f < 5; ++f) view.add_scores(some_features(f, 4), scores);
    } catch (const std::invalid_argument&) {
    }
  }
}

// Two facts, of which neither alone says anything of the class.
an::Features two_facts(int i) {
  an::Features features;
  features.add(0, i & 1);
  features.add(1, i >> 1 & 1);
  features.add(2, i);
  return features;
}

std::vector<an::LearningNetwork> learned_networks(int count) {
  std::vector<an::LearningNetwork> networks;
  for (int number = 0; number < count; ++number) {
    auto& network = networks.emplace_back(3, 16, 5, static_cast<std::uint64_t>(number));
    for (int i = 0; i < 2000; ++i) network.note(two_facts(i % 4 + 4 * i));  // the third feature is always new, and has no row
    network.end_notes();
    for (int epoch = 0; epoch < 3; ++epoch) {
      for (int i = 0; i < 2000; ++i) network.learn(two_facts(i % 4 + 4 * i), (i & 1) ^ (i >> 1 & 1));
      network.end_epoch();
    }
  }
  return networks;
}

void test_networks_learn_what_facts_mean_together(int count) {
  const Aligned data(an::LearningNetwork::pack(learned_networks(count), 1000));
  const an::PackedNetwork network(data.view());
  for (int i = 0; i < 4; ++i) {
    an::Score scores[3] = {};
    network.add_scores(two_facts(i), scores);
    const int right = (i & 1) ^ (i >> 1 & 1);
    CHECK(scores[right] > scores[1 - right] + 500 && scores[right] > scores[2] + 500);
  }
}

void test_pruned_networks_keep_what_adds_most() {
  const Aligned data(an::LearningNetwork::pack(learned_networks(2), 1000));
  const an::PackedNetwork network(data.view());
  CHECK(network.pruned(data.size) == data.view());
  const std::string smaller = network.pruned(data.size - 1);
  const Aligned kept(smaller);
  CHECK(smaller.size() < data.size);
  const an::PackedNetwork pruned(kept.view());
  CHECK(pruned.classes() == 3);
  const std::string nothing = network.pruned(0);
  const Aligned rest(nothing);
  an::Score one[3] = {}, other[3] = {};
  an::PackedNetwork(rest.view()).add_scores(two_facts(0), one);
  an::PackedNetwork(rest.view()).add_scores(two_facts(1), other);
  CHECK(std::equal(one, one + 3, other));  // without features, all is alike
}

void test_networks_refuse_too_many_units_together() {
  std::vector<an::LearningNetwork> networks;
  for (int i = 0; i < 2; ++i) networks.emplace_back(2, 256, 1, 1);
  for (auto& network : networks) network.end_notes();
  CHECK_THROWS(an::LearningNetwork::pack(networks, 1), std::invalid_argument);
  CHECK_THROWS(an::LearningNetwork(2, 7, 1, 1), std::invalid_argument);
}

void test_damaged_networks_are_refused_or_harmless() {
  const std::string good = an::LearningNetwork::pack(learned_networks(2), 1000);
  CHECK_THROWS(an::PackedNetwork(Aligned("").view()), std::invalid_argument);
  CHECK_THROWS(an::PackedNetwork(Aligned(good.substr(0, good.size() - 1)).view()), std::invalid_argument);
  std::mt19937 chance(3);
  for (int i = 0; i < 5000; ++i) {
    std::string bad = good;
    bad[chance() % bad.size()] = static_cast<char>(chance());
    const Aligned data(bad);
    try {
      const an::PackedNetwork network(data.view());
      an::Score scores[an::most_classes] = {};
      for (int f = 0; f < 5; ++f) network.add_scores(two_facts(f), scores);
    } catch (const std::invalid_argument&) {
    }
  }
}

void test_lemmas_have_their_classes() {
  std::vector<std::pair<an::Feature, an::WordClasses>> lemmas;
  for (int i = 0; i < 300; ++i)
    lemmas.emplace_back(an::hash_text("lemma" + std::to_string(i)), an::WordClasses{static_cast<std::uint16_t>(i), 2, 3});
  const std::string packed = an::ClassTable::pack(lemmas);
  const Aligned data(packed);
  const an::ClassTable table(data.view());
  for (int i = 0; i < 300; ++i) CHECK((table.find(an::hash_text("lemma" + std::to_string(i))) == an::WordClasses{static_cast<std::uint16_t>(i), 2, 3}));
  CHECK(table.find(an::hash_text("other")) == an::WordClasses{});
  CHECK(an::ClassTable().find(1) == an::WordClasses{});
  CHECK_THROWS(an::ClassTable(Aligned(packed.substr(0, packed.size() - 2)).view()), std::invalid_argument);
  std::string bad = packed;
  std::swap_ranges(bad.begin() + 4, bad.begin() + 8, bad.begin() + 4 + 4 * 299);
  CHECK_THROWS(an::ClassTable(Aligned(bad).view()), std::invalid_argument);
}

an::Dependencies random_tree(std::mt19937& chance, int count) {
  an::Dependencies tree;
  tree.heads.assign(static_cast<std::size_t>(count), -1);
  tree.relations.assign(static_cast<std::size_t>(count), 0);
  std::vector<int> order(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) order[static_cast<std::size_t>(i)] = i;
  for (int i = count; i > 1; --i)
    std::swap(order[static_cast<std::size_t>(i - 1)], order[chance() % static_cast<unsigned>(i)]);
  for (int i = 1; i < count; ++i) {  // each word hangs on one before it in the order: no cycle
    tree.heads[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = order[chance() % static_cast<unsigned>(i)];
    tree.relations[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = static_cast<std::uint8_t>(chance() % 7);
  }
  return tree;
}

void test_oracle_rebuilds_projective_trees() {
  std::mt19937 chance(3);
  const an::WordTable table;
  const std::uint8_t kinds[256] = {};
  for (int round = 0; round < 500; ++round) {
    const int count = 1 + static_cast<int>(chance() % 12);
    an::Dependencies gold = random_tree(chance, count);
    an::make_projective(gold);
    const std::vector<int> actions = an::oracle(gold);
    CHECK(static_cast<int>(actions.size()) == 4 * count - 2);
    const an::Sentence sentence(std::vector<std::string_view>(static_cast<std::size_t>(count), "x"), table);
    const an::Tags tags(static_cast<std::size_t>(count), 0);
    const an::ParsingSystem system(sentence, tags, kinds);
    std::vector<an::ParsingSystem::State> arena{system.initial()};
    std::vector<int> heads(static_cast<std::size_t>(count), -1);
    for (int step = 0; step < system.steps(); ++step) {
      const int action = actions[static_cast<std::size_t>(step)];
      CHECK(system.legal(arena.back(), step, action));
      auto next = system.apply(arena.data(), static_cast<int>(arena.size()) - 1, step, action);
      next.previous = static_cast<int>(arena.size()) - 1;
      next.action = static_cast<std::int16_t>(action);
      if (step % 2 == 0 && action != 0) heads[static_cast<std::size_t>(action == 1 ? next.left : next.right)] = next.top;
      arena.push_back(next);
    }
    CHECK(heads == gold.heads);
  }
}

void test_making_projective_changes_only_what_crosses() {
  an::Dependencies crossing{{2, 3, -1, 2}, {0, 0, 0, 0}};  // 1 hangs on 3 across 2
  an::make_projective(crossing);
  CHECK((crossing.heads == std::vector<std::int32_t>{2, 2, -1, 2}));
  an::Dependencies fine{{1, -1, 1}, {0, 0, 0}};
  an::make_projective(fine);
  CHECK((fine.heads == std::vector<std::int32_t>{1, -1, 1}));
}

void test_span_oracle_labels_what_it_should() {
  // (0 5 A) over (0 2 B) and (3 5 C)
  const std::vector<an::LabelledSpan> gold{{0, 5, 1}, {0, 2, 2}, {3, 5, 3}, {2, 3, 4}};
  const auto actions = an::oracle(5, gold);
  CHECK(actions.size() == 18);
  const std::vector<int> expected{0, 0, 0, 0, 1, 2, 0, 4, 1, 0, 0, 0, 0, 0, 1, 3, 1, 1};
  CHECK(actions == expected);
  CHECK_THROWS(an::oracle(2, std::vector<an::LabelledSpan>{{0, 3, 1}}), std::invalid_argument);
  CHECK_THROWS(an::oracle(2, std::vector<an::LabelledSpan>{{0, 1, 1}, {0, 1, 2}}), std::invalid_argument);
}

void test_best_few_keeps_the_first_of_equals() {
  an::BestFew best(2);
  best.offer(1, 0, 0);
  best.offer(1, 1, 1);
  best.offer(1, 2, 2);
  best.offer(3, 3, 3);
  CHECK(best.items().size() == 2 && best.items()[0].action == 3 && best.items()[1].action == 0);
}

void test_word_table_knows_regular_forms() {
  const std::vector<std::pair<an::Feature, an::WordFacts>> words{{an::hash_text("stop"), {0, an::verb | an::noun}},
                                                                 {an::hash_text("party"), {0, an::noun}},
                                                                 {an::hash_text("big"), {0, an::adjective}}};
  const Aligned packed(an::WordTable::pack(words, {0}));
  const an::WordTable table(packed.view());
  CHECK(an::look_at("Stopped", table).facts.kinds == an::past);
  CHECK(an::look_at("stops", table).facts.kinds == (an::plural | an::third_person));
  CHECK(an::look_at("PARTIES", table).facts.kinds == an::plural);
  CHECK(an::look_at("bigger", table).facts.kinds == an::comparative);
  CHECK(an::look_at("gibberish", table).facts.kinds == 0);
  CHECK(an::look_at("", table).facts.kinds == 0);
  CHECK(an::look_at("-LRB-", table).lower == an::look_at("(", table).lower);
  CHECK_THROWS(an::WordTable(std::string_view(packed.view().data(), packed.size - 1)), std::invalid_argument);
}

}  // namespace

int main() {
  for (const int classes : {2, 3, 8}) test_packed_weights_rank_classes_like_learned_ones(classes);
  for (const int classes : {2, 3, 8}) test_packed_weights_tell_features_apart(classes);
  test_starting_again_averages_runs();
  test_features_seen_once_get_no_weight();
  for (const int classes : {2, 3, 5, 9}) test_damaged_weights_are_refused_or_harmless(classes);
  for (const int count : {1, 2}) test_networks_learn_what_facts_mean_together(count);
  test_pruned_networks_keep_what_adds_most();
  test_networks_refuse_too_many_units_together();
  test_damaged_networks_are_refused_or_harmless();
  test_lemmas_have_their_classes();
  test_oracle_rebuilds_projective_trees();
  test_making_projective_changes_only_what_crosses();
  test_span_oracle_labels_what_it_should();
  test_best_few_keeps_the_first_of_equals();
  test_word_table_knows_regular_forms();
}
