#include "machine/memory_binding.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/at.hpp"
#include "machine/hwloc.hpp"

namespace vnode {
namespace {

hwloc_obj_t bank_object(int bank) {
  return bank < 0 ? nullptr
                  : hwloc_get_obj_by_type(system_topology(), HWLOC_OBJ_NUMANODE, static_cast<unsigned>(bank));
}

/// Returns the bank of each NUMA node by the system's number of the node; -1 for a number without a node.
std::vector<int> banks_by_os_index() {
  std::vector<int> banks;
  for (int bank = 0; bank < bank_count(); ++bank) {
    const auto os_index = static_cast<std::size_t>(bank_object(bank)->os_index);
    if (banks.size() <= os_index) banks.resize(os_index + 1, -1);
    banks[os_index] = bank;
  }
  return banks;
}

std::byte* down_to(std::byte* address, std::size_t alignment) {
  return address - reinterpret_cast<std::uintptr_t>(address) % alignment;
}

std::size_t up_to(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

}  // namespace

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::size_t huge_page_bytes() {
  static const std::size_t bytes = [] {
    std::ifstream information("/proc/meminfo");
    for (std::string key; information >> key; information.ignore(256, '\n'))
      if (std::size_t kib = 0; key == "Hugepagesize:" && information >> kib) return kib << 10;
    return std::size_t{0};
  }();
  return bytes;
}

bool has_transparent_huge_pages() {
  std::ifstream setting("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string words;
  return std::getline(setting, words) && words.find("[never]") == words.npos;
}

int bank_count() { return std::max(hwloc_get_nbobjs_by_type(system_topology(), HWLOC_OBJ_NUMANODE), 0); }

int bank_os_index(int bank) {
  const hwloc_obj_t object = bank_object(bank);
  return object ? static_cast<int>(object->os_index) : -1;
}

std::byte* map_pages(std::size_t bytes, std::size_t alignment, bool huge) {
  const std::size_t page = huge ? huge_page_bytes() : page_bytes();
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 4;
  if (page == 0 || bytes > most || alignment > most) return nullptr;
  const std::size_t size = up_to(bytes, page), more = alignment > page ? alignment : 0;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | (huge ? MAP_HUGETLB : 0);
  void* const memory = mmap(nullptr, size + more, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(memory);
  if (more == 0) return begin;
  std::byte* const first = down_to(begin + alignment - 1, alignment);
  if (first > begin) munmap(begin, static_cast<std::size_t>(first - begin));
  if (first + size < begin + size + more)
    munmap(first + size, static_cast<std::size_t>(begin + size + more - (first + size)));
  return first;
}

void unmap_pages(std::byte* pages, std::size_t bytes) noexcept { munmap(pages, bytes); }

int advise_huge_pages(std::byte* pages, std::size_t bytes, bool huge) {
  if (bytes == 0) return 0;
  return madvise(pages, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) == 0 ? 0 : errno;
}

int bind_pages(std::byte* pages, std::size_t bytes, const std::vector<int>& banks, Touched touched) {
  // hwloc's calls do nothing, successfully, while its environment names another machine.
  if (!hwloc_topology_is_thissystem(system_topology())) return ENOTSUP;
  const Bitmap numas;
  for (const int bank : banks) {
    const hwloc_obj_t object = bank_object(bank);
    if (!object) return ENODEV;
    if (hwloc_bitmap_set(numas.get(), object->os_index) != 0) return ENOMEM;
  }
  if (banks.empty()) hwloc_bitmap_copy(numas.get(), hwloc_topology_get_topology_nodeset(system_topology()));
  const hwloc_membind_policy_t policy = banks.empty()      ? HWLOC_MEMBIND_FIRSTTOUCH
                                        : banks.size() > 1 ? HWLOC_MEMBIND_INTERLEAVE
                                                           : HWLOC_MEMBIND_BIND;
  const auto bind = [&](int flags) {
    return hwloc_set_area_membind(system_topology(), pages, bytes, numas.get(), policy,
                                  HWLOC_MEMBIND_BYNODESET | flags);
  };
  // Only a strict policy moves pages; but under it a fault on a full bank would end the process.
  if (touched == Touched::move) bind(HWLOC_MEMBIND_MIGRATE | HWLOC_MEMBIND_STRICT);
  return bind(0) == 0 ? 0 : errno;
}

PageAudit audit_pages(const void* first, std::size_t bytes) {
  PageAudit audit;
  audit.on.resize(static_cast<std::size_t>(bank_count()));
  if (bytes == 0) return audit;
  static const std::vector<int> banks = banks_by_os_index();
  const auto begin = reinterpret_cast<std::uintptr_t>(first) / page_bytes(),
             end = (reinterpret_cast<std::uintptr_t>(first) + bytes - 1) / page_bytes() + 1;
  constexpr std::size_t at_once = 4096;
  std::vector<void*> addresses;
  std::vector<int> status;
  for (auto page = begin; page < end;) {
    addresses.clear();
    for (; page < end && addresses.size() < at_once; ++page)
      addresses.push_back(reinterpret_cast<void*>(page * page_bytes()));
    status.assign(addresses.size(), 0);
    const pid_t this_process = 0;
    if (syscall(SYS_move_pages, this_process, addresses.size(), addresses.data(), nullptr, status.data(),
                0) != 0) {
      audit.unknown += addresses.size();
      continue;
    }
    for (const int numa : status) {
      const bool known = numa >= 0 && static_cast<std::size_t>(numa) < banks.size() && at(banks, numa) >= 0;
      ++(numa < 0 ? audit.untouched : known ? at(audit.on, at(banks, numa)) : audit.unknown);
    }
  }
  return audit;
}

}  // namespace vnode
