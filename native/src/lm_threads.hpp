// Loops over threads whose result does not depend on how many there are: every index is worked on once, by itself.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace paragauge::lm {

// Calls body(begin, end) for pieces of [0, count) of about *grain* items each.
template <class Body>
void parallel_for(std::int64_t count, std::int64_t grain, int threads, Body body) {
  const std::int64_t pieces = (count + grain - 1) / grain;
  const auto workers = static_cast<int>(std::min<std::int64_t>(std::max(threads, 1), pieces));
  if (workers <= 1) {
    if (count > 0) body(std::int64_t{0}, count);
    return;
  }
  std::atomic<std::int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failing;
  auto work = [&] {
    try {
      for (std::int64_t piece = next++; piece < pieces; piece = next++)
        body(piece * grain, std::min(count, (piece + 1) * grain));
    } catch (...) {
      const std::lock_guard<std::mutex> lock(failing);
      if (!failure) failure = std::current_exception();
      next = pieces;
    }
  };
  std::vector<std::thread> pool;
  try {
    for (int i = 1; i < workers; ++i) pool.emplace_back(work);
  } catch (const std::system_error&) {
    // The system gives no more threads: those that started, and this one, do the work.
  }
  work();
  for (std::thread& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace paragauge::lm
