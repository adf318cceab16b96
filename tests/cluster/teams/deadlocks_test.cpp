// Tests that deadlocks of nodes in several processes are named, and that programs that end have none.
#include <chrono>
#include <cstdlib>
#include <doctest/doctest.h>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <vnode/cluster.hpp>

#include "own_cluster.hpp"

using namespace vnode_test;

namespace {

/// Neighbours on the ring of all nodes.
struct Ring {
  explicit Ring(const vnode::Node& me)
      : next((me.rank() + 1) % me.size()), before((me.rank() + me.size() - 1) % me.size()) {}
  int next, before;
};

struct Hang {
  const char* name;
  std::function<void(vnode::Node&)> body;
  std::string sentence;  // a part of the report
};

std::vector<Hang> hangs(int p) {
  const std::string last = std::to_string(p - 1);
  return {
      {"receives in a circle",
       [](vnode::Node& me) {
         int x = 0;
         me.recv(x, Ring(me).next);
       },
       "node 0 waits for node 1"},
      {"long sends in a circle",
       [](vnode::Node& me) {
         const std::vector<double> data(100000);
         me.send(data, Ring(me).next);
       },
       "is in send of 100000 elements with tag 0"},
      {"synchronous sends in a circle", [](vnode::Node& me) { me.ssend(1, Ring(me).next); }, "is in ssend"},
      {"receives from any source",
       [](vnode::Node& me) {
         int x = 0;
         me.recv(x, vnode::any_source, 3);
       },
       "with tag 3, and waits for any node"},
      {"probes", [](vnode::Node& me) { static_cast<void>(me.probe(Ring(me).before, 5)); }, "is in probe"},
      {"a request of the first and the last, which alone are left",
       [p](vnode::Node& me) {
         int x = 0;
         if (me.rank() == 0) me.irecv(x, p - 1).wait();
         if (me.rank() == p - 1) me.recv(x, 0);
       },
       p > 2 ? "node 1 (process" : ""},
      {"another tag than what was sent",
       [p](vnode::Node& me) {
         int x = 0;
         if (me.rank() == 0) {
           me.send(x, p - 1, 1);
           me.recv(x, p - 1, 1);
         }
         if (me.rank() == p - 1) me.recv(x, 0, 2);
       },
       "; node 0 has sent it tag 1"},
      {"long messages, of which one has been received and the next is not",
       [p](vnode::Node& me) {
         std::vector<double> data(50000);
         if (me.rank() == 0) {
           me.send(data, p - 1, 1);
           me.send(data, p - 1, 2);
         }
         if (me.rank() == p - 1) {
           me.recv(data, 0, 1);
           me.recv(data, 0, 3);
         }
       },
       "is in recv of 50000 elements with tag 3, and waits for node 0; node 0 has sent it tag 2"},
      {"the last two, when all others have left",
       [p](vnode::Node& me) {
         int x = 0;
         if (me.rank() >= p - 2) me.recv(x, 2 * p - 3 - me.rank());
       },
       "waits for node " + last},
      {"a receive beside a collective of all others",
       [p](vnode::Node& me) {
         std::vector<int> data(10);
         vnode::CallOptions ring;
         ring.algorithm = "all_reduce_ring";
         if (me.rank() == p - 1)
           me.recv(data, 0);
         else
           me.all_reduce(data, std::plus<>{}, ring);
       },
       "node " + last + " (process"},
  };
}

std::string text_of_deadlock(vnode::Cluster& cluster, const std::function<void(vnode::Node&)>& body) {
  try {
    cluster.run(body);
  } catch (const vnode::Deadlock& deadlock) {
    return deadlock.what();
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("a deadlock of nodes in several processes is named in all of them, and the next run works") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  for (const Hang& hang : hangs(cluster.size())) {
    const std::string text = text_of_deadlock(cluster, hang.body);
    INFO(std::string(hang.name) << ": " << text);
    CHECK(text.starts_with("deadlock: all nodes wait, and nothing is on its way to any of them"));
    CHECK(text.find(hang.sentence) != std::string::npos);
    for (int rank = 0; rank < cluster.size(); ++rank)
      CHECK(text.find("\n  node " + std::to_string(rank) + " (process " + std::to_string(rank / own_nodes()) +
                      " on ") != std::string::npos);
    cluster.run([](vnode::Node& me) { CHECK(me.all_reduce(1, std::plus<>{}) == me.size()); });
  }
}

TEST_CASE("who waits while others sleep, compute or test in loops is in no deadlock") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  const int rounds = std::getenv("VNODE_SOAK") != nullptr ? 2000 : 25;
  cluster.run([&](vnode::Node& me) {
    const int p = me.size();
    std::mt19937 alike(7), own(static_cast<unsigned>(me.rank()));
    const auto dawdle = [&] {
      if (own() % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(own() % 40000));
    };
    vnode::Group pair = me.split(me.rank() % 2);
    for (int round = 0; round < rounds; ++round) {
      const std::size_t count = alike() % 3 == 0 ? 40000 : 1 + alike() % 400;
      const int distance = 1 + static_cast<int>(alike() % static_cast<unsigned>(p - 1));
      const int to = (me.rank() + distance) % p, from = (me.rank() + p - distance) % p;
      std::vector<int> out(count, round + me.rank()), in(count);
      const std::vector<int> expected(count, round + from);
      dawdle();
      switch (alike() % 6) {
        case 0:
          me.barrier();
          break;
        case 1:
          me.sendrecv(out, to, in, from, round);
          CHECK(in == expected);
          break;
        case 2: {
          vnode::Request sent = me.isend(out, to, round);
          dawdle();
          me.recv(in, vnode::any_source, round);
          sent.wait();
          CHECK(in == expected);
          break;
        }
        case 3: {
          vnode::Request sent = me.issend(out, to, round), received = me.irecv(in, from, round);
          while (!received.test()) dawdle();
          sent.wait();
          CHECK(in == expected);
          break;
        }
        case 4:
          me.all_reduce(in, std::plus<>{});
          break;
        default:
          pair.all_reduce(in, std::plus<>{});
          break;
      }
    }
    dawdle();
  });
}

TEST_CASE("who waits for a node that has left the run while others of its process go on is told so") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  if (own_nodes() == 1) return;
  const int last = cluster.size() - 1;
  std::string sentence;
  try {
    cluster.run([&](vnode::Node& me) {
      int x = 0;
      if (me.rank() == 0) me.recv(x, last);
      if (me.rank() == last - 1) me.recv(x, 0);
    });
  } catch (const std::exception& error) {
    sentence = error.what();
  }
  INFO(sentence);
  CHECK(sentence.find("but node " + std::to_string(last) + " has left the run") != std::string::npos);
}
