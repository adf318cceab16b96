#pragma once

#include <string>

#include <vnode/lab/profile.hpp>

namespace vnode {

/// The profile for a person: a row for each class of pairs, in nanoseconds, the banks and links, and which
/// values were not measured.
std::string profile_table(const MachineProfile& profile);

}  // namespace vnode
