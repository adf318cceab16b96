#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "compile/plan.hpp"

namespace vnode {

/// Holds lists by the blocks of a place: the first, and how many.
template <class Element>
using ByPlace = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Element>>;

/// Adds to a program the n-ary combines of these places from their operands, each with the messages of
/// Program::outgoing that bring its result back.
void add_combines(Program& program, const ByPlace<Operand>& places, const ByPlace<std::uint32_t>& returned);

}  // namespace vnode
