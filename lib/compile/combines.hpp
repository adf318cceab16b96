#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "compile/plan.hpp"

namespace vnode {

/// Holds values by the blocks of a place: the first, and how many.
template <class Value>
using ByPlace = std::map<std::pair<std::uint32_t, std::uint32_t>, Value>;

/// Says what becomes of the result of a combine that goes back.
struct ReturnedResult {
  std::vector<std::uint32_t> messages;  ///< in Program::outgoing: these bring it back
  bool kept = true;                     ///< whether the node needs it itself
};

/// Adds to a program the n-ary combines of these places from their operands; if results go back, those of
/// fewer terms first, since in place what these are written over may be terms of the others.
void add_combines(Program& program, const ByPlace<std::vector<Operand>>& places,
                  const ByPlace<ReturnedResult>& returned);

}  // namespace vnode
