#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes a processing unit: a hardware thread of a core.
struct Pu {
  int os_index = 0;     ///< the operating system's number, as in taskset
  int core = 0;         ///< index into Machine::cores
  int numa = 0;         ///< index into Machine::numas: the nearest NUMA node, which NumaNode defines
  int package = 0;      ///< index into Machine::packages
  bool allowed = true;  ///< the process may use it
  int machine = 0;      ///< which of several machines that are one value it belongs to (joined())
  friend bool operator==(const Pu&, const Pu&) = default;
};

/// Describes a physical core. Its PUs are SMT siblings.
struct Core {
  int os_index = 0;      ///< -1 if the system numbers none; cores of two packages may have one number
  std::vector<int> pus;  ///< indices into Machine::pus
  int kind = -1;         ///< index into Machine::kinds; -1 if the system does not tell
  friend bool operator==(const Core&, const Core&) = default;
};

/// Describes a kind of cores, where a machine has fast and frugal ones.
struct CoreKind {
  int efficiency = -1;   ///< hwloc's: 0 is the slowest and most frugal kind; -1 if it cannot tell
  std::vector<int> pus;  ///< indices into Machine::pus
  /// Properties that the system reports: ("CoreType", "IntelAtom"), ("FrequencyMaxMHz", "3900").
  std::vector<std::pair<std::string, std::string>> properties;
  friend bool operator==(const CoreKind&, const CoreKind&) = default;
};

/// Describes a data or unified cache. Instruction caches are left out.
struct Cache {
  int level = 1;            ///< 1 is the nearest to the core
  std::uint64_t bytes = 0;  ///< capacity
  std::vector<int> pus;     ///< the PUs that share it
  friend bool operator==(const Cache&, const Cache&) = default;
};

/// Describes a NUMA node: memory and the PUs near it. A NUMA node without PUs of its own (HBM, memory
/// expanders, what CPUs that are gone left) is near those beside which the system puts it, which may be all.
/// The nearest NUMA node of a PU is, of those that it is near, the one with the fewest PUs; of these one with
/// memory before one without, ordinary memory before named kinds, then the one that the system numbers first.
/// There the system itself puts what the PU touches first, unless that node has no memory (see
/// nearest_bank()).
struct NumaNode {
  int os_index = 0;         ///< -1 if the system numbers none
  std::uint64_t bytes = 0;  ///< local memory; 0 if it has none, or no node's is known
  std::vector<int> pus;     ///< indices into Machine::pus
  bool allowed = true;      ///< the process may use its memory
  std::string kind;         ///< "MCDRAM", "HBM", "NVM" and so on; empty for ordinary memory, or if unknown
  std::uint64_t cache_bytes = 0;  ///< size of the cache on the memory's side
  friend bool operator==(const NumaNode&, const NumaNode&) = default;
};

/// Describes a processor package, in its socket.
struct Package {
  int os_index = 0;      ///< -1 if the system numbers none
  std::vector<int> pus;  ///< indices into Machine::pus
  friend bool operator==(const Package&, const Package&) = default;
};

/// Describes a further part that the system reports: a die, a cluster of cores, a group of NUMA nodes or
/// packages.
struct MachineGroup {
  std::string kind;      ///< "Die", "Cluster", "Group"
  std::vector<int> pus;  ///< indices into Machine::pus
  friend bool operator==(const MachineGroup&, const MachineGroup&) = default;
};

/// Describes the speed of memory as the system reports it: one property of all NUMA nodes that have it.
struct MemoryAttribute {
  std::string name;              ///< "Bandwidth", "ReadLatency" and so on; others are the user's own
  std::string unit;              ///< "MiB/s" of bandwidths, "ns" of latencies; empty if unknown
  bool higher_is_better = true;  ///< as for bandwidths
  /// Describes the value of one NUMA node.
  struct Value {
    int numa = 0;             ///< index into Machine::numas
    std::vector<int> pus;     ///< as seen from these; empty if it is the same from all
    std::uint64_t value = 0;  ///< in `unit`
    friend bool operator==(const Value&, const Value&) = default;
  };
  std::vector<Value> values;  ///< by NUMA node
  friend bool operator==(const MemoryAttribute&, const MemoryAttribute&) = default;
};

/// Names the meaning of a matrix of distances: the less the nearer for latencies (relative, or hops), the
/// more the nearer for bandwidths.
enum class Meaning { unknown, latency, bandwidth };
namespace enums {
/// Returns "distance" (if unknown), "latency" or "bandwidth".
std::string_view name(Meaning meaning);
}

/// Distances between parts of one type, as the system reports them.
struct DistanceMatrix {
  std::string name;                    ///< "NUMALatency"; empty if it has none
  std::string type;                    ///< type of its parts: "NUMANode", "Package", "Core" or "PU"
  Meaning meaning = Meaning::unknown;  ///< meaning of its numbers
  bool by_user = false;    ///< whether somebody added it to what the system reports (hwloc-annotate)
  std::vector<int> parts;  ///< its rows and columns: indices into numas, packages, cores or pus
  std::vector<std::vector<std::uint64_t>> values;  ///< [from][to]
  friend bool operator==(const DistanceMatrix&, const DistanceMatrix&) = default;
};

/// Describes a machine as plain data. Indices are dense, from 0, in the order of locality (neighbours in
/// number are neighbours in the machine); the operating system's numbers are always called os_index. Every PU
/// has a core, a NUMA node and a package: where the system reports none there is one with os_index -1.
struct Machine {
  std::string source;       ///< "this machine", or the file or synthetic string it was read from
  std::string model;        ///< the processor's name; empty if unknown
  bool this_system = true;  ///< false: read from text, so nothing can be pinned or bound
  /// Says how many CPUs' time the process may use, if a cgroup's quota (cpu.max, cpu.cfs_quota_us) limits
  /// it, as in containers. None if there is no quota, and for a machine that is not this system.
  std::optional<double> cpu_quota;

  std::vector<Pu> pus;               ///< all PUs, including those that the process may not use
  std::vector<Core> cores;           ///< in the order of locality
  std::vector<CoreKind> kinds;       ///< the slowest first, if known; empty if the system reports none
  std::vector<Cache> caches;         ///< by level, then by first PU
  std::vector<NumaNode> numas;       ///< in the order of locality
  std::vector<Package> packages;     ///< in the order of locality
  std::vector<MachineGroup> groups;  ///< parts that are no package or NUMA node; the outer before the inner
  std::vector<int> offline;  ///< os indices of PUs that are switched off and not among `pus`; ascending
  /// Memory attributes besides capacity and the number of near PUs, which NumaNode has.
  std::vector<MemoryAttribute> memory_attributes;
  std::vector<DistanceMatrix> matrices;  ///< all matrices that the system reports
  /// Holds, by NUMA nodes a and b, the relative latency from a to the memory of b (10 is usual for a = b):
  /// the first of `matrices` that has it for all. Empty if none has; numa_distances() then estimates it.
  std::vector<std::vector<std::uint64_t>> distances;

  /// Returns the PUs that the process may use, ascending. Never empty.
  std::vector<int> allowed_pus() const;
  /// Returns the number of cores with a PU that the process may use.
  int allowed_cores() const;
  /// Returns the number of machines: 1, or as many as are joined in this value.
  int machines() const;

  /// Returns the machine that the program runs on. Allowed are the PUs that the process may use, whatever the
  /// calling thread is bound to, and the NUMA nodes that the thread may use. Linux tells threads' affinities
  /// only: the process's PUs are those that the main thread might use when libvnode was loaded, as taskset,
  /// mpirun or Slurm leave it, those that the calling thread may use (if a team has pinned it, those from
  /// before), and those of OpenMP's places if libgomp had bound the main thread before; of these, those that
  /// the cpuset has at this moment. hwloc's environment applies: HWLOC_XMLFILE and
  /// HWLOC_SYNTHETIC, after which this_system is false unless HWLOC_THISSYSTEM=1, and what hwloc reads
  /// itself, HWLOC_COMPONENTS, HWLOC_FSROOT and others. The system is asked once; later calls take
  /// microseconds. Throws SystemError if the topology cannot be read.
  static Machine discover();
  /// Returns a machine from hwloc's synthetic description, "pack:2 numa:2 core:4 pu:1": kinds from the
  /// outside in, each with its number per parent. Throws UsageError if the text is none.
  static Machine from_synthetic(const std::string& description);
  /// Returns a machine from a file in hwloc's XML, as `lstopo machine.xml` writes it, in any version of hwloc
  /// from 1.0 on. Throws SystemError if it cannot be read.
  static Machine from_xml(const std::string& path);
  /// Returns the machine that --machine on the command line stands for: one of described_machines() by its
  /// name, a file if the text ends in .xml or names one, else a synthetic description.
  static Machine parse(const std::string& text);

  friend bool operator==(const Machine&, const Machine&) = default;
};

/// Describes a machine that --machine and Machine::parse know by name: its hwloc synthetic description, with
/// the parts that its vendor publishes.
struct DescribedMachine {
  std::string_view name;         ///< "dual_epyc_7742"
  std::string_view about;        ///< "two AMD EPYC 7742, 64 cores in 16 L3s each"
  std::string_view description;  ///< as Machine::from_synthetic() reads it
};
/// Returns machines of one to four sockets, x86 and Arm, by name.
std::span<const DescribedMachine> described_machines();

/// Returns several machines as one value: the parts of one after those of another, with indices that go on
/// and the system's numbers of their own machine; Pu::machine tells whose a PU is. What a system reports
/// about the parts of one machine among each other is left out: attributes of memory, matrices and distances.
/// Nothing can be pinned or bound there (this_system). Throws UsageError without a machine.
Machine joined(std::span<const Machine> machines);

/// Returns ascending numbers as taskset and /proc write them: "0-3,8,10-11".
std::string number_ranges(const std::vector<int>& ascending);

}  // namespace vnode
#pragma GCC visibility pop
