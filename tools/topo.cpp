#include "topo.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/counted.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

std::string size(std::uint64_t bytes) {
  if (bytes == 0) return "of unknown size";
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double number = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; number >= 1024 && unit + 1 < std::size(units); ++unit) number /= 1024;
  return fmt::format("{:.{}f} {}", number, number < 10 && number != static_cast<int>(number) ? 1 : 0,
                     units[unit]);
}

/// " 3": how the system calls a part, or nothing if it does not.
std::string name(int os_index) { return os_index < 0 ? std::string() : fmt::format(" {}", os_index); }

const Pu& pu_of(const Machine& machine, int pu) { return machine.pus[static_cast<std::size_t>(pu)]; }

std::vector<int> os_indices(const Machine& machine, const std::vector<int>& pus) {
  std::vector<int> indices;
  for (const int pu : pus) indices.push_back(pu_of(machine, pu).os_index);
  std::ranges::sort(indices);
  return indices;
}

/// The largest cache over a PU that several cores share, as an index; -1 if there is none.
int shared_cache(const Machine& machine, int pu) {
  int outermost = -1;
  for (std::size_t cache = 0; cache < machine.caches.size(); ++cache) {
    const std::vector<int>& pus = machine.caches[cache].pus;
    const bool shared = !pus.empty() && pu_of(machine, pus.front()).core != pu_of(machine, pus.back()).core;
    if (shared && std::ranges::binary_search(pus, pu)) outermost = static_cast<int>(cache);
  }
  return outermost;
}

std::string summary(const Machine& machine) {
  const std::vector<int> allowed = machine.allowed_pus();
  std::string text = fmt::format("machine: {}\nprocessor: {}\n", machine.source,
                                 machine.model.empty() ? "unknown" : machine.model);
  text += fmt::format("{}, {}, {}, {}\n", counted(machine.packages.size(), "package"),
                      counted(machine.numas.size(), "NUMA node"), counted(machine.cores.size(), "core"),
                      counted(machine.pus.size(), "PU"));
  text += fmt::format("allowed: {} on {} (PUs {})\n", counted(allowed.size(), "PU"),
                      counted(static_cast<std::size_t>(machine.allowed_cores()), "core"),
                      number_ranges(os_indices(machine, allowed)));
  if (!machine.this_system) text += "not the system we run on: nothing can be pinned to it\n";
  return text;
}

/// Packages, their NUMA nodes, the caches that cores share, and in each the PUs, joined by + where they share
/// a core.
std::string tree(const Machine& machine) {
  constexpr int cores_per_line = 8;
  std::string text;
  int package = -1, numa = -1, cache = -1, on_line = 0;
  for (const Core& core : machine.cores) {
    const Pu& pu = pu_of(machine, core.pus.front());
    const int shared = shared_cache(machine, core.pus.front());
    const bool other_package = pu.package != package, other_numa = other_package || pu.numa != numa;
    if (other_package)
      text +=
          fmt::format("\npackage{}", name(machine.packages[static_cast<std::size_t>(pu.package)].os_index));
    if (other_numa) {
      const NumaNode& node = machine.numas[static_cast<std::size_t>(pu.numa)];
      text += fmt::format("\n  NUMA node{}, {}", name(node.os_index), size(node.bytes));
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

/// The banks that are no PU's nearest, which the tree does not show.
std::string further_banks(const Machine& machine) {
  std::string text;
  for (std::size_t numa = 0; numa < machine.numas.size(); ++numa) {
    const NumaNode& node = machine.numas[numa];
    if (std::ranges::any_of(machine.pus, [&](const Pu& pu) { return pu.numa == static_cast<int>(numa); }))
      continue;
    text += fmt::format("\nNUMA node{}, {}, ", name(node.os_index), size(node.bytes));
    text += node.pus.empty() ? "near no PU" : "near PUs " + number_ranges(os_indices(machine, node.pus));
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

std::string distances(const Machine& machine) {
  if (machine.distances.empty()) return {};
  std::string text = "\nlatency from NUMA node (row) to memory of NUMA node (column):\n      ";
  for (const NumaNode& node : machine.numas) text += fmt::format("{:>6}", node.os_index);
  for (std::size_t from = 0; from < machine.distances.size(); ++from) {
    text += fmt::format("\n{:>6}", machine.numas[from].os_index);
    for (const std::uint64_t distance : machine.distances[from]) text += fmt::format(" {:>5}", distance);
  }
  return text + '\n';
}

template <class Part>
Json parts_json(const std::vector<Part>& parts) {
  Json array = Json::array();
  for (const Part& part : parts) {
    Json object;
    if constexpr (requires { part.os_index; }) object["os_index"] = part.os_index;
    if constexpr (requires { part.level; }) object["level"] = part.level;
    if constexpr (requires { part.bytes; }) object["bytes"] = part.bytes;
    object["pus"] = part.pus;
    array.push_back(std::move(object));
  }
  return array;
}

Json machine_json(const Machine& machine) {
  Json pus = Json::array();
  for (const Pu& pu : machine.pus)
    pus.push_back({{"os_index", pu.os_index},
                   {"core", pu.core},
                   {"numa", pu.numa},
                   {"package", pu.package},
                   {"allowed", pu.allowed}});
  return {{"source", machine.source},
          {"model", machine.model},
          {"this_system", machine.this_system},
          {"allowed_cores", machine.allowed_cores()},
          {"allowed_pus", machine.allowed_pus()},
          {"packages", parts_json(machine.packages)},
          {"numas", parts_json(machine.numas)},
          {"caches", parts_json(machine.caches)},
          {"cores", parts_json(machine.cores)},
          {"pus", std::move(pus)},
          {"distances", machine.distances}};
}

}  // namespace

void print_machine(const Machine& machine, Format format) {
  if (format == Format::json) {
    fmt::print("{}\n", machine_json(machine).dump(2, ' ', false, Json::error_handler_t::replace));
    return;
  }
  fmt::print("{}{}{}{}{}", summary(machine), tree(machine), further_banks(machine), caches(machine),
             distances(machine));
}

void add_topo(Command app) {
  struct Options {
    std::optional<std::string> machine;
    Format format = Format::text;
  };
  const auto options = std::make_shared<Options>();
  const Command topo = app.command("topo", "Show a machine: packages, NUMA nodes, caches, cores, PUs");
  topo.option("--machine", options->machine,
              "a file of hwloc's XML, or a synthetic description such as \"pack:2 numa:2 core:4 pu:1\" "
              "(default: this machine)")
      .type_name("FILE.xml|SYNTHETIC");
  add_format(topo, options->format);
  topo.run([options] {
    print_machine(options->machine ? Machine::parse(*options->machine) : Machine::discover(),
                  options->format);
  });
}

}  // namespace vnode
