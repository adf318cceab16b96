#include "machine/allowed_memory.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "machine/hwloc.hpp"

namespace vnode {
namespace {

/// The numbers of a list as the kernel writes it, "0-3,8", behind the key of the line in the file; none if
/// the file does not tell.
std::vector<int> listed(const char* path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const Bitmap set;
    const std::size_t first = line.find_first_not_of(" \t", key.size());
    if (first == line.npos || hwloc_bitmap_list_sscanf(set.get(), line.c_str() + first) != 0 ||
        hwloc_bitmap_last(set.get()) < 0)
      return {};
    return numbers(set.get());
  }
  return {};
}

}  // namespace

// get_mempolicy would tell, too, but containers forbid it.
std::vector<int> forbidden_memory() {
  const std::vector<int> allowed = listed("/proc/thread-self/status", "Mems_allowed_list:");
  if (allowed.empty()) return {};
  const std::vector<int> online = listed("/sys/devices/system/node/online", "");
  std::vector<int> forbidden;
  std::ranges::set_difference(online, allowed, std::back_inserter(forbidden));
  return forbidden;
}

}  // namespace vnode
