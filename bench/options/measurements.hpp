#pragma once

#include <string>
#include <vector>

#include "command_line/command.hpp"
#include "options/options.hpp"

namespace vnode::bench {

/// Describes a measurement that is not of operations, and the options that go with it, by their long names.
struct OtherMeasurement {
  const char* name;
  Measured measured;
  const char* what;
  std::vector<std::string> reads;
};

const std::vector<OtherMeasurement>& other_measurements();

/// Throws UsageError for a short option of the other style, or of mpirun, and says what is its like.
void refuse_others(const std::vector<std::string>& arguments, bool osu);
/// Throws UsageError if an option is given that the measurement does not read.
void refuse_unread(const OtherMeasurement& known, const std::vector<CommandLine::Given>& given);
/// Throws UsageError if an option is given that does not go with --first: first calls are not compared with
/// others, and not measured in all conditions.
void refuse_with_first(const std::vector<CommandLine::Given>& given);
/// Throws UsageError if an option is given that does not go with --cluster: it asks for contestants other
/// than MPI, or for what only one machine has.
void refuse_with_cluster(const std::vector<CommandLine::Given>& given);

}  // namespace vnode::bench
