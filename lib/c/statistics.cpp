#include <vnode/c/statistics.h>
#include <vnode/roll_call.hpp>
#include <vnode/statistics.hpp>

#include "c/lists.hpp"
#include "c/team.hpp"

/// Statistics and their handle.
struct vnode_statistics : vnode::HandleOf<vnode::Statistics, vnode::HandleKind::statistics> {
  using HandleOf::HandleOf;
};

/// A roll call and its handle.
struct vnode_roll_call : vnode::HandleOf<vnode::RollCall, vnode::HandleKind::roll_call> {
  using HandleOf::HandleOf;
};

using namespace vnode;

int vnode_team_statistics(const vnode_team* team, vnode_statistics** statistics) {
  return entry([&] { put_handle(statistics, at_handle(team).is.statistics()); });
}

int vnode_statistics_rows(const vnode_statistics* statistics) {
  return entry([&] { return static_cast<int>(at_handle(statistics).is.rows.size()); });
}

int vnode_statistics_row(const vnode_statistics* statistics, int row, vnode_call_statistics* calls) {
  return entry([&] {
    check_size("vnode_call_statistics", needed(calls, "the row").size, sizeof *calls, sizeof *calls);
    const CallStatistics& is = numbered(at_handle(statistics).is.rows, row, "row");
    *calls = {.size = sizeof *calls,
              .operation = is.operation.c_str(),
              .algorithm = is.algorithm.c_str(),
              .group = is.group,
              .up_to_bytes = is.up_to_bytes,
              .varying = is.varying ? 1 : 0,
              .in_order = is.in_order ? 1 : 0,
              .deterministic = is.deterministic ? 1 : 0,
              .radix = is.radix,
              .calls = is.calls,
              .bytes = is.bytes,
              .seconds = is.seconds,
              .waiting = is.waiting,
              .least = is.least,
              .longest = is.longest,
              .awaited = is.awaited,
              .awaited_seconds = is.awaited_seconds,
              .last = is.last,
              .nodes_count = is.nodes.size()};
  });
}

int vnode_statistics_node(const vnode_statistics* statistics, int row, int index,
                          vnode_node_statistics* node) {
  return entry([&] {
    const NodeStatistics& is =
        numbered(numbered(at_handle(statistics).is.rows, row, "row").nodes, index, "node of this row");
    needed(node, "the node") = {is.node, is.calls, is.bytes, is.seconds, is.waiting};
  });
}

int vnode_statistics_text(const vnode_statistics* statistics, char** text) {
  return entry([&] { put_text(text, at_handle(statistics).is.text()); });
}

int vnode_statistics_json(const vnode_statistics* statistics, char** json) {
  return entry([&] { put_text(json, at_handle(statistics).is.json()); });
}

int vnode_statistics_free(vnode_statistics** statistics) {
  return entry([&] { end_handle(statistics); });
}

int vnode_team_state(const vnode_team* team, vnode_roll_call** state) {
  return entry([&] { put_handle(state, at_handle(team).is.state()); });
}

int vnode_roll_call_in_run(const vnode_roll_call* state) {
  return entry([&] { return at_handle(state).is.in_run ? 1 : 0; });
}

int vnode_roll_call_node(const vnode_roll_call* state, int rank, vnode_node_state* node) {
  return entry([&] {
    check_size("vnode_node_state", needed(node, "the node").size, sizeof *node, sizeof *node);
    const NodeState& is = numbered(at_handle(state).is.nodes, rank, "node");
    *node = {.size = sizeof *node,
             .where = static_cast<int>(is.where),
             .call = is.call.c_str(),
             .text = is.text.c_str(),
             .number = is.number ? std::int64_t{*is.number} : -1,
             .tag = is.tag.value_or(-1),
             .round = is.round.value_or(-1),
             .awaited = is.awaited.value_or(-1)};
  });
}

int vnode_roll_call_text(const vnode_roll_call* state, char** text) {
  return entry([&] { put_text(text, at_handle(state).is.text()); });
}

int vnode_roll_call_json(const vnode_roll_call* state, char** json) {
  return entry([&] { put_text(json, at_handle(state).is.json()); });
}

int vnode_roll_call_free(vnode_roll_call** state) {
  return entry([&] { end_handle(state); });
}
