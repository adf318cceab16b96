// Threads of the program's that are nodes of a cluster: those of each process join its part.
#include <doctest/doctest.h>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <vnode/cluster.hpp>
#include <vnode/join.hpp>

#include "own_cluster.hpp"
#include "unit/communicator/joining.hpp"

using namespace vnode_test;

namespace {

vnode::TeamOptions joined() {
  vnode::TeamOptions options = vnode_test::patient();
  options.threads = vnode::Threads::callers;
  return options;
}

}  // namespace

TEST_CASE("threads of each process join its part of the cluster, again and again, and are the team's nodes") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), joined()};
  for (int time = 0; time < 3; ++time) {
    std::vector<int> right(static_cast<std::size_t>(own_nodes()));
    on_threads(own_nodes(), [&](int i) {
      vnode::Membership me = cluster.team().join(i);
      CHECK(me->rank() == cluster.first_here() + i);
      right[static_cast<std::size_t>(i)] = me->size() == cluster.size() && works(*me);
      const int next = (me->rank() + 1) % me->size(), before = (me->rank() + me->size() - 1) % me->size();
      std::vector<int> mine(20000, me->rank()), theirs(mine.size());
      me->sendrecv(mine, next, theirs, before);
      CHECK(theirs.back() == before);
      vnode::Group half = me->split(me->rank() % 2);
      CHECK(half.all_reduce(1, std::plus<>{}) == half.size());
    });
    CHECK(right == std::vector<int>(right.size(), 1));
  }
}

TEST_CASE("an exception that leaves a membership ends the run in all processes, and all can join again") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), joined()};
  for (int culprit = 0; culprit < cluster.size(); ++culprit) {
    std::vector<std::string> said(static_cast<std::size_t>(own_nodes()));
    on_threads(own_nodes(), [&](int i) {
      said[static_cast<std::size_t>(i)] = said_by([&] {
        vnode::Membership me = cluster.team().join(i);
        if (me->rank() == culprit) throw std::runtime_error("no input");
        std::vector<double> data(100000, 1.0);
        for (;;) me->all_reduce(data, std::plus<>{});
      });
    });
    for (int i = 0; i < own_nodes(); ++i) {
      INFO("node " << cluster.first_here() + i << ", culprit " << culprit);
      CHECK(said[static_cast<std::size_t>(i)] ==
            (cluster.first_here() + i == culprit
                 ? "no input"
                 : "an exception has left node " + std::to_string(culprit)));
    }
    std::vector<char> right(static_cast<std::size_t>(own_nodes()));
    on_threads(own_nodes(),
               [&](int i) { right[static_cast<std::size_t>(i)] = works(*cluster.team().join(i)); });
    CHECK(right == std::vector<char>(right.size(), 1));
  }
}
