#pragma once

#include <array>
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <span>

#include "base/pause.hpp"
#include "base/this_thread.hpp"
#include "base/while_waiting.hpp"

namespace vnode {

/// Says where the calling thread has what each of its contexts has of its own.
struct FiberThread {
  void* exceptions;       ///< those in flight, as the C++ ABI keeps them
  WhileWaiting** newest;  ///< the newest WhileWaiting
  int* error;             ///< errno
  ThreadId* running;      ///< running_fiber
  RunningNode** node;     ///< running_node

  FiberThread();
};

/// A flow of control of a thread: the thread's first one, or one on a stack of its own. One of a thread's
/// contexts runs at a time, until it switches to another one; none changes its thread.
///
/// A context has exceptions in flight, an errno, a newest WhileWaiting and a running_node of its own, which
/// the thread has while it runs; Boost.Context keeps the modes of floating-point arithmetic. AddressSanitizer
/// and ThreadSanitizer are told of each switch.
class FiberContext {
 public:
  /// Makes a context that begin() will let run.
  FiberContext() = default;
  /// Makes the context that the calling thread runs in.
  explicit FiberContext(const FiberThread& thread) : running_(*thread.running), thread_(&thread) {}
  ~FiberContext();
  FiberContext(const FiberContext&) = delete;
  FiberContext& operator=(const FiberContext&) = delete;

  /// Sets what the context does when it is switched to next: it calls entry(argument) on its stack, and then
  /// switches to what that returns. The stack is the same each time. It is one of the calling thread, and
  /// looks at what the caller looks at while it waits.
  void begin(const FiberThread& thread, std::span<std::byte> stack, FiberContext& (*entry)(void*),
             void* argument);
  /// Lets `next` run until another context of this thread switches to this one. Only the running context
  /// calls it. Costs some ten nanoseconds.
  void switch_to(FiberContext& next);
  /// Returns its stack; empty for the thread's own.
  std::span<const std::byte> stack() const {
    return id_ != nullptr ? std::span(bottom_, bytes_) : std::span<const std::byte>();
  }

  /// Returns a pointer to a null pointer while it runs, otherwise to one to its registers.
  const void* const* registers() const { return &registers_; }
  /// Asks for what it needs first when it goes on. A hint.
  void prefetch() const {
    if (registers_ == nullptr) return;
    for (int line = 0; line < 12; ++line)
      __builtin_prefetch(static_cast<const std::byte*>(registers_) + line * cache_line);
  }

 private:
  static void enter(boost::context::detail::transfer_t from);
  void arrive(boost::context::detail::fcontext_t from);

  boost::context::detail::fcontext_t registers_ = nullptr;  // on its stack; null while it runs
  FiberContext* before_ = nullptr;                          // the one that has let it run last
  ThreadId running_ = nullptr;                              // what running_fiber is while it runs
  const FiberThread* thread_ = nullptr;
  // What the thread has while this context runs.
  struct Kept {
    std::array<void*, 2> exceptions{};
    WhileWaiting* newest = nullptr;
    RunningNode* node = nullptr;
    int error = 0;
  } kept_;
  ThreadId id_ = nullptr;  // null: it is the one that a thread, or a fiber of another team, is in
  FiberContext& (*entry_)(void*) = nullptr;
  void* argument_ = nullptr;
  const std::byte* bottom_ = nullptr;
  std::size_t bytes_ = 0;
  // What the sanitizers know it by.
  void* announced_ = nullptr;
  void* fake_stack_ = nullptr;
};

}  // namespace vnode
