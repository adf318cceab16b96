#pragma once

#include <ostream>

#include <vnode/vnode.h>

inline bool operator==(const vnode_received& one, const vnode_received& other) {
  return one.count == other.count && one.from == other.from && one.tag == other.tag;
}
inline std::ostream& operator<<(std::ostream& to, const vnode_received& received) {
  return to << received.count << " elements from " << received.from << " with tag " << received.tag;
}

namespace vnode_test {

/// What is told where there is no message.
inline constexpr vnode_received nothing{0, VNODE_NO_RANK, VNODE_ANY_TAG};

}  // namespace vnode_test
