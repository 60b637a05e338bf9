// Asking for memory before it is needed.
#pragma once

namespace paragauge {

inline void prefetch(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

}  // namespace paragauge
