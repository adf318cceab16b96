#pragma once

#include <functional>

#include <vnode/model/profile.hpp>

namespace vnode {

/// Measures what messages between two PUs of this machine cost, with a team of two nodes that are pinned
/// there. Everything is measured in turn in `rounds` rounds of some milliseconds; of the times of a thing the
/// median counts, so what disturbs some rounds does not.
///   t_s, t_w    fitted (fitted_hockney) to circular shifts of 8 bytes to 2 MiB: both send and receive
///   L, o, g, G  g: the time of each of many short messages; o: the sender's for each of a few, g at most;
///               L + 2 o and G: fitted to halves of round trips of the same lengths
///   t_op, t_put, eager_to, shared_from
///               what new teams there find out about themselves, Team::costs()
/// Calls `measured` with the share that is done so far. Throws SystemError if the nodes cannot be pinned.
PairCosts measured_pair(const Machine& machine, const ClassExample& pair, int rounds,
                        const std::function<void(double)>& measured);

}  // namespace vnode
