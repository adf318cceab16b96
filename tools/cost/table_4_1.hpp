#pragma once

#include "cost/cost_report.hpp"

namespace vnode {

/// Table 4.1 of Grama et al. for a hypercube of `nodes` nodes, 2^d, and beside the book's formulas what our
/// schedules count. UsageError for other numbers of nodes.
void print_table_4_1(int nodes, CostFormat format);

}  // namespace vnode
