#include <condition_variable>
#include <memory>
#include <mutex>

#include "barrier/contestants.hpp"

namespace vnode::bench {
namespace {

struct Meeting {
  std::mutex mutex;
  std::condition_variable complete;
  int arrived = 0;
  unsigned number = 0;
};

}  // namespace

Contestant barrier_naive(int callers) {
  auto meeting = std::make_shared<Meeting>();
  return {.by = "naive", .call = [meeting, callers](const Seat&) {
            std::unique_lock lock{meeting->mutex};
            const unsigned mine = meeting->number;
            if (++meeting->arrived == callers) {
              meeting->arrived = 0;
              ++meeting->number;
              meeting->complete.notify_all();
            } else {
              meeting->complete.wait(lock, [&] { return meeting->number != mine; });
            }
          }};
}

}  // namespace vnode::bench
