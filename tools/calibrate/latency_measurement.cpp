#include "calibrate/latency_measurement.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <thread>

#include "base/at.hpp"
#include "base/pause.hpp"
#include "timing/affinity.hpp"

namespace vnode {
namespace {

constexpr int tries = 7;
constexpr std::uint64_t turns = 200;

/// Is alone in its pair of cache lines, since processors fetch neighbouring lines together.
struct alignas(128) Flag {
  std::atomic<std::uint64_t> value{0};
};

/// Raises `mine` and waits for `other`, or the other way round, from turn `first` on.
void play(Flag& mine, const Flag& other, bool begins, std::uint64_t first) {
  for (std::uint64_t turn = first; turn < first + turns; ++turn) {
    // Release and acquire, as messages are passed; the pairs are the two flags' own.
    if (begins) mine.value.store(turn, std::memory_order_release);
    while (other.value.load(std::memory_order_acquire) < turn) pause();
    if (!begins) mine.value.store(turn, std::memory_order_release);
  }
}

/// Measures with the calling thread and one that it starts on PU `b`.
double measured_with(const Machine& machine, int b) {
  Flag of_first, of_second;
  std::exception_ptr failure;
  std::thread second([&] {
    try {
      pin_to(machine, b);
    } catch (...) {
      failure = std::current_exception();
    }
    for (int attempt = 0; attempt < tries; ++attempt)
      play(of_second, of_first, false, static_cast<std::uint64_t>(attempt) * turns + 1);
  });
  double least = std::numeric_limits<double>::infinity();
  for (int attempt = 0; attempt < tries; ++attempt) {
    const auto begin = std::chrono::steady_clock::now();
    play(of_first, of_second, true, static_cast<std::uint64_t>(attempt) * turns + 1);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (attempt > 0) least = std::min(least, took.count());  // the first waits for the thread
  }
  second.join();
  if (failure) std::rethrow_exception(failure);
  return least / (2 * static_cast<double>(turns));
}

}  // namespace

Latencies measured_latencies(const Machine& machine, const std::function<void(double)>& measured) {
  const std::vector<int> pus = machine.allowed_pus();
  int most = 0;
  for (const int pu : pus) most = std::max(most, at(machine.pus, pu).os_index);
  Latencies latencies;
  for (int number = 0; number <= most; ++number)
    latencies.below.emplace_back(static_cast<std::size_t>(number), 0.0);
  const auto pairs = static_cast<double>(pus.size() * (pus.size() - 1)) / 2;
  double done = 0;
  const WithAffinity back(affinity());  // when all is measured
  for (std::size_t i = 0; i < pus.size(); ++i) {
    pin_to(machine, pus[i]);
    for (std::size_t j = 0; j < i; ++j) {
      const int one = at(machine.pus, pus[i]).os_index, other = at(machine.pus, pus[j]).os_index;
      at(at(latencies.below, std::max(one, other)), std::min(one, other)) = measured_with(machine, pus[j]);
      measured(++done / pairs);
    }
  }
  return latencies;
}

}  // namespace vnode
