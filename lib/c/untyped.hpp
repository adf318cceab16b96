#pragma once

#include <cstddef>
#include <string_view>

#include <vnode/group.hpp>
#include <vnode/request.hpp>
#include <vnode/team.hpp>

#include "communicator/collective_activity.hpp"
#include "communicator/member.hpp"

namespace vnode {

/// The calls of a group by whoever knows the types of elements and operators at run time only.
class Untyped {
 public:
  static Member& member(const Group& group) { return group.member(); }

  /// The three forms of a call. Its arguments are Arguments, LaidArguments or ExchangeArguments.
  template <class Arguments>
  static void call(Group& group, const Arguments& arguments) {
    group.perform(arguments);
  }
  template <class Arguments>
  static Request start(Group& group, const Arguments& arguments) {
    return group.nonblocking().perform(arguments);
  }
  template <class Arguments>
  static Persistent plan(Group& group, const Arguments& arguments) {
    return group.persistent().perform(arguments);
  }

  static void send(Group& group, const void* data, std::size_t count, const ElementType& type, Rank to,
                   int tag) {
    group.send_elements(data, count, type, to, tag);
  }
  static MessageInfo receive(Group& group, void* data, std::size_t count, const ElementType& type, Rank from,
                             int tag) {
    return group.receive_message(data, count, type, from, tag);
  }
  static MessageInfo exchange(Group& group, const void* out, std::size_t out_count, Rank to, int out_tag,
                              void* in, std::size_t in_count, Rank from, int in_tag,
                              const ElementType& type) {
    if (from < 0 || out_tag != in_tag)
      return group.exchange_messages(out, out_count, to, out_tag, in, in_count, from, in_tag, type);
    return {from, in_tag,
            group.exchange_elements(out, out_count, to, in, in_count, from, type, in_tag) * type.bytes};
  }
  static MessageInfo replace(Group& group, void* data, std::size_t count, const ElementType& type, Rank to,
                             int out_tag, Rank from, int in_tag) {
    return group.replace_elements(data, count, type, to, out_tag, from, in_tag);
  }
  static Request start_sending(Group& group, const void* data, std::size_t count, const ElementType& type,
                               Rank to, int tag) {
    return group.start_sending(data, count, type, to, tag);
  }
  static Request start_receiving(Group& group, void* data, std::size_t count, const ElementType& type,
                                 Rank from, int tag) {
    return group.start_receiving(data, count, type, from, tag);
  }

  static void send_synchronously(Group& group, const void* data, std::size_t count, const ElementType& type,
                                 Rank to, int tag) {
    group.send_synchronously(data, count, type, to, tag);
  }
  static Request start_sending_synchronously(Group& group, const void* data, std::size_t count,
                                             const ElementType& type, Rank to, int tag) {
    return group.start_sending_synchronously(data, count, type, to, tag);
  }
  static std::size_t receive(MatchedMessage& message, void* data, std::size_t count,
                             const ElementType& type) {
    return message.receive(data, count, type);
  }
  static Request start_receiving(MatchedMessage& message, void* data, std::size_t count,
                                 const ElementType& type) {
    return message.start_receiving(data, count, type);
  }

  static void send(Group& group, const LaidElements& data, const ElementType& type, Rank to, int tag) {
    group.send_laid(data, type, to, tag);
  }
  static MessageInfo receive(Group& group, const LaidElements& data, const ElementType& type, Rank from,
                             int tag) {
    return group.receive_laid(data, type, from, tag);
  }
  static MessageInfo exchange(Group& group, const LaidElements& out, Rank to, const LaidElements& in,
                              Rank from, const ElementType& type, int tag) {
    return group.exchange_laid(out, to, tag, in, from, tag, type);
  }
  static Request start_sending(Group& group, const LaidElements& data, const ElementType& type, Rank to,
                               int tag) {
    return group.start_sending_laid(data, type, to, tag);
  }
  static Request start_receiving(Group& group, const LaidElements& data, const ElementType& type, Rank from,
                                 int tag) {
    return group.start_receiving_laid(data, type, from, tag);
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
    return persistent.state_ != nullptr ? persistent.state_->any().engine() : nullptr;
  }
  /// Returns what a message holds until it is received; nullptr afterwards.
  static const HeldMessage* held(const MatchedMessage& message) { return message.held_.get(); }
};

}  // namespace vnode
