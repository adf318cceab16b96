#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "send/contestants.hpp"

namespace vnode::bench {
namespace {

struct Mailbox {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::byte> letter;
  bool full = false;
};

}  // namespace

Contestant send_naive(const PingPong& game) {
  auto boxes = std::make_shared<std::array<Mailbox, 2>>();  // to the first, to the second
  return ping_pong("naive", game, [game, boxes](const Seat& seat, bool sending) {
    const bool to_first = (seat.rank == game.first) != sending;
    Mailbox& box = (*boxes)[to_first ? 0 : 1];
    std::unique_lock lock{box.mutex};
    box.changed.wait(lock, [&] { return box.full != sending; });
    if (sending) {
      const std::byte* mine = (*game.out)[seat.rank];
      box.letter.assign(mine, mine + game.out->bytes());
    } else {
      std::ranges::copy(box.letter, (*game.in)[seat.rank]);
    }
    box.full = sending;
    box.changed.notify_one();
  });
}

}  // namespace vnode::bench
