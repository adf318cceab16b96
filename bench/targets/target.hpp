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

/// Holds one promise, and what was measured of it in one regime of the machine.
struct Verdict {
  std::string what;
  std::string target;               ///< in words
  std::optional<double> line_ns{};  ///< the line transfer seen in these laps
  double measured = 0;              ///< microseconds, or the unit that `what` says
  std::optional<double> against{};  ///< the limit, or the peer's time
  double bound = 0;                 ///< what is promised
  bool at_least = false;            ///< the promise is kept from `bound` upwards
  std::optional<double> to_limit{}, to_mpi{}, to_thread_mpi{};  ///< measured divided by each, lap by lap
  std::string configuration{};                                  ///< of the MPI

  bool met() const { return at_least ? measured >= bound : measured <= bound; }
};

/// Holds the laps of one regime: two vCPUs may be hyper-threads of one core now and cores of two sockets a
/// second later.
struct Regime {
  std::vector<std::size_t> laps;
};
/// Groups laps by the line transfer seen in them: below 30 ns, up to 200 ns, above.
std::vector<Regime> regimes(const std::vector<double>& line_us);
/// Returns the median over the laps of a regime.
double middle(const std::vector<double>& of_laps, const Regime& regime);

using Verdicts = std::vector<Verdict>;

/// Measures the question, and adds a verdict for each contestant but the last: it must take no more than
/// `factor` times as long as the last, which is by hand. `what` is written behind the contestant's name.
void beside_by_hand(Team& team, Question& question, const Effort& effort, const std::string& what,
                    const std::string& target, double factor, Verdicts& verdicts);

/// Measures send, broadcast, reduce and barrier between two cores, against the limits measured in the same
/// laps.
Verdicts between_two_cores(const Options& options);
/// Measures what a call costs where there is no other node, and what starting a run costs.
Verdicts overheads(const Options& options);
/// Measures barriers of 8 and 64 nodes, and all_reduces of 8 nodes, on two cores.
Verdicts on_two_cores(const Options& options);
/// Measures all_reduce and every other operation between two cores, against limits and MPI in the same laps,
/// in vnode-bench's loop and in OSU's, where they are also compared with earlier figures of thread-MPI. `mpi`
/// is null if there is none.
Verdicts operations_between_two_cores(const Options& options, const std::shared_ptr<MpiPeers>& mpi);
/// Measures the algorithm that the library chooses against the best that there is. Returns the worst size of
/// each collective, and every size that breaks the promise.
Verdicts choices_between_two_cores(const Options& options);
/// Measures receives from any source, with any tag, and after a probe, beside those from a named source, at p
/// = 2, 8 and 64.
Verdicts matching(const Options& options);
/// Measures what a thread of another process keeps of its core beside 64 nodes.
Verdicts beside_another_process(const Options& options);
/// Measures messages of what layouts pick between two cores, against packing and unpacking by hand.
Verdicts layouts_against_packing(const Options& options);
/// Measures exchanges of neighbours on tori of 4 and 16 nodes, against the same messages by hand.
Verdicts halos_against_messages(const Options& options);
/// Measures calls of 8 bytes in teams that std::thread's and OpenMP's threads have joined, and from C, beside
/// run(), and what joining costs.
Verdicts through_doors(const Options& options);

/// Holds what was measured of an operation of one size, in each lap, in microseconds. What was not measured
/// is empty.
struct Observation {
  std::vector<double> line, ours, limit, mpi, thread_mpi;
  std::string configuration;  ///< of the MPI
};

/// Makes a bound of one of an Observation's times: factor x time + extra_ns.
struct Term {
  std::vector<double> Observation::*of;
  double factor;
  double extra_ns = 0;
};

/// Promises that vnode's time is not above any of these terms, or not above another one.
struct Promise {
  std::string text;
  std::vector<Term> all_of;
  std::optional<Term> or_else{};
};

/// Returns the bound in each lap: the least of the terms that were measured, or `or_else` if that is more.
/// The result is empty if nothing was measured.
std::vector<double> bounds(const Promise& promise, const Observation& observation);

/// Holds figures of another day on a machine of two cores, in OSU's loop, in microseconds (docs/measuring.md
/// 8.4). They stand for peers that cannot be run here, and are scaled by what the same machine's limits are
/// now.
struct PageFigure {
  std::string_view operation;
  std::size_t bytes;
  std::optional<double> mpi, thread_mpi;  ///< the best configuration; GROMACS
};

/// Returns the figures that the page has for an operation and size; what it does not have is empty.
PageFigure page_figure(std::string_view operation, std::size_t bytes);

/// The time of a cache line one way on the page's day: the middle of the range that it gives.
inline constexpr double page_line_us = 0.1275;
/// Returns the time on that day of a copy, by one core alone, of what the other core has just written.
/// Returns nothing for sizes that the page does not have.
std::optional<double> page_copy_us(std::size_t bytes);

}  // namespace vnode::bench
