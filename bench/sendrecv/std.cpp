#include <barrier>
#include <cstring>

#include "sendrecv/contestants.hpp"

namespace vnode::bench {

Contestant sendrecv_std(const Swap& swap) {
  auto meeting = std::make_shared<std::barrier<>>(2);
  return {.by = "std", .call = [meeting, swap](const Seat& seat) {
            if (!swap.plays(seat.rank)) return;
            meeting->arrive_and_wait();
            std::memcpy((*swap.in)[seat.rank], (*swap.out)[swap.partner(seat.rank)], swap.in->bytes());
            meeting->arrive_and_wait();
          }};
}

}  // namespace vnode::bench
