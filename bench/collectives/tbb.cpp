#include <algorithm>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "collectives/contestants.hpp"
#include "collectives/duty.hpp"

namespace vnode::bench {
namespace {

constexpr std::size_t grain = 8192;  // bytes: what stays in the nearest cache
constexpr std::size_t line = 64;

}  // namespace

Contestant collective_tbb(const SharedTask& task) {
  const Duty whole{*task, task->work, {}};
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
          .host = Host::tbb};
}

}  // namespace vnode::bench
