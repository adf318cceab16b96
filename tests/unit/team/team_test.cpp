#include <array>
#include <atomic>
#include <cstdlib>
#include <doctest/doctest.h>
#include <map>
#include <numeric>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>

#include "brief.hpp"
#include "machine/binding.hpp"

namespace {
std::atomic<int> visits{0};
void visit(vnode::Node&) { ++visits; }
}  // namespace

TEST_CASE("a body may be a function") {
  vnode::Team team{3, vnode::TeamOptions{.pin = false}};
  team.run(visit);
  CHECK(visits == 3);
}

TEST_CASE("a team runs a body on every node, node 0 on the caller, and can do so again") {
  vnode::Team team{8, vnode::shapes::hypercube{}};
  std::array<std::atomic<int>, 8> calls{};
  for (int run = 1; run <= 3; ++run) {
    team.run([&](vnode::Node& me) {
      CHECK(me.size() == 8);
      CHECK(me.topology() == team.topology());
      ++calls[static_cast<std::size_t>(me.rank())];
    });
    for (const auto& count : calls) CHECK(count == run);
  }
  std::thread::id zero;
  team.run([&](vnode::Node& me) {
    if (me.rank() == 0) zero = std::this_thread::get_id();
  });
  CHECK(zero == std::this_thread::get_id());
  vnode::TeamOptions apart;
  apart.apart = true;
  vnode::Team other(2, vnode::shapes::ring{}, apart);
  other.run([&](vnode::Node& me) {
    if (me.rank() == 0) zero = std::this_thread::get_id();
  });
  CHECK(zero != std::this_thread::get_id());
}

TEST_CASE("who calls run() is pinned within it, and afterwards as before, however the run ends") {
  const std::vector<int> before = vnode::thread_affinity();
  vnode::Team team(2);
  for (int run = 0; run < 3; ++run) {
    team.run([](vnode::Node& me) {
      CHECK(vnode::thread_affinity().size() == 1);
      me.barrier();
    });
    CHECK(vnode::thread_affinity() == before);
  }
  CHECK_THROWS_AS(team.run([](vnode::Node&) { throw 1; }), int);
  CHECK(vnode::thread_affinity() == before);
  team.costs();
  CHECK(vnode::thread_affinity() == before);
  // What is started then may run anywhere.
  std::thread([&] { CHECK(vnode::thread_affinity() == before); }).join();
  // In a run of another team the caller is that one's node again.
  team.run([](vnode::Node& me) {
    const std::vector<int> own = vnode::thread_affinity();
    vnode::Team inner(2);
    inner.run([](vnode::Node& mine) { mine.barrier(); });
    CHECK(vnode::thread_affinity() == own);
    me.barrier();
  });
}

TEST_CASE("threads that a node starts are free of its PU if it is unpinned meanwhile") {
  const std::vector<int> before = vnode::thread_affinity();
  vnode::Team team(2);
  team.run([&](vnode::Node& me) {
    const std::vector<int> own = vnode::thread_affinity();
    {
      const vnode::Unpinned free;
      CHECK(vnode::thread_affinity() == before);
      std::thread([&] { CHECK(vnode::thread_affinity() == before); }).join();
      const vnode::Unpinned again;
    }
    CHECK(vnode::thread_affinity() == own);
    // So are the threads of a team that a node makes.
    vnode::TeamOptions unpinned;
    unpinned.pin = false;
    vnode::Team inner(3, vnode::shapes::full{}, unpinned);
    inner.run([&](vnode::Node& mine) {
      if (mine.rank() > 0) CHECK(vnode::thread_affinity() == before);
    });
    me.barrier();
  });
  const vnode::Unpinned nothing;
  CHECK(vnode::thread_affinity() == before);
}

TEST_CASE("a caller that is kept pinned is so until another thread calls, and then is as before") {
  const std::vector<int> before = vnode::thread_affinity();
  vnode::TeamOptions options;
  options.keep_caller_pinned = true;
  vnode::Team team(1, vnode::shapes::full{}, options);
  const auto pinned = [&] {
    team.run([](vnode::Node&) {});
    return vnode::thread_affinity();
  };
  CHECK(pinned().size() == 1);
  std::thread([&] { CHECK(pinned().size() == 1); }).join();
  CHECK(vnode::thread_affinity() == before);
  CHECK(pinned().size() == 1);
  std::thread([&] { CHECK(pinned().size() == 1); }).join();
  CHECK(vnode::thread_affinity() == before);
}

TEST_CASE("who calls run() of a team whose nodes are all apart is never pinned") {
  const std::vector<int> before = vnode::thread_affinity();
  vnode::TeamOptions options;
  options.keep_caller_pinned = options.apart = true;
  vnode::Team team(2, vnode::shapes::full{}, options);
  team.costs();
  CHECK(vnode::thread_affinity() == before);
  team.run([](vnode::Node& me) { me.barrier(); });
  CHECK(vnode::thread_affinity() == before);
}

TEST_CASE("nodes send and receive messages of every size, in order, by tag") {
  for (const std::size_t shared_from : {std::size_t{2000}, std::size_t{1} << 40}) {
    vnode::TeamOptions options;
    options.shared_from = shared_from;
    vnode::Team team(2, vnode::shapes::full{}, options);
    team.run([](vnode::Node& me) {
      for (const std::size_t count : {0u, 1u, 6u, 7u, 128u, 140u, 141u, 300u, 5000u, 100000u}) {
        std::vector<std::uint64_t> x(count);
        if (me.rank() == 0) {
          std::iota(x.begin(), x.end(), count);
          me.send(x, 1, 2);
          std::fill(x.begin(), x.end(), 9);
          me.send(std::span(x).first(count / 2), 1, 2);
        } else {
          std::vector<std::uint64_t> expected(count);
          std::iota(expected.begin(), expected.end(), count);
          CHECK(me.recv(x, 0, 2) == count);
          CHECK(x == expected);
          CHECK(me.recv(x, 0, 2) == count / 2);
        }
      }
    });
  }
}

TEST_CASE("a message waits for its receive while others with other tags and collectives pass") {
  vnode::Team team(2);
  team.run([](vnode::Node& me) {
    int first[1] = {1}, second[1] = {2};
    std::vector<int> vector(1000, me.rank());
    if (me.rank() == 0) {
      me.send(first, 1, 10);
      me.send(second, 1, 20);
      me.broadcast(vector, 0);
    } else {
      me.broadcast(vector, 0);
      CHECK(vector == std::vector<int>(1000, 0));
      me.recv(second, 0, 20);
      me.recv(first, 0, 10);
      CHECK(first[0] == 1);
      CHECK(second[0] == 2);
    }
  });
}

TEST_CASE("everybody exchanges with everybody, itself included") {
  vnode::Team team(5);
  team.run([](vnode::Node& me) {
    for (const std::size_t count : {1u, 100u, 20000u})
      for (int shift = 0; shift < me.size(); ++shift) {
        const int to = (me.rank() + shift) % me.size(), from = (me.rank() + me.size() - shift) % me.size();
        const std::vector<int> out(count, me.rank());
        std::vector<int> in(count, -1);
        CHECK(me.sendrecv(out, to, in, from) == count);
        CHECK(in == std::vector<int>(count, from));
      }
  });
}

TEST_CASE("more messages than a channel holds arrive, in order") {
  vnode::Team team(2);
  team.run([](vnode::Node& me) {
    constexpr int many = 10000;
    for (int i = 0; i < many; ++i) {
      int x[1] = {i};
      if (me.rank() == 0)
        me.send(x, 1);
      else {
        me.recv(x, 0);
        REQUIRE(x[0] == i);
      }
    }
  });
}

TEST_CASE("64 and 256 nodes on any number of cores do collectives within the channels' budget") {
  for (const int nodes : {64, 256}) {
    vnode::Team team(nodes);
    team.run([](vnode::Node& me) {
      for (int round = 0; round < 3; ++round) {
        std::vector<int> x(500, me.rank());
        me.broadcast(x, round);
        CHECK(x == std::vector<int>(500, round));
        std::array<long, 2> mine{me.rank(), 1}, sum{};
        me.reduce(mine, sum, std::plus<>{}, me.size() - 1);
        if (me.rank() == me.size() - 1)
          CHECK(sum == std::array<long, 2>{me.size() * (me.size() - 1L) / 2, me.size()});
        me.barrier();
        std::vector<int> y(500, me.rank());
        me.broadcast(y, round, {"broadcast_binomial"});
        CHECK(y == std::vector<int>(500, round));
        me.reduce(mine, sum, std::plus<>{}, 0, {"reduce_binomial"});
        if (me.rank() == 0) CHECK(sum[1] == me.size());
        me.barrier({"barrier_dissemination"});
      }
    });
    CHECK(team.channel_bytes() > 0);
    CHECK(team.channel_bytes() <= 64u << 20);
  }
}

TEST_CASE("256 nodes that all talk to each other stay within 64 MiB of channels") {
  vnode::Team team(vnode_test::brief() ? 64 : 256);
  team.run([](vnode::Node& me) {
    const int out[1] = {me.rank()};
    for (int shift = 1; shift < me.size(); ++shift) me.send(out, (me.rank() + shift) % me.size());
    for (int from = 0; from < me.size(); ++from) {
      if (from == me.rank()) continue;
      int in[1];
      me.recv(in, from);
      REQUIRE(in[0] == from);
    }
  });
  if (!vnode_test::brief()) CHECK(team.channel_bytes() > 30u << 20);
  CHECK(team.channel_bytes() <= 64u << 20);
}

TEST_CASE("checked calls agree and are counted as calls only") {
  vnode::TeamOptions options;
  options.checked = true;
  vnode::Team team(4, vnode::shapes::full{}, options);
  team.run([](vnode::Node& me) {
    for (int i = 0; i < 50; ++i) {
      std::vector<int> x(10, me.rank());
      me.broadcast(x, i % 4);
      CHECK(x == std::vector<int>(10, i % 4));
      me.barrier();
    }
  });
}

TEST_CASE("elements with a large alignment are combined where they may lie") {
  struct alignas(32) Wide {
    long values[4];
  };
  vnode::Team team(3);
  const auto add = [](const Wide& a, const Wide& b) {
    CHECK(reinterpret_cast<std::uintptr_t>(&a) % 32 == 0);
    CHECK(reinterpret_cast<std::uintptr_t>(&b) % 32 == 0);
    return Wide{{a.values[0] + b.values[0], 0, 0, a.values[3] + b.values[3]}};
  };
  team.run([&](vnode::Node& me) {
    for (const char* algorithm : {"reduce_binomial", "reduce_direct", "reduce_linear"}) {
      std::array<Wide, 1> x{Wide{{me.rank(), 0, 0, 1}}};
      me.reduce(x, add, 0, {algorithm});
      if (me.rank() == 0) {
        CHECK(x[0].values[0] == 3);
        CHECK(x[0].values[3] == 3);
      }
    }
  });
}

TEST_CASE("scratch grows with what a reduction keeps on inner nodes, and is told") {
  vnode::Team team(4);
  team.run([](vnode::Node& me) {
    std::vector<double> x(1000, 1.0);
    me.reduce(x, std::plus<>{}, 0, {"reduce_binomial"});
  });
  CHECK(team.scratch_bytes() == 8000);  // node 2 alone combines what it may not overwrite
}
