#pragma once

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <linux/mempolicy.h>
#include <new>
#include <sched.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

/// What the kernel itself says about places, by ways that vnode and hwloc have no part in.
namespace kernel {

/// Where a thread runs: the system's numbers of the PU and of its NUMA node.
struct Place {
  unsigned pu = 0, numa = 0;
  friend bool operator==(const Place&, const Place&) = default;
};
inline Place here() {
  Place place;
  if (getcpu(&place.pu, &place.numa) != 0) throw std::runtime_error("getcpu");
  return place;
}

constexpr std::size_t page_bytes = 4096;

/// Pages of `bytes` bytes from `begin` on, none touched yet, are to lie on a NUMA node as long as it has
/// room.
inline void prefer(int numa, std::byte* begin, std::size_t bytes) {
  const unsigned long mask = 1ul << numa;
  if (syscall(SYS_mbind, begin, bytes, MPOL_PREFERRED, &mask, 8 * sizeof mask + 1, 0) != 0)
    throw std::runtime_error("mbind");
}

/// The NUMA node of every page of `bytes` bytes from `begin` on; negative: not touched yet.
inline std::vector<int> numas_of_pages(const std::byte* begin, std::size_t bytes) {
  std::vector<const std::byte*> pages;
  for (std::size_t at = 0; at < bytes; at += page_bytes) pages.push_back(begin + at);
  std::vector<int> numas(pages.size(), -1);
  if (syscall(SYS_move_pages, 0, pages.size(), pages.data(), nullptr, numas.data(), 0) != 0)
    throw std::runtime_error("move_pages");
  return numas;
}
inline bool all_on(unsigned numa, const std::byte* begin, std::size_t bytes) {
  return std::ranges::all_of(numas_of_pages(begin, bytes),
                             [=](int page) { return page == static_cast<int>(numa); });
}

/// Memory that nobody has touched, aligned to huge pages, so that it shares none with other memory.
class Untouched {
 public:
  explicit Untouched(std::size_t bytes) : bytes_(bytes + huge) {
    void* const mapped = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    mapped_ = static_cast<std::byte*>(mapped);
  }
  ~Untouched() { munmap(mapped_, bytes_); }
  Untouched(const Untouched&) = delete;
  Untouched& operator=(const Untouched&) = delete;
  std::byte* begin() const { return mapped_ + (huge - reinterpret_cast<std::size_t>(mapped_) % huge) % huge; }

 private:
  static constexpr std::size_t huge = std::size_t{2} << 20;
  std::size_t bytes_;
  std::byte* mapped_ = nullptr;
};

/// Returns a file's first line; "" if there is none.
inline std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Returns the text after `key` and a colon in a file of such lines, without spaces around it.
inline std::string value_of(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (const std::size_t at = line.find(key + ':'); at != line.npos) {
      line.erase(0, line.find_first_not_of(" \t", at + key.size() + 1));
      return line;
    }
  return {};
}

/// Returns the numbers of "0-3,8".
inline std::vector<int> numbers_of(const std::string& ranges) {
  std::vector<int> numbers;
  std::istringstream text(ranges);
  for (std::string range; std::getline(text, range, ',');) {
    if (range.empty()) continue;
    const std::size_t dash = range.find('-');
    const int last = std::stoi(dash == range.npos ? range : range.substr(dash + 1));
    for (int number = std::stoi(range); number <= last; ++number) numbers.push_back(number);
  }
  return numbers;
}

inline std::string numa_folder(int numa) {
  return "/sys/devices/system/node/node" + std::to_string(numa) + '/';
}
/// All NUMA nodes, and the PUs of one.
inline std::vector<int> numas() { return numbers_of(line_of("/sys/devices/system/node/online")); }
inline std::vector<int> pus_of(int numa) { return numbers_of(line_of(numa_folder(numa) + "cpulist")); }
/// "0-1": the PUs of a PU's core.
inline std::string siblings_of(unsigned pu) {
  return line_of("/sys/devices/system/cpu/cpu" + std::to_string(pu) + "/topology/thread_siblings_list");
}
/// Bytes of a NUMA node by the name that its meminfo has for them: MemTotal, MemFree.
inline std::size_t bytes_of(int numa, const std::string& name) {
  return std::stoull(value_of(numa_folder(numa) + "meminfo", name)) << 10;
}

}  // namespace kernel
