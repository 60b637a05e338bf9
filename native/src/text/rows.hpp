// Rows of text from columns: tables on their way into a file.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/strings.hpp"

namespace paragauge::text {

// The text of each row, or of those that have a number, by number.
struct TextColumn {
  Words words;
  const std::int32_t* numbers;  // may be null
};
using Column = std::variant<TextColumn, const std::int64_t*, const double*>;

// Lines of the cells of all columns, each after its separator. Numbers with a fraction are written as Python's repr does.
std::string write_rows(std::int64_t rows, const std::vector<Column>& columns, const std::vector<std::string>& separators,
                       int threads);

}  // namespace paragauge::text
