#include "fiber/stacks.hpp"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <mutex>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

#include <vnode/error.hpp>

#include "base/this_thread.hpp"
#include "fiber/carrier.hpp"

namespace vnode {

Stacks::Stacks(std::size_t count, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  bytes_ = (bytes + page - 1) / page * page;
  all_ = count * (guard_bytes + bytes_);
  void* const made = mmap(nullptr, all_, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (made == MAP_FAILED)
    throw SystemError(
        fmt::format("no address space for {} stacks of {} KiB ({}): take fewer nodes, or a "
                    "smaller TeamOptions::stack",
                    count, bytes_ >> 10, std::strerror(errno)));
  memory_ = static_cast<std::byte*>(made);
  for (std::size_t i = 0; i < count; ++i)
    if (mprotect(stack(i).data() - guard_bytes, guard_bytes, PROT_NONE) != 0) {
      const int error = errno;
      munmap(memory_, all_);
      throw SystemError(
          fmt::format("cannot protect the ends of {} stacks ({}): take fewer nodes, or raise "
                      "vm.max_map_count",
                      count, std::strerror(error)));
    }
}

Stacks::~Stacks() { munmap(memory_, all_); }

namespace {

constexpr std::size_t handler_bytes = std::size_t{64} << 10;
struct sigaction before;  // what SIGSEGV did before

/// Writes its sentence without a function that a signal handler must not call.
void tell_overflow(const Fiber& fiber) {
  char text[256];
  char* end = text;
  const auto add = [&](std::string_view part) { end = std::ranges::copy(part, end).out; };
  const auto number = [&](std::size_t value) { end = std::to_chars(end, std::end(text), value).ptr; };
  add("vnode: the stack of node ");
  number(static_cast<std::size_t>(fiber.node()));
  add(" has overflowed: its fiber has ");
  number(fiber.stack().size() >> 10);
  add(" KiB (TeamOptions::stack)\n");
  const auto written = write(STDERR_FILENO, text, static_cast<std::size_t>(end - text));
  static_cast<void>(written);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  if (running_fiber != nullptr) {
    const auto& fiber = *static_cast<const Fiber*>(static_cast<const FiberContext*>(running_fiber));
    const auto* const at = static_cast<const std::byte*>(info->si_addr);
    const std::byte* const bottom = fiber.stack().data();
    if (at < bottom && at >= bottom - Stacks::guard_bytes) tell_overflow(fiber);
  }
  if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != nullptr)
    return before.sa_sigaction(signal, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(signal);
  std::signal(signal, SIG_DFL);  // the instruction faults again when this returns
}

}  // namespace

OverflowWatch::OverflowWatch() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &before);
  });
  stack_t stack{};
  if (sigaltstack(nullptr, &stack) != 0 || (stack.ss_flags & SS_DISABLE) == 0) return;
  own_ = mmap(nullptr, handler_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (own_ == MAP_FAILED) {
    own_ = nullptr;
    return;
  }
  stack.ss_sp = own_;
  stack.ss_size = handler_bytes;
  stack.ss_flags = 0;
  sigaltstack(&stack, nullptr);
}

OverflowWatch::~OverflowWatch() {
  if (own_ == nullptr) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  munmap(own_, handler_bytes);
}

}  // namespace vnode
