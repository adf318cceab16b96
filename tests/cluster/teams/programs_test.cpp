// Tests random programs: collectives, messages and splits in orders of their own, and some with a node that
// throws.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <vnode/cluster.hpp>

#include "own_cluster.hpp"
#include "property/programs/run.hpp"

using namespace vnode_test;

namespace {

int number_of_programs() { return std::getenv("VNODE_SOAK") != nullptr ? 5000 : 12; }

void try_program(const Program& program) {
  INFO(program.text());
  const vnode::TeamOptions options = patient(program.options);
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), program.groups.front().topology.shape(), options};
  std::string wrong;
  if (program.fault) {
    try {
      run(cluster.team(), program, true, wrong);
      // Only an operator that was not applied often enough may let it through.
      REQUIRE(program.fault->fuse > 0);
    } catch (const vnode::Aborted&) {
    } catch (const std::runtime_error& error) {
      INFO(error.what());
      const int node = program.fault->node - cluster.first_here();
      REQUIRE((program.fault->fuse > 0 || (node >= 0 && node < cluster.nodes_here())));
    }
    REQUIRE(wrong == "");
  }
  REQUIRE_NOTHROW(run(cluster.team(), program, false, wrong));
  REQUIRE(wrong == "");
}

}  // namespace

TEST_CASE("random programs have the results of their sequential definitions, and leave clusters in order") {
  int nodes = 0, processes = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  nodes = processes * own_nodes();
  if (const char* seed = std::getenv("VNODE_SEED")) {
    try_program(generated(std::strtoull(seed, nullptr, 10)));
    return;
  }
  int left = number_of_programs();
  for (std::uint64_t seed = 1; left > 0; ++seed) {
    const Program program = generated(seed);
    if (program.nodes() != nodes) continue;
    try_program(program);
    // Not by doctest, which keeps it back.
    if (--left % 100 == 0 && std::getenv("VNODE_SOAK") != nullptr)
      std::fprintf(stderr, "programs up to seed %llu\n", static_cast<unsigned long long>(seed));
  }
}

TEST_CASE("random messages to random nodes are all received from any source, each sender's in their order") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  cluster.run([](vnode::Node& me) {
    const auto p = static_cast<std::size_t>(me.size()), own = static_cast<std::size_t>(me.rank());
    std::mt19937 random(11);  // the same on all nodes
    for (int round = 0; round < 20; ++round) {
      // Describes who sends to whom, in the order of sending, and how much.
      struct Message {
        std::size_t from, to, length;
      };
      std::vector<Message> messages(8 * p);
      for (Message& one : messages) {
        constexpr std::size_t lengths[] = {1, 20, 300, 9000};
        one = {random() % p, random() % p, lengths[random() % std::size(lengths)]};
      }
      std::vector<std::vector<std::size_t>> out, of(p);  // what each sender sends here
      std::vector<vnode::Request> requests;
      std::size_t expected = 0;
      for (std::size_t i = 0; i < messages.size(); ++i) {
        const Message& one = messages[i];
        if (one.to == own) of[one.from].push_back(i), ++expected;
        if (one.from != own) continue;
        out.emplace_back(one.length, i);
        requests.push_back(me.isend(out.back(), static_cast<int>(one.to), round));
      }
      std::vector<std::size_t> next(p);
      for (std::size_t i = 0; i < expected; ++i) {
        std::vector<std::size_t> in(9000);
        vnode::MessageInfo info;
        me.recv(in, vnode::any_source, round, info);
        const auto from = static_cast<std::size_t>(info.source);
        REQUIRE(next[from] < of[from].size());
        const std::size_t number = of[from][next[from]++];
        in.resize(messages[number].length);
        CHECK(info.bytes == in.size() * sizeof(std::size_t));
        CHECK(in == std::vector<std::size_t>(in.size(), number));
      }
      vnode::wait_all(requests);
    }
  });
}
