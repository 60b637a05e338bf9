// Work shared out to threads in small blocks. What a block computes must not depend on who computes it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace paragauge {

// Calls work(begin, end, thread) for consecutive blocks of [0, count), each once, in any order. The first
// exception is thrown again in the caller, after all threads have stopped.
template <class Work>
void parallel_blocks(std::int64_t count, std::int64_t block, int threads, const Work& work) {
  std::atomic<std::int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto run = [&](int thread) {
    try {
      for (;;) {
        const std::int64_t begin = next.fetch_add(block);
        if (begin >= count) return;
        work(begin, std::min(begin + block, count), thread);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      next.store(count);
    }
  };
  std::vector<std::thread> helpers;
  try {
    for (int thread = 1; thread < threads && thread * block < count; ++thread)
      helpers.emplace_back(run, thread);
  } catch (const std::system_error&) {
    // The system gives no more threads: those that started, and this one, do the work.
  }
  run(0);
  for (std::thread& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace paragauge
