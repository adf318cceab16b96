// Threads of the program's that are nodes of a cluster: those of each process join its part.
#include <chrono>
#include <doctest/doctest.h>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <vnode/cluster.hpp>
#include <vnode/join.hpp>

#include "own_cluster.hpp"

using namespace vnode_test;

namespace {

vnode::TeamOptions joined() {
  vnode::TeamOptions options = patient();
  options.threads = vnode::Threads::callers;
  return options;
}

/// Calls body(0), body(1) ... on a thread for each node of this process, and returns what they return.
template <class Body>
auto on_threads(const Body& body) {
  std::vector<decltype(body(0))> results(static_cast<std::size_t>(own_nodes()));
  std::vector<std::thread> started;
  for (int i = 0; i < own_nodes(); ++i)
    started.emplace_back([&, i] { results[static_cast<std::size_t>(i)] = body(i); });
  for (std::thread& thread : started) thread.join();
  return results;
}

/// Returns the sentence of the exception that leaves `use`; "" if none does.
template <class Use>
std::string said_by(const Use& use) {
  try {
    use();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

bool works(vnode::Node& me) {
  std::vector<int> x(100, 1);
  me.all_reduce(x, std::plus<>{});
  return x == std::vector<int>(100, me.size());
}

/// Returns whether threads of all processes can join.
bool can_be_joined(vnode::Cluster& cluster) {
  const std::vector<int> right = on_threads([&](int i) { return int{works(*cluster.team().join(i))}; });
  return right == std::vector<int>(right.size(), 1);
}

}  // namespace

TEST_CASE("threads of each process join its part of the cluster, again and again, and are the team's nodes") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), joined()};
  for (int time = 0; time < 3; ++time) {
    const auto said = on_threads([&](int i) {
      return said_by([&] {
        vnode::Membership me = cluster.team().join(i);
        REQUIRE(me->rank() == cluster.first_here() + i);
        REQUIRE(me->size() == cluster.size());
        REQUIRE(works(*me));
        const int next = (me->rank() + 1) % me->size(), before = (me->rank() + me->size() - 1) % me->size();
        std::vector<int> mine(20000, me->rank()), theirs(mine.size());
        me->sendrecv(mine, next, theirs, before);
        REQUIRE(theirs.back() == before);
        vnode::Group half = me->split(me->rank() % 2);
        REQUIRE(half.all_reduce(1, std::plus<>{}) == half.size());
      });
    });
    CHECK(said == std::vector<std::string>(said.size()));
  }
}

TEST_CASE("who cannot join is told what can be joined in its process") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), joined()};
  const int last = own_nodes() - 1, first = cluster.first_here();
  const auto said = on_threads([&](int i) {
    vnode::Membership me = cluster.team().join(i);
    std::string beyond, taken;
    if (i == 0) {  // the others are in the run, and wait for this one
      std::thread another([&] {
        beyond = said_by([&] { static_cast<void>(cluster.team().join(last + 1)); });
        taken = said_by([&] { static_cast<void>(cluster.team().join(last)); });
      });
      another.join();
    }
    me->barrier();
    return std::vector{beyond, taken};
  });
  const std::string which = first == 0 ? "ranks are 0 to " + std::to_string(last)
                                       : "0 to " + std::to_string(last) + " join as nodes " +
                                             std::to_string(first) + " to " + std::to_string(first + last);
  CHECK(said[0][0] == "join(" + std::to_string(last + 1) + "): there is no such node, " + which);
  CHECK(said[0][1] == "join(" + std::to_string(last) + "): another thread has joined as node " +
                          std::to_string(first + last) + ", and has not left");
}

TEST_CASE("an exception that leaves a membership ends the run in all processes, and all can join again") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), joined()};
  for (int culprit = 0; culprit < cluster.size(); ++culprit) {
    const auto said = on_threads([&](int i) {
      return said_by([&] {
        vnode::Membership me = cluster.team().join(i);
        if (me->rank() == culprit) throw std::runtime_error("no input");
        std::vector<double> data(100000, 1.0);
        for (;;) me->all_reduce(data, std::plus<>{});
      });
    });
    for (int i = 0; i < own_nodes(); ++i) {
      INFO("node " << cluster.first_here() + i << ", culprit " << culprit);
      const bool own = cluster.first_here() + i == culprit;
      CHECK(said[static_cast<std::size_t>(i)] ==
            (own ? "no input" : "an exception has left node " + std::to_string(culprit)));
    }
    CHECK(can_be_joined(cluster));
  }
}

TEST_CASE("a thread that does not join is named, by its rank, in its process and in the others") {
  vnode::TeamOptions options = joined();
  options.time_limit = std::chrono::milliseconds(500);
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), options};
  if (cluster.processes() > 2) return;  // it takes its time, and is the same
  const int missing = cluster.size() - 1;
  const auto joins = [&](int i) {
    return said_by([&] {
      vnode::Membership me = cluster.team().join(i);
      me->barrier();
      me->barrier();  // what the first needs of others may have come before they failed
    });
  };
  const bool there = cluster.process() == cluster.processes() - 1;
  const auto said =
      on_threads([&](int i) { return cluster.first_here() + i == missing ? std::string() : joins(i); });
  for (int i = 0; i < own_nodes(); ++i) {
    if (cluster.first_here() + i == missing) continue;
    INFO(said[static_cast<std::size_t>(i)]);
    const std::string sentence = there ? "node " + std::to_string(missing) + " is missing" : "time limit";
    CHECK(said[static_cast<std::size_t>(i)].find(sentence) != std::string::npos);
  }
  // The others' run has failed, and ends where all processes come to its end.
  if (there) std::this_thread::sleep_for(2 * options.time_limit);
  if (there)
    for (const std::string& sentence : on_threads(joins)) {
      INFO(sentence);
      CHECK(sentence.find("node ") != std::string::npos);
    }
  CHECK(can_be_joined(cluster));
}
