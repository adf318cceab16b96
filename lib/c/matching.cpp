#include <fmt/format.h>
#include <optional>
#include <utility>

#include <vnode/c/matching.h>
#include <vnode/message.hpp>

#include "c/element.hpp"
#include "c/group.hpp"
#include "c/messages.hpp"
#include "c/request.hpp"
#include "c/untyped.hpp"
#include "engine/held_message.hpp"

/// A matched message and its handle.
struct vnode_matched_message : vnode::HandleOf<vnode::MatchedMessage, vnode::HandleKind::matched_message> {
  using HandleOf::HandleOf;
};

namespace vnode {
namespace {

template <class Match>
void match(vnode_matched_message** message, vnode_received* received, vnode_type type, Match&& found) {
  needed(message, "the address of the handle") = nullptr;
  const ElementType& element = element_of(type);
  MatchedMessage matched = found();
  tell(received, matched.info(), element);
  if (matched) put_handle(message, std::move(matched));
}

/// Has `receive` receive a message, and ends one that has been received, or that nobody can receive any more.
template <class Receive>
void receive_matched(vnode_matched_message** message, Receive&& receive) {
  vnode_matched_message*& handle = needed(message, "the address of the message");
  MatchedMessage& own = at_handle(handle).is;
  const auto end = [&] {
    const HeldMessage* const held = Untyped::held(own);
    if (held == nullptr || held->lost()) end_handle(message);
  };
  try {
    receive(own);
  } catch (...) {
    end();
    throw;
  }
  end();
}

}  // namespace
}  // namespace vnode

using namespace vnode;

int vnode_probe(vnode_group* group, int from, int tag, vnode_type type, vnode_received* received) {
  return entry([&] {
    Group& own = group_of(group);
    const ElementType& element = element_of(type);
    tell(received, own.probe(from, tag), element);
  });
}

int vnode_iprobe(vnode_group* group, int from, int tag, vnode_type type, int* found,
                 vnode_received* received) {
  return entry([&] {
    int& is_found = needed(found, "found");
    is_found = 0;
    Group& own = group_of(group);
    const ElementType& element = element_of(type);
    const std::optional<MessageInfo> info = own.iprobe(from, tag);
    tell(received, info.value_or(MessageInfo()), element);
    is_found = info.has_value() ? 1 : 0;
  });
}

int vnode_mprobe(vnode_group* group, int from, int tag, vnode_type type, vnode_matched_message** message,
                 vnode_received* received) {
  return entry([&] { match(message, received, type, [&] { return group_of(group).mprobe(from, tag); }); });
}

int vnode_improbe(vnode_group* group, int from, int tag, vnode_type type, vnode_matched_message** message,
                  vnode_received* received) {
  return entry([&] { match(message, received, type, [&] { return group_of(group).improbe(from, tag); }); });
}

int vnode_matched_message_recv(vnode_matched_message** message, void* data, size_t count, vnode_type type,
                               vnode_received* received) {
  return entry([&] {
    const Elements room = in_range(data, count, type);
    receive_matched(message, [&](MatchedMessage& own) {
      Untyped::receive(own, room.buffer, room.type);
      tell(received, own.info(), room.type);
    });
  });
}

int vnode_matched_message_irecv(vnode_matched_message** message, void* data, size_t count, vnode_type type,
                                vnode_request** request) {
  return entry([&] {
    needed(request, "the address of the handle") = nullptr;
    const Elements room = in_range(data, count, type);
    receive_matched(message, [&](MatchedMessage& own) {
      put_handle(request, Untyped::start_receiving(own, room.buffer, room.type));
    });
  });
}

int vnode_matched_message_free(vnode_matched_message** message) {
  return entry([&] {
    vnode_matched_message* const own = needed(message, "the address of the handle");
    if (own == nullptr) return;
    const MessageInfo info = at_handle(own).is.info();
    const HeldMessage* const held = Untyped::held(own->is);
    const bool is_dropped = held != nullptr && held->waits();
    if (is_dropped) held->member()->check_thread();
    end_handle(message);
    if (is_dropped)
      throw WrongArgument(fmt::format(
          "the message from node {} with tag {} has been matched and not received", info.source, info.tag));
  });
}
