// Translation edit rate (Snover et al., 2006): words to insert, delete and replace, and runs of words to move, so that a
// candidate becomes its reference. The search is sacreBLEU's, which follows tercom's, to the last tie.
#pragma once

#include <cstdint>
#include <vector>

#include "base/sequences.hpp"

namespace paragauge {

enum class Edit : std::uint8_t { kKeep, kSubstitute, kInsert, kDelete };

// The words [start, start + length) of the candidate as it is then are taken out and put back in as [to, to + length).
struct Shift {
  std::int32_t start, length, to;
};

// Finds the edits of one pair after another; the memory of one pair serves the next.
class EditRate {
 public:
  // Fills `shifts`, in order, and `edits` of the shifted candidate, from left to right.
  void find(Span candidate, Span reference);

  const std::vector<Shift>& shifts() const { return shifts_; }
  const std::vector<Edit>& edits() const { return edits_; }

 private:
  // What distinguishes possible shifts: the greatest wins (gain first, then the longest, the earliest, the least far).
  struct Choice {
    std::int32_t gain, length, start, target;
    bool operator<(const Choice& other) const;
  };

  void lay_out();
  void fill_forward();
  void fill_backward();
  void fill_row(std::int32_t i, std::int32_t word, const std::int32_t* before, std::int32_t* row) const;
  void trace();
  void align();
  bool shift_once(std::int64_t& checked);
  Shift as_shift(const Choice& choice) const;
  std::int32_t distance_after(const Shift& shift);

  // Cells (i, j): i words of the candidate and j of the reference are done. Row i has the columns low_[i] to
  // high_[i] - 1, a band around the diagonal; it begins at row_[i] in forward_ and backward_.
  std::int32_t* cells(std::vector<std::int32_t>& table, std::int32_t i) const {
    return table.data() + row_[static_cast<std::size_t>(i)];
  }

  Span reference_{nullptr, nullptr};
  std::vector<std::int32_t> words_;  // the candidate, with the shifts so far
  std::vector<std::int32_t> low_, high_;
  std::vector<std::int64_t> row_;
  std::vector<std::int32_t> forward_, backward_;  // the cost from the beginning to each cell, from each to the end
  std::vector<std::int32_t> moved_, row_a_, row_b_;
  // The last candidate word done when each reference word is; how many of the first words of each have an edit.
  std::vector<std::int32_t> aligned_, candidate_errors_, reference_errors_;
  std::vector<Shift> shifts_;
  std::vector<Edit> edits_;
};

// Insertions, deletions, substitutions and shifts of each candidate with each of its references, written as
// counts[reference][kind]. The references of candidate i are references[groups[i] .. groups[i + 1]).
void edit_counts(Sequences candidates, Sequences references, const std::int64_t* groups, int threads,
                 std::int64_t* counts);

}  // namespace paragauge
