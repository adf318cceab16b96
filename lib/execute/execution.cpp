#include "execute/execution.hpp"

#include <algorithm>
#include <cstring>

#include <vnode/error.hpp>

#include "watch/mismatch.hpp"

namespace vnode {

Awaited Execution::awaited() const {
  const Step& step = *next_;
  // A step gathers fewer publications than a team has nodes, and these are at most 2^15.
  const auto progress = static_cast<std::uint64_t>(next_ - program_.steps.data()) << 15 | arrived_;
  const bool gathers = step.kind == Step::Kind::gather || step.kind == Step::Kind::await_begun;
  const Rank peer = gathers                             ? next_gathered(step).peer
                    : step.kind == Step::Kind::read_all ? static_cast<Rank>(arrived_)
                                                        : step.peer;
  return call_.awaited(step.round, peer, progress);
}

const std::atomic<std::uint64_t>* Execution::watch() const {
  const Step& step = *next_;
  switch (step.kind) {
    case Step::Kind::receive:
    case Step::Kind::serve:
      return endpoint_.watch(call_.node(step.peer));
    case Step::Kind::take:
      return call_.board(step.peer).watch(call_.head_of(step.round));
    case Step::Kind::gather: {
      const Incoming& next = next_gathered(step);
      if (next.lands) return endpoint_.watch(call_.node(next.peer));
      return call_.board(next.peer).watch(call_.head_of(next.round));
    }
    case Step::Kind::await_begun:
      return &call_.context->member_state(next_gathered(step).peer).history;
    case Step::Kind::await_done:
      return &call_.tickets[step.index].cell->done;
    case Step::Kind::await_release:
      return barrier(step).watch();
    case Step::Kind::read_all:
      return &call_.context->member_state(static_cast<Rank>(arrived_)).opened_in;
    default:
      return nullptr;
  }
}

bool Execution::attempt(const Step& step) {
  switch (step.kind) {
    case Step::Kind::receive:
      return receive(incoming(step));
    case Step::Kind::send:
      return send(step);
    case Step::Kind::publish:
      return publish(step);
    case Step::Kind::take:
      return take(step);
    case Step::Kind::gather:
      return gather(step);
    case Step::Kind::signal:
      ring(step.peer);
      return true;
    case Step::Kind::await_begun:
      return have_begun(step);
    case Step::Kind::expose:
      return expose(step);
    case Step::Kind::serve:
      return serve(outgoing(step));
    case Step::Kind::await_done:
      return endpoint_.ended(call_.tickets[step.index]);
    case Step::Kind::await_taken:
      return have_taken(step);
    case Step::Kind::arrive:
      return arrive(step);
    case Step::Kind::await_release:
      if (!barrier(step).released(meeting(step))) return false;
      ++own().met;
      return true;
    case Step::Kind::open:
      return open(program_.copies[step.first]);
    case Step::Kind::read_all:
      return read_all(program_.copies[step.first]);
    case Step::Kind::bring:
      bring(step);
      return true;
    case Step::Kind::take_brought:
      take_brought(step);
      return true;
    case Step::Kind::copy:
      break;
  }
  copy(program_.copies[step.first]);
  return true;
}

void Execution::copy(const OwnCopy& copied) const {
  std::byte* into = at(call_.memories, copied.into);
  const std::byte* from = at(call_.memories, copied.from);
  if (into == from) return;
  if (work().has_help(Effect::replace, copied.bytes))
    work().copy(into, from, copied.bytes);
  else
    copy_small(into, from, copied.bytes);  // a large one as a whole: memcpy knows how to go round the caches
}

bool Execution::arrive(const Step& step) {
  if (own().met < call_.meeting) return false;  // an earlier call comes first
  if (call_.context->arrival(static_cast<Rank>(step.index), call_.rank).count()) {
    barrier(step).release(meeting(step));
    endpoint_.fabric().ring_all(*call_.context);
  }
  return true;
}

/// Returns the payload of an eager message: the part itself if there is only one, else a copy of all parts
/// one after the other.
const std::byte* Execution::payload(const Outgoing& message) const {
  const auto sources = program_.sources_of(message);
  if (sources.size() == 1) return at(call_.memories, sources.front().theirs);
  gather_payload(message, endpoint_.room());
  return endpoint_.room();
}

void Execution::gather_payload(const Outgoing& message, std::byte* into) const {
  for (const Source& part : program_.sources_of(message)) {
    std::memcpy(into, at(call_.memories, part.theirs), part.bytes);
    into += part.bytes;
  }
}

bool Execution::send(const Step& step) {
  const Outgoing& sent = outgoing(step);
  const Rank to = call_.node(sent.peer);
  const Head head = call_.head_of(sent.round);
  if (sent.carriage == Carriage::lines)
    return transfer::eager(endpoint_, to, head, payload(sent), sent.bytes);
  if (endpoint_.remote(to) != nullptr) {
    const auto sources = program_.sources_of(sent);
    const std::byte* const whole = sources.size() == 1 ? at(call_.memories, sources.front().theirs) : nullptr;
    return transfer::send_remotely(endpoint_, to, head, whole, sent.bytes, false, call_.tickets[step.index],
                                   [&](std::byte* into) { gather_payload(sent, into); });
  }
  return transfer::announce(endpoint_, to, head, Kind::source, call_.memories, own_bytes(sent.copies),
                            call_.tickets[step.index]);
}

bool Execution::expose(const Step& step) {
  const Incoming& expected = incoming(step);
  return transfer::announce(endpoint_, call_.node(expected.peer), call_.head_of(expected.round),
                            Kind::destination, call_.memories, own_bytes(expected.copies),
                            call_.tickets[step.index]);
}

bool Execution::publish(const Step& step) {
  const Outgoing& shown = outgoing(step);
  MemberState& own = this->own();
  if (own.published != call_.publication + step.index) return false;  // an earlier call comes first
  const auto show = [&](Kind kind, const std::byte* payload, std::size_t bytes) {
    Head head = call_.head_of(shown.round);
    head.kind = kind;
    head.bytes = static_cast<std::uint16_t>(bytes);
    return own.board.publish(head, call_.first + shown.round, payload, readers(step),
                             ReadWords(*call_.context, call_.rank));
  };
  if (!(shown.carriage == Carriage::lines
            ? show(Kind::data, payload(shown), shown.bytes)
            : show(Kind::source, Announcement<Memories>{call_.memories}.payload(),
                   sizeof(Announcement<Memories>))))
    return false;
  ++own.published;
  ring(step.peer);
  return true;
}

/// Wakes a member, or all if `peer` is -1.
void Execution::ring(Rank peer) const {
  if (peer >= 0)
    endpoint_.fabric().ring(call_.node(peer));
  else
    endpoint_.fabric().ring_all(*call_.context);
}

/// Returns where the message goes, if it goes there as it is and as a whole; else nothing.
std::span<std::byte> Execution::place(const Incoming& message) const {
  const auto pieces = program_.pieces_of(message);
  if (pieces.size() != 1 || pieces.front().effect != Effect::replace || pieces.front().at != 0) return {};
  return {at(call_.memories, pieces.front().into), pieces.front().bytes};
}

bool Execution::receive(const Incoming& message) {
  const Rank from = call_.node(message.peer);
  return transfer::receive<Memories>(
      endpoint_, from, call_.head_of(message.round), place(message),
      [&](const std::byte* payload, std::size_t bytes) {
        if (bytes > max_inline)
          settle_long(message, payload);
        else
          settle(message, payload);
      },
      [&](const Announcement<Memories>& theirs) {
        transfer::finish(endpoint_, from, theirs.ticket, [&] { pull(message, theirs); });
      });
}

bool Execution::serve(const Outgoing& message) {
  const Rank to = call_.node(message.peer);
  Head head = call_.head_of(message.round);
  head.kind = Kind::destination;
  return transfer::receive<Memories>(
      endpoint_, to, head, {}, [](const std::byte*, std::size_t) {},
      [&](const Announcement<Memories>& theirs) {
        transfer::finish(endpoint_, to, theirs.ticket, [&] {
          const auto pieces = plan_.pieces(call_.rank, message);
          const std::size_t first = middle(message, pieces, own_bytes(message.copies), theirs.bytes);
          move(program_.sources_of(message), call_.memories, pieces, theirs.memory, first, message.bytes);
        });
      });
}

/// Returns whether the sender has published this. Throws Mismatch if what it has published is of another
/// call.
bool Execution::is_shown(const Incoming& message) const {
  Head shown;
  if (!call_.board(message.peer).front(call_.head_of(message.round), shown)) return false;
  if (shown.signature != call_.head.signature)
    throw Mismatch(mismatch_text(endpoint_.fabric(), endpoint_.rank(), call_.node(message.peer),
                                 shown.context, shown.call));
  return true;
}

/// Returns whether all readers of this publication have read it.
bool Execution::have_taken(const Step& step) const {
  return own().board.have_read(readers(step), call_.first + step.round,
                               ReadWords(*call_.context, call_.rank));
}

/// Returns whether, after this step, the node may tell what it has read: not while it has to read for an
/// earlier call.
bool Execution::may_tell(const Step& step) const { return own().read_rounds == call_.reading + step.index; }

/// Tells the owners of all boards that the node has read all that it had to read up to this round.
void Execution::tell_read(const Step& step) const {
  MemberState& own = this->own();
  ++own.read_rounds;
  // Release: pairs with ReadWords. What was read has been read.
  own.read.store(call_.first + step.round, std::memory_order_release);
  Fabric& fabric = endpoint_.fabric();
  if (!fabric.some_sleep()) return;
  for (auto message = std::ranges::lower_bound(program_.incoming, step.round, {}, &Incoming::round);
       message != program_.incoming.end() && message->round == step.round; ++message)
    if (!message->lands) fabric.ring(call_.node(message->peer));
}

bool Execution::take(const Step& step) {
  const Incoming& message = incoming(step);
  if ((step.count != 0 && !may_tell(step)) || !is_shown(message)) return false;
  const std::byte* payload = call_.board(message.peer).payload(call_.head_of(message.round));
  if (message.packed) payload += plan_.packed(call_.rank, message).at;
  if (message.carriage == Carriage::lines) {
    settle(message, payload);
  } else {
    const Guard guard(endpoint_.fabric(), endpoint_.rank());
    pull(message, Announcement<Memories>::in(payload));
  }
  if (step.count != 0) tell_read(step);
  return true;
}

/// Returns whether a gathered message that lands has come; if so, takes it to its place in scratch.
bool Execution::lands(const Incoming& message) const {
  const std::span<std::byte> place(at(call_.memories, message.landing), message.bytes);
  return transfer::receive<Memories>(
      endpoint_, call_.node(message.peer), call_.head_of(message.round), place,
      [&](const std::byte* payload, std::size_t bytes) {
        if (bytes != 0 && payload != place.data()) std::memcpy(place.data(), payload, bytes);
      },
      [](const Announcement<Memories>&) {});
}

bool Execution::gather(const Step& step) {
  if (!may_tell(step)) return false;
  const Gather& gathering = program_.gathers[step.first];
  for (; arrived_ < gathering.sources; ++arrived_) {
    const Incoming& next = next_gathered(step);
    if (next.lands ? !lands(next) : !is_shown(next)) return false;
  }
  combine_published(endpoint_, plan_, call_,
                    std::span(program_.combines).subspan(gathering.first_combine, gathering.combines));
  tell_read(step);
  arrived_ = 0;
  return true;
}

bool Execution::have_begun(const Step& step) {
  for (; arrived_ < program_.gathers[step.first].sources; ++arrived_)
    if (!has_begun(next_gathered(step).peer)) return false;
  arrived_ = 0;
  return true;
}

/// Returns whether a member has begun this call. Throws Mismatch if it is seen to have made other calls.
bool Execution::has_begun(Rank member) const {
  // Relaxed: only this node writes its own. Acquire: pairs with (a) in Member::begin(), so what the member
  // did before the call has been done.
  const History own = History::of(this->own().history.load(std::memory_order_relaxed)),
                theirs =
                    History::of(call_.context->member_state(member).history.load(std::memory_order_acquire));
  if (!theirs.has_begun(call_.head.call)) return false;
  if (theirs.call == own.call && theirs.hash != own.hash)
    if (const std::string text =
            difference_text(endpoint_.fabric(), *call_.context, call_.rank, member, false);
        !text.empty())
      throw Mismatch(text);
  return true;
}

/// Copies or combines a payload that has arrived in lines.
void Execution::settle(const Incoming& message, const std::byte* payload) const {
  for (const Piece& part : program_.pieces_of(message)) {
    std::byte* const into = at(call_.memories, part.into);
    const std::byte* const theirs = payload + part.at;
    if (part.effect == Effect::replace) {
      if (into != theirs) copy_small(into, theirs, part.bytes);
      continue;
    }
    const std::byte* const own = at(call_.memories, part.own);
    const bool own_first = part.effect == Effect::combine_after;
    call_.reduction->combine(call_.reduction->state, into, own_first ? own : theirs, own_first ? theirs : own,
                             part.bytes / call_.element_bytes);
  }
}

/// Copies or combines the payload of a long message from another process, in segments, and with the arena's
/// help.
void Execution::settle_long(const Incoming& message, const std::byte* payload) const {
  for (const Piece& part : program_.pieces_of(message)) {
    std::byte* const into = at(call_.memories, part.into);
    if (into != payload + part.at)
      work().apply(part.effect, into, at(call_.memories, part.own), payload + part.at, part.bytes);
  }
}

/// Copies or combines the receiver's part of what the sender has announced.
void Execution::pull(const Incoming& message, const Announcement<Memories>& theirs) const {
  const auto pieces = program_.pieces_of(message);
  move(plan_.sources(call_.rank, message), theirs.memory, pieces, call_.memories, 0,
       middle(message, pieces, theirs.bytes, own_bytes(message.copies)));
}

/// Copies or combines bytes [first, last) of a message from its sender's memories `from` to its receiver's
/// memories `to`.
void Execution::move(std::span<const Source> sources, const Memories& from, std::span<const Piece> pieces,
                     const Memories& to, std::size_t first, std::size_t last) const {
  auto source = sources.begin();
  std::size_t passed = 0;  // bytes of the sources before it
  for (const Piece& piece : pieces) {
    const std::size_t end = std::min(last, piece.at + piece.bytes);
    for (std::size_t begin = std::max(first, piece.at); begin < end;) {
      if (begin < passed) {  // a message that feeds a second place
        source = sources.begin();
        passed = 0;
      }
      for (; begin >= passed + source->bytes; ++source) passed += source->bytes;
      const std::size_t skip = begin - piece.at;
      const std::size_t bytes = std::min(end, passed + source->bytes) - begin;
      work().apply(piece.effect, at(to, piece.into) + skip, at(to, piece.own) + skip,
                   at(from, source->theirs) + (begin - passed), bytes);
      begin += bytes;
    }
  }
}

/// Returns how many bytes this node copies within its own memory while it shares a message; 0 unless
/// `copies`.
std::size_t Execution::own_bytes(bool copies) const {
  if (!copies) return 0;
  return at(call_.memories, program_.own) == at(call_.memories, program_.own_into) ? 0 : program_.own_bytes;
}

/// Returns where the receiver's part of a message ends.
std::size_t Execution::middle(const MessageEnd& message, std::span<const Piece> pieces,
                              std::size_t senders_own, std::size_t receivers_own) const {
  if (message.carriage != Carriage::shared) return message.bytes;
  return receivers_part({.bytes = message.bytes,
                         .element_bytes = call_.element_bytes,
                         .combines = pieces.front().effect != Effect::replace,
                         .senders_own = senders_own,
                         .receivers_own = receivers_own,
                         .beside = message.beside});
}

}  // namespace vnode
