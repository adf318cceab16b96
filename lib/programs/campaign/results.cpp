#include "campaign/results.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vnode/model/numa_distances.hpp>

namespace vnode {
namespace {

/// Returns whatever placement goes by, as a text. How large memories are is left out: kernels keep more or
/// less to themselves.
std::string parts_of(const Machine& machine) {
  std::string text = machine.model;
  for (const Pu& pu : machine.pus)
    text += fmt::format(";pu {} {} {} {} {}", pu.os_index, pu.core, pu.numa, pu.package, pu.allowed);
  for (const NumaNode& numa : machine.numas)
    text += fmt::format(";numa {} {} {} {} {}", numa.os_index, numa.bytes > 0, numa.allowed, numa.kind,
                        fmt::join(numa.pus, ","));
  for (const Cache& cache : machine.caches)
    text += fmt::format(";cache {} {} {}", cache.level, cache.bytes, fmt::join(cache.pus, ","));
  for (const auto& row : machine.distances) text += fmt::format(";from {}", fmt::join(row, ","));
  return text;
}

std::string variables(const std::vector<std::string>& environment) {
  return environment.empty() ? "no VNODE_ variable" : fmt::format("{}", fmt::join(environment, " "));
}

}  // namespace

std::string digest(std::string_view text) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const char letter : text) value = (value ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return fmt::format("{:016x}", value);
}

MachineRecord record_of(const Machine& machine) {
  const int banks = static_cast<int>(banks_of(machine).size());
  return {.source = machine.source,
          .model = machine.model,
          .digest = vnode::digest(parts_of(machine)),
          .banks = banks,
          .cores = static_cast<int>(machine.cores.size()),
          .pus = static_cast<int>(machine.pus.size()),
          .measured = machine.this_system};
}

double bandwidth(const Experiment& experiment, double seconds) {
  const auto m = static_cast<double>(experiment.bytes);
  switch (experiment.collective) {
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::scatter:
    case Collective::gather:
    case Collective::all_to_all:
      return m * experiment.nodes / seconds;
    default:
      return m / seconds;
  }
}

std::string why_not_resumed(const Results& old, const Results& fresh) {
  if (old.version != fresh.version)
    return fmt::format("its results are of vnode {}, this is {}", old.version, fresh.version);
  if (old.campaign != fresh.campaign)
    return fmt::format("its results are of another campaign, \"{}\", or of this one before it was changed",
                       old.campaign.name);
  if (old.machine != fresh.machine)
    return fmt::format("its results are of another machine, {} {} of digest {}, this one has {}",
                       old.machine.source, old.machine.model, old.machine.digest, fresh.machine.digest);
  if (old.environment != fresh.environment)
    return fmt::format("it was measured with {} in the environment, now there is {}",
                       variables(old.environment), variables(fresh.environment));
  if (old.costs != fresh.costs)
    return fmt::format("its predictions start from other costs, {} (digest {}, now {})", old.costs.source,
                       old.costs.digest, fresh.costs.digest);
  return "";
}

}  // namespace vnode
