#include <exception>
#include <fmt/format.h>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/message.hpp>

#include "base/sentence.hpp"
#include "call/arguments.hpp"
#include "call/member.hpp"
#include "engine/held_message.hpp"

namespace vnode {

MatchedMessage::MatchedMessage() noexcept = default;
MatchedMessage::MatchedMessage(MatchedMessage&&) noexcept = default;
MatchedMessage::MatchedMessage(std::unique_ptr<HeldMessage> held, const MessageInfo& info) noexcept
    : held_(std::move(held)), info_(info) {}

MatchedMessage& MatchedMessage::operator=(MatchedMessage&& other) {
  if (this == &other) return *this;
  if (held_ != nullptr && held_->waits())
    throw UsageError(
        fmt::format("a MatchedMessage that holds a message from node {} with tag {} is assigned to: receive "
                    "it first, by recv or irecv",
                    info_.source, info_.tag));
  held_ = std::move(other.held_);
  info_ = other.info_;
  return *this;
}

MatchedMessage::~MatchedMessage() {
  if (held_ == nullptr || !held_->waits()) return;
  Engine& engine = held_->member()->engine();
  if (engine.life()->of_parent()) return;
  if (held_->unwinds())
    engine.abandon();
  else
    engine.abandon(exception_of<UsageError>([&] {
      return fmt::format(
          "node {} has dropped a message from node {} with tag {} that it had matched: a MatchedMessage is "
          "received once, by recv or irecv",
          engine.endpoint().rank(), held_->from(), info_.tag);
    }));
}

std::unique_ptr<HeldMessage> MatchedMessage::take() {
  if (held_ == nullptr)
    throw UsageError(
        "recv of a MatchedMessage that holds no message: it is empty, has been received, or moved from");
  held_->member()->check_thread();
  if (held_->lost())
    throw UsageError(
        "recv of a MatchedMessage whose run has ended: it is received within the run in which it was "
        "matched");
  return std::move(held_);
}

namespace {

MessageArguments receiving(const MessageInfo& info, const Buffer& room, const ElementType& type) {
  return {.operation = MessageArguments::Operation::recv,
          .type = &type,
          .received = room,
          .from = info.source,
          .received_tag = info.tag};
}

}  // namespace

std::size_t MatchedMessage::receive(const Buffer& room, const ElementType& type) {
  check_once("recv", room);
  const std::unique_ptr<HeldMessage> held = take();
  if (!held->waits()) return 0;
  return held->member()->engine().call(
      [&] { return Member::receive(*held, receiving(info_, room, type)).bytes / type.bytes; });
}

Request MatchedMessage::start_receiving(const Buffer& room, const ElementType& type) {
  check_once("irecv", room);
  const std::unique_ptr<HeldMessage> held = take();
  if (!held->waits()) return Request(nullptr, true);
  return held->member()->engine().call(
      [&] { return Member::start_receiving(*held, receiving(info_, room, type)); });
}

void MatchedMessage::refuse_empty() const {
  throw Mismatch(fmt::format("recv of one element from a MatchedMessage of node {}, whose message has none",
                             info_.source));
}

}  // namespace vnode
