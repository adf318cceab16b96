#include "commands/selection.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/model/select.hpp>

namespace vnode::bench {
namespace {

// Says why the algorithm cannot run for one of the roots, if that is so.
std::optional<std::string> refusal(const Algorithm& algorithm, const Operation& operation,
                                   const Topology& topology, const std::vector<Rank>& roots, int shift,
                                   bool deterministic, const Hierarchy& hierarchy) {
  for (const Rank root : roots) try {
      choose({.collective = algorithm.collective,
              .parameters = {.nodes = topology.nodes(),
                             .root = root,
                             .extents = mesh_extents(topology),
                             .keep_order = deterministic,
                             .shift = shift,
                             .segments = 0,
                             .hierarchy = hierarchy},
              .deterministic = deterministic,
              .varying = operation.varying,
              .algorithm = algorithm.name},
             topology, typical_costs);
    } catch (const UsageError& error) {
      return error.what();
    }
  return std::nullopt;
}

}  // namespace

Selection select(const Operation& operation, const std::string& text, const Topology& topology,
                 const std::vector<Rank>& roots, int shift, bool deterministic, const Hierarchy& hierarchy) {
  deterministic &= operation.combining;
  if (text == "auto" || (text == "all" && !operation.collective)) return {{""}, {}};
  if (!operation.collective)
    throw UsageError{
        fmt::format("--algorithm {}: {} has no algorithms to choose from", text, operation.name)};
  if (text != "all") {
    const Algorithm& named = algorithm(*operation.collective, text);
    if (const auto reason = refusal(named, operation, topology, roots, shift, deterministic, hierarchy))
      throw UsageError{fmt::format("--algorithm {}: {}", text, *reason)};
    return {{std::string{named.name}}, {}};
  }
  Selection selection;
  for (const Algorithm& candidate : algorithms()) {
    if (candidate.collective != *operation.collective) continue;
    if (auto reason = refusal(candidate, operation, topology, roots, shift, deterministic, hierarchy))
      selection.skipped.push_back(*std::move(reason));
    else
      selection.algorithms.emplace_back(candidate.name);
  }
  return selection;
}

std::shared_ptr<const OwnSchedule> read_own(const std::string& path) try {
  if (std::filesystem::is_directory(path))
    throw SystemError{fmt::format("cannot read '{}': it is a folder", path)};
  std::ifstream file{path, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (!file) throw SystemError{fmt::format("cannot read '{}'", path)};
  std::string name = std::filesystem::path{path}.filename().string();
  std::ranges::replace_if(
      name, [](char letter) { return letter == ',' || letter == '"' || (letter >= 0 && letter < ' '); },
      '_');  // csv
  return std::make_shared<const OwnSchedule>(schedule_from_text(text), std::move(name));
} catch (const UsageError& error) {
  throw UsageError{fmt::format("--schedule {}: {}", path, error.what())};
}

void check_own(const OwnSchedule& own, const Operation& operation, const Options& options,
               const Topology& topology, const std::vector<Rank>& roots) try {
  if (!operation.collective) throw UsageError{fmt::format("{} has no schedules", operation.name)};
  for (const Rank root : roots) {
    const bool in_order = options.deterministic && operation.combining;
    const std::vector<std::string> wrong = faults(own.schedule(), {.collective = *operation.collective,
                                                                   .parameters = {.nodes = topology.nodes(),
                                                                                  .root = root,
                                                                                  .keep_order = in_order,
                                                                                  .shift = options.shift},
                                                                   .deterministic = in_order,
                                                                   .varying = operation.varying});
    if (!wrong.empty())
      throw UsageError{fmt::format("no right {}: {}{}", operation.name, wrong.front(),
                                   wrong.size() > 1 ? fmt::format(" (and {} more)", wrong.size() - 1) : "")};
  }
} catch (const UsageError& error) {
  throw UsageError{fmt::format("--schedule {}: {}", own.name(), error.what())};
}

}  // namespace vnode::bench
