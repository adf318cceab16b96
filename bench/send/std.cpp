#include <array>
#include <atomic>
#include <cstring>

#include "send/contestants.hpp"

namespace vnode::bench {
namespace {

struct alignas(128) Mailbox {
  std::atomic<const std::byte*> offered{nullptr};
};

}  // namespace

Contestant send_std(const PingPong& game) {
  auto boxes = std::make_shared<std::array<Mailbox, 2>>();  // to the first, to the second
  return ping_pong("std", game, [game, boxes](const Seat& seat, bool sending) {
    const bool to_first = (seat.rank == game.first) != sending;
    std::atomic<const std::byte*>& offered = (*boxes)[to_first ? 0 : 1].offered;
    if (sending) {
      const std::byte* mine = (*game.out)[seat.rank];
      offered.store(mine, std::memory_order_release);
      offered.notify_one();
      offered.wait(mine, std::memory_order_acquire);
    } else {
      offered.wait(nullptr, std::memory_order_acquire);
      std::memcpy((*game.in)[seat.rank], offered.load(std::memory_order_relaxed), game.in->bytes());
      offered.store(nullptr, std::memory_order_release);
      offered.notify_one();
    }
  });
}

}  // namespace vnode::bench
