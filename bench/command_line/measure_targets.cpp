#include <cmath>
#include <functional>

#include <vnode/error.hpp>
#include <vnode/lab/machine.hpp>

#include "command_line/commands.hpp"
#include "command_line/room.hpp"
#include "command_line/team.hpp"
#include "report/grid.hpp"
#include "targets/target.hpp"
#include "terminal/progress.hpp"

namespace vnode::bench {
namespace {

Grid::Cell cell(const std::optional<double>& value) { return value ? Grid::Cell(*value) : Grid::Cell(); }

Grid::Cell cell(const std::string& text) { return text.empty() ? Grid::Cell() : Grid::Cell(text); }

void add(Grid& grid, const Verdict& verdict) {
  Grid::Cell ratio, met;
  if (verdict.against) ratio = verdict.measured / *verdict.against;
  if (std::isfinite(verdict.measured)) met = verdict.met();  // every call may have been late
  grid.row({verdict.what, verdict.target, cell(verdict.line_ns), verdict.measured, cell(verdict.against),
            verdict.bound, ratio, met, cell(verdict.to_limit), cell(verdict.to_mpi),
            cell(verdict.to_thread_mpi), cell(verdict.configuration)});
}

// Null if none has started: the targets that are about MPI then go by what is known of it.
std::shared_ptr<MpiPeers> mpi_of_two(Grid& grid) {
  auto mpi = std::make_shared<MpiPeers>(2, true);
  for (const std::string& words : mpi->left_out()) grid.note(words);
  return mpi->all().empty() ? nullptr : mpi;
}

}  // namespace

int measure_targets(const Options& options, std::ostream& out) {
  const Machine machine = Machine::discover();
  if (machine.allowed_cores() < 2)
    throw SystemError{"the targets are for two cores, and this process may use one"};
  check_room(options, 2);
  Grid grid{"targets",
            station(*team_of(options, 2), machine),
            {"what", "target", "line_ns", "measured", "against", "bound", "ratio", "met", "to_limit",
             "to_mpi", "to_thread_mpi", "mpi"}};
  std::shared_ptr<MpiPeers> mpi;
  if (mpi_libraries().empty())
    grid.note(mpi_advice);
  else
    mpi = mpi_of_two(grid);
  const std::vector<std::function<Verdicts()>> parts{
      [&] { return between_two_cores(options); },
      [&] { return operations_between_two_cores(options, mpi); },
      [&] { return choices_between_two_cores(options); },
      [&] { return overheads(options); },
      [&] { return on_two_cores(options); },
      [&] { return beside_another_process(options); }};
  Progress progress;
  double done = 0;
  for (const auto& part : parts) {
    progress.show(done, "targets");
    done += 1.0 / static_cast<double>(parts.size());
    for (const Verdict& verdict : part()) add(grid, verdict);
  }
  progress.clear();
  grid.write(options.format, out);
  return 0;
}

}  // namespace vnode::bench
