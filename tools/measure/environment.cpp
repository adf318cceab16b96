#include "measure/environment.hpp"

#include <cstdlib>
#include <fmt/format.h>

#include "communicator/environment.hpp"

namespace vnode {

std::vector<std::string> vnode_environment() {
  std::vector<std::string> given;
  for (const std::string_view name : environment_variables)
    if (const char* const value = std::getenv(name.data()))
      given.push_back(fmt::format("{}={}", name, value));
  return given;
}

}  // namespace vnode
