#pragma once

#include <stddef.h>

#include <vnode/c/team.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Holds what a team's nodes have recorded.
typedef struct vnode_trace vnode_trace;

/// Tells what a node did for a while in a call.
typedef enum vnode_occupation_kind {
  VNODE_OCCUPATION_WAIT = 0,
  VNODE_OCCUPATION_COPY = 1,
  VNODE_OCCUPATION_COMBINE = 2,
  VNODE_OCCUPATION_SEND = 3
} vnode_occupation_kind;

/// Times are seconds since the first node began with the call; rounds are counted from 0; ranks are those of
/// the group.
typedef struct vnode_occupation {
  int node;      ///< whose it is
  int kind;      ///< a vnode_occupation_kind
  int round;     ///< of the call
  double begin;  ///< when it began
  double end;    ///< when it ended
} vnode_occupation;

/// A message of a call.
typedef struct vnode_timed_message {
  int round;         ///< of the call
  int from;          ///< its sender
  int to;            ///< its receiver
  size_t bytes;      ///< its length
  double start;      ///< when its sender began with it
  double departure;  ///< when its first byte left
  double end;        ///< when its receiver had the last byte
} vnode_timed_message;

/// A collective call as it was executed. What it points to lives as long as the trace.
typedef struct vnode_traced_call {
  size_t size;                          ///< sizeof(vnode_traced_call)
  int group;                            ///< 0: all nodes of the team; otherwise the group's number
  unsigned number;                      ///< the call's number in its group
  int nodes;                            ///< the group's
  int complete;                         ///< whether every node had room for its records
  double seconds;                       ///< from the first start to the last end
  const char* title;                    ///< for people: collective, algorithm, length
  const char* algorithm;                ///< the algorithm's or own schedule's name
  const vnode_timed_message* messages;  ///< by start
  size_t messages_count;                ///< how many those are
  const vnode_occupation* occupations;  ///< by node, then by begin
  size_t occupations_count;             ///< how many those are
} vnode_traced_call;

/// Makes every node record, from the next run on, up to `events` events of what it does in collective calls;
/// 0 ends recording. Earlier records are lost. Between runs only.
int vnode_team_trace(vnode_team* team, size_t events);
/// Returns the calls recorded since the last time. Between runs only.
int vnode_team_take_trace(vnode_team* team, vnode_trace** trace);
/// Writes the number of calls, and of events that nodes had no room for. Either may be NULL.
int vnode_trace_counts(const vnode_trace* trace, size_t* calls, size_t* dropped);
/// Writes call `index`, by their beginning.
int vnode_trace_call(const vnode_trace* trace, size_t index, vnode_traced_call* call);
/// Ends a trace.
int vnode_trace_free(vnode_trace** trace);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
