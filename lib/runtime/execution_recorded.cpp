// The run through a program of a node whose team is traced.
#include <algorithm>

#include "runtime/execution.hpp"

namespace vnode {

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
