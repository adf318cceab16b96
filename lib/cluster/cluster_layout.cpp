#include "cluster/cluster_layout.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/topology.hpp>

#include "base/at.hpp"
#include "base/message_buffer.hpp"
#include "cluster/network_costs.hpp"
#include "settings/team_mapping.hpp"

namespace vnode {
namespace {

/// Describes an option with the value that a process has.
struct Told {
  std::string_view option;
  std::string value;
};

std::string text_of(const std::optional<std::size_t>& bytes) {
  return bytes ? fmt::to_string(*bytes) : "not given";
}

/// Returns the options that must be the same in all processes.
std::vector<Told> told(const Settings& settings, const Shape& shape) {
  const TeamOptions& options = settings.options;
  const auto on = [](bool value) { return value ? "on" : "off"; };
  return {{"the shape", shape.text()},
          {"TeamOptions::checked or VNODE_CHECKED", on(options.checked)},
          {"TeamOptions::deadlocks or VNODE_DEADLOCKS", on(options.deadlocks)},
          {"TeamOptions::deterministic", on(options.deterministic)},
          {"TeamOptions::algorithms or VNODE_ALGORITHM", options.algorithms},
          {"TeamOptions::inline_to", text_of(options.inline_to)},
          {"TeamOptions::shared_from", text_of(options.shared_from)},
          {"TeamOptions::costs",
           options.costs
               ? fmt::format("t_s {} t_w {} t_op {} t_put {} o {}, limits {} and {}", options.costs->t_s,
                             options.costs->t_w, options.costs->t_op, options.costs->t_put, options.costs->o,
                             options.costs->eager_to, options.costs->shared_from)
               : "not given"}};
}

/// Returns what tells this start of the operating system from all others, the same in all containers of a
/// host. Returns an empty text if the system does not say.
std::string system_number() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string number;
  std::getline(file, number);
  return number;
}

/// Writes which PUs of a machine are near each other, so that others can place their nodes by it.
void tell(MessageBuffer& said, const Machine& machine) {
  said.add(machine.source);
  said.add(machine.pus.size());
  for (const Pu& pu : machine.pus) {
    for (const int number : {pu.os_index, pu.core, pu.numa, pu.package}) said.add(number);
    said.add(int{pu.allowed});
  }
  said.add(machine.caches.size());
  for (const Cache& cache : machine.caches) {
    said.add(cache.level);
    said.add(cache.pus);
  }
}

/// Returns the machine that tell() has written: its PUs, their cores, caches, NUMA nodes and packages.
Machine remote_machine(MessageBuffer& said) {
  Machine machine;
  machine.source = said.text();
  machine.this_system = false;
  machine.pus.resize(said.number());
  const auto belongs = [](auto& parts, int part, int pu) {
    if (static_cast<std::size_t>(part) >= parts.size()) parts.resize(static_cast<std::size_t>(part) + 1);
    at(parts, part).pus.push_back(pu);
  };
  for (int number = 0; Pu & pu : machine.pus) {
    for (int* const value : {&pu.os_index, &pu.core, &pu.numa, &pu.package}) *value = said.integer();
    pu.allowed = said.integer() != 0;
    belongs(machine.cores, pu.core, number);
    belongs(machine.numas, pu.numa, number);
    belongs(machine.packages, pu.package, number);
    ++number;
  }
  machine.caches.resize(said.number());
  for (Cache& cache : machine.caches) {
    cache.level = said.integer();
    cache.pus = said.list();
  }
  return machine;
}

}  // namespace

ClusterLayout::ClusterLayout(JointBeginning& beginning, const Settings& settings, const Shape& shape)
    : transport_(beginning.transport()), processes_(transport_) {
  MessageBuffer own;
  const std::vector<Told> options = told(settings, shape);
  for (const Told& one : options) own.add(one.value);
  own.add(number_ranges(Machine::discover().allowed_pus()));
  own.add(system_number());
  std::vector<MessageBuffer> all = beginning.exchange(own);
  std::vector<std::string> first, pus, systems;
  for (int process = 0; process < processes_.count(); ++process) {
    MessageBuffer& said = at(all, process);
    for (std::size_t i = 0; i < options.size(); ++i) {
      std::string value = said.text();
      if (process == 0)
        first.push_back(std::move(value));
      else if (value != first[i])
        throw UsageError(
            fmt::format("the processes of a cluster make one team: {} is \"{}\" in {} and \"{}\" in {}",
                        options[i].option, first[i], processes_.text(0), value, processes_.text(process)));
    }
    pus.push_back(said.text());
    systems.push_back(said.text());
  }
  const int here = processes_.here();
  for (int process = 0; process < processes_.count(); ++process) {
    int first_of_system = 0;
    while (processes_.machine(first_of_system) != processes_.machine(process) &&
           (at(systems, process).empty() || at(systems, first_of_system) != at(systems, process)))
      ++first_of_system;
    systems_.push_back(first_of_system);
  }
  for (int process = 0; process < processes_.count(); ++process)
    if (process != here && at(systems_, process) == at(systems_, here) && at(pus, process) == at(pus, here))
      neighbours_.push_back({processes_.last(process) - processes_.first(process), process < here});
}

int ClusterLayout::nodes_of_machine() const {
  int nodes = 0;
  for (int process = 0; process < processes_.count(); ++process)
    if (processes_.machine(process) == processes_.machine(processes_.here()))
      nodes += processes_.last(process) - processes_.first(process);
  return nodes;
}

Mapping ClusterLayout::map(const Machine& machine, const TeamOptions& options) const {
  const int own = nodes_here();
  if (!options.pus.empty() || neighbours_.empty())
    return mapping_for(machine, Topology(shapes::full{}, own), options);
  int before = 0, all = own;
  for (const Neighbour& neighbour : neighbours_) {
    all += neighbour.nodes;
    if (neighbour.before) before += neighbour.nodes;
  }
  Mapping mapping = mapping_for(machine, Topology(shapes::full{}, all), options);
  mapping.pu = {mapping.pu.begin() + before, mapping.pu.begin() + before + own};
  return mapping;
}

Mapping ClusterLayout::of_all(const Mapping& here) const {
  Mapping all = here;
  all.pu.assign(static_cast<std::size_t>(nodes()), here.pu.front());
  std::ranges::copy(here.pu, all.pu.begin() + first());
  return all;
}

void ClusterLayout::agree_on(JointBeginning& beginning, const Machine& machine, const Mapping& here) {
  std::vector<int> pus;
  for (const int pu : here.pu) pus.push_back(at(machine.pus, pu).os_index);
  MessageBuffer own;
  own.add(int{here.own_core});
  own.add(pus);
  if (is_first_of_machine(processes_.here())) tell(own, machine);
  own_core_ = true;
  std::vector<Machine> machines;
  std::vector<ProcessNodes> nodes;
  std::vector<MessageBuffer> all = beginning.exchange(own);
  for (int process = 0; process < processes_.count(); ++process) {
    MessageBuffer& said = at(all, process);
    own_core_ = said.integer() != 0 && own_core_;
    pus = said.list();
    for (const int pu : pus) real_pus_.emplace_back(at(systems_, process), pu);
    if (is_first_of_machine(process)) machines.push_back(remote_machine(said));
    const std::vector<Pu>& there = at(machines, processes_.machine(process)).pus;
    // A PU that the machine's first process does not see is taken for that one's first.
    for (int& pu : pus) {
      const auto found = std::ranges::find(there, pu, &Pu::os_index);
      pu = found != there.end() ? static_cast<int>(found - there.begin()) : 0;
    }
    nodes.push_back({processes_.machine(process), {.pu = std::move(pus)}});
  }
  machines_ = joined(machines);
  mapping_ = joined(machines, nodes);
}

void ClusterLayout::measure_network(JointBeginning& beginning) {
  network_ = measured_network(transport_);
  MessageBuffer own;
  for (const Quantity& cost : {network_.t_s, network_.t_w, network_.o}) own.add(cost.value);
  own.add(static_cast<int>(network_.t_s.origin));
  MessageBuffer first = beginning.exchange(own).front();
  const double t_s = first.real(), t_w = first.real(), o = first.real();
  network_ = vnode::network(t_s, t_w, o, static_cast<Origin>(first.integer()));
}

double ClusterLayout::nodes_per_pu(std::span<const Rank> nodes) const {
  std::set<std::pair<int, int>> used;
  for (const Rank node : nodes) used.insert(at(real_pus_, node));
  return static_cast<double>(nodes.size()) / static_cast<double>(used.size());
}

bool ClusterLayout::is_first_of_machine(int process) const {
  for (int other = 0; other < process; ++other)
    if (processes_.machine(other) == processes_.machine(process)) return false;
  return true;
}

}  // namespace vnode
