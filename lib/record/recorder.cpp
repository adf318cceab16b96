#include "record/recorder.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace vnode {

void Recorder::begin(std::uint16_t context, std::uint32_t call, Rank rank, int nodes,
                     const CallRecord& record) {
  TraceEvent event{.end_of = TraceEvent::End::call, .context = context, .call = call};
  event.rank = rank;
  event.peer = nodes;
  event.bytes = record.count;
  event.begin = event.end = now();
  event.kind = record.kind;
  this->record(event);
}

void Recorder::done(std::uint16_t context, std::uint32_t call, Rank rank) {
  TraceEvent event{.end_of = TraceEvent::End::done, .context = context, .call = call};
  event.rank = rank;
  event.begin = event.end = now();
  record(event);
}

std::size_t Recorder::take(std::vector<TraceEvent>& events) {
  queue_.consume_all([&](const TraceEvent& event) { events.push_back(event); });
  return dropped_.exchange(0, std::memory_order_relaxed);  // a mere counter
}

std::string_view enums::name(Occupation::Kind kind) {
  static constexpr std::array<std::string_view, 4> names{"wait", "copy", "combine", "send"};
  return names[static_cast<std::size_t>(kind)];
}

// What the two ends of a message have recorded becomes one message here.

namespace {

using End = TraceEvent::End;

/// Holds the events that are known of a message.
struct Ends {
  const TraceEvent *sent = nullptr, *received = nullptr, *served = nullptr;
};

/// Collects the events of one call.
class Joint {
 public:
  void add(const TraceEvent& event) {
    first_ = std::min(first_, event.begin);
    if (event.occupation) occupied_.push_back(&event);
    switch (event.end_of) {
      case End::none:
        break;
      case End::call:
        record_ = {event.kind, event.bytes};
        nodes_ = event.peer;
        break;
      case End::done:
        ++done_;
        break;
      case End::sent:
        ends_[{event.round, event.rank, event.peer}].sent = &event;
        break;
      case End::served:
        ends_[{event.round, event.rank, event.peer}].served = &event;
        break;
      case End::received:
      case End::taken:
        ends_[{event.round, event.peer, event.rank}].received = &event;
        break;
      case End::published:
        published_[{event.rank, event.round}] = &event;
        break;
      case End::forwarded: {
        Ends& ends = ends_[{event.round, event.rank, event.peer}];
        ends.sent = ends.received = &event;
        break;
      }
      case End::arrived:
        arrived_[event.round].push_back(&event);
        break;
      case End::released:
        released_[event.round].push_back(&event);
        break;
    }
  }

  TracedCall done(std::uint16_t context, std::uint32_t number) {
    call_.group = context;
    call_.number = number;
    call_.complete = nodes_ > 0 && done_ == nodes_;
    for (const auto& [key, ends] : ends_) add_message(key, ends);
    for (const auto& [round, arrivals] : arrived_) add_meeting(round, arrivals);
    for (const TraceEvent* event : occupied_) {
      call_.occupations.push_back(
          {event->rank, *event->occupation, event->round, seconds(event->begin), seconds(event->end)});
      nodes_ = std::max(nodes_, event->rank + 1);
    }
    std::ranges::stable_sort(call_.occupations, {},
                             [](const Occupation& o) { return std::pair(o.node, o.begin); });
    Timeline& timeline = call_.timeline;
    std::ranges::sort(timeline.messages, {},
                      [](const TimedMessage& m) { return std::tuple(m.start, m.round, m.from, m.to); });
    timeline.nodes = nodes_;
    if (record_.kind != nullptr) timeline.of.algorithm = record_.kind->algorithm;
    timeline.title = record_.kind != nullptr ? record_.text() : fmt::format("call {}", number);
    double last = 0;
    for (const TimedMessage& message : timeline.messages) last = std::max(last, message.end);
    if (!timeline.messages.empty()) timeline.seconds = last - timeline.messages.front().start;
    return std::move(call_);
  }

  std::int64_t first() const { return first_; }

 private:
  using Key = std::tuple<int, Rank, Rank>;  // round, sender, receiver

  double seconds(std::int64_t time) const { return static_cast<double>(time - first_) * 1e-9; }

  void add_message(const Key& key, const Ends& ends) {
    const auto [round, from, to] = key;
    const TraceEvent* sent = ends.sent;
    if (ends.received != nullptr && ends.received->end_of == End::taken) {
      const auto publication = published_.find({from, round});
      sent = publication == published_.end() ? nullptr : publication->second;
    }
    if (sent == nullptr || ends.received == nullptr) return;
    const bool copied = ends.received->in_place;
    std::int64_t departure = copied ? ends.received->begin : sent->end, end = ends.received->end;
    if (ends.served != nullptr) {
      departure = std::min(departure, ends.served->begin);
      end = std::max(end, ends.served->end);
    }
    add({round, from, to, ends.received->bytes}, sent->begin, departure, end);
  }

  /// Adds the messages of a central barrier, at which all signal to one, which signals to all: none of these
  /// is recorded as a message.
  void add_meeting(int round, const std::vector<const TraceEvent*>& arrivals) {
    std::int64_t met = 0;
    for (const TraceEvent* event : arrivals) met = std::max(met, event->end);
    for (const TraceEvent* event : arrivals)
      if (event->rank != event->peer)
        add({round, event->rank, event->peer, event->bytes}, event->begin, event->end, met);
    for (const TraceEvent* event : released_[round + 1])
      if (event->rank != event->peer)
        add({round + 1, event->peer, event->rank, event->bytes}, met, met, event->end);
  }

  void add(TimedMessage message, std::int64_t start, std::int64_t departure, std::int64_t end) {
    end = std::max(end, start);
    message.start = seconds(start);
    message.departure = seconds(std::clamp(departure, start, end));
    message.end = seconds(end);
    call_.timeline.messages.push_back(message);
  }

  std::map<Key, Ends> ends_;
  std::map<std::pair<Rank, std::uint16_t>, const TraceEvent*> published_;
  std::map<int, std::vector<const TraceEvent*>> arrived_, released_;  // by round
  std::vector<const TraceEvent*> occupied_;
  CallRecord record_;
  int nodes_ = 0, done_ = 0;
  std::int64_t first_ = std::numeric_limits<std::int64_t>::max();
  TracedCall call_;
};

}

Trace joined(const std::vector<TraceEvent>& events) {
  std::map<std::tuple<std::uint16_t, std::uint16_t, std::uint32_t>, Joint> calls;
  for (const TraceEvent& event : events) calls[{event.failures, event.context, event.call}].add(event);
  std::vector<std::pair<std::int64_t, TracedCall>> by_begin;
  for (auto& [key, joint] : calls) {
    const std::int64_t first = joint.first();
    by_begin.emplace_back(first, joint.done(std::get<1>(key), std::get<2>(key)));
  }
  std::ranges::stable_sort(by_begin, {}, [](const auto& entry) { return entry.first; });
  Trace trace;
  for (auto& entry : by_begin) trace.calls.push_back(std::move(entry.second));
  return trace;
}

}  // namespace vnode
