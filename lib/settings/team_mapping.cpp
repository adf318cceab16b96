#include "settings/team_mapping.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/mapping_policy.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "base/enum_names.hpp"
#include "channel/board.hpp"

namespace vnode {
namespace {

/// Returns the number of banks that a node has memory on.
std::size_t banks_of_a_node(const Machine& machine, int nodes, std::optional<Banks> banks) {
  switch (banks.value_or(Banks::owner)) {
    case Banks::owner:
      return 1;
    case Banks::one:
    case Banks::interleave:
      return 2;  // and its own
    default:
      return std::clamp<std::size_t>(banks_of(machine).size(), 1, static_cast<std::size_t>(nodes));
  }
}

void check_memory(int nodes, const Machine& machine, std::optional<Banks> banks) {
  std::uint64_t available = 0;
  for (const NumaNode& numa : machine.numas) available += numa.bytes;
  const auto p = static_cast<double>(nodes);
  const auto slabs = static_cast<double>(banks_of_a_node(machine, nodes, banks));
  // Channel table; per node: cells, shared and slabs, the touched part of a stack.
  const double needed =
      p * p * sizeof(void*) * 3 + p * (2 * p * cache_line + slabs * (64 << 10) + (32 << 10));
  if (available != 0 && needed > static_cast<double>(available))
    throw SystemError(
        fmt::format("a team of {} needs {:.0f} MiB of memory, this machine has {} MiB: take fewer nodes",
                    counted(nodes, "node"), needed / (1 << 20), available >> 20));
}

constexpr std::string_view usual_mapping = "compact";

bool fits_domains(const Machine& machine, int nodes, DomainLevel level) {
  return nodes >= 1 && static_cast<std::size_t>(nodes) <= allowed_domains(machine, level).size();
}

}  // namespace

int checked_size(int nodes) {
  constexpr int most = 1 << 15;  // pairs of nodes have a place each in tables
  if (nodes > most) throw UsageError(fmt::format("a team has at most {} nodes, not {}", most, nodes));
  return nodes;
}

Mapping mapping_for(const Machine& machine, const Topology& topology, const TeamOptions& options) {
  const int nodes = topology.nodes();
  check_memory(nodes, machine, options.banks);
  const std::vector<int>& pus = options.pus;
  if (pus.empty() && options.mapping.empty() && options.arenas)
    return fits_domains(machine, nodes, *options.arenas)
               ? one_per_domain_mapping(machine, nodes, *options.arenas)
               : scatter_mapping(machine, nodes);
  if (pus.empty())
    return mapping_by(machine, topology, options.mapping.empty() ? usual_mapping : options.mapping);
  if (!options.mapping.empty())
    throw UsageError(
        fmt::format("TeamOptions::pus and the mapping \"{}\" both say where nodes run: give one of them",
                    options.mapping));
  if (pus.size() != static_cast<std::size_t>(nodes))
    throw UsageError(fmt::format(
        "TeamOptions::pus names {}: {} would be right, one for each node, or none for the compact "
        "mapping",
        counted(pus.size(), "PU"), nodes));
  return given_mapping(machine, pus);
}

bool may_move(const TeamOptions& options) {
  const std::string& mapping = options.mapping;
  return options.pus.empty() &&
         (mapping.empty() ||
          std::ranges::find(mapping_policies(), mapping, &MappingPolicy::name) != mapping_policies().end());
}

std::string mapping_text(const Machine& machine, int nodes, const TeamOptions& options) {
  if (!options.pus.empty()) return "given";
  if (!options.mapping.empty()) return options.mapping;
  if (!options.arenas) return std::string(usual_mapping);
  return fits_domains(machine, nodes, *options.arenas)
             ? fmt::format("one_per_{}", enums::name(*options.arenas))
             : "scatter";
}

NodePins::NodePins(std::vector<int> pus, bool pinning, bool keeps)
    : pus_(std::move(pus)), pinning_(pinning), keeps_(keeps), failures_(pus_.size()), got_(pus_.size(), -1) {}

std::unique_ptr<PinnedThread> NodePins::pin(Rank rank) {
  if (!pinning_) return nullptr;
  const auto at = static_cast<std::size_t>(rank);
  try {
    auto pinned = std::make_unique<PinnedThread>(pus_[at]);
    if (got_[at] < 0) got_[at] = current_pu();
    return pinned;
  } catch (const SystemError& error) {
    failures_[at] = error.what();
    return nullptr;
  }
}

std::unique_ptr<PinnedThread> NodePins::pin_caller() {
  if (!keeps_) return pin(0);
  // The id of a thread that has ended may be another's.
  if (kept_ != nullptr ? kept_->here() : caller_ == std::this_thread::get_id()) return nullptr;
  kept_.reset();
  kept_ = pin(0);
  caller_ = std::this_thread::get_id();
  return nullptr;
}

std::unique_ptr<PinnedThread> NodePins::pin_joined(Rank rank) {
  auto pinned = pin(rank);
  try {
    at(got_, rank) = current_pu();
  } catch (const SystemError&) {
    at(got_, rank) = -1;
  }
  return pinned;
}

std::string NodePins::failure() const {
  const auto failed = std::ranges::find_if(failures_, [](const std::string& why) { return !why.empty(); });
  return failed != failures_.end() ? *failed : std::string();
}

bool within_quota(const Machine& machine, int nodes) {
  return !machine.cpu_quota || nodes <= *machine.cpu_quota;
}

namespace {

/// The policy of nodes that have a core each: a node spins while its peers run, too. When they do not, a
/// thread of somebody else has one of their cores, and may as well run here. A node that has waited 10 ms
/// loses no more than 0.5 % by being woken.
constexpr WaitPolicy with_own_core{std::chrono::microseconds(100), std::chrono::milliseconds(10)};
/// Returns the policy of nodes that share cores. While a node yields, all others of its core have several
/// turns. A turn takes a microsecond, but some ten or twenty where the nodes park, and a node that yields
/// must not take that for a time slice and park, too.
WaitPolicy on_shared_cores(int nodes_per_core) {
  return {std::chrono::nanoseconds(0),
          std::max<std::chrono::nanoseconds>(std::chrono::milliseconds(1),
                                             nodes_per_core * std::chrono::microseconds(100)),
          WaitPolicy::least_slice + (static_cast<Ticks>(nodes_per_core) << 17)};
}

/// Returns the policy of nodes under a CPU quota. A node whose peer runs gets what it waits for soon; else it
/// leaves its time to the others.
WaitPolicy on_quota(int nodes_per_core) {
  WaitPolicy policy = on_shared_cores(nodes_per_core);
  policy.yield_until = nodes_per_core * std::chrono::microseconds(10);
  return policy;
}

constexpr EnumNames<Nodes, 2> nodes_names{{"threads", "fibers"}};
constexpr EnumNames<Wait, 4> wait_names{{"auto", "spin", "yield", "park"}};

WaitPolicy usual_policy(Wait wait, bool own_core, int nodes_per_core, bool within_quota) {
  constexpr std::chrono::nanoseconds never{0};
  switch (wait) {
    case Wait::spin:
      return {};
    case Wait::yield:
      return {never, WaitPolicy::forever};
    case Wait::park:
      return {never, never};
    case Wait::automatic:
      break;
  }
  if (!within_quota) return on_quota(nodes_per_core);
  return own_core ? with_own_core : on_shared_cores(nodes_per_core);
}

}  // namespace

std::string_view enums::name(Wait wait) { return wait_names[wait]; }

std::span<const Wait> waits() { return wait_names.values; }

std::string_view enums::name(Nodes nodes) { return nodes_names[nodes]; }

std::span<const Nodes> all_nodes() { return nodes_names.values; }

WaitPolicy policy_of(const TeamOptions& options, bool own_core, int nodes_per_core, bool within_quota) {
  WaitPolicy policy = usual_policy(options.wait, own_core, nodes_per_core, within_quota);
  if (options.spin) {
    policy.spin_until = std::min(policy.spin_until, *options.spin);
    policy.yield_until = *options.spin;
  }
  // A fence waits until the message before it has left the processor: where few nodes share a core, who
  // yields for a millisecond first sleeps rarely enough for the kernel to fence for both sides.
  constexpr int many = 8;
  const bool many_sleep = nodes_per_core >= many || policy.yield_until < std::chrono::milliseconds(1);
  policy.fencing = many_sleep ? Fencing::both_sides : Fencing::rare_side;
  return policy;
}

std::string describe(WaitPolicy policy) {
  const auto us = [](std::chrono::nanoseconds time) {
    return std::chrono::duration_cast<std::chrono::microseconds>(time).count();
  };
  std::vector<std::string> steps;
  if (policy.spins())
    steps.push_back(policy.spin_until < WaitPolicy::forever
                        ? fmt::format("spin for {} us", us(policy.spin_until))
                        : "spin");
  if (policy.yields())
    steps.push_back(policy.parks()
                        ? fmt::format("yield for {} us", us(policy.yield_until - policy.spin_until))
                        : "yield");
  if (policy.parks()) steps.push_back("park");
  return fmt::format("{}{}", fmt::join(steps, ", then "),
                     policy.yields() && policy.parks() ? " (at once beside busy threads of others)" : "");
}

}  // namespace vnode
