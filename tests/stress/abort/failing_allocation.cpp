#include "failing_allocation.hpp"

#include <atomic>
#include <cstddef>
#include <new>

// The linker turns all calls of operator new in the objects of this program into calls of these (--wrap): a
// replacement would collide with the one that clang's ThreadSanitizer brings.
extern "C" {
void* __real__Znwm(std::size_t bytes);
void* __real__ZnwmSt11align_val_t(std::size_t bytes, std::align_val_t alignment);
void* __wrap__Znwm(std::size_t bytes);
void* __wrap__ZnwmSt11align_val_t(std::size_t bytes, std::align_val_t alignment);
}

namespace {

std::atomic<int> countdown_of_threads = 0;
thread_local int countdown = countdown_of_threads.load(std::memory_order_relaxed);
thread_local int more = 0;  // that fail after it
thread_local unsigned gaps = 1;

void count() {
  if (countdown <= 0 || --countdown > 0) return;
  if (more > 0) {
    --more;
    gaps = gaps * 1664525u + 1013904223u;
    countdown = 1 + static_cast<int>(gaps >> 29);
  } else if (more == vnode_test::all_later) {
    countdown = 1;
  }
  throw std::bad_alloc();
}

}  // namespace

void* __wrap__Znwm(std::size_t bytes) {
  count();
  return __real__Znwm(bytes);
}

void* __wrap__ZnwmSt11align_val_t(std::size_t bytes, std::align_val_t alignment) {
  count();
  return __real__ZnwmSt11align_val_t(bytes, alignment);
}

namespace vnode_test {

void fail_allocation(int n, int times) {
  countdown = n;
  more = times == all_later ? all_later : times - 1;
}
void fail_allocation_in_threads(int n) { countdown_of_threads.store(n, std::memory_order_relaxed); }

}  // namespace vnode_test
