#include "runtime/execution.hpp"

#include <algorithm>
#include <cstring>

#include <vnode/error.hpp>

#include "runtime/mismatch.hpp"

namespace vnode {

Awaited Execution::awaited() const {
  const Step& step = steps_[next_];
  return call_.awaited(step.round, step.kind == Step::Kind::gather ? next_gathered(step).from : step.peer);
}

const std::atomic<std::uint64_t>* Execution::watch() const {
  const Step& step = steps_[next_];
  switch (step.kind) {
    case Step::Kind::receive:
    case Step::Kind::serve:
      return endpoint_.watch(call_.node(step.peer));
    case Step::Kind::take:
      return call_.board(step.peer).watch(call_.head_of(movement(step).tag));
    case Step::Kind::gather: {
      const Movement& next = next_gathered(step);
      return call_.board(next.from).watch(call_.head_of(next.tag));
    }
    case Step::Kind::await_done:
      return &call_.tickets[step.index].cell->done;
    case Step::Kind::await_release:
      return barrier(step).watch();
    default:
      return nullptr;
  }
}

bool Execution::attempt(const Step& step) {
  switch (step.kind) {
    case Step::Kind::receive:
      return receive(movement(step));
    case Step::Kind::send:
      return send(step);
    case Step::Kind::publish:
      return publish(step);
    case Step::Kind::take:
      return take(movement(step));
    case Step::Kind::gather:
      return gather(step);
    case Step::Kind::expose:
      return expose(step);
    case Step::Kind::serve:
      return serve(movement(step));
    case Step::Kind::await_done:
      return endpoint_.ended(call_.tickets[step.index]);
    case Step::Kind::await_taken:
      return call_.board(call_.rank).taken(call_.head_of(step.index));
    case Step::Kind::arrive:
      return arrive(step);
    case Step::Kind::await_release:
      if (!barrier(step).released(meeting(step))) return false;
      ++call_.context->station(call_.rank).met;
      return true;
    case Step::Kind::copy:
      break;
  }
  copy(plan_.parts[step.first]);
  return true;
}

void Execution::copy(const Piece& part) const {
  std::byte* into = at(call_.memories, part.into);
  const std::byte* theirs = at(call_.memories, part.theirs);
  if (into == theirs) return;
  if (work().has_help(Effect::replace, part.bytes))
    work().copy(into, theirs, part.bytes);
  else
    std::memcpy(into, theirs, part.bytes);  // as a whole: it knows how to go round the caches
}

bool Execution::arrive(const Step& step) {
  if (call_.context->station(call_.rank).met < call_.meeting) return false;  // an earlier call comes first
  if (barrier(step).arrive(step.count)) {
    barrier(step).release(meeting(step));
    if (endpoint_.fabric().may_park()) endpoint_.fabric().ring_all(*call_.context);
  }
  return true;
}

/// The payload of an eager message: the part itself if it is one, else all parts one after the other.
const std::byte* Execution::payload(const Movement& movement) const {
  const auto parts = parts_of(plan_, movement);
  if (parts.empty()) return endpoint_.room();
  if (parts.front().bytes == movement.bytes) return at(call_.memories, parts.front().theirs);
  for (const Piece& part : parts)
    std::memcpy(endpoint_.room() + part.at, at(call_.memories, part.theirs), part.bytes);
  return endpoint_.room();
}

bool Execution::send(const Step& step) {
  const Movement& sent = movement(step);
  const Rank to = call_.node(sent.to);
  const Head head = call_.head_of(sent.tag);
  if (sent.carriage == Carriage::lines)
    return transfer::eager(endpoint_, to, head, payload(sent), sent.bytes);
  return transfer::announce(endpoint_, to, head, Kind::source, call_.memories, own_bytes(sent.sender_copies),
                            call_.tickets[step.index]);
}

bool Execution::expose(const Step& step) {
  const Movement& expected = movement(step);
  return transfer::announce(endpoint_, call_.node(expected.from), call_.head_of(expected.tag),
                            Kind::destination, call_.memories, own_bytes(expected.receiver_copies),
                            call_.tickets[step.index]);
}

bool Execution::publish(const Step& step) {
  const Movement& shown = movement(step);
  Station& own = call_.context->station(call_.rank);
  if (own.published != call_.publication + step.index) return false;  // an earlier call comes first
  const auto show = [&](Kind kind, const std::byte* payload, std::size_t bytes) {
    Head head = call_.head_of(shown.tag);
    head.kind = kind;
    head.bytes = static_cast<std::uint16_t>(bytes);
    return own.board.publish(head, payload, step.count);
  };
  if (!(shown.carriage == Carriage::lines
            ? show(Kind::data, payload(shown), shown.bytes)
            : show(Kind::source, Announcement<Memories>{call_.memories}.payload(),
                   sizeof(Announcement<Memories>))))
    return false;
  ++own.published;
  if (step.peer >= 0)
    endpoint_.fabric().ring(call_.node(step.peer));
  else if (endpoint_.fabric().may_park())
    endpoint_.fabric().ring_all(*call_.context);
  return true;
}

bool Execution::receive(const Movement& movement) {
  const Rank from = call_.node(movement.from);
  return transfer::receive<Memories>(
      endpoint_, from, call_.head_of(movement.tag),
      [&](const std::byte* payload, std::size_t) { settle(movement, payload); },
      [&](const Announcement<Memories>& theirs) {
        transfer::finish(endpoint_, from, theirs.ticket, [&] { pull(movement, theirs); });
      });
}

bool Execution::serve(const Movement& movement) {
  const Rank to = call_.node(movement.to);
  Head head = call_.head_of(movement.tag);
  head.kind = Kind::destination;
  return transfer::receive<Memories>(
      endpoint_, to, head, [](const std::byte*, std::size_t) {},
      [&](const Announcement<Memories>& theirs) {
        transfer::finish(endpoint_, to, theirs.ticket, [&] {
          const std::size_t first = middle(movement, own_bytes(movement.sender_copies), theirs.bytes);
          move(movement, call_.memories, theirs.memory, first, movement.bytes);
        });
      });
}

/// Whether the sender has published this. Throws Mismatch.
bool Execution::is_shown(const Movement& movement) const {
  Head shown;
  if (!call_.board(movement.from).front(call_.head_of(movement.tag), shown)) return false;
  if (shown.signature != call_.head.signature)
    throw Mismatch(mismatch_text(endpoint_.fabric(), endpoint_.rank(), call_.node(movement.from),
                                 shown.context, shown.call));
  return true;
}

bool Execution::take(const Movement& movement) {
  if (!is_shown(movement)) return false;
  Board& shelf = call_.board(movement.from);
  const Head head = call_.head_of(movement.tag);
  const std::byte* payload = shelf.payload(head);
  if (movement.carriage == Carriage::lines) {
    settle(movement, payload);
  } else {
    const Guard guard(endpoint_.fabric(), endpoint_.rank());
    pull(movement, Announcement<Memories>::in(payload));
  }
  shelf.take(head);
  endpoint_.fabric().ring(call_.node(movement.from));
  return true;
}

bool Execution::gather(const Step& step) {
  const Gather& gathering = plan_.gathers[step.first];
  for (; arrived_ < gathering.movements; ++arrived_)
    if (!is_shown(next_gathered(step))) return false;
  for (std::uint32_t i = 0; i < gathering.combines; ++i)
    combine_published(endpoint_, plan_, call_, plan_.combines[gathering.first_combine + i]);
  for (std::uint32_t i = 0; i < gathering.movements; ++i) {
    const Movement& movement = plan_.movements[plan_.gathered[gathering.first_movement + i]];
    call_.board(movement.from).take(call_.head_of(movement.tag));
    endpoint_.fabric().ring(call_.node(movement.from));
  }
  arrived_ = 0;
  return true;
}

/// Takes over what has arrived in lines.
void Execution::settle(const Movement& movement, const std::byte* payload) const {
  for (const Piece& part : parts_of(plan_, movement)) {
    std::byte* const into = at(call_.memories, part.into);
    const std::byte* const theirs = payload + part.at;
    if (part.effect == Effect::replace) {
      copy_small(into, theirs, part.bytes);
      continue;
    }
    const std::byte* const own = at(call_.memories, part.own);
    const bool own_first = part.effect == Effect::combine_after;
    call_.reduction->combine(call_.reduction->state, into, own_first ? own : theirs, own_first ? theirs : own,
                             part.bytes / call_.element_bytes);
  }
}

/// Takes over the receiver's part of what its sender has announced.
void Execution::pull(const Movement& movement, const Announcement<Memories>& theirs) const {
  move(movement, theirs.memory, call_.memories, 0,
       middle(movement, theirs.bytes, own_bytes(movement.receiver_copies)));
}

/// Bytes [first, last) of a movement whose sender's memories are `from` and whose receiver's are `to`.
void Execution::move(const Movement& movement, const Memories& from, const Memories& to, std::size_t first,
                     std::size_t last) const {
  for (const Piece& part : parts_of(plan_, movement)) {
    const std::size_t begin = std::max(first, part.at), end = std::min(last, part.at + part.bytes);
    if (begin >= end) continue;
    const std::size_t skip = begin - part.at;
    work().apply(part.effect, at(to, part.into) + skip, at(to, part.own) + skip, at(from, part.theirs) + skip,
                 end - begin);
  }
}

/// What this node copies within its own memory while it shares a movement, if `copies`.
std::size_t Execution::own_bytes(bool copies) const {
  if (!copies) return 0;
  const Program& program = plan_.programs[static_cast<std::size_t>(call_.rank)];
  return at(call_.memories, program.own) == at(call_.memories, program.own_into) ? 0 : program.own_bytes;
}

/// Where the receiver's part ends.
std::size_t Execution::middle(const Movement& movement, std::size_t senders_own,
                              std::size_t receivers_own) const {
  if (movement.carriage != Carriage::shared) return movement.bytes;
  return receivers_part({.bytes = movement.bytes,
                         .element_bytes = call_.element_bytes,
                         .combines = parts_of(plan_, movement).front().effect != Effect::replace,
                         .senders_own = senders_own,
                         .receivers_own = receivers_own,
                         .beside = movement.beside});
}

bool Execution::advance_recorded() {
  std::int64_t begin = Recorder::now();
  for (; next_ != steps_.size(); ++next_) {
    const Step& step = steps_[next_];
    if (!attempt(step)) {
      if (waiting_since_ == 0) waiting_since_ = begin;
      return false;
    }
    const std::int64_t end = Recorder::now();
    record(step, begin, end);
    waiting_since_ = 0;
    begin = end;
  }
  recorder_->done(call_.head.context, call_.head.call, call_.rank);
  return true;
}

/// The step has been done from `begin` to `end`.
void Execution::record(const Step& step, std::int64_t begin, std::int64_t end) const {
  using End = TraceEvent::End;
  using enum Occupation::Kind;
  TraceEvent event{.context = call_.head.context, .round = step.round, .call = call_.head.call};
  event.rank = call_.rank;
  if (waiting_since_ != 0) {
    event.occupation = wait;
    event.begin = waiting_since_;
    event.end = begin;
    recorder_->record(event);
    event.occupation.reset();
  }
  event.begin = begin;
  event.end = end;
  const auto of_message = [&](const Movement& movement, End end_of, Rank peer, Occupation::Kind kind) {
    event.end_of = end_of;
    event.occupation = kind;
    event.in_place = movement.carriage != Carriage::lines;
    event.peer = peer;
    event.bytes = movement.bytes;
    recorder_->record(event);
  };
  const auto occupied = [&](const Movement& movement) {
    const bool combines = movement.parts > 0 && plan_.parts[movement.first_part].effect != Effect::replace;
    return combines ? combine : copy;
  };
  switch (step.kind) {
    case Step::Kind::copy:
      event.occupation = copy;
      recorder_->record(event);
      break;
    case Step::Kind::expose:
      event.occupation = send;
      recorder_->record(event);
      break;
    case Step::Kind::send:
      of_message(plan_.movements[step.first], End::sent, step.peer, send);
      break;
    case Step::Kind::publish:
      event.publication = static_cast<std::uint16_t>(step.index);
      of_message(plan_.movements[step.first], End::published, -1, send);
      break;
    case Step::Kind::receive: {
      const Movement& movement = plan_.movements[step.first];
      of_message(movement, End::received, movement.from, occupied(movement));
      break;
    }
    case Step::Kind::take: {
      const Movement& movement = plan_.movements[step.first];
      event.publication = movement.tag;
      of_message(movement, End::taken, movement.from, occupied(movement));
      break;
    }
    case Step::Kind::serve: {
      const Movement& movement = plan_.movements[step.first];
      of_message(movement, End::served, movement.to, occupied(movement));
      break;
    }
    case Step::Kind::gather:
      event.occupation = combine;
      recorder_->record(event);
      record_gathered(plan_.gathers[step.first], event);
      break;
    case Step::Kind::arrive:
    case Step::Kind::await_release:
      event.end_of = step.kind == Step::Kind::arrive ? End::arrived : End::released;
      event.peer = static_cast<Rank>(step.index);
      recorder_->record(event);
      break;
    case Step::Kind::await_done:
    case Step::Kind::await_taken:
      break;
  }
}

/// The messages that were combined in one pass, and those that brought the result back.
void Execution::record_gathered(const Gather& gathering, TraceEvent event) const {
  event.occupation.reset();
  for (std::uint32_t i = 0; i < gathering.movements; ++i) {
    const Movement& movement = plan_.movements[plan_.gathered[gathering.first_movement + i]];
    event.end_of = TraceEvent::End::taken;
    event.in_place = movement.carriage != Carriage::lines;
    event.publication = movement.tag;
    event.peer = movement.from;
    event.bytes = movement.bytes;
    recorder_->record(event);
  }
  ++event.round;
  event.end_of = TraceEvent::End::forwarded;
  for (std::uint32_t i = 0; i < gathering.combines; ++i) {
    const Combine& place = plan_.combines[gathering.first_combine + i];
    for (std::uint32_t j = 0; j < place.forwards; ++j) {
      const Movement& back = plan_.movements[plan_.gathered[place.first_forward + j]];
      event.peer = back.to;
      event.bytes = back.bytes;
      recorder_->record(event);
    }
  }
}

}
