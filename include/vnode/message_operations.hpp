#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include <vnode/call.hpp>
#include <vnode/data.hpp>
#include <vnode/element.hpp>
#include <vnode/layouts.hpp>
#include <vnode/message.hpp>
#include <vnode/message_info.hpp>
#include <vnode/rank.hpp>
#include <vnode/request.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Messages between two nodes of a group.
///
/// Messages of one tag (0 to 2^31-1) between two nodes arrive in the order sent. Short messages are eager, as
/// in MPI: the receiver stores those that it has not asked for yet. Sending to no_rank does nothing, and
/// receiving from it neither: nothing comes.
///
/// A receive or probe takes any_source for the sender and any_tag for the tag, one of them or both; then it
/// matches in MPI's order: of the messages of one sender in a group the one sent first, of the receives that
/// match a message the one started first. A probe sees what a receive would get. No source starves: one that
/// has a message waiting is chosen after a bounded number of others.
template <class Derived>
class MessageOperations {
  using Operation = MessageArguments::Operation;

 public:
  /// Sends `data`, a range or a value, and returns when it may be reused. Throws UsageError if `to` is this
  /// node, the message is long, and no receive of this node is in flight that takes it.
  template <class Data>
  void send(Data&& data, Rank to, int tag = 0) {
    const auto sent = elements_of<Use::read, Data>(data);
    self().perform(sending(Operation::send, sent, to, tag));
  }
  /// Sends, and returns when `data` may be reused and the receiver has begun to receive.
  template <class Data>
  void ssend(Data&& data, Rank to, int tag = 0) {
    const auto sent = elements_of<Use::read, Data>(data);
    self().perform(sending(Operation::ssend, sent, to, tag));
  }
  /// Starts a send and returns at once; `data` may be reused when the request is complete.
  template <class Data>
  Request isend(Data&& data, Rank to, int tag = 0) {
    const auto sent = elements_of<Use::read_later, Data>(data);
    return self().start(sending(Operation::send, sent, to, tag));
  }
  /// Starts an ssend and returns at once.
  template <class Data>
  Request issend(Data&& data, Rank to, int tag = 0) {
    const auto sent = elements_of<Use::read_later, Data>(data);
    return self().start(sending(Operation::ssend, sent, to, tag));
  }

  /// Receives into `data`, a range or a variable, and returns the number of elements received. Throws
  /// Mismatch if the message is longer than `data`.
  template <class Data>
  requires(!Value<Data>) std::size_t recv(Data&& data, Rank from, int tag = 0) {
    MessageInfo info;
    return recv(std::forward<Data>(data), from, tag, info);
  }
  /// Does the same and says what came: its source, tag and length.
  template <class Data>
  requires(!Value<Data>) std::size_t recv(Data&& data, Rank from, int tag, MessageInfo& info) {
    const auto room = elements_of<Use::written, Data>(data);
    info = self().perform(receiving(room, from, tag));
    return info.bytes / type_of(room).bytes;
  }
  /// Receives and returns one element: `me.recv<double>(from)`. Throws Mismatch if the message has any other
  /// number.
  template <Value T>
  [[nodiscard("what is received is returned")]] T recv(Rank from, int tag = 0) {
    MessageInfo info;
    return recv<T>(from, tag, info);
  }
  /// Does the same and says what came.
  template <Value T>
  [[nodiscard("what is received is returned")]] T recv(Rank from, int tag, MessageInfo& info) {
    T value{};
    info = self().perform(receiving(std::span(&value, 1), from, tag));
    if (info.bytes == 0) self().refuse_empty(from);
    return value;
  }
  /// Starts a receive and returns at once; the message has arrived when the request is complete, and
  /// Request::count tells its length, Request::info its source and tag.
  template <class Data>
  Request irecv(Data&& data, Rank from, int tag = 0) {
    const auto room = elements_of<Use::written_later, Data>(data);
    return self().start(receiving(room, from, tag));
  }

  /// Sends and receives at the same time, so that no exchange can deadlock. The ranges or variables must not
  /// overlap. Returns the number of elements received.
  template <class Out, class In>
  std::size_t sendrecv(Out&& out, Rank to, In&& in, Rank from, int tag = 0) {
    using T = typename decltype(elements_of<Use::written, In>(in))::value_type;
    return sendrecv(std::forward<Out>(out), to, tag, std::forward<In>(in), from, tag).bytes /
           element_type<T>.bytes;
  }
  /// Does the same with a tag each, and returns what has been received.
  template <class Out, class In>
  MessageInfo sendrecv(Out&& out, Rank to, int out_tag, In&& in, Rank from, int in_tag) {
    const auto sent = elements_of<Use::read, Out>(out);
    const auto room = elements_of<Use::written, In>(in);
    using T = typename decltype(sent)::value_type;
    using U = typename decltype(room)::value_type;
    static_assert(std::is_same_v<T, U> || std::is_same_v<T, Refused> || std::is_same_v<U, Refused>,
                  "vnode: in and out hold elements of one type");
    return self().perform(both(Operation::sendrecv, sent, to, out_tag, room, from, in_tag));
  }
  /// Sends `data` and receives into it: what arrives replaces what was sent. Returns what has been received.
  template <class Data>
  MessageInfo sendrecv_replace(Data&& data, Rank to, Rank from, int tag = 0) {
    return sendrecv_replace(std::forward<Data>(data), to, tag, from, tag);
  }
  /// Does the same with a tag for each of the two messages.
  template <class Data>
  MessageInfo sendrecv_replace(Data&& data, Rank to, int out_tag, Rank from, int in_tag) {
    const auto all = elements_of<Use::written, Data>(data);
    return self().perform(both(Operation::sendrecv_replace, all, to, out_tag, all, from, in_tag));
  }

  /// Returns when a message is there that recv(from, tag) would get, and what it is. The message stays.
  MessageInfo probe(Rank from, int tag = 0) { return *self().probe_message(from, tag, true); }
  /// Returns at once: what probe() would return, or nothing if there is no such message yet.
  std::optional<MessageInfo> iprobe(Rank from, int tag = 0) { return self().probe_message(from, tag, false); }
  /// Returns when a message is there that recv(from, tag) would get, and takes it out: the MatchedMessage
  /// receives it, and no other receive or probe finds it any more.
  MatchedMessage mprobe(Rank from, int tag = 0) { return self().match_message(from, tag, true); }
  /// Returns at once: what mprobe() would return, or a MatchedMessage without a message if there is none yet.
  MatchedMessage improbe(Rank from, int tag = 0) { return self().match_message(from, tag, false); }

 private:
  template <class Elements>
  static constexpr const ElementType& type_of(const Elements&) {
    return element_type<typename Elements::value_type>;
  }
  template <class Sent>
  static MessageArguments sending(Operation operation, const Sent& sent, Rank to, int tag) {
    return {
        .operation = operation, .type = &type_of(sent), .sent = buffer_of(sent), .to = to, .sent_tag = tag};
  }
  template <class Room>
  static MessageArguments receiving(const Room& room, Rank from, int tag) {
    return {.operation = Operation::recv,
            .type = &type_of(room),
            .received = buffer_of(room),
            .from = from,
            .received_tag = tag};
  }
  template <class Sent, class Room>
  static MessageArguments both(Operation operation, const Sent& sent, Rank to, int out_tag, const Room& room,
                               Rank from, int in_tag) {
    MessageArguments call = sending(operation, sent, to, out_tag);
    call.received = buffer_of(room);
    call.from = from;
    call.received_tag = in_tag;
    return call;
  }
  Derived& self() { return static_cast<Derived&>(*this); }
};

}  // namespace vnode
#pragma GCC visibility pop
