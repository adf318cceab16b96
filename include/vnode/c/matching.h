#pragma once

#include <stddef.h>

#include <vnode/c/element.h>
#include <vnode/c/group.h>
#include <vnode/c/request.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// \file
/// Messages that are looked at before they are received. A probe finds what vnode_recv() with the same source
/// and tag would get, so VNODE_ANY_SOURCE and VNODE_ANY_TAG are taken. It counts the message's elements as
/// being of `type`; with VNODE_BYTE, its bytes. `received` may be NULL.

/// A message that a node has matched, and nobody else can receive any more. The node receives it once, within
/// the same run.
typedef struct vnode_matched_message vnode_matched_message;

/// Returns when there is such a message, and what it is. The message stays.
int vnode_probe(vnode_group* group, int from, int tag, vnode_type type, vnode_received* received);
/// Returns at once, and writes whether there is such a message.
int vnode_iprobe(vnode_group* group, int from, int tag, vnode_type type, int* found,
                 vnode_received* received);
/// Returns when there is such a message, and takes it out.
int vnode_mprobe(vnode_group* group, int from, int tag, vnode_type type, vnode_matched_message** message,
                 vnode_received* received);
/// Returns at once, with such a message or, if there is none yet, NULL.
int vnode_improbe(vnode_group* group, int from, int tag, vnode_type type, vnode_matched_message** message,
                  vnode_received* received);

/// Receives the message, ends it and sets it to NULL. One that is longer than `count` elements or of another
/// type is VNODE_ERROR_MISMATCH, and ends too; where the run has ended it is VNODE_ERROR_USAGE, and it ends
/// as well. Other arguments that make no sense leave it as it is.
int vnode_matched_message_recv(vnode_matched_message** message, void* data, size_t count, vnode_type type,
                               vnode_received* received);
/// Starts receiving it and returns at once.
int vnode_matched_message_irecv(vnode_matched_message** message, void* data, size_t count, vnode_type type,
                                vnode_request** request);
/// Ends a message. One that could still be received ends the run by VNODE_ERROR_USAGE, which is returned:
/// nobody knows where to receive it to. After a failure, or vnode_abort(), it can be received no more.
int vnode_matched_message_free(vnode_matched_message** message);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
