#pragma once

#include <optional>
#include <string>

#include <vnode/collective.hpp>
#include <vnode/cost.hpp>
#include <vnode/profile.hpp>

#include "options/command.hpp"

namespace vnode {

/// What messages are to cost, as a command is told. Seconds.
struct CostOptions {
  std::optional<double> t_s, t_w, t_op, t_put;  ///< --ts, --tw, --top, --tput
  std::optional<std::string> profile;           ///< --profile

  /// Whether anything is told at all.
  bool any() const { return t_s || t_w || t_op || t_put || profile; }
};

/// Adds --ts, --tw, --top, in nanoseconds, and --profile.
void add_costs(Command command, CostOptions& options);
/// Adds --tput, for commands that choose algorithms.
void add_put_cost(Command command, CostOptions& options);

/// What messages cost, and from where that is known.
struct CostChoice {
  CostModel costs{};                        ///< of a team of so many nodes
  std::string source{};                     ///< for people: "typical", "t_s as given, the others from FILE"
  std::optional<MachineProfile> profile{};  ///< what pairs of nodes cost, unless t_s or t_w are given
  std::optional<MachineProfile> kept{};     ///< the same, whatever is given: what else it knows
};

/// What is given, and for the rest the profile asked for, which has to be there; or the one that `vnode
/// calibrate` has kept; or typical costs. A profile's costs are those of `nodes` nodes on this machine,
/// mapped compactly. Errors as choose_profile's.
CostChoice chosen_costs(const CostOptions& options, int nodes);

}  // namespace vnode
