#include "commands/asked.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <numeric>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/machine_hierarchy.hpp>

#include "base/bytes.hpp"
#include "base/counted.hpp"
#include "commands/selection.hpp"
#include "commands/team.hpp"
#include "data/element.hpp"
#include "timing/affinity.hpp"

namespace vnode::bench {
namespace {

std::vector<Rank> roots(const Options& options, const Operation& operation, int nodes) {
  if (options.root && *options.root >= nodes)
    throw UsageError{fmt::format("--root {}: with {} the ranks are 0 to {}", *options.root,
                                 counted(nodes, "node"), nodes - 1)};
  if (!operation.rooted) return {0};
  if (options.root) return {*options.root};
  std::vector<Rank> all(static_cast<std::size_t>(nodes));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Returns the nodes of each thread; none if each has its own.
Hierarchy::Domains carriers_of(Team& team) {
  if (team.nodes_as() == Nodes::threads) return {};
  std::map<Affinity, std::vector<Rank>> by_pus;
  for (Rank rank = 0; const Affinity& pus : affinities(team)) by_pus[pus].push_back(rank++);
  Hierarchy::Domains carriers;
  for (auto& [pus, nodes] : by_pus) carriers.push_back(std::move(nodes));
  std::ranges::sort(carriers);
  return carriers;
}

class Asking {
 public:
  Asking(const Options& options, const Place& place)
      : options_(options), place_(place), nodes_(place.topology.nodes()) {
    for (const std::string& name : options.operations) enter(operation(name));
    if (!asked_.events.empty() && asked_.steps == 0)
      throw UsageError{fmt::format("nothing is left to measure: {}", fmt::join(asked_.notes, "; "))};
  }

  Asked take() { return std::move(asked_); }

 private:
  void enter(const Operation& operation) {
    if (nodes_ < operation.least_nodes) {
      asked_.notes.push_back(
          fmt::format("skipped {}: needs {}", operation.name, counted(operation.least_nodes, "node")));
      return;
    }
    Event event;
    event.operation = &operation;
    event.roots = roots(options_, operation, nodes_);
    const Selection selection = select(operation, options_.algorithm, place_.topology, event.roots,
                                       options_.shift, options_.deterministic, place_.hierarchy);
    for (const std::string& skipped : selection.skipped) asked_.notes.push_back("skipped " + skipped);
    if (options_.own != nullptr) check_own(*options_.own, operation, options_, place_.topology, event.roots);
    event.setting = {.nodes = nodes_,
                     .shift = options_.shift,
                     .seed = options_.seed,
                     .algorithms = selection.algorithms,
                     .own = options_.own,
                     .hierarchy = place_.hierarchy,
                     .form = options_.form,
                     .ports = options_.banks ? place_.ports : nullptr,
                     .against = rivals(operation),
                     .limits = place_.limits};
    if (selection.algorithms.empty()) return;
    for (const Arithmetic datatype : options_.datatypes_for(operation.combining))
      for (const StandardOperator op : options_.ops) {
        if (operation.combining && !has_operator(datatype, op)) continue;
        event.setting.datatype = datatype;
        event.setting.op = op;
        event.sizes = sizes(operation, event.setting);
        asked_.steps += event.sizes.size() * event.roots.size();
        asked_.events.push_back(event);
        if (!operation.combining) break;
      }
  }

  // Returns the sizes whose vectors the machine has room for: those of all_to_all grow with the square of p.
  std::vector<std::size_t> sizes(const Operation& operation, const Setting& setting) {
    if (!operation.sized) return {0};
    std::vector<std::size_t> sizes = options_.sizes(setting.datatype);
    const std::size_t most = most_bytes(operation, setting);
    const auto first = std::ranges::upper_bound(sizes, most);
    if (first != sizes.end())
      asked_.notes.push_back(fmt::format(
          "skipped {} from {} on: with {} this machine has memory for vectors of up to {}", operation.name,
          bytes_text(*first), counted(setting.nodes, "node"), bytes_text(std::bit_floor(most))));
    sizes.erase(first, sizes.end());
    return sizes;
  }

  std::vector<std::string> rivals(const Operation& operation) {
    std::vector<std::string> present;
    for (const std::string& name : options_.against) {
      const auto rival = std::ranges::find(operation.rivals, name, &Rival::name);
      if (rival->missing.empty())
        present.push_back(name);
      else
        asked_.notes.push_back(fmt::format("skipped {} for {}: {}", name, operation.name, rival->missing));
    }
    return present;
  }

  const Options& options_;
  const Place& place_;
  const int nodes_;
  Asked asked_;
};

}  // namespace

Hierarchy hierarchy_for(const Options& options, const Machine& machine, Team& team) {
  const Mapping mapping = compact_mapping(machine, team.size());
  const Hierarchy::Domains carriers = carriers_of(team);
  if (options.hierarchy.empty()) return machine_hierarchy(machine, mapping, {}, carriers);
  return Hierarchy::parse(options.hierarchy, team.size(), [&](std::string_view name) {
    return name == "carrier" && !carriers.empty() ? carriers : named_domains(machine, mapping)(name);
  });
}

Asked asked_for(const Options& options, const Place& place) { return Asking(options, place).take(); }

}  // namespace vnode::bench
