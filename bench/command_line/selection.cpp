#include "command_line/selection.hpp"

#include <fmt/format.h>

#include <vnode/error.hpp>

namespace vnode::bench {
namespace {

// Why the algorithm cannot run for one of the roots, if so.
std::optional<std::string> refusal(const Algorithm& algorithm, const Topology& topology,
                                   const std::vector<Rank>& roots) {
  for (const Rank root : roots)
    if (auto reason = why_not(algorithm, parameters(topology, root))) return reason;
  return std::nullopt;
}

std::string full_name(const Operation& operation, const std::string& text) {
  for (const Operation& other : operations())
    if (text.starts_with(fmt::format("{}_", other.name))) return text;
  return fmt::format("{}_{}", operation.name, text);
}

}  // namespace

Parameters parameters(const Topology& topology, Rank root) {
  Parameters parameters{.nodes = topology.nodes(), .root = root};
  if (topology.family() == Family::mesh || topology.family() == Family::torus)
    parameters.extents.assign(topology.extents().begin(), topology.extents().end());
  return parameters;
}

Selection select(const Operation& operation, const std::string& text, const Topology& topology,
                 const std::vector<Rank>& roots) {
  if (text == "auto" || (text == "all" && !operation.collective)) return {{""}, {}};
  if (!operation.collective)
    throw UsageError{
        fmt::format("--algorithm {}: {} has no algorithms to choose from", text, operation.name)};
  if (text != "all") {
    const Algorithm& named = algorithm(full_name(operation, text));
    if (named.collective != *operation.collective)
      throw UsageError{fmt::format("--algorithm {} is not an algorithm of {}", text, operation.name)};
    if (const auto reason = refusal(named, topology, roots))
      throw UsageError{fmt::format("--algorithm {} cannot run: {}", text, *reason)};
    return {{std::string{named.name}}, {}};
  }
  Selection selection;
  for (const Algorithm& candidate : algorithms()) {
    if (candidate.collective != *operation.collective) continue;
    if (const auto reason = refusal(candidate, topology, roots))
      selection.skipped.push_back(fmt::format("{}: {}", candidate.name, *reason));
    else
      selection.algorithms.emplace_back(candidate.name);
  }
  return selection;
}

}  // namespace vnode::bench
