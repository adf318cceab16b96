#include "base/touch_pages.hpp"

#include <atomic>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace vnode {

void touch_pages(std::byte* pages, std::size_t bytes) noexcept {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  if (bytes == 0) return;
  std::byte* const first = pages - reinterpret_cast<std::uintptr_t>(pages) % page;
#ifdef MADV_POPULATE_WRITE
  if (madvise(first, static_cast<std::size_t>(pages + bytes - first), MADV_POPULATE_WRITE) == 0) return;
#endif
  // The access is atomic, so that it may be done to memory in use. A page that has other bytes than zeros has
  // been touched; and clang makes a mere load, which touches nothing, of a fetch_or() with 0.
  for (std::byte* at = pages; at < pages + bytes; at = at == pages ? first + page : at + page) {
    unsigned char untouched = 0;
    std::atomic_ref(reinterpret_cast<unsigned char&>(*at))
        .compare_exchange_strong(untouched, 0, std::memory_order_relaxed);
  }
}

}  // namespace vnode
