#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <iterator>
#include <new>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <utility>

#include <vnode/arena.hpp>
#include <vnode/error.hpp>

#include "execute/arena_state.hpp"

namespace vnode {

namespace tbb = oneapi::tbb;

namespace {

// Orders what the caller of a task has done before its parts, and what these do before what the caller does
// next. oneTBB ensures that; this class does it once more, with atomics that a sanitizer knows: it does not
// see into oneTBB, and would report races everywhere, or nowhere (cmake/tsan.supp).
class TaskOrder {
 public:
  TaskOrder() { turns_.store(1, std::memory_order_release); }  // A: what the caller has done
  ~TaskOrder() { turns_.load(std::memory_order_acquire); }     // of B: all parts are at their end
  TaskOrder(const TaskOrder&) = delete;
  TaskOrder& operator=(const TaskOrder&) = delete;

  class Part {
   public:
    explicit Part(TaskOrder& order) : order_(order) {
      order_.turns_.load(std::memory_order_acquire);
    }                                                                   // of A
    ~Part() { order_.turns_.fetch_add(1, std::memory_order_release); }  // B: what the part has done
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    TaskOrder& order_;
  };

 private:
  std::atomic<int> turns_{0};
};

}  // namespace

EntryPins::EntryPins(tbb::task_arena& arena, std::vector<int> pus)
    : tbb::task_scheduler_observer(arena), pus_(std::move(pus)), outside_(unpinned_affinity()) {
  observe(true);
}

EntryPins::~EntryPins() {
  // No callback runs after this, and none is made for workers that have not left yet; `inside_` has their
  // pins.
  observe(false);
}

std::unique_ptr<PinnedThread> EntryPins::pinned(bool is_worker) try {
  auto pin = std::make_unique<PinnedThread>(pus_, is_worker ? outside_ : std::vector<int>());
  count_.fetch_add(1, std::memory_order_relaxed);
  return pin;
} catch (const std::exception& error) {
  const std::lock_guard lock(mutex_);
  if (refusal_.empty()) refusal_ = error.what();
  return nullptr;
}

// No exception may leave a callback.
void EntryPins::on_scheduler_entry(bool is_worker) try {
  const std::thread::id self = std::this_thread::get_id();
  std::unique_ptr<PinnedThread> pin = is_worker || !thread_is_pinned() ? pinned(is_worker) : nullptr;
  const std::lock_guard lock(mutex_);
  // Once a thread has a pin of this arena, it leaves as often as it has entered since: out of an arena into
  // another one and from there into this one again.
  if (pin != nullptr || inside_.contains(self)) inside_.emplace(self, std::move(pin));
} catch (const std::bad_alloc&) {
  return;
}

void EntryPins::on_scheduler_exit(bool) {
  const std::lock_guard lock(mutex_);
  const auto after = inside_.upper_bound(std::this_thread::get_id());
  if (after == inside_.begin()) return;
  const auto newest = std::prev(after);
  if (newest->first == std::this_thread::get_id()) inside_.erase(newest);
}

std::string EntryPins::refusal() const {
  const std::lock_guard lock(mutex_);
  return refusal_;
}

Arena::State::State(std::vector<int> share, std::vector<int> pinned_to)
    : pus(std::move(share)), arena(static_cast<int>(pus.size()), 1) {  // one slot is reserved for the node
  arena.initialize();
  if (!pinned_to.empty()) pins = std::make_unique<EntryPins>(arena, std::move(pinned_to));
}

Arena::Arena(std::unique_ptr<State> state) : state_(std::move(state)) {}
Arena::~Arena() = default;

int Arena::concurrency() const { return static_cast<int>(state_->pus.size()); }
const std::vector<int>& Arena::pus() const { return state_->pus; }

void Arena::call(void (*body)(void*), void* argument) {
  TaskOrder order;
  state_->arena.execute([&] {
    const TaskOrder::Part part(order);
    body(argument);
  });
}

void Arena::divide(std::size_t begin, std::size_t end, std::size_t grain,
                   void (*body)(void*, std::size_t, std::size_t), void* argument) {
  if (begin >= end) return;
  using Range = tbb::blocked_range<std::size_t>;
  TaskOrder order;
  // This is isolated because a thread that waits for parts must not begin a task of the user's, which may
  // wait for it.
  const auto all = [&] {
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(
          Range(begin, end, std::max<std::size_t>(1, grain)),
          [&](const Range& range) {
            const TaskOrder::Part part(order);
            body(argument, range.begin(), range.end());
          },
          tbb::static_partitioner{});
    });
  };
  state_->arena.execute(all);
}

void* Arena::native(const std::type_info& type) {
  if (type != typeid(tbb::task_arena))
    throw UsageError(fmt::format(
        "a node's arena is a tbb::task_arena of the oneTBB that vnode was built with ({}), not a {}",
        typeid(tbb::task_arena).name(), type.name()));
  return &state_->arena;
}

}  // namespace vnode
