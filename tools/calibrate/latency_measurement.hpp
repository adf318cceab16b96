#pragma once

#include <functional>

#include <vnode/model/latencies.hpp>
#include <vnode/model/machine.hpp>

namespace vnode {

/// Measures how long a cache line takes from PU to PU of this machine, for all pairs that the process may
/// use: two threads that are pinned there raise a flag each and wait for the other's, many times; half of a
/// turn, the least of some tries. Calls `measured` with the share that is done. Takes about a millisecond for
/// a pair. Throws SystemError if the threads cannot be pinned.
Latencies measured_latencies(const Machine& machine, const std::function<void(double)>& measured);

}  // namespace vnode
