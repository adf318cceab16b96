#pragma once

#include <string>
#include <vector>

#include <vnode/lab/contract.hpp>
#include <vnode/lab/schedule.hpp>

namespace vnode {

/// Why a schedule that keeps its contract cannot be run, as sentences: one for the first transfer that
/// carries a block into the place of one that may be of another size (BlockSizes; if counts vary, any two
/// blocks may), and one for the first place that several transfers of a round, or one of them twice, go to by
/// different lists of blocks. None: make_plan has nothing against it.
std::vector<std::string> why_no_plan(const Schedule& schedule, const Contract& contract, bool varying);

/// "round 2: node 2 sends block 5 into block 0 of node 1, which may be of another size".
std::string of_other_size(int round, const Transfer& transfer, int what, int into);
/// "round 1: what goes into block 1 of node 0 at the same time must come in equal lists of blocks".
std::string cut_otherwise(int round, Rank node, int block);

}
