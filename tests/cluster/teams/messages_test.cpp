// Messages between two nodes, wherever these are.
#include <cstdint>
#include <doctest/doctest.h>
#include <functional>
#include <numeric>
#include <vector>

#include <vnode/cluster.hpp>

#include "own_cluster.hpp"

using namespace vnode_test;

namespace {

constexpr std::size_t lengths[] = {0, 1, 100, 200, 5000, 100000};

std::vector<std::uint32_t> from(int sender, int receiver, std::size_t length) {
  std::vector<std::uint32_t> data(length);
  std::iota(data.begin(), data.end(), static_cast<std::uint32_t>(sender * 1000 + receiver));
  return data;
}

}  // namespace

TEST_CASE(
    "every node sends to every node, itself too, messages of any length, and they arrive in their order") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  cluster.run([](vnode::Node& me) {
    const int p = me.size();
    std::vector<std::vector<std::uint32_t>> out, in;
    std::vector<vnode::Request> requests;
    for (const std::size_t length : lengths)
      for (int peer = 0; peer < p; ++peer) {
        out.push_back(from(me.rank(), peer, length));
        in.emplace_back(length, 7u);
      }
    std::size_t at = 0;
    for (std::size_t i = 0; i < std::size(lengths); ++i)
      for (int peer = 0; peer < p; ++peer, ++at) {
        requests.push_back(me.isend(out[at], peer, 3));
        requests.push_back(me.irecv(in[at], peer, 3));
      }
    vnode::wait_all(requests);
    at = 0;
    for (const std::size_t length : lengths)
      for (int peer = 0; peer < p; ++peer, ++at) CHECK(in[at] == from(peer, me.rank(), length));
  });
}

TEST_CASE("a receive from any source gets what any node sends, and says who has sent it and how much") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  cluster.run([](vnode::Node& me) {
    const int p = me.size();
    for (const std::size_t length : lengths) {
      if (me.rank() == p - 1) {
        std::vector<int> seen(static_cast<std::size_t>(p));
        for (int i = 0; i + 1 < p; ++i) {
          std::vector<std::uint32_t> data(length);
          vnode::MessageInfo info;
          me.recv(data, vnode::any_source, vnode::any_tag, info);
          CHECK(info.bytes == length * sizeof(std::uint32_t));
          CHECK(info.tag == info.source + 10);
          CHECK(data == from(info.source, p - 1, length));
          ++seen[static_cast<std::size_t>(info.source)];
        }
        for (int i = 0; i + 1 < p; ++i) CHECK(seen[static_cast<std::size_t>(i)] == 1);
      } else {
        me.send(from(me.rank(), p - 1, length), p - 1, me.rank() + 10);
      }
      me.barrier();
    }
  });
}

TEST_CASE(
    "probes and matched receives see messages of other processes, and synchronous sends wait for their "
    "receivers") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  cluster.run([](vnode::Node& me) {
    const int p = me.size(), last = p - 1;
    for (const std::size_t length : lengths) {
      if (me.rank() == 0) {
        me.ssend(from(0, last, length), last, 5);
        me.send(from(1, last, length), last, 6);
      } else if (me.rank() == last) {
        const vnode::MessageInfo info = me.probe(vnode::any_source, 5);
        CHECK(info.source == 0);
        CHECK(info.bytes == length * sizeof(std::uint32_t));
        std::vector<std::uint32_t> data(length), more(length);
        me.recv(data, 0, 5);
        CHECK(data == from(0, last, length));
        vnode::MatchedMessage message = me.mprobe(0, 6);
        CHECK(message.info().bytes == length * sizeof(std::uint32_t));
        message.recv(more);
        CHECK(more == from(1, last, length));
      }
    }
  });
}

TEST_CASE("who is sent a thousand messages that it receives in another order gets all of them") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  cluster.run([](vnode::Node& me) {
    const int last = me.size() - 1, many = 1000;
    if (me.rank() == 0)
      for (int i = 0; i < many; ++i)
        me.send(std::vector<int>(static_cast<std::size_t>(i % 7 * 100), i), last, i);
    if (me.rank() == last)
      for (int i = many; i-- > 0;) {
        std::vector<int> data(static_cast<std::size_t>(i % 7 * 100));
        me.recv(data, 0, i);
        CHECK(data == std::vector<int>(data.size(), i));
      }
  });
}

TEST_CASE("calls with a count for each rank, layouts and exchanges cross machines") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  cluster.run([](vnode::Node& me) {
    const auto p = static_cast<std::size_t>(me.size()), own = static_cast<std::size_t>(me.rank());
    for (const std::size_t unit : {1u, 1000u}) {
      std::vector<std::size_t> counts(p);
      for (std::size_t i = 0; i < p; ++i) counts[i] = i * unit;
      std::vector<int> mine(counts[own], me.rank()), all(p * (p - 1) / 2 * unit);
      me.all_gather_v(mine, all, counts);
      std::size_t at = 0;
      for (std::size_t i = 0; i < p; ++i)
        for (std::size_t j = 0; j < counts[i]; ++j) REQUIRE(all[at++] == static_cast<int>(i));

      std::vector<std::size_t> sent(p, own * unit), received(counts);
      std::vector<int> out(p * own * unit, me.rank()), in(all.size());
      me.all_to_all_v(out, sent, in, received);
      CHECK(in == all);
    }
    // Every other element.
    std::vector<int> wide(4000, me.rank()), narrow(2000);
    const int next = (me.rank() + 1) % me.size(), before = (me.rank() + me.size() - 1) % me.size();
    vnode::Request request = me.isend(vnode::laid(wide, vnode::layouts::vector(2000, 1, 2)), next);
    me.recv(narrow, before);
    request.wait();
    CHECK(narrow == std::vector<int>(2000, before));
  });
}
