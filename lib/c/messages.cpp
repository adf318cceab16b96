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

}  // namespace vnode

using namespace vnode;

int vnode_send(vnode_group* group, const void* data, size_t count, vnode_type type, int to, int tag) {
  return entry([&] {
    Group& own = group_of(group);
    Untyped::send(own, data, count, message_type(data, count, type), to, tag);
  });
}

int vnode_recv(vnode_group* group, void* data, size_t count, vnode_type type, int from, int tag,
               vnode_received* received) {
  return entry([&] {
    Group& own = group_of(group);
    const ElementType& element = message_type(data, count, type);
    tell(received, Untyped::receive(own, data, count, element, from, tag), element);
  });
}

int vnode_sendrecv(vnode_group* group, const void* out, size_t out_count, int to, void* in, size_t in_count,
                   int from, vnode_type type, int tag, vnode_received* received) {
  return entry([&] {
    Group& own = group_of(group);
    message_type(out, out_count, type, "out");
    const ElementType& element = message_type(in, in_count, type, "in");
    tell(received, Untyped::exchange(own, out, out_count, to, tag, in, in_count, from, tag, element),
         element);
  });
}

int vnode_sendrecv_tags(vnode_group* group, const void* out, size_t out_count, int to, int out_tag, void* in,
                        size_t in_count, int from, int in_tag, vnode_type type, vnode_received* received) {
  return entry([&] {
    Group& own = group_of(group);
    message_type(out, out_count, type, "out");
    const ElementType& element = message_type(in, in_count, type, "in");
    tell(received, Untyped::exchange(own, out, out_count, to, out_tag, in, in_count, from, in_tag, element),
         element);
  });
}

int vnode_sendrecv_replace(vnode_group* group, void* data, size_t count, vnode_type type, int to, int out_tag,
                           int from, int in_tag, vnode_received* received) {
  return entry([&] {
    Group& own = group_of(group);
    const ElementType& element = message_type(data, count, type);
    tell(received, Untyped::replace(own, data, count, element, to, out_tag, from, in_tag), element);
  });
}

int vnode_isend(vnode_group* group, const void* data, size_t count, vnode_type type, int to, int tag,
                vnode_request** request) {
  return entry([&] {
    needed(request, "the address of the handle") = nullptr;
    Group& own = group_of(group);
    put_handle(request, Untyped::start_sending(own, data, count, message_type(data, count, type), to, tag));
  });
}

int vnode_irecv(vnode_group* group, void* data, size_t count, vnode_type type, int from, int tag,
                vnode_request** request) {
  return entry([&] {
    needed(request, "the address of the handle") = nullptr;
    Group& own = group_of(group);
    put_handle(request,
               Untyped::start_receiving(own, data, count, message_type(data, count, type), from, tag));
  });
}

int vnode_ssend(vnode_group* group, const void* data, size_t count, vnode_type type, int to, int tag) {
  return entry([&] {
    Group& own = group_of(group);
    Untyped::send_synchronously(own, data, count, message_type(data, count, type), to, tag);
  });
}

int vnode_issend(vnode_group* group, const void* data, size_t count, vnode_type type, int to, int tag,
                 vnode_request** request) {
  return entry([&] {
    needed(request, "the address of the handle") = nullptr;
    Group& own = group_of(group);
    put_handle(request, Untyped::start_sending_synchronously(own, data, count,
                                                             message_type(data, count, type), to, tag));
  });
}
