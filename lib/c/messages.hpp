#pragma once

#include <cstddef>

#include <vnode/c/exchange.h>
#include <vnode/call.hpp>
#include <vnode/element.hpp>

#include "c/untyped.hpp"

namespace vnode {

/// The elements of a message, and their type.
struct Elements {
  const ElementType& type;
  Buffer buffer;
};
/// Returns elements that follow each other. Throws if there are none, or more than memory holds; `which`
/// names them as vnode.h does.
Elements in_range(const void* data, std::size_t count, vnode_type type, const char* which = "data");
/// Returns elements that a piece describes, all that its layout picks; throws likewise.
Elements in_piece(const vnode_piece* piece, vnode_type type, const char* which = "the piece");

/// Returns the call that sends a message.
inline MessageArguments sending(MessageArguments::Operation operation, const Elements& sent, int to,
                                int tag) {
  return {.operation = operation, .type = &sent.type, .sent = sent.buffer, .to = to, .sent_tag = tag};
}
/// Returns the call that receives one.
inline MessageArguments receiving(const Elements& received, int from, int tag) {
  return {.operation = MessageArguments::Operation::recv,
          .type = &received.type,
          .received = received.buffer,
          .from = from,
          .received_tag = tag};
}
/// Adds to a call that sends a message one that it receives at the same time, of the same type.
inline MessageArguments and_receiving(MessageArguments call, const Elements& received, int from, int tag) {
  call.received = received.buffer;
  call.from = from;
  call.received_tag = tag;
  return call;
}

/// Makes a call that receives, and writes what has come.
void receive(vnode_group* group, const MessageArguments& call, vnode_received* received);

}  // namespace vnode
