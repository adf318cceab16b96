// Tests which algorithms serve collectives with other counts on every rank, and that they do.
#include <algorithm>
#include <atomic>
#include <doctest/doctest.h>
#include <optional>
#include <string>
#include <vector>

#include <vnode/model/algorithms.hpp>
#include <vnode/model/contract.hpp>
#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

using enum vnode::Collective;
using Sizes = std::vector<std::size_t>;
using Longs = std::vector<long>;

std::size_t index(int rank) { return static_cast<std::size_t>(rank); }

/// Returns how many elements go from one node to another.
std::size_t pair_count(int from, int to, std::size_t scale) {
  return static_cast<std::size_t>((from * 5 + to * 3) % 4) * scale;
}
std::size_t rank_count(int rank, std::size_t scale) { return pair_count(rank, 2, scale); }

/// Parts of `counts` elements from the last to the first, each followed by a gap of one.
Sizes displaced(const Sizes& counts) {
  Sizes places(counts.size());
  std::size_t next = 0;
  for (std::size_t i = counts.size(); i-- > 0; next += counts[i] + 1) places[i] = next;
  return places;
}
std::size_t extent(const Sizes& counts) {
  std::size_t sum = counts.size();
  for (const std::size_t count : counts) sum += count;
  return sum;
}
void put(Longs& data, std::size_t place, std::size_t count, long value) {
  for (std::size_t i = 0; i < count; ++i) data[place + i] = value + static_cast<long>(i);
}

/// Holds the call by one algorithm, in the form of `calls`, against what it must give.
struct Check {
  vnode::Collective collective;
  vnode::CallOptions options;
  int root;
  std::size_t scale;

  bool right(vnode::Group& me) const {
    const int p = me.size(), r = me.rank();
    const bool is_root = r == root;
    Sizes counts, to, from;
    for (int other = 0; other < p; ++other) {
      counts.push_back(rank_count(other, scale));
      to.push_back(pair_count(r, other, scale));
      from.push_back(pair_count(other, r, scale));
    }
    const Sizes places = displaced(counts), to_places = displaced(to), from_places = displaced(from);
    Longs own(counts[index(r)]), all(extent(counts), -1), expected = all, part(counts[index(r)], -1);
    put(own, 0, own.size(), 1000 * r);
    for (int other = 0; other < p; ++other)
      put(expected, places[index(other)], counts[index(other)], 1000 * other);
    switch (collective) {
      case all_gather:
        me.all_gather_v(own, all, {counts, places}, options);
        return all == expected;
      case gather:
        me.gather_v(own, all, {counts, places}, root, options);
        return all == (is_root ? expected : Longs(extent(counts), -1));
      case scatter:
        me.scatter_v(expected, {counts, places}, part, root, options);
        return part == own;
      case reduce_scatter: {
        Longs in(extent(counts) - counts.size());
        put(in, 0, in.size(), r);
        me.reduce_scatter_v(in, part, counts, std::plus<>{}, options);
        std::size_t first = 0;
        for (int other = 0; other < r; ++other) first += counts[index(other)];
        Longs sums(part.size());
        for (std::size_t i = 0; i < sums.size(); ++i)
          sums[i] = p * (p - 1) / 2 + p * static_cast<long>(first + i);
        return part == sums;
      }
      default:
        break;
    }
    Longs in(extent(to), -1), out(extent(from), -1), received = out;
    for (int other = 0; other < p; ++other) {
      put(in, to_places[index(other)], to[index(other)], 1000 * r + 100 * other);
      put(received, from_places[index(other)], from[index(other)], 1000 * other + 100 * r);
    }
    me.all_to_all_v(in, {to, to_places}, out, {from, from_places}, options);
    return out == received;
  }
};

bool serves(const vnode::Algorithm& algorithm, const vnode::Parameters& parameters) {
  if (vnode::combines(algorithm.collective)) return true;
  const vnode::Schedule schedule = algorithm.build(parameters);
  return vnode::within_shares(schedule, contract(algorithm.collective, parameters, schedule.blocks()));
}

}

TEST_CASE("v-variants by all algorithms that can serve them; the others say why they cannot") {
  int runs = 0, refused = 0;
  for (const int nodes : {1, 2, 3, 4, 6, 8, 9})
    for (const std::size_t inline_to : {std::size_t{0}, std::size_t{64}, std::size_t{1} << 20}) {
      vnode::TeamOptions options = patient();
      options.inline_to = inline_to;
      options.channel = nodes % 2 == 0 ? vnode::ChannelEngine::line : vnode::ChannelEngine::boost;
      vnode::Team team(nodes, vnode::shapes::full{}, options);
      for (const vnode::Algorithm& algorithm : vnode::algorithms()) {
        const vnode::Collective what = algorithm.collective;
        if (what != all_gather && what != gather && what != scatter && what != reduce_scatter &&
            what != all_to_all)
          continue;
        vnode::Parameters parameters;
        parameters.nodes = nodes;
        parameters.root = nodes / 2;
        const vnode::Topology squarest(vnode::shapes::mesh{}, nodes);
        parameters.extents.assign(squarest.extents().begin(), squarest.extents().end());
        if (vnode::why_not(algorithm, parameters)) continue;
        INFO(algorithm.name << " on " << nodes << " nodes, " << inline_to << " bytes in lines");
        const Check check{what, {algorithm.name, 1}, parameters.root, inline_to == 64 ? 700u : 5u};
        std::atomic<int> right{0};
        const std::string text = sentence<vnode::UsageError>(
            team, [&](vnode::Node& me) { right += static_cast<int>(check.right(me)); });
        if (serves(algorithm, parameters)) {
          REQUIRE(text == "");
          REQUIRE(right == nodes);
          ++runs;
        } else {
          REQUIRE(text == std::string(algorithm.name) +
                              " cannot run here: carries parts whose sizes only other nodes know");
          ++refused;
        }
      }
    }
  MESSAGE(runs << " runs, " << refused << " refusals");
  CHECK(runs > 200);
  CHECK(refused > 20);
}

TEST_CASE("v-variants in flight and planned, their partitions gone") {
  vnode::Team team(5, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    const int r = me.rank();
    Longs own(rank_count(r, 10)), all;
    std::optional<vnode::Persistent> planned;
    vnode::Request request;
    Longs expected;
    {
      Sizes counts;
      for (int other = 0; other < 5; ++other) counts.push_back(rank_count(other, 10));
      Sizes places = displaced(counts);
      all.assign(extent(counts), -1);
      expected = all;
      for (int other = 0; other < 5; ++other)
        put(expected, places[index(other)], counts[index(other)], 1000 * other);
      planned.emplace(me.persistent().all_gather_v(own, all, {counts, places}));
      put(own, 0, own.size(), 1000 * r);
      request = me.nonblocking().all_gather_v(own, all, {counts, places});
      counts.assign(5, 77), places.assign(5, 77);
    }
    request.wait();
    CHECK(all == expected);
    for (int start = 0; start < 3; ++start) {
      all.assign(all.size(), -1);
      planned->start();
      planned->wait();
      CHECK(all == expected);
    }
  });
}
