#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include <vnode/data.hpp>
#include <vnode/element.hpp>
#include <vnode/layouts.hpp>
#include <vnode/message_info.hpp>
#include <vnode/rank.hpp>
#include <vnode/request.hpp>

#pragma GCC visibility push(default)
namespace vnode {

class [[gnu::visibility("hidden")]] HeldMessage;
class [[gnu::visibility("hidden")]] Member;
class [[gnu::visibility("hidden")]] Untyped;

/// Represents a message that a node has matched and nobody else can receive any more: what Group::mprobe and
/// Group::improbe return. It is received once. The node that matched it receives it, within the same run;
/// destroying a message that has not been received ends the run with a UsageError.
///
///     vnode::MatchedMessage message = me.mprobe(vnode::any_source, vnode::any_tag);
///     std::vector<double> data(message.info().count<double>());
///     message.recv(data);
class [[nodiscard("a matched message has to be received")]] MatchedMessage {
 public:
  /// Makes one that holds no message.
  MatchedMessage() noexcept;
  /// Leaves `other` without a message.
  MatchedMessage(MatchedMessage && other) noexcept;
  /// Throws UsageError if a message is held that has not been received; else takes over that of `other`.
  MatchedMessage& operator=(MatchedMessage&& other);
  ~MatchedMessage();

  /// Returns whether it holds a message.
  explicit operator bool() const { return held_ != nullptr; }
  /// Returns its source, tag and length; also after it has been received.
  const MessageInfo& info() const { return info_; }

  /// Receives the message into `data`, a range or a variable, and returns the number of elements received.
  /// Throws Mismatch if the message is longer than `data` or of another type, UsageError if there is none.
  template <class Data>
  requires(!Value<Data>) std::size_t recv(Data && data) {
    const auto room = elements_of<Use::written, Data>(data);
    return receive(buffer_of(room), element_type<typename decltype(room)::value_type>);
  }
  /// Receives and returns one element. Throws Mismatch if the message has any other number.
  template <Value T>
  [[nodiscard("what is received is returned")]] T recv() {
    T value{};
    if (receive(buffer_of(std::span(&value, 1)), element_type<T>) == 0) refuse_empty();
    return value;
  }
  /// Starts receiving and returns at once.
  template <class Data>
  Request irecv(Data && data) {
    const auto room = elements_of<Use::written_later, Data>(data);
    return start_receiving(buffer_of(room), element_type<typename decltype(room)::value_type>);
  }

 private:
  friend class Member;
  friend Untyped;
  MatchedMessage(std::unique_ptr<HeldMessage> held, const MessageInfo& info) noexcept;
  std::size_t receive(const Buffer& room, const ElementType& type);
  Request start_receiving(const Buffer& room, const ElementType& type);
  [[noreturn]] void refuse_empty() const;
  std::unique_ptr<HeldMessage> take();

  std::unique_ptr<HeldMessage> held_;
  MessageInfo info_;
};

}  // namespace vnode
#pragma GCC visibility pop
