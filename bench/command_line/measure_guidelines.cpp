#include <fmt/format.h>

#include <vnode/lab/machine.hpp>

#include "base/bytes.hpp"
#include "command_line/commands.hpp"
#include "command_line/room.hpp"
#include "command_line/team.hpp"
#include "guidelines/best_algorithm.hpp"
#include "guidelines/consistency.hpp"
#include "measure/affinity.hpp"
#include "report/grid.hpp"
#include "terminal/progress.hpp"

namespace vnode::bench {
namespace {

constexpr double auto_bound = 1.1;

class Guidelines {
 public:
  Guidelines(const Options& options, std::ostream& out)
      : options_(options),
        out_(out),
        team_(team_for(options, nodes_of(options, machine_))),
        core_each_(core_each(*team_, machine_)),
        grid_{"guidelines",
              station(*team_, machine_),
              {"guideline", "bytes", "one", "one_us", "other", "other_us", "ratio", "bound", "holds"}} {}

  int run() {
    const double step = 1.0 / static_cast<double>(guidelines().size() + collectives().size());
    for (const Guideline& guideline : guidelines()) {
      ways(guideline);
      share_ += step;
    }
    for (const Collective collective : collectives()) {
      choices(operation(name(collective)));
      share_ += step;
    }
    progress_.clear();
    grid_.write(options_.format, out_);
    return wrong_ > 0 ? 1 : 0;
  }

 private:
  void ways(const Guideline& guideline) {
    const bool one_element = guideline.text.starts_with("barrier");
    const auto sizes =
        one_element ? std::vector{sizeof(double)} : sizes_of(options_, operation(name(guideline.collective)));
    for (const std::size_t bytes : sizes) {
      if (guideline.divides && bytes / sizeof(double) % static_cast<std::size_t>(team_->size()) != 0)
        continue;
      progress_.show(share_, fmt::format("{} {}", guideline.text, bytes_text(bytes)));
      const Consistency both = consistency(*team_, options_, guideline, bytes, core_each_);
      wrong_ += both.wrong;
      grid_.row({guideline.text, bytes, nullptr, both.one_us, nullptr, both.other_us, both.ratio, 1.0,
                 both.ratio <= 1});
    }
  }

  void choices(const Operation& operation) {
    for (const std::size_t bytes : sizes_of(options_, operation)) {
      progress_.show(share_, fmt::format("auto {} {}", operation.name, bytes_text(bytes)));
      const AutoBeside both = auto_beside_best(*team_, options_, operation, bytes, core_each_);
      grid_.row({fmt::format("auto {} <= 1.1 best", operation.name), bytes, both.chosen, both.chosen_us,
                 both.best, both.best_us, both.ratio, auto_bound, both.ratio <= auto_bound});
    }
  }

  const Options& options_;
  std::ostream& out_;
  const Machine machine_ = Machine::discover();  // before a run binds the calling thread
  std::unique_ptr<Team> team_;
  const bool core_each_;
  Grid grid_;
  Progress progress_;
  double share_ = 0;  // done
  std::size_t wrong_ = 0;
};

}  // namespace

int measure_guidelines(const Options& options, std::ostream& out) {
  check_room(options, nodes_of(options, Machine::discover()));
  return Guidelines{options, out}.run();
}

}  // namespace vnode::bench
