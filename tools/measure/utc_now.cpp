#include "measure/utc_now.hpp"

#include <chrono>
#include <fmt/chrono.h>

namespace vnode {

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

}  // namespace vnode
