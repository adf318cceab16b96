#pragma once

#include <exception>
#include <memory>
#include <utility>

#include <vnode/message.hpp>
#include <vnode/rank.hpp>

#include "transport/unexpected.hpp"

namespace vnode {

class Member;
class HeldMessage;

/// Lists the messages of a node that have been matched and not been received yet. Only one thread uses it.
class HeldMessages {
 public:
  HeldMessages() = default;
  ~HeldMessages() { lose(); }
  HeldMessages(const HeldMessages&) = delete;
  HeldMessages& operator=(const HeldMessages&) = delete;

  bool empty() const { return first_ == nullptr; }
  /// Drops the messages, which nobody can receive any more since the run has ended.
  void lose();

 private:
  friend HeldMessage;
  HeldMessage* first_ = nullptr;
};

/// Holds the message of a MatchedMessage: one that has been taken out of its node's channel and store, or the
/// empty message from no_rank.
class HeldMessage {
 public:
  /// Makes the message from no_rank, which is empty.
  explicit HeldMessage(std::shared_ptr<Member> member) : member_(std::move(member)) {}
  HeldMessage(std::shared_ptr<Member> member, HeldMessages& list, Rank from,
              UnexpectedMessages::Owned message);
  ~HeldMessage() { leave(); }
  HeldMessage(const HeldMessage&) = delete;
  HeldMessage& operator=(const HeldMessage&) = delete;

  const std::shared_ptr<Member>& member() const { return member_; }
  Rank from() const { return from_; }  ///< rank in the team; -1: no_rank
  /// Tells whether it cannot be received any more, since its run has ended.
  bool lost() const { return from_ >= 0 && message_ == nullptr; }
  /// Tells whether it has still to be received.
  bool waits() const { return message_ != nullptr; }
  /// Tells whether its node has begun to unwind by an exception since the message was matched.
  bool unwinds() const { return std::uncaught_exceptions() > exceptions_; }
  const UnexpectedMessages::Message& message() const { return *message_; }
  /// Takes the message out, to be received now.
  UnexpectedMessages::Owned take() {
    leave();
    return std::move(message_);
  }

 private:
  friend HeldMessages;
  void leave();

  std::shared_ptr<Member> member_;
  Rank from_ = -1;
  UnexpectedMessages::Owned message_;
  int exceptions_ = std::uncaught_exceptions();
  // In the list of its node:
  HeldMessages* list_ = nullptr;
  HeldMessage *before_ = nullptr, *after_ = nullptr;
};

}  // namespace vnode
