// Tests nodes that are fibers by vnode.h.
#include <atomic>
#include <doctest/doctest.h>
#include <string>
#include <thread>
#include <vector>

#include <vnode/vnode.h>

#include "teams.hpp"

using namespace vnode_test;

TEST_CASE("nodes that are fibers have failures of their own, and yield") {
  vnode_team_options options{};
  options.nodes = VNODE_NODES_FIBERS;
  options.stack = 512 << 10;
  const int nodes = 4 * static_cast<int>(std::thread::hardware_concurrency());
  const CTeam team(nodes, nullptr, options);
  char* report = nullptr;
  REQUIRE(vnode_team_report(team, &report) == VNODE_OK);
  CHECK(std::string(report).find(", fibers on ") != std::string::npos);
  vnode_text_free(&report);
  std::atomic<int> failed{0};
  std::vector<std::string> sentences(static_cast<std::size_t>(nodes));
  CHECK(wrong(team.run([&](vnode_node* me) {
          const int rank = vnode_group_rank(me);
          double x = rank;
          vnode_broadcast(me, &x, 1, VNODE_F64, nodes + rank, nullptr);  // there is no such root
          for (++failed; failed < nodes;)
            if (const int code = vnode_yield(me); code != VNODE_OK) return code;
          sentences[static_cast<std::size_t>(rank)] = vnode_message();
          return vnode_barrier(me, nullptr);
        })) == "");
  for (int rank = 0; rank < nodes; ++rank)
    CHECK(sentences[static_cast<std::size_t>(rank)].find("root " + std::to_string(nodes + rank)) !=
          std::string::npos);
  CHECK(vnode_yield(nullptr) == VNODE_ERROR_USAGE);
  // The run's is that of the node that fails, whatever another one is told after that.
  CHECK(team.run([&](vnode_node* me) {
    const int rank = vnode_group_rank(me);
    double x = rank;
    if (rank > 1) return VNODE_OK + 0;
    const int code = vnode_broadcast(me, &x, 1, VNODE_F64, nodes + rank, nullptr);
    for (int i = 0; i < 3 && rank == 0; ++i) vnode_yield(me);
    return rank == 0 ? code : VNODE_OK;
  }) == VNODE_ERROR_USAGE);
  CHECK(std::string(vnode_message()).find("root " + std::to_string(nodes)) != std::string::npos);
}

TEST_CASE("a fiber keeps its failure while it runs another team, and after it") {
  vnode_team_options options{};
  options.nodes = VNODE_NODES_FIBERS;
  const int nodes = 4 * static_cast<int>(std::thread::hardware_concurrency());
  const CTeam team(nodes, nullptr, options);
  std::vector<std::string> sentences(static_cast<std::size_t>(nodes));
  CHECK(wrong(team.run([&](vnode_node* me) {
          const int rank = vnode_group_rank(me);
          const CTeam own(1);
          if (const int code = own.run([](vnode_node* alone) { return vnode_barrier(alone, nullptr); });
              code != 0)
            return code;
          double x = rank;
          vnode_broadcast(me, &x, 1, VNODE_F64, nodes + rank, nullptr);
          for (int i = 0; i < 3; ++i) vnode_yield(me);
          sentences[static_cast<std::size_t>(rank)] = vnode_message();
          return vnode_barrier(me, nullptr);
        })) == "");
  for (int rank = 0; rank < nodes; ++rank)
    CHECK(sentences[static_cast<std::size_t>(rank)].find("root " + std::to_string(nodes + rank)) !=
          std::string::npos);
}
