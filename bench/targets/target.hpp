#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mpi/peers.hpp"
#include "options/options.hpp"
#include "timing/contest.hpp"

namespace vnode::bench {

inline constexpr std::size_t kib = 1024, mib = kib * kib;

/// One promise, and what was measured of it in one regime of the machine.
struct Verdict {
  std::string what;
  std::string target;               ///< in words
  std::optional<double> line_ns{};  ///< the line transfer seen in these laps
  double measured = 0;              ///< microseconds, or the unit that `what` says
  std::optional<double> against{};  ///< the limit, or the peer's time
  double bound = 0;                 ///< what is promised
  bool at_least = false;            ///< the promise is kept from `bound` upwards
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

/// Measures the question, and adds how each contestant but the last does beside the last, which is by hand:
/// no more than `factor` of its time. `what` is written behind who it is.
void beside_by_hand(Team& team, Question& question, const Effort& effort, const std::string& what,
                    const std::string& target, double factor, Verdicts& verdicts);

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
/// Receives from any source, with any tag, and after a probe, beside those by name, at p = 2, 8 and 64.
Verdicts matching(const Options& options);
/// What a thread of another process keeps of its core beside 64 nodes.
Verdicts beside_another_process(const Options& options);
/// Messages of what layouts pick between two cores, against packing and unpacking by hand.
Verdicts layouts_against_packing(const Options& options);
/// Exchanges of neighbours on tori of 4 and 16 nodes, against the same messages by hand.
Verdicts halos_against_messages(const Options& options);
/// Calls of 8 bytes in teams that std::thread's and OpenMP's threads have joined, and from C, beside run();
/// and what joining costs.
Verdicts through_doors(const Options& options);

/// What was measured of an operation of one size, in each lap, microseconds; what is not there is empty.
struct Observation {
  std::vector<double> line, ours, limit, mpi, thread_mpi;
  std::string configuration;  ///< of the MPI
};

/// One of an Observation's times, as a bound: factor x it + nanoseconds.
struct Term {
  std::vector<double> Observation::*of;
  double factor;
  double extra_ns = 0;
};

/// A promise: ours is not above any of these, or not above another one.
struct Promise {
  std::string text;
  std::vector<Term> all_of;
  std::optional<Term> or_else{};
};

/// The bound in each lap: the least of those that were measured, or, if that is more, the other. Empty if
/// nothing was.
std::vector<double> bounds(const Promise& promise, const Observation& observation);

/// Figures of another day on a machine of two cores, in OSU's loop, microseconds (docs/measuring.md 8.4): for
/// peers that cannot be run here. They are scaled by what the same machine's limits are now.
struct PageFigure {
  std::string_view operation;
  std::size_t bytes;
  std::optional<double> mpi, thread_mpi;  ///< the best configuration; GROMACS
};

/// What the page has for an operation and size; nothing else.
PageFigure page_figure(std::string_view operation, std::size_t bytes);

/// The page's day: a cache line one way, the middle of what it gives.
inline constexpr double page_line_us = 0.1275;
/// And a copy of what the other core has just written, by one core alone; nothing for other sizes.
std::optional<double> page_copy_us(std::size_t bytes);

}  // namespace vnode::bench
