#include "matching/ngrams.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "base/hashing.hpp"
#include "base/parallel.hpp"

namespace paragauge {

namespace {

constexpr std::uint64_t empty_key = ~std::uint64_t{0};  // parent "none" never has children
constexpr std::size_t initial_slots = 1024;

}  // namespace

NgramTrie::NgramTrie() : slots_(initial_slots, Slot{empty_key, none}) {}

void NgramTrie::clear() {
  for (std::size_t slot : used_) slots_[slot].key = empty_key;
  used_.clear();
  size_ = 1;
}

std::uint64_t NgramTrie::key_of(Node parent, std::int32_t token) {
  return (static_cast<std::uint64_t>(parent) << 32) | static_cast<std::uint32_t>(token);
}

std::size_t NgramTrie::slot_of(std::uint64_t key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = mix(key) & mask;
  while (slots_[slot].key != key && slots_[slot].key != empty_key) slot = (slot + 1) & mask;
  return slot;
}

NgramTrie::Node NgramTrie::find(Node parent, std::int32_t token) const {
  const Slot& slot = slots_[slot_of(key_of(parent, token))];
  return slot.key == empty_key ? none : slot.node;
}

NgramTrie::Node NgramTrie::insert(Node parent, std::int32_t token) {
  const std::uint64_t key = key_of(parent, token);
  std::size_t slot = slot_of(key);
  if (slots_[slot].key == key) return slots_[slot].node;
  if (2 * (used_.size() + 1) > slots_.size()) {
    grow();
    slot = slot_of(key);
  }
  if (size_ >= none) throw std::length_error("too many different n-grams for one trie");
  slots_[slot] = Slot{key, static_cast<Node>(size_++)};
  used_.push_back(slot);
  return slots_[slot].node;
}

void NgramTrie::grow() {
  std::vector<Slot> old(2 * slots_.size(), Slot{empty_key, none});
  old.swap(slots_);
  for (std::size_t& used : used_) {
    const Slot moved = old[used];
    used = slot_of(moved.key);
    slots_[used] = moved;
  }
}

namespace {

// The overlap of one segment after another, in memory that is used again.
class SegmentOverlap {
 public:
  explicit SegmentOverlap(int max_order) : max_order_(max_order) {}

  void operator()(Span candidate, Sequences references, std::int64_t first, std::int64_t last, std::int64_t* overlap) {
    trie_.clear();
    counts_.assign(1, Count{});
    for (const std::int32_t* start = candidate.begin; start < candidate.end; ++start) {
      NgramTrie::Node node = NgramTrie::root;
      const std::int64_t orders = std::min<std::int64_t>(max_order_, candidate.end - start);
      for (int n = 1; n <= orders; ++n) {
        node = trie_.insert(node, start[n - 1]);
        if (node == counts_.size()) counts_.push_back(Count{0, 0, 0, n});
        ++counts_[node].candidate;
      }
    }

    for (std::int64_t r = first; r < last; ++r) {
      const Span reference = references[r];
      touched_.clear();
      for (const std::int32_t* start = reference.begin; start < reference.end; ++start) {
        NgramTrie::Node node = NgramTrie::root;
        const std::int64_t orders = std::min<std::int64_t>(max_order_, reference.end - start);
        for (int n = 1; n <= orders; ++n) {
          node = trie_.find(node, start[n - 1]);
          if (node == NgramTrie::none) break;  // no longer n-gram from here is in the candidate
          if (counts_[node].reference++ == 0) touched_.push_back(node);
        }
      }
      for (NgramTrie::Node node : touched_) {
        Count& count = counts_[node];
        count.clip = std::max(count.clip, count.reference);
        count.reference = 0;
      }
    }

    std::int64_t* clipped = overlap;
    std::int64_t* distinct = clipped + max_order_;
    std::int64_t* shared = distinct + max_order_;
    std::fill(clipped, shared + max_order_, 0);
    for (std::size_t node = 1; node < counts_.size(); ++node) {
      const Count& count = counts_[node];
      clipped[count.order - 1] += std::min(count.candidate, count.clip);
      distinct[count.order - 1] += 1;
      shared[count.order - 1] += count.clip > 0;
    }
  }

 private:
  struct Count {
    std::int64_t candidate = 0, clip = 0, reference = 0;
    int order = 0;
  };

  int max_order_;
  NgramTrie trie_;
  std::vector<Count> counts_;
  std::vector<NgramTrie::Node> touched_;
};

}  // namespace

void ngram_overlap(Sequences candidates, Sequences references, const std::int64_t* groups, int max_order, int threads,
                   std::int64_t* overlap) {
  parallel_blocks(candidates.count, 128, threads, [&](std::int64_t begin, std::int64_t end, int) {
    SegmentOverlap one(max_order);
    for (std::int64_t segment = begin; segment < end; ++segment)
      one(candidates[segment], references, groups[segment], groups[segment + 1], overlap + segment * 3 * max_order);
  });
}

void bleu_rows(Sequences candidates, Sequences references, const std::int64_t* groups, int max_order, int threads,
               std::int64_t* rows) {
  const std::int64_t width = 2 + 2 * max_order;
  parallel_blocks(candidates.count, 128, threads, [&](std::int64_t begin, std::int64_t end, int) {
    SegmentOverlap overlap(max_order);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(3 * max_order));
    for (std::int64_t segment = begin; segment < end; ++segment) {
      std::int64_t* row = rows + segment * width;
      const std::int64_t own = candidates[segment].size();
      row[0] = own;
      row[1] = 0;
      std::int64_t nearest = -1;  // distance to the closest length, the shorter of two
      for (std::int64_t r = groups[segment]; r < groups[segment + 1]; ++r) {
        const std::int64_t length = references[r].size(), distance = std::abs(length - own);
        if (nearest < 0 || distance < nearest || (distance == nearest && length < row[1])) {
          nearest = distance;
          row[1] = length;
        }
      }
      overlap(candidates[segment], references, groups[segment], groups[segment + 1], counts.data());
      std::copy(counts.begin(), counts.begin() + max_order, row + 2);
      for (int n = 1; n <= max_order; ++n) row[1 + max_order + n] = std::max<std::int64_t>(0, own - n + 1);
    }
  });
}

void chrf_rows(Sequences candidates, Sequences references, int max_order, int threads, std::int64_t* rows,
               std::int64_t width) {
  parallel_blocks(candidates.count, 128, threads, [&](std::int64_t begin, std::int64_t end, int) {
    SegmentOverlap overlap(max_order);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(3 * max_order));
    for (std::int64_t pair = begin; pair < end; ++pair) {
      overlap(candidates[pair], references, pair, pair + 1, counts.data());
      std::int64_t* row = rows + pair * width;
      for (int n = 1; n <= max_order; ++n, row += 3) {
        row[1] = std::max<std::int64_t>(0, references[pair].size() - n + 1);
        row[0] = row[1] > 0 ? std::max<std::int64_t>(0, candidates[pair].size() - n + 1) : 0;
        row[2] = counts[static_cast<std::size_t>(n - 1)];
      }
    }
  });
}

void leave_one_out_overlap(Sequences sequences, int max_order, std::int64_t* matched) {
  struct Count {
    std::int64_t current = 0, largest = 0, second = 0, holder = -1;
    int order = 0;
  };
  NgramTrie trie;
  std::vector<Count> counts(1);
  std::vector<NgramTrie::Node> touched;

  auto count_sequence = [&](std::int64_t i) {
    touched.clear();
    const Span sequence = sequences[i];
    for (const std::int32_t* start = sequence.begin; start < sequence.end; ++start) {
      NgramTrie::Node node = NgramTrie::root;
      const std::int64_t orders = std::min<std::int64_t>(max_order, sequence.end - start);
      for (int n = 1; n <= orders; ++n) {
        node = trie.insert(node, start[n - 1]);
        if (node == counts.size()) counts.push_back(Count{0, 0, 0, -1, n});
        if (counts[node].current++ == 0) touched.push_back(node);
      }
    }
  };

  for (std::int64_t i = 0; i < sequences.count; ++i) {
    count_sequence(i);
    for (NgramTrie::Node node : touched) {
      Count& count = counts[node];
      if (count.current > count.largest) {
        count.second = count.largest;
        count.largest = count.current;
        count.holder = i;
      } else {
        count.second = std::max(count.second, count.current);
      }
      count.current = 0;
    }
  }

  std::fill(matched, matched + sequences.count * max_order, 0);
  for (std::int64_t i = 0; i < sequences.count; ++i) {
    count_sequence(i);
    for (NgramTrie::Node node : touched) {
      Count& count = counts[node];
      const std::int64_t clip = count.holder == i ? count.second : count.largest;
      matched[i * max_order + count.order - 1] += std::min(count.current, clip);
      count.current = 0;
    }
  }
}

void pairwise_overlap(Sequences candidates, Sequences references, int max_order,
                      std::int64_t* matched) {
  struct Posting {
    std::int64_t candidate, count;
  };
  NgramTrie trie;
  std::vector<std::vector<Posting>> postings(1);  // by n-gram: which candidates have it, how often
  std::vector<int> order_of(1, 0);
  for (std::int64_t c = 0; c < candidates.count; ++c) {
    const Span candidate = candidates[c];
    for (const std::int32_t* start = candidate.begin; start < candidate.end; ++start) {
      NgramTrie::Node node = NgramTrie::root;
      const std::int64_t orders = std::min<std::int64_t>(max_order, candidate.end - start);
      for (int n = 1; n <= orders; ++n) {
        node = trie.insert(node, start[n - 1]);
        if (node == postings.size()) {
          postings.emplace_back();
          order_of.push_back(n);
        }
        std::vector<Posting>& list = postings[node];
        if (list.empty() || list.back().candidate != c) list.push_back(Posting{c, 0});
        ++list.back().count;
      }
    }
  }

  std::fill(matched, matched + candidates.count * references.count * max_order, 0);
  std::vector<std::int64_t> counts(postings.size(), 0);
  std::vector<NgramTrie::Node> touched;
  for (std::int64_t r = 0; r < references.count; ++r) {
    const Span reference = references[r];
    touched.clear();
    for (const std::int32_t* start = reference.begin; start < reference.end; ++start) {
      NgramTrie::Node node = NgramTrie::root;
      const std::int64_t orders = std::min<std::int64_t>(max_order, reference.end - start);
      for (int n = 1; n <= orders; ++n) {
        node = trie.find(node, start[n - 1]);
        if (node == NgramTrie::none) break;
        if (counts[node]++ == 0) touched.push_back(node);
      }
    }
    for (NgramTrie::Node node : touched) {
      for (const Posting& posting : postings[node])
        matched[(posting.candidate * references.count + r) * max_order + order_of[node] - 1] +=
            std::min(posting.count, counts[node]);
      counts[node] = 0;
    }
  }
}

}  // namespace paragauge
