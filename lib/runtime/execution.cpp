#include "runtime/execution.hpp"

#include <algorithm>
#include <cstring>

#include <vnode/error.hpp>

#include "base/prefetch.hpp"
#include "runtime/copy.hpp"
#include "runtime/memories.hpp"
#include "runtime/mismatch.hpp"

namespace vnode {
namespace {

/// Bytes [first, last) of a movement whose sender's memories are `from` and whose receiver's are `to`.
void move(const Work& work, const Plan& plan, const Movement& movement, const Memories& from,
          const Memories& to, std::size_t first, std::size_t last) {
  for (const Piece& part : parts_of(plan, movement)) {
    const std::size_t begin = std::max(first, part.at), end = std::min(last, part.at + part.bytes);
    if (begin >= end) continue;
    const std::size_t skip = begin - part.at;
    work.apply(part.effect, at(to, part.into) + skip, at(to, part.own) + skip, at(from, part.theirs) + skip,
               end - begin);
  }
}

}

Awaited Execution::awaited() const {
  const Step& step = steps_[next_];
  Rank peer = step.peer;
  if (step.kind == Step::Kind::gather) peer = next_gathered(step).from;
  return {call_.context, call_.head.context,           call_.head.call,
          step.round,    peer < 0 ? peer : node(peer), call_.head.signature};
}

const std::atomic<std::uint64_t>* Execution::watch() const {
  const Step& step = steps_[next_];
  switch (step.kind) {
    case Step::Kind::receive:
    case Step::Kind::serve:
      return endpoint_.watch(node(step.peer));
    case Step::Kind::take:
      return board(step.peer).watch(head(plan_.movements[step.first], Kind::data, 0));
    case Step::Kind::gather: {
      const Movement& next = next_gathered(step);
      return board(next.from).watch(head(next, Kind::data, 0));
    }
    case Step::Kind::await_done:
      return &call_.tickets[step.index].cell->done;
    case Step::Kind::await_release:
      return rendezvous(step).watch();
    default:
      return nullptr;
  }
}

bool Execution::attempt(const Step& step) {
  switch (step.kind) {
    case Step::Kind::receive:
      return receive(plan_.movements[step.first]);
    case Step::Kind::send:
      return send(step, plan_.movements[step.first]);
    case Step::Kind::publish:
      return publish(step, plan_.movements[step.first]);
    case Step::Kind::take:
      return take(plan_.movements[step.first]);
    case Step::Kind::gather:
      return gather(step);
    case Step::Kind::expose:
      return expose(step, plan_.movements[step.first]);
    case Step::Kind::serve:
      return serve(plan_.movements[step.first]);
    case Step::Kind::await_done:
      if (!Endpoint::told(call_.tickets[step.index])) return false;
      endpoint_.close_ticket(call_.tickets[step.index]);
      return true;
    case Step::Kind::await_taken: {
      Head published = call_.head;
      published.round = static_cast<std::uint16_t>(step.index);
      return board(call_.rank).taken(published);
    }
    case Step::Kind::arrive:
      return arrive(step);
    case Step::Kind::await_release:
      if (!rendezvous(step).released(meeting(step))) return false;
      ++call_.context->station(call_.rank).met;
      return true;
    case Step::Kind::copy:
      break;
  }
  const Piece& part = plan_.parts[step.first];
  std::byte* into = at(call_.memories, part.into);
  const std::byte* theirs = at(call_.memories, part.theirs);
  if (into == theirs) return true;
  if (const Work work = own_work(); work.has_help(Effect::replace, part.bytes))
    work.apply(Effect::replace, into, into, theirs, part.bytes);
  else
    std::memcpy(into, theirs, part.bytes);  // as a whole: it knows how to go round the caches
  return true;
}

Work Execution::own_work() const {
  return {endpoint_.fabric(), endpoint_.arena_help(), call_.reduction, call_.element_bytes};
}

Head Execution::head(const Movement& movement, Kind kind, std::size_t bytes) const {
  Head made = call_.head;
  made.round = movement.tag;
  made.kind = kind;
  made.bytes = static_cast<std::uint16_t>(bytes);
  return made;
}

/// What the message's lines carry: the part itself if it is one, else all parts one after the other.
const std::byte* Execution::payload(const Movement& movement) {
  const auto parts = parts_of(plan_, movement);
  if (parts.empty()) return endpoint_.room();
  if (parts.front().bytes == movement.bytes) return at(call_.memories, parts.front().theirs);
  for (const Piece& part : parts)
    std::memcpy(endpoint_.room() + part.at, at(call_.memories, part.theirs), part.bytes);
  return endpoint_.room();
}

bool Execution::send(const Step& step, const Movement& movement) {
  if (movement.carriage == Carriage::lines)
    return endpoint_.send(node(movement.to), head(movement, Kind::data, movement.bytes), payload(movement));
  return announce(step, movement.to, head(movement, Kind::source, sizeof(Exposed)), movement.sender_copies);
}

/// Tells a peer where this node's memories are, and where to tell when it is done with them.
bool Execution::announce(const Step& step, Rank to, const Head& head, bool copies) {
  const Exposed exposed{call_.memories, endpoint_.open_ticket(), own_bytes(copies)};
  if (!endpoint_.send(node(to), head, reinterpret_cast<const std::byte*>(&exposed))) {
    endpoint_.close_ticket(exposed.ticket);
    return false;
  }
  call_.tickets[step.index] = exposed.ticket;
  return true;
}

bool Execution::arrive(const Step& step) {
  if (call_.context->station(call_.rank).met < call_.meeting) return false;  // an earlier call comes first
  if (rendezvous(step).arrive(step.count)) {
    rendezvous(step).release(meeting(step));
    if (endpoint_.fabric().may_park()) endpoint_.fabric().ring_all(*call_.context);
  }
  return true;
}

bool Execution::publish(const Step& step, const Movement& movement) {
  Station& own = call_.context->station(call_.rank);
  if (own.published != call_.publication + step.index) return false;  // an earlier call comes first
  const Exposed exposed{call_.memories, {}, 0};
  const bool carried = movement.carriage == Carriage::lines;
  const Head shown =
      carried ? head(movement, Kind::data, movement.bytes) : head(movement, Kind::source, sizeof exposed);
  const std::byte* bytes = carried ? payload(movement) : reinterpret_cast<const std::byte*>(&exposed);
  if (!own.board.publish(shown, bytes, step.count)) return false;
  ++own.published;
  if (step.peer >= 0)
    endpoint_.fabric().ring(node(step.peer));
  else if (endpoint_.fabric().may_park())
    endpoint_.fabric().ring_all(*call_.context);
  return true;
}

bool Execution::expose(const Step& step, const Movement& movement) {
  return announce(step, movement.from, head(movement, Kind::destination, sizeof(Exposed)),
                  movement.receiver_copies);
}

/// What this node copies within its own memory while it shares a movement, if `copies`.
std::size_t Execution::own_bytes(bool copies) const {
  if (!copies) return 0;
  const Program& program = plan_.programs[static_cast<std::size_t>(call_.rank)];
  return at(call_.memories, program.own) == at(call_.memories, program.own_into) ? 0 : program.own_bytes;
}

/// Where the receiver's part ends and the sender's begins: so that both end together, when they also copy so
/// many bytes of their own.
std::size_t Execution::receivers_part(const Movement& movement, std::size_t senders_own,
                                      std::size_t receivers_own) const {
  if (movement.carriage != Carriage::shared) return movement.bytes;
  // Memory accesses for a byte: combining has two operands.
  constexpr std::size_t copying = 2, combining = 3;
  const bool combines = parts_of(plan_, movement).front().effect != Effect::replace;
  const std::size_t each = combines ? combining : copying;
  const std::size_t sender = movement.bytes * each + senders_own * copying;
  const std::size_t receiver = receivers_own * copying;
  const std::size_t ahead = sender > receiver ? sender - receiver : 0;
  const std::size_t grain = call_.element_bytes * cache_line;
  return std::min(ahead / each / (2u + movement.beside), movement.bytes) / grain * grain;
}

/// Takes over what has arrived: out of the payload, or out of the memory that it names.
void Execution::settle(const Movement& movement, const Head& head, const std::byte* payload) {
  if (head.kind == Kind::data) {
    for (const Piece& part : parts_of(plan_, movement)) {
      std::byte* const into = at(call_.memories, part.into);
      const std::byte* const theirs = payload + part.at;
      if (part.effect == Effect::replace) {
        copy_small(into, theirs, part.bytes);
        continue;
      }
      const std::byte* const own = at(call_.memories, part.own);
      const bool own_first = part.effect == Effect::combine_after;
      call_.reduction->combine(call_.reduction->state, into, own_first ? own : theirs,
                               own_first ? theirs : own, part.bytes / call_.element_bytes);
    }
    return;
  }
  const Work work = own_work();
  const Guard guard(endpoint_.fabric(), endpoint_.rank());
  const Exposed theirs = exposed_in(payload);
  const std::size_t part = receivers_part(movement, theirs.own_bytes, own_bytes(movement.receiver_copies));
  move(work, plan_, movement, theirs.memories, call_.memories, 0, part);
}

bool Execution::receive(const Movement& movement) {
  Head arrived;
  const Rank from = node(movement.from);
  const std::byte* payload = endpoint_.receive(from, head(movement, Kind::data, 0), arrived);
  if (payload == nullptr) return false;
  const bool announced = arrived.kind == Kind::source;
  const Ticket ticket = announced ? exposed_in(payload).ticket : Ticket{};
  if (announced) prefetch_for_write(ticket.cell);  // for tell()
  settle(movement, arrived, payload);
  endpoint_.done(from);
  if (announced) endpoint_.tell(from, ticket);
  return true;
}

bool Execution::take(const Movement& movement) {
  Board& shelf = board(movement.from);
  Head shown;
  if (!shelf.front(head(movement, Kind::data, 0), shown)) return false;
  if (shown.signature != call_.head.signature)
    throw Mismatch(
        mismatch_text(endpoint_.fabric(), endpoint_.rank(), node(movement.from), shown.context, shown.call));
  settle(movement, shown, shelf.payload(shown));
  shelf.take(shown);
  endpoint_.fabric().ring(node(movement.from));
  return true;
}

bool Execution::serve(const Movement& movement) {
  Head exposed;
  const Rank to = node(movement.to);
  const std::byte* payload = endpoint_.receive(to, head(movement, Kind::destination, 0), exposed);
  if (payload == nullptr) return false;
  const Exposed theirs = exposed_in(payload);
  {
    const Guard guard(endpoint_.fabric(), endpoint_.rank());
    const Work work = own_work();
    const std::size_t part = receivers_part(movement, own_bytes(movement.sender_copies), theirs.own_bytes);
    move(work, plan_, movement, call_.memories, theirs.memories, part, movement.bytes);
  }
  endpoint_.done(to);
  endpoint_.tell(to, theirs.ticket);
  return true;
}

}
