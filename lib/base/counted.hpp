#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace vnode {

/// "1 node", "2 nodes": a number of things whose plural has an s.
std::string counted(std::integral auto number, std::string_view thing) {
  return std::to_string(number) + ' ' + std::string{thing} + (number == 1 ? "" : "s");
}

}  // namespace vnode
