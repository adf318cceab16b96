#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "options/options.hpp"
#include "timing/contest.hpp"

namespace vnode::bench {

inline constexpr std::size_t kib = 1024;

/// Holds one promise, and what was measured of it.
struct Verdict {
  std::string what;
  std::string target;               ///< in words
  double measured = 0;              ///< microseconds
  std::optional<double> against{};  ///< the time of the other way
  double bound = 0;                 ///< what is promised

  bool met() const { return measured <= bound; }
};

using Verdicts = std::vector<Verdict>;

/// Measures the question, and adds a verdict for each contestant but the last: it must take no more than
/// `factor` times as long as the last, which is by hand. `what` is written behind the contestant's name.
void beside_by_hand(Team& team, Question& question, const Effort& effort, const std::string& what,
                    const std::string& target, double factor, Verdicts& verdicts);

/// Measures what a call costs where there is no other node, what counting adds, and what starting a run
/// costs.
Verdicts overheads(const Options& options);
/// Measures receives from any source, with any tag, and after a probe, beside those from a named source, at p
/// = 2, 8 and 64.
Verdicts matching(const Options& options);
/// Measures messages of what layouts pick between two cores, against packing and unpacking by hand.
Verdicts layouts_against_packing(const Options& options);
/// Measures exchanges of neighbours on tori of 4 and 16 nodes, against the same messages by hand.
Verdicts halos_against_messages(const Options& options);
/// Measures calls of 8 bytes in teams that std::thread's and OpenMP's threads have joined, and from C, beside
/// run(), and what joining costs.
Verdicts through_doors(const Options& options);

}  // namespace vnode::bench
