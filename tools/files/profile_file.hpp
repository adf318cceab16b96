#pragma once

#include <optional>
#include <string>

#include <vnode/model/profile.hpp>

#include "command_line/command.hpp"

namespace vnode {

/// Puts the profile into a file, as replace_file() does.
void write_profile(const std::string& file, const MachineProfile& profile);

/// Returns the distances between the machine's NUMA nodes. Where the system reports nothing, they are what a
/// profile has measured: the one asked for, or else one that is kept and about this machine. Throws what
/// choose_profile throws.
NumaDistances known_distances(const Machine& machine, const std::optional<std::string>& asked);
/// Adds --profile to a command, for choose_profile.
void add_profile(Command command, std::optional<std::string>& asked);

}  // namespace vnode
