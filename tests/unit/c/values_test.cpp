// Tests what vnode.h has beside calls: topologies, schedules, hierarchies, memory, traces, arenas.
#include <array>
#include <atomic>
#include <cstring>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <vnode/lab/schedule.h>
#include <vnode/topology.hpp>
#include <vnode/vnode.h>

#include "teams.hpp"

using namespace vnode_test;

namespace {

std::string text_of(int code, char*& text) {
  if (code != VNODE_OK) return vnode_message();
  std::string copy = text;
  vnode_text_free(&text);
  return copy;
}

/// Returns a broadcast to all from node 0: one message to each other node.
vnode_schedule* star(int nodes) {
  vnode_schedule* schedule = nullptr;
  REQUIRE(vnode_schedule_create(&schedule, "star", nodes, 1) == VNODE_OK);
  const vnode_interval whole{0, 1};
  for (int r = 1; r < nodes; ++r) {
    vnode_transfer transfer{};
    transfer.round = r - 1;
    transfer.to = r;
    transfer.what = &whole;
    transfer.what_count = 1;
    REQUIRE(wrong(vnode_schedule_add(schedule, &transfer)) == "");
  }
  return schedule;
}

}  // namespace

TEST_CASE("a topology is asked the same in C as in C++") {
  for (const char* shape : {"array", "ring", "mesh:3x4", "torus:2x6", "tree", "hypercube", "full"}) {
    const int nodes = std::string(shape) == "tree" || std::string(shape) == "hypercube" ? 8 : 12;
    const vnode::Topology expected(vnode::Shape::parse(shape), nodes);
    vnode_topology* topology = nullptr;
    REQUIRE(vnode_topology_create(&topology, shape, nodes) == VNODE_OK);
    CHECK(vnode_topology_nodes(topology) == nodes);
    CHECK(vnode_topology_vertices(topology) == expected.vertices());
    CHECK(vnode_topology_dimensions(topology) == expected.dimensions());
    CHECK(vnode_topology_links(topology) == expected.links());
    CHECK(vnode_topology_diameter(topology) == expected.diameter());
    CHECK(vnode_topology_bisection(topology) == expected.bisection());
    char* text = nullptr;
    CHECK(text_of(vnode_topology_text(topology, &text), text) == expected.text());
    for (int d = 0; d < expected.dimensions(); ++d)
      CHECK(vnode_topology_extent(topology, d) == expected.extent(d));
    for (int vertex = 0; vertex < expected.vertices(); ++vertex) {
      REQUIRE(vnode_topology_degree(topology, vertex) == expected.degree(vertex));
      for (int port = 0; port < expected.degree(vertex); ++port) {
        CHECK(vnode_topology_neighbour(topology, vertex, port) == expected.neighbour(vertex, port));
        const int link = vnode_topology_directed_link(topology, vertex, port);
        CHECK(link == expected.directed_link(vertex, port));
        CHECK(vnode_topology_port_of(topology, link) == port);
        vnode_port direction{};
        CHECK(vnode_topology_port(topology, vertex, port, &direction) == VNODE_OK);
        CHECK(vnode::Port{direction.dimension, direction.step} == expected.port(vertex, port));
        CHECK(text_of(vnode_topology_port_name(topology, vertex, port, &text), text) ==
              expected.port_name(vertex, port));
        int from = -1, to = -1;
        CHECK(vnode_topology_ends(topology, link, &from, &to) == VNODE_OK);
        CHECK((from == vertex && to == expected.neighbour(vertex, port)));
      }
      CHECK(vnode_topology_neighbour(topology, vertex, expected.degree(vertex)) == VNODE_ERROR_USAGE);
    }
    for (int rank = 0; rank < nodes; ++rank) {
      std::vector<int> coordinates(static_cast<std::size_t>(expected.dimensions()) + 1);
      CHECK(vnode_topology_coordinates(topology, rank, coordinates.data()) == VNODE_OK);
      CHECK(vnode_topology_rank_at(topology, coordinates.data()) == rank);
      const int hops = vnode_topology_distance(topology, 1, rank);
      CHECK(hops == expected.distance(1, rank));
      std::vector<int> links(static_cast<std::size_t>(hops) + 1);
      CHECK(vnode_topology_route(topology, 1, rank, nullptr, links.data()) == VNODE_OK);
      links.pop_back();
      CHECK(links == expected.route(1, rank));
    }
    CHECK(vnode_topology_degree(topology, -1) == VNODE_ERROR_USAGE);
    CHECK(vnode_topology_distance(topology, 0, nodes) == VNODE_ERROR_USAGE);
    CHECK(vnode_topology_extent(topology, 99) == VNODE_ERROR_USAGE);
    CHECK(vnode_topology_route(topology, 0, 1, "uphill", nullptr) == VNODE_ERROR_USAGE);
    CHECK(vnode_topology_free(&topology) == VNODE_OK);
  }
  vnode_topology* none = nullptr;
  CHECK(vnode_topology_create(&none, nullptr, 4) == VNODE_ERROR_USAGE);
  CHECK(vnode_topology_create(&none, "hypercube", 6) == VNODE_ERROR_USAGE);
}

TEST_CASE("a schedule of the program's own is written, read, run and then fixed") {
  vnode_schedule* schedule = star(4);
  CHECK(vnode_schedule_nodes(schedule) == 4);
  CHECK(vnode_schedule_blocks(schedule) == 1);
  CHECK(vnode_schedule_rounds(schedule) == 3);
  CHECK(vnode_schedule_transfers(schedule, 2) == 1);
  vnode_transfer read{};
  CHECK(vnode_schedule_transfer(schedule, 2, 0, &read) == VNODE_OK);
  CHECK((read.round == 2 && read.from == 0 && read.to == 3 && read.what_count == 1 && read.what->last == 1));
  CHECK(vnode_schedule_transfer(schedule, 2, 1, &read) == VNODE_ERROR_USAGE);
  CHECK(vnode_schedule_transfers(schedule, 3) == VNODE_ERROR_USAGE);
  read.round = 5;
  CHECK(vnode_schedule_add(schedule, &read) == VNODE_ERROR_USAGE);
  read.round = 2;
  read.to = 4;
  CHECK(vnode_schedule_add(schedule, &read) == VNODE_ERROR_USAGE);
  const CTeam team(4);
  CHECK(wrong(team.run([&](vnode_node* me) {
          vnode_call_options options{};
          options.size = sizeof options;
          options.schedule = schedule;
          int x = vnode_group_rank(me) + 5;
          CHECK(wrong(vnode_broadcast(me, &x, 1, VNODE_I32, 0, &options)) == "");
          CHECK(x == 5);
          char* name = nullptr;
          CHECK(text_of(vnode_group_last_algorithm(me, &name), name) == "star");
          CHECK(vnode_broadcast(me, &x, 1, VNODE_I32, 1, &options) == VNODE_ERROR_USAGE);
          return 0;
        })) == "");
  read.to = 3;
  CHECK(vnode_schedule_add(schedule, &read) == VNODE_ERROR_USAGE);
  CHECK(std::string(vnode_message()).find("a call has used this schedule") != std::string::npos);
  CHECK(vnode_schedule_rounds(schedule) == 3);
  CHECK(vnode_schedule_free(&schedule) == VNODE_OK);
  CHECK(vnode_schedule_create(&schedule, nullptr, 0, 1) == VNODE_ERROR_USAGE);
}

TEST_CASE("a hierarchy is read, and calls follow it") {
  vnode_hierarchy* hierarchy = nullptr;
  REQUIRE(vnode_hierarchy_create(&hierarchy, "2x2,inner=linear", 4) == VNODE_OK);
  CHECK(vnode_hierarchy_levels(hierarchy) == 1);
  CHECK(vnode_hierarchy_apart(hierarchy, 0, 1) == 0);
  CHECK(vnode_hierarchy_apart(hierarchy, 0, 2) == 1);
  CHECK(vnode_hierarchy_apart(hierarchy, 0, 4) == VNODE_ERROR_USAGE);
  char* text = nullptr;
  CHECK(text_of(vnode_hierarchy_text(hierarchy, &text), text) == "2x2,inner=linear");
  const CTeam team(4);
  CHECK(wrong(team.run([&](vnode_node* me) {
          vnode_call_options options{};
          options.size = sizeof options;
          options.algorithm = "broadcast_hierarchical";
          options.hierarchy = hierarchy;
          int x = vnode_group_rank(me) + 5;
          CHECK(wrong(vnode_broadcast(me, &x, 1, VNODE_I32, 0, &options)) == "");
          CHECK(x == 5);
          return 0;
        })) == "");
  CHECK(vnode_hierarchy_free(&hierarchy) == VNODE_OK);
  CHECK(vnode_hierarchy_create(&hierarchy, "3x3", 4) == VNODE_ERROR_USAGE);
}

TEST_CASE("memory is placed, audited and told of") {
  vnode_page_placement placement{};
  placement.size = sizeof placement;
  placement.policy = VNODE_PAGES_INTERLEAVE;
  vnode_buffer* buffer = nullptr;
  REQUIRE(wrong(vnode_buffer_create(&buffer, 100000, &placement)) == "");
  void* data = nullptr;
  std::size_t bytes = 0;
  CHECK(vnode_buffer_data(buffer, &data, &bytes) == VNODE_OK);
  CHECK(bytes == 100000);
  CHECK(vnode_buffer_touch(buffer) == VNODE_OK);
  CHECK(static_cast<const char*>(data)[99999] == 0);
  vnode_page_audit audit{};
  std::array<std::size_t, 8> on{};
  const int banks = vnode_audit_pages(data, bytes, &audit, on.data(), static_cast<int>(on.size()));
  CHECK(banks >= 0);
  CHECK(audit.untouched == 0);
  std::size_t sum = 0;
  for (const std::size_t pages : on) sum += pages;
  CHECK(sum == audit.touched);
  CHECK(vnode_buffer_claim(buffer, 0, bytes) == VNODE_OK);
  placement.policy = VNODE_PAGES_FIRST_TOUCH;
  CHECK(vnode_buffer_place(buffer, 0, bytes, &placement) == VNODE_OK);
  CHECK(vnode_buffer_place(buffer, 1, bytes, &placement) == VNODE_ERROR_USAGE);
  const int refusals = vnode_buffer_degraded(buffer, 0, nullptr);
  CHECK(refusals >= 0);
  const char* sentence = nullptr;
  CHECK(vnode_buffer_degraded(buffer, refusals, &sentence) == VNODE_ERROR_USAGE);
  CHECK(vnode_buffer_free(&buffer) == VNODE_OK);
  placement.policy = 4;
  CHECK(vnode_buffer_create(&buffer, 1, &placement) == VNODE_ERROR_USAGE);

  const CTeam team(2);
  CHECK(vnode_team_buffer(team, 1, 1000, sizeof(double), 0, &buffer) == VNODE_OK);
  CHECK(vnode_buffer_data(buffer, nullptr, &bytes) == VNODE_OK);
  CHECK(bytes >= 1000 * sizeof(double));
  CHECK(vnode_buffer_free(&buffer) == VNODE_OK);
  CHECK(vnode_team_buffer(team, 2, 1, 8, 0, &buffer) == VNODE_ERROR_USAGE);
  CHECK(team.run([](vnode_node* me) { return vnode_barrier(me, nullptr); }) == VNODE_OK);
  int seen = 0;
  CHECK(vnode_team_memory(
            team,
            [](void* count, const vnode_owned_memory* memory) {
              CHECK((memory->owner == 0 || memory->owner == 1));
              ++*static_cast<int*>(count);
              return 0;
            },
            &seen) == VNODE_OK);
  CHECK(seen >= 1);
  CHECK(vnode_team_memory(
            team, [](void*, const vnode_owned_memory*) { return 9; }, nullptr) == 9);
}

TEST_CASE("a team's calls are recorded") {
  const CTeam team(2);
  CHECK(vnode_team_trace(team, 100) == VNODE_OK);
  CHECK(team.run([](vnode_node* me) {
    double x = 1;
    return vnode_all_reduce(me, &x, &x, 1, VNODE_F64, VNODE_SUM, nullptr);
  }) == VNODE_OK);
  vnode_trace* trace = nullptr;
  REQUIRE(vnode_team_take_trace(team, &trace) == VNODE_OK);
  std::size_t calls = 0, dropped = 1;
  CHECK(vnode_trace_counts(trace, &calls, &dropped) == VNODE_OK);
  CHECK((calls == 1 && dropped == 0));
  vnode_traced_call call{};
  CHECK(vnode_trace_call(trace, 0, &call) == VNODE_ERROR_USAGE);
  call.size = sizeof call;
  REQUIRE(vnode_trace_call(trace, 0, &call) == VNODE_OK);
  CHECK((call.nodes == 2 && call.complete == 1 && call.group == 0));
  CHECK(std::string(call.algorithm).starts_with("all_reduce_"));
  CHECK(std::string(call.title).find(call.algorithm) != std::string::npos);
  REQUIRE(call.messages_count == 2);
  CHECK(call.messages[0].bytes == 8);
  CHECK(call.messages[0].start <= call.messages[0].end);
  CHECK(vnode_trace_call(trace, 1, &call) == VNODE_ERROR_USAGE);
  CHECK(vnode_trace_free(&trace) == VNODE_OK);
}

TEST_CASE("an arena works on parts until one fails, and a pinned thread is unpinned for a while") {
  vnode_team_options options{};
  options.arenas = VNODE_DOMAIN_PACKAGE;
  const CTeam team(1, nullptr, options);
  CHECK(wrong(team.run([](vnode_node* me) {
          const int threads = vnode_arena_concurrency(me);
          CHECK(threads >= 1);
          std::vector<int> pus(static_cast<std::size_t>(threads));
          CHECK(vnode_arena_pus(me, pus.data(), threads) >= 1);
          std::atomic<std::size_t> done{0};
          CHECK(wrong(vnode_arena_parallel_for(
                    me, 10, 1010, 1,
                    [](void* sum, std::size_t first, std::size_t last) {
                      *static_cast<std::atomic<std::size_t>*>(sum) += last - first;
                      return 0;
                    },
                    &done)) == "");
          CHECK(done == 1000);
          CHECK(vnode_arena_parallel_for(
                    me, 0, 10, 1, [](void*, std::size_t, std::size_t) { return 6; }, nullptr) == 6);
          vnode_unpinned* unpinned = nullptr;
          CHECK(vnode_unpinned_begin(&unpinned) == VNODE_OK);
          CHECK(vnode_unpinned_end(&unpinned) == VNODE_OK);
          CHECK(unpinned == nullptr);
          return 0;
        })) == "");
}

TEST_CASE("a team's calls are counted, and its nodes found where they are") {
  vnode_team_options options{};
  options.statistics = 1;
  const CTeam team(2, nullptr, options);
  CHECK(team.run([](vnode_node* me) {
    double x = 1;
    return vnode_all_reduce(me, &x, &x, 1, VNODE_F64, VNODE_SUM, nullptr);
  }) == VNODE_OK);
  vnode_statistics* statistics = nullptr;
  REQUIRE(vnode_team_statistics(team, &statistics) == VNODE_OK);
  CHECK(vnode_statistics_rows(statistics) == 1);
  vnode_call_statistics calls{};
  CHECK(vnode_statistics_row(statistics, 0, &calls) == VNODE_ERROR_USAGE);
  calls.size = sizeof calls;
  REQUIRE(vnode_statistics_row(statistics, 0, &calls) == VNODE_OK);
  CHECK(std::string(calls.operation) == "all_reduce");
  CHECK((calls.calls == 1 && calls.bytes == 8 && calls.nodes_count == 2));
  vnode_node_statistics node{};
  CHECK(vnode_statistics_node(statistics, 0, 1, &node) == VNODE_OK);
  CHECK((node.node == 1 && node.calls == 1));
  CHECK(vnode_statistics_node(statistics, 0, 2, &node) == VNODE_ERROR_USAGE);
  CHECK(vnode_statistics_row(statistics, 1, &calls) == VNODE_ERROR_USAGE);
  char* text = nullptr;
  CHECK(text_of(vnode_statistics_json(statistics, &text), text).find("all_reduce") != std::string::npos);
  CHECK(text_of(vnode_statistics_text(statistics, &text), text).find("all_reduce") != std::string::npos);
  CHECK(vnode_statistics_free(&statistics) == VNODE_OK);

  const auto where = [&](int rank) {
    vnode_roll_call* state = nullptr;
    CHECK(vnode_team_state(team, &state) == VNODE_OK);
    CHECK(vnode_roll_call_in_run(state) >= 0);
    vnode_node_state found{};
    found.size = sizeof found;
    CHECK(vnode_roll_call_node(state, rank, &found) == VNODE_OK);
    CHECK(vnode_roll_call_node(state, 2, &found) == VNODE_ERROR_USAGE);
    CHECK(!text_of(vnode_roll_call_text(state, &text), text).empty());
    CHECK(text_of(vnode_roll_call_json(state, &text), text).find("\"nodes\"") != std::string::npos);
    CHECK(vnode_roll_call_free(&state) == VNODE_OK);
    return found.where;
  };
  CHECK(where(0) == VNODE_ABSENT);
  CHECK(team.run([&](vnode_node* me) {
    if (vnode_group_rank(me) == 0) CHECK(where(0) == VNODE_COMPUTING);
    return vnode_barrier(me, nullptr);
  }) == VNODE_OK);
}

TEST_CASE(
    "a schedule is read from its text and from JSON, written again, and what is wrong with it is told") {
  const std::string written = "nodes 4 blocks 2\n1: 0>1[0] 0>2[1]\n2: 1+>3[0:1] 2>3[0]\n";
  vnode_schedule* schedule = nullptr;
  REQUIRE(wrong(vnode_schedule_from_text(&schedule, "mine", written.c_str())) == "");
  CHECK(vnode_schedule_rounds(schedule) == 2);
  vnode_transfer transfer{};
  CHECK(vnode_schedule_transfer(schedule, 1, 0, &transfer) == VNODE_OK);
  CHECK((transfer.effect == VNODE_COMBINE_BEFORE && transfer.what->first == 0 && transfer.into->first == 1));
  char *text = nullptr, *json = nullptr;
  CHECK(text_of(vnode_schedule_to_text(schedule, &text), text) == written);
  REQUIRE(vnode_schedule_to_json(schedule, &json) == VNODE_OK);
  vnode_schedule* again = nullptr;
  CHECK(wrong(vnode_schedule_from_json(&again, nullptr, json)) == "");
  vnode_text_free(&json);
  CHECK(text_of(vnode_schedule_to_text(again, &text), text) == written);
  CHECK(vnode_schedule_free(&again) == VNODE_OK);
  CHECK(vnode_schedule_free(&schedule) == VNODE_OK);
  CHECK(vnode_schedule_from_text(&schedule, nullptr, "nodes 2 blocks 1\n1: 0>2\n") == VNODE_ERROR_USAGE);
  CHECK(std::string(vnode_message()).find("line 2") != std::string::npos);
  CHECK(vnode_schedule_from_json(&schedule, nullptr, nullptr) == VNODE_ERROR_USAGE);
  CHECK(vnode_schedule_to_text(nullptr, &text) == VNODE_ERROR_USAGE);
  CHECK(schedule == nullptr);
}
