#include "text/rows.hpp"

#include "base/numbers.hpp"
#include "base/parallel.hpp"

namespace paragauge::text {

namespace {

constexpr std::int64_t rows_in_block = 1 << 12;

struct Append {
  std::int64_t row;
  std::string& out;

  void operator()(const TextColumn& column) const {
    out += column.words[column.numbers == nullptr ? row : column.numbers[row]];
  }
  void operator()(const std::int64_t* column) const { append_integer(column[row], out); }
  void operator()(const double* column) const { append_repr(column[row], out); }
};

}  // namespace

std::string write_rows(std::int64_t rows, const std::vector<Column>& columns, const std::vector<std::string>& separators,
                       int threads) {
  std::vector<std::string> blocks(static_cast<std::size_t>((rows + rows_in_block - 1) / rows_in_block));
  parallel_blocks(rows, rows_in_block, threads, [&](std::int64_t begin, std::int64_t end, int) {
    std::string& out = blocks[static_cast<std::size_t>(begin / rows_in_block)];
    for (std::int64_t row = begin; row < end; ++row) {
      for (std::size_t k = 0; k < columns.size(); ++k) {
        out += separators[k];
        std::visit(Append{row, out}, columns[k]);
      }
      out += '\n';
    }
  });
  std::size_t size = 0;
  for (const std::string& block : blocks) size += block.size();
  std::string all;
  all.reserve(size);
  for (const std::string& block : blocks) all += block;
  return all;
}

}  // namespace paragauge::text
