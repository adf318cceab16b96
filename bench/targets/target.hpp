#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command_line/options.hpp"
#include "mpi/peers.hpp"

namespace vnode::bench {

/// One promise, and what was measured of it in one regime of the machine.
struct Verdict {
  std::string what;
  std::string target;             ///< in words
  std::optional<double> line_ns;  ///< the line transfer seen in these laps
  double measured = 0;            ///< microseconds, or the unit that `what` says
  std::optional<double> against;  ///< the limit, or the peer's time
  double bound = 0;               ///< what is promised
  bool at_least = false;          ///< the promise is kept from `bound` upwards
  std::optional<double> to_limit{}, to_mpi{}, to_thread_mpi{};  ///< measured by each, lap by lap
  std::string configuration{};                                  ///< of the MPI

  bool met() const { return at_least ? measured >= bound : measured <= bound; }
};

/// The laps of one regime: two vCPUs may be hyper-threads of one core now and cores of two sockets a second
/// later.
struct Regime {
  std::vector<std::size_t> laps;
};
/// Groups laps by the line transfer seen in them: below 30 ns, up to 200 ns, above.
std::vector<Regime> regimes(const std::vector<double>& line_us);
/// The median over the laps of a regime.
double middle(const std::vector<double>& of_laps, const Regime& regime);

using Verdicts = std::vector<Verdict>;

/// send, broadcast, reduce and barrier between two cores, against the limits measured in the same laps.
Verdicts between_two_cores(const Options& options);
/// What a call costs where there is nobody to talk to, and what starting a run costs.
Verdicts overheads(const Options& options);
/// Barriers of 8 and 64 nodes, and all_reduces of 8, on two cores.
Verdicts on_two_cores(const Options& options);
/// all_reduce and every other operation between two cores, against limits and MPI in the same laps, in our
/// loop and in OSU's, where they are also compared with thread-MPI as it was. `mpi`: null if there is none.
Verdicts operations_between_two_cores(const Options& options, const std::shared_ptr<MpiPeers>& mpi);
/// What the library chooses, against the best algorithm that there is: the worst size of each collective, and
/// every one that breaks the promise.
Verdicts choices_between_two_cores(const Options& options);
/// What a thread of another process keeps of its core beside 64 nodes.
Verdicts beside_another_process(const Options& options);

}  // namespace vnode::bench
