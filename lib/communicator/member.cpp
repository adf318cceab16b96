#include "communicator/member.hpp"

#include <tuple>
#include <utility>

#include <vnode/error.hpp>

#include "communicator/collective_activity.hpp"

namespace vnode {
namespace {

const CallKind sending{"send", {}, {}, {}, {}, -1, 1}, receiving{"recv", {}, {}, {}, {}, -1, 2},
    exchanging{"sendrecv", {}, {}, {}, {}, -1, 3};

/// Of two messages, both at once.
struct Exchange {
  Sending& outgoing;
  Receiving& incoming;
  bool sent = false, arrived = false;

  bool advance() {
    sent = sent || outgoing.advance();
    arrived = arrived || incoming.advance();
    return sent && arrived;
  }
  Awaited awaited() const { return arrived ? outgoing.awaited() : incoming.awaited(); }
  const std::atomic<std::uint64_t>* watch() const { return arrived ? outgoing.watch() : incoming.watch(); }
};

}

/// The plan of a call that has been checked, `key`.
RecentCalls::Entry& Member::prepared(const Arguments& arguments, const CallKey& key) {
  const CallKey unchecked(arguments);
  RecentCalls::Entry& entry = recent_.at(arguments);
  const bool kept = entry.plan != nullptr && *entry.plan->key == key;
  std::shared_ptr<const PreparedCall> plan = kept ? entry.plan : group_->plans.prepare(key);
  if (const std::uint64_t evictions = group_->plans.cache().evictions(); evictions != evictions_) {
    evictions_ = evictions;
    recent_.forget_evicted();
  }
  entry.set(arguments, unchecked, std::move(plan));
  return entry;
}

/// The next call of this group: its number, its journal's entry, its memories.
Call Member::begin(const PreparedCall& call, const Program* program, const Arguments& arguments,
                   const Reduction* reduction, const Lease& workspace) {
  const Context& context = group_->context;
  // Relaxed: only this node writes it.
  History history = History::of(station_.history.load(std::memory_order_relaxed));
  history.add(call.signature);
  last_kind_ = call.record.kind;
  last_segments_ = call.segments;
  engine_.journal().begin(context.id(), history, call.record);
  if (Recorder* const recorder = engine_.endpoint().recorder())
    recorder->begin(context.id(), history.call, rank_, size(), call.record);
  station_.history.store(history.word(), std::memory_order_release);  // (a) the journal has the call
  const std::uint64_t publication = station_.planned, meeting = station_.meetings;
  if (program != nullptr) {
    station_.planned += program->publications;
    station_.meetings += program->meetings;
  }
  return {.context = &context,
          .rank = rank_,
          .head = {history.call, call.signature, context.id(), 0, Kind::data, 0},
          .memories = {static_cast<std::byte*>(const_cast<void*>(arguments.in)),
                       static_cast<std::byte*>(arguments.out), workspace.scratch()},
          .publication = publication,
          .meeting = meeting,
          .tickets = workspace.tickets(),
          .reduction = reduction,
          .element_bytes = arguments.type->bytes};
}

CheckedCall Member::looked_at(const Arguments& arguments) const {
  CheckedCall call = checked(arguments, rank_, size());
  call.key.deterministic |= group_->facts.deterministic && combines(arguments.collective);
  return call;
}

void Member::call(const Arguments& arguments) {
  const bool simple = !engine_.busy() && !group_->facts.checked && !arguments.varying;
  RecentCalls::Entry* entry = simple ? recent_.find(arguments) : nullptr;
  // What is refused has not been begun: the run goes on with whoever catches the exception.
  if (simple && entry == nullptr) entry = &prepared(arguments, looked_at(arguments).key);
  if (entry != nullptr) return engine_.guarded([&] { run(*entry, arguments); });
  CollectiveActivity activity(*this, arguments);
  engine_.guarded([&] {
    activity.begin();
    engine_.wait(activity);
  });
}

void Member::run(RecentCalls::Entry& entry, const Arguments& arguments) {
  const PreparedCall& plan = *entry.plan;
  const Program& own = program(entry);
  const Lease workspace(engine_, own.scratch_bytes, own.tickets);
  Execution execution(engine_.endpoint(), *plan.plan, own,
                      [&] { return begin(plan, &own, arguments, entry.reduction(arguments), workspace); });
  engine_.wait(execution);
}

Request Member::start(const std::shared_ptr<Member>& self, const Arguments& arguments,
                      std::shared_ptr<void> op) {
  auto activity = std::make_unique<CollectiveActivity>(*self, arguments, self, std::move(op));
  self->engine_.guarded([&] { self->engine_.start(*activity); });
  return Request(std::move(activity));
}

Persistent Member::plan(const std::shared_ptr<Member>& self, const Arguments& arguments,
                        std::shared_ptr<void> op) {
  auto activity = std::make_unique<CollectiveActivity>(*self, arguments, self, std::move(op));
  return Persistent(std::make_unique<Persistent::State>(std::move(activity), self->engine_));
}

Correspondence Member::correspondence(Rank peer, int tag, const ElementType& type) const {
  return {group_->context.node(peer),
          static_cast<std::uint32_t>(tag),
          static_cast<std::uint16_t>(group_->context.id() | Context::messages),
          group_->generation,
          static_cast<std::uint32_t>(type.hash),
          type.bytes};
}

void Member::note(const CallKind& kind, int tag, std::size_t count) {
  engine_.journal().begin(static_cast<std::uint16_t>(group_->context.id() | Context::messages),
                          {static_cast<std::uint32_t>(tag), 0}, {&kind, count});
}

/// Blocking messages: alone they are waited for as they are; beside calls in flight they join these. `alone`
/// has them all.
template <class Alone, class... Messages>
void Member::complete(const CallKind& kind, int tag, std::size_t count, Alone& alone, Messages&... messages) {
  if (!engine_.busy())
    return engine_.guarded([&] {
      note(kind, tag, count);
      engine_.wait(alone);
    });
  std::tuple<MessageActivity<Messages&>...> activities(messages...);
  engine_.guarded([&] {
    note(kind, tag, count);
    std::apply(
        [&](auto&... activity) {
          (engine_.start(activity), ...);
          (engine_.finish(activity), ...);
        },
        activities);
  });
}

void Member::send(const std::byte* data, std::size_t bytes, const ElementType& type, Rank to, int tag) {
  Sending message(engine_.endpoint(), correspondence(to, tag, type), data, bytes, group_->facts.profile);
  complete(sending, tag, bytes / type.bytes, message, message);
}

std::size_t Member::receive(std::byte* data, std::size_t room, const ElementType& type, Rank from, int tag) {
  Receiving message(engine_.endpoint(), correspondence(from, tag, type), data, room);
  complete(receiving, tag, room / type.bytes, message, message);
  return message.received();
}

std::size_t Member::exchange(const std::byte* out, std::size_t out_bytes, Rank to, std::byte* in,
                             std::size_t room, Rank from, const ElementType& type, int tag) {
  Sending outgoing(engine_.endpoint(), correspondence(to, tag, type), out, out_bytes, group_->facts.profile);
  Receiving incoming(engine_.endpoint(), correspondence(from, tag, type), in, room);
  Exchange both{outgoing, incoming};
  complete(exchanging, tag, out_bytes / type.bytes, both, outgoing, incoming);
  return incoming.received();
}

template <class Message>
Request Member::start(const CallKind& kind, int tag, std::size_t count,
                      std::unique_ptr<MessageActivity<Message>> message) {
  engine_.guarded([&] {
    note(kind, tag, count);
    engine_.start(*message);
  });
  return Request(std::move(message));
}

Request Member::start_sending(const std::byte* data, std::size_t bytes, const ElementType& type, Rank to,
                              int tag) {
  return start(sending, tag, bytes / type.bytes,
               std::make_unique<MessageActivity<Sending>>(engine_.endpoint(), correspondence(to, tag, type),
                                                          data, bytes, group_->facts.profile, false));
}

Request Member::start_receiving(std::byte* data, std::size_t room, const ElementType& type, Rank from,
                                int tag) {
  return start(receiving, tag, room / type.bytes,
               std::make_unique<MessageActivity<Receiving>>(engine_.endpoint(),
                                                            correspondence(from, tag, type), data, room));
}

}  // namespace vnode
