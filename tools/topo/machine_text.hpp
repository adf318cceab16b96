#pragma once

#include <string>

#include <vnode/lab/machine.hpp>
#include <vnode/lab/numa_distances.hpp>

namespace vnode {

/// The machine for a person: a summary, a tree, and all else that is known of it.
std::string machine_text(const Machine& machine, const NumaDistances& known);

}  // namespace vnode
