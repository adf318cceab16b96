#include "fiber/carrier.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <doctest/doctest.h>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/this_thread.hpp"

using namespace vnode;

namespace {

constexpr IdlePolicy usual{std::chrono::microseconds(10), std::chrono::microseconds(20)};
constexpr std::chrono::seconds long_time{10};

/// Runs body(carriers, node) as each node, on a thread for each carrier.
void run_all(Carriers& carriers, const std::function<void(Carriers&, Rank)>& body) {
  struct Job {
    Carriers& carriers;
    const std::function<void(Carriers&, Rank)>& body;
  } job{carriers, body};
  std::vector<std::thread> threads;
  for (int carrier = 0; carrier < carriers.count(); ++carrier)
    threads.emplace_back([&job, carrier] {
      job.carriers.run(
          carrier,
          [](void* of, Rank node) {
            const Job& to_do = *static_cast<Job*>(of);
            to_do.body(to_do.carriers, node);
            return true;
          },
          &job);
    });
  for (std::thread& thread : threads) thread.join();
}

std::vector<Rank> ranks(Rank first, Rank end) {
  std::vector<Rank> list;
  for (Rank node = first; node < end; ++node) list.push_back(node);
  return list;
}

}  // namespace

TEST_CASE("nodes of a carrier take turns, first come, first served, and begin anew in each run") {
  Carriers carriers({ranks(0, 4)}, 0, 256 << 10, usual);
  for (int run = 0; run < 3; ++run) {
    std::string order;
    run_all(carriers, [&](Carriers& all, Rank node) {
      for (int turn = 0; turn < 3; ++turn) {
        order += static_cast<char>('0' + node);
        all.fiber(node).yield();
      }
    });
    CHECK(order == "012301230123");
  }
}

TEST_CASE("who sleeps runs when it is rung, and not before") {
  Carriers carriers({ranks(3, 6)}, 3, 256 << 10, usual);
  std::string order;
  run_all(carriers, [&](Carriers& all, Rank node) {
    if (node == 3) {
      all.fiber(3).sleep(long_time);
      CHECK_FALSE(all.fiber(3).slept_long());
      order += 'w';
      return;
    }
    all.fiber(node).yield();
    order += static_cast<char>('0' + node);
    if (node == 5) {
      all.fiber(3).ring();
      all.fiber(3).ring();  // once more changes nothing
      order += 'r';
    }
  });
  CHECK(order == "45rw");
}

TEST_CASE(
    "rings of other threads before a sleep end it, once for all, and nothing of them is left for the next "
    "run") {
  Carriers carriers({ranks(0, 1), ranks(1, 2)}, 0, 256 << 10, usual);
  for (int run = 0; run < 3; ++run) {
    std::atomic<bool> looked{false}, rung{false};
    run_all(carriers, [&](Carriers& all, Rank node) {
      if (node == 1) {
        while (!looked) std::this_thread::yield();
        all.fiber(0).ring();
        all.fiber(0).ring();
        rung = true;
        return;
      }
      looked = true;
      while (!rung) std::this_thread::yield();
      all.fiber(0).sleep(long_time);
      CHECK_FALSE(all.fiber(0).slept_long());
      all.fiber(0).sleep(std::chrono::milliseconds(2));
      CHECK(all.fiber(0).slept_long());
      all.fiber(0).ring();  // it runs
    });
  }
}

TEST_CASE("a sleep that nobody ends is over after its time") {
  Carriers carriers({ranks(0, 2), ranks(2, 3)}, 0, 256 << 10, usual);
  std::atomic<int> late{0};
  run_all(carriers, [&](Carriers& all, Rank node) {
    all.fiber(node).sleep(std::chrono::milliseconds(2));
    if (all.fiber(node).slept_long()) ++late;
  });
  CHECK(late == 3);
}

TEST_CASE("carriers wake each other's nodes: no ring is lost, and none counts twice") {
  constexpr int nodes = 6, rounds = 3000;
  for (const auto& division :
       {std::vector{ranks(0, 3), ranks(3, 6)}, std::vector{ranks(0, 2), ranks(2, 4), ranks(4, 6)}}) {
    Carriers carriers(division, 0, 256 << 10, usual);
    std::vector<std::atomic<int>> tokens(nodes);
    // A token goes round, and each node waits for it.
    run_all(carriers, [&](Carriers& all, Rank node) {
      std::atomic<int>& own = tokens[static_cast<std::size_t>(node)];
      const Rank next = (node + 1) % nodes;
      for (int round = 1; round <= rounds; ++round) {
        const auto come = [&] { return own.load(std::memory_order_acquire) >= round; };
        while (node != 0 && !come()) all.fiber(node).sleep(long_time);
        tokens[static_cast<std::size_t>(next)].store(round, std::memory_order_release);
        all.fiber(next).ring();
        while (node == 0 && !come()) all.fiber(node).sleep(long_time);
      }
    });
    for (const std::atomic<int>& token : tokens) CHECK(token == rounds);
  }
}

TEST_CASE("exceptions in flight, errno and this_thread() are each node's own") {
  Carriers carriers({ranks(0, 3)}, 0, 256 << 10, usual);
  std::atomic<int> right{0};
  run_all(carriers, [&](Carriers& all, Rank node) {
    const ThreadId own = this_thread();
    errno = 100 + node;
    struct Unwinding {
      Fiber& fiber;
      ~Unwinding() {
        fiber.yield();  // while another node throws and catches
        if (std::uncaught_exceptions() == 1) fiber.yield();
      }
    };
    try {
      const Unwinding unwinding{all.fiber(node)};
      throw node;
    } catch (int caught) {
      all.fiber(node).yield();
      if (caught == node && std::uncaught_exceptions() == 0 && errno == 100 + node && this_thread() == own &&
          std::current_exception() != nullptr)
        ++right;
    }
  });
  CHECK(right == 3);
  CHECK(this_thread() != nullptr);
}
