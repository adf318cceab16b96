#include "c/messages.hpp"

#include <fmt/format.h>

#include <vnode/c/messages.h>

#include "c/data.hpp"
#include "c/element.hpp"
#include "c/group.hpp"
#include "c/request.hpp"

namespace vnode {

Elements in_range(const void* data, std::size_t count, vnode_type type, const char* which) {
  const ElementType& element = element_of(type);
  check_data(which, data, count, element);
  return {element, {.data = const_cast<void*>(data), .count = count}};
}

Elements in_piece(const vnode_piece* piece, vnode_type type, const char* which) {
  const ElementType& element = element_of(type);
  const Buffer buffer = piece_from(needed(piece, "the piece"), element, which);
  if (buffer.layout != nullptr && buffer.count != buffer.layout->count())
    throw WrongArgument(
        fmt::format("the layout of {} picks {} elements, and {} are wanted: a message has all of them", which,
                    buffer.layout->count(), buffer.count));
  return {element, buffer};
}

void receive(vnode_group* group, const MessageArguments& call, vnode_received* received) {
  tell(received, Untyped::call(group_of(group), call), *call.type);
}

}  // namespace vnode

using namespace vnode;
using Operation = MessageArguments::Operation;

int vnode_send(vnode_group* group, const void* data, size_t count, vnode_type type, int to, int tag) {
  return entry([&] {
    Untyped::call(group_of(group), sending(Operation::send, in_range(data, count, type), to, tag));
  });
}

int vnode_ssend(vnode_group* group, const void* data, size_t count, vnode_type type, int to, int tag) {
  return entry([&] {
    Untyped::call(group_of(group), sending(Operation::ssend, in_range(data, count, type), to, tag));
  });
}

int vnode_recv(vnode_group* group, void* data, size_t count, vnode_type type, int from, int tag,
               vnode_received* received) {
  return entry([&] { receive(group, receiving(in_range(data, count, type), from, tag), received); });
}

int vnode_sendrecv(vnode_group* group, const void* out, size_t out_count, int to, void* in, size_t in_count,
                   int from, vnode_type type, int tag, vnode_received* received) {
  return entry([&] {
    const auto sent = sending(Operation::sendrecv, in_range(out, out_count, type, "out"), to, tag);
    receive(group, and_receiving(sent, in_range(in, in_count, type, "in"), from, tag), received);
  });
}

int vnode_sendrecv_tags(vnode_group* group, const void* out, size_t out_count, int to, int out_tag, void* in,
                        size_t in_count, int from, int in_tag, vnode_type type, vnode_received* received) {
  return entry([&] {
    const auto sent = sending(Operation::sendrecv, in_range(out, out_count, type, "out"), to, out_tag);
    receive(group, and_receiving(sent, in_range(in, in_count, type, "in"), from, in_tag), received);
  });
}

int vnode_sendrecv_replace(vnode_group* group, void* data, size_t count, vnode_type type, int to, int out_tag,
                           int from, int in_tag, vnode_received* received) {
  return entry([&] {
    const Elements both = in_range(data, count, type);
    const auto sent = sending(Operation::sendrecv_replace, both, to, out_tag);
    receive(group, and_receiving(sent, both, from, in_tag), received);
  });
}

int vnode_isend(vnode_group* group, const void* data, size_t count, vnode_type type, int to, int tag,
                vnode_request** request) {
  return entry([&] {
    make_handle(request, [&] {
      return Untyped::start(group_of(group), sending(Operation::send, in_range(data, count, type), to, tag));
    });
  });
}

int vnode_issend(vnode_group* group, const void* data, size_t count, vnode_type type, int to, int tag,
                 vnode_request** request) {
  return entry([&] {
    make_handle(request, [&] {
      return Untyped::start(group_of(group), sending(Operation::ssend, in_range(data, count, type), to, tag));
    });
  });
}

int vnode_irecv(vnode_group* group, void* data, size_t count, vnode_type type, int from, int tag,
                vnode_request** request) {
  return entry([&] {
    make_handle(request, [&] {
      return Untyped::start(group_of(group), receiving(in_range(data, count, type), from, tag));
    });
  });
}
