// What compilers offer beyond C++17, each with a version that every compiler understands and that computes the same.
// PARAGAUGE_PORTABLE takes the latter everywhere: the tests do so.
#pragma once

#include <cstdint>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(PARAGAUGE_PORTABLE)
#define PARAGAUGE_GNU 1
#else
#define PARAGAUGE_GNU 0
#endif

#if PARAGAUGE_GNU && defined(__SSE2__)
#include <emmintrin.h>
#endif

// Before a function: wider vectors where the machine has them. Each element is computed by the same operations in the
// same order whatever the width, so all machines agree.
#if PARAGAUGE_GNU && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define PARAGAUGE_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define PARAGAUGE_WIDE_VECTORS
#endif

namespace paragauge {

namespace portable {

inline int lowest_bit(std::uint64_t bits) {
  int place = 0;
  for (int half = 32; half > 0; half /= 2) {
    if ((bits & ((std::uint64_t{1} << half) - 1)) != 0) continue;
    bits >>= half;
    place += half;
  }
  return place;
}

inline int count_bits(std::uint64_t bits) {  // sums of neighbours: of 2 bits, of 4, of bytes, then of all bytes
  bits -= (bits >> 1) & 0x5555555555555555ull;
  bits = (bits & 0x3333333333333333ull) + ((bits >> 2) & 0x3333333333333333ull);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0full;
  return static_cast<int>((bits * 0x0101010101010101ull) >> 56);
}

// A bit for each of sixteen values that is the wanted one.
inline unsigned equal_bits(const std::uint16_t* values, std::uint16_t wanted) {
  unsigned bits = 0;
  for (int place = 0; place < 16; ++place) bits |= static_cast<unsigned>(values[place] == wanted) << place;
  return bits;
}

template <class Real, int count>
struct Pack {
  Real values[count];

  Pack& operator+=(const Pack& other) {
    for (int k = 0; k < count; ++k) values[k] += other.values[k];
    return *this;
  }
  friend Pack operator+(Pack one, const Pack& other) { return one += other; }
  friend Pack operator*(Pack one, const Pack& other) {
    for (int k = 0; k < count; ++k) one.values[k] *= other.values[k];
    return one;
  }
  friend Pack operator*(Real factor, Pack one) {
    for (int k = 0; k < count; ++k) one.values[k] *= factor;
    return one;
  }
};

using FloatPack = Pack<float, 8>;
using DoublePack = Pack<double, 4>;

}  // namespace portable

#if PARAGAUGE_GNU

// The place of the lowest bit that is set; there is one.
inline int lowest_bit(std::uint64_t bits) { return __builtin_ctzll(bits); }
inline int count_bits(std::uint64_t bits) { return __builtin_popcountll(bits); }

#if defined(__SSE2__)
// Eight are compared at once; a result is sixteen bits, all set or none, of which one is kept.
inline unsigned equal_bits(const std::uint16_t* values, std::uint16_t wanted) {
  const __m128i all = _mm_set1_epi16(static_cast<short>(wanted));
  const auto* halves = reinterpret_cast<const __m128i*>(values);
  const __m128i same = _mm_cmpeq_epi16(_mm_loadu_si128(halves), all);
  const __m128i others = _mm_cmpeq_epi16(_mm_loadu_si128(halves + 1), all);
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(same, others)));
}
#else
using portable::equal_bits;
#endif

// Asks for memory before it is needed.
inline void prefetch(const void* address) { __builtin_prefetch(address); }

// Several numbers as one value, wherever they lie. Compilers turn loops over small arrays into worse code than this.
typedef float FloatPack __attribute__((vector_size(32), aligned(4), may_alias));
typedef double DoublePack __attribute__((vector_size(32), aligned(8), may_alias));

#else

using portable::count_bits;
using portable::DoublePack;
using portable::equal_bits;
using portable::FloatPack;
using portable::lowest_bit;
inline void prefetch(const void*) {}

#endif

}  // namespace paragauge
