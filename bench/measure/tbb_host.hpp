#pragma once

#include <functional>

#include <vnode/team.hpp>

namespace vnode::bench {

/// Calls body() on the calling thread, bound as node 0 is, inside a oneTBB arena of p threads, each of which
/// is bound as a node is. Not from inside a run.
void run_tbb(Team& team, const std::function<void()>& body);

/// Within run_tbb: calls each(rank) for every rank, spread over the threads.
void for_every_rank(int ranks, const std::function<void(Rank)>& each);

}  // namespace vnode::bench
