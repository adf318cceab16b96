#pragma once

#include <map>
#include <string>
#include <vector>

namespace vnode {

/// Is an operation of one rank in a GOAL program.
struct GoalOperation {
  enum class Kind { send, recv, calc };
  Kind kind = Kind::calc;
  long size = 0;              ///< bytes, or nanoseconds of a calc
  int peer = 0, tag = 0;      ///< of send and recv
  std::vector<int> required;  ///< labels
};

/// What a rank does, by label.
using GoalRank = std::map<int, GoalOperation>;

/// Reads a GOAL program, as LogGOPSim's compiler does; std::runtime_error names the line that it does not
/// understand.
std::vector<GoalRank> read_goal(const std::string& text);

}  // namespace vnode
