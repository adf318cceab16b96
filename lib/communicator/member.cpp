#include "communicator/member.hpp"

#include <utility>

#include <vnode/error.hpp>

#include "communicator/collective_activity.hpp"
#include "communicator/persistent_state.hpp"

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

const std::shared_ptr<const PreparedCall>& Member::prepared(const Arguments& arguments, const CallKey& key) {
  RecentCalls::Entry& entry = recent_.at(arguments);
  if (entry.plan == nullptr || !(entry.plan->key == key)) {
    entry.plan = group_->plans.prepare(key);
    if (const std::uint64_t evictions = group_->plans.cache().evictions(); evictions != evictions_) {
      evictions_ = evictions;
      const std::shared_ptr<const PreparedCall> wanted = entry.plan;
      recent_.forget_evicted();
      entry.plan = wanted;
    }
  }
  entry.shape = CallShape(arguments);
  entry.own = key.own;
  return entry.plan;
}

/// The next call of this group: its number, its journal's entry, its memories.
Call Member::begin(const PreparedCall& call, const void* input, void* output, const Reduction* reduction,
                   const Lease& workspace) {
  const Context& context = group_->context;
  Station& station = context.station(rank_);
  // Relaxed, as the store below: only this node writes it, and reports may lag.
  History history = History::of(station.history.load(std::memory_order_relaxed));
  history.add(call.signature);
  last_algorithm_ = call.record.kind->algorithm;
  last_segments_ = call.segments;
  engine_.journal().begin(context.id(), history, call.record);
  if (Recorder* const recorder = engine_.endpoint().recorder())
    recorder->begin(context.id(), history.call, rank_, size(), call.record);
  station.history.store(history.word(), std::memory_order_relaxed);
  Call made;
  made.publication = station.planned;
  made.meeting = station.meetings;
  if (!call.varying) {
    const Program& program = call.plan.programs[static_cast<std::size_t>(rank_)];
    station.planned += program.publications;
    station.meetings += program.meetings;
  }
  made.context = &context;
  made.rank = rank_;
  made.head = {history.call, call.signature, context.id(), 0, Kind::data, 0};
  made.memories = {static_cast<std::byte*>(const_cast<void*>(input)), static_cast<std::byte*>(output),
                   workspace.scratch()};
  made.tickets = workspace.tickets();
  made.reduction = reduction;
  made.element_bytes = call.key.element_bytes;
  return made;
}

CheckedCall Member::looked_at(const Arguments& arguments) const {
  CheckedCall call = checked(arguments, rank_, size());
  call.key.deterministic |= group_->facts.deterministic && combines(arguments.collective);
  return call;
}

void Member::call(const Arguments& arguments) {
  const bool simple = !engine_.busy() && !group_->facts.checked && !arguments.varying;
  if (const PreparedCall* const known = simple ? recent_.known(arguments) : nullptr) {
    engine_.guarded([&] { run(*known, arguments); });
    return;
  }
  CheckedCall call = looked_at(arguments);
  // What is refused has not been begun: the run goes on with whoever catches the exception.
  if (simple) {
    const PreparedCall& plan = *prepared(arguments, call.key);
    engine_.guarded([&] { run(plan, arguments); });
    return;
  }
  CollectiveActivity activity(*this, std::move(call), arguments);
  activity.prepare(arguments);
  engine_.guarded([&] {
    activity.begin();
    engine_.wait(activity);
  });
}

void Member::run(const PreparedCall& plan, const Arguments& arguments) {
  const Program& program = plan.plan.programs[static_cast<std::size_t>(rank_)];
  const Lease workspace(engine_, program.scratch_bytes, program.tickets);
  Execution execution(engine_.endpoint(), plan.plan,
                      begin(plan, arguments.in, arguments.out, &arguments.reduction, workspace));
  engine_.wait(execution);
}

Request Member::start(const std::shared_ptr<Member>& self, const Arguments& arguments) {
  CheckedCall call = self->looked_at(arguments);
  auto activity = std::make_unique<CollectiveActivity>(*self, std::move(call), arguments, self);
  activity->prepare(arguments);
  self->engine_.guarded([&] { self->engine_.start(*activity); });
  return Request(std::move(activity));
}

Persistent Member::plan(const std::shared_ptr<Member>& self, const Arguments& arguments) {
  CheckedCall call = self->looked_at(arguments);
  auto activity = std::make_unique<CollectiveActivity>(*self, std::move(call), arguments, self);
  activity->prepare(arguments);
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

void Member::send(const std::byte* data, std::size_t bytes, const ElementType& type, Rank to, int tag) {
  const Correspondence with = correspondence(to, tag, type);
  const Profile& profile = group_->facts.profile;
  if (engine_.busy()) {
    SendActivity message(engine_.endpoint(), with, data, bytes, profile);
    engine_.guarded([&] {
      note(sending, tag, bytes / type.bytes);
      engine_.start(message);
      engine_.finish(message);
    });
    return;
  }
  engine_.guarded([&] {
    note(sending, tag, bytes / type.bytes);
    Sending message(engine_.endpoint(), with, data, bytes, profile);
    engine_.wait(message);
  });
}

std::size_t Member::receive(std::byte* data, std::size_t room, const ElementType& type, Rank from, int tag) {
  const Correspondence with = correspondence(from, tag, type);
  if (engine_.busy()) {
    ReceiveActivity message(engine_.endpoint(), with, data, room);
    engine_.guarded([&] {
      note(receiving, tag, room / type.bytes);
      engine_.start(message);
      engine_.finish(message);
    });
    return message.received();
  }
  std::size_t received = 0;
  engine_.guarded([&] {
    note(receiving, tag, room / type.bytes);
    Receiving message(engine_.endpoint(), with, data, room);
    engine_.wait(message);
    received = message.bytes() / type.bytes;
  });
  return received;
}

std::size_t Member::exchange(const std::byte* out, std::size_t out_bytes, Rank to, std::byte* in,
                             std::size_t room, Rank from, const ElementType& type, int tag) {
  const Correspondence outwards = correspondence(to, tag, type), inwards = correspondence(from, tag, type);
  const Profile& profile = group_->facts.profile;
  if (engine_.busy()) {
    SendActivity outgoing(engine_.endpoint(), outwards, out, out_bytes, profile);
    ReceiveActivity incoming(engine_.endpoint(), inwards, in, room);
    engine_.guarded([&] {
      note(exchanging, tag, out_bytes / type.bytes);
      engine_.start(outgoing);
      engine_.start(incoming);
      engine_.finish(incoming);
      engine_.finish(outgoing);
    });
    return incoming.received();
  }
  std::size_t received = 0;
  engine_.guarded([&] {
    note(exchanging, tag, out_bytes / type.bytes);
    Sending outgoing(engine_.endpoint(), outwards, out, out_bytes, profile);
    Receiving incoming(engine_.endpoint(), inwards, in, room);
    Exchange both{outgoing, incoming};
    engine_.wait(both);
    received = incoming.bytes() / type.bytes;
  });
  return received;
}

Request Member::start_sending(const std::byte* data, std::size_t bytes, const ElementType& type, Rank to,
                              int tag) {
  auto message = std::make_unique<SendActivity>(engine_.endpoint(), correspondence(to, tag, type), data,
                                                bytes, group_->facts.profile, false);
  engine_.guarded([&] {
    note(sending, tag, bytes / type.bytes);
    engine_.start(*message);
  });
  return Request(std::move(message));
}

Request Member::start_receiving(std::byte* data, std::size_t room, const ElementType& type, Rank from,
                                int tag) {
  auto message =
      std::make_unique<ReceiveActivity>(engine_.endpoint(), correspondence(from, tag, type), data, room);
  engine_.guarded([&] {
    note(receiving, tag, room / type.bytes);
    engine_.start(*message);
  });
  return Request(std::move(message));
}

}
