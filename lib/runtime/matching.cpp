#include "runtime/matching.hpp"

namespace vnode {

std::size_t bytes_of(Endpoint& endpoint, const Endpoint::Found& found) {
  if (found.head.kind == Kind::data) return found.head.bytes;
  if (found.head.kind == Kind::remote) return Remote::Announcement::in(endpoint.payload(found)).bytes;
  return Announcement<MessageMemory>::in(endpoint.payload(found)).bytes;
}

}  // namespace vnode
