#include "questions/hosts.hpp"

#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <omp.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>
#include <utility>
#include <vector>

#include <vnode/error.hpp>

#include "timing/affinity.hpp"

namespace vnode::bench {
namespace {

// Binds each thread that works in the arena, as long as it does.
class Binding : public tbb::task_scheduler_observer {
 public:
  Binding(tbb::task_arena& arena, std::vector<Affinity> seats)
      : tbb::task_scheduler_observer(arena), seats_(std::move(seats)), before_(seats_.size()) {
    observe(true);
  }
  ~Binding() override { observe(false); }

  void on_scheduler_entry(bool) override {
    const std::size_t seat = slot();
    before_[seat] = affinity();
    set_affinity(seats_[seat]);
  }
  void on_scheduler_exit(bool) override { set_affinity(before_[slot()]); }

 private:
  std::size_t slot() const {
    return static_cast<std::size_t>(tbb::this_task_arena::current_thread_index()) % seats_.size();
  }

  const std::vector<Affinity> seats_;
  std::vector<Affinity> before_;
};

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

void run_tbb(Team& team, const std::function<void(const Seat&)>& body) {
  std::vector<Affinity> seats = affinities(team);
  // oneTBB counts the cores that the calling thread may use, and that is bound to one.
  const tbb::global_control workers{tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(team.size())};
  tbb::task_arena arena{team.size()};
  arena.initialize();
  const Binding binding{arena, std::move(seats)};
  arena.execute([&] { body({0, nullptr}); });
}

void for_every_rank(int ranks, const std::function<void(Rank)>& each) {
  tbb::parallel_for(0, ranks, 1, each, tbb::static_partitioner{});
}

}  // namespace

const Host openmp_host{run_openmp};
const Host tbb_host{run_tbb, for_every_rank};

}  // namespace vnode::bench
