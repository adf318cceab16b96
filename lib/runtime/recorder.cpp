#include "runtime/recorder.hpp"

#include <array>

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

std::string_view name(Occupation::Kind kind) {
  static constexpr std::array<std::string_view, 4> names{"wait", "copy", "combine", "send"};
  return names[static_cast<std::size_t>(kind)];
}

}
