// One expression, whatever the algorithm, topology and size: on numbers whose sums round.
#include <atomic>
#include <cstring>
#include <doctest/doctest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <vnode/lab/algorithms.hpp>
#include <vnode/vnode.hpp>

#include "brief.hpp"
#include "sentence.hpp"

using namespace vnode_test;

namespace {

using enum vnode::Collective;
using Floats = std::vector<float>;

float brought(int rank, std::size_t i) {
  const auto mixed = (static_cast<unsigned>(rank) * 2654435761u) ^ (static_cast<unsigned>(i) * 40503u);
  return 0.1f + static_cast<float>(mixed % 1000003u) * 1.7e-3f;
}

/// ((0 1)(2 3))(4 5) of the ranks first .. last - 1: pairs, then pairs of pairs.
float expression(int last, std::size_t i) {
  std::vector<float> values;
  for (int rank = 0; rank < last; ++rank) values.push_back(brought(rank, i));
  while (values.size() > 1) {
    std::vector<float> next;
    for (std::size_t pair = 0; pair + 1 < values.size(); pair += 2)
      next.push_back(values[pair] + values[pair + 1]);
    if (values.size() % 2 == 1) next.push_back(values.back());
    values = next;
  }
  return values.front();
}

Floats expressions(int last, std::size_t first, std::size_t count) {
  Floats all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(expression(last, first + i));
  return all;
}

bool same_bits(const Floats& a, const Floats& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

/// Whether the node has the canonical result of a call on `count` elements.
bool canonical_result(vnode::Group& me, vnode::Collective what, std::size_t count,
                      const vnode::CallOptions& options) {
  const int p = me.size(), r = me.rank();
  Floats in;
  for (std::size_t i = 0; i < (what == reduce_scatter ? count * static_cast<std::size_t>(p) : count); ++i)
    in.push_back(brought(r, i));
  Floats out(count);
  switch (what) {
    case reduce:
      me.reduce(in, out, std::plus<>{}, p / 2, options);
      return r != p / 2 || same_bits(out, expressions(p, 0, count));
    case all_reduce:
      me.all_reduce(in, out, std::plus<>{}, options);
      return same_bits(out, expressions(p, 0, count));
    case scan:
      me.scan(in, out, std::plus<>{}, options);
      return same_bits(out, expressions(r + 1, 0, count));
    case exclusive_scan:
      me.exclusive_scan(in, out, std::plus<>{}, options);
      return r == 0 || same_bits(out, expressions(r, 0, count));
    default:
      me.reduce_scatter(in, out, std::plus<>{}, options);
      return same_bits(out, expressions(p, static_cast<std::size_t>(r) * count, count));
  }
}

}

TEST_CASE("deterministic: the same bits by every algorithm that runs; the others say that they cannot") {
  std::map<std::string, std::set<std::string>> ran;  // by collective
  int runs = 0, refused = 0;
  for (const int nodes : brief() ? std::vector{1, 2, 3, 5, 8} : std::vector{1, 2, 3, 4, 5, 6, 7, 8, 9, 16})
    for (const std::size_t count : {1u, 5u, brief() ? 2000u : 20000u}) {
      vnode::TeamOptions options = patient();
      options.shared_from = brief() ? 5000 : 50000;  // some are copied by both ends
      if (nodes % 2 == 0) options.inline_to = 0;
      vnode::Team team(nodes, vnode::shapes::full{}, options);
      for (const vnode::Algorithm& algorithm : vnode::algorithms()) {
        const vnode::Collective what = algorithm.collective;
        if (!vnode::combines(what) || (nodes > 9 && count > 5)) continue;
        for (const int segments : {1, 3}) {
          if (segments > 1 && !algorithm.segments) continue;
          vnode::Parameters parameters;
          parameters.nodes = nodes;
          parameters.root = nodes / 2;
          parameters.keep_order = true;
          parameters.segments = segments;
          const vnode::Topology squarest(vnode::shapes::mesh{}, nodes);
          parameters.extents.assign(squarest.extents().begin(), squarest.extents().end());
          if (vnode::why_not(algorithm, parameters)) continue;
          INFO(algorithm.name << " on " << nodes << " nodes, " << count << " elements");
          std::atomic<int> right{0};
          const std::string text = sentence<vnode::UsageError>(team, [&](vnode::Node& me) {
            right += canonical_result(me, what, count, {algorithm.name, segments, 2, true});
          });
          if (text.empty()) {
            REQUIRE(right == nodes);
            ran[std::string(vnode::enums::name(what))].insert(std::string(algorithm.name));
            ++runs;
          } else {
            REQUIRE(text == std::string(algorithm.name) +
                                " cannot run here: does not compute the canonical expression on " +
                                std::to_string(nodes) + " nodes");
            ++refused;
          }
        }
      }
    }
  MESSAGE(runs << " runs, " << refused << " refusals");
  CHECK(runs > 100);
  CHECK(refused > 50);
  for (const char* collective : {"reduce", "all_reduce", "reduce_scatter"})
    CHECK(ran[collective].size() >= 2);
}

TEST_CASE(
    "deterministic: the automatic choice, on every topology, in every form, for calls or for the team") {
  const vnode::Shape shapes[] = {vnode::shapes::full{}, vnode::shapes::array{}, vnode::shapes::ring{},
                                 vnode::shapes::mesh{}, vnode::shapes::torus{}, vnode::shapes::hypercube{},
                                 vnode::shapes::tree{}};
  for (const vnode::Shape& shape : shapes)
    for (const bool by_team : {false, true}) {
      if (brief() && by_team != (shape == vnode::shapes::full{})) continue;
      const bool cube = shape == vnode::shapes::hypercube{} || shape == vnode::shapes::tree{};
      vnode::TeamOptions options = patient();
      options.deterministic = by_team;
      vnode::Team team(cube ? 8 : 6, shape, options);
      const vnode::CallOptions asked{{}, 0, 2, !by_team};
      team.run([&](vnode::Node& me) {
        for (const std::size_t count : {1u, 100u, brief() ? 3000u : 30000u})
          for (const vnode::Collective what : {reduce, all_reduce, reduce_scatter, scan, exclusive_scan})
            REQUIRE(canonical_result(me, what, count, asked));
        Floats x, y;
        for (std::size_t i = 0; i < 100; ++i) x.push_back(brought(me.rank(), i));
        y = x;
        vnode::Request request = me.nonblocking().all_reduce(x, std::plus<>{}, asked);
        vnode::Persistent planned = me.persistent().all_reduce(y, std::plus<>{}, asked);
        planned.start();
        planned.wait();
        request.wait();
        CHECK(same_bits(x, expressions(me.size(), 0, 100)));
        CHECK(same_bits(y, x));
      });
    }
}

TEST_CASE("an all_reduce gives all nodes the same bits, though they are not the canonical ones") {
  int rounded_otherwise = 0;
  for (const int nodes : {3, 5, 7, 8}) {
    vnode::Team team(nodes, vnode::shapes::full{}, patient());
    for (const vnode::Algorithm& algorithm : vnode::algorithms()) {
      vnode::Parameters parameters;
      parameters.nodes = nodes;
      parameters.extents = {1, nodes};
      if (algorithm.collective != all_reduce || vnode::why_not(algorithm, parameters)) continue;
      INFO(algorithm.name << " on " << nodes << " nodes");
      std::vector<Floats> results(static_cast<std::size_t>(nodes));
      team.run([&](vnode::Node& me) {
        Floats x;
        for (std::size_t i = 0; i < 3000; ++i) x.push_back(brought(me.rank(), i));
        me.all_reduce(x, std::plus<>{}, {algorithm.name});
        results[static_cast<std::size_t>(me.rank())] = x;
      });
      for (const Floats& result : results) REQUIRE(same_bits(result, results[0]));
      rounded_otherwise += !same_bits(results[0], expressions(nodes, 0, 3000));
    }
  }
  CHECK(rounded_otherwise > 0);  // the numbers do round
}
