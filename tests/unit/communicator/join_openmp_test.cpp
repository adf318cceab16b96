// OpenMP's threads as the nodes of a team, by the runtime that belongs to the compiler.
#include <atomic>
#include <doctest/doctest.h>
#include <functional>
#include <omp.h>
#include <stdexcept>
#include <vector>

#include <vnode/vnode.hpp>

#include "base/doorbell.hpp"
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
