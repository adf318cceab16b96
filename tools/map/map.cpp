#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/draw.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/mapping_metrics.hpp>
#include <vnode/model/mapping_policy.hpp>
#include <vnode/model/numa_distances.hpp>

#include "base/at.hpp"
#include "commands.hpp"
#include "files/file.hpp"
#include "files/profile_file.hpp"
#include "options/place.hpp"
#include "options/values.hpp"
#include "options/written.hpp"
#include "terminal/csv.hpp"
#include "terminal/progress.hpp"
#include "terminal/table.hpp"
#include "terminal/width.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

/// Holds the mapping of a topology to a machine by one policy.
struct MappedBy {
  std::string name;
  Mapping mapping;
  MappingMetrics metrics;
};

/// Names a policy that cannot map the topology, and says why.
struct NotMapped {
  std::string name, reason;
};

/// Holds what `vnode map` has found.
struct MappingReport {
  Machine machine;
  Topology topology;
  NumaDistances distances;  ///< between the machine's NUMA nodes
  std::vector<MappedBy> mapped;
  std::vector<NotMapped> refused;
};

constexpr std::array levels{DomainLevel::l3, DomainLevel::numa, DomainLevel::package};
constexpr std::array<const char*, levels.size()> level_names{"L3s", "NUMA nodes", "packages"};

/// Returns "328" or "328.5".
std::string exact(double value) { return fmt::format("{:.10g}", value); }

template <class Number>
std::string with_least(double value, const std::optional<Number>& least) {
  return least ? fmt::format("{} ({})", exact(value), exact(static_cast<double>(*least))) : exact(value);
}

std::string lengths_text(DistanceSource source) {
  const bool hops = source == DistanceSource::hops;
  return fmt::format(
      "lengths of links: the same PU 0, core 1, L2 2, L3 3, NUMA node 10; between NUMA nodes {}{}",
      enums::name(source), hops ? ", 11 to 19 in a package, 20 and more beyond" : "");
}

std::string comparison(const MappingReport& report, std::size_t width) {
  std::vector<std::vector<std::string>> rows{
      {"mapping", "weighted hops", "between L3s", "NUMA nodes", "packages", "package link", "longest"}};
  for (const MappedBy& mapped : report.mapped) {
    const MappingMetrics& metrics = mapped.metrics;
    rows.push_back({mapped.name, with_least(metrics.weighted_hops, metrics.least_weighted_hops)});
    for (const DomainLevel level : levels) {
      const Crossings& across = metrics.across(level);
      rows.back().push_back(with_least(static_cast<double>(across.links), across.least));
    }
    rows.back().push_back(exact(metrics.package_link_load));
    rows.back().push_back(exact(metrics.dilation));
  }
  // Policies that make the same of it have one line, the first one's.
  std::string same;
  for (auto row = rows.begin() + 1; row != rows.end();) {
    const auto first = std::find_if(rows.begin() + 1, row, [&](const auto& other) {
      return std::equal(row->begin() + 1, row->end(), other.begin() + 1);
    });
    if (first == row) {
      ++row;
      continue;
    }
    same += fmt::format("{} {} as {}", same.empty() ? "" : ",", row->front(), first->front());
    row = rows.erase(row);
  }
  const std::string lines = table(rows, 1, width);
  return same.empty() ? lines : lines + '\n' + folded("the same:" + same, width, hanging) + '\n';
}

std::string name_of(int os_index) { return os_index < 0 ? "-" : fmt::to_string(os_index); }

std::string places(const MappingReport& report) {
  const Machine& machine = report.machine;
  std::vector<std::vector<std::string>> rows{{"node", "PU", "core", "NUMA node", "package"}};
  const std::vector<int>& pus = report.mapped.front().mapping.pu;
  for (std::size_t rank = 0; rank < pus.size(); ++rank) {
    const Pu& pu = at(machine.pus, pus[rank]);
    rows.push_back({fmt::to_string(rank), name_of(pu.os_index),
                    name_of(machine.cores[static_cast<std::size_t>(pu.core)].os_index),
                    name_of(machine.numas[static_cast<std::size_t>(pu.numa)].os_index),
                    name_of(machine.packages[static_cast<std::size_t>(pu.package)].os_index)});
  }
  return table(rows);
}

template <class Number>
Json or_null(const std::optional<Number>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::vector<int> os_indices(const Machine& machine, const Mapping& mapping) {
  std::vector<int> numbers;
  for (const int pu : mapping.pu) numbers.push_back(at(machine.pus, pu).os_index);
  return numbers;
}

Json mapped_json(const Machine& machine, const MappedBy& mapped) {
  const MappingMetrics& metrics = mapped.metrics;
  Json json{{"name", mapped.name},
            {"pus", mapped.mapping.pu},
            {"os_indices", os_indices(machine, mapped.mapping)},
            {"own_core", mapped.mapping.own_core},
            {"cores_used", mapped.mapping.cores_used},
            {"links", metrics.links},
            {"weighted_hops", metrics.weighted_hops},
            {"least_weighted_hops", or_null(metrics.least_weighted_hops)}};
  for (const DomainLevel level : levels) {
    const Crossings& across = metrics.across(level);
    json[fmt::format("across_{}", enums::name(level))] = {
        {"domains", across.domains}, {"links", across.links}, {"least", or_null(across.least)}};
  }
  json["package_link_load"] = metrics.package_link_load;
  json["dilation"] = metrics.dilation;
  return json;
}

template <class Number>
std::string or_empty(const std::optional<Number>& value) {
  return value ? csv_number(static_cast<double>(*value)) : "";
}

std::vector<std::string> mapped_fields(const Machine& machine, const MappedBy& mapped) {
  const MappingMetrics& metrics = mapped.metrics;
  std::vector<std::string> fields{fmt::format("{}", fmt::join(os_indices(machine, mapped.mapping), ",")),
                                  fmt::to_string(metrics.links), csv_number(metrics.weighted_hops),
                                  or_empty(metrics.least_weighted_hops)};
  for (const DomainLevel level : levels) {
    const Crossings& across = metrics.across(level);
    fields.insert(fields.end(), {fmt::to_string(across.links), or_empty(across.least)});
  }
  fields.insert(fields.end(), {csv_number(metrics.package_link_load), csv_number(metrics.dilation)});
  return fields;
}

/// Returns the metrics in a few words: "weighted hops 328; links (at least) between NUMA nodes 16 (16)".
std::string metrics_note(const MappingMetrics& metrics) {
  std::string across;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Crossings& crossings = metrics.across(levels[i]);
    if (crossings.domains < 2) continue;
    across += fmt::format("{}{} {}", across.empty() ? "; links (at least) between " : ", ", level_names[i],
                          crossings.links);
    if (crossings.least) across += fmt::format(" ({})", *crossings.least);
  }
  return fmt::format("weighted hops {}{}", exact(metrics.weighted_hops), across);
}

/// Writes the policies side by side; if there is only one, also the PU of every node.
std::string to_text(const MappingReport& report, std::size_t width) {
  std::string text = fmt::format("{} on {}\n{}\n", topology_text(report.topology), report.machine.source,
                                 folded(lengths_text(report.distances.source), width, hanging));
  if (!report.mapped.empty()) {
    const std::string links =
        fmt::format("links: {}; in brackets: no order of the ranks on as many nodes in each part has less",
                    report.topology.links());
    text += fmt::format("{}\n\n{}", folded(links, width, hanging), comparison(report, width));
    if (report.mapped.size() == 1) text += fmt::format("\n{}", places(report));
  }
  if (!report.refused.empty()) text += "\nnot possible:\n";
  for (const NotMapped& refused : report.refused)
    text += fmt::format("  {}\n",
                        folded(fmt::format("{}: {}", refused.name, refused.reason), width - 2, hanging));
  return text;
}

std::string to_json(const MappingReport& report) {
  Json mappings = Json::array(), refused = Json::array();
  for (const MappedBy& mapped : report.mapped) mappings.push_back(mapped_json(report.machine, mapped));
  for (const NotMapped& one : report.refused) refused.push_back({{"name", one.name}, {"reason", one.reason}});
  const Json json{{"machine", report.machine.source}, {"topology", report.topology.text()},
                  {"nodes", report.topology.nodes()}, {"distances", enums::name(report.distances.source)},
                  {"mappings", std::move(mappings)},  {"refused", std::move(refused)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

/// Writes a line for each policy, with the system's numbers of its PUs as --mapping takes them, or why it
/// cannot map the topology.
std::string to_csv(const MappingReport& report) {
  constexpr std::size_t known = 12;  // fields of what can be mapped
  std::string text = "topology,nodes,mapping,pus,links,weighted_hops,least_weighted_hops";
  for (const DomainLevel level : levels)
    text += fmt::format(",across_{0},least_across_{0}", enums::name(level));
  text += ",package_link_load,dilation,refused\n";
  const auto line = [&](const std::string& mapping, const std::vector<std::string>& more,
                        const std::string& refused) {
    std::vector<std::string> fields{report.topology.text(), fmt::to_string(report.topology.nodes()), mapping};
    fields.insert(fields.end(), more.begin(), more.end());
    fields.push_back(refused);
    text += csv_line(fields);
  };
  for (const MappedBy& mapped : report.mapped) line(mapped.name, mapped_fields(report.machine, mapped), "");
  for (const NotMapped& one : report.refused) line(one.name, std::vector<std::string>(known), one.reason);
  return text;
}

enum class MapForm { text, json, csv, svg };
const Choices<MapForm> map_forms{
    {"text", MapForm::text}, {"json", MapForm::json}, {"csv", MapForm::csv}, {"svg", MapForm::svg}};

constexpr const char* every_mapping = "all";
constexpr int most_mapped_nodes = 1 << 16;

struct MapOptions {
  PlaceOptions place;
  std::optional<std::string> machine, profile, output;
  std::string mapping = every_mapping;
  std::optional<MapForm> asked;
  MapForm format = MapForm::text;
  MappingSearch search;
};

MappedBy mapped_by(const MappingSearch& search, const MappingReport& report, std::string_view name) {
  Mapping mapping = mapping_by(report.machine, report.topology, name, search);
  MappingMetrics metrics =
      mapping_metrics(report.machine, report.topology, mapping, search.weights, search.distances);
  return {std::string(name), std::move(mapping), metrics};
}

MappingReport report_of(const MapOptions& options) {
  const std::vector<std::string> names = parse_mappings(options.mapping);
  if (std::ranges::count(names, "optimised") > 0 && nodes_of(options.place) > most_mapped_nodes)
    throw UsageError(
        fmt::format("--mapping {}: it takes minutes for {} nodes, and seconds for {}: give fewer nodes, or "
                    "--mapping compact or another one",
                    options.mapping, nodes_of(options.place), most_mapped_nodes));
  const Notice notice("mapping");
  MappingReport report{.machine = options.machine ? Machine::parse(*options.machine) : Machine::discover(),
                       .topology = topology_of(options.place),
                       .distances = {},
                       .mapped = {},
                       .refused = {}};
  report.distances = known_distances(report.machine, options.profile);
  MappingSearch search = options.search;
  search.distances = report.distances;
  for (const std::string& name : names) try {
      report.mapped.push_back(mapped_by(search, report, name));
    } catch (const UsageError& error) {
      if (options.mapping != every_mapping) throw;
      report.refused.push_back({name, error.what()});
    }
  return report;
}

std::string picture(const MappingReport& report) {
  const MappedBy& one = report.mapped.front();
  return draw(MappingPicture{.title = fmt::format("{} on {}, {}", topology_text(report.topology),
                                                  report.machine.source, one.name),
                             .machine = report.machine,
                             .mapping = one.mapping,
                             .note = metrics_note(one.metrics)},
              Pen::svg);
}

std::string written(const MapOptions& options) {
  if (options.format == MapForm::svg && parse_mappings(options.mapping).size() != 1)
    throw UsageError("--format svg draws one mapping: give --mapping NAME");
  const MappingReport report = report_of(options);
  switch (options.format) {
    case MapForm::json:
      return to_json(report);
    case MapForm::csv:
      return to_csv(report);
    case MapForm::svg:
      return picture(report);
    case MapForm::text:
      break;
  }
  return to_text(report, terminal_width());
}

}  // namespace

void add_map(const Command& program) {
  const auto options = std::make_shared<MapOptions>();
  const Command command =
      program.command("map", "Lay a topology on a machine, and see how long its links are");
  add_nodes_and_topology(command, options->place, "the topology's", "full");
  command
      .option("--machine", into(options->machine),
              "a file of hwloc's XML, or a synthetic description (default: this machine)")
      .type_name("NAME|FILE.xml|SYNTHETIC");
  add_profile(command, options->profile);
  command
      .option(
          "--mapping", into(options->mapping),
          fmt::format(
              "by names: {}, or {}; or the systems' numbers of a PU for each rank, 0,2,8-11 (default: all)",
              policy_names(), every_mapping))
      .type_name("NAME,...|LIST");
  command.group("Output").choice<MapForm>(
      "--format", map_forms, into(options->asked),
      "what to write; svg draws one mapping (default: as --output ends, or text)");
  command
      .whole(
          "--seed", {}, [options](int seed) { options->search.seed = static_cast<std::uint64_t>(seed); },
          "of the search for the optimised mapping (default: 1)")
      .type_name("N");
  command
      .whole(
          "--budget", {.least = 1, .most = 86'400'000},
          [options](int budget) { options->search.budget = std::chrono::milliseconds(budget); },
          "how long to search for it; the result then depends on the machine's speed (default: 16 searches)")
      .type_name("MS");
  add_output(command, options->output);
  command.examples({{"vnode map --topology hypercube --nodes 16 --machine \"pack:2 numa:2 core:4 pu:1\"",
                     "each policy with its lengths of links"},
                    {"vnode map --topology mesh:4x4 --mapping mesh_blocks --format svg --output mapping.svg",
                     "one of them as a picture"}});
  command.run([options] {
    options->format = form_of(map_forms, options->asked, MapForm::text, options->output);
    write_output(written(*options), options->output);
  });
}

}  // namespace vnode
