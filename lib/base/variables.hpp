#pragma once

#include <string_view>
#include <unistd.h>
#include <vector>

namespace vnode {

/// Returns the variables of the environment, "NAME=VALUE" each. They are valid, as what getenv() returns is,
/// until somebody changes the environment.
inline std::vector<std::string_view> variables_set() {
  std::vector<std::string_view> list;
  for (const char* const* next = environ; next != nullptr && *next != nullptr; ++next)
    list.emplace_back(*next);
  return list;
}

}  // namespace vnode
