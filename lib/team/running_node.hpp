#pragma once

#include <memory>

#include <vnode/node.hpp>

#include "base/this_thread.hpp"

namespace vnode {

/// A node of a team as its own thread sees it, in all runs.
struct NodeOfTeam {
  Node node;
  std::shared_ptr<void> handle{};  ///< what the C interface has made for it
};

/// Makes the calling thread, or fiber, a node that this_node() finds, for as long as this lives. The same
/// thread ends it; a thread may be a node of several teams, and leave them in any order.
class RunningNode {
 public:
  explicit RunningNode(NodeOfTeam& is) : is_(is), before_(running_node) { running_node = this; }
  ~RunningNode();
  RunningNode(const RunningNode&) = delete;
  RunningNode& operator=(const RunningNode&) = delete;

  NodeOfTeam& is() const { return is_; }

 private:
  NodeOfTeam& is_;
  RunningNode* before_;
};

}  // namespace vnode
