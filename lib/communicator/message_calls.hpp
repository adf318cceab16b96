#pragma once

#include <cstddef>
#include <memory>
#include <tuple>
#include <utility>

#include "communicator/call_counters.hpp"
#include "communicator/member.hpp"
#include "communicator/message_kinds.hpp"
#include "runtime/matching.hpp"

namespace vnode {

// How a member's messages are called: blocking or in flight, counted or not.

/// How many bytes there are in what a call sends, or has received.
template <class Message>
std::size_t bytes_of(const Message& message) {
  if constexpr (Message::inwards)
    return message.received_bytes();
  else
    return message.bytes();
}
template <class Incoming>
std::size_t bytes_of(const Exchange<Incoming>& both) {
  return both.outgoing.bytes();
}

/// A message in flight, an activity of this kind, that is counted when it is complete.
template <class Kind>
class CountedMessage final : public Activity {
 public:
  static constexpr bool inwards = Kind::inwards;

  template <class... Arguments>
  CountedMessage(CallCounters& counters, const CountedKind& kind, Arguments&&... arguments)
      : counters_(counters), kind_(kind), times_(counters), message_(std::forward<Arguments>(arguments)...) {}

  bool advance() override {
    if (!times_.advance(message_, engine() != nullptr && engine()->awaits(*this))) return false;
    const std::size_t bytes = bytes_of(message_.message());
    kind_.size_class = size_class_of(bytes);
    times_.end(counters_.row(kind_), bytes);
    return true;
  }
  Awaited awaited() const override { return message_.awaited(); }
  const std::atomic<std::uint64_t>* watch() const override { return message_.watch(); }
  std::optional<Lane> lane() const override { return message_.lane(); }
  void bind(Rank from, std::uint32_t tag) override { message_.bind(from, tag); }
  std::size_t received(MessageInfo& info) const override { return message_.received(info); }

 private:
  CallCounters& counters_;
  CountedKind kind_;
  CallTimes times_;
  Kind message_;
};

/// Blocking messages: alone they are waited for as they are; beside calls in flight they join these. `alone`
/// has them all.
template <class Alone, class... Messages>
void Member::complete(const CallKind& kind, int tag, std::size_t count, Alone& alone, Messages&... messages) {
  if (engine_.counters() != nullptr) [[unlikely]]
    return complete_counted(kind, tag, count, alone, messages...);
  if (!engine_.busy())
    return engine_.guarded([&] {
      note(kind, tag, count);
      const auto expect = [&](auto&& ready) { return engine_.expect(ready); };
      if constexpr (requires { alone.at_once(expect); })
        if (engine_.is_plain() && alone.at_once(expect)) return;
      engine_.wait(alone);
    });
  complete_among_others(kind, tag, count, messages...);
}

template <class... Messages>
void Member::complete_among_others(const CallKind& kind, int tag, std::size_t count, Messages&... messages) {
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

/// Beside calls in flight, all its time is waiting.
template <class Alone, class... Messages>
void Member::complete_counted(const CallKind& kind, int tag, std::size_t count, Alone& alone,
                              Messages&... messages) {
  CallTimes times(*engine_.counters());
  if (engine_.busy()) {
    const Ticks begin = now();
    complete_among_others(kind, tag, count, messages...);
    times.waited(alone.awaited().peer, now() - begin);
  } else {
    engine_.guarded([&] {
      note(kind, tag, count);
      TimedStep<Alone> timed{alone, times};
      engine_.wait(timed);
    });
  }
  const std::size_t bytes = bytes_of(alone);
  times.end(row_of(kind.collective, bytes), bytes);
}

template <class Activity>
[[gnu::always_inline]] inline Request Member::started(const CallKind& kind, int tag, std::size_t count,
                                                      std::unique_ptr<Activity> message) {
  engine_.guarded([&] {
    note(kind, tag, count);
    engine_.start(*message);
  });
  return Request(std::move(message), Activity::inwards);
}

template <class Kind, class... Arguments>
Request Member::start_counted(const CallKind& kind, int tag, std::size_t count, Arguments&&... arguments) {
  return started(kind, tag, count,
                 std::unique_ptr<CountedMessage<Kind>>(new (engine_.call_memory()) CountedMessage<Kind>(
                     *engine_.counters(), {.operation = kind.collective, .group = counted_group_},
                     std::forward<Arguments>(arguments)...)));
}

/// A message in flight, an activity of this kind.
template <class Kind, class... Arguments>
[[gnu::always_inline]] inline Request Member::start_activity(const CallKind& kind, int tag, std::size_t count,
                                                             Arguments&&... arguments) {
  if (engine_.counters() != nullptr) [[unlikely]]
    return start_counted<Kind>(kind, tag, count, std::forward<Arguments>(arguments)...);
  return started(
      kind, tag, count,
      std::unique_ptr<Kind>(new (engine_.call_memory()) Kind(std::forward<Arguments>(arguments)...)));
}

template <class Message, class... Arguments>
[[gnu::always_inline]] inline Request Member::start(const CallKind& kind, int tag, std::size_t count,
                                                    Arguments&&... arguments) {
  return start_activity<MessageActivity<Message>>(kind, tag, count, engine_.endpoint(),
                                                  std::forward<Arguments>(arguments)...);
}

}  // namespace vnode
