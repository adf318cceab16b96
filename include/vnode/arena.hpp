#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <vnode/element.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Represents a node's threads on its domain of the machine: a oneTBB task arena whose workers, while they
/// work in it, are pinned to the node's share of the domain's PUs. The node works in it on its own thread and
/// PU. Another thread of the user's that enters the arena is pinned like a worker, and has its affinity back
/// when it leaves.
///
///     me.arena().execute([&] { tbb::parallel_for(0, n, [&](int i) { y[i] = a[i] * x[i]; }); });
///
/// A node calls collectives on its own thread and outside of the arena's tasks.
class Arena {
 public:
  /// Holds the arena, its threads and their PUs; defined by the library.
  struct State;
  /// Is used by teams; programs get their arena from Node::arena().
  explicit Arena(std::unique_ptr<State> state);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Returns the number of threads that may work in the arena at the same time, the node's own among them.
  int concurrency() const;
  /// Returns the node's share of its domain, its own PU included: indices into Machine::pus, ascending.
  const std::vector<int>& pus() const;

  /// Runs body() in the arena and returns its result, a value. Everything that oneTBB does in parallel within
  /// it runs on the arena's threads. Exceptions propagate. body() runs on the calling thread, unless the
  /// arena is full; then it runs on one of the threads in it.
  template <class Body>
  auto execute(Body&& body) -> std::invoke_result_t<Body&> {
    using Result = std::invoke_result_t<Body&>;
    static_assert(!std::is_reference_v<Result>, "what a body returns outlives the arena's call: a value");
    if constexpr (std::is_void_v<Result>) {
      call([](void* it) { (*static_cast<std::remove_reference_t<Body>*>(it))(); }, address(body));
    } else {
      std::optional<Result> result;
      auto keep = [&] { result.emplace(body()); };
      call([](void* it) { (*static_cast<decltype(keep)*>(it))(); }, address(keep));
      return std::move(*result);
    }
  }

  /// Runs body(first, last) in parallel for parts that make up begin .. end - 1: equal parts, one for each
  /// thread, but none shorter than `grain` if that can be avoided. Returns when all are done; meanwhile the
  /// calling thread does nothing else. The first exception propagates, and then no further part begins. Use
  /// execute() where parts are unequal work.
  template <class Body>
  void parallel_for(std::size_t begin, std::size_t end, Body&& body, std::size_t grain = 1) {
    divide(
        begin, end, grain,
        [](void* it, std::size_t first, std::size_t last) {
          (*static_cast<std::remove_reference_t<Body>*>(it))(first, last);
        },
        address(body));
  }

  /// Sets all elements to `value`, in parallel. This is the first touch of untouched memory, such as a new
  /// PlacedBuffer, whose pages then lie on the domain's NUMA node.
  template <WritableRange Range>
  void fill(Range&& range, const std::ranges::range_value_t<Range>& value) {
    constexpr std::size_t grain_bytes = 64 << 10;  // some pages
    auto* const data = std::ranges::data(range);
    parallel_for(
        0, std::ranges::size(range),
        [&](std::size_t first, std::size_t last) { std::fill(data + first, data + last, value); },
        std::max<std::size_t>(1, grain_bytes / sizeof(value)));
  }

  /// Returns oneTBB's own object, for everything else: `native<tbb::task_arena>()`, of the same libtbb as
  /// vnode's. Throws UsageError for any other type.
  template <class Native>
  Native& native() {
    return *static_cast<Native*>(native(typeid(Native)));
  }

 private:
  template <class Object>
  static void* address(Object& object) {
    return const_cast<void*>(static_cast<const void*>(std::addressof(object)));
  }
  void call(void (*body)(void*), void* argument);
  void divide(std::size_t begin, std::size_t end, std::size_t grain,
              void (*body)(void*, std::size_t, std::size_t), void* argument);
  void* native(const std::type_info& type);

  std::unique_ptr<State> state_;
};

}  // namespace vnode
#pragma GCC visibility pop
