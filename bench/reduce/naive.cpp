#include <condition_variable>
#include <mutex>

#include "limits/kernels.hpp"
#include "reduce/contestants.hpp"

namespace vnode::bench {
namespace {

struct Desk {
  explicit Desk(int callers) : seen(static_cast<std::size_t>(callers)) {}
  std::mutex mutex;
  std::condition_variable opened, complete;
  unsigned openings = 0;
  int given = 0;
  std::vector<unsigned> seen;  // openings, by each caller
};

}  // namespace

Contestant reduce_naive(const SharedVectors& data, Rank root, Arithmetic datatype, StandardOperator op) {
  auto desk = std::make_shared<Desk>(data->callers());
  const auto combine = combine_kernels(datatype, op).front().combine;
  return {.by = "naive", .call = [=](const Seat& seat) {
            const int others = data->callers() - 1;
            std::unique_lock lock{desk->mutex};
            if (seat.rank == root) {
              ++desk->openings;
              desk->given = 0;
              desk->opened.notify_all();
              desk->complete.wait(lock, [&] { return desk->given == others; });
              return;
            }
            const unsigned next = ++desk->seen[static_cast<std::size_t>(seat.rank)];
            desk->opened.wait(lock, [&] { return desk->openings == next; });
            combine((*data)[root], (*data)[seat.rank], data->bytes());
            if (++desk->given == others) desk->complete.notify_one();
          }};
}

}  // namespace vnode::bench
