#include <vnode/error.hpp>
#include <vnode/machine.hpp>

#include "command_line/commands.hpp"
#include "command_line/progress.hpp"
#include "command_line/team.hpp"
#include "report/grid.hpp"
#include "targets/target.hpp"

namespace vnode::bench {

int measure_targets(const Options& options, std::ostream& out) {
  const Machine machine = Machine::discover();
  if (machine.allowed_cores() < 2)
    throw SystemError{"the targets are for two cores, and this process may use one"};
  Grid grid{"targets",
            station(*team_of(options, 2), machine),
            {{"what", 48},
             {"target", 32},
             {"line_ns", 8},
             {"measured", 10},
             {"against", 10},
             {"bound", 10},
             {"ratio", 7},
             {"met", 4}}};
  Progress progress;
  double done = 0;
  for (const auto part : {between_two_cores, overheads, barriers_on_two_cores, beside_another_process}) {
    progress.show(done, "targets");
    done += 0.25;
    for (const Verdict& verdict : part(options)) {
      Grid::Cell line, against, ratio;
      if (verdict.line_ns) line = *verdict.line_ns;
      if (verdict.against) against = *verdict.against, ratio = verdict.measured / *verdict.against;
      grid.row({verdict.what, verdict.target, line, verdict.measured, against, verdict.bound, ratio,
                verdict.met()});
    }
  }
  progress.clear();
  grid.write(options.format, out);
  return 0;
}

}  // namespace vnode::bench
