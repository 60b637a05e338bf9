#include "phrases/count.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "base/portable.hpp"

namespace paragauge {

namespace {

constexpr std::int64_t pairs_in_round = 1024;
constexpr std::int64_t pairs_in_block = 64;
constexpr std::size_t fewest_slots = 1024;

constexpr std::uint64_t empty_slot = ~std::uint64_t{0};
constexpr std::size_t slots_ahead = 16, entries_ahead = 8;

// A string during sorting: eight of its bytes, which compare as one number, and whose they are.
struct Key {
  std::uint64_t bytes;
  std::int32_t number;
};

// The eight bytes from `depth` on; a string that ends there is filled up with zeros.
std::uint64_t bytes_at(std::string_view text, std::size_t depth) {
  unsigned char bytes[8] = {};
  if (depth < text.size()) std::memcpy(bytes, text.data() + depth, std::min<std::size_t>(8, text.size() - depth));
  std::uint64_t value = 0;
  for (const unsigned char byte : bytes) value = (value << 8) | byte;
  return value;
}

// Sorts by eight bytes, then those that agree in these by the next eight, and so on. Comparing whole strings would fetch
// both from memory each time, and phrases have long beginnings in common.
void sort_keys(const StringNumbers& strings, std::vector<Key>& keys) {
  struct Range {
    std::size_t begin, end, depth;
  };
  const auto word = [&](const Key& key) { return strings[key.number]; };
  std::vector<Range> ranges{{0, keys.size(), 0}};
  while (!ranges.empty()) {
    const Range range = ranges.back();
    ranges.pop_back();
    const auto begin = keys.begin() + static_cast<std::ptrdiff_t>(range.begin);
    const auto end = keys.begin() + static_cast<std::ptrdiff_t>(range.end);
    for (auto key = begin; key < end; ++key) key->bytes = bytes_at(word(*key), range.depth);
    std::sort(begin, end, [](const Key& one, const Key& other) { return one.bytes < other.bytes; });
    for (auto first = begin; first < end;) {
      auto last = first + 1;
      while (last < end && last->bytes == first->bytes) ++last;
      const std::size_t depth = range.depth + 8;
      // A zero at the end may be none of the string's.
      const bool longer = (first->bytes & 0xff) != 0 ||
                          std::any_of(first, last, [&](const Key& key) { return word(key).size() > depth; });
      if (last - first > 1 && longer)
        ranges.push_back({static_cast<std::size_t>(first - keys.begin()), static_cast<std::size_t>(last - keys.begin()), depth});
      else if (last - first > 1)  // they differ only in zeros at the end: the shorter comes first
        std::sort(first, last, [&](const Key& one, const Key& other) { return word(one).size() < word(other).size(); });
      first = last;
    }
  }
}

std::vector<std::int32_t> inverse(const std::vector<std::int32_t>& order) {
  std::vector<std::int32_t> places(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) places[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
  return places;
}

}  // namespace

StringNumbers::StringNumbers() : entries_{{0, 0}}, slots_(fewest_slots, empty_slot) {}

std::int64_t StringNumbers::bytes() const {
  return static_cast<std::int64_t>(text_.capacity() + sizeof(Entry) * entries_.capacity() + 8 * slots_.capacity());
}

std::int32_t StringNumbers::number(std::string_view text, std::uint64_t hash) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = first_slot(hash);
  for (; slots_[slot] != empty_slot; slot = (slot + 1) & mask) {
    const auto found = static_cast<std::int32_t>(slots_[slot] & 0x7fffffffu);
    if ((slots_[slot] >> 32) == (hash >> 32) && (*this)[found] == text) return found;
  }
  const std::size_t next = size();
  if (next >= 0x7fffffffu) throw std::length_error("more different phrases than 31 bits can count");
  slots_[slot] = (hash >> 32 << 32) | next;
  text_.insert(text_.end(), text.begin(), text.end());
  entries_.back().hash = hash;
  entries_.push_back({static_cast<std::int64_t>(text_.size()), 0});
  if (2 * size() > slots_.size()) grow();
  return static_cast<std::int32_t>(next);
}

void StringNumbers::grow() {
  slots_.assign(2 * slots_.size(), empty_slot);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t k = 0; k < size(); ++k) {
    std::size_t slot = first_slot(entries_[k].hash);
    while (slots_[slot] != empty_slot) slot = (slot + 1) & mask;
    slots_[slot] = (entries_[k].hash >> 32 << 32) | k;
  }
}

void StringNumbers::prefetch_slot(std::uint64_t hash) const { prefetch(slots_.data() + first_slot(hash)); }

void StringNumbers::prefetch_entry(std::uint64_t hash) const {
  const std::uint64_t found = slots_[first_slot(hash)];
  if (found != empty_slot && (found >> 32) == (hash >> 32)) prefetch(entries_.data() + (found & 0x7fffffffu));
}

std::vector<std::int32_t> sorted_order(const StringNumbers& strings) {
  std::vector<Key> keys(strings.size());
  for (std::size_t k = 0; k < keys.size(); ++k) keys[k].number = static_cast<std::int32_t>(k);
  sort_keys(strings, keys);
  std::vector<std::int32_t> order(keys.size());
  for (std::size_t k = 0; k < keys.size(); ++k) order[k] = keys[k].number;
  return order;
}

std::size_t PhraseCounts::Shard::first_slot(std::int32_t source, std::int32_t target, std::int32_t alignment) const {
  std::uint64_t hash = mix((static_cast<std::uint64_t>(source) << 32) | static_cast<std::uint32_t>(target));
  if (alignment != any_alignment) hash = mix(hash ^ static_cast<std::uint32_t>(alignment));
  return static_cast<std::size_t>(hash) & (slots.size() - 1);
}

CountedPair& PhraseCounts::Shard::pair(std::int32_t source, std::int32_t target, std::int32_t alignment) {
  const std::size_t mask = slots.size() - 1;
  std::size_t slot = first_slot(source, target, alignment);
  for (; slots[slot] >= 0; slot = (slot + 1) & mask) {
    CountedPair& found = pairs[static_cast<std::size_t>(slots[slot])];
    if (found.source == source && found.target == target && (alignment == any_alignment || found.alignment == alignment))
      return found;
  }
  if (pairs.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw std::length_error("more phrase pairs than 32 bits can count");
  slots[slot] = static_cast<std::int32_t>(pairs.size());
  pairs.push_back({source, target, alignment, 0, 0, 0.0, 0.0});
  if (2 * pairs.size() > slots.size()) grow(alignment != any_alignment);
  return pairs.back();
}

void PhraseCounts::Shard::grow(bool by_alignment) {
  slots.assign(2 * slots.size(), -1);
  const std::size_t mask = slots.size() - 1;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    std::size_t slot = first_slot(pairs[k].source, pairs[k].target, by_alignment ? pairs[k].alignment : any_alignment);
    while (slots[slot] >= 0) slot = (slot + 1) & mask;
    slots[slot] = static_cast<std::int32_t>(k);
  }
}

void PhraseCounts::clear() {
  for (StringNumbers* strings : {&sources_, &targets_, &alignments_}) *strings = {};
  for (Shard& shard : shards_) {
    shard.pairs = {};
    shard.slots.assign(fewest_slots, -1);
  }
}

// In rounds: sentence pairs are cut up by all threads; then each of the three kinds of strings, and after that each
// shard of pairs, is one thread's.
void PhraseCounts::add(const LinkedText& text) {
  const std::int64_t pairs = text.bitext.source.count;
  std::vector<Occurrences> blocks(static_cast<std::size_t>((pairs_in_round + pairs_in_block - 1) / pairs_in_block));
  for (std::int64_t first = 0; first < pairs; first += pairs_in_round) {
    const std::int64_t count_of_pairs = std::min(pairs_in_round, pairs - first);
    for (Occurrences& block : blocks) block.clear();
    parallel_blocks(count_of_pairs, pairs_in_block, threads_, [&](std::int64_t begin, std::int64_t end, int) {
      extract_phrases(text, first + begin, first + end, max_length_,
                      blocks[static_cast<std::size_t>(begin / pairs_in_block)]);
    });
    number(blocks);
    parallel_blocks(shard_count, 1, threads_, [&](std::int64_t shard, std::int64_t, int) { count(blocks, shard); });
  }
}

void PhraseCounts::number(std::vector<Occurrences>& blocks) {
  parallel_blocks(3, 1, threads_, [&](std::int64_t kind, std::int64_t, int) {
    StringNumbers& strings = kind == 0 ? sources_ : kind == 1 ? targets_ : alignments_;
    for (Occurrences& block : blocks) {
      auto& pieces = kind == 0 ? block.sources : kind == 1 ? block.targets : block.alignments;
      for (std::size_t k = 0; k < pieces.size(); ++k) {
        if (k + slots_ahead < pieces.size()) strings.prefetch_slot(pieces[k + slots_ahead].hash);
        if (k + entries_ahead < pieces.size()) strings.prefetch_entry(pieces[k + entries_ahead].hash);
        pieces[k].number = strings.number(block[pieces[k]], pieces[k].hash);
      }
    }
  });
}

void PhraseCounts::count(const std::vector<Occurrences>& blocks, std::int64_t shard) {
  Shard& counted = shards_[static_cast<std::size_t>(shard)];
  std::vector<std::size_t> mine;
  for (const Occurrences& block : blocks) {
    const auto source_of = [&](std::size_t k) { return block.sources[block.pairs[k].source].number; };
    const auto alignment_of = [&](std::size_t k) { return by_alignment() ? block.alignments[k].number : Shard::any_alignment; };
    mine.clear();
    for (std::size_t k = 0; k < block.pairs.size(); ++k)
      if (source_of(k) % shard_count == shard) mine.push_back(k);
    for (std::size_t n = 0; n < mine.size(); ++n) {
      if (n + slots_ahead < mine.size()) {
        const std::size_t ahead = mine[n + slots_ahead];
        prefetch(counted.slots.data() + counted.first_slot(source_of(ahead), block.targets[ahead].number, alignment_of(ahead)));
      }
      const std::size_t k = mine[n];
      const Occurrences::Pair& found = block.pairs[k];
      CountedPair& pair = counted.pair(source_of(k), block.targets[k].number, alignment_of(k));
      if (before(pair, found.rank, block.alignments[k].number)) {
        pair.rank = found.rank;
        pair.alignment = block.alignments[k].number;
      }
      ++pair.count;
      pair.direct_lexical = std::max(pair.direct_lexical, found.direct_lexical);
      pair.inverse_lexical = std::max(pair.inverse_lexical, found.inverse_lexical);
    }
  }
}

// Whether this alignment comes before the one that the pair has.
bool PhraseCounts::before(const CountedPair& pair, std::uint32_t rank, std::int32_t alignment) const {
  if (pair.count == 0) return true;
  if (rank != pair.rank) return rank < pair.rank;
  return alignment != pair.alignment && alignments_[alignment] < alignments_[pair.alignment];
}

std::int64_t PhraseCounts::size() const {
  std::size_t pairs = 0;
  for (const Shard& shard : shards_) pairs += shard.pairs.size();
  return static_cast<std::int64_t>(pairs);
}

std::int64_t PhraseCounts::bytes() const {
  std::int64_t total = sources_.bytes() + targets_.bytes() + alignments_.bytes();
  for (const Shard& shard : shards_)
    total += static_cast<std::int64_t>(sizeof(CountedPair) * shard.pairs.capacity() + 4 * shard.slots.capacity());
  return total;
}

PairRows PhraseCounts::rows(std::int64_t begin, std::int64_t end) const {
  PairRows rows;
  std::int64_t first = 0;  // of the shard
  for (const Shard& shard : shards_) {
    const auto size = static_cast<std::int64_t>(shard.pairs.size());
    for (std::int64_t k = std::max<std::int64_t>(begin - first, 0); k < std::min(end - first, size); ++k) {
      const CountedPair& pair = shard.pairs[static_cast<std::size_t>(k)];
      rows.source.add(sources_[pair.source]);
      rows.target.add(targets_[pair.target]);
      append_rank(pair.rank, rows.alignment.text);
      rows.alignment.add(alignments_[pair.alignment]);
      rows.counts.push_back(pair.count);
      rows.direct_lexical.push_back(pair.direct_lexical);
      rows.inverse_lexical.push_back(pair.inverse_lexical);
      if (!by_alignment()) continue;
      rows.by_target.add(alignment_order(alignments_[pair.alignment], true));
      rows.by_source.add(alignment_order(alignments_[pair.alignment], false));
    }
    first += size;
  }
  return rows;
}

std::string alignment_order(std::string_view alignment, bool by_target) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;  // the word, and the one that it is linked to
  for (std::size_t place = 0; place < alignment.size();) {
    std::uint32_t ends[2] = {0, 0};
    for (std::uint32_t& end : ends) {
      for (; place < alignment.size() && alignment[place] >= '0' && alignment[place] <= '9'; ++place)
        end = 10 * end + static_cast<std::uint32_t>(alignment[place] - '0');
      ++place;  // the hyphen, then the space
    }
    links.emplace_back(by_target ? ends[1] : ends[0], by_target ? ends[0] : ends[1]);
  }
  std::sort(links.begin(), links.end());
  std::string text;
  std::uint32_t word = 0;
  for (const auto& [one, other] : links) {
    for (; word < one; ++word) text += '!';  // comes before all digits: a word with fewer links is less
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[(other >> shift) & 15];
  }
  return text;
}

std::vector<CountedPair> PhraseCounts::joined(const std::vector<CountedPair>& alignments) const {
  std::vector<CountedPair> sorted = alignments, pairs;
  const auto same = [](const CountedPair& one, const CountedPair& other) {
    return one.source == other.source && one.target == other.target;
  };
  std::sort(sorted.begin(), sorted.end(), [](const CountedPair& one, const CountedPair& other) {
    return one.source != other.source ? one.source < other.source : one.target < other.target;
  });
  for (std::size_t first = 0, last; first < sorted.size(); first = last) {
    for (last = first + 1; last < sorted.size() && same(sorted[first], sorted[last]);) ++last;
    // The inverse weight may come from another alignment that is as frequent: each direction has its own order.
    std::size_t best[2] = {first, first};
    std::int64_t count = sorted[first].count;
    for (std::size_t k = first + 1; k < last; ++k) {
      count += sorted[k].count;
      for (const bool by_target : {true, false}) {
        std::size_t& known = best[by_target ? 0 : 1];
        const auto order = [&](std::size_t which) { return alignment_order(alignments_[sorted[which].alignment], by_target); };
        if (sorted[k].count > sorted[known].count || (sorted[k].count == sorted[known].count && order(k) > order(known)))
          known = k;
      }
    }
    CountedPair& pair = pairs.emplace_back(sorted[best[0]]);
    pair.count = count;
    pair.inverse_lexical = sorted[best[1]].inverse_lexical;
  }
  return pairs;
}

TableColumns PhraseCounts::columns() const {
  TableColumns out;
  std::vector<std::vector<CountedPair>> joined_shards(by_alignment() ? shards_.size() : 0);
  parallel_blocks(static_cast<std::int64_t>(joined_shards.size()), 1, threads_, [&](std::int64_t shard, std::int64_t, int) {
    joined_shards[static_cast<std::size_t>(shard)] = joined(shards_[static_cast<std::size_t>(shard)].pairs);
  });
  const auto pairs_of = [&](std::int64_t shard) -> const std::vector<CountedPair>& {
    const auto k = static_cast<std::size_t>(shard);
    return by_alignment() ? joined_shards[k] : shards_[k].pairs;
  };
  const StringNumbers* strings[2] = {&sources_, &targets_};
  TableColumns::Side* sides[2] = {&out.source, &out.target};
  std::vector<std::int32_t> places[2];
  parallel_blocks(2, 1, threads_, [&](std::int64_t side, std::int64_t, int) {
    const std::vector<std::int32_t> order = sorted_order(*strings[side]);
    places[side] = inverse(order);
    Strings& phrases = sides[side]->phrases;
    phrases.text.reserve(strings[side]->text_size());
    phrases.offsets.reserve(order.size() + 1);
    for (const std::int32_t number : order) phrases.add((*strings[side])[number]);
    sides[side]->totals.assign(order.size(), 0);
  });

  // Pairs go to where those of their source begin, then the few of each source are sorted. No two shards have a source
  // in common; targets are counted by whoever takes the last block.
  const auto source_of = [&](const CountedPair& pair) {
    return static_cast<std::size_t>(places[0][static_cast<std::size_t>(pair.source)]);
  };
  const auto target_of = [&](const CountedPair& pair) { return places[1][static_cast<std::size_t>(pair.target)]; };
  out.source_rows.assign(places[0].size() + 1, 0);
  parallel_blocks(shard_count + 1, 1, threads_, [&](std::int64_t block, std::int64_t, int) {
    if (block == 0) {
      for (std::int64_t shard = 0; shard < shard_count; ++shard)
        for (const CountedPair& pair : pairs_of(shard))
          out.target.totals[static_cast<std::size_t>(target_of(pair))] += pair.count;
      return;
    }
    for (const CountedPair& pair : pairs_of(block - 1)) {
      ++out.source_rows[source_of(pair) + 1];
      out.source.totals[source_of(pair)] += pair.count;
    }
  });
  for (std::size_t k = 1; k < out.source_rows.size(); ++k) out.source_rows[k] += out.source_rows[k - 1];
  struct Place {
    std::int64_t count;
    std::int32_t target;
    const CountedPair* pair;

    bool operator<(const Place& other) const {
      return count != other.count ? count > other.count : target < other.target;
    }
  };
  const auto pairs = static_cast<std::size_t>(out.source_rows.back());
  std::vector<Place> sorted(pairs);
  std::vector<std::int64_t> next(out.source_rows.begin(), out.source_rows.end() - 1);
  parallel_blocks(shard_count, 1, threads_, [&](std::int64_t shard, std::int64_t, int) {
    for (const CountedPair& pair : pairs_of(shard))
      sorted[static_cast<std::size_t>(next[source_of(pair)]++)] = {pair.count, target_of(pair), &pair};
  });
  out.pair_source.resize(pairs);
  out.pair_target.resize(pairs);
  out.counts.resize(pairs);
  out.direct_lexical.resize(pairs);
  out.inverse_lexical.resize(pairs);
  out.alignment.offsets.assign(pairs + 1, 0);
  parallel_blocks(static_cast<std::int64_t>(places[0].size()), 1 << 14, threads_,
                  [&](std::int64_t begin, std::int64_t end, int) {
                    for (std::int64_t source = begin; source < end; ++source) {
                      const auto first = static_cast<std::size_t>(out.source_rows[static_cast<std::size_t>(source)]);
                      const auto last = static_cast<std::size_t>(out.source_rows[static_cast<std::size_t>(source) + 1]);
                      std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(first),
                                sorted.begin() + static_cast<std::ptrdiff_t>(last));
                      for (std::size_t k = first; k < last; ++k) {
                        out.pair_source[k] = static_cast<std::int32_t>(source);
                        out.pair_target[k] = sorted[k].target;
                        out.counts[k] = sorted[k].count;
                        out.direct_lexical[k] = sorted[k].pair->direct_lexical;
                        out.inverse_lexical[k] = sorted[k].pair->inverse_lexical;
                        out.alignment.offsets[k + 1] =
                            static_cast<std::int64_t>(alignments_[sorted[k].pair->alignment].size());
                      }
                    }
                  });
  for (std::size_t k = 1; k <= pairs; ++k) out.alignment.offsets[k] += out.alignment.offsets[k - 1];
  out.alignment.text.resize(static_cast<std::size_t>(out.alignment.offsets[pairs]));
  parallel_blocks(static_cast<std::int64_t>(pairs), 1 << 14, threads_, [&](std::int64_t begin, std::int64_t end, int) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const std::string_view text = alignments_[sorted[k].pair->alignment];
      std::copy(text.begin(), text.end(), out.alignment.text.begin() + static_cast<std::ptrdiff_t>(out.alignment.offsets[k]));
    }
  });
  return out;
}

namespace {

std::string_view string_at(const Strings& strings, std::size_t k) {
  return {strings.text.data() + strings.offsets[k], static_cast<std::size_t>(strings.offsets[k + 1] - strings.offsets[k])};
}

}  // namespace

TableColumns pruned(const TableColumns& columns, const Pruning& pruning) {
  TableColumns out;
  std::vector<std::int32_t> target_numbers(columns.target.totals.size(), -1);
  for (std::size_t source = 0; source < columns.source.totals.size(); ++source) {
    const std::int64_t first = columns.source_rows[source], last = columns.source_rows[source + 1];
    const auto total = static_cast<double>(columns.source.totals[source]);
    const std::size_t before = out.counts.size();
    for (std::int64_t row = first; row < last && row - first < pruning.top; ++row) {
      const auto k = static_cast<std::size_t>(row);
      // Counts fall: what follows is out as well.
      if (columns.counts[k] < pruning.min_count || static_cast<double>(columns.counts[k]) / total < pruning.min_prob) break;
      out.pair_source.push_back(static_cast<std::int32_t>(out.source.totals.size()));
      out.pair_target.push_back(columns.pair_target[k]);
      out.counts.push_back(columns.counts[k]);
      out.direct_lexical.push_back(columns.direct_lexical[k]);
      out.inverse_lexical.push_back(columns.inverse_lexical[k]);
      out.alignment.add(string_at(columns.alignment, k));
      target_numbers[static_cast<std::size_t>(columns.pair_target[k])] = 0;
    }
    if (out.counts.size() == before) continue;
    out.source_rows.push_back(static_cast<std::int64_t>(before));
    out.source.phrases.add(string_at(columns.source.phrases, source));
    out.source.totals.push_back(columns.source.totals[source]);
  }
  out.source_rows.push_back(static_cast<std::int64_t>(out.counts.size()));
  for (std::size_t target = 0; target < target_numbers.size(); ++target) {
    if (target_numbers[target] < 0) continue;
    target_numbers[target] = static_cast<std::int32_t>(out.target.totals.size());
    out.target.phrases.add(string_at(columns.target.phrases, target));
    out.target.totals.push_back(columns.target.totals[target]);
  }
  for (std::int32_t& target : out.pair_target) target = target_numbers[static_cast<std::size_t>(target)];
  return out;
}

}  // namespace paragauge
