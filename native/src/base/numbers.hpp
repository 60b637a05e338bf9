// Numbers as text, whatever the locale.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace paragauge {

inline void append_integer(std::int64_t number, std::string& out) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

// As printf's %g with that many digits, of at most 15.
inline void append_general(double value, int digits, std::string& out) {
  if (std::abs(value) < 1e5 && value == static_cast<double>(static_cast<std::int32_t>(value)) && digits > 5 &&
      !(value == 0 && std::signbit(value)))
    return append_integer(static_cast<std::int32_t>(value), out);
  char text[40];
#if defined(__cpp_lib_to_chars)
  out.append(text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr);
#else
  out.append(text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "%.*g", digits, value)));
#endif
}

// As Python's repr: the shortest digits that read back as the same number, with an exponent if the number is below 0.0001 or
// not below 1e16.
inline void append_repr(double value, std::string& out) {
  if (std::isnan(value)) {
    out += "nan";
    return;
  }
  if (std::signbit(value)) out += '-';
  value = std::abs(value);
  if (std::isinf(value)) {
    out += "inf";
    return;
  }
  if (value < 1e15 && value == static_cast<double>(static_cast<std::int64_t>(value))) {
    append_integer(static_cast<std::int64_t>(value), out);
    out += ".0";
    return;
  }
  char text[40];  // d.ddde-dd, without the dot if there is one digit
#if defined(__cpp_lib_to_chars)
  *std::to_chars(text, text + sizeof text - 1, value, std::chars_format::scientific).ptr = '\0';
#else
  for (int digits = 0; digits <= 16; ++digits) {
    std::snprintf(text, sizeof text, "%.*e", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
#endif
  char* const mark = std::strchr(text, 'e');
  const int exponent = std::atoi(mark + 1);
  char digits[24];
  int count = 0;
  for (const char* place = text; place < mark; ++place)
    if (*place >= '0' && *place <= '9') digits[count++] = *place;
  while (count > 1 && digits[count - 1] == '0') --count;
  if (exponent < -4 || exponent >= 16) {
    out += digits[0];
    if (count > 1) out.append(1, '.').append(digits + 1, static_cast<std::size_t>(count - 1));
    char power[8];
    out.append(power, static_cast<std::size_t>(std::snprintf(power, sizeof power, "e%c%02d", exponent < 0 ? '-' : '+', std::abs(exponent))));
  } else if (exponent < 0) {
    out.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits, static_cast<std::size_t>(count));
  } else if (count <= exponent + 1) {
    out.append(digits, static_cast<std::size_t>(count)).append(static_cast<std::size_t>(exponent + 1 - count), '0').append(".0");
  } else {
    out.append(digits, static_cast<std::size_t>(exponent + 1)).append(1, '.');
    out.append(digits + exponent + 1, static_cast<std::size_t>(count - exponent - 1));
  }
}

}  // namespace paragauge
