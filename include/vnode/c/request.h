#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// A call in flight. Its data live until it is complete. Only the node's own thread uses it. NULL stands for
/// a call that is complete.
typedef struct vnode_request vnode_request;

/// A collective call that is planned once and started many times, with the same data.
typedef struct vnode_persistent vnode_persistent;

/// Tells what is known of a message that has been received, or found by a probe.
typedef struct vnode_received {
  size_t count;  ///< its number of elements; 0 where there is no message
  int from;      ///< the sender's rank in the group; VNODE_NO_RANK where there is no message
  int tag;       ///< the tag that the sender gave it; VNODE_ANY_TAG where there is no message
} vnode_received;

/// Returns when the call is complete, ends the request and sets it to NULL. `received` may be NULL. A call
/// that fails is lost, and its request ended too; only VNODE_ERROR_USAGE, where the request is another
/// thread's, leaves it as it is.
int vnode_request_wait(vnode_request** request, vnode_received* received);
/// Lets all calls of this node progress; writes whether this one is complete, and then does what
/// vnode_request_wait() does.
int vnode_request_test(vnode_request** request, int* complete, vnode_received* received);
/// Cancels a receive that no message has been matched with, ends the request and sets it to NULL: it has
/// received nothing, and later receives get what it would have got. Writes whether it was cancelled; if not,
/// the request stays, and will be complete as ever. Of calls other than vnode_irecv() it is
/// VNODE_ERROR_USAGE: what is sent or called together cannot be taken back.
int vnode_request_cancel(vnode_request** request, int* cancelled);
/// Ends a request that is not wanted any more: waits for its call if it is in flight. After vnode_abort() it
/// never waits.
int vnode_request_free(vnode_request** request);

// Of many requests those that are complete. A request that is told of ends and is set to NULL, as by
// vnode_request_wait(); NULL is passed over. Where a function fails, those that it has not told of stay, for
// vnode_request_free(). No request is listed twice.

/// Returns when all are complete: vnode_request_wait() for each, until one fails.
int vnode_request_wait_all(vnode_request** requests, size_t count);
/// Lets all calls of this node progress; writes whether all are complete. Those that are end.
int vnode_request_test_all(vnode_request** requests, size_t count, int* complete);
/// Returns when one is complete, and writes which; `count` if all are NULL. `received` may be NULL.
int vnode_request_wait_any(vnode_request** requests, size_t count, size_t* index, vnode_received* received);
/// Lets all calls of this node progress; writes which is complete, `count` if none is.
int vnode_request_test_any(vnode_request** requests, size_t count, size_t* index, vnode_received* received);
/// Returns when at least one is complete. Writes how many are, 0 if all are NULL, which, and what each has
/// received: lists with room for `count`, of which `received_list` may be NULL.
int vnode_request_wait_some(vnode_request** requests, size_t count, size_t* indices, size_t* complete,
                            vnode_received* received_list);
/// Lets all calls of this node progress; writes what vnode_request_wait_some() does.
int vnode_request_test_some(vnode_request** requests, size_t count, size_t* indices, size_t* complete,
                            vnode_received* received_list);

/// Starts a planned call; all nodes start their calls in the same order. One that is started again before it
/// has been waited for is VNODE_ERROR_USAGE and ends the run.
int vnode_persistent_start(vnode_persistent* persistent);
/// Returns when the call is complete; at once if none has been started.
int vnode_persistent_wait(vnode_persistent* persistent);
/// Lets all calls of this node progress; writes whether this one is not in flight.
int vnode_persistent_test(vnode_persistent* persistent, int* complete);
/// Ends a planned call: waits for it if it is in flight.
int vnode_persistent_free(vnode_persistent** persistent);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
