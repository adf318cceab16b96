#pragma once

#include <stddef.h>
#include <stdint.h>

#include <vnode/c/team.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Tells what a team's calls have been until a moment.
typedef struct vnode_statistics vnode_statistics;

/// The calls of one operation by one algorithm, of one group and size class: see vnode/statistics.hpp.
typedef struct vnode_call_statistics {
  size_t size;             ///< sizeof(vnode_call_statistics)
  const char* operation;   ///< "all_reduce", "send"; it lives as long as the statistics, as the next does
  const char* algorithm;   ///< its name; "" for messages and splits
  int group;               ///< 0: all nodes of the team; otherwise the group's number
  size_t up_to_bytes;      ///< the size class: messages of more than half as many bytes, and at most so many
  int varying;             ///< whether there is a count for each rank
  int in_order;            ///< whether the operator is not commutative
  int deterministic;       ///< whether determinism was asked for
  int radix;               ///< of k-nomial trees
  uint64_t calls;          ///< calls
  uint64_t bytes;          ///< the sum of their bytes
  double seconds;          ///< the sum of all nodes' times
  double waiting;          ///< the part of it in which they waited
  double least;            ///< the least time of a call on any node
  double longest;          ///< the longest
  int awaited;             ///< the node that the others have waited for the longest; -1: no single one
  double awaited_seconds;  ///< the sum of the times for which they have
  int last;                ///< the node that comes last on average; -1: fewer than two have made calls
  size_t nodes_count;      ///< how many nodes have completed calls
} vnode_call_statistics;

/// Holds what one node has counted of the calls of a row.
typedef struct vnode_node_statistics {
  int node;        ///< its rank in the team
  uint64_t calls;  ///< calls that it has completed
  uint64_t bytes;  ///< the sum of their bytes
  double seconds;  ///< the sum of their times
  double waiting;  ///< the part of it in which the node waited
} vnode_node_statistics;

/// Returns what the calls of a team have been until now. Without vnode_team_options::statistics or
/// VNODE_STATS there are no rows. Any thread may call it at any time, and nodes in a run are not held up.
int vnode_team_statistics(const vnode_team* team, vnode_statistics** statistics);
/// Returns the number of rows, or an error code.
int vnode_statistics_rows(const vnode_statistics* statistics);
/// Writes a row.
int vnode_statistics_row(const vnode_statistics* statistics, int row, vnode_call_statistics* calls);
/// Writes what one of the nodes of a row, by rank, has counted.
int vnode_statistics_node(const vnode_statistics* statistics, int row, int index,
                          vnode_node_statistics* node);
/// Returns a table for people, for vnode_text_free().
int vnode_statistics_text(const vnode_statistics* statistics, char** text);
/// Returns one line of JSON, which `vnode stats` reads; for vnode_text_free().
int vnode_statistics_json(const vnode_statistics* statistics, char** json);
/// Ends statistics.
int vnode_statistics_free(vnode_statistics** statistics);

/// Says where the nodes of a team are at a moment.
typedef struct vnode_roll_call vnode_roll_call;

/// Says where a node is.
typedef enum vnode_whereabouts {
  VNODE_ABSENT = 0,     ///< no thread is the node
  VNODE_JOINING = 1,    ///< a thread has joined as the node, and waits until all others have
  VNODE_COMPUTING = 2,  ///< in the run, in no call of vnode
  VNODE_CALLING = 3,    ///< in a call
  VNODE_LEFT = 4        ///< the node's part of the run is over, that of others is not
} vnode_whereabouts;

/// One node of a roll call. Texts live as long as that.
typedef struct vnode_node_state {
  size_t size;       ///< sizeof(vnode_node_state)
  int where;         ///< a vnode_whereabouts: where it is
  const char* call;  ///< the call that it is in; "" outside of calls
  const char* text;  ///< "is in call 7 (...), round 2, and waits for node 5"
  int64_t number;    ///< of a collective, among those of its group; -1 of others
  int64_t tag;       ///< of a message; -1 of others
  int round;         ///< the round that it waits in; -1: it has not waited for long, or for no round
  int awaited;       ///< the node that it waits for; -1: none, or several
} vnode_node_state;

/// Returns where every node of a team is: in which call, waiting for whom, or in none. Any thread may call it
/// at any time, and nodes are not held up.
int vnode_team_state(const vnode_team* team, vnode_roll_call** state);
/// Returns whether a run is on, or a thread has joined: 1 or 0; or an error code.
int vnode_roll_call_in_run(const vnode_roll_call* state);
/// Writes where a node is.
int vnode_roll_call_node(const vnode_roll_call* state, int rank, vnode_node_state* node);
/// Returns a line on the team, and one for each node if a run is on; for vnode_text_free().
int vnode_roll_call_text(const vnode_roll_call* state, char** text);
/// Returns one line of JSON, for vnode_text_free().
int vnode_roll_call_json(const vnode_roll_call* state, char** json);
/// Ends a roll call.
int vnode_roll_call_free(vnode_roll_call** state);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
