#pragma once

#include <string>

#include <vnode/rank.hpp>

#include "runtime/endpoint.hpp"
#include "runtime/vigil.hpp"

namespace vnode {

/// What has arrived at a node that waits for none of it, "; node 0 has sent it tag 3", or nothing.
std::string unreceived_text(Endpoint& endpoint, const Awaited& awaited);
/// The same of what lies in channels to a node that has left: its thread looks at them no more.
std::string left_behind_text(Fabric& fabric, Rank left);

/// Names nodes that wait for each other: "; node 0 waits for node 2, which waits for node 0". Nothing where
/// each waits for several, for one that has left, or for who waits for none.
std::string circle_text(Fabric& fabric);

/// What all nodes throw, and who waits for whom. Of nodes of other processes it says what is noted of them.
std::string deadlock_text(Fabric& fabric);

}  // namespace vnode
