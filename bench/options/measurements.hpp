#pragma once

#include <string>
#include <vector>

#include "command_line/command.hpp"
#include "options/options.hpp"

namespace vnode::bench {

/// What is measured that is no operation, and the options that go with it, by their long names.
struct OtherMeasurement {
  const char* name;
  Measured measured;
  const char* what;
  std::vector<std::string> reads;
};

const std::vector<OtherMeasurement>& other_measurements();

/// An option that a measurement does not read is a mistake: UsageError.
void refuse_unread(const OtherMeasurement& known, const std::vector<CommandLine::Given>& given);
/// The same for first calls: what they are not compared with, and conditions that they are not measured in.
void refuse_with_first(const std::vector<CommandLine::Given>& given);
/// The same for clusters: other contestants than MPI, and what is of one machine.
void refuse_with_cluster(const std::vector<CommandLine::Given>& given);

}  // namespace vnode::bench
