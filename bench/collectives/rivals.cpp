#include <algorithm>
#include <barrier>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "collectives/question.hpp"
#include "questions/barrier.hpp"
#include "questions/hosts.hpp"

namespace vnode::bench {
namespace {

constexpr std::size_t grain = 8192;  // bytes: what stays in the nearest cache
constexpr std::size_t line = 64;

}  // namespace

Contestant collective_std(const SharedTask& task) {
  auto meeting = std::make_shared<std::barrier<>>(task->setting.nodes);
  return {.by = "std", .call = [task, meeting, items = shared_items(*task)](const Seat& seat) {
            meeting->arrive_and_wait();
            items[static_cast<std::size_t>(seat.rank)]();
            meeting->arrive_and_wait();
          }};
}

Contestant collective_naive(const SharedTask& task) {
  return {.by = "naive",
          .call = [task, items = own_items(*task),
                   meet = barrier_naive(task->setting.nodes).call](const Seat& seat) {
            meet(seat);
            items[static_cast<std::size_t>(seat.rank)]();
            meet(seat);
          }};
}

Contestant collective_tbb(const SharedTask& task) {
  const WorkItem whole{*task, task->work, {}};
  const std::size_t bytes = task->setting.bytes;
  return {.by = "tbb",
          .call =
              [task, whole, bytes](const Seat&) {
                const tbb::blocked_range<std::size_t> lines{0, (bytes + line - 1) / line, grain / line};
                tbb::parallel_for(lines, [&](const tbb::blocked_range<std::size_t>& some) {
                  const std::size_t begin = some.begin() * line;
                  whole({begin, std::min(bytes, some.end() * line) - begin});
                });
              },
          .host = &tbb_host};
}

}  // namespace vnode::bench
