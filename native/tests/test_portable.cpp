// What compilers offer and its versions for every compiler compute the same, to the last bit.
#include <cstdint>
#include <cstring>
#include <random>

#include "base/portable.hpp"
#include "check.hpp"

namespace {

void check_bits(std::uint64_t bits) {
  int count = 0, lowest = -1;
  for (int place = 63; place >= 0; --place)
    if ((bits >> place & 1) != 0) {
      ++count;
      lowest = place;
    }
  CHECK(paragauge::count_bits(bits) == count);
  CHECK(paragauge::portable::count_bits(bits) == count);
  if (bits == 0) return;
  CHECK(paragauge::lowest_bit(bits) == lowest);
  CHECK(paragauge::portable::lowest_bit(bits) == lowest);
}

void check_equal_bits(std::mt19937_64& random) {
  std::uint16_t values[17];
  for (std::uint16_t& value : values) value = static_cast<std::uint16_t>(random() % 6 * 0x2b67);
  const auto wanted = static_cast<std::uint16_t>(random() % 6 * 0x2b67);
  for (int begin = 0; begin < 2; ++begin) {  // at odd places, too
    unsigned bits = 0;
    for (int place = 0; place < 16; ++place)
      if (values[begin + place] == wanted) bits |= 1u << place;
    CHECK(paragauge::equal_bits(values + begin, wanted) == bits);
    CHECK(paragauge::portable::equal_bits(values + begin, wanted) == bits);
  }
}

// Wherever numbers lie, as the kernels of alignment read and write them.
template <class Pack, class Real>
void compute(const Real* numbers, Real factor, Real* out) {
  const Pack one = *reinterpret_cast<const Pack*>(numbers), other = *reinterpret_cast<const Pack*>(numbers + 1);
  Pack sum = {};
  sum += factor * one;
  sum += other;
  *reinterpret_cast<Pack*>(out) = (sum + one) * other;
}

template <class Pack, class PortablePack, class Real>
void check_packs(std::mt19937_64& random) {
  static_assert(sizeof(Pack) == sizeof(PortablePack), "packs hold the same numbers");
  constexpr int count = sizeof(Pack) / sizeof(Real);
  std::uniform_real_distribution<Real> any(-2, 2);
  for (int round = 0; round < 1000; ++round) {
    Real numbers[count + 1], given[count], portable[count];
    for (Real& number : numbers) number = any(random);
    const Real factor = any(random);
    compute<Pack>(numbers, factor, given);
    compute<PortablePack>(numbers, factor, portable);
    CHECK(std::memcmp(given, portable, sizeof(given)) == 0);
    for (int k = 0; k < count; ++k) {
      const Real product = factor * numbers[k], sum = product + numbers[k + 1];
      CHECK(portable[k] == (sum + numbers[k]) * numbers[k + 1]);
    }
  }
}

}  // namespace

int main() {
  std::mt19937_64 random(7);
  check_bits(0);
  for (int place = 0; place < 64; ++place) {
    check_bits(std::uint64_t{1} << place);
    check_bits(~std::uint64_t{0} << place);
    check_bits(~std::uint64_t{0} >> place);
    for (int round = 0; round < 100; ++round) check_bits(random() << place);
  }
  for (int round = 0; round < 1000; ++round) check_equal_bits(random);
  check_packs<paragauge::FloatPack, paragauge::portable::FloatPack, float>(random);
  check_packs<paragauge::DoublePack, paragauge::portable::DoublePack, double>(random);
  const int anything = 0;
  paragauge::prefetch(&anything);
  return 0;
}
