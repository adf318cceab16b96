#pragma once

#include <string>

#include <vnode/rank.hpp>

#include "transport/endpoint.hpp"
#include "watch/wait_monitor.hpp"

namespace vnode {

/// Names what has arrived at a node that waits for none of it: "; node 0 has sent it tag 3", or nothing.
std::string unreceived_text(Endpoint& endpoint, const Awaited& awaited);
/// Names what lies in the channels to a node that has left the run, whose thread no longer looks at them.
std::string left_behind_text(Fabric& fabric, Rank left);

/// Names nodes that wait for each other: "; node 0 waits for node 2, which waits for node 0". Returns nothing
/// if there is no such circle: if each waits for several nodes, for one that has left, or for one that waits
/// for no single node.
std::string circle_text(Fabric& fabric);

/// Returns the text of the Deadlock that all nodes throw, which says who waits for whom. Of nodes of other
/// processes it says what they have last told.
std::string deadlock_text(Fabric& fabric);

}  // namespace vnode
