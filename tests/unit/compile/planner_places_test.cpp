// Where a plan puts what nodes hold, and how little that is.
#include <algorithm>
#include <bit>
#include <doctest/doctest.h>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <vnode/model/algorithms.hpp>
#include <vnode/model/contract.hpp>
#include <vnode/model/schedule.hpp>
#include <vnode/topology.hpp>

#include "building_blocks/needs.hpp"
#include "compile/meetings.hpp"
#include "compile/node_memory.hpp"
#include "compile/plan.hpp"
#include "planning.hpp"

using namespace vnode_test;

TEST_CASE("scratch is used again once its version is dead") {
  // Node 0 passes on, one after the other, what it gets from node 1: one slot serves all.
  Schedule schedule(3, 4);
  for (int b = 0; b < 4; ++b) {
    schedule.next_round().push_back({1, 0, schedule.block(b)});
    schedule.next_round().push_back({0, 2, schedule.block(b)});
  }
  Contract contract{4, 4, false, {}};
  contract.shares = {Share{}, Share{{{0, 4}}, {}, {}}, Share{{}, {{0, 4}}, {1, 2}}};
  const Plan small = planned(schedule, contract, 16, pulling);
  CHECK(small.program(0).scratch_bytes == 64);
  const Plan large = planned(schedule, contract, 4000, pulling);
  CHECK(large.program(0).scratch_bytes <= 4 * 8000);
  CHECK(large.program(0).scratch_bytes >= 8000);
}

TEST_CASE("blocks of a message that lie together travel as one part") {
  Schedule schedule(2, 10);
  schedule.next_round().push_back({0, 1, schedule.interval(2, 7)});
  Contract contract{10, 10, false, {Share{{{0, 10}}, {}, {}}, Share{{}, {{2, 7}}, {0, 1}}}};
  const Plan plan(
      2, false,
      [&](std::optional<Rank>) {
        return Planned{schedule, contract};
      },
      Lengths{23, {}, 4}, Aliasing::by_block, pulling);  // blocks of 3, 3, 3, 2, 2, ...
  const Outgoing& sent = plan.program(0).outgoing.at(0);
  CHECK(sent.bytes == (3 + 2 + 2 + 2 + 2) * 4);
  REQUIRE(sent.count == 1);
  CHECK(plan.program(0).sources_of(sent)[0].theirs.offset == 6 * 4);
  const Incoming& received = plan.program(1).incoming.at(0);
  REQUIRE(received.count == 1);
  CHECK(plan.program(1).pieces_of(received)[0].into.offset == 0);
}

namespace {

/// Returns the plan of a registered algorithm whose nodes are alike, or not.
Plan planned_by(const Algorithm& algorithm, int nodes, std::size_t count, const Profile& profile) {
  const auto build = [&algorithm, nodes](std::optional<Rank> only) {
    const Parameters told{.nodes = nodes, .only = only};
    Schedule schedule = algorithm.build(told);
    Contract wanted = contract(algorithm.collective, told, schedule.blocks());
    return Planned{std::move(schedule), std::move(wanted)};
  };
  return {nodes, alike(algorithm, {.nodes = nodes}), build, Lengths{count, {}, 8}, Aliasing::none, profile};
}

}

TEST_CASE("what Bruck's exchange passes on lies together: a piece for each destination and earlier round") {
  for (const int nodes : {8, 13, 64}) {
    const Plan plan = planned_by(algorithm("all_to_all_bruck"), nodes, 1, {512, 512, never});
    for (Rank rank = 0; rank < nodes; ++rank) {
      const Program& program = plan.program(rank);
      CAPTURE(nodes);
      CAPTURE(rank);
      std::uint32_t round = 0;
      for (int distance = 1; distance < nodes; distance *= 2, ++round) {
        // For each destination its own block, and of what came in a round earlier what lies together.
        std::uint32_t sources = 0;
        for (int first = distance; first < nodes; first += 2 * distance)
          sources += static_cast<std::uint32_t>(
              std::bit_width(static_cast<unsigned>(std::min(distance, nodes - first)) - 1) + 1);
        CHECK(program.outgoing.at(round).count == sources);
        // The output, which may begin anew at node 0, and scratch.
        CHECK(program.incoming.at(round).count <= 3);
      }
      CHECK(program.outgoing.size() == round);
    }
  }
}

TEST_CASE("what dimensions exchange goes to one stretch of scratch, and to one of the output") {
  for (const char* const name : {"all_to_all_hypercube", "reduce_scatter_hypercube"}) {
    const Plan plan = planned_by(algorithm(name), 64, 1, {512, 512, never});
    for (Rank rank = 0; rank < 64; ++rank)
      for (const Incoming& message : plan.program(rank).incoming) {
        CAPTURE(name);
        CAPTURE(rank);
        CHECK(message.count <= 5);
      }
  }
}

TEST_CASE("a complete exchange is two meetings with reading between, however many nodes there are") {
  const Kinds meeting_reading_meeting{open, arrive, await_release, copy, read_all, arrive, await_release};
  for (const int nodes : {2, 7, 4096})
    for (const int sent : {1, nodes}) {
      const Program program = make_program({sent, 24}, Aliasing::none, 1);
      Kinds kinds;
      for (const Step& step : program.steps) kinds.push_back(step.kind);
      CHECK(kinds == meeting_reading_meeting);
      CHECK(program.meetings == 2);
      CHECK(program.scratch_bytes == 0);
      CHECK(program.bytes() < 1000);
      const OwnCopy& read = program.copies[program.steps[4].first];
      CHECK(read.bytes == 24);
      CHECK(read.from.offset == (sent > 1 ? 24 : 0));
    }
  const Program program = make_program({.gathers = false, .bytes = 24, .taken = 16, .taken_at = 8});
  Kinds kinds;
  for (const Step& step : program.steps) kinds.push_back(step.kind);
  CHECK(kinds == Kinds{open, bring, await_release, take_brought});
  CHECK(program.copies.back().bytes == 16);
  CHECK(program.copies.back().from.offset == 8);
  // In place, what others read is copied first, unless nobody writes there.
  CHECK(make_program({7, 24}, Aliasing::by_block, 1).scratch_bytes == 7 * 24);
  CHECK(make_program({1, 24}, Aliasing::by_block, 1).scratch_bytes == 0);
  CHECK(make_program({1, 24}, Aliasing::in_place, 1).scratch_bytes == 24);
}

TEST_CASE("short calls of 1,024 nodes take at most 50 MB for all nodes' programs") {
  constexpr int nodes = 1024;
  for (const char* const name :
       {"barrier_central", "barrier_dissemination", "broadcast_direct", "broadcast_binomial",
        "all_reduce_central", "all_reduce_doubling", "all_gather_hypercube", "all_gather_bruck",
        "all_to_all_hypercube", "all_to_all_bruck", "reduce_scatter_hypercube", "scan_direct"}) {
    const Plan plan = planned_by(algorithm(name), nodes, 1, {512, 512, never});
    std::size_t bytes = 0;
    if (alike(algorithm(name), {.nodes = nodes})) {
      for (const Rank rank : {0, 1, 341, 1023}) bytes = std::max(bytes, nodes * plan.program(rank).bytes());
    } else {
      for (Rank rank = 0; rank < nodes; ++rank) bytes += plan.program(rank).bytes();
    }
    CAPTURE(name);
    CHECK(bytes <= 50'000'000);
  }
}

TEST_CASE("scratch takes blocks together, fills holes that are worth it, and joins what comes back") {
  Scratch scratch;
  std::vector<Scratch::Room> rooms(4, {300, 0});
  scratch.take(rooms);
  for (std::size_t i = 0; i < rooms.size(); ++i) CHECK(rooms[i].offset == 300 * i);
  CHECK(scratch.bytes() == 1216);
  // A hole for one block of 500 bytes that begins on a line, or for one of 300.
  const std::vector<Scratch::Stretch> back{{600, 880}, {300, 600}};
  scratch.give_back(back);
  std::vector<Scratch::Room> long_one(1, {500, 0}), two(2, {300, 0});
  CHECK(scratch.has_free(long_one));
  CHECK_FALSE(scratch.has_free(two));
  scratch.take(two);
  CHECK(two[0].offset == 320);
  CHECK(two[1].offset == 1216);
  // What is left of the hole is too short for a piece of several blocks, but not for all of a message.
  std::vector<Scratch::Room> many(100, {8, 0}), few(3, {8, 0});
  CHECK_FALSE(scratch.has_free(many));
  CHECK(scratch.has_free(few));
  scratch.take(many);
  CHECK(many.front().offset == 1536);
  CHECK(many.back().offset == 1536 + 99 * 8);
  scratch.take(few);
  CHECK(few.front().offset == 640);
  CHECK(few.back().offset == 656);
}

TEST_CASE("no bytes, no copies") {
  const Plan plan = planned(chain_reduction(), reduce_contract(3, 1, 0), 0, sharing);
  CHECK(plan.program(0).pieces.empty());
  CHECK(plan.program(1).sources.empty());
  CHECK(kinds(plan, 0) == Kinds{receive});
}

TEST_CASE("in place, an operator writes where it reads or beside it, never half over it") {
  const std::vector<std::size_t> counts{1, 70, 0, 12, 300, 7, 40, 9};
  int looked_at = 0;
  for (const Algorithm& algorithm : algorithms())
    for (int nodes = 2; nodes <= 8; ++nodes) {
      Parameters parameters;
      parameters.nodes = nodes;
      const Topology squarest(shapes::mesh{}, nodes);
      parameters.extents.assign(squarest.extents().begin(), squarest.extents().end());
      if (algorithm.collective != Collective::reduce_scatter || why_not(algorithm, parameters)) continue;
      const Schedule schedule = algorithm.build(parameters);
      const Contract wanted = contract(algorithm.collective, parameters, schedule.blocks());
      const Lengths lengths{0, std::span(counts).first(static_cast<std::size_t>(nodes)), 8};
      for (const Profile& profile : {pulling, sharing}) {
        const Plan plan(
            nodes, false,
            [&](std::optional<Rank>) {
              return Planned{schedule, wanted};
            },
            lengths, Aliasing::in_place, profile);
        std::vector<Piece> parts;
        for (Rank rank = 0; rank < nodes; ++rank) {
          const std::vector<Piece>& own = plan.program(rank).pieces;
          parts.insert(parts.end(), own.begin(), own.end());
        }
        for (const Piece& part : parts) {
          if (part.effect == Effect::replace) continue;
          const bool one_memory = (part.own.place == Place::scratch) == (part.into.place == Place::scratch);
          const std::size_t own = part.own.offset, into = part.into.offset;
          const bool half = one_memory && own != into && own < into + part.bytes && into < own + part.bytes;
          CAPTURE(algorithm.name);
          CAPTURE(nodes);
          REQUIRE_FALSE(half);
          ++looked_at;
        }
      }
    }
  CHECK(looked_at > 100);
}
