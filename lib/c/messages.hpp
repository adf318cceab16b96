#pragma once

#include <cstddef>

#include <vnode/c/element.h>
#include <vnode/call.hpp>
#include <vnode/element.hpp>

namespace vnode {

/// Returns the type of a message's elements. Throws if there is no data, or more than memory can hold;
/// `which` names them as vnode.h does.
const ElementType& message_type(const void* data, std::size_t count, vnode_type type,
                                const char* which = "data");

/// Returns the call that sends a message.
inline MessageArguments sending(MessageArguments::Operation operation, const Buffer& sent,
                                const ElementType& type, int to, int tag) {
  return {.operation = operation, .type = &type, .sent = sent, .to = to, .sent_tag = tag};
}
/// Returns the call that receives one.
inline MessageArguments receiving(const Buffer& received, const ElementType& type, int from, int tag) {
  return {.operation = MessageArguments::Operation::recv,
          .type = &type,
          .received = received,
          .from = from,
          .received_tag = tag};
}
/// Adds to a call that sends a message one that it receives at the same time.
inline MessageArguments and_receiving(MessageArguments call, const Buffer& received, int from, int tag) {
  call.received = received;
  call.from = from;
  call.received_tag = tag;
  return call;
}

}  // namespace vnode
