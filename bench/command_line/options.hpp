#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <vnode/operator.hpp>
#include <vnode/team.hpp>

#include "measure/contest.hpp"
#include "report/report.hpp"

namespace vnode::bench {

enum class Command { measure, limits, targets };

/// What the command line asks for, checked as far as it can be without a team.
struct Options {
  Command command = Command::measure;
  std::vector<std::string> operations;  ///< never empty
  std::optional<int> nodes;             ///< nothing: as many as the topology says, or max(2, min(cores, 64))
  std::string topology = "full";
  std::string algorithm = "auto";  ///< or all, or a name
  std::size_t min_bytes = 8, max_bytes = std::size_t{8} << 20, factor = 2;
  std::optional<Rank> root = 0;  ///< nothing: all of them, and the worst is reported
  std::string op = "sum", datatype = "f64", channel = "line", wait = "auto";
  std::uint64_t seed = 1;
  std::vector<std::string> against;
  Effort effort;
  Format format = Format::table;
  std::optional<std::string> output;  ///< a file; nothing: the standard output

  StandardOperator op_value() const;
  Arithmetic datatype_value() const;
  TeamOptions team_options() const;
  /// min_bytes, min_bytes * factor, ... up to max_bytes.
  std::vector<std::size_t> sizes() const;
};

/// What to print instead of measuring: the help or the version, and the exit status.
struct Answer {
  std::string text;
};

/// Reads the command line. Throws UsageError, or Answer for --help and --version.
Options parse_command_line(int argc, const char* const* argv);

}  // namespace vnode::bench
