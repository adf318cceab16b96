// This is a program whose main thread OpenMP's runtime binds, before main begins or later: what vnode takes
// for the process's PUs, and where nodes are, by all settings of OMP_PROC_BIND. The runtime is the one that
// the program is linked with.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <doctest/doctest.h>
#include <functional>
#include <omp.h>
#include <sched.h>
#include <string>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/vnode.hpp>

#include "base/doorbell.hpp"
#include "child_case.hpp"

namespace {

using Pus = std::vector<int>;
constexpr const char* variable = "VNODE_TEST_PUS";

/// As the kernel says, of the calling thread.
Pus own_pus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  REQUIRE(sched_getaffinity(0, sizeof set, &set) == 0);
  Pus pus;
  for (int pu = 0; pu < CPU_SETSIZE; ++pu)
    if (CPU_ISSET(static_cast<std::size_t>(pu), &set)) pus.push_back(pu);
  return pus;
}

const vnode::Pu& pu_of(const vnode::Machine& machine, int os_index) {
  const auto found = std::ranges::find(machine.pus, os_index, &vnode::Pu::os_index);
  REQUIRE(found != machine.pus.end());
  return *found;
}

/// Returns the cores on which these PUs are.
std::vector<int> cores_of(const vnode::Machine& machine, const Pus& pus) {
  std::vector<int> cores;
  for (const int pu : pus) cores.push_back(pu_of(machine, pu).core);
  std::ranges::sort(cores);
  cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
  return cores;
}

/// Returns whether two threads with these PUs can have a core each.
bool core_each(const vnode::Machine& machine, const std::array<Pus, 2>& threads) {
  const std::vector<int> first = cores_of(machine, threads[0]), second = cores_of(machine, threads[1]);
  return first.size() > 1 || second.size() > 1 || first != second;
}

bool has(const std::string& report, const std::string& text) { return report.find(text) != report.npos; }

/// Checks what a report says of cores and waiting.
void check_waiting(const std::string& report, bool own_core) {
  CAPTURE(report);
  CHECK(has(report, ", one of its own to each node\n") == own_core);
  CHECK(has(report, own_core ? "\nwaiting: spin for " : "\nwaiting: yield for "));
}

}  // namespace

TEST_CASE("child: nodes are where they may be" * doctest::skip()) {
  omp_set_dynamic(0);
  const char* const told = std::getenv(variable);
  REQUIRE(told != nullptr);
  const vnode::Machine machine = vnode::Machine::discover();
  Pus allowed;
  for (const int pu : machine.allowed_pus())
    allowed.push_back(machine.pus[static_cast<std::size_t>(pu)].os_index);
  std::ranges::sort(allowed);
  CHECK(vnode::number_ranges(allowed) == told);
  const bool two_cores = machine.allowed_cores() > 1 && machine.cpu_quota.value_or(2) >= 2;
  vnode::TeamOptions options;
  options.time_limit = std::chrono::minutes(1);

  // Threads of the team's own.
  const Pus main_thread = own_pus();
  vnode::Team own{2, options};
  std::array<Pus, 2> at;
  own.run([&](vnode::Node& me) { at[static_cast<std::size_t>(me.rank())] = own_pus(); });
  CHECK(at[0].size() == 1);
  CHECK(at[1].size() == 1);
  CHECK((cores_of(machine, at[0]) != cores_of(machine, at[1])) == (machine.allowed_cores() > 1));
  check_waiting(own.report(), two_cores);
  CHECK(has(own.report(), "affinity: the thread that made the team is bound to ") ==
        (main_thread != allowed));
  CHECK(own_pus() == main_thread);

  // OpenMP's.
  options.threads = vnode::Threads::callers;
  vnode::Team joined{2, options};
  std::array<int, 2> sums{};
  for (int region = 0; region < 3; ++region)
#pragma omp parallel num_threads(2)
  {
    const auto rank = static_cast<std::size_t>(omp_get_thread_num());
    at[rank] = own_pus();
    vnode::Membership me = joined.join(omp_get_thread_num());
    sums[rank] += me->all_reduce(1, std::plus<>{});
  }
  CHECK(sums == std::array{6, 6});
  check_waiting(joined.report(), two_cores && core_each(machine, at));
}

TEST_CASE(
    "whatever OMP_PROC_BIND says, and taskset, nodes have the cores that the process and their threads may "
    "use") {
  // ThreadSanitizer does not see how OpenMP's runtimes synchronise; an emulator's kernel is not asked for
  // masks.
  if (vnode::sanitized_threads || under_emulation()) return;
  const Pus all = own_pus();
  std::vector<Pus> restrictions{all, {all.front()}};
  if (all.size() > 1) restrictions.push_back({all.back()});
  for (const Pus& pus : restrictions)
    for (const std::string bind : {"-u OMP_PROC_BIND", "OMP_PROC_BIND=false", "OMP_PROC_BIND=true",
                                   "OMP_PROC_BIND=close", "OMP_PROC_BIND=spread", "OMP_PROC_BIND=master"}) {
      const std::string list = vnode::number_ranges(pus);
      CAPTURE(bind);
      CAPTURE(list);
      check_case_passes("env -u OMP_PLACES -u GOMP_CPU_AFFINITY -u KMP_AFFINITY " + bind + " " + variable +
                            "=" + list + " taskset -c " + list,
                        "child: nodes are where they may be");
    }
}
