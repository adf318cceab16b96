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

/// A node's threads on its domain of the machine: one of oneTBB's task arenas, whose workers are pinned to
/// the node's share of the domain's PUs for as long as they work in it. The node works in it on its own
/// thread and PU; another thread of the user's that enters it is pinned like a worker, and has its affinity
/// back when it leaves.
///
///     me.arena().execute([&] { tbb::parallel_for(0, n, [&](int i) { y[i] = a[i] * x[i]; }); });
///
/// Nodes call collectives on their own thread, between what the arena does and not in a task of it.
class Arena {
 public:
  /// Holds the arena, its threads and their PUs; defined by the library.
  struct State;
  /// Takes what a team has made; programs get theirs from Node::arena().
  explicit Arena(std::unique_ptr<State> state);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// How many threads may work in it at a time, the node's own among them.
  int concurrency() const;
  /// The node's share of its domain, its own PU among them: indices into Machine::pus, ascending.
  const std::vector<int>& pus() const;

  /// body() in the arena, and what it returns, a value: all that oneTBB does in parallel within runs on the
  /// arena's threads, when they come. Exceptions pass. It runs on the calling thread, unless so many others
  /// have entered the arena that there is no place for it: then on one of theirs.
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

  /// body(first, last) for parts that make up begin .. end - 1, in parallel: equal ones, one for each thread,
  /// but none shorter than `grain` if it can be helped. Returns when all is done; meanwhile the calling
  /// thread does nothing else. The first exception passes, and parts that have not begun do not begin then.
  /// For parts that are not equally much work there is execute().
  template <class Body>
  void parallel_for(std::size_t begin, std::size_t end, Body&& body, std::size_t grain = 1) {
    divide(
        begin, end, grain,
        [](void* it, std::size_t first, std::size_t last) {
          (*static_cast<std::remove_reference_t<Body>*>(it))(first, last);
        },
        address(body));
  }

  /// Makes all elements equal to `value`, in parallel. So pages of memory which nobody has touched, as that
  /// of a new PlacedBuffer, lie on the domain's bank from then on.
  template <WritableRange Range>
  void fill(Range&& range, const std::ranges::range_value_t<Range>& value) {
    constexpr std::size_t grain_bytes = 64 << 10;  // some pages
    auto* const data = std::ranges::data(range);
    parallel_for(
        0, std::ranges::size(range),
        [&](std::size_t first, std::size_t last) { std::fill(data + first, data + last, value); },
        std::max<std::size_t>(1, grain_bytes / sizeof(value)));
  }

  /// oneTBB's own, for all else that can be done with one: `native<tbb::task_arena>()`, of the same
  /// libtbb as vnode's. UsageError for any other type.
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
