#include <chrono>

#include "command_line/team.hpp"
#include "targets/busy_process.hpp"
#include "targets/target.hpp"
#include "targets/two_cores.hpp"

namespace vnode::bench {

Verdicts beside_another_process(const Options& options) {
  const TwoCores two_cores;
  const BusyProcess neighbour;
  const auto team = team_of(options, 64);
  const auto barriers = [](Node& me) {
    for (int i = 0; i < 1000; ++i) me.barrier();
  };
  team->run([](Node& me) { me.barrier(); });
  const auto start = std::chrono::steady_clock::now();
  const double before = neighbour.processor_seconds();
  team->run(barriers);
  const double had = neighbour.processor_seconds() - before;
  const std::chrono::duration<double> lasted = std::chrono::steady_clock::now() - start;
  return {{.what = "share of a core, beside 1,000 barriers at p = 64",
           .target = "at least 0.4",
           .line_ns = {},
           .measured = had / lasted.count(),
           .against = {},
           .bound = 0.4,
           .at_least = true}};
}

}  // namespace vnode::bench
