#include "phrases_lexical.hpp"

#include <algorithm>

#include "hashing.hpp"

namespace paragauge {

namespace {

constexpr std::uint64_t empty_key = ~std::uint64_t{0};  // null_word with null_word, which never occurs
constexpr std::size_t initial_slots = 1024;

std::uint64_t key_of(std::int32_t source, std::int32_t target) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(source)) << 32) | static_cast<std::uint32_t>(target);
}

void increase_total(std::vector<std::int64_t>& totals, std::int32_t word) {
  const auto index = static_cast<std::size_t>(word);
  if (index >= totals.size()) totals.resize(std::max(index + 1, 2 * totals.size()), 0);
  ++totals[index];
}

double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

LexicalCounts::LexicalCounts() : slots_(initial_slots, Slot{empty_key, 0}) {}

std::size_t LexicalCounts::slot_of(std::uint64_t key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = mix(key) & mask;
  while (slots_[slot].key != key && slots_[slot].key != empty_key) slot = (slot + 1) & mask;
  return slot;
}

std::int64_t LexicalCounts::count(std::int32_t source, std::int32_t target) const {
  return slots_[slot_of(key_of(source, target))].count;
}

void LexicalCounts::increase(std::int32_t source, std::int32_t target) {
  const std::uint64_t key = key_of(source, target);
  std::size_t slot = slot_of(key);
  if (slots_[slot].key == empty_key) {
    if (2 * (used_ + 1) > slots_.size()) {
      grow();
      slot = slot_of(key);
    }
    slots_[slot].key = key;
    ++used_;
  }
  ++slots_[slot].count;
}

void LexicalCounts::grow() {
  std::vector<Slot> old(2 * slots_.size(), Slot{empty_key, 0});
  old.swap(slots_);
  for (const Slot& slot : old)
    if (slot.key != empty_key) slots_[slot_of(slot.key)] = slot;
}

void LexicalCounts::add(const LinkedBitext& bitext) {
  std::vector<Link> links;
  std::vector<char> linked;
  for (std::int64_t pair = 0; pair < bitext.source.count; ++pair) {
    const Span source = bitext.source[pair], target = bitext.target[pair];
    bitext.links(pair, links);
    linked.assign(static_cast<std::size_t>(source.size() + target.size()), 0);
    for (const Link& link : links) {
      increase(source.begin[link.source], target.begin[link.target]);
      increase_total(source_totals_, source.begin[link.source]);
      increase_total(target_totals_, target.begin[link.target]);
      linked[static_cast<std::size_t>(link.source)] = 1;
      linked[static_cast<std::size_t>(source.size() + link.target)] = 1;
    }
    for (std::int64_t i = 0; i < source.size(); ++i) {
      if (linked[static_cast<std::size_t>(i)]) continue;
      increase(source.begin[i], null_word);
      ++unlinked_sources_;
    }
    for (std::int64_t j = 0; j < target.size(); ++j) {
      if (linked[static_cast<std::size_t>(source.size() + j)]) continue;
      increase(null_word, target.begin[j]);
      ++unlinked_targets_;
    }
  }
}

double LexicalCounts::direct(std::int32_t source, std::int32_t target) const {
  const std::int64_t whole = source == null_word ? unlinked_targets_
                             : static_cast<std::size_t>(source) < source_totals_.size()
                                 ? source_totals_[static_cast<std::size_t>(source)]
                                 : 0;
  return share(count(source, target), whole);
}

double LexicalCounts::inverse(std::int32_t source, std::int32_t target) const {
  const std::int64_t whole = target == null_word ? unlinked_sources_
                             : static_cast<std::size_t>(target) < target_totals_.size()
                                 ? target_totals_[static_cast<std::size_t>(target)]
                                 : 0;
  return share(count(source, target), whole);
}

}  // namespace paragauge
