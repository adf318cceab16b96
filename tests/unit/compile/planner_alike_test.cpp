// Tests plans that a node makes of its own part.
#include <algorithm>
#include <doctest/doctest.h>
#include <optional>
#include <utility>
#include <vector>

#include <vnode/model/algorithms.hpp>
#include <vnode/model/contract.hpp>
#include <vnode/model/schedule.hpp>

#include "building_blocks/needs.hpp"
#include "compile/node_memory.hpp"
#include "compile/plan.hpp"
#include "planning.hpp"

using namespace vnode_test;

TEST_CASE("a node that is like all others makes by itself the program that the whole schedule has for it") {
  const auto same = [](const MessageEnd& a, const MessageEnd& b) {
    return a.peer == b.peer && a.round == b.round && a.carriage == b.carriage && a.copies == b.copies &&
           a.beside == b.beside && a.number == b.number && a.first == b.first && a.count == b.count &&
           a.bytes == b.bytes;
  };
  const auto same_step = [](const Step& a, const Step& b) {
    return a.kind == b.kind && a.round == b.round && a.first == b.first && a.count == b.count &&
           a.index == b.index && a.peer == b.peer;
  };
  int looked_at = 0;
  for (const Algorithm& algorithm : algorithms())
    for (const int nodes : {1, 2, 3, 4, 7, 8, 12, 16}) {
      const Parameters told{.nodes = nodes};
      if (algorithm.alike == nullptr || !algorithm.alike(told) || why_not(algorithm, told)) continue;
      const auto build = [&](std::optional<Rank> only) {
        Parameters part = told;
        part.only = only;
        Schedule schedule = algorithm.build(part);
        Contract wanted = contract(algorithm.collective, part, schedule.blocks());
        return Planned{std::move(schedule), std::move(wanted)};
      };
      const std::size_t even = static_cast<std::size_t>(nodes) * static_cast<std::size_t>(nodes);
      for (const std::size_t count : {std::size_t{0}, even, 100 * even})
        for (const Profile& profile : {pulling, sharing})
          for (const Aliasing aliasing : {Aliasing::none, Aliasing::by_block, Aliasing::in_place}) {
            const Plan parts(nodes, true, build, Lengths{count, {}, 8}, aliasing, profile),
                whole(nodes, false, build, Lengths{count, {}, 8}, aliasing, profile);
            for (Rank rank = 0; rank < nodes; ++rank) {
              const Program &a = parts.program(rank), &b = whole.program(rank);
              CAPTURE(algorithm.name);
              CAPTURE(nodes);
              CAPTURE(count);
              CAPTURE(rank);
              REQUIRE(std::ranges::equal(a.steps, b.steps, same_step));
              REQUIRE(std::ranges::equal(a.outgoing, b.outgoing, same));
              REQUIRE(std::ranges::equal(a.incoming, b.incoming, same));
              REQUIRE(a.scratch_bytes == b.scratch_bytes);
              REQUIRE(a.publications == b.publications);
              ++looked_at;
            }
          }
    }
  CHECK(looked_at > 1000);
}

TEST_CASE("nodes that are alike agree on how a message travels where blocks differ in length") {
  int looked_at = 0;
  for (const Algorithm& algorithm : algorithms())
    for (const int nodes : {2, 3, 5, 8}) {
      const Parameters told{.nodes = nodes};
      if (algorithm.alike == nullptr || !algorithm.alike(told) || why_not(algorithm, told)) continue;
      const auto build = [&](std::optional<Rank> only) {
        Parameters part = told;
        part.only = only;
        Schedule schedule = algorithm.build(part);
        Contract wanted = contract(algorithm.collective, part, schedule.blocks());
        return Planned{std::move(schedule), std::move(wanted)};
      };
      for (std::size_t count = 0; count < 80; count += 3) {
        const Plan plan(nodes, true, build, Lengths{count, {}, 8}, Aliasing::by_block, sharing);
        for (Rank rank = 0; rank < nodes; ++rank)
          for (const Incoming& in : plan.program(rank).incoming) {
            const std::vector<Outgoing>& sent = plan.program(in.peer).outgoing;
            const auto out = std::ranges::find_if(sent, [&](const Outgoing& one) {
              return one.peer == rank && one.round == in.round && one.number == in.number;
            });
            CAPTURE(algorithm.name);
            CAPTURE(nodes);
            CAPTURE(count);
            REQUIRE(out != sent.end());
            REQUIRE(out->carriage == in.carriage);
            REQUIRE(out->bytes == in.bytes);
            ++looked_at;
          }
      }
    }
  CHECK(looked_at > 1000);
}
