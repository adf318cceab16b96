#include "measure/openmp_host.hpp"

#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <omp.h>
#include <vector>

#include <vnode/error.hpp>

#include "measure/affinity.hpp"

namespace vnode::bench {

void run_openmp(Team& team, const std::function<void(const Seat&)>& body) {
  const std::vector<Affinity> seats = affinities(team);
  const Affinity before = affinity();
  std::exception_ptr failure;
  std::mutex failing;
  omp_set_dynamic(0);
#pragma omp parallel num_threads(team.size())
  {
    const Rank rank = omp_get_thread_num();
    set_affinity(seats[static_cast<std::size_t>(rank) % seats.size()]);
#pragma omp barrier
    try {
      if (omp_get_num_threads() != team.size())
        throw SystemError{
            fmt::format("OpenMP gives {} threads where {} are asked for: raise OMP_THREAD_LIMIT",
                        omp_get_num_threads(), team.size())};
      body({rank, nullptr});
    } catch (...) {
      const std::lock_guard lock{failing};
      if (!failure) failure = std::current_exception();
    }
  }
  omp_pause_resource_all(omp_pause_hard);
  set_affinity(before);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace vnode::bench
