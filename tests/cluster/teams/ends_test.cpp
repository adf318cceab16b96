// Tests clusters that end, and others that are made after them.
#include <chrono>
#include <cstdlib>
#include <doctest/doctest.h>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

#include <vnode/cluster.hpp>

#include "own_cluster.hpp"

using namespace vnode_test;

TEST_CASE("clusters made one after the other hear nothing of each other, however late it comes") {
  std::mt19937 random(std::random_device{}());
  const int clusters = std::getenv("VNODE_SOAK") != nullptr ? 300 : 8;
  for (int i = 0; i < clusters; ++i) {
    vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
    cluster.run([&](vnode::Node& me) {
      // Who waits for long asks where the others are, and who has left is asked, too.
      std::mt19937 own(static_cast<unsigned>(i * me.size() + me.rank()));
      std::this_thread::sleep_for(std::chrono::milliseconds(own() % 40));
      CHECK(me.all_reduce(1, std::plus<>{}) == me.size());
      std::this_thread::sleep_for(std::chrono::milliseconds(own() % 40));
    });
    // Processes come to the end at different times.
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 10));
  }
}

TEST_CASE("an exception may end the cluster in one process, and be caught before its end in the others") {
  try {
    vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
    try {
      cluster.run([&](vnode::Node& me) {
        if (me.rank() == 0) throw std::runtime_error("no input");
        me.barrier();
      });
    } catch (const vnode::Aborted&) {
      CHECK(cluster.process() != 0);
    }
  } catch (const std::runtime_error& error) {
    CHECK(std::string(error.what()) == "no input");
  }
  vnode::Cluster next{MPI_COMM_WORLD, own_nodes(), patient()};
  next.run([](vnode::Node& me) { CHECK(me.all_reduce(1, std::plus<>{}) == me.size()); });
}
