#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include <vnode/model/compose.hpp>
#include <vnode/model/schedule.hpp>

#include "compile/exchange_program.hpp"

namespace vnode {

/// Describes where a node's own blocks lie, in a call with a count for each rank.
struct VaryingLayout {
  std::unordered_map<int, ExchangeProgram::Piece> input, output;
};

/// Makes what one node does in such a call. The schedule is one in which nodes handle only blocks that they
/// bring or take away, without combining: so both ends of a message know how long it is, and nobody else
/// needs to. `parts`: the projection of the schedule on this rank.
ExchangeProgram varying_program(const Schedule& schedule, const std::vector<Part>& parts, Rank rank,
                                const VaryingLayout& layout, std::size_t element_bytes);

}  // namespace vnode
