#include <algorithm>
#include <bit>
#include <doctest/doctest.h>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <vnode/lab/algorithms.hpp>
#include <vnode/lab/contract.hpp>
#include <vnode/lab/schedule.hpp>
#include <vnode/topology.hpp>

#include "collective/needs.hpp"
#include "runtime/node_memory.hpp"
#include "runtime/plan.hpp"

using namespace vnode;

namespace {

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
constexpr Profile pulling{48, 48, never}, sharing{48, 48, 100};

std::vector<Step::Kind> kinds(const Plan& plan, Rank rank) {
  std::vector<Step::Kind> all;
  for (const Step& step : plan.program(rank).steps) all.push_back(step.kind);
  return all;
}

using enum Step::Kind;
using Kinds = std::vector<Step::Kind>;

/// 2 -> 1 -> 0, the chain reduced to node 0.
Schedule chain_reduction() {
  Schedule schedule(3, 1);
  schedule.next_round().push_back({2, 1, Blocks::whole, Effect::combine_after});
  schedule.next_round().push_back({1, 0, Blocks::whole, Effect::combine_after});
  return schedule;
}

/// Two nodes exchange what they have and combine it: both end with the sum.
Schedule exchange() {
  Schedule schedule(2, 1);
  Round& round = schedule.next_round();
  round.push_back({0, 1, Blocks::whole, Effect::combine_before});
  round.push_back({1, 0, Blocks::whole, Effect::combine_after});
  return schedule;
}

/// Messages of `count` numbers.
Plan planned(const Schedule& schedule, const Contract& contract, std::size_t count, const Profile& profile,
             Aliasing aliasing = Aliasing::by_block) {
  return {schedule.nodes(),      false,    [=](std::optional<Rank>) { return Planned{schedule, contract}; },
          Lengths{count, {}, 8}, aliasing, profile};
}

}

TEST_CASE("short messages travel in lines and nobody waits for a reader") {
  const Plan plan = planned(chain_reduction(), reduce_contract(3, 1, 0), 6, pulling);
  CHECK(kinds(plan, 2) == Kinds{send});
  CHECK(kinds(plan, 1) == Kinds{receive, send});
  CHECK(kinds(plan, 0) == Kinds{receive});
}

TEST_CASE("long messages are announced, and the sender returns when they have been read") {
  const Plan plan = planned(chain_reduction(), reduce_contract(3, 1, 0), 7, pulling);
  CHECK(kinds(plan, 2) == Kinds{send, await_done});
  CHECK(kinds(plan, 1) == Kinds{receive, send, await_done});
}

TEST_CASE("an idle sender serves a part of a long message") {
  const Plan plan = planned(chain_reduction(), reduce_contract(3, 1, 0), 1000, sharing);
  CHECK(kinds(plan, 2) == Kinds{send, serve, await_done});
  CHECK(kinds(plan, 1) == Kinds{expose, receive, await_done, send, serve, await_done});
}

TEST_CASE("inputs are read, outputs written, and what is neither lies in scratch") {
  const Plan plan = planned(chain_reduction(), reduce_contract(3, 1, 0), 1000, pulling);
  const Incoming& inner = plan.program(1).incoming.at(0);
  CHECK(plan.sources(1, inner)[0].theirs.place == Place::input);
  CHECK(plan.program(1).pieces_of(inner)[0].own.place == Place::input);
  CHECK(plan.program(1).pieces_of(inner)[0].into.place == Place::scratch);
  const Incoming& last = plan.program(0).incoming.at(0);
  CHECK(plan.sources(0, last)[0].theirs.place == Place::scratch);
  CHECK(plan.program(0).pieces_of(last)[0].into.place == Place::output);
  CHECK(plan.program(1).scratch_bytes == 8000);
  CHECK(plan.program(0).scratch_bytes == 0);
  CHECK(plan.program(2).scratch_bytes == 0);
}

TEST_CASE("what a neighbour reads in the same round is not overwritten, even if input and output are one") {
  const Plan plan = planned(exchange(), all_reduce_contract(2, 1), 1000, sharing);
  for (const Rank rank : {0, 1}) {
    // The exchanged sum goes to scratch; it is copied to the output when the neighbour has read the input.
    CHECK(kinds(plan, rank) == Kinds{send, receive, await_done, copy});
    CHECK(plan.program(rank).scratch_bytes == 8000);
  }
  const Plan in_lines = planned(exchange(), all_reduce_contract(2, 1), 4, sharing);
  CHECK(kinds(in_lines, 0) == Kinds{send, receive});
  CHECK(in_lines.program(0).scratch_bytes == 0);
}

TEST_CASE("an output apart from the input takes the result while the neighbour still reads") {
  const Plan plan = planned(exchange(), all_reduce_contract(2, 1), 1000, sharing, Aliasing::none);
  for (const Rank rank : {0, 1}) {
    CHECK(kinds(plan, rank) == Kinds{send, receive, await_done});
    CHECK(plan.program(rank).scratch_bytes == 0);
  }
}

TEST_CASE("a node copies its own data while the first messages are on their way") {
  // All-gather of two nodes by one exchange.
  Schedule schedule(2, 2);
  Round& round = schedule.next_round();
  round.push_back({0, 1, schedule.block(0)});
  round.push_back({1, 0, schedule.block(1)});
  const Contract wanted = all_gather_contract(2, 2);
  CHECK(kinds(planned(schedule, wanted, 1000, sharing, Aliasing::none), 0) ==
        Kinds{send, copy, receive, await_done});
  CHECK(kinds(planned(schedule, wanted, 4, sharing, Aliasing::none), 0) == Kinds{send, copy, receive});
}

TEST_CASE("both ends of a long message know what the other one copies besides") {
  // Gather of two nodes: the root has its own part to copy, the other has nothing else to do.
  Schedule schedule(2, 2);
  schedule.next_round().push_back({1, 0, schedule.block(1)});
  const Plan plan = planned(schedule, gather_contract(2, 2, 0), 1000, sharing);
  CHECK(kinds(plan, 0) == Kinds{expose, copy, receive, await_done});
  CHECK(kinds(plan, 1) == Kinds{send, serve, await_done});
  CHECK(plan.program(0).incoming.at(0).copies);
  CHECK_FALSE(plan.program(1).outgoing.at(0).copies);
  CHECK(plan.program(0).incoming.at(0).beside == 0);
  CHECK(plan.program(1).outgoing.at(0).beside == 0);
  CHECK(plan.program(0).own_bytes == 8000);
  CHECK(plan.program(1).own_bytes == 0);
}

TEST_CASE("in place, what arrives does not overwrite what has still to be sent") {
  // All-to-all of three nodes in two rounds: what node 0 gets first belongs where its last message lies.
  Schedule schedule(3, 9);
  for (int distance = 1; distance < 3; ++distance) {
    Round& round = schedule.next_round();
    for (Rank from = 0; from < 3; ++from) {
      const Rank to = (from + distance) % 3;
      round.push_back({from, to, schedule.block(from * 3 + to)});
    }
  }
  const Plan plan = planned(schedule, all_to_all_contract(3, 9), 100, pulling, Aliasing::in_place);
  CHECK(kinds(plan, 0) == Kinds{send, receive, await_done, send, receive, await_done, copy});
  CHECK(plan.program(0).scratch_bytes == 832);
  const Plan apart = planned(schedule, all_to_all_contract(3, 9), 100, pulling, Aliasing::none);
  CHECK(apart.program(0).scratch_bytes == 0);
}

TEST_CASE("what is combined goes straight back to those it came from, and a round is saved") {
  // Two-shot all-reduce of three nodes: node i combines block i of all, then all get it.
  Schedule schedule(3, 3);
  Round& there = schedule.next_round();
  for (Rank from = 0; from < 3; ++from)
    for (Rank to = 0; to < 3; ++to)
      if (from != to)
        there.push_back(
            {from, to, schedule.block(to), from < to ? Effect::combine_before : Effect::combine_after});
  Round& back = schedule.next_round();
  for (Rank from = 0; from < 3; ++from)
    for (Rank to = 0; to < 3; ++to)
      if (from != to) back.push_back({from, to, schedule.block(from)});
  for (const Aliasing aliasing : {Aliasing::none, Aliasing::by_block}) {
    const Plan plan = planned(schedule, all_reduce_contract(3, 3), 300, pulling, aliasing);
    CHECK(kinds(plan, 1) == Kinds{publish, gather, await_taken});
    CHECK(plan.program(1).scratch_bytes == 0);
    CHECK(plan.program(1).combines.at(0).forwards == 2);
  }
  const Plan short_one = planned(schedule, all_reduce_contract(3, 3), 9, pulling);
  CHECK(kinds(short_one, 1) == Kinds{publish, gather, await_taken, publish, take, take});
}

TEST_CASE("a running total and a result that begin as one do not destroy each other") {
  // Prefix sums of two nodes: one message feeds the total and, on node 1, the result.
  Schedule schedule(2, 2);
  const Blocks total = schedule.block(1), result = schedule.block(0);
  schedule.next_round() = {{0, 1, total, Effect::combine_before},
                           {0, 1, total, result, Effect::combine_before},
                           {1, 0, total, Effect::combine_after}};
  const Plan plan = planned(schedule, scan_contract(2, 2, 1), 1000, pulling);
  const auto parts = plan.program(1).pieces_of(plan.program(1).incoming.at(0));
  REQUIRE(parts.size() == 2);
  for (const Piece& part : parts) {
    CHECK(part.own.place == Place::input);
    CHECK(part.into.place == Place::scratch);
  }
}

TEST_CASE("what goes to several at once goes over the board, and so does what is combined in one go") {
  Schedule schedule(4, 1);
  Round& in = schedule.next_round();
  for (Rank rank = 1; rank < 4; ++rank) in.push_back({rank, 0, Blocks::whole, Effect::combine_after});
  Round& out = schedule.next_round();
  for (Rank rank = 1; rank < 4; ++rank) out.push_back({0, rank, Blocks::whole, Effect::replace});
  const Plan plan = planned(schedule, all_reduce_contract(4, 1), 1000, pulling);
  CHECK(kinds(plan, 0) == Kinds{gather, publish, await_taken});
  CHECK(kinds(plan, 2) == Kinds{publish, await_taken, take});
  CHECK(plan.program(0).operands.size() == 3);
}

TEST_CASE("where all signal to one node, which signals to all, they meet at a counter") {
  Schedule schedule(4, 0);
  Round& in = schedule.next_round();
  for (Rank rank = 1; rank < 4; ++rank) in.push_back({rank, 0, Blocks::nothing});
  Round& out = schedule.next_round();
  for (Rank rank = 1; rank < 4; ++rank) out.push_back({0, rank, Blocks::nothing});
  const Plan plan = planned(schedule, barrier_contract(4), 0, pulling);
  for (Rank rank = 0; rank < 4; ++rank) CHECK(kinds(plan, rank) == Kinds{arrive, await_release});

  Schedule partial(4, 0);  // node 3 signals to nobody
  Round& some = partial.next_round();
  for (Rank rank = 1; rank < 3; ++rank) some.push_back({rank, 0, Blocks::nothing});
  Round& all = partial.next_round();
  for (Rank rank = 1; rank < 4; ++rank) all.push_back({0, rank, Blocks::nothing});
  CHECK(kinds(planned(partial, barrier_contract(4), 0, pulling), 0) == Kinds{gather, publish});
}

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

/// The plan of a registered algorithm whose nodes are alike, or not.
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
