#include "pem/bags.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace paragauge::pem {

namespace {

constexpr std::size_t most_entries = std::size_t{1} << 25;  // about 3 GB

}  // namespace

void Network::clear() {
  segmentation.lengths.clear();
  segmentation.phrases.clear();
  edges.clear();
  starts.assign(1, 0);
}

void build_network(const PivotTable& table, const BagOptions& options, const std::vector<std::string_view>& words,
                   Network& network) {
  network.clear();
  // Phrases have no limit here: the search ends by itself where no known phrase goes on.
  network.segmentation =
      segment(table.sources, table.source_totals, table.total, options.unseen, std::int64_t{1} << 31, words);
  std::size_t place = 0;
  for (std::size_t k = 0; k < network.segmentation.phrases.size(); ++k) {
    const std::int64_t phrase = network.segmentation.phrases[k];
    if (phrase < 0) {
      network.edges.push_back({words[place], options.unknown});
    } else {
      const std::int64_t begin = table.source_rows[phrase], end = table.source_rows[phrase + 1];
      const std::int64_t total = table.source_totals[phrase];
      if (begin < 0 || end <= begin || end > table.pairs || total <= 0)
        throw std::invalid_argument("phrase table: its rows are damaged");
      for (std::int64_t pair = begin; pair < end; ++pair) {
        const double probability = static_cast<double>(table.pair_counts[pair]) / static_cast<double>(total);
        if (pair > begin && probability <= options.min_edge) break;  // counts fall
        const std::int64_t target = table.pair_targets[pair];
        if (target < 0 || target >= table.targets.size())
          throw std::invalid_argument("phrase table: its pairs are damaged");
        network.edges.push_back({table.targets[target], probability});
      }
    }
    network.starts.push_back(network.edges.size());
    place += static_cast<std::size_t>(network.segmentation.lengths[k]);
  }
}

WordNumbers::WordNumbers() : slots_(1024, -1) {}

void WordNumbers::clear() {
  for (const std::size_t slot : used_) slots_[slot] = -1;
  used_.clear();
  words_.clear();
}

std::size_t WordNumbers::slot_of(std::string_view word) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = std::hash<std::string_view>{}(word) & mask;
  while (slots_[slot] >= 0 && words_[static_cast<std::size_t>(slots_[slot])] != word) slot = (slot + 1) & mask;
  return slot;
}

std::int32_t WordNumbers::operator[](std::string_view word) {
  std::size_t slot = slot_of(word);
  if (slots_[slot] >= 0) return slots_[slot];
  if (2 * (used_.size() + 1) > slots_.size()) {
    slots_.assign(2 * slots_.size(), -1);
    used_.clear();
    for (std::size_t number = 0; number < words_.size(); ++number) {
      used_.push_back(slot_of(words_[number]));
      slots_[used_.back()] = static_cast<std::int32_t>(number);
    }
    slot = slot_of(word);
  }
  slots_[slot] = static_cast<std::int32_t>(words_.size());
  used_.push_back(slot);
  words_.push_back(word);
  return slots_[slot];
}

void TwoBags::clear() {
  trie_.clear();
  numbers_.clear();
  entries_.assign(1, Entry{});
  singles_.clear();
}

NgramTrie::Node TwoBags::extend(NgramTrie::Node parent, std::int32_t token) {
  const NgramTrie::Node node = trie_.insert(parent, token);
  if (node == entries_.size()) {
    if (entries_.size() >= most_entries) throw std::length_error("too many pivot n-grams");
    Entry entry;
    entry.parent = parent;
    entry.token = token;
    entry.order = entries_[parent].order + 1;
    entries_.push_back(entry);
  }
  return node;
}

NgramTrie::Node TwoBags::single(std::int32_t token) {
  const auto place = static_cast<std::size_t>(token);
  if (place >= singles_.size()) singles_.resize(place + 1, NgramTrie::root);
  if (singles_[place] == NgramTrie::root) singles_[place] = extend(NgramTrie::root, token);
  return singles_[place];
}

void TwoBags::carry(NgramTrie::Node node, std::int32_t length, double weight, std::int32_t edge) {
  Entry& entry = entries_[node];
  if (entry.open < 0) {
    entry.open = static_cast<std::int32_t>(next_.size());
    next_.push_back({node, length, 0.0, edge});
  }
  next_[static_cast<std::size_t>(entry.open)].weight += weight;
}

void TwoBags::add(Side side, const Network& network, int max_order, double min_weight) {
  tokens_.clear();
  token_starts_.assign(1, 0);
  for (const Edge& edge : network.edges) {
    split_words(edge.text, words_);
    for (const std::string_view word : words_) tokens_.push_back(numbers_[word]);
    token_starts_.push_back(tokens_.size());
  }
  read(side, network, 1, std::min(max_order, 2), 0.0);
  // Sums of the same weights in another order may differ in their last digits.
  const double dead = min_weight * (1.0 - 1e-9);
  if (max_order > 2) read(side, network, 3, 3, dead);
  if (max_order > 3) read(side, network, 4, max_order, dead);
}

void TwoBags::read(Side side, const Network& network, int shortest, int longest, double dead) {
  const bool checked = shortest > 2;
  const auto is_alive = [&](std::int32_t one, std::int32_t other) {
    return entries_[extend(single(one), other)].weight[side] > dead;
  };
  open_.clear();
  lasts_.clear();
  for (std::size_t segment = 0; segment + 1 < network.starts.size(); ++segment) {
    next_.clear();
    next_lasts_.clear();
    for (std::size_t e = network.starts[segment]; e < network.starts[segment + 1]; ++e) {
      const double probability = network.edges[e].probability;
      const std::int32_t* tokens = tokens_.data() + token_starts_[e];
      const auto length = static_cast<std::int32_t>(token_starts_[e + 1] - token_starts_[e]);
      // Whether the pair of the last word of each edge before and the first word of this one is alive: asked once.
      if (checked && length > 0) {
        alive_.clear();
        for (const std::int32_t last : lasts_) alive_.push_back(is_alive(last, tokens[0]));
      }
      const auto edge = static_cast<std::int32_t>(next_lasts_.size());
      // From each start, which is an open n-gram before the edge or a word of the edge, read on to the end of the edge.
      const auto read_on = [&](NgramTrie::Node node, std::int32_t order, std::int32_t from, double weight) {
        for (std::int32_t k = from; k < length && order < longest; ++k) {
          const std::int32_t token = tokens[k];
          if (checked && order > 0 && k > 0 && !is_alive(tokens[k - 1], token)) return;
          node = order == 0 ? single(token) : extend(node, token);
          ++order;
          if (order >= shortest) {
            entries_[node].weight[side] += weight;
          } else if (checked && order > 1 && entries_[node].weight[side] <= dead) {
            return;
          }
          if (k == length - 1 && order < longest) carry(node, order, weight, edge);
        }
      };
      for (const Open& before : open_)
        if (!checked || alive_[static_cast<std::size_t>(before.edge)])
          read_on(before.node, before.length, 0, before.weight * probability);
      for (std::int32_t from = 0; from < length; ++from) read_on(NgramTrie::root, 0, from, probability);
      if (length > 0) next_lasts_.push_back(tokens[length - 1]);
    }
    for (const Open& item : next_) entries_[item.node].open = -1;
    open_.swap(next_);
    lasts_.swap(next_lasts_);
  }
}

void TwoBags::sum_up(double min_weight, int max_order, double* sums) const {
  std::fill(sums, sums + 3 * max_order, 0.0);
  for (std::size_t node = 1; node < entries_.size(); ++node) {
    const Entry& entry = entries_[node];
    const double one = entry.weight[original] > min_weight ? entry.weight[original] : 0.0;
    const double other = entry.weight[candidate] > min_weight ? entry.weight[candidate] : 0.0;
    double* of_order = sums + entry.order - 1;
    of_order[0] += std::min(one, other);
    of_order[max_order] += one;
    of_order[2 * max_order] += other;
  }
}

}  // namespace paragauge::pem
