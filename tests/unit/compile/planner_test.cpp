// Tests how a plan has messages travel.
#include <doctest/doctest.h>

#include <vnode/model/algorithms.hpp>
#include <vnode/model/contract.hpp>
#include <vnode/model/schedule.hpp>

#include "compile/node_memory.hpp"
#include "compile/plan.hpp"
#include "planning.hpp"

using namespace vnode_test;

namespace {

/// Nodes 1 to `last` of four signal to node 0, which signals to all.
Schedule central_barrier(Rank last) {
  Schedule schedule(4, 0);
  Round& in = schedule.next_round();
  for (Rank rank = 1; rank <= last; ++rank) in.push_back({rank, 0, Blocks::nothing});
  Round& out = schedule.next_round();
  for (Rank rank = 1; rank < 4; ++rank) out.push_back({0, rank, Blocks::nothing});
  return schedule;
}

/// Node i of three combines block i of all.
Schedule slices_combined() {
  Schedule schedule(3, 3);
  Round& there = schedule.next_round();
  for (Rank from = 0; from < 3; ++from)
    for (Rank to = 0; to < 3; ++to)
      if (from != to)
        there.push_back(
            {from, to, schedule.block(to), from < to ? Effect::combine_before : Effect::combine_after});
  return schedule;
}

}  // namespace

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
  // Two-shot all-reduce: then all get it.
  Schedule schedule = slices_combined();
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

TEST_CASE(
    "what is combined for another node alone goes straight to it, and is kept only if it is read again") {
  Schedule schedule = slices_combined();
  Round& back = schedule.next_round();
  for (Rank from = 1; from < 3; ++from) back.push_back({from, 0, schedule.block(from)});
  const Plan plan = planned(schedule, reduce_contract(3, 3, 0), 300, pulling);
  for (Rank rank = 0; rank < 3; ++rank) {
    CAPTURE(rank);
    CHECK(kinds(plan, rank) == Kinds{publish, gather, await_taken});
    CHECK(plan.program(rank).combines.at(0).forwards == (rank > 0));
    CHECK(plan.program(rank).combines.at(0).kept == (rank == 0));
  }
  schedule.next_round().push_back({1, 2, schedule.block(1)});
  const Plan longer = planned(schedule, reduce_contract(3, 3, 0), 300, pulling);
  CHECK(longer.program(1).combines.at(0).kept);
  CHECK_FALSE(longer.program(2).combines.at(0).kept);
}

TEST_CASE("in a scan by slices each result goes on from the one before, straight to where it belongs") {
  const Schedule schedule = algorithm("scan_splitting_direct").build({.nodes = 3});
  for (const Aliasing aliasing : {Aliasing::none, Aliasing::by_block, Aliasing::in_place}) {
    const Plan plan = planned(schedule, sliced_scan_contract(3, 9), 300, pulling, aliasing);
    for (Rank rank = 0; rank < 3; ++rank) {
      CAPTURE(rank);
      const Program& program = plan.program(rank);
      const std::size_t first = rank == 0 ? 1 : 0;  // rank 0's own slice is its own result
      REQUIRE(program.combines.size() == 3 - first);
      for (std::size_t result = first; result < 3; ++result) {
        const Combine& combine = program.combines[result - first];
        const bool own = result == static_cast<std::size_t>(rank);
        CHECK(combine.operands == (result >= static_cast<std::size_t>(rank) ? result : result + 1));
        CHECK(combine.goes_on == (result > first));
        CHECK(combine.kept == own);
        CHECK(combine.forwards == (own ? 0 : 1));
      }
      CHECK(program.scratch_bytes == 0);
    }
    CHECK(kinds(plan, 2) == Kinds{publish, gather, await_taken});
  }
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

TEST_CASE("a signal of a node that has heard from nobody says that it has begun, and is not sent") {
  const Plan plan = planned(central_barrier(3), barrier_contract(4), 0, pulling);
  CHECK(kinds(plan, 0) == Kinds{await_begun, publish});
  CHECK(plan.program(0).gathers.at(0).sources == 3);
  for (Rank rank = 1; rank < 4; ++rank) {
    CHECK(kinds(plan, rank) == Kinds{signal, take});
    CHECK(plan.program(rank).steps.front().peer == 0);
  }

  Schedule direct(3, 0);
  Round& all = direct.next_round();
  for (Rank from = 0; from < 3; ++from)
    for (Rank to = 0; to < 3; ++to)
      if (from != to) all.push_back({from, to, Blocks::nothing});
  for (Rank rank = 0; rank < 3; ++rank)
    CHECK(kinds(planned(direct, barrier_contract(3), 0, pulling), rank) == Kinds{signal, await_begun});

  Schedule chain(3, 0);  // node 1 has heard from node 0 when it signals
  chain.next_round().push_back({0, 1, Blocks::nothing});
  chain.next_round().push_back({1, 2, Blocks::nothing});
  const Plan of_chain = planned(chain, barrier_contract(3), 0, pulling);
  CHECK(kinds(of_chain, 1) == Kinds{await_begun, send});
  CHECK(kinds(of_chain, 2) == Kinds{receive});
}

TEST_CASE("where all signal to one node, which signals to all, those that share cores meet at a counter") {
  Profile crowded = pulling;
  crowded.shared_cores = true;
  const Plan plan = planned(central_barrier(3), barrier_contract(4), 0, crowded);
  for (Rank rank = 0; rank < 4; ++rank) CHECK(kinds(plan, rank) == Kinds{arrive, await_release});

  // Node 3 signals to nobody.
  CHECK(kinds(planned(central_barrier(2), barrier_contract(4), 0, crowded), 0) ==
        Kinds{await_begun, publish});
}

TEST_CASE("where nodes share cores, one that only sends in the last round leaves lines and does not wait") {
  Profile shared = pulling;
  shared.shared_cores = true;
  shared.max_inline = 480;  // ten times what a board carries
  Profile apart = shared;
  apart.shared_cores = false;

  Schedule broadcast(4, 1);
  Round& out = broadcast.next_round();
  for (Rank rank = 1; rank < 4; ++rank) out.push_back({0, rank, Blocks::whole, Effect::replace});
  CHECK(kinds(planned(broadcast, broadcast_contract(4, 1, 0), 7, apart), 0) ==
        Kinds{publish, await_taken, copy});
  const Plan lines = planned(broadcast, broadcast_contract(4, 1, 0), 7, shared);
  CHECK(kinds(lines, 0) == Kinds{send, send, send, copy});
  CHECK(kinds(lines, 3) == Kinds{receive});
  CHECK(kinds(planned(broadcast, broadcast_contract(4, 1, 0), 6, shared), 0) == Kinds{publish, copy});
  CHECK(kinds(planned(broadcast, broadcast_contract(4, 1, 0), 61, shared), 0) ==
        Kinds{publish, await_taken, copy});

  Schedule reduction(4, 1);
  Round& in = reduction.next_round();
  for (Rank rank = 1; rank < 4; ++rank) in.push_back({rank, 0, Blocks::whole, Effect::combine_after});
  const Plan landing = planned(reduction, reduce_contract(4, 1, 0), 7, shared);
  CHECK(kinds(landing, 0) == Kinds{gather});
  CHECK(kinds(landing, 3) == Kinds{send});
  for (const Incoming& message : landing.program(0).incoming) CHECK(message.lands);

  // Whoever receives as well waits for others anyway, and reads of one memory take less than lines for each.
  CHECK(kinds(planned(exchange(), all_reduce_contract(2, 1), 7, shared), 0) == Kinds{send, receive});
  const Plan slices = planned(slices_combined(), reduce_scatter_contract(3, 3), 21, shared);
  CHECK(kinds(slices, 0) == kinds(planned(slices_combined(), reduce_scatter_contract(3, 3), 21, apart), 0));
}
