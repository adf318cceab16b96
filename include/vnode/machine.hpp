#pragma once

#include <cstdint>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace vnode {

/// A processing unit: one hardware thread of a core.
struct Pu {
  int os_index = 0;  ///< the operating system's number, as in taskset
  int core = 0;      ///< index into Machine::cores
  int numa = 0;      ///< index into Machine::numas: the nearest NUMA node (the smallest that covers the PU)
  int package = 0;   ///< index into Machine::packages
  bool allowed = true;  ///< the process may use it
  friend bool operator==(const Pu&, const Pu&) = default;
};

/// A physical core.
struct Core {
  int os_index = 0;      ///< -1 if the system numbers none
  std::vector<int> pus;  ///< indices into Machine::pus
  friend bool operator==(const Core&, const Core&) = default;
};

/// A data or unified cache. Instruction caches are left out.
struct Cache {
  int level = 1;            ///< 1 is the nearest to the core
  std::uint64_t bytes = 0;  ///< capacity
  std::vector<int> pus;     ///< the PUs that share it
  friend bool operator==(const Cache&, const Cache&) = default;
};

/// A memory bank and the PUs near it. A bank without PUs of its own may have none, or be near many.
struct NumaNode {
  int os_index = 0;         ///< -1 if the system numbers none
  std::uint64_t bytes = 0;  ///< local memory; 0 if unknown
  std::vector<int> pus;     ///< indices into Machine::pus
  friend bool operator==(const NumaNode&, const NumaNode&) = default;
};

/// A processor in its socket.
struct Package {
  int os_index = 0;      ///< -1 if the system numbers none
  std::vector<int> pus;  ///< indices into Machine::pus
  friend bool operator==(const Package&, const Package&) = default;
};

/// What vnode knows about a machine, as plain data. Indices are dense, from 0, in the order of locality
/// (neighbours in number are neighbours in the machine); the operating system's numbers are always called
/// os_index. Every PU has a core, a NUMA node and a package: where the system names none there is one with
/// os_index -1.
struct Machine {
  std::string source;       ///< "this machine", or the file or synthetic string it was read from
  std::string model;        ///< the processor's name; empty if unknown
  bool this_system = true;  ///< false: read from text, so nothing can be pinned or bound

  std::vector<Pu> pus;            ///< those the process may not use included
  std::vector<Core> cores;        ///< in the order of locality
  std::vector<Cache> caches;      ///< by level, then by first PU
  std::vector<NumaNode> numas;    ///< in the order of locality
  std::vector<Package> packages;  ///< in the order of locality
  /// distances[a][b]: relative latency from NUMA node a to the memory of b (10 is usual for a = b).
  /// Empty if the system does not tell.
  std::vector<std::vector<std::uint64_t>> distances;

  /// The PUs the process may use, ascending. Never empty.
  std::vector<int> allowed_pus() const;
  /// The number of cores with a PU that the process may use.
  int allowed_cores() const;

  /// The machine we run on. Allowed are the PUs that the process may use and the calling thread's affinity
  /// includes at this moment; if a team has pinned the thread, its affinity from before. Honours
  /// HWLOC_XMLFILE and HWLOC_SYNTHETIC; unless HWLOC_THISSYSTEM=1 vouches for them, this_system is then
  /// false. The system is asked once; later calls cost microseconds. Throws SystemError if the topology
  /// cannot be read.
  static Machine discover();
  /// A machine from hwloc's synthetic description, "pack:2 numa:2 core:4 pu:1": kinds from the outside in,
  /// each with its number per parent. Throws UsageError if it is not one.
  static Machine from_synthetic(const std::string& description);
  /// A machine from a file in hwloc's XML, as `lstopo machine.xml` writes it. Throws SystemError if it cannot
  /// be read.
  static Machine from_xml(const std::string& path);
  /// What the command line's --machine means: a file where the text ends in .xml or names one, else a
  /// synthetic description.
  static Machine parse(const std::string& text);

  friend bool operator==(const Machine&, const Machine&) = default;
};

/// "0-3,8,10-11": ascending numbers as taskset and /proc write them.
std::string number_ranges(const std::vector<int>& ascending);

}  // namespace vnode
#pragma GCC visibility pop
