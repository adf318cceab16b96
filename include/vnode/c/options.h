#pragma once

#include <stddef.h>

#include <vnode/c/layout.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// A schedule of the program's own that calls run instead of an algorithm. It is written transfer by
/// transfer, and fixed once a call has used it; then any thread may use it.
typedef struct vnode_schedule vnode_schedule;

/// Says how the receiver applies a transfer to its blocks.
typedef enum vnode_effect {
  VNODE_REPLACE = 0,         ///< own = incoming
  VNODE_COMBINE_BEFORE = 1,  ///< own = incoming op own
  VNODE_COMBINE_AFTER = 2    ///< own = own op incoming
} vnode_effect;

/// The blocks first .. last - 1.
typedef struct vnode_interval {
  int first;  ///< the first block
  int last;   ///< one more than the last block
} vnode_interval;

/// Moves blocks of one node into as many blocks of another.
typedef struct vnode_transfer {
  int round;                   ///< counted from 0
  int from;                    ///< the sender
  int to;                      ///< the receiver
  int effect;                  ///< a vnode_effect: how it applies to the receiver's blocks
  const vnode_interval* what;  ///< the sender's blocks
  size_t what_count;           ///< how many intervals that are; 0: a signal
  const vnode_interval* into;  ///< the receiver's blocks; NULL: those with the same numbers
  size_t into_count;           ///< how many intervals that are
} vnode_transfer;

/// Makes an empty schedule. `name` stands for an algorithm's in messages and is copied.
int vnode_schedule_create(vnode_schedule** schedule, const char* name, int nodes, int blocks);
/// Appends a transfer to its round, which is the last one or the next.
int vnode_schedule_add(vnode_schedule* schedule, const vnode_transfer* transfer);
/// Return the number of nodes, of blocks, of rounds, of transfers in a round; or an error code.
int vnode_schedule_nodes(const vnode_schedule* schedule);
int vnode_schedule_blocks(const vnode_schedule* schedule);
int vnode_schedule_rounds(const vnode_schedule* schedule);
int vnode_schedule_transfers(const vnode_schedule* schedule, int round);
/// Writes transfer `index` of a round. Its intervals are valid until the schedule is changed or ends.
int vnode_schedule_transfer(const vnode_schedule* schedule, int round, int index, vnode_transfer* transfer);
/// Ends a schedule. Calls in flight and planned ones keep what they need.
int vnode_schedule_free(vnode_schedule** schedule);

/// Says which ranks are near each other, for hierarchical algorithms. It is immutable; any thread may use it.
typedef struct vnode_hierarchy vnode_hierarchy;

/// Reads a text for so many nodes: "4x8", "2x4x8", "0-3,4+6,5+7", then ",inner=NAME", ",outer=NAME",
/// ",form=leaders|slices" as needed.
int vnode_hierarchy_create(vnode_hierarchy** hierarchy, const char* text, int nodes);
/// Returns the text that vnode_hierarchy_create() reads; vnode_text_free() frees it.
int vnode_hierarchy_text(const vnode_hierarchy* hierarchy, char** text);
/// Returns the number of levels, or an error code.
int vnode_hierarchy_levels(const vnode_hierarchy* hierarchy);
/// Returns the number of levels at which two ranks are in different domains, or an error code.
int vnode_hierarchy_apart(const vnode_hierarchy* hierarchy, int one, int other);
/// Ends a hierarchy. Calls in flight and planned ones keep what they need.
int vnode_hierarchy_free(vnode_hierarchy** hierarchy);

/// Holds what a call may ask for beyond its arguments. All nodes pass equal options; NULL stands for the
/// usual ones.
typedef struct vnode_call_options {
  size_t size;            ///< sizeof(vnode_call_options)
  const char* algorithm;  ///< the name of an algorithm of this collective, "broadcast_binomial", or
                          ///< "binomial"; NULL: the cheapest
  int segments;           ///< the pieces that a pipelined algorithm cuts a message into; 0: vnode chooses
  int radix;              ///< of k-nomial trees; 0: 2
  int deterministic;  ///< whether it combines by one expression whatever the algorithm, topology, mapping and
                      ///< size
  const vnode_schedule* schedule;    ///< to run instead of an algorithm; it is verified before its first use
  const vnode_hierarchy* hierarchy;  ///< the domains of hierarchical algorithms; NULL: the machine's
  /// Which elements of `in` the call takes, in its order; NULL: one after the other. Counts are of picked
  /// elements. A node's own affair. With one for each and `in == out` in place is meant if the two are the
  /// same.
  const vnode_layout* in_layout;
  const vnode_layout* out_layout;  ///< the same of `out`
} vnode_call_options;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
