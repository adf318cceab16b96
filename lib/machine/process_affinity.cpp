#include <algorithm>
#include <dlfcn.h>
#include <iterator>
#include <memory>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

#include "machine/binding.hpp"

// Linux knows masks of threads only. The process's is that of its main thread before anybody has bound it, as
// taskset, mpirun or Slurm leave it: it is read when libvnode is loaded.
namespace vnode {
namespace {

using Pus = std::vector<int>;

Pus united(const Pus& one, const Pus& other) {
  Pus both;
  std::ranges::set_union(one, other, std::back_inserter(both));
  return both;
}

/// Returns the PUs of all places of libgomp, if that is loaded and has begun before: with OMP_PROC_BIND or
/// OMP_PLACES it binds the main thread then. LLVM's runtime binds threads in the first parallel region, and
/// begins when it is asked, so it is not.
Pus places_of_openmp() {
  struct Close {
    void operator()(void* library) const { dlclose(library); }
  };
  const std::unique_ptr<void, Close> library(dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD));
  if (library == nullptr) return {};
  const auto count_places = reinterpret_cast<int (*)()>(dlsym(library.get(), "omp_get_num_places"));
  const auto count_pus = reinterpret_cast<int (*)(int)>(dlsym(library.get(), "omp_get_place_num_procs"));
  const auto read_pus = reinterpret_cast<void (*)(int, int*)>(dlsym(library.get(), "omp_get_place_proc_ids"));
  if (count_places == nullptr || count_pus == nullptr || read_pus == nullptr) return {};
  Pus all;
  for (int place = 0; place < count_places(); ++place) {
    Pus pus(static_cast<std::size_t>(std::max(count_pus(place), 0)));
    read_pus(place, pus.data());
    std::ranges::sort(pus);
    all = united(all, pus);
  }
  return all;
}

/// The set is never destroyed: teams may be made later than anything else ends.
const Pus& at_load() {
  static const Pus* const pus =
      new Pus(united(united(affinity_of(getpid()), affinity_of(gettid())), places_of_openmp()));
  return *pus;
}
[[maybe_unused]] const Pus& read_before_main = at_load();

/// Returns what the system lets a thread have that asks for all of these, as cpusets are now. The thread is
/// another one: the kernel would take what the calling thread asks for as its wish from then on.
Pus granted(const Pus& asked) {
  Pus got;
  try {
    std::thread([&] {
      if (set_thread_affinity(asked)) got = affinity_of(gettid());
    }).join();
  } catch (const std::system_error&) {
    // There is no thread more.
  }
  return got;
}

}  // namespace

std::vector<int> process_affinity() {
  Pus own = unpinned_affinity();
  if (std::ranges::includes(own, at_load())) return own;
  const Pus got = granted(united(own, at_load()));
  return got.empty() ? own : got;
}

std::unique_ptr<PinnedThread> with_process_affinity() {
  const Pus all = process_affinity();
  return thread_affinity() == all ? nullptr : std::make_unique<PinnedThread>(all);
}

}  // namespace vnode
