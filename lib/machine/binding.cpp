#include "machine/binding.hpp"

#include <array>
#include <bit>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fmt/format.h>
#include <hwloc/linux.h>
#include <mutex>
#include <new>
#include <optional>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>

#include "machine/hwloc.hpp"

// Calls hwloc's functions for Linux, which take a thread's tid: its portable ones do nothing, successfully,
// while HWLOC_XMLFILE or HWLOC_SYNTHETIC names another machine.
namespace vnode {

void at_fork(void (*before)(), void (*in_parent)(), void (*in_child)()) {
  if (pthread_atfork(before, in_parent, in_child) != 0) throw std::bad_alloc();
}

namespace {

constexpr pid_t calling_thread = 0;  // as a tid

/// Holds a set of PUs as the kernel has it: for 8192, as many as Linux can be built for.
constexpr std::size_t word_bits = sizeof(unsigned long) * CHAR_BIT;
using KernelSet = std::array<unsigned long, 8192 / word_bits>;

}  // namespace

/// Holds the pins of one thread. Several teams may pin it at a time and end in any order and on any thread:
/// the newest pin that is left counts. The mutex guards all other members.
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

  /// Pins the calling thread, whose pins these are. Returns false, with errno, if the system refuses.
  /// `outside`: see PinnedThread.
  bool add(const PinnedThread* owner, const std::vector<int>& pus, const std::vector<int>& outside) {
    static std::once_flag told_of_children;
    std::call_once(told_of_children, [] { at_fork([] {}, [] {}, [] { of_this_thread()->inherit(); }); });
    Bitmap target = bitmap_of(pus);
    const std::lock_guard lock(mutex_);
    pus_.reserve(pus_.size() + 1);
    if (pus_.empty()) {
      if (hwloc_linux_get_tid_cpubind(system_topology(), thread_, before_.get()) != 0) return false;
      if (!outside.empty()) {
        Bitmap all = bitmap_of(outside);
        if (hwloc_bitmap_isincluded(before_.get(), all.get())) before_ = std::move(all);
      }
    }
    if (!pin(target)) return false;
    pus_.emplace_back(owner, std::move(target));
    return true;
  }
  void remove(const PinnedThread* owner) {
    const std::lock_guard lock(mutex_);
    const auto removed = std::erase_if(pus_, [=](const auto& entry) { return entry.first == owner; });
    if (ended_ || removed == 0) return;
    if (pus_.empty())
      pin(before_);
    else
      pin(pus_.back().second);
  }
  bool any() {
    const std::lock_guard lock(mutex_);
    return !pus_.empty();
  }
  /// Does nothing if the thread is not pinned.
  std::optional<std::vector<int>> before() {
    const std::lock_guard lock(mutex_);
    return pus_.empty() ? std::nullopt : std::optional(numbers(before_.get()));
  }

 private:
  /// Is called in a child of fork() by its only thread: nobody pins it any more.
  void inherit() {
    thread_ = gettid();
    if (pus_.empty()) return;
    pus_.clear();
    pin(before_);
  }
  bool pin(const Bitmap& pus) const {
    return hwloc_linux_set_tid_cpubind(system_topology(), thread_, pus.get()) == 0;
  }
  static Bitmap bitmap_of(const std::vector<int>& pus) {
    Bitmap made;
    for (const int pu : pus)
      if (hwloc_bitmap_set(made.get(), static_cast<unsigned>(pu)) != 0) throw std::bad_alloc();
    return made;
  }

  std::mutex mutex_;
  pid_t thread_ = gettid();
  bool ended_ = false;                                       // then its id may be another's
  std::vector<std::pair<const PinnedThread*, Bitmap>> pus_;  // by os index
  Bitmap before_;
};

PinnedThread::PinnedThread(const std::vector<int>& pus_os_indices, const std::vector<int>& outside)
    : pins_(Pins::of_this_thread()) {
  if (pus_os_indices.empty() || pus_os_indices.front() < 0)
    errno = EINVAL;
  else if (pins_->add(this, pus_os_indices, outside))
    return;
  const int why = errno;
  const std::string pus = fmt::format(
      "{} {}", pus_os_indices.size() == 1 ? "PU" : "PUs",
      pus_os_indices.size() == 1 ? std::to_string(pus_os_indices.front()) : number_ranges(pus_os_indices));
  if (why != EINVAL) throw SystemError(fmt::format("cannot pin to {}: {}", pus, std::strerror(why)));
  throw SystemError(
      fmt::format("cannot pin to {}: the process may use PUs {} only", pus,
                  number_ranges(numbers(hwloc_topology_get_allowed_cpuset(system_topology())))));
}

PinnedThread::~PinnedThread() { pins_->remove(this); }

bool PinnedThread::here() const { return pins_ == Pins::of_this_thread(); }

Unpinned::Unpinned()
    : free_(thread_is_pinned() ? std::make_unique<PinnedThread>(unpinned_affinity()) : nullptr) {}
Unpinned::~Unpinned() = default;

bool thread_is_pinned() { return Pins::of_this_thread()->any(); }

std::vector<int> unpinned_affinity() {
  const auto before = Pins::of_this_thread()->before();
  return before ? *before : thread_affinity();
}

std::vector<int> thread_affinity() {
  std::vector<int> pus = affinity_of(calling_thread);
  if (pus.empty())
    throw SystemError(fmt::format("cannot read the thread's affinity: {}", std::strerror(errno)));
  return pus;
}

std::vector<int> affinity_of(int thread) {
  KernelSet set{};
  std::vector<int> pus;
  if (sched_getaffinity(thread, sizeof set, reinterpret_cast<cpu_set_t*>(set.data())) != 0) return pus;
  for (std::size_t word = 0; word < set.size(); ++word)
    for (unsigned long left = set[word]; left != 0; left &= left - 1)
      pus.push_back(static_cast<int>(word * word_bits) + std::countr_zero(left));
  return pus;
}

bool set_thread_affinity(const std::vector<int>& pus) {
  KernelSet set{};
  for (const int pu : pus)
    set.at(static_cast<std::size_t>(pu) / word_bits) |= 1UL << (static_cast<std::size_t>(pu) % word_bits);
  return sched_setaffinity(calling_thread, sizeof set, reinterpret_cast<const cpu_set_t*>(set.data())) == 0;
}

int current_pu() {
  const int pu = sched_getcpu();  // hwloc would read a file, of a thread that has run since
  if (pu < 0) throw SystemError(fmt::format("cannot read the thread's PU: {}", std::strerror(errno)));
  return pu;
}

}  // namespace vnode
