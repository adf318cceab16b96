#pragma once

#include <string>

#include <vnode/lab/machine.hpp>
#include <vnode/lab/numa_distances.hpp>

namespace vnode {

/// The machine as one JSON object: its members by their names in vnode/lab/machine.hpp, and numa_distances.
std::string machine_json(const Machine& machine, const NumaDistances& known);

}  // namespace vnode
