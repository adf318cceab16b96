#pragma once

#include <cstddef>

#include <vnode/arena.hpp>

namespace vnode {

/// Who helps a node with large combines and copies.
struct ArenaHelp {
  Arena* arena = nullptr;  ///< nobody, if null
  std::size_t from = 0;    ///< bytes: less is not worth the while
};

}
