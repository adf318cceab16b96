#include "machine/binding.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <hwloc/linux.h>
#include <sys/mman.h>

#include <vnode/error.hpp>
#include <vnode/machine.hpp>

#include "machine/hwloc.hpp"

// hwloc's Linux calls for the calling thread (tid 0): its portable ones do nothing, successfully, while
// HWLOC_XMLFILE or HWLOC_SYNTHETIC names another machine.
namespace vnode {
namespace {

constexpr pid_t calling_thread = 0;
std::atomic<bool> refused{false};

std::size_t mapped_bytes(std::size_t bytes) { return bytes > 0 ? bytes : 1; }

/// Returns false if the system refuses.
bool bind_pages(std::byte* pages, std::size_t bytes, int numa_os_index) {
  const hwloc_const_nodeset_t numas = hwloc_topology_get_topology_nodeset(system_topology());
  if (!hwloc_bitmap_isset(numas, static_cast<unsigned>(numa_os_index)))
    throw SystemError(fmt::format("cannot use memory of NUMA node {}: this machine has {} only",
                                  numa_os_index, number_ranges(numbers(numas))));
  if (hwloc_bitmap_weight(numas) == 1 || !hwloc_topology_is_thissystem(system_topology())) return true;
  const Bitmap numa;
  if (hwloc_bitmap_only(numa.get(), static_cast<unsigned>(numa_os_index)) != 0) throw std::bad_alloc();
  return hwloc_set_area_membind(system_topology(), pages, bytes, numa.get(), HWLOC_MEMBIND_BIND,
                                HWLOC_MEMBIND_BYNODESET) == 0;
}

}  // namespace

struct PinnedThread::Affinity {
  Bitmap pus;
};

PinnedThread::PinnedThread(int pu_os_index) : previous_(std::make_unique<Affinity>()) {
  const hwloc_topology_t topology = system_topology();
  const Bitmap target;
  const bool known = hwloc_linux_get_tid_cpubind(topology, calling_thread, previous_->pus.get()) == 0;
  if (pu_os_index < 0) {
    errno = EINVAL;
  } else if (known && hwloc_bitmap_only(target.get(), static_cast<unsigned>(pu_os_index)) == 0 &&
             hwloc_linux_set_tid_cpubind(topology, calling_thread, target.get()) == 0) {
    return;
  }
  if (errno != EINVAL)
    throw SystemError(fmt::format("cannot pin to PU {}: {}", pu_os_index, std::strerror(errno)));
  throw SystemError(fmt::format("cannot pin to PU {}: the process may use PUs {} only", pu_os_index,
                                number_ranges(numbers(hwloc_topology_get_allowed_cpuset(topology)))));
}

PinnedThread::~PinnedThread() {
  hwloc_linux_set_tid_cpubind(system_topology(), calling_thread, previous_->pus.get());
}

std::byte* allocate_pages(std::size_t bytes, int numa_os_index) {
  void* const memory =
      mmap(nullptr, mapped_bytes(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  std::byte* const pages = static_cast<std::byte*>(memory);
  if (numa_os_index < 0) return pages;
  try {
    if (!bind_pages(pages, mapped_bytes(bytes), numa_os_index))
      refused.store(true, std::memory_order_relaxed);
  } catch (...) {
    release_pages(pages, bytes);
    throw;
  }
  return pages;
}

void release_pages(std::byte* pages, std::size_t bytes) noexcept {
  if (pages) munmap(pages, mapped_bytes(bytes));
}

bool memory_binding_refused() noexcept { return refused.load(std::memory_order_relaxed); }

std::vector<int> thread_affinity() {
  const Bitmap pus;
  if (hwloc_linux_get_tid_cpubind(system_topology(), calling_thread, pus.get()) != 0)
    throw SystemError(fmt::format("cannot read the thread's affinity: {}", std::strerror(errno)));
  return numbers(pus.get());
}

int current_pu() {
  const Bitmap pu;
  if (hwloc_linux_get_tid_last_cpu_location(system_topology(), calling_thread, pu.get()) != 0)
    throw SystemError(fmt::format("cannot read the thread's PU: {}", std::strerror(errno)));
  return hwloc_bitmap_first(pu.get());
}

}  // namespace vnode
