#pragma once

#include <memory>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

class [[gnu::visibility("hidden")]] PinnedThread;

/// Gives the calling thread, for as long as the object lives, the affinity that it had before vnode pinned
/// it.
///
/// A node is pinned to one PU while it runs, and every thread that it starts inherits that, as do the threads
/// that a library starts for it: std::thread, a first OpenMP region, oneTBB. Threads started while an
/// Unpinned lives may run wherever the program may. Costs two system calls at each end.
///
///     team.run([](vnode::Node& me) {
///       std::jthread logger = [] { const vnode::Unpinned free; return std::jthread(write_log); }();
///       ...
///     });
class Unpinned {
 public:
  /// Does nothing in a thread that is not pinned. Throws SystemError if the system refuses.
  Unpinned();
  /// Pins the thread again; called by the same thread.
  ~Unpinned();
  Unpinned(const Unpinned&) = delete;
  Unpinned& operator=(const Unpinned&) = delete;

 private:
  std::unique_ptr<PinnedThread> free_;
};

}  // namespace vnode
#pragma GCC visibility pop
