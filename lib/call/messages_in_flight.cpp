// Messages that are started, and are in flight until their requests are complete.
#include <memory>
#include <utility>

#include <vnode/error.hpp>

#include "call/arguments.hpp"
#include "call/member.hpp"
#include "call/message_activity.hpp"

namespace vnode {

template <class Message, class... Of>
[[gnu::always_inline]] inline Request Member::start_one(const CallKind& kind, int tag, std::size_t count,
                                                        const std::shared_ptr<Member>* names, Of&&... of) {
  using Started = MessageActivity<Message>;
  std::unique_ptr<Started> message(new (engine_.call_memory())
                                       Started(engine_.endpoint(), std::forward<Of>(of)...));
  if (CallCounters* const counters = engine_.counters()) [[unlikely]]
    message->count(*counters, {.operation = kind.collective, .group = counted_group_});
  if (names != nullptr) message->name_by(*names);
  engine_.guarded([&] {
    note(kind, tag, count);
    engine_.start(*message);
  });
  return Request(std::move(message), Message::inwards);
}

Request Member::start(const std::shared_ptr<Member>& self, const MessageArguments& call) {
  Member& own = *self;
  const bool receives = call.operation == MessageArguments::Operation::recv;
  const Rank peer = receives ? call.from : call.to;
  const int tag = receives ? call.received_tag : call.sent_tag;
  const bool is_node = static_cast<unsigned>(peer) < static_cast<unsigned>(own.size());
  const bool open = !is_node || tag < 0;
  if (open) [[unlikely]] {
    receives ? check_sender(peer, tag, own.size()) : check_receiver(peer, tag, own.size());
  }
  if (call.received.layout != nullptr) check_once("irecv", call.received);
  if (peer == no_rank) return Request(nullptr, receives);
  const Correspondence with = correspondence(own.pattern(peer, tag), *call.type);
  if (!receives) {
    const bool synchronous = call.operation == MessageArguments::Operation::ssend;
    return own.start_one<Sending>(synchronous ? ssend_kind : send_kind, tag, call.sent.count, nullptr, with,
                                  call.sent, *call.type, own.group_->facts.messages,
                                  SendMode{.stays = false, .synchronous = synchronous});
  }
  Request request =
      own.start_one<Receiving>(recv_kind, tag, call.received.count, open ? &self : nullptr, with,
                               call.received, *call.type, open ? &own.group_->context : nullptr);
  if (!open) {
    request.info_.source = peer;
    request.info_.tag = tag;
  }
  return request;
}

Request Member::start_receiving(HeldMessage& held, const MessageArguments& call) {
  Member& own = *held.member();
  Request request =
      own.start_one<Receiving>(recv_kind, call.received_tag, call.received.count, nullptr,
                               correspondence(own.pattern(call.from, call.received_tag), *call.type),
                               call.received, *call.type, held.take());
  request.info_.source = call.from;
  request.info_.tag = call.received_tag;
  return request;
}

Request Group::start(const MessageArguments& call) {
  Member& own = member();
  return own.engine().call([&] { return Member::start(member_, call); });
}

}  // namespace vnode
