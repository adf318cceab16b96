#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <malloc.h>
#include <sched.h>
#include <string>
#include <vector>

namespace vnode_test {

inline std::size_t entries(const char* folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

inline std::size_t lines(const char* file) {
  std::ifstream stream(file);
  return static_cast<std::size_t>(
      std::count(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>(), '\n'));
}

/// Returns the PUs on which the calling thread may run, by the system's numbers.
inline std::vector<int> affinity_here() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  std::vector<int> pus;
  for (int pu = 0; pu < CPU_SETSIZE; ++pu)
    if (CPU_ISSET(pu, &set)) pus.push_back(pu);
  return pus;
}

/// Describes what this process has of the system at the moment, and the bytes that it has allocated.
/// Sanitizers count the latter otherwise, and keep for a while what is freed.
struct Belongings {
  std::size_t threads = entries("/proc/self/task"), descriptors = entries("/proc/self/fd"),
              mappings = lines("/proc/self/maps"), bytes = mallinfo2().uordblks;
  std::vector<int> affinity = affinity_here();
};

}  // namespace vnode_test
