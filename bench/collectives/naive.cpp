#include "barrier/contestants.hpp"
#include "collectives/contestants.hpp"
#include "collectives/duty.hpp"

namespace vnode::bench {

Contestant collective_naive(const SharedTask& task) {
  return {.by = "naive",
          .call = [task, duties = own_duties(*task),
                   meet = barrier_naive(task->setting.nodes).call](const Seat& seat) {
            meet(seat);
            duties[static_cast<std::size_t>(seat.rank)]();
            meet(seat);
          }};
}

}  // namespace vnode::bench
