#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <vnode/numa.hpp>
#include <vnode/operator.hpp>
#include <vnode/own_schedule.hpp>
#include <vnode/team.hpp>

#include "questions/setting.hpp"
#include "report/report.hpp"
#include "timing/contest.hpp"

namespace vnode::bench {

enum class Measured { operations, first_calls, cluster, limits, guidelines };

/// Holds what the command line asks for, checked as far as it can be without a team.
struct Options {
  Measured measured = Measured::operations;
  std::vector<std::string> operations;  ///< never empty
  std::optional<int> nodes;             ///< nothing: as many as the topology says, or max(2, min(cores, 64))
  std::vector<int> scaling;             ///< several numbers of nodes, ascending; empty: one, which is `nodes`
  std::optional<Nodes> nodes_as{};      ///< nothing: threads, or fibers where they outnumber the PUs
  std::string topology = "full";
  std::string algorithm = "auto";          ///< or all, or a name
  std::shared_ptr<const OwnSchedule> own;  ///< --schedule, or null
  std::string hierarchy;                   ///< --hierarchy, as text; empty: this machine's
  Form form = Form::blocking;
  std::size_t min_bytes = 8, max_bytes = std::size_t{8} << 20;
  std::size_t factor = 2, step = 0;  ///< from one size to the next; the factor, if there is no step
  std::optional<Rank> root = 0;      ///< nothing: all of them, and the worst is reported
  int shift = 1;
  std::vector<StandardOperator> ops{StandardOperator::plus};
  std::vector<Arithmetic> datatypes;  ///< empty: see datatypes_for()
  std::string channel = "line";
  Wait wait = Wait::automatic;
  std::optional<std::string> mapping{};  ///< nothing: compact, or with arenas a node in each domain
  std::optional<DomainLevel> arenas;     ///< of our nodes
  std::optional<Banks> banks;  ///< nothing: the default, and vectors lie where they are first touched
  std::optional<double> bank_bandwidth;  ///< of each, bytes per second
  bool deterministic = false;            ///< vnode combines by the canonical expression
  std::uint64_t seed = 1;
  std::vector<std::string> against;
  std::vector<std::string> mpis;  ///< of contestant mpi only these, openmpi or mpich; empty: all
  std::optional<int> warmup;      ///< as asked for
  int beside = 0;                 ///< processes that compute beside the measurement
  Effort effort;
  bool osu = false;   ///< OSU's dialect, loop and defaults
  bool full = false;  ///< OSU's full results
  Format format = Format::table;
  std::optional<std::string> trace;   ///< a file for a trace of one call of vnode
  std::optional<std::string> output;  ///< a file; nothing: the standard output

  TeamOptions team_options() const;
  /// Returns the types of elements in operations that combine or do not: those asked for, else f64. OSU's
  /// default is float where operations combine, and char where they do not.
  std::vector<Arithmetic> datatypes_for(bool combining) const;
  /// Returns the sizes from min_bytes up to max_bytes, for elements of that type.
  std::vector<std::size_t> sizes(Arithmetic datatype) const;
  /// Returns the effort for messages of this size: OSU's loop makes fewer calls with large messages, unless
  /// the command line says how many.
  Effort effort_for(std::size_t bytes) const;
  /// Returns the effort of a team whose nodes have a core each, or have not.
  Effort effort_on(bool core_each) const;
};

/// Reads the command line. Throws UsageError, or vnode::Answer for --help and --version.
Options parse_command_line(int argc, const char* const* argv);

/// Takes names of contestants by commas, and of MPIs, which are contestant mpi: mpich, or as reports have it,
/// mpi:mpich. Throws UsageError for a name that is none.
void take_against(Options& options, const std::string& text);

/// Takes a number of nodes, or several: 1,2,6, or 1:16, which is 1,2,4,8,16. "cores" is the number of cores
/// that the process may use. Throws UsageError unless they ascend from 1 at least.
void take_nodes(Options& options, const std::string& text);

/// Throws UsageError unless all sizes that are asked for are whole elements.
void check_sizes(const Options& options);
/// Throws UsageError if no type that is asked for has an operator that is asked for.
void check_operators(const Options& options);
/// Throws UsageError unless the options ask for one call, which can be traced.
void check_traceable(const Options& options);
/// Throws UsageError if several numbers of nodes are asked for where one is measured, or as one plot more
/// than one plot shows.
void check_scaling(const Options& options);

}  // namespace vnode::bench
