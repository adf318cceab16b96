#include <barrier>

#include "collectives/contestants.hpp"
#include "collectives/duty.hpp"

namespace vnode::bench {

Contestant collective_std(const SharedTask& task) {
  auto meeting = std::make_shared<std::barrier<>>(task->setting.nodes);
  return {.by = "std", .call = [task, meeting, duties = shared_duties(*task)](const Seat& seat) {
            meeting->arrive_and_wait();
            duties[static_cast<std::size_t>(seat.rank)]();
            meeting->arrive_and_wait();
          }};
}

}  // namespace vnode::bench
