#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <utility>

#include <vnode/arena.hpp>
#include <vnode/error.hpp>

#include "runtime/arena_state.hpp"

namespace vnode {

namespace tbb = oneapi::tbb;

EntryPins::EntryPins(tbb::task_arena& arena, std::vector<int> pus)
    : tbb::task_scheduler_observer(arena), pus_(std::move(pus)) {
  observe(true);
}

EntryPins::~EntryPins() {
  // No call-back runs after this, and none is made for workers that have not left yet: `inside_` knows them.
  observe(false);
}

// No exception may leave a call-back.
void EntryPins::on_scheduler_entry(bool is_worker) try {
  if (!is_worker && thread_is_pinned()) return;
  auto pinned = std::make_unique<PinnedThread>(pus_);
  const std::lock_guard lock(mutex_);
  inside_.emplace(std::this_thread::get_id(), std::move(pinned));
  count_.fetch_add(1, std::memory_order_relaxed);
} catch (const std::exception& error) {
  const std::lock_guard lock(mutex_);
  if (refusal_.empty()) refusal_ = error.what();
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
    : pus(std::move(share)), arena(static_cast<int>(pus.size()), 1) {  // one place is the node's
  arena.initialize();
  if (!pinned_to.empty()) pins = std::make_unique<EntryPins>(arena, std::move(pinned_to));
}

Arena::Arena(std::unique_ptr<State> state) : state_(std::move(state)) {}
Arena::~Arena() = default;

int Arena::concurrency() const { return static_cast<int>(state_->pus.size()); }
const std::vector<int>& Arena::pus() const { return state_->pus; }

void Arena::call(void (*body)(void*), void* argument) {
  state_->arena.execute([=] { body(argument); });
}

void Arena::divide(std::size_t begin, std::size_t end, std::size_t grain,
                   void (*body)(void*, std::size_t, std::size_t), void* argument) {
  if (begin >= end) return;
  using Range = tbb::blocked_range<std::size_t>;
  // Isolated: a thread that waits for parts must not begin a task of the user's, which may wait for it.
  const auto all = [&] {
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(
          Range(begin, end, std::max<std::size_t>(1, grain)),
          [=](const Range& part) { body(argument, part.begin(), part.end()); }, tbb::static_partitioner{});
    });
  };
  state_->arena.execute(all);
}

void* Arena::native(const std::type_info& type) {
  if (type != typeid(tbb::task_arena))
    throw UsageError(
        fmt::format("a node's arena is a tbb::task_arena of the oneTBB that vnode was built with ({}), no {}",
                    typeid(tbb::task_arena).name(), type.name()));
  return &state_->arena;
}

}  // namespace vnode
