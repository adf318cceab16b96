// An execution records its steps if calls are traced: when it did what, and for how long it waited.
#include <algorithm>
#include <optional>
#include <span>

#include "execute/execution.hpp"
#include "record/recorder.hpp"

namespace vnode {

bool Execution::advance_recorded() {
  std::int64_t begin = Recorder::now();
  for (; next_ != end_; ++next_) {
    const Step& step = *next_;
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

/// Records that the step has been done from `begin` to `end`.
void Execution::record(const Step& step, std::int64_t begin, std::int64_t end) const {
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
  const auto of_message = [&](const MessageEnd& message, TraceEvent::End end_of, Rank peer,
                              Occupation::Kind kind) {
    event.end_of = end_of;
    event.occupation = kind;
    event.in_place = message.carriage != Carriage::lines;
    event.peer = peer;
    event.bytes = message.bytes;
    recorder_->record(event);
  };
  const auto of_all = [&](std::size_t bytes) {  // copies from each other node
    event.occupation = copy;
    event.end_of = TraceEvent::End::taken;
    event.in_place = true;
    event.bytes = bytes;
    for (event.peer = 0; event.peer < call_.context->size(); ++event.peer) {
      if (event.peer == call_.rank) continue;
      recorder_->record(event);
      event.occupation.reset();
    }
  };
  // All bring what all get: the messages are those of all_reduce_central. Else each gets its part of all
  // others.
  const auto is_central = [&](const Step& brought) {
    return brought.count == 0 && program_.copies[0].bytes == program_.copies[1].bytes;
  };
  const auto of_meeting = [&](TraceEvent::End end_of, std::uint16_t round) {  // to node 0, and from there
    event.end_of = end_of;
    event.round = round;
    event.peer = 0;
    event.bytes = program_.copies.front().bytes;
    recorder_->record(event);
  };
  const auto occupied = [&](std::span<const Piece> pieces) {
    return !pieces.empty() && pieces.front().effect != Effect::replace ? combine : copy;
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
      of_message(outgoing(step), TraceEvent::End::sent, step.peer, send);
      break;
    case Step::Kind::publish:
    case Step::Kind::signal:
      of_message(outgoing(step), TraceEvent::End::published, -1, send);
      break;
    case Step::Kind::receive:
    case Step::Kind::take:
      of_message(incoming(step),
                 step.kind == Step::Kind::take ? TraceEvent::End::taken : TraceEvent::End::received,
                 step.peer, occupied(program_.pieces_of(incoming(step))));
      break;
    case Step::Kind::serve:
      of_message(outgoing(step), TraceEvent::End::served, step.peer,
                 occupied(plan_.pieces(call_.rank, outgoing(step))));
      break;
    case Step::Kind::gather:
      event.occupation = combine;
      recorder_->record(event);
      record_gathered(program_.gathers[step.first], event);
      break;
    case Step::Kind::await_begun:
      record_gathered(program_.gathers[step.first], event);
      break;
    case Step::Kind::bring:
      if (is_central(step)) of_meeting(TraceEvent::End::arrived, 0);
      break;
    case Step::Kind::take_brought:
      if (is_central(step))
        of_meeting(TraceEvent::End::released, 1);
      else
        of_all(std::min(program_.copies[0].bytes, program_.copies[1].bytes));
      break;
    case Step::Kind::open:
      if (const Step& next = (&step)[1]; next.kind == Step::Kind::bring && is_central(next)) break;
      event.end_of = TraceEvent::End::published;
      event.peer = -1;
      event.bytes = program_.copies[step.first].bytes;
      recorder_->record(event);
      break;
    case Step::Kind::read_all:
      of_all(program_.copies[step.first].bytes);
      break;
    case Step::Kind::arrive:
    case Step::Kind::await_release:
      if (step.first > most_rounds) break;  // no messages: a meeting beside them
      event.end_of = step.kind == Step::Kind::arrive ? TraceEvent::End::arrived : TraceEvent::End::released;
      event.peer = static_cast<Rank>(step.index);
      recorder_->record(event);
      break;
    case Step::Kind::await_done:
    case Step::Kind::await_taken:
      break;
  }
}

/// Records the messages that were combined in one pass, and those that brought the result back.
void Execution::record_gathered(const Gather& gathering, TraceEvent event) const {
  event.occupation.reset();
  for (std::uint32_t i = 0; i < gathering.sources; ++i) {
    const Incoming& message = gathered(gathering, i);
    event.end_of = TraceEvent::End::taken;
    event.in_place = message.carriage != Carriage::lines;
    event.peer = message.peer;
    event.bytes = message.bytes;
    recorder_->record(event);
  }
  ++event.round;
  event.end_of = TraceEvent::End::forwarded;
  for (std::uint32_t i = 0; i < gathering.combines; ++i) {
    const Combine& place = program_.combines[gathering.first_combine + i];
    for (std::uint32_t j = 0; j < place.forwards; ++j) {
      const Outgoing& back = program_.outgoing[program_.forwards[place.first_forward + j]];
      event.peer = back.peer;
      event.bytes = back.bytes;
      recorder_->record(event);
    }
  }
}

}  // namespace vnode
