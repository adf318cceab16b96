#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>

#include <vnode/data.hpp>
#include <vnode/element.hpp>
#include <vnode/layouts.hpp>
#include <vnode/message.hpp>
#include <vnode/message_info.hpp>
#include <vnode/rank.hpp>
#include <vnode/request.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Messages between two nodes beyond send and recv: receives that tell where a message came from, probes,
/// synchronous sends.
///
/// A receive or probe takes any_source for the sender and any_tag for the tag, one of them or both; then it
/// matches in MPI's order: of the messages of one sender in a group the one sent first, of the receives that
/// match a message the one started first. A probe sees what a receive would get. No source starves: one that
/// has a message waiting is chosen after a bounded number of others.
template <class Derived>
class MessageOperations {
 public:
  /// Receives into `data` and says what came: its source, tag and length. Returns the number of elements.
  template <class Data>
  requires(!Value<Data>) std::size_t recv(Data&& data, Rank from, int tag, MessageInfo& info) {
    const auto room = elements_of<Use::written, Data>(data);
    if constexpr (is_laid<std::remove_cvref_t<Data>>)
      info = self().receive_laid(room, type_of(room), from, tag);
    else
      info = self().receive_message(room.data(), room.size(), type_of(room), from, tag);
    return info.bytes / type_of(room).bytes;
  }
  /// Receives and returns one element, and says where it came from. Throws Mismatch if the message has any
  /// other number.
  template <Value T>
  [[nodiscard("what is received is returned")]] T recv(Rank from, int tag, MessageInfo& info) {
    T value{};
    info = self().receive_one_message(&value, element_type<T>, from, tag);
    return value;
  }

  /// Sends, and returns when `data` may be reused and the receiver has begun to receive.
  template <class Data>
  void ssend(Data&& data, Rank to, int tag = 0) {
    const auto sent = elements_of<Use::read, Data>(data);
    if constexpr (is_laid<std::remove_cvref_t<Data>>)
      self().send_laid_synchronously(sent, type_of(sent), to, tag);
    else
      self().send_synchronously(sent.data(), sent.size(), type_of(sent), to, tag);
  }
  /// Starts an ssend and returns at once.
  template <class Data>
  Request issend(Data&& data, Rank to, int tag = 0) {
    const auto sent = elements_of<Use::read_later, Data>(data);
    if constexpr (is_laid<std::remove_cvref_t<Data>>)
      return self().start_sending_laid_synchronously(sent, type_of(sent), to, tag);
    else
      return self().start_sending_synchronously(sent.data(), sent.size(), type_of(sent), to, tag);
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

  /// Sends and receives at the same time, with a tag each. The ranges or variables must not overlap. Returns
  /// what has been received.
  template <class Out, class In>
  MessageInfo sendrecv(Out&& out, Rank to, int out_tag, In&& in, Rank from, int in_tag) {
    const auto sent = elements_of<Use::read, Out>(out);
    const auto room = elements_of<Use::written, In>(in);
    using T = typename decltype(sent)::value_type;
    using U = typename decltype(room)::value_type;
    static_assert(std::is_same_v<T, U> || std::is_same_v<T, Refused> || std::is_same_v<U, Refused>,
                  "vnode: in and out hold elements of one type");
    if constexpr (is_laid<std::remove_cvref_t<Out>> || is_laid<std::remove_cvref_t<In>>)
      return self().exchange_laid(sent, to, out_tag, room, from, in_tag, type_of(sent));
    else
      return self().exchange_messages(sent.data(), sent.size(), to, out_tag, room.data(), room.size(), from,
                                      in_tag, type_of(sent));
  }
  /// Sends `data` and receives into it: what arrives replaces what was sent. Returns what has been received.
  template <class Data>
  MessageInfo sendrecv_replace(Data&& data, Rank to, Rank from, int tag = 0) {
    return sendrecv_replace(data, to, tag, from, tag);
  }
  /// Does the same with a tag for each of the two messages.
  template <class Data>
  MessageInfo sendrecv_replace(Data&& data, Rank to, int out_tag, Rank from, int in_tag) {
    const auto both = elements_of<Use::written, Data>(data);
    if constexpr (is_laid<std::remove_cvref_t<Data>>)
      return self().exchange_laid(both, to, out_tag, both, from, in_tag, type_of(both));
    else
      return self().replace_elements(both.data(), both.size(), type_of(both), to, out_tag, from, in_tag);
  }

 private:
  template <class T>
  static constexpr const ElementType& type_of(std::span<T>) {
    return element_type<std::remove_const_t<T>>;
  }
  template <class T>
  static constexpr const ElementType& type_of(const Laid<T>&) {
    return element_type<std::remove_const_t<T>>;
  }
  Derived& self() { return static_cast<Derived&>(*this); }
};

}  // namespace vnode
#pragma GCC visibility pop
