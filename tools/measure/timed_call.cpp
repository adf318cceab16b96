#include "measure/timed_call.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace vnode {
namespace {

using Nanoseconds = std::int64_t;

constexpr Nanoseconds late = 200;

Nanoseconds now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

CallStamp timed_call(Node& me, Persistent& call, bool core_each) {
  me.barrier();
  std::array<Nanoseconds, 1> deadline{};
  if (core_each) {
    // Long enough for the deadline to reach everybody.
    if (me.rank() == 0) deadline[0] = now() + 3000 + 1000 * Nanoseconds{me.size()};
    me.broadcast(deadline);
  }
  Nanoseconds entry = now();
  while (entry < deadline[0]) entry = now();
  call.start();
  call.wait();
  return {deadline[0], entry, now()};
}

CallTimes call_times(const std::vector<std::vector<CallStamp>>& by_rank, bool core_each) {
  CallTimes times;
  std::vector<double> all;
  for (std::size_t call = 0; call < by_rank.front().size(); ++call) {
    Nanoseconds entry = by_rank.front()[call].entry, last_entry = entry, exit = 0;
    for (const auto& of_rank : by_rank) {
      entry = std::min(entry, of_rank[call].entry);
      last_entry = std::max(last_entry, of_rank[call].entry);
      exit = std::max(exit, of_rank[call].exit);
    }
    all.push_back(1e-9 * static_cast<double>(std::max<Nanoseconds>(exit - entry, 1)));
    if (!core_each || last_entry <= by_rank.front()[call].deadline + late)
      times.seconds.push_back(all.back());
  }
  times.calls = all.size();
  times.late = all.size() - times.seconds.size();
  if (times.seconds.empty()) times.seconds = std::move(all);
  return times;
}

}  // namespace vnode
