#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <doctest/doctest.h>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <vnode/cluster.hpp>

#include "own_cluster.hpp"

using namespace vnode_test;

namespace {

/// Returns what leaves a run here.
template <class Body>
std::string ended_by(vnode::Cluster& cluster, const Body& body) {
  try {
    cluster.run(body);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

bool is_here(const vnode::Cluster& cluster, int node) {
  return node >= cluster.first_here() && node < cluster.first_here() + cluster.nodes_here();
}

const std::string plus(vnode::type_name<std::plus<>>());  // as the compiler calls it

}  // namespace

TEST_CASE(
    "a failure of any node, whatever others wait for or send, ends the run of all, and the next run works") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  const int p = cluster.size();
  for (int culprit = 0; culprit < p; ++culprit)
    for (int kind = 0; kind < 4; ++kind) {
      const std::string sentence = ended_by(cluster, [&](vnode::Node& me) {
        std::vector<double> data(300000, me.rank()), more(data.size());
        me.barrier();
        if (me.rank() == culprit && kind < 3) throw std::runtime_error("on purpose");
        const int next = (me.rank() + 1) % p, before = (me.rank() + p - 1) % p;
        if (kind == 0) me.all_reduce(data, more, std::plus<>{});
        if (kind == 1) me.sendrecv(data, next, more, before);
        if (kind == 2) {
          vnode::Request in = me.irecv(more, before), out = me.isend(data, next);
          me.barrier();
          in.wait();
          out.wait();
        }
        if (kind == 3)
          me.all_reduce(data, more, [&](double a, double b) {
            if (me.rank() == culprit) throw std::runtime_error("on purpose");
            return a + b;
          });
      });
      INFO("node " << culprit << ", kind " << kind);
      // Who combines at a node is the algorithm's choice.
      if (kind < 3)
        CHECK(sentence ==
              (is_here(cluster, culprit) ? "" : "node " + std::to_string(culprit) + " has failed: ") +
                  "on purpose");
      CHECK(ended_by(cluster, [](vnode::Node& me) { CHECK(me.all_reduce(1, std::plus<>{}) == me.size()); }) ==
            "");
    }
}

TEST_CASE("a node that waits for nobody, or for nodes of its process alone, learns of a failure elsewhere") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  if (cluster.nodes_here() == cluster.size()) return;
  for (const bool alone : {true, false}) {
    const std::string sentence = ended_by(cluster, [&](vnode::Node& me) {
      vnode::Group own = me.split(alone ? me.rank() : cluster.first_here());
      me.barrier();
      if (me.rank() == 0) throw std::runtime_error("on purpose");
      for (;;) own.barrier();
    });
    CHECK(sentence == (is_here(cluster, 0) ? "on purpose" : "node 0 has failed: on purpose"));
  }
}

TEST_CASE("calls of two nodes that do not match are named in all processes, across machines too") {
  vnode::TeamOptions options = patient();
  for (const bool checked : {false, true}) {
    options.checked = checked;
    vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), options};
    const int last = cluster.size() - 1;
    vnode::CallOptions ring;
    ring.algorithm = "all_reduce_ring";
    const auto mismatch = [&](vnode::Group& group) {
      std::vector<int> data(group.rank() == last ? 3u : 2u);
      group.all_reduce(data, std::plus<>{}, ring);
    };
    for (const bool split : {false, true}) {
      const std::string sentence = ended_by(cluster, [&](vnode::Node& me) {
        if (!split) return mismatch(me);
        vnode::Group group = me.split(0);
        group.barrier();
        mismatch(group);
      });
      INFO((split ? "group: " : "") << sentence);
      CHECK(sentence.find("the nodes' calls do not match: call ") != std::string::npos);
      CHECK(sentence.find("is all_reduce of 2 x int with " + plus + ", in place, by all_reduce_ring") !=
            std::string::npos);
      CHECK(sentence.find("of node " + std::to_string(last)) != std::string::npos);
      CHECK(sentence.find("is all_reduce of 3 x int with " + plus + ", in place, by all_reduce_ring") !=
            std::string::npos);
    }
    CHECK(ended_by(cluster, [](vnode::Node& me) { me.barrier(); }) == "");
  }
}

TEST_CASE("calls that do not match, and no message shows it, are named at the run's end") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  const std::string sentence = ended_by(cluster, [&](vnode::Node& me) {
    me.barrier();
    std::vector<int> nothing;
    if (me.rank() == me.size() - 1)
      me.reduce(nothing, std::plus<>{}, 0);
    else
      me.broadcast(nothing, 0);
  });
  INFO(sentence);
  CHECK(sentence.find("is broadcast of 0 x int, root 0") != std::string::npos);
  CHECK(sentence.find("is reduce of 0 x int with " + plus + ", root 0") != std::string::npos);
  CHECK(ended_by(cluster, [](vnode::Node& me) { me.barrier(); }) == "");
}

TEST_CASE(
    "a call that only some have made, and a message that nobody has received, are named at the run's end") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  const int last = cluster.size() - 1;
  const std::string unreceived = ended_by(cluster, [&](vnode::Node& me) {
    if (me.rank() == 0) me.send(std::vector<int>(5), last);
  });
  CHECK(unreceived ==
        "node " + std::to_string(last) + " left the run without receiving what node 0 sent it with tag 0");
  const std::string missed = ended_by(cluster, [&](vnode::Node& me) {
    vnode::CallOptions linear;
    linear.algorithm = "broadcast_direct";
    std::vector<int> data(1);
    if (me.rank() != last) me.broadcast(data, 0, linear);
  });
  INFO(missed);
  CHECK(missed.find("without") != std::string::npos);
  CHECK(missed.find("(broadcast of 1 x int, root 0, by broadcast_direct)") != std::string::npos);
  CHECK(ended_by(cluster, [](vnode::Node& me) { me.barrier(); }) == "");
}

// A ring of three nodes of each process, whose every link leads to the other one. A node of each process
// fails, while those before them combine: these go on to send to nodes that have left the run, whose
// processes have nodes in it yet.
TEST_CASE(
    "what is sent to nodes that have left a failed run is taken while others of their processes go on") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  if (own_nodes() < 3 || cluster.processes() != 2) return;
  const int n = own_nodes();
  const std::array<int, 6> ring{n, 0, n + 1, 1, n + 2, 2};
  constexpr std::size_t block = 20000;
  const std::string sentence = ended_by(cluster, [&](vnode::Node& me) {
    const auto place = std::ranges::find(ring, me.rank()) - ring.begin();
    vnode::Group group = me.split(place < 6 ? 0 : vnode::no_color, static_cast<int>(place));
    if (!group) return;
    std::vector<double> data(6 * block, 1), sums(data.size());
    std::size_t combined = 0;
    vnode::CallOptions options;
    options.algorithm = "all_reduce_ring";
    group.all_reduce(data, sums, vnode::commutative{[&](double a, double b) {
                       ++combined;
                       if (me.rank() == 2 || me.rank() == n + 1) {
                         std::this_thread::sleep_for(std::chrono::milliseconds(50));
                         throw std::runtime_error("on purpose");
                       }
                       if (combined == block && (me.rank() == 0 || me.rank() == n + 2))
                         std::this_thread::sleep_for(std::chrono::milliseconds(200));
                       return a + b;
                     }},
                     options);
  });
  INFO(sentence);
  CHECK(sentence.find("on purpose") != std::string::npos);
  CHECK(ended_by(cluster, [](vnode::Node& me) { me.barrier(); }) == "");
}

TEST_CASE("who waits for a node of another machine that has left the run is told so") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  const int last = cluster.size() - 1;
  const std::string sentence = ended_by(cluster, [&](vnode::Node& me) {
    std::vector<int> data(1);
    if (me.rank() == 0) me.recv(data, last);
  });
  CHECK(sentence.find("but node " + std::to_string(last) + " has left the run") != std::string::npos);
  const std::string without = ended_by(cluster, [&](vnode::Node& me) {
    if (me.rank() != last) me.barrier();
  });
  CHECK(without.find("node " + std::to_string(last) + " has left the run without") != std::string::npos);
  CHECK(ended_by(cluster, [](vnode::Node& me) { me.barrier(); }) == "");
}

TEST_CASE("who waits for longer than the time limit says where all nodes are, on which machines") {
  // Who shares cores with others may answer too late, so all try again with a longer limit.
  int heard = 0;
  for (int seconds = 1; heard == 0 && seconds < 60; seconds *= 4) {
    vnode::TeamOptions options;
    options.time_limit = std::chrono::seconds(seconds);
    options.deadlocks = false;
    vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), options};
    const int last = cluster.size() - 1;
    const std::string sentence = ended_by(cluster, [&](vnode::Node& me) {
      std::vector<int> data(1);
      if (me.rank() == 0) me.recv(data, last, 1);
      if (me.rank() == last) me.recv(data, 0, 2);
    });
    INFO(sentence);
    CHECK(sentence.find("the time limit of " + std::to_string(seconds) + "000 ms") != std::string::npos);
    int own = 1;
    if (is_here(cluster, 0) && sentence.starts_with("node 0 ")) {
      const std::string where =
          "node " + std::to_string(last) + " (process " + std::to_string(cluster.processes() - 1) + " on ";
      CHECK(sentence.find("node 0 (process 0 on ") != std::string::npos);
      CHECK(sentence.find(where) != std::string::npos);
      own = sentence.find("is in recv of 1 element with tag 2, and waits for node 0") != std::string::npos;
    }
    // That has the limit, too.
    if (!ended_by(cluster, [](vnode::Node& me) { me.barrier(); }).empty()) own = 0;
    MPI_Allreduce(&own, &heard, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  }
  CHECK(heard == 1);
}

TEST_CASE("processes that do not want the same team are told in what they differ") {
  int process = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  vnode::TeamOptions options;
  options.deterministic = process > 0;
  CHECK_THROWS_WITH_AS((vnode::Cluster{MPI_COMM_WORLD, own_nodes(), options}),
                       doctest::Contains("TeamOptions::deterministic is \"off\" in process 0 on "),
                       vnode::UsageError);
}

TEST_CASE("a process that cannot make its part of the team says so in all, and the next team works") {
  int process = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  vnode::TeamOptions options = patient();
  if (process == 1) options.pus.assign(static_cast<std::size_t>(own_nodes()), 100000);
  std::string sentence;
  try {
    const vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), options};
  } catch (const std::exception& error) {
    sentence = error.what();
  }
  CAPTURE(sentence);
  CHECK(sentence.find("100000") != std::string::npos);
  CHECK(sentence.starts_with("process 1 on ") == (process != 1));
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  CHECK(ended_by(cluster, [](vnode::Node& me) { me.barrier(); }) == "");
}
