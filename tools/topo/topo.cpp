#include "topo/topo.hpp"

#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>

#include <vnode/lab/profile.hpp>

#include "files/profile_file.hpp"
#include "options/format.hpp"
#include "topo/machine_json.hpp"
#include "topo/machine_text.hpp"

namespace vnode {
namespace {

struct Options {
  std::optional<std::string> machine, profile;
  Format format = Format::text;
};

void show(const Options& options) {
  const Machine machine = options.machine ? Machine::parse(*options.machine) : Machine::discover();
  const NumaDistances known = known_distances(machine, options.profile);
  if (options.format == Format::json)
    fmt::print("{}\n", machine_json(machine, known));
  else
    fmt::print("{}", machine_text(machine, known));
}

}  // namespace

void add_topo(Command app) {
  const auto options = std::make_shared<Options>();
  const Command topo =
      app.command("topo", "Show a machine: packages, NUMA nodes, caches, cores, PUs, distances");
  topo.option("--machine", options->machine,
              "a file of hwloc's XML, or a synthetic description such as \"pack:2 numa:2 core:4 pu:1\" "
              "(default: this machine)")
      .type_name("FILE.xml|SYNTHETIC");
  add_profile(topo, options->profile);
  add_format(topo, options->format);
  topo.run([options] { show(*options); });
}

}  // namespace vnode
