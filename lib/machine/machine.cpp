#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>

#include "base/at.hpp"
#include "machine/binding.hpp"
#include "machine/hwloc.hpp"
#include "machine/quota.hpp"

namespace vnode {
namespace {

Machine read(hwloc_topology_t topology, std::string source, bool this_system) {
  Machine machine = translate(topology);
  machine.source = std::move(source);
  machine.this_system = this_system;
  if (machine.allowed_pus().empty()) throw SystemError(machine.source + " has no PU that may be used");
  return machine;
}

/// Loads the environment's machine, which HWLOC_THISSYSTEM=1 may declare to be ours.
template <class Error>
Machine read_environment(const char* variable, const char* value,
                         HwlocTopology (*load)(const std::string&)) try {
  const HwlocTopology topology = load(value);
  return read(topology.get(), fmt::format("{}={}", variable, value),
              hwloc_topology_is_thissystem(topology.get()) == 1);
} catch (const Error& error) {
  throw Error(fmt::format("{}: {}", variable, error.what()));
}

const char* environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value ? value : nullptr;
}

/// Returns what hwloc itself has been told to read instead of this machine.
std::string other_system() {
  for (const char* variable : {"HWLOC_FSROOT", "HWLOC_CPUID_PATH"})
    if (const char* path = environment(variable)) return fmt::format("{}={}", variable, path);
  return "this machine";
}

Machine system_or_environment() {
  if (const char* path = environment("HWLOC_XMLFILE"))
    return read_environment<SystemError>("HWLOC_XMLFILE", path, load_xml);
  if (const char* description = environment("HWLOC_SYNTHETIC"))
    return read_environment<UsageError>("HWLOC_SYNTHETIC", description, load_synthetic);
  static const bool this_system = hwloc_topology_is_thissystem(system_topology()) == 1;
  static const Machine system =
      read(system_topology(), this_system ? "this machine" : other_system(), this_system);
  return system;
}

}  // namespace

Machine Machine::discover() {
  Machine machine = discovered_parts();
  if (machine.this_system) machine.cpu_quota = read_cpu_quota();
  return machine;
}

Machine discovered_parts() {
  Machine machine = system_or_environment();
  if (!machine.this_system) return machine;
  const std::vector<int> affinity = process_affinity();
  for (Pu& pu : machine.pus) pu.allowed = pu.allowed && std::ranges::binary_search(affinity, pu.os_index);
  // A machine that is declared to be ours may have NUMA nodes that the system knows nothing of: of these it
  // forbids none.
  const std::vector<int> forbidden = forbidden_memory();
  for (NumaNode& numa : machine.numas)
    numa.allowed = numa.allowed && !std::ranges::binary_search(forbidden, numa.os_index);
  if (machine.allowed_pus().empty())
    throw SystemError(fmt::format("{} has none of the PUs that this process may use: {}", machine.source,
                                  number_ranges(affinity)));
  return machine;
}

Machine Machine::from_synthetic(const std::string& description) {
  return read(load_synthetic(description).get(), description, false);
}

Machine Machine::from_xml(const std::string& path) { return read(load_xml(path).get(), path, false); }

Machine Machine::parse(const std::string& text) {
  for (const DescribedMachine& known : described_machines())
    if (known.name == text) {
      Machine machine = read(load_synthetic(std::string(known.description)).get(), text, false);
      machine.model = known.about;
      return machine;
    }
  std::error_code ignored;
  return text.ends_with(".xml") || std::filesystem::exists(text, ignored) ? from_xml(text)
                                                                          : from_synthetic(text);
}

std::vector<int> Machine::allowed_pus() const {
  std::vector<int> allowed;
  for (std::size_t pu = 0; pu < pus.size(); ++pu)
    if (pus[pu].allowed) allowed.push_back(static_cast<int>(pu));
  return allowed;
}

int Machine::allowed_cores() const {
  return static_cast<int>(std::ranges::count_if(cores, [this](const Core& core) {
    return std::ranges::any_of(core.pus, [this](int pu) { return at(pus, pu).allowed; });
  }));
}

int Machine::machines() const { return pus.empty() ? 1 : pus.back().machine + 1; }

std::string number_ranges(const std::vector<int>& ascending) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < ascending.size(); first = ++last) {
    while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", ascending[first]);
    if (last > first) text += fmt::format("-{}", ascending[last]);
  }
  return text;
}

}  // namespace vnode
