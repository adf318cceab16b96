#include "machine/allowed_memory.hpp"

#include <fstream>
#include <string>

#include "machine/hwloc.hpp"

namespace vnode {

// get_mempolicy would tell, too, but containers forbid it.
std::optional<std::vector<int>> allowed_memory() {
  const std::string key = "Mems_allowed_list:";
  std::ifstream status("/proc/thread-self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(key)) continue;
    const Bitmap set;
    const std::size_t first = line.find_first_not_of(" \t", key.size());
    if (first == line.npos || hwloc_bitmap_list_sscanf(set.get(), line.c_str() + first) != 0 ||
        hwloc_bitmap_last(set.get()) < 0)
      return std::nullopt;
    return numbers(set.get());
  }
  return std::nullopt;
}

}  // namespace vnode
