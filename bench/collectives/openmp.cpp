#include "collectives/contestants.hpp"
#include "collectives/duty.hpp"

namespace vnode::bench {
namespace {

void work(const std::vector<Duty>& duties) {
#pragma omp barrier
#pragma omp for schedule(static)
  for (std::size_t i = 0; i < duties.size(); ++i) duties[i]();
}

}  // namespace

Contestant collective_openmp(const SharedTask& task) {
  return {.by = "openmp",
          .call = [task, duties = shared_duties(*task)](const Seat&) { work(duties); },
          .host = Host::openmp};
}

}  // namespace vnode::bench
