#include "machine/binding.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <hwloc/linux.h>
#include <mutex>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/machine.hpp>

#include "machine/hwloc.hpp"

// hwloc's Linux calls for threads by their tid: its portable ones do nothing, successfully, while
// HWLOC_XMLFILE or HWLOC_SYNTHETIC names another machine.
namespace vnode {
namespace {

constexpr pid_t calling_thread = 0;  // as a tid
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

/// One thread's. It may be pinned by several teams at a time, which end in any order and on any thread: the
/// newest that is left counts. The mutex guards all the rest.
class Pins {
 public:
  static const std::shared_ptr<Pins>& of_this_thread() {
    struct Own {
      std::shared_ptr<Pins> pins = std::make_shared<Pins>();
      ~Own() {
        const std::lock_guard lock(pins->mutex_);
        pins->ended_ = true;
      }
    };
    static thread_local const Own own;
    return own.pins;
  }

  /// By the thread itself. False, with errno, if the system refuses.
  bool add(const PinnedThread* owner, int pu_os_index) {
    const std::lock_guard lock(mutex_);
    pus_.reserve(pus_.size() + 1);
    if (pus_.empty() && hwloc_linux_get_tid_cpubind(system_topology(), thread_, before_.get()) != 0)
      return false;
    if (!pin(pu_os_index)) return false;
    pus_.emplace_back(owner, pu_os_index);
    return true;
  }
  void remove(const PinnedThread* owner) {
    const std::lock_guard lock(mutex_);
    std::erase_if(pus_, [=](const auto& entry) { return entry.first == owner; });
    if (ended_) return;
    if (pus_.empty())
      hwloc_linux_set_tid_cpubind(system_topology(), thread_, before_.get());
    else
      pin(pus_.back().second);
  }
  /// Nothing if the thread is not pinned.
  std::optional<std::vector<int>> before() {
    const std::lock_guard lock(mutex_);
    return pus_.empty() ? std::nullopt : std::optional(numbers(before_.get()));
  }

 private:
  bool pin(int pu_os_index) const {
    const Bitmap target;
    return hwloc_bitmap_only(target.get(), static_cast<unsigned>(pu_os_index)) == 0 &&
           hwloc_linux_set_tid_cpubind(system_topology(), thread_, target.get()) == 0;
  }

  std::mutex mutex_;
  const pid_t thread_ = gettid();
  bool ended_ = false;                                    // then its id may be another's
  std::vector<std::pair<const PinnedThread*, int>> pus_;  // by os index
  Bitmap before_;
};

PinnedThread::PinnedThread(int pu_os_index) : pins_(Pins::of_this_thread()) {
  if (pu_os_index < 0)
    errno = EINVAL;
  else if (pins_->add(this, pu_os_index))
    return;
  if (errno != EINVAL)
    throw SystemError(fmt::format("cannot pin to PU {}: {}", pu_os_index, std::strerror(errno)));
  throw SystemError(
      fmt::format("cannot pin to PU {}: the process may use PUs {} only", pu_os_index,
                  number_ranges(numbers(hwloc_topology_get_allowed_cpuset(system_topology())))));
}

PinnedThread::~PinnedThread() { pins_->remove(this); }

bool PinnedThread::here() const { return pins_ == Pins::of_this_thread(); }

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
  const auto before = Pins::of_this_thread()->before();
  return before ? *before : thread_affinity();
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
