#pragma once

#include <stddef.h>

#include <vnode/c/element.h>
#include <vnode/c/group.h>
#include <vnode/c/request.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// The source of a receive or probe that takes messages from all nodes of the group.
enum { VNODE_ANY_SOURCE = -2147483647 - 1 };
/// The tag of a receive or probe that takes messages with all tags.
enum { VNODE_ANY_TAG = -2147483647 - 1 };

/// Sends `count` elements to a node of the group and returns when they may be reused. Messages of one tag (0
/// or more) between two nodes arrive in the order sent. Sending to VNODE_NO_RANK does nothing.
int vnode_send(vnode_group* group, const void* data, size_t count, vnode_type type, int to, int tag);
/// Receives up to `count` elements; a message that is longer is VNODE_ERROR_MISMATCH. `from` may be
/// VNODE_ANY_SOURCE or VNODE_NO_RANK, `tag` VNODE_ANY_TAG; `received` says what came, and may be NULL. It is
/// matched in MPI's order: docs/library.md.
int vnode_recv(vnode_group* group, void* data, size_t count, vnode_type type, int from, int tag,
               vnode_received* received);
/// Sends and receives at the same time, so that no exchange can deadlock. The data must not overlap.
int vnode_sendrecv(vnode_group* group, const void* out, size_t out_count, int to, void* in, size_t in_count,
                   int from, vnode_type type, int tag, vnode_received* received);
/// Sends and receives as vnode_sendrecv does, with a tag for each of the two messages.
int vnode_sendrecv_tags(vnode_group* group, const void* out, size_t out_count, int to, int out_tag, void* in,
                        size_t in_count, int from, int in_tag, vnode_type type, vnode_received* received);
/// Sends `data` and receives up to `count` elements into it: what arrives replaces what was sent.
int vnode_sendrecv_replace(vnode_group* group, void* data, size_t count, vnode_type type, int to, int out_tag,
                           int from, int in_tag, vnode_received* received);
/// Starts a send and returns at once; the data may be reused when the request is complete.
int vnode_isend(vnode_group* group, const void* data, size_t count, vnode_type type, int to, int tag,
                vnode_request** request);
/// Starts a receive and returns at once; vnode_request_wait() tells what has come.
int vnode_irecv(vnode_group* group, void* data, size_t count, vnode_type type, int from, int tag,
                vnode_request** request);
/// Sends, and returns when the data may be reused and the receiver has begun to receive.
int vnode_ssend(vnode_group* group, const void* data, size_t count, vnode_type type, int to, int tag);
/// Starts a vnode_ssend() and returns at once.
int vnode_issend(vnode_group* group, const void* data, size_t count, vnode_type type, int to, int tag,
                 vnode_request** request);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
