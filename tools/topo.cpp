#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/numa_distances.hpp>
#include <vnode/model/profile.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "commands.hpp"
#include "files/profile_file.hpp"
#include "options/written.hpp"
#include "terminal/listing.hpp"
#include "terminal/width.hpp"

namespace vnode {
namespace {

std::string size(std::uint64_t bytes) {
  if (bytes == 0) return "of unknown size";
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double number = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; number >= 1024 && unit + 1 < std::size(units); ++unit) number /= 1024;
  return fmt::format("{:.{}f} {}", number, number < 10 && number != static_cast<int>(number) ? 1 : 0,
                     units[unit]);
}

/// Tells whether the system reports this NUMA node: PUs for which it reports none are in one all the same.
bool is_told(const NumaNode& node) { return node.os_index >= 0; }

/// Returns the system's number of a part, " 3", or "" if it has none.
std::string name(int os_index) { return os_index < 0 ? std::string() : fmt::format(" {}", os_index); }

std::vector<int> os_indices(const Machine& machine, const std::vector<int>& pus) {
  std::vector<int> indices;
  for (const int pu : pus) indices.push_back(at(machine.pus, pu).os_index);
  std::ranges::sort(indices);
  return indices;
}

/// Returns "PUs 0-3".
std::string pus_named(const Machine& machine, const std::vector<int>& pus) {
  return fmt::format("PU{} {}", pus.size() == 1 ? "" : "s", number_ranges(os_indices(machine, pus)));
}

/// Returns the index of the largest cache over a PU that several cores share, or -1 if there is none.
int shared_cache(const Machine& machine, int pu) {
  int outermost = -1;
  for (std::size_t cache = 0; cache < machine.caches.size(); ++cache) {
    const std::vector<int>& pus = machine.caches[cache].pus;
    const bool shared = !pus.empty() && at(machine.pus, pus.front()).core != at(machine.pus, pus.back()).core;
    if (shared && std::ranges::binary_search(pus, pu)) outermost = static_cast<int>(cache);
  }
  return outermost;
}

std::string summary(const Machine& machine) {
  const std::vector<int> allowed = machine.allowed_pus();
  std::string text = fmt::format("machine: {}\nprocessor: {}\n", machine.source,
                                 machine.model.empty() ? "unknown" : machine.model);
  text += fmt::format("{}, {}, {}, {}\n", counted(machine.packages.size(), "package"),
                      counted(std::ranges::count_if(machine.numas, is_told), "NUMA node"),
                      counted(machine.cores.size(), "core"), counted(machine.pus.size(), "PU"));
  text += fmt::format("allowed: {} on {} (PUs {})\n", counted(allowed.size(), "PU"),
                      counted(static_cast<std::size_t>(machine.allowed_cores()), "core"),
                      number_ranges(os_indices(machine, allowed)));
  if (machine.cpu_quota)
    text += fmt::format("CPU quota: {:.1f} of {} (cgroup)\n", *machine.cpu_quota,
                        counted(machine.allowed_cores(), "core"));
  std::vector<int> banks;
  for (const NumaNode& numa : machine.numas)
    if (!numa.allowed && numa.bytes > 0) banks.push_back(numa.os_index);
  std::ranges::sort(banks);
  if (!banks.empty()) text += fmt::format("memory not allowed: of NUMA nodes {}\n", number_ranges(banks));
  if (!machine.offline.empty()) text += fmt::format("offline: PUs {}\n", number_ranges(machine.offline));
  if (!machine.this_system) text += "not the system we run on: nothing can be pinned to it\n";
  return text;
}

/// Returns ", 16 GiB of MCDRAM behind a cache of 1 GiB".
std::string memory(const NumaNode& node) {
  std::string text = ", " + size(node.bytes);
  if (!node.kind.empty()) text += " of " + node.kind;
  if (node.cache_bytes > 0) text += " behind a cache of " + size(node.cache_bytes);
  return text;
}

/// Returns packages, their NUMA nodes, the caches that cores share, and in each the PUs, joined by + where
/// they share a core.
std::string tree(const Machine& machine) {
  constexpr int cores_per_line = 8;
  std::string text;
  int package = -1, numa = -1, cache = -1, on_line = 0;
  for (const Core& core : machine.cores) {
    const Pu& pu = at(machine.pus, core.pus.front());
    const int shared = shared_cache(machine, core.pus.front());
    const bool other_package = pu.package != package, other_numa = other_package || pu.numa != numa;
    if (other_package)
      text +=
          fmt::format("\npackage{}", name(machine.packages[static_cast<std::size_t>(pu.package)].os_index));
    if (other_numa) {
      const NumaNode& node = machine.numas[static_cast<std::size_t>(pu.numa)];
      text += is_told(node) ? fmt::format("\n  NUMA node {}{}", node.os_index, memory(node))
                            : "\n  no NUMA node that the system tells of";
    }
    const bool other_cache = other_numa || shared != cache;
    if (other_cache && shared >= 0) {
      const Cache& common = machine.caches[static_cast<std::size_t>(shared)];
      text += fmt::format("\n    L{}, {}", common.level, size(common.bytes));
    }
    if (other_cache || on_line == cores_per_line) {
      text += "\n      PUs";
      on_line = 0;
    }
    text += fmt::format(" {}", fmt::join(os_indices(machine, core.pus), "+"));
    package = pu.package, numa = pu.numa, cache = shared, ++on_line;
  }
  return text + '\n';
}

/// Returns the banks that are no PU's nearest, which the tree does not show.
std::string further_banks(const Machine& machine) {
  std::string text;
  for (std::size_t numa = 0; numa < machine.numas.size(); ++numa) {
    const NumaNode& node = machine.numas[numa];
    if (std::ranges::any_of(machine.pus, [&](const Pu& pu) { return pu.numa == static_cast<int>(numa); }))
      continue;
    text += fmt::format("\nNUMA node {}{}, near ", node.os_index, memory(node));
    text += node.pus.empty() ? "no PU" : pus_named(machine, node.pus);
  }
  return text.empty() ? text : text + '\n';
}

std::string caches(const Machine& machine) {
  std::string text;
  for (std::size_t first = 0, next = 0; first < machine.caches.size(); first = next) {
    const Cache& cache = machine.caches[first];
    while (next < machine.caches.size() && machine.caches[next].level == cache.level &&
           machine.caches[next].bytes == cache.bytes)
      ++next;
    text += fmt::format("{}{} x L{} of {}", first ? ", " : "\ncaches: ", next - first, cache.level,
                        size(cache.bytes));
  }
  return text.empty() ? text : text + '\n';
}

/// Returns "kind of core 0, efficiency 0: PUs 4-7, CoreType IntelAtom, FrequencyMaxMHz 2600".
std::string kinds(const Machine& machine) {
  std::string text;
  for (std::size_t i = 0; i < machine.kinds.size(); ++i) {
    const CoreKind& kind = machine.kinds[i];
    text += fmt::format("\nkind of core {}, efficiency {}: {}", i,
                        kind.efficiency < 0 ? "unknown" : fmt::format("{}", kind.efficiency),
                        pus_named(machine, kind.pus));
    for (const auto& [property, value] : kind.properties) text += fmt::format(", {} {}", property, value);
  }
  return text.empty() ? text : text + '\n';
}

std::string groups(const Machine& machine) {
  std::map<std::string, std::size_t> numbers;
  for (const MachineGroup& group : machine.groups) ++numbers[group.kind];
  std::string text;
  for (const auto& [kind, number] : numbers)
    text += fmt::format("{}{} x {}", text.empty() ? "\ngroups: " : ", ", number, kind);
  return text.empty() ? text : text + '\n';
}

std::string attributes(const Machine& machine) {
  std::string text;
  for (const MemoryAttribute& attribute : machine.memory_attributes) {
    text += fmt::format("\n{}{}{}:\n", attribute.name, attribute.unit.empty() ? "" : ", ", attribute.unit);
    for (const MemoryAttribute::Value& value : attribute.values)
      text += fmt::format("  NUMA node{}: {}{}\n",
                          name(machine.numas[static_cast<std::size_t>(value.numa)].os_index), value.value,
                          value.pus.empty() ? "" : " from " + pus_named(machine, value.pus));
  }
  return text;
}

/// Returns a table of `values`, whose rows and columns have the system's numbers `names`.
std::string matrix_text(const std::vector<int>& names,
                        const std::vector<std::vector<std::uint64_t>>& values) {
  constexpr std::size_t most = 64;
  if (values.size() > most)
    return fmt::format("  {} rows and columns: --format json writes them\n", values.size());
  std::string text = "      ";
  for (const int column : names) text += fmt::format(" {:>5}", column);
  for (std::size_t row = 0; row < values.size(); ++row) {
    text += fmt::format("\n{:>6}", names[row]);
    for (const std::uint64_t value : values[row]) text += fmt::format(" {:>5}", value);
  }
  return text + '\n';
}

std::string distances(const Machine& machine, const NumaDistances& known) {
  std::vector<int> names;
  std::vector<std::vector<std::uint64_t>> values;
  for (std::size_t row = 0; row < machine.numas.size(); ++row) {
    if (!is_told(machine.numas[row])) continue;
    names.push_back(machine.numas[row].os_index);
    std::vector<std::uint64_t>& told = values.emplace_back();
    for (std::size_t column = 0; column < machine.numas.size(); ++column)
      if (is_told(machine.numas[column])) told.push_back(known.values[row][column]);
  }
  if (names.size() < 2) return {};
  return fmt::format("\nlatency from NUMA node (row) to memory of NUMA node (column), {}:\n{}",
                     enums::name(known.source), matrix_text(names, values));
}

/// Returns the system's number of a part of a matrix.
int os_index(const Machine& machine, const std::string& type, int part) {
  const auto at = static_cast<std::size_t>(part);
  if (type == "NUMANode") return machine.numas[at].os_index;
  if (type == "Package") return machine.packages[at].os_index;
  return type == "Core" ? machine.cores[at].os_index : machine.pus[at].os_index;
}

/// Returns the matrices that distances() does not show.
std::string further_matrices(const Machine& machine) {
  std::string text;
  for (const DistanceMatrix& matrix : machine.matrices) {
    if (matrix.type == "NUMANode" && matrix.values == machine.distances) continue;
    std::vector<int> names;
    for (const int part : matrix.parts) names.push_back(os_index(machine, matrix.type, part));
    text += fmt::format("\n{} between parts of type {}{}{}:\n{}", enums::name(matrix.meaning), matrix.type,
                        matrix.name.empty() ? "" : ", " + matrix.name,
                        matrix.by_user ? ", added by a user" : "", matrix_text(names, matrix.values));
  }
  return text;
}

using Json = nlohmann::ordered_json;

template <class Part>
Json parts_json(const std::vector<Part>& parts) {
  Json array = Json::array();
  for (const Part& part : parts) {
    Json object;
    if constexpr (requires { part.os_index; }) object["os_index"] = part.os_index;
    if constexpr (requires { part.efficiency; }) object["efficiency"] = part.efficiency;
    if constexpr (requires { part.level; }) object["level"] = part.level;
    if constexpr (requires { part.bytes; }) object["bytes"] = part.bytes;
    if constexpr (requires { part.allowed; }) object["allowed"] = part.allowed;
    if constexpr (requires { part.kind; }) object["kind"] = part.kind;
    if constexpr (requires { part.cache_bytes; }) object["cache_bytes"] = part.cache_bytes;
    if constexpr (requires { part.properties; }) {
      object["properties"] = Json::object();
      for (const auto& [name, value] : part.properties) object["properties"][name] = value;
    }
    object["pus"] = part.pus;
    array.push_back(std::move(object));
  }
  return array;
}

Json pus_json(const Machine& machine) {
  Json pus = Json::array();
  for (const Pu& pu : machine.pus)
    pus.push_back({{"os_index", pu.os_index},
                   {"core", pu.core},
                   {"numa", pu.numa},
                   {"package", pu.package},
                   {"allowed", pu.allowed}});
  return pus;
}

Json attributes_json(const Machine& machine) {
  Json attributes = Json::array();
  for (const MemoryAttribute& attribute : machine.memory_attributes) {
    Json values = Json::array();
    for (const MemoryAttribute::Value& value : attribute.values)
      values.push_back({{"numa", value.numa}, {"pus", value.pus}, {"value", value.value}});
    attributes.push_back({{"name", attribute.name},
                          {"unit", attribute.unit},
                          {"higher_is_better", attribute.higher_is_better},
                          {"values", std::move(values)}});
  }
  return attributes;
}

Json matrices_json(const Machine& machine) {
  Json matrices = Json::array();
  for (const DistanceMatrix& matrix : machine.matrices)
    matrices.push_back({{"name", matrix.name},
                        {"type", matrix.type},
                        {"meaning", enums::name(matrix.meaning)},
                        {"by_user", matrix.by_user},
                        {"parts", matrix.parts},
                        {"values", matrix.values}});
  return matrices;
}

/// Returns the machine for a person: a summary, a tree, and all else that is known of it.
std::string machine_text(const Machine& machine, const NumaDistances& known) {
  return summary(machine) + tree(machine) + further_banks(machine) + caches(machine) + groups(machine) +
         kinds(machine) + attributes(machine) + distances(machine, known) + further_matrices(machine);
}

/// Returns the machine as one JSON object.
std::string machine_json(const Machine& machine, const NumaDistances& known) {
  const Json json{{"source", machine.source},
                  {"model", machine.model},
                  {"this_system", machine.this_system},
                  {"allowed_cores", machine.allowed_cores()},
                  {"allowed_pus", machine.allowed_pus()},
                  {"cpu_quota", machine.cpu_quota ? Json(*machine.cpu_quota) : Json()},
                  {"offline", machine.offline},
                  {"packages", parts_json(machine.packages)},
                  {"numas", parts_json(machine.numas)},
                  {"groups", parts_json(machine.groups)},
                  {"caches", parts_json(machine.caches)},
                  {"kinds", parts_json(machine.kinds)},
                  {"cores", parts_json(machine.cores)},
                  {"pus", pus_json(machine)},
                  {"memory_attributes", attributes_json(machine)},
                  {"matrices", matrices_json(machine)},
                  {"distances", machine.distances},
                  {"numa_distances", {{"source", enums::name(known.source)}, {"values", known.values}}}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

struct TopoOptions {
  std::optional<std::string> machine, profile;
  Format format = Format::text;
  bool gallery = false;
};

void show_gallery(Format format) {
  Listing listing{{"name", "machine", "description"}};
  for (const DescribedMachine& known : described_machines())
    listing.row({known.name, known.about, known.description});
  fmt::print("{}", format == Format::json ? listing.json() + '\n' : listing.table(terminal_width()));
}

void show_machine(const TopoOptions& options) {
  if (options.gallery) return show_gallery(options.format);
  const Machine machine = options.machine ? Machine::parse(*options.machine) : Machine::discover();
  const NumaDistances known = known_distances(machine, options.profile);
  if (options.format == Format::json)
    fmt::print("{}\n", machine_json(machine, known));
  else
    fmt::print("{}", machine_text(machine, known));
}

}  // namespace

void add_topo(const Command& program) {
  const auto options = std::make_shared<TopoOptions>();
  const Command topo =
      program.command("topo", "Show a machine: packages, NUMA nodes, caches, cores, PUs, distances");
  topo.option(
          "--machine", into(options->machine),
          "a name of --gallery, a file of hwloc's XML, or a synthetic description such as \"pack:2 numa:2 "
          "core:4 pu:1\" (default: this machine)")
      .type_name("NAME|FILE.xml|SYNTHETIC");
  topo.flag("--gallery", options->gallery, "list the machines that have names");
  add_profile(topo, options->profile);
  add_format(topo, options->format);
  topo.examples(
      {{"vnode topo", "this machine"},
       {"vnode topo --machine \"pack:2 numa:2 core:4 pu:1\"", "a described one"},
       {"vnode topo --machine dual_epyc_7742", "one that has a name: vnode topo --gallery lists them"}});
  topo.run([options] { show_machine(*options); });
}

}  // namespace vnode
