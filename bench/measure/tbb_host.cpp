#include "measure/tbb_host.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>
#include <utility>

#include "measure/affinity.hpp"

namespace vnode::bench {
namespace {

// Binds whoever works in the arena, as long as it does.
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

}  // namespace

void run_tbb(Team& team, const std::function<void()>& body) {
  std::vector<Affinity> seats = affinities(team);
  // oneTBB counts the cores that the calling thread may use, and that is bound to one.
  const tbb::global_control workers{tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(team.size())};
  tbb::task_arena arena{team.size()};
  arena.initialize();
  const Binding binding{arena, std::move(seats)};
  arena.execute(body);
}

void for_every_rank(int ranks, const std::function<void(Rank)>& each) {
  tbb::parallel_for(0, ranks, 1, each, tbb::static_partitioner{});
}

}  // namespace vnode::bench
