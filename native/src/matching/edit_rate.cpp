#include "matching/edit_rate.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/parallel.hpp"

namespace paragauge {

namespace {

// The limits of sacreBLEU, most of them tercom's.
constexpr std::int32_t kLongestShift = 10;
constexpr std::int32_t kFarthestShift = 50;
constexpr std::int32_t kBeam = 25;
constexpr std::int64_t kMostChecked = 1000;

constexpr std::int32_t kUnreachable = 1 << 28;  // more than any cost, and two of them still fit

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

void shift_words(const Shift& shift, std::vector<std::int32_t>& words) {
  const auto begin = words.begin();
  if (shift.to < shift.start)
    std::rotate(begin + shift.to, begin + shift.start, begin + shift.start + shift.length);
  else
    std::rotate(begin + shift.start, begin + shift.start + shift.length, begin + shift.to + shift.length);
}

}  // namespace

bool EditRate::Choice::operator<(const Choice& other) const {
  return std::make_tuple(gain, length, -start, -target) <
         std::make_tuple(other.gain, other.length, -other.start, -other.target);
}

// All orders of the candidate's words have as many words, so one band serves them all.
void EditRate::lay_out() {
  const auto rows = static_cast<std::int32_t>(words_.size()), columns = static_cast<std::int32_t>(reference_.size());
  low_.assign(at(rows) + 1, 0);
  high_.assign(at(rows) + 1, columns + 1);
  row_.assign(at(rows) + 2, 0);
  const double ratio = rows > 0 ? static_cast<double>(columns) / rows : 1.0;
  // Where one text is much longer, a wider band keeps neighbouring rows in touch.
  const std::int32_t beam = kBeam < ratio / 2 ? static_cast<std::int32_t>(std::ceil(ratio / 2 + kBeam)) : kBeam;
  for (std::int32_t i = 1; i <= rows; ++i) {
    const auto diagonal = static_cast<std::int32_t>(std::floor(i * ratio));
    low_[at(i)] = std::max(0, diagonal - beam);
    if (i < rows) high_[at(i)] = std::min(columns + 1, diagonal + beam);
  }
  for (std::int32_t i = 0; i <= rows; ++i) row_[at(i) + 1] = row_[at(i)] + high_[at(i)] - low_[at(i)];
  forward_.resize(static_cast<std::size_t>(row_.back()));
  backward_.resize(static_cast<std::size_t>(row_.back()));
}

// Row i from the one before it, whose columns are those of row i - 1.
void EditRate::fill_row(std::int32_t i, std::int32_t word, const std::int32_t* before, std::int32_t* row) const {
  const std::int32_t low = low_[at(i)], high = high_[at(i)];
  const std::int32_t before_low = low_[at(i) - 1], before_high = high_[at(i) - 1];
  std::int32_t left = kUnreachable;
  for (std::int32_t j = low; j < high; ++j) {
    const std::int32_t up = j >= before_low && j < before_high ? before[j - before_low] : kUnreachable;
    const std::int32_t diagonal =
        j > before_low && j <= before_high ? before[j - 1 - before_low] + (word != reference_.begin[j - 1]) : kUnreachable;
    left = std::min(diagonal, std::min(up, left) + 1);
    row[j - low] = left;
  }
}

void EditRate::fill_forward() {
  for (std::int32_t j = 0; j < high_[0]; ++j) forward_[at(j)] = j;
  for (std::int32_t i = 1; i <= static_cast<std::int32_t>(words_.size()); ++i)
    fill_row(i, words_[at(i) - 1], cells(forward_, i - 1), cells(forward_, i));
}

void EditRate::fill_backward() {
  const auto rows = static_cast<std::int32_t>(words_.size()), columns = static_cast<std::int32_t>(reference_.size());
  for (std::int32_t j = low_[at(rows)]; j <= columns; ++j) cells(backward_, rows)[j - low_[at(rows)]] = columns - j;
  for (std::int32_t i = rows - 1; i > 0; --i) {
    const std::int32_t low = low_[at(i)], after_low = low_[at(i) + 1], after_high = high_[at(i) + 1];
    const std::int32_t* after = cells(backward_, i + 1);
    std::int32_t* row = cells(backward_, i);
    std::int32_t right = kUnreachable;
    for (std::int32_t j = high_[at(i)] - 1; j >= low; --j) {
      const std::int32_t down = j >= after_low && j < after_high ? after[j - after_low] : kUnreachable;
      const std::int32_t diagonal = j + 1 >= after_low && j + 1 < after_high
                                        ? after[j + 1 - after_low] + (words_[at(i)] != reference_.begin[j])
                                        : kUnreachable;
      right = std::min(diagonal, std::min(down, right) + 1);
      row[j - low] = right;
    }
  }
}

// The best edits, found backwards: of equally good ones, keeping or substituting comes first, then deleting.
void EditRate::trace() {
  edits_.clear();
  auto i = static_cast<std::int32_t>(words_.size()), j = static_cast<std::int32_t>(reference_.size());
  while (i > 0 || j > 0) {
    Edit edit = Edit::kInsert;
    if (i > 0) {
      const std::int32_t cost = cells(forward_, i)[j - low_[at(i)]];
      const std::int32_t low = low_[at(i) - 1], high = high_[at(i) - 1];
      const std::int32_t* before = cells(forward_, i - 1);
      const bool same = j > 0 && words_[at(i) - 1] == reference_.begin[j - 1];
      if (j > low && j <= high && before[j - 1 - low] + !same == cost)
        edit = same ? Edit::kKeep : Edit::kSubstitute;
      else if (j >= low && j < high && before[j - low] + 1 == cost)
        edit = Edit::kDelete;
    }
    edits_.push_back(edit);
    i -= edit != Edit::kInsert;
    j -= edit != Edit::kDelete;
  }
  std::reverse(edits_.begin(), edits_.end());
}

void EditRate::align() {
  aligned_.clear();
  candidate_errors_.assign(1, 0);
  reference_errors_.assign(1, 0);
  std::int32_t last = -1;
  for (const Edit edit : edits_) {
    const std::int32_t error = edit != Edit::kKeep;
    if (edit != Edit::kInsert) {
      ++last;
      candidate_errors_.push_back(candidate_errors_.back() + error);
    }
    if (edit != Edit::kDelete) {
      aligned_.push_back(last);
      reference_errors_.push_back(reference_errors_.back() + error);
    }
  }
}

// A target says before which word the run is put, but within the run itself it says how far the run moves.
Shift EditRate::as_shift(const Choice& choice) const {
  const std::int32_t end = choice.start + choice.length;
  if (choice.target < choice.start) return {choice.start, choice.length, choice.target};
  const std::int32_t last =
      choice.target > end ? choice.target : std::min(choice.target + choice.length, static_cast<std::int32_t>(words_.size()));
  return {choice.start, choice.length, last - choice.length};
}

// Only the words between the two places of a shift change: the rows before them are known from the beginning, those
// after them from the end.
std::int32_t EditRate::distance_after(const Shift& shift) {
  moved_ = words_;
  shift_words(shift, moved_);
  std::int32_t first = std::min(shift.start, shift.to), last = std::max(shift.start, shift.to) + shift.length;
  while (first < last && moved_[at(first)] == words_[at(first)]) ++first;
  while (last > first && moved_[at(last) - 1] == words_[at(last) - 1]) --last;
  if (first == last) return forward_.back();
  const std::int32_t* before = cells(forward_, first);
  for (std::int32_t i = first + 1; i <= last; ++i) {
    std::vector<std::int32_t>& row = i % 2 == 0 ? row_a_ : row_b_;
    row.resize(static_cast<std::size_t>(high_[at(i)] - low_[at(i)]));
    fill_row(i, moved_[at(i) - 1], before, row.data());
    before = row.data();
  }
  const std::int32_t* rest = cells(backward_, last);
  std::int32_t least = kUnreachable;
  for (std::int32_t j = 0; j < high_[at(last)] - low_[at(last)]; ++j) least = std::min(least, before[j] + rest[j]);
  return least;
}

// Makes the best shift, if one lowers the cost before too many have been checked.
bool EditRate::shift_once(std::int64_t& checked) {
  align();
  fill_backward();
  const auto count = static_cast<std::int32_t>(words_.size()), other = static_cast<std::int32_t>(reference_.size());
  const std::int32_t cost = forward_.back();
  Choice best{0, 0, 0, 0};
  const auto try_run = [&](std::int32_t start, std::int32_t other_start, std::int32_t length) {
    if (candidate_errors_[at(start + length)] == candidate_errors_[at(start)]) return;
    if (reference_errors_[at(other_start + length)] == reference_errors_[at(other_start)]) return;
    const std::int32_t place = aligned_[at(other_start)];
    if (start <= place && place < start + length) return;
    std::int32_t tried = -1;
    for (std::int32_t position = other_start - 1; position < other_start + length; ++position) {
      const std::int32_t target = position < 0 ? 0 : aligned_[at(position)] + 1;
      if (target == tried) continue;
      tried = target;
      Choice choice{0, length, start, target};
      choice.gain = cost - distance_after(as_shift(choice));
      ++checked;
      if (best < choice) best = choice;
    }
  };
  for (std::int32_t start = 0; start < count && checked < kMostChecked; ++start) {
    const std::int32_t first = std::max(0, start - kFarthestShift), last = std::min(other, start + kFarthestShift + 1);
    for (std::int32_t other_start = first; other_start < last && checked < kMostChecked; ++other_start) {
      const std::int32_t longest = std::min({kLongestShift, count - start, other - other_start});
      for (std::int32_t length = 1; length <= longest && checked < kMostChecked; ++length) {
        if (words_[at(start + length - 1)] != reference_.begin[other_start + length - 1]) break;
        try_run(start, other_start, length);
      }
    }
  }
  if (checked >= kMostChecked || best.gain <= 0) return false;
  shifts_.push_back(as_shift(best));
  shift_words(shifts_.back(), words_);
  return true;
}

void EditRate::find(Span candidate, Span reference) {
  words_.assign(candidate.begin, candidate.end);
  reference_ = reference;
  shifts_.clear();
  if (reference.size() == 0) {
    edits_.assign(words_.size(), Edit::kDelete);
    return;
  }
  lay_out();
  std::int64_t checked = 0;
  do {
    fill_forward();
    trace();
  } while (shift_once(checked));
}

void edit_counts(Sequences candidates, Sequences references, const std::int64_t* groups, int threads,
                 std::int64_t* counts) {
  parallel_blocks(candidates.count, 16, threads, [&](std::int64_t begin, std::int64_t end, int) {
    EditRate search;
    for (std::int64_t i = begin; i < end; ++i)
      for (std::int64_t k = groups[i]; k < groups[i + 1]; ++k) {
        search.find(candidates[i], references[k]);
        const auto count = [&](Edit edit) {
          return static_cast<std::int64_t>(std::count(search.edits().begin(), search.edits().end(), edit));
        };
        std::int64_t* row = counts + 4 * k;
        row[0] = count(Edit::kInsert);
        row[1] = count(Edit::kDelete);
        row[2] = count(Edit::kSubstitute);
        row[3] = static_cast<std::int64_t>(search.shifts().size());
      }
  });
}

}  // namespace paragauge
