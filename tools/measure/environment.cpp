#include "measure/environment.hpp"

#include <algorithm>
#include <unistd.h>

namespace vnode {

std::vector<std::string> vnode_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (const std::string text = *variable; text.starts_with("VNODE_")) variables.push_back(text);
  std::ranges::sort(variables);
  return variables;
}

}  // namespace vnode
