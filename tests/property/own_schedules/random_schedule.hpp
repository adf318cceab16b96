#pragma once

#include <array>
#include <random>

#include <vnode/collective.hpp>
#include <vnode/model/schedule.hpp>

namespace vnode_test {

/// The collectives that random_schedule() has schedules for.
inline constexpr std::array random_collectives{vnode::Collective::broadcast,  vnode::Collective::all_gather,
                                               vnode::Collective::scatter,    vnode::Collective::gather,
                                               vnode::Collective::all_to_all, vnode::Collective::reduce,
                                               vnode::Collective::all_reduce};

/// Returns a schedule for the collective, with root 0, that keeps its contract: every block goes its own way,
/// at its own time, along random trees and by way of random nodes, where it lies in random places; what one
/// node sends to another in a round is one message, its blocks in any order. Several nodes may combine into
/// one place at the same time, now and then by lists of blocks that are not the same.
vnode::Schedule random_schedule(vnode::Collective collective, int nodes, std::mt19937& random);

}
