#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "sendrecv/contestants.hpp"

namespace vnode::bench {
namespace {

struct Shelves {
  std::mutex mutex;
  std::condition_variable changed;
  std::array<std::vector<std::byte>, 2> of;  // the first's, the second's
  std::array<bool, 2> full{};
};

}  // namespace

Contestant sendrecv_naive(const Swap& swap) {
  auto shelves = std::make_shared<Shelves>();
  return {.by = "naive", .call = [shelves, swap](const Seat& seat) {
            if (!swap.plays(seat.rank)) return;
            const std::size_t mine = seat.rank == swap.first ? 0 : 1, other = 1 - mine;
            const std::byte* out = (*swap.out)[seat.rank];
            std::unique_lock lock{shelves->mutex};
            shelves->changed.wait(lock, [&] { return !shelves->full[mine]; });
            shelves->of[mine].assign(out, out + swap.out->bytes());
            shelves->full[mine] = true;
            shelves->changed.notify_one();
            shelves->changed.wait(lock, [&] { return shelves->full[other]; });
            std::ranges::copy(shelves->of[other], (*swap.in)[seat.rank]);
            shelves->full[other] = false;
            shelves->changed.notify_one();
          }};
}

}  // namespace vnode::bench
