#pragma once

#include <cstddef>
#include <string_view>

#include <vnode/group.hpp>
#include <vnode/request.hpp>
#include <vnode/team.hpp>

#include "call/collective_activity.hpp"
#include "call/member.hpp"

namespace vnode {

/// The calls of a group by whoever knows the types of elements and operators at run time only.
class Untyped {
 public:
  static Member& member(const Group& group) { return group.member(); }

  /// Makes the call in one of its three forms.
  static void call(Group& group, const Arguments& arguments) { group.perform(arguments); }
  static Request start(Group& group, const Arguments& arguments) {
    return group.nonblocking().perform(arguments);
  }
  static Persistent plan(Group& group, const Arguments& arguments) {
    return group.persistent().perform(arguments);
  }

  /// Messages.
  static MessageInfo call(Group& group, const MessageArguments& arguments) {
    return group.perform(arguments);
  }
  static Request start(Group& group, const MessageArguments& arguments) { return group.start(arguments); }
  static std::size_t receive(MatchedMessage& message, const Buffer& room, const ElementType& type) {
    return message.receive(room, type);
  }
  static Request start_receiving(MatchedMessage& message, const Buffer& room, const ElementType& type) {
    return message.start_receiving(room, type);
  }

  /// Ends a team before its destructor does, which cannot refuse to. Throws UsageError while a run is on, or
  /// a thread waits for one to begin; `function` is what the user has called.
  static void end(const Team& team, std::string_view function);

  static Pages port_pages(const Team& team, Rank owner, std::size_t count, std::size_t element_bytes,
                          int pieces) {
    return team.port_pages(owner, count, element_bytes, pieces);
  }

  /// The engine that drives the call; nullptr if it is complete, lost, or has not been started.
  static Engine* engine(const Request& request) {
    return request.activity_ != nullptr ? request.activity_->engine() : nullptr;
  }
  static Engine* engine(const Persistent& persistent) {
    return persistent.state_ != nullptr ? persistent.state_->activity->engine() : nullptr;
  }
  /// Returns what a message holds until it is received; nullptr afterwards.
  static const HeldMessage* held(const MatchedMessage& message) { return message.held_.get(); }
};

}  // namespace vnode
