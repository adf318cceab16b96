#include "fiber/context.hpp"

#include <cerrno>
#include <cstring>
#include <cxxabi.h>
#include <utility>

#include "base/doorbell.hpp"

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif

// As the sanitizers' headers declare them, which not every installation has.
extern "C" {
void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom, std::size_t bytes);
void __sanitizer_finish_switch_fiber(void* fake_stack, const void** bottom, std::size_t* bytes);
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
}

namespace vnode {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized_addresses = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool sanitized_addresses = true;
#else
constexpr bool sanitized_addresses = false;
#endif
#else
constexpr bool sanitized_addresses = false;
#endif

/// Gives Boost.Context a stack that exists already.
struct GivenStack {
  std::span<std::byte> bytes;
  boost::context::stack_context allocate() const {
    boost::context::stack_context stack;
    stack.size = bytes.size();
    stack.sp = bytes.data() + bytes.size();
    return stack;
  }
  void deallocate(boost::context::stack_context&) const noexcept {}
};

}  // namespace

FiberContext::Places FiberContext::places() {
  return {abi::__cxa_get_globals(), &newest_while_waiting(), &errno, &running_fiber, &running_node};
}

FiberContext::~FiberContext() {
  if constexpr (sanitized_threads)
    if (id_ != nullptr) __tsan_destroy_fiber(announced_);
}

void FiberContext::begin(std::span<std::byte> stack, FiberContext& (*entry)(void*), void* argument) {
  entry_ = entry;
  argument_ = argument;
  thread_ = places();
  kept_ = {.newest = *thread_.newest};
  if (id_ != nullptr) return;
  id_ = running_ = this;
  bottom_ = stack.data();
  bytes_ = stack.size();
  if constexpr (sanitized_threads) announced_ = __tsan_create_fiber(0);
#ifdef VALGRIND_STACK_REGISTER
  VALGRIND_STACK_REGISTER(stack.data(), stack.data() + stack.size());
#endif
  flow_ = boost::context::fiber(std::allocator_arg, GivenStack{stack}, [this](boost::context::fiber&& from) {
    arrive(std::move(from));
    for (;;) switch_to(entry_(argument_));
    return boost::context::fiber();
  });
}

// ThreadSanitizer keeps a list of the functions that a context has entered: between telling it of the switch
// and the switch no function is left.
void FiberContext::switch_to(FiberContext& next) {
  next.before_ = this;
  if (thread_.error == nullptr) {
    thread_ = places();
    running_ = *thread_.running;
  }
  std::memcpy(kept_.exceptions.data(), thread_.exceptions, sizeof kept_.exceptions);
  std::memcpy(thread_.exceptions, next.kept_.exceptions.data(), sizeof kept_.exceptions);
  kept_.error = std::exchange(*thread_.error, next.kept_.error);
  kept_.newest = std::exchange(*thread_.newest, next.kept_.newest);
  kept_.node = std::exchange(*thread_.node, next.kept_.node);
  *thread_.running = next.running_;
  if constexpr (sanitized_addresses) __sanitizer_start_switch_fiber(&fake_stack_, next.bottom_, next.bytes_);
  if constexpr (sanitized_threads) {
    if (announced_ == nullptr) announced_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(next.announced_, 0);
  }
  arrive(std::move(next.flow_).resume());
}

/// Takes over from the context that has let this one run, which goes on by `from`.
void FiberContext::arrive(boost::context::fiber&& from) {
  if constexpr (sanitized_addresses) {
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(fake_stack_, &bottom, &bytes);
    if (before_->id_ == nullptr) {  // the sanitizer alone knows the thread's own stack
      before_->bottom_ = static_cast<const std::byte*>(bottom);
      before_->bytes_ = bytes;
    }
  }
  before_->flow_ = std::move(from);
}

}  // namespace vnode
