// Nodes without a team, which count themselves in the deadlock detector at once when they wait: what is rare
// in a team happens in each wait.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <doctest/doctest.h>
#include <exception>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <vnode/error.hpp>

#include "brief.hpp"
#include "execute/point_to_point.hpp"
#include "watch/waiter.hpp"

using namespace vnode;

namespace {

struct Lone {
  Endpoint endpoint;
  Waiter waiter;
  std::mt19937 random;

  Lone(Fabric& fabric, Rank rank, WaitPolicy policy, unsigned seed)
      : endpoint(fabric, rank),
        waiter(endpoint, policy),
        random(seed * 1000u + static_cast<unsigned>(rank)) {}

  template <class Step>
  void wait(Step& step) {
    waiter.wait([&] { return step.advance(); }, [&] { return step.awaited(); }, [&] { return step.watch(); },
                [&](bool all) { endpoint.relieve(all); });
  }
  void dawdle() {
    const unsigned how = random() % 16;
    if (how < 8) return;
    if (how < 14) return std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(random() % (how == 14 ? 50 : 400)));
  }
};

const Profile profile{512, 0, 4096, false};

Correspondence with(Rank peer, int tag) {
  return {peer, static_cast<std::uint32_t>(tag), message_context, 0, 1, sizeof(int)};
}

Buffer buffer(std::vector<int>& all) { return buffer_of(std::span(all)); }

/// Rounds in which each node sends to one that is `distance` further, some of them with two waits that depend
/// on each other. `alike` is the same for all nodes. Returns whether all came as it was sent.
bool rounds(Lone& node, int p, std::mt19937& alike, int number) {
  const Rank me = node.endpoint.rank();
  bool right = true;
  for (int round = 0; round < number; ++round) {
    const int distance = 1 + static_cast<int>(alike() % static_cast<unsigned>(p - 1));
    const std::size_t count = alike() % 3 == 0 ? 3000 : 1 + alike() % 100;
    const bool chain = alike() % 4 == 0;
    const Rank to = (me + distance) % p, from = (me - distance + p) % p;
    std::vector<int> out(count, me * 1000 + round), in(count);
    node.dawdle();
    if (chain) {
      // From node to node, in a line: those behind wait for long.
      if (me > 0) {
        Receiving receiving(node.endpoint, with(me - 1, round), buffer(in), vnode::element_type<int>);
        node.wait(receiving);
        right = right && in.back() == (me - 1) * 1000 + round;
      }
      if (me + 1 < p) {
        Sending sending(node.endpoint, with(me + 1, round), buffer(out), vnode::element_type<int>, profile);
        node.wait(sending);
      }
      continue;
    }
    Sending sending(node.endpoint, with(to, round), buffer(out), vnode::element_type<int>, profile);
    Receiving receiving(node.endpoint, with(from, round), buffer(in), vnode::element_type<int>);
    Exchange both{sending, receiving};
    node.wait(both);
    right = right && in == std::vector<int>(count, from * 1000 + round);
  }
  return right;
}

/// Runs of `p` nodes on threads, of which every other one ends in a deadlock of those that have not left.
void try_runs(int p, WaitPolicy policy, unsigned seed, int runs) {
  FabricOptions options;
  options.nodes = p;
  options.long_wait = std::chrono::nanoseconds(0);
  options.fencing = policy.fencing;
  Fabric fabric(options);
  std::vector<std::unique_ptr<Lone>> nodes;
  for (Rank rank = 0; rank < p; ++rank) nodes.push_back(std::make_unique<Lone>(fabric, rank, policy, seed));
  for (auto& node : nodes) node->waiter.set_limit(std::chrono::seconds(60));
  for (int run = 0; run < runs; ++run) {
    const bool stops = run % 2 == 1;
    std::atomic<int> right{0}, told{0};
    std::vector<std::string> others(static_cast<std::size_t>(p));
    std::vector<std::thread> threads;
    for (Rank rank = 0; rank < p; ++rank)
      threads.emplace_back([&, rank] {
        Lone& node = *nodes[static_cast<std::size_t>(rank)];
        std::mt19937 alike(seed * 77u + static_cast<unsigned>(run));
        try {
          right += rounds(node, p, alike, 20);
          const Rank leaver = static_cast<Rank>(alike() % static_cast<unsigned>(p));
          if (stops && p > 2 && rank != leaver) {
            int x = 0;
            const Rank next = (rank + 1) % p == leaver ? (rank + 2) % p : (rank + 1) % p;
            Receiving never(node.endpoint, with(next, 1000), buffer_of(std::span(&x, 1)),
                            vnode::element_type<int>);
            node.wait(never);
          }
        } catch (const Deadlock&) {
          ++told;
        } catch (const std::exception& error) {
          others[static_cast<std::size_t>(rank)] = error.what();
        }
        // As a team's nodes end, but who is told ends the run of the others.
        fabric.shared(rank).left.store(1, std::memory_order_release);
        if (stops && fabric.detector().verdict() != nullptr) fabric.abort(rank, nullptr);
        if (fabric.detector().leave()) fabric.ring_one_that_waits();
      });
    for (std::thread& thread : threads) thread.join();
    CAPTURE(p);
    CAPTURE(run);
    CHECK(right == p);
    CHECK(told == (stops && p > 2 ? p - 1 : 0));
    for (const std::string& other : others) CHECK(other == "");
    fabric.reset();
    fabric.detector().reset();
    for (Rank rank = 0; rank < p; ++rank) fabric.shared(rank).left.store(0);
    for (auto& node : nodes) node->endpoint.reset();
  }
}

}  // namespace

TEST_CASE(
    "nodes that count in the deadlock detector in all their waits go on if they can, and are told if not") {
  using namespace std::chrono_literals;
  WaitPolicy both_fence{0ns, 0ns};
  both_fence.fencing = Fencing::both_sides;
  const WaitPolicy policies[] = {{0ns, 0ns}, both_fence, {0ns, WaitPolicy::forever}, {1us, 20us}};
  const int runs = vnode_test::brief() ? 4 : 8;
  unsigned seed = 1;
  for (const WaitPolicy& policy : policies)
    for (const int p : {2, 3, 7}) try_runs(p, policy, ++seed, runs);
}
