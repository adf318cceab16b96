// Tests programs that end, whose nodes wait for long because others sleep, give their core away, wait for
// other things, or do not run: none of them is told of a deadlock.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <future>
#include <random>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <vnode/vnode.hpp>

#include "brief.hpp"
#include "sentence.hpp"

using namespace vnode_test;

namespace {

using Random = std::mt19937;

bool is_soak() { return std::getenv("VNODE_SOAK") != nullptr; }

std::size_t below(Random& random, std::size_t end) { return random() % end; }

/// Keeps a node from its next call, often for longer than a wait is before it counts in the deadlock
/// detector.
void dawdle(vnode::Node& me, Random& own, bool short_ones) {
  const auto pause = std::chrono::microseconds(below(own, short_ones ? 300 : 25000));
  switch (below(own, 12)) {
    case 0:
      return std::this_thread::sleep_for(pause);
    case 1:
      for (std::size_t i = below(own, 50); i > 0; --i) std::this_thread::yield();
      return;
    case 2:
      return std::async(std::launch::async, [pause] { std::this_thread::sleep_for(pause); }).get();
    case 3:
      if (me.size() < 8) {
        vnode::Team inner(2, vnode::shapes::full{}, patient());
        inner.run([&](vnode::Node& node) {
          if (node.rank() == 1) std::this_thread::sleep_for(pause);
          node.barrier();
        });
      }
      return;
    default:
      return;
  }
}

struct SlowSum {
  std::chrono::microseconds pause;
  int operator()(int a, int b) const {
    if (a % 7 == 3) std::this_thread::sleep_for(pause);
    return a + b;
  }
};

/// One round of calls that find out from whom, or with what, a message comes. `tag` is this round's alone.
bool match(vnode::Node& me, Random& alike, Random& own, int tag, bool short_ones) {
  const int p = me.size();
  const std::size_t count = 1 + below(alike, 3) * 4000;
  const int distance = 1 + static_cast<int>(below(alike, static_cast<std::size_t>(p - 1)));
  const vnode::Rank to = (me.rank() + distance) % p, from = (me.rank() + p - distance) % p;
  const std::vector<int> out(count, tag + me.rank()), expected(count, tag + from);
  const vnode::MessageInfo arrived{from, tag, count * sizeof(int)};
  std::vector<int> in(count);
  switch (below(alike, 6)) {
    case 0: {
      vnode::Request sent = me.isend(out, to, tag);
      dawdle(me, own, short_ones);
      vnode::MessageInfo info;
      me.recv(in, vnode::any_source, tag, info);
      sent.wait();
      return info == arrived && in == expected;
    }
    case 1: {
      vnode::Request sent = me.isend(out, to, tag);
      const vnode::MessageInfo info = me.probe(vnode::any_source, tag);
      dawdle(me, own, short_ones);
      me.recv(in, info.source, info.tag);
      sent.wait();
      return info == arrived && in == expected;
    }
    case 2: {
      vnode::Request sent = me.isend(out, to, tag);
      dawdle(me, own, short_ones);
      vnode::MatchedMessage message = me.mprobe(vnode::any_source, tag);
      dawdle(me, own, short_ones);
      message.recv(in);
      sent.wait();
      return message.info() == arrived && in == expected;
    }
    case 3: {
      // From all others, in whatever order they come.
      std::vector<int> all(static_cast<std::size_t>(p), -1);
      std::vector<vnode::Request> requests;
      for (int& one : all) requests.push_back(me.irecv(one, vnode::any_source, tag));
      for (vnode::Rank rank = 0; rank < p; ++rank) {
        dawdle(me, own, true);
        me.send(me.rank(), rank, tag);
      }
      const bool singly = own() % 2 == 0;
      int told = 0;
      while (told < p)
        told += singly ? vnode::wait_any(requests).has_value()
                       : static_cast<int>(vnode::wait_some(requests).size());
      std::ranges::sort(all);
      for (int rank = 0; rank < p; ++rank)
        if (all[static_cast<std::size_t>(rank)] != rank) return false;
      return true;
    }
    case 4: {
      vnode::Request received = me.irecv(in, own() % 2 == 0 ? from : vnode::any_source, tag);
      dawdle(me, own, short_ones);
      if (own() % 2 == 0)
        me.ssend(out, to, tag);
      else
        me.issend(out, to, tag).wait();
      received.wait();
      return received.info() == arrived && in == expected;
    }
    default: {
      const vnode::Neighbours neighbours({from}, {to});
      dawdle(me, own, short_ones);
      me.exchange(out, in, neighbours);
      return in == expected;
    }
  }
}

/// One round of calls, the same kind on all nodes. Returns whether its results are right.
bool call(vnode::Node& me, vnode::Group& row, Random& alike, Random& own, bool short_ones) {
  const int p = me.size(), number = static_cast<int>(alike() % 1000);
  const std::size_t count = 1 + below(alike, 3) * 4000;
  const int distance = 1 + static_cast<int>(below(alike, static_cast<std::size_t>(p - 1)));
  const vnode::Rank to = (me.rank() + distance) % p, from = (me.rank() + p - distance) % p;
  std::vector<int> out(count, number + me.rank()), in(count);
  switch (below(alike, 8)) {
    case 0:
      me.barrier();
      return true;
    case 1:
      me.sendrecv(out, to, in, from, number);
      return in == std::vector<int>(count, number + from);
    case 2: {
      vnode::Request sent = me.isend(out, to, number), received = me.irecv(in, from, number);
      dawdle(me, own, short_ones);
      received.wait();
      sent.wait();
      return in == std::vector<int>(count, number + from);
    }
    case 3: {
      // Who comes to its call sooner tests, others wait.
      vnode::Request received = me.irecv(in, from, number);
      dawdle(me, own, short_ones);
      vnode::Request sent = me.isend(out, to, number);
      if (own() % 2 == 0)
        while (!received.test()) std::this_thread::yield();
      received.wait();
      sent.wait();
      return in == std::vector<int>(count, number + from);
    }
    case 4: {
      // A line: the last waits for all.
      if (me.rank() > 0) me.recv(in, me.rank() - 1, number);
      dawdle(me, own, short_ones);
      if (me.rank() + 1 < p) me.send(out, me.rank() + 1, number);
      return me.rank() == 0 || in == std::vector<int>(count, number + me.rank() - 1);
    }
    case 5: {
      int sum[1] = {1};
      row.all_reduce(sum, SlowSum{std::chrono::microseconds(short_ones ? 10 : 3000)});
      return sum[0] == row.size();
    }
    case 6: {
      std::vector<int> sums(count, 1), others(3, me.rank());
      vnode::Request first = me.nonblocking().all_reduce(sums, std::plus<>{});
      vnode::Request second = row.nonblocking().broadcast(others, 0);
      dawdle(me, own, short_ones);
      me.barrier();
      second.wait();
      first.wait();
      return sums == std::vector<int>(count, p) && others[0] == row.team_rank(0);
    }
    default: {
      std::vector<int> all(static_cast<std::size_t>(p)), one(1, me.rank());
      me.all_gather(one, all);
      for (int rank = 0; rank < p; ++rank)
        if (all[static_cast<std::size_t>(rank)] != rank) return false;
      return true;
    }
  }
}

/// Returns what went wrong in a program of so many rounds, or nothing.
std::string wrong_in(int nodes, vnode::Wait wait, unsigned seed, int rounds, bool short_ones) {
  vnode::TeamOptions options = patient();
  options.wait = wait;
  options.costs.emplace();
  vnode::Team team(nodes, vnode::shapes::full{}, options);
  std::vector<int> right(static_cast<std::size_t>(nodes));
  try {
    team.run([&](vnode::Node& me) {
      Random alike(seed), own(seed * 64 + static_cast<unsigned>(me.rank()));
      vnode::Group row = me.split(me.rank() % 3 == 0);
      for (int round = 0; round < rounds; ++round) {
        dawdle(me, own, short_ones);
        right[static_cast<std::size_t>(me.rank())] += alike() % 3 == 0
                                                          ? match(me, alike, own, 1000 + round, short_ones)
                                                          : call(me, row, alike, own, short_ones);
      }
      // Some leave long before others.
      dawdle(me, own, short_ones);
      std::vector<int> last(10000);
      if (me.rank() == nodes - 1) me.send(last, 0, 5);
      if (me.rank() == 0) me.recv(last, nodes - 1, 5);
    });
  } catch (const std::exception& error) {
    return error.what();
  }
  return right == std::vector<int>(right.size(), rounds) ? "" : "a result is wrong";
}

}  // namespace

TEST_CASE("programs whose nodes sleep, compute and run other teams between calls end well") {
  const int programs = is_soak() ? 2000 : brief() ? 1 : 2, rounds = 10;
  unsigned seed = 0;
  for (int program = 0; program < programs; ++program) {
    // Several teams at a time: each keeps the others from their cores.
    std::vector<std::future<std::string>> teams;
    for (const int nodes : {2, 3, 5, 9})
      teams.push_back(std::async(std::launch::async, [=, own = ++seed] {
        constexpr vnode::Wait waits[] = {vnode::Wait::automatic, vnode::Wait::park, vnode::Wait::yield};
        return wrong_in(nodes, waits[(own + own / 4) % 3], own, rounds, false);
      }));
    for (std::future<std::string>& team : teams) {
      const std::string wrong = team.get();
      CAPTURE(program);
      CHECK(wrong == "");
    }
  }
}

TEST_CASE("64 nodes on few cores end well") {
  for (int program = 0; program < (is_soak() ? 500 : 1); ++program)
    CHECK(wrong_in(64, vnode::Wait::automatic, 900u + static_cast<unsigned>(program), 12, true) == "");
}

TEST_CASE("a process that is stopped for a while is told of no deadlock") {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const std::string wrong = wrong_in(4, vnode::Wait::automatic, 4711, 10, false);
    if (!wrong.empty()) std::fputs(wrong.c_str(), stderr);
    _exit(wrong.empty() ? 0 : 1);
  }
  Random random(5);
  int status = 0;
  for (int i = 0; waitpid(child, &status, WNOHANG) == 0; ++i) {
    kill(child, SIGSTOP);
    std::this_thread::sleep_for(std::chrono::milliseconds(below(random, 40)));
    kill(child, SIGCONT);
    std::this_thread::sleep_for(std::chrono::milliseconds(1 + below(random, 20)));
  }
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
