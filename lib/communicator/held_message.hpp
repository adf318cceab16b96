#pragma once

#include <exception>
#include <memory>
#include <utility>

#include <vnode/message.hpp>
#include <vnode/rank.hpp>

#include "runtime/unexpected.hpp"

namespace vnode {

class Member;
class HeldMessage;

/// The messages of a node that have been matched and not been received yet. One thread's.
class HeldMessages {
 public:
  HeldMessages() = default;
  ~HeldMessages() { lose(); }
  HeldMessages(const HeldMessages&) = delete;
  HeldMessages& operator=(const HeldMessages&) = delete;

  bool empty() const { return first_ == nullptr; }
  /// The run has ended: nobody can receive them any more.
  void lose();

 private:
  friend HeldMessage;
  HeldMessage* first_ = nullptr;
};

/// What a MatchedMessage holds: a message that has been taken out of its node's channel and store, or that of
/// no_rank.
class HeldMessage {
 public:
  /// That of no_rank, which is nothing.
  explicit HeldMessage(std::shared_ptr<Member> member) : member_(std::move(member)) {}
  HeldMessage(std::shared_ptr<Member> member, HeldMessages& list, Rank from,
              UnexpectedMessages::Owned message);
  ~HeldMessage() { leave(); }
  HeldMessage(const HeldMessage&) = delete;
  HeldMessage& operator=(const HeldMessage&) = delete;

  const std::shared_ptr<Member>& member() const { return member_; }
  Rank from() const { return from_; }  ///< node of the team; -1: no_rank
  /// Whether it can be received no more, since its run has ended.
  bool lost() const { return from_ >= 0 && message_ == nullptr; }
  /// Whether somebody has to receive it.
  bool waits() const { return message_ != nullptr; }
  /// Whether an exception has begun to unwind its node since it was matched.
  bool unwinds() const { return std::uncaught_exceptions() > exceptions_; }
  const UnexpectedMessages::Message& message() const { return *message_; }
  /// It is going to be received.
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
