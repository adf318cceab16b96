#include "machine/binding.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <hwloc/linux.h>
#include <sys/mman.h>
#include <utility>
#include <vector>

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

/// A thread may be pinned by several teams at a time, which end in any order: the newest that is left counts.
struct Pins {
  std::vector<std::pair<const PinnedThread*, int>> pus;  // by os index
  Bitmap before;
};

Pins& pins_of_this_thread() {
  static thread_local Pins pins;
  return pins;
}

/// False, with errno, if the system refuses.
bool pin(int pu_os_index) {
  const Bitmap target;
  return hwloc_bitmap_only(target.get(), static_cast<unsigned>(pu_os_index)) == 0 &&
         hwloc_linux_set_tid_cpubind(system_topology(), calling_thread, target.get()) == 0;
}

}  // namespace

PinnedThread::PinnedThread(int pu_os_index) {
  const hwloc_topology_t topology = system_topology();
  Pins& pins = pins_of_this_thread();
  pins.pus.reserve(pins.pus.size() + 1);
  const bool known =
      !pins.pus.empty() || hwloc_linux_get_tid_cpubind(topology, calling_thread, pins.before.get()) == 0;
  if (pu_os_index < 0) errno = EINVAL;
  if (known && pu_os_index >= 0 && pin(pu_os_index)) {
    pins.pus.emplace_back(this, pu_os_index);
    return;
  }
  if (errno != EINVAL)
    throw SystemError(fmt::format("cannot pin to PU {}: {}", pu_os_index, std::strerror(errno)));
  throw SystemError(fmt::format("cannot pin to PU {}: the process may use PUs {} only", pu_os_index,
                                number_ranges(numbers(hwloc_topology_get_allowed_cpuset(topology)))));
}

PinnedThread::~PinnedThread() {
  Pins& pins = pins_of_this_thread();
  std::erase_if(pins.pus, [this](const auto& entry) { return entry.first == this; });
  if (pins.pus.empty())
    hwloc_linux_set_tid_cpubind(system_topology(), calling_thread, pins.before.get());
  else
    pin(pins.pus.back().second);
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

std::vector<int> unpinned_affinity() {
  const Pins& pins = pins_of_this_thread();
  return !pins.pus.empty() ? numbers(pins.before.get()) : thread_affinity();
}

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
