#pragma once

namespace vnode {

/// Notices that the thread that has made it ends before it does, by returning or by pthread_exit. The end of
/// the process is not noticed. That thread makes and destroys it.
class ThreadEnd {
 public:
  /// Calls ended(argument) then, in that thread, when its thread_local objects have been destroyed. Throws
  /// std::bad_alloc.
  ThreadEnd(void (*ended)(void*) noexcept, void* argument);
  ~ThreadEnd();
  ThreadEnd(const ThreadEnd&) = delete;
  ThreadEnd& operator=(const ThreadEnd&) = delete;

 private:
  static void end_all(void* first) noexcept;

  void (*ended_)(void*) noexcept;
  void* argument_;
  ThreadEnd *before_ = nullptr, *after_ = nullptr;  // of the same thread's
};

}  // namespace vnode
