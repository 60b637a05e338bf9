// Numbers as Python writes them, and rows of text whatever the number of threads.
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/numbers.hpp"
#include "check.hpp"
#include "text/rows.hpp"

namespace {

std::string repr(double value) {
  std::string out;
  paragauge::append_repr(value, out);
  return out;
}

std::string general(double value, int digits) {
  std::string out;
  paragauge::append_general(value, digits, out);
  return out;
}

}  // namespace

int main() {
  CHECK(repr(0) == "0.0" && repr(-0.0) == "-0.0" && repr(1) == "1.0" && repr(-2.5) == "-2.5" && repr(0.1) == "0.1");
  CHECK(repr(1e-4) == "0.0001" && repr(1e-5) == "1e-05" && repr(1.5e-7) == "1.5e-07" && repr(0.00123) == "0.00123");
  CHECK(repr(1e15) == "1000000000000000.0" && repr(9007199254740993.0) == "9007199254740992.0" && repr(1e16) == "1e+16");
  CHECK(repr(1.0 / 3) == "0.3333333333333333" && repr(1e300) == "1e+300" && repr(5e-324) == "5e-324");
  CHECK(repr(123456.75) == "123456.75" && repr(1234567890123456.5) == "1234567890123456.5");
  CHECK(repr(std::numeric_limits<double>::infinity()) == "inf" && repr(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(repr(std::nan("")) == "nan");
  CHECK(general(0, 6) == "0" && general(-3, 6) == "-3" && general(123456, 6) == "123456" && general(1234567, 6) == "1.23457e+06");
  CHECK(general(0.1234567, 6) == "0.123457" && general(-0.0, 6) == "-0" && general(12345, 4) == "1.234e+04");
  std::mt19937_64 rng(5);
  for (int k = 0; k < 100000; ++k) {
    const double value = std::ldexp(static_cast<double>(rng() >> 11), static_cast<int>(rng() % 200) - 120);
    CHECK(std::strtod(repr(value).c_str(), nullptr) == value);
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", value);
    CHECK(general(value, 6) == text);
  }

  const char words[] = "abbccc";
  const std::int64_t offsets[] = {0, 1, 3, 6};
  std::vector<std::int32_t> numbers;
  std::vector<std::int64_t> counts;
  std::vector<double> values;
  for (int k = 0; k < 10000; ++k) {
    numbers.push_back(k % 3);
    counts.push_back(-k);
    values.push_back(k / 8.0);
  }
  const std::vector<paragauge::text::Column> columns{
      paragauge::text::TextColumn{{words, offsets, 3}, numbers.data()}, counts.data(), values.data()};
  const std::string one = paragauge::text::write_rows(10000, columns, {"", " ||| ", "\t"}, 1);
  CHECK(one.rfind("a ||| 0\t0.0\nbb ||| -1\t0.125\nccc ||| -2\t0.25\n", 0) == 0);
  CHECK(one == paragauge::text::write_rows(10000, columns, {"", " ||| ", "\t"}, 3));
}
