#include <barrier>
#include <cstring>

#include "broadcast/contestants.hpp"

namespace vnode::bench {

Contestant broadcast_std(const SharedVectors& data, Rank root) {
  auto meeting = std::make_shared<std::barrier<>>(data->callers());
  return {.by = "std", .call = [meeting, data, root](const Seat& seat) {
            meeting->arrive_and_wait();
            if (seat.rank != root) std::memcpy((*data)[seat.rank], (*data)[root], data->bytes());
            meeting->arrive_and_wait();
          }};
}

}  // namespace vnode::bench
