#pragma once

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Looks whether a thread is to wait on. Returns 0, or a positive code, by which the wait ends.
typedef int (*vnode_look)(void* user);

/// Names what a thread does while it waits, until vnode_while_waiting_end(): interpreters look for signals,
/// programs whether they are to stop. Of several in a thread the newest holds; while it looks, the one before
/// it.
typedef struct vnode_while_waiting vnode_while_waiting;

/// From now on the calling thread, whenever it has to wait for longer, calls look(user) about every 50 ms: in
/// a call of one of its nodes, in vnode_team_run() for nodes that have threads of their own, or in
/// vnode_team_join(). By a code other than 0 the wait fails, and with it the run: the others leave their
/// calls by VNODE_ERROR_ABORTED, and vnode_team_run() returns that code when all nodes have left it. `look`
/// does not use the team whose call waits.
int vnode_while_waiting_begin(vnode_while_waiting** waiting, vnode_look look, void* user);
/// Ends what a thread does while it waits; what it did before the begin holds again. The same thread calls
/// it.
int vnode_while_waiting_end(vnode_while_waiting** waiting);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
