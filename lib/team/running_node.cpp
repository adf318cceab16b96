#include "team/running_node.hpp"

namespace vnode {

RunningNode::~RunningNode() {
  RunningNode** link = &running_node;
  while (*link != this) link = &(*link)->before_;
  *link = before_;
}

Node* this_node() noexcept { return running_node != nullptr ? &running_node->is().node : nullptr; }

}  // namespace vnode
