// Characters as Python sees them.
#pragma once

#include <cstdint>

namespace paragauge {

// White space of any script, as str.split and \s understand it.
inline bool is_space(std::int32_t code) {
  if (code < 0x80) return code == ' ' || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f);
  return code == 0x85 || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 ||
         code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

}  // namespace paragauge
