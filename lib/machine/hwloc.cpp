#include "machine/hwloc.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string>

#include <vnode/error.hpp>

#include "base/at.hpp"

namespace vnode {
namespace {

// hwloc inserts siblings in quadratic time: 4096 flat PUs take about a second, 16384 a minute.
constexpr double most_pus = 4096;

/// Returns the place behind the next `end`, or the end of the text.
const char* behind(const char* at, char end) {
  const char* const found = std::strchr(at, end);
  return found != nullptr ? found + 1 : at + std::strlen(at);
}

/// Returns the product of the numbers per parent, read as hwloc reads them, up to what it refuses: a kind up
/// to its colon, a number in C's way, (attributes) right behind it; [attached memory] in between; blanks and
/// ends of lines before each. Where one ends, the next may begin: 049 is 4, as an octal number, and 9.
double synthetic_pus(const std::string& description) {
  double pus = 1;
  const char* at = description.c_str();
  if (*at == '(') at = behind(at, ')');
  while (*(at += std::strspn(at, " \n"))) {
    if (*at == '[') {
      at = behind(at, ']');
      continue;
    }
    if (*at < '0' || *at > '9') at = behind(at, ':');
    if (*at == '-') break;
    char* end = nullptr;
    const auto number = static_cast<double>(std::strtoull(at, &end, 0));
    if (end == at) break;
    pus *= number;
    at = *end == '(' ? behind(end, ')') : end;
  }
  return pus;
}

/// Returns the numbers of a list as the kernel writes it, "0-3,8", behind the key of the line in the file;
/// none if the file does not tell.
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

HwlocTopology new_topology() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) throw std::bad_alloc();
  hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  hwloc_topology_set_type_filter(topology, HWLOC_OBJ_MEMCACHE, HWLOC_TYPE_FILTER_KEEP_ALL);
  return HwlocTopology{topology};
}

std::vector<int> numbers(hwloc_const_bitmap_t set) {
  std::vector<int> result;
  for (int number = hwloc_bitmap_first(set); number >= 0; number = hwloc_bitmap_next(set, number))
    result.push_back(number);
  return result;
}

HwlocTopology load_synthetic(const std::string& description) {
  if (const double pus = synthetic_pus(description); pus > most_pus)
    throw UsageError(
        fmt::format("\"{}\" describes more PUs than the {} a machine may have", description, most_pus));
  HwlocTopology topology = new_topology();
  if (hwloc_topology_set_synthetic(topology.get(), description.c_str()) != 0 ||
      hwloc_topology_load(topology.get()) != 0)
    throw UsageError(fmt::format(
        "\"{}\" describes no machine: write kinds from the outside in, each with its "
        "number per parent and PUs last, as in \"pack:2 numa:2 core:4 pu:1\", or a name that `vnode topo "
        "--gallery` lists",
        description));
  return topology;
}

hwloc_topology_t system_topology() {
  static const hwloc_topology_t topology = [] {
    HwlocTopology loading = new_topology();
    if (hwloc_topology_load(loading.get()) != 0)
      throw SystemError(fmt::format("hwloc cannot read this machine's topology: {}", std::strerror(errno)));
    return loading.release();
  }();
  return topology;
}

int os_index(hwloc_obj_t object) {
  return !object || object->os_index == HWLOC_UNKNOWN_INDEX ? -1 : static_cast<int>(object->os_index);
}

std::vector<hwloc_obj_t> objects(hwloc_topology_t topology, hwloc_obj_type_t type) {
  std::vector<hwloc_obj_t> all;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology, type, object))) all.push_back(object);
  return all;
}

PuIndices::PuIndices(hwloc_topology_t topology) {
  for (const hwloc_obj_t pu : objects(topology, HWLOC_OBJ_PU)) {
    if (pu->os_index >= by_os_index_.size()) by_os_index_.resize(pu->os_index + std::size_t{1}, -1);
    by_os_index_[pu->os_index] = static_cast<int>(pu->logical_index);
  }
}

std::vector<int> PuIndices::in(hwloc_const_cpuset_t set) const {
  std::vector<int> pus;
  for (int number = hwloc_bitmap_first(set); number >= 0 && number < static_cast<int>(by_os_index_.size());
       number = hwloc_bitmap_next(set, number))
    if (const int pu = at(by_os_index_, number); pu >= 0) pus.push_back(pu);
  std::ranges::sort(pus);
  return pus;
}

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
