#include <doctest/doctest.h>
#include <functional>
#include <numeric>
#include <sched.h>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <vnode/cluster.hpp>

#include "own_cluster.hpp"

using vnode_test::own_nodes;

TEST_CASE("a cluster is a team whose nodes are in all processes, in the order of these") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes()};
  CHECK(cluster.size() == cluster.processes() * own_nodes());
  CHECK(cluster.first_here() == cluster.process() * own_nodes());
  CHECK(cluster.nodes_here() == own_nodes());

  std::vector<int> here(static_cast<std::size_t>(own_nodes()));
  cluster.run([&](vnode::Node& me) {
    const double sum = me.all_reduce(1.0, std::plus<>{});
    here[static_cast<std::size_t>(me.rank() - cluster.first_here())] = static_cast<int>(sum);
  });
  CHECK(here == std::vector<int>(here.size(), cluster.size()));
  const std::string report = cluster.report();
  CHECK(report.find("\nMPI: ") != std::string::npos);
  // Where other processes' nodes are is not known here.
  for (int rank = 0; rank < cluster.size(); ++rank) {
    const bool is_here = rank >= cluster.first_here() && rank < cluster.first_here() + cluster.nodes_here();
    const std::string line =
        "\n" + std::string(rank < 10 ? 5 : 4, ' ') + std::to_string(rank) + "      -      - ";
    if (!is_here) CHECK(report.find(line) != std::string::npos);
  }
  // What lies between machines has been measured, and all know the same.
  const std::size_t network = report.find("\nnetwork: "), end = report.find("\nscratch: ");
  REQUIRE(network != std::string::npos);
  const std::string measured = report.substr(network, end - network);
  CHECK(measured.find("; measured\nkept in a profile by vnode calibrate --network ") != std::string::npos);
  std::vector<char> first(200), own(200);
  measured.copy(own.data(), own.size());
  if (cluster.first_here() == 0) first = own;
  MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  CHECK(first == own);
}

TEST_CASE("its nodes call what nodes of a team call: collectives, messages, groups across machines") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), vnode::shapes::ring{}, vnode_test::patient()};
  cluster.run([](vnode::Node& me) {
    const int p = me.size();
    std::vector<int> mine(10000), of_left(mine.size());
    std::iota(mine.begin(), mine.end(), me.rank());
    me.sendrecv(mine, (me.rank() + 1) % p, of_left, (me.rank() + p - 1) % p);
    CHECK(of_left.front() == (me.rank() + p - 1) % p);

    vnode::Group half = me.split(me.rank() % 2);
    std::vector<int> ranks(static_cast<std::size_t>(half.size()));
    half.all_gather(std::vector{me.rank()}, ranks);
    for (int i = 0; i < half.size(); ++i) CHECK(ranks[static_cast<std::size_t>(i)] == 2 * i + me.rank() % 2);

    vnode::Request sum = me.nonblocking().all_reduce(mine, of_left, std::plus<>{});
    sum.wait();
    CHECK(of_left[1] == p + p * (p - 1) / 2);
  });
}

TEST_CASE(
    "an exception ends the run everywhere: rethrown where it was thrown, Aborted with its sentence "
    "elsewhere") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), vnode_test::patient()};
  const int last = cluster.size() - 1;
  const auto body = [&](vnode::Node& me) {
    if (me.rank() == last) throw std::runtime_error("no more");
    me.barrier();
  };
  if (cluster.first_here() + own_nodes() > last) {
    CHECK_THROWS_WITH_AS(cluster.run(body), "no more", std::runtime_error);
  } else {
    CHECK_THROWS_WITH_AS(cluster.run(body), ("node " + std::to_string(last) + " has failed: no more").c_str(),
                         vnode::Aborted);
  }
  cluster.run([](vnode::Node& me) { me.barrier(); });
}

TEST_CASE("machines that are containers of one system share its PUs, and algorithms are chosen by that") {
  vnode::TeamOptions options = vnode_test::patient();
  options.statistics = true;
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), vnode::shapes::full{}, options};
  std::set<int> used;
  cluster.run([&](vnode::Node& me) {
    std::vector<int> pus(static_cast<std::size_t>(me.size()));
    me.all_gather(std::vector{sched_getcpu()}, pus);
    if (me.rank() == cluster.first_here()) used = {pus.begin(), pus.end()};
  });
  const std::vector<vnode::GroupStatistics> groups = cluster.team().statistics().groups;
  REQUIRE(!groups.empty());
  CHECK(groups.front().nodes_per_pu ==
        static_cast<double>(cluster.size()) / static_cast<double>(used.size()));
}
