#include "phrases/lexical.hpp"

#include <algorithm>

#include "base/hashing.hpp"

namespace paragauge {

namespace {

constexpr std::uint64_t empty_key = ~std::uint64_t{0};  // null_word with null_word, which never occurs
constexpr std::size_t initial_slots = 1024;

std::uint64_t key_of(std::int32_t source, std::int32_t target) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(source)) << 32) | static_cast<std::uint32_t>(target);
}

std::int64_t& total_of(std::vector<std::int64_t>& totals, std::int32_t word) {
  const auto index = static_cast<std::size_t>(word);
  if (index >= totals.size()) totals.resize(std::max(index + 1, 2 * totals.size()), 0);
  return totals[index];
}

std::int64_t total(const std::vector<std::int64_t>& totals, std::int32_t word) {
  const auto index = static_cast<std::size_t>(word);
  return index < totals.size() ? totals[index] : 0;
}

double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

LexicalCounts::LexicalCounts(LexicalRule rule) : slots_(initial_slots, Slot{empty_key, 0}), rule_(rule) {}

std::size_t LexicalCounts::slot_of(std::uint64_t key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = mix(key) & mask;
  while (slots_[slot].key != key && slots_[slot].key != empty_key) slot = (slot + 1) & mask;
  return slot;
}

std::int64_t LexicalCounts::count(std::int32_t source, std::int32_t target) const {
  return slots_[slot_of(key_of(source, target))].count;
}

LexicalCounts::Slot& LexicalCounts::entry(std::int32_t source, std::int32_t target) {
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
  return slots_[slot];
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
      ++entry(source.begin[link.source], target.begin[link.target]).count;
      ++total_of(source_totals_, source.begin[link.source]);
      ++total_of(target_totals_, target.begin[link.target]);
      linked[static_cast<std::size_t>(link.source)] = 1;
      linked[static_cast<std::size_t>(source.size() + link.target)] = 1;
    }
    for (std::int64_t i = 0; i < source.size(); ++i) {
      if (linked[static_cast<std::size_t>(i)]) continue;
      ++entry(source.begin[i], null_word).count;
      if (rule_ == LexicalRule::moses) ++total_of(source_totals_, source.begin[i]);
      ++unlinked_sources_;
    }
    for (std::int64_t j = 0; j < target.size(); ++j) {
      if (linked[static_cast<std::size_t>(source.size() + j)]) continue;
      ++entry(null_word, target.begin[j]).count;
      if (rule_ == LexicalRule::moses) ++total_of(target_totals_, target.begin[j]);
      ++unlinked_targets_;
    }
  }
}

LexicalCounts::Rows LexicalCounts::rows() const {
  Rows rows;
  for (const Slot& slot : slots_) {
    if (slot.key == empty_key) continue;
    rows.source.push_back(static_cast<std::int32_t>(slot.key >> 32));
    rows.target.push_back(static_cast<std::int32_t>(slot.key & 0xffffffffu));
    rows.count.push_back(slot.count);
  }
  return rows;
}

void LexicalCounts::put(std::int32_t source, std::int32_t target, std::int64_t count, std::int64_t source_total,
                        std::int64_t target_total) {
  entry(source, target).count = count;
  (source == null_word ? unlinked_targets_ : total_of(source_totals_, source)) = source_total;
  (target == null_word ? unlinked_sources_ : total_of(target_totals_, target)) = target_total;
}

double LexicalCounts::direct(std::int32_t source, std::int32_t target) const {
  return share(count(source, target), source == null_word ? unlinked_targets_ : total(source_totals_, source));
}

double LexicalCounts::inverse(std::int32_t source, std::int32_t target) const {
  return share(count(source, target), target == null_word ? unlinked_sources_ : total(target_totals_, target));
}

}  // namespace paragauge
