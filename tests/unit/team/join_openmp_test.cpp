// Tests OpenMP's threads as the nodes of a team, by the runtime that belongs to the compiler.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <filesystem>
#include <functional>
#include <omp.h>
#include <stdexcept>
#include <string>
#include <vector>

#include <vnode/vnode.hpp>

#include "base/doorbell.hpp"
#include "child_case.hpp"
#include "joining.hpp"

using namespace vnode_test;

namespace {

/// ThreadSanitizer does not see how OpenMP's runtimes synchronise their threads.
bool openmp_is_seen() {
  omp_set_dynamic(0);
  return !vnode::sanitized_threads;
}

}  // namespace

TEST_CASE("the threads of parallel regions join a team, region after region") {
  if (!openmp_is_seen()) return;
  constexpr int nodes = 4;
  vnode::Team team = joined_by(nodes);
  std::vector<int> sums(nodes);
  for (int region = 0; region < 100; ++region) {
#pragma omp parallel num_threads(nodes)
    {
      vnode::Membership me = team.join(omp_get_thread_num());
      sums[static_cast<std::size_t>(omp_get_thread_num())] = me->all_reduce(region, std::plus<>{});
    }
    REQUIRE(sums == std::vector<int>(nodes, nodes * region));
  }
}

TEST_CASE("a team stays joined over work that OpenMP shares out among its nodes") {
  if (!openmp_is_seen()) return;
  constexpr int nodes = 3;
  vnode::Team team = joined_by(nodes);
  std::atomic<int> right = 0;
#pragma omp parallel num_threads(nodes)
  {
    vnode::Membership me = team.join();
    long mine = 0;
#pragma omp for
    for (long i = 0; i < 1000; ++i) mine += i;
    if (me->all_reduce(mine, std::plus<>{}) == 499500) ++right;
#pragma omp barrier
    if (works(*me)) ++right;
  }
  CHECK(right == 2 * nodes);
}

TEST_CASE("an exception is caught within its region, and the next region joins again") {
  if (!openmp_is_seen()) return;
  constexpr int nodes = 3;
  vnode::Team team = joined_by(nodes);
  std::atomic<int> thrown = 0, aborted = 0, right = 0;
#pragma omp parallel num_threads(nodes)
  try {
    vnode::Membership me = team.join(omp_get_thread_num());
    if (me->rank() == 1) throw std::runtime_error("no input");
    for (;;) me->barrier();
  } catch (const vnode::Aborted&) {
    ++aborted;
  } catch (const std::runtime_error&) {
    ++thrown;
  }
  CHECK(thrown == 1);
  CHECK(aborted == 2);
#pragma omp parallel num_threads(nodes)
  if (works(*team.join(omp_get_thread_num()))) ++right;
  CHECK(right == nodes);
}

TEST_CASE("a region that gets fewer threads than there are nodes is told which are missing") {
  if (!openmp_is_seen()) return;
  vnode::TeamOptions options = callers();
  options.time_limit = std::chrono::milliseconds(300);
  vnode::Team team{3, options};
  std::vector<std::string> said(2);
#pragma omp parallel num_threads(2)
  {
    const int i = omp_get_thread_num();
    said[static_cast<std::size_t>(i)] = said_by([&] { (void)team.join(i); });
  }
  CHECK(said[0] == said[1]);
  CHECK(
      said[0].ends_with(" has waited longer than the time limit of 300 ms for all 3 nodes to join: node 2 "
                        "is missing"));
}

TEST_CASE("regions within regions join teams of their own") {
  if (!openmp_is_seen()) return;
  omp_set_max_active_levels(2);
  vnode::Team outer = joined_by(2), first = joined_by(2), second = joined_by(2);
  std::atomic<int> right = 0;
#pragma omp parallel num_threads(2)
  {
    vnode::Membership me = outer.join(omp_get_thread_num());
    vnode::Team& inner = me->rank() == 0 ? first : second;
#pragma omp parallel num_threads(2)
    if (works(*inner.join(omp_get_thread_num()))) ++right;
    if (works(*me)) ++right;
  }
  omp_set_max_active_levels(1);
  CHECK(right == 6);
}

TEST_CASE("which runtime OpenMP's threads are of" * doctest::skip()) {
  CHECK(dlsym(RTLD_DEFAULT, "__kmpc_fork_call") != nullptr);
}

TEST_CASE("what another compiler's OpenMP starts joins a team too") {
  // clang's runtime serves what gcc has compiled.
  const char* const libomp = "/usr/lib/x86_64-linux-gnu/libomp.so.5";
  if (!openmp_is_seen() || under_emulation() || !std::filesystem::exists(libomp) ||
      dlsym(RTLD_DEFAULT, "__asan_init") != nullptr || dlsym(RTLD_DEFAULT, "__kmpc_fork_call") != nullptr)
    return;
  const std::string preloaded = std::string("LD_PRELOAD=") + libomp;
  check_case_passes(preloaded, "which runtime OpenMP*");
  check_case_passes(preloaded, "the threads of parallel regions join a team*");
  check_case_passes(preloaded, "regions within regions join teams of their own");
}
