#include "c/messages.hpp"

#include <fmt/format.h>
#include <limits>

#include <vnode/c/messages.h>

#include "base/counted.hpp"
#include "c/element.hpp"
#include "c/group.hpp"
#include "c/request.hpp"
#include "c/untyped.hpp"

namespace vnode {

const ElementType& message_type(const void* data, std::size_t count, vnode_type type, const char* which) {
  const ElementType& element = element_of(type);
  if (data == nullptr && count > 0)
    throw WrongArgument(fmt::format("{} is NULL and has {}", which, counted(count, "element")));
  constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max();
  if (count > most / element.bytes)
    throw WrongArgument(fmt::format("{} elements are more than memory holds", count));
  return element;
}

namespace {

using Operation = MessageArguments::Operation;

Buffer range(const void* data, std::size_t count) { return {const_cast<void*>(data), nullptr, 0, count}; }

void send(vnode_group* group, Operation operation, const void* data, std::size_t count, vnode_type type,
          int to, int tag) {
  Group& own = group_of(group);
  Untyped::call(own, sending(operation, range(data, count), message_type(data, count, type), to, tag));
}

void start(vnode_group* group, Operation operation, const void* data, std::size_t count, vnode_type type,
           int peer, int tag, vnode_request** request) {
  needed(request, "the address of the handle") = nullptr;
  Group& own = group_of(group);
  const ElementType& element = message_type(data, count, type);
  const Buffer buffer = range(data, count);
  put_handle(request, Untyped::start(own, operation == Operation::recv
                                              ? receiving(buffer, element, peer, tag)
                                              : sending(operation, buffer, element, peer, tag)));
}

/// The two messages of a call have one type.
void send_and_receive(Group& own, Operation operation, const Buffer& sent, int to, int out_tag,
                      const Buffer& received, int from, int in_tag, const ElementType& type,
                      vnode_received* told) {
  tell(told,
       Untyped::call(own, and_receiving(sending(operation, sent, type, to, out_tag), received, from, in_tag)),
       type);
}

void exchange(vnode_group* group, const void* out, std::size_t out_count, int to, int out_tag, void* in,
              std::size_t in_count, int from, int in_tag, vnode_type type, vnode_received* received) {
  Group& own = group_of(group);
  message_type(out, out_count, type, "out");
  send_and_receive(own, Operation::sendrecv, range(out, out_count), to, out_tag, range(in, in_count), from,
                   in_tag, message_type(in, in_count, type, "in"), received);
}

}  // namespace
}  // namespace vnode

using namespace vnode;

int vnode_send(vnode_group* group, const void* data, size_t count, vnode_type type, int to, int tag) {
  return entry([&] { send(group, Operation::send, data, count, type, to, tag); });
}

int vnode_ssend(vnode_group* group, const void* data, size_t count, vnode_type type, int to, int tag) {
  return entry([&] { send(group, Operation::ssend, data, count, type, to, tag); });
}

int vnode_recv(vnode_group* group, void* data, size_t count, vnode_type type, int from, int tag,
               vnode_received* received) {
  return entry([&] {
    Group& own = group_of(group);
    const ElementType& element = message_type(data, count, type);
    tell(received, Untyped::call(own, receiving(range(data, count), element, from, tag)), element);
  });
}

int vnode_sendrecv(vnode_group* group, const void* out, size_t out_count, int to, void* in, size_t in_count,
                   int from, vnode_type type, int tag, vnode_received* received) {
  return entry([&] { exchange(group, out, out_count, to, tag, in, in_count, from, tag, type, received); });
}

int vnode_sendrecv_tags(vnode_group* group, const void* out, size_t out_count, int to, int out_tag, void* in,
                        size_t in_count, int from, int in_tag, vnode_type type, vnode_received* received) {
  return entry(
      [&] { exchange(group, out, out_count, to, out_tag, in, in_count, from, in_tag, type, received); });
}

int vnode_sendrecv_replace(vnode_group* group, void* data, size_t count, vnode_type type, int to, int out_tag,
                           int from, int in_tag, vnode_received* received) {
  return entry([&] {
    Group& own = group_of(group);
    const Buffer both = range(data, count);
    send_and_receive(own, Operation::sendrecv_replace, both, to, out_tag, both, from, in_tag,
                     message_type(data, count, type), received);
  });
}

int vnode_isend(vnode_group* group, const void* data, size_t count, vnode_type type, int to, int tag,
                vnode_request** request) {
  return entry([&] { start(group, Operation::send, data, count, type, to, tag, request); });
}

int vnode_issend(vnode_group* group, const void* data, size_t count, vnode_type type, int to, int tag,
                 vnode_request** request) {
  return entry([&] { start(group, Operation::ssend, data, count, type, to, tag, request); });
}

int vnode_irecv(vnode_group* group, void* data, size_t count, vnode_type type, int from, int tag,
                vnode_request** request) {
  return entry([&] { start(group, Operation::recv, data, count, type, from, tag, request); });
}
