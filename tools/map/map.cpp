#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/draw.hpp>
#include <vnode/model/mapping_policy.hpp>

#include "commands.hpp"
#include "files/file.hpp"
#include "files/profile_file.hpp"
#include "map/mapping_report.hpp"
#include "options/place.hpp"
#include "options/written.hpp"
#include "terminal/progress.hpp"
#include "terminal/width.hpp"

namespace vnode {
namespace {

enum class MapForm { text, json, csv, svg };

constexpr const char* every_mapping = "all";
constexpr int most_mapped_nodes = 1 << 16;

struct MapOptions {
  PlaceOptions place;
  std::optional<std::string> machine, profile, output;
  std::string mapping = every_mapping;
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
  if ((options.mapping == every_mapping || options.mapping == "optimised") &&
      nodes_of(options.place) > most_mapped_nodes)
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
  if (options.mapping != every_mapping) {
    report.mapped.push_back(mapped_by(search, report, options.mapping));
    return report;
  }
  for (const MappingPolicy& policy : mapping_policies()) try {
      report.mapped.push_back(mapped_by(search, report, policy.name));
    } catch (const UsageError& error) {
      report.refused.push_back({std::string(policy.name), error.what()});
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
  if (options.format == MapForm::svg && options.mapping == every_mapping)
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
      .type_name("FILE.xml|SYNTHETIC");
  add_profile(command, options->profile);
  command
      .option(
          "--mapping", into(options->mapping),
          fmt::format("one of {}, {}; or the systems' numbers of a PU for each rank, 0,2,8-11 (default: all)",
                      every_mapping, policy_names()))
      .type_name("NAME|LIST");
  command.choice(
      "--format",
      {{"text", MapForm::text}, {"json", MapForm::json}, {"csv", MapForm::csv}, {"svg", MapForm::svg}},
      options->format, "what to write; svg draws one mapping");
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
  command.run([options] { write_output(written(*options), options->output); });
}

}  // namespace vnode
