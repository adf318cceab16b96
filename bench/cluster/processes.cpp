#include "cluster/processes.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

#include <vnode/error.hpp>

#include "base/counted.hpp"

namespace vnode::bench {
namespace {

std::size_t index(int number) { return static_cast<std::size_t>(number); }

int size_of(MPI_Comm communicator) {
  int size = 0;
  MPI_Comm_size(communicator, &size);
  return size;
}

int rank_in(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

template <class T>
std::vector<T> of_all(const T& own, MPI_Comm communicator) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(index(size_of(communicator)));
  MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, communicator);
  return all;
}

constexpr std::size_t most_pus = 1024;
using PuFlags = std::array<bool, most_pus>;

PuFlags flags_of(const Affinity& pus) {
  PuFlags flags{};
  for (const int pu : pus)
    if (index(pu) < most_pus) flags[index(pu)] = true;
  return flags;
}

/// Says where a process is. Machines made of namespaces have one system, which has one number.
struct Host {
  std::array<char, 64> system{};
  std::array<char, MPI_MAX_PROCESSOR_NAME> machine{};
  PuFlags pus{};
};

Host own_host(const Affinity& pus) {
  Host host;
  std::ifstream file{"/proc/sys/kernel/random/boot_id"};
  file.getline(host.system.data(), static_cast<std::streamsize>(host.system.size()));
  int length = 0;
  MPI_Get_processor_name(host.machine.data(), &length);
  if (host.system.front() == 0)
    std::copy_n(host.machine.begin(), host.system.size() - 1, host.system.begin());
  host.pus = flags_of(pus);
  return host;
}

/// Puts the ranks that have the same number into one domain.
Hierarchy::Domains domains(const std::vector<int>& numbers) {
  std::map<int, std::vector<Rank>> sets;
  for (Rank rank = 0; rank < static_cast<Rank>(numbers.size()); ++rank)
    sets[numbers[index(rank)]].push_back(rank);
  Hierarchy::Domains domains;
  for (auto& [number, ranks] : sets) domains.push_back(std::move(ranks));
  return domains;
}

}  // namespace

Processes::Processes(std::optional<int> nodes) {
  divide(nodes);
  unite_pus();
  make_barrier();
}

Processes::~Processes() {
  MPI_Win_free(&window_);
  for (MPI_Comm* const made : {&all_, &set_, &leaders_})
    if (*made != MPI_COMM_NULL) MPI_Comm_free(made);
}

void Processes::divide(std::optional<int> nodes) {
  const MPI_Comm world = MPI_COMM_WORLD;
  const int own = rank_in(world);
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, own, MPI_INFO_NULL, &machine);
  const int there = size_of(machine), number = rank_in(machine);
  nodes_ = nodes.value_or(there);
  for (const int of_machine : of_all(there, world))
    if (nodes && of_machine % *nodes != 0)
      throw UsageError{
          fmt::format("--nodes {}: a machine has {} process{}; with --cluster mpirun starts one for each "
                      "node, so {} on each machine, or a multiple of that",
                      *nodes, of_machine, of_machine == 1 ? "" : "es", *nodes)};
  // The world's ranks may go round the machines; sets are in the order of their first processes.
  int first = number % nodes_ == 0 ? own : 0;
  int machine_number = own;  // its first process's
  MPI_Bcast(&machine_number, 1, MPI_INT, 0, machine);
  MPI_Comm_split(machine, number / nodes_, number, &set_);
  MPI_Comm_free(&machine);
  MPI_Bcast(&first, 1, MPI_INT, 0, set_);
  const int most = size_of(world);
  MPI_Comm_split(world, 0, first * most + number % nodes_, &all_);
  rank_ = rank_in(all_);
  count_ = most;
  MPI_Comm_split(all_, number % nodes_ == 0 ? 0 : MPI_UNDEFINED, rank_, &leaders_);
  leader_of_ = of_all(rank_ - number % nodes_, all_);
  machine_of_ = of_all(machine_number, all_);
}

void Processes::unite_pus() {
  const std::vector<PuFlags> all = of_all(flags_of(affinity()), set_);
  for (std::size_t pu = 0; pu < most_pus; ++pu)
    if (std::ranges::any_of(all, [&](const PuFlags& one) { return one[pu]; }))
      pus_.push_back(static_cast<int>(pu));
}

void Processes::make_barrier() {
  MPI_Win_allocate_shared(leads() ? sizeof(pthread_barrier_t) : 0, 1, MPI_INFO_NULL, set_, &barrier_,
                          &window_);
  MPI_Aint bytes = 0;
  int unit = 0;
  MPI_Win_shared_query(window_, 0, &bytes, &unit, &barrier_);
  if (leads()) {
    pthread_barrierattr_t shared;
    pthread_barrierattr_init(&shared);
    pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(barrier_, &shared, static_cast<unsigned>(nodes_));
    pthread_barrierattr_destroy(&shared);
  }
  MPI_Barrier(set_);
}

Hierarchy Processes::hierarchy(const std::string& text) const {
  if (!text.empty())
    return Hierarchy::parse(text, count_, [&](std::string_view name) {
      if (name != "machine" && name != "process")
        throw UsageError{fmt::format("'{}' is not a domain of a cluster: take machine or process", name)};
      return domains(name == "machine" ? machine_of_ : leader_of_);
    });
  Hierarchy::Domains sets = domains(leader_of_);
  if (sets.size() == 1 || sets.size() == index(count_)) return {};
  return Hierarchy({std::move(sets)});
}

Processes::Sharing Processes::sharing() const {
  const std::vector<Host> all = of_all(own_host(affinity()), all_);
  struct System {
    std::vector<std::string> machines;
    int nodes = 0;
    std::set<std::size_t> pus;
  };
  std::map<std::string, System> systems;
  for (const Host& host : all) {
    System& system = systems[host.system.data()];
    const std::string name = host.machine.data();
    if (std::ranges::find(system.machines, name) == system.machines.end()) system.machines.push_back(name);
    ++system.nodes;
    for (std::size_t pu = 0; pu < most_pus; ++pu)
      if (host.pus[pu]) system.pus.insert(pu);
  }
  Sharing sharing;
  for (const auto& [number, system] : systems) {
    const bool enough = index(system.nodes) <= system.pus.size();
    sharing.core_each = sharing.core_each && enough;
    sharing.pus += static_cast<int>(system.pus.size());
    const std::string where = fmt::format("{}", fmt::join(system.machines, ", "));
    if (system.machines.size() > 1)
      sharing.notes.push_back(
          fmt::format("one host: {} are on one system, so what is between them is no network", where));
    if (!enough)
      sharing.notes.push_back(fmt::format("shared: {} of {} are on {}, and so are MPI's processes",
                                          counted(system.nodes, "node"), where,
                                          counted(system.pus.size(), "PU")));
  }
  if (sharing.core_each) sharing.notes.emplace_back("shared: nothing, every node has a PU of its own");
  return sharing;
}

}  // namespace vnode::bench
