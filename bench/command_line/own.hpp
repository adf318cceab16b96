#pragma once

#include <memory>
#include <string>
#include <vector>

#include <vnode/own_schedule.hpp>
#include <vnode/topology.hpp>

#include "command_line/options.hpp"
#include "questions/register.hpp"

namespace vnode::bench {

/// The schedule in a file in the text form, under the file's name. UsageError says where it is wrong.
std::shared_ptr<const OwnSchedule> read_own(const std::string& path);

/// UsageError unless the schedule can carry out the operation as the options ask for it, for each root.
void check_own(const OwnSchedule& own, const Operation& operation, const Options& options,
               const Topology& topology, const std::vector<Rank>& roots);

}  // namespace vnode::bench
