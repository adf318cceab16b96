#pragma once

#include <stddef.h>

#include <vnode/c/group.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Returns the number of threads, the node's own among them, that may work in the node's arena
/// (vnode_team_options::arenas); or an error code.
int vnode_arena_concurrency(vnode_node* me);
/// Writes up to `room` of the PUs that the node shares with its arena, indices into the machine's, and
/// returns how many there are; or an error code.
int vnode_arena_pus(vnode_node* me, int* pus, int room);

/// Does first .. last - 1 of something. Returns 0, or a positive code.
typedef int (*vnode_part)(void* user, size_t first, size_t last);
/// Calls body(user, first, last) on the arena's threads for parts that make up begin .. end - 1, none shorter
/// than `grain` if that can be avoided, and returns when all are done. After a code other than 0, which it
/// returns, no further part begins.
int vnode_arena_parallel_for(vnode_node* me, size_t begin, size_t end, size_t grain, vnode_part body,
                             void* user);

/// Gives a thread that vnode has pinned the affinity that it had before, until vnode_unpinned_end(): threads
/// started meanwhile inherit that.
typedef struct vnode_unpinned vnode_unpinned;
int vnode_unpinned_begin(vnode_unpinned** unpinned);
/// Pins the thread again; called by the same thread.
int vnode_unpinned_end(vnode_unpinned** unpinned);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
