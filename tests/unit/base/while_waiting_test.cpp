// Tests what a thread does while it waits, in calls, in Team::run and in Team::join.
#include "base/while_waiting.hpp"

#include <atomic>
#include <doctest/doctest.h>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>
#include <vnode/while_waiting.hpp>

namespace {

struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

/// Options of a team whose nodes wait for what never comes, which is no deadlock here: they are interrupted.
vnode::TeamOptions interruptible(vnode::Threads threads, vnode::Wait wait, bool apart) {
  vnode::TeamOptions options;
  options.threads = threads;
  options.wait = wait;
  options.apart = apart;
  options.deadlocks = false;
  return options;
}

/// Waits for a message that nobody sends; whether it was left by Aborted.
bool aborted_in_vain(vnode::Node& me) {
  try {
    int x = 0;
    me.recv(x, (me.rank() + 1) % me.size());
  } catch (const vnode::Aborted&) {
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a look is a thread's own, and the newest holds until it ends") {
  CHECK_FALSE(vnode::looks_while_waiting());
  vnode::look_while_waiting();
  std::string looked;
  {
    const vnode::WhileWaiting outer([&] { looked += 'o'; });
    {
      const vnode::WhileWaiting inner([&] { looked += 'i'; });
      vnode::look_while_waiting();
      std::thread([] { CHECK_FALSE(vnode::looks_while_waiting()); }).join();
    }
    vnode::look_while_waiting();
  }
  CHECK(looked == "io");
  CHECK_FALSE(vnode::looks_while_waiting());
}

TEST_CASE("while a look runs, the one before it holds, also where it throws") {
  std::string looked;
  const vnode::WhileWaiting outer([&] { looked += 'o'; });
  {
    const vnode::WhileWaiting inner([&] {
      looked += 'i';
      vnode::look_while_waiting();
      const vnode::WhileWaiting within([&] { looked += 'w'; });
      vnode::look_while_waiting();
      throw Stopped();
    });
    for (int i = 0; i < 2; ++i) CHECK_THROWS_AS(vnode::look_while_waiting(), Stopped);
  }
  vnode::look_while_waiting();
  CHECK(looked == "iowiowo");
}

TEST_CASE("a look may use another team, for longer than the time between two looks") {
  vnode::Team team(2, interruptible(vnode::Threads::own, vnode::Wait::automatic, true));
  vnode::Team other(2, interruptible(vnode::Threads::own, vnode::Wait::automatic, true));
  std::atomic<int> looks{0}, sum{0};
  const vnode::WhileWaiting look([&] {
    if (++looks > 1) return;
    other.run([&](vnode::Node& me) {
      std::this_thread::sleep_for(3 * vnode::look_interval);
      sum += me.all_reduce(1, std::plus<>{});
    });
  });
  team.run([&](const vnode::Node&) {
    while (sum < 4) std::this_thread::yield();
  });
  CHECK(sum == 4);
}

TEST_CASE(
    "an exception of the caller's look ends a run that it waits for, and leaves run() when all nodes have "
    "left") {
  for (const vnode::Wait wait :
       {vnode::Wait::automatic, vnode::Wait::spin, vnode::Wait::yield, vnode::Wait::park}) {
    vnode::Team team(3, interruptible(vnode::Threads::own, wait, true));
    std::atomic<int> aborted{0};
    int looks = 0;
    const vnode::WhileWaiting stop([&] {
      if (++looks == 3) throw Stopped();
    });
    CHECK_THROWS_AS(team.run([&](vnode::Node& me) { aborted += aborted_in_vain(me) ? 1 : 0; }), Stopped);
    CHECK(looks >= 3);
    CHECK(aborted == 3);
    std::atomic<int> sum{0};
    team.run([&](vnode::Node& me) { sum += me.all_reduce(1, std::plus<>{}); });
    CHECK(sum == 9);
  }
}

TEST_CASE("an exception of a node's look leaves the call in which it waits, and the run") {
  for (const vnode::Wait wait :
       {vnode::Wait::automatic, vnode::Wait::spin, vnode::Wait::yield, vnode::Wait::park}) {
    vnode::Team team(3, interruptible(vnode::Threads::own, wait, false));
    std::atomic<int> aborted{0};
    std::atomic<bool> left{false};
    const vnode::WhileWaiting stop([] { throw Stopped(); });
    CHECK_THROWS_AS(team.run([&](vnode::Node& me) {
      if (me.rank() > 0) {
        aborted += aborted_in_vain(me) ? 1 : 0;
        return;
      }
      try {
        aborted_in_vain(me);
      } catch (const Stopped&) {
        left = true;
        throw;
      }
    }),
                    Stopped);
    CHECK(left);
    CHECK(aborted == 2);
  }
}

TEST_CASE("a wait that ends by itself is not disturbed by looks") {
  vnode::Team team(2, interruptible(vnode::Threads::own, vnode::Wait::automatic, true));
  std::atomic<int> looks{0};
  const vnode::WhileWaiting look([&] { ++looks; });
  int got = 0;
  team.run([&](vnode::Node& me) {
    if (me.rank() == 0) {
      while (looks < 2) std::this_thread::yield();
      me.send(7, 1);
    } else {
      me.recv(got, 0);
    }
  });
  CHECK(got == 7);
  CHECK(looks >= 2);
}

TEST_CASE("an exception of a joiner's look ends the join of all that wait for the same run") {
  vnode::Team team(3, interruptible(vnode::Threads::callers, vnode::Wait::automatic, false));
  for (int trial = 0; trial < 3; ++trial) {
    std::string said;
    std::thread other([&] {
      try {
        const vnode::Membership me = team.join(1);
      } catch (const vnode::Aborted& error) {
        said = error.what();
      }
    });
    bool stopped = false;
    try {
      int looks = 0;
      // Once the other has come, or it would wait for the next gathering.
      const vnode::WhileWaiting stop([&] {
        if (++looks > 4) throw Stopped();
      });
      const vnode::Membership me = team.join(0);
    } catch (const Stopped&) {
      stopped = true;
    }
    CHECK(stopped);
    other.join();
    CHECK(said == "node 0 has given up waiting for all 3 nodes to join: node 2 is missing");
  }
  std::atomic<int> sum{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      vnode::Membership me = team.join(i);
      sum += me->all_reduce(1, std::plus<>{});
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(sum == 9);
}
