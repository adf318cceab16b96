#pragma once

#include "program.hpp"
#include "random.hpp"

namespace vnode_test {

/// A collective call of `members`; its group, salt and forms are still to be chosen.
Operation random_collective(Random& random, const Members& members);

/// Returns a split of `group`; adds the groups that it makes.
Operation random_split(Random& random, std::vector<Members>& groups, int group);

/// Returns the events of all nodes: their calls in an order of their own each.
std::vector<std::vector<Event>> random_orders(Random& random, const Program& program);

}
