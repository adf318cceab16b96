#pragma once

#include <optional>
#include <string>

namespace vnode {

/// Returns how many CPUs' time the process may use, a fraction, as the quotas of its cgroups (v1 or v2) and
/// of those around them limit it: the smallest counts. Returns nothing if none does, or the files do not say.
/// `root` is put before the paths of all files.
std::optional<double> read_cpu_quota(const std::string& root = "");

}  // namespace vnode
