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

using boost::context::detail::fcontext_t;
using boost::context::detail::transfer_t;

/// Does what jump_fcontext() does. On x86 that ends by a jump where others return. Entered by a call it would
/// leave a return address with the processor that is never returned to, and each return after the switch, in
/// the functions that have led to it, would be predicted wrongly: so it is entered by a jump, too. (The file
/// is compiled without a red zone, which the address would overwrite.)
[[gnu::always_inline]] inline transfer_t jump(fcontext_t to, void* data) {
#if defined(__x86_64__) && !defined(__CET__)
  transfer_t from;
  asm volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "jmp jump_fcontext@PLT\n"
      "1:"
      : "=&a"(from.fctx), "=&d"(from.data), "+D"(to), "+S"(data)
      :
      : "rcx", "r8", "r9", "r10", "r11", "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
        "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "st", "st(1)",
        "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)");
  return from;
#else
  return boost::context::detail::jump_fcontext(to, data);
#endif
}

}  // namespace

FiberThread::FiberThread()
    : exceptions(abi::__cxa_get_globals()),
      newest(&newest_while_waiting()),
      error(&errno),
      running(&running_fiber),
      node(&running_node) {}

FiberContext::~FiberContext() {
  if constexpr (sanitized_threads)
    if (id_ != nullptr) __tsan_destroy_fiber(announced_);
}

void FiberContext::begin(const FiberThread& thread, std::span<std::byte> stack, FiberContext& (*entry)(void*),
                         void* argument) {
  entry_ = entry;
  argument_ = argument;
  thread_ = &thread;
  kept_ = {.newest = *thread.newest};
  if (id_ != nullptr) return;
  id_ = running_ = this;
  bottom_ = stack.data();
  bytes_ = stack.size();
  if constexpr (sanitized_threads) announced_ = __tsan_create_fiber(0);
#ifdef VALGRIND_STACK_REGISTER
  VALGRIND_STACK_REGISTER(stack.data(), stack.data() + stack.size());
#endif
  registers_ = boost::context::detail::make_fcontext(stack.data() + stack.size(), stack.size(), enter);
}

/// Is what a context does, on its stack.
void FiberContext::enter(transfer_t from) {
  auto& self = *static_cast<FiberContext*>(from.data);
  self.arrive(from.fctx);
  for (;;) self.switch_to(self.entry_(self.argument_));
}

// ThreadSanitizer keeps a list of the functions that a context has entered: between telling it of the switch
// and the switch no function is left.
void FiberContext::switch_to(FiberContext& next) {
  next.before_ = this;
  const FiberThread& thread = *thread_;
  std::memcpy(kept_.exceptions.data(), thread.exceptions, sizeof kept_.exceptions);
  std::memcpy(thread.exceptions, next.kept_.exceptions.data(), sizeof kept_.exceptions);
  kept_.newest = std::exchange(*thread.newest, next.kept_.newest);
  kept_.node = std::exchange(*thread.node, next.kept_.node);
  kept_.error = std::exchange(*thread.error, next.kept_.error);
  *thread.running = next.running_;
  if constexpr (sanitized_addresses) __sanitizer_start_switch_fiber(&fake_stack_, next.bottom_, next.bytes_);
  if constexpr (sanitized_threads) {
    if (announced_ == nullptr) announced_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(next.announced_, 0);
  }
  arrive(jump(std::exchange(next.registers_, nullptr), &next).fctx);
}

/// Takes over from the context that has let this one run, which goes on by `from`.
void FiberContext::arrive(fcontext_t from) {
  if constexpr (sanitized_addresses) {
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(fake_stack_, &bottom, &bytes);
    if (before_->id_ == nullptr) {  // the sanitizer alone knows the thread's own stack
      before_->bottom_ = static_cast<const std::byte*>(bottom);
      before_->bytes_ = bytes;
    }
  }
  before_->registers_ = from;
}

}  // namespace vnode
