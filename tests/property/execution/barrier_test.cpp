#include <atomic>
#include <doctest/doctest.h>
#include <vector>

#include <vnode/model/algorithms.hpp>
#include <vnode/vnode.hpp>

namespace {

// Returns the first rank alone, and all the others; of one node, one.
vnode::Hierarchy::Domains two_domains(int nodes) {
  vnode::Hierarchy::Domains domains{{0}};
  for (vnode::Rank rank = 1; rank < nodes; ++rank) {
    if (rank == 1) domains.emplace_back();
    domains.back().push_back(rank);
  }
  return domains;
}

}  // namespace

TEST_CASE("no node leaves a barrier before all have come to it, by any algorithm") {
  int runs = 0;
  for (const int nodes : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 32, 64})
    for (const vnode::ChannelEngine engine : {vnode::ChannelEngine::line, vnode::ChannelEngine::boost})
      for (const vnode::Wait wait : {vnode::Wait::automatic, vnode::Wait::park}) {
        vnode::TeamOptions options;
        options.channel = engine;
        options.wait = wait;
        options.time_limit = std::chrono::seconds(60);
        vnode::Team team(nodes, vnode::shapes::full{}, options);
        std::vector<std::atomic<int>> arrived(static_cast<std::size_t>(nodes));
        std::atomic<int> early{0};
        int expected = 0;
        for (const vnode::Algorithm& algorithm : vnode::algorithms()) {
          vnode::Parameters parameters;
          parameters.nodes = nodes;
          const vnode::Hierarchy halves({two_domains(nodes)});
          parameters.hierarchy = halves;
          if (algorithm.collective != vnode::Collective::barrier || vnode::why_not(algorithm, parameters))
            continue;
          INFO(algorithm.name << " on " << nodes << " nodes");
          const int rounds = 6;
          REQUIRE_NOTHROW(team.run([&](vnode::Node& me) {
            for (int round = 1; round <= rounds; ++round) {
              // Relaxed: the barrier is what orders these.
              arrived[static_cast<std::size_t>(me.rank())].store(expected + round, std::memory_order_relaxed);
              me.barrier({.algorithm = algorithm.name, .hierarchy = &halves});
              for (const auto& other : arrived)
                early += other.load(std::memory_order_relaxed) < expected + round;
            }
          }));
          expected += rounds;
          ++runs;
        }
        CHECK(early == 0);
      }
  MESSAGE(runs << " runs");
}
