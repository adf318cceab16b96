#include <vnode/error.hpp>
#include <vnode/node.hpp>

#include "communicator/member.hpp"

namespace vnode {

Arena& Node::arena() const {
  Arena* const arena = member().engine().arena();
  if (arena != nullptr) return *arena;
  throw UsageError(
      "this team's nodes have no arenas: set TeamOptions::arenas, to DomainLevel::numa for instance, or "
      "VNODE_ARENAS=numa");
}

}
