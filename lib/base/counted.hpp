#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace vnode {

/// Returns a number of things whose plural has an s: "1 node", "2 nodes".
std::string counted(std::integral auto number, std::string_view thing) {
  return std::to_string(number) + ' ' + std::string{thing} + (number == 1 ? "" : "s");
}

}  // namespace vnode
