#include <condition_variable>
#include <cstring>
#include <mutex>
#include <vector>

#include "broadcast/contestants.hpp"

namespace vnode::bench {
namespace {

struct Desk {
  explicit Desk(int callers) : seen(static_cast<std::size_t>(callers)) {}
  std::mutex mutex;
  std::condition_variable offered, taken;
  unsigned offers = 0;
  int takers = 0;
  std::vector<unsigned> seen;  // offers, by each caller
};

}  // namespace

Contestant broadcast_naive(const SharedVectors& data, Rank root) {
  auto desk = std::make_shared<Desk>(data->callers());
  return {.by = "naive", .call = [desk, data, root](const Seat& seat) {
            const int others = data->callers() - 1;
            std::unique_lock lock{desk->mutex};
            if (seat.rank == root) {
              ++desk->offers;
              desk->takers = 0;
              desk->offered.notify_all();
              desk->taken.wait(lock, [&] { return desk->takers == others; });
              return;
            }
            const unsigned next = ++desk->seen[static_cast<std::size_t>(seat.rank)];
            desk->offered.wait(lock, [&] { return desk->offers == next; });
            lock.unlock();
            std::memcpy((*data)[seat.rank], (*data)[root], data->bytes());
            lock.lock();
            if (++desk->takers == others) desk->taken.notify_one();
          }};
}

}  // namespace vnode::bench
