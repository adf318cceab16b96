#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <vnode/hierarchy.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/team.hpp>
#include <vnode/topology.hpp>

#include "options/options.hpp"
#include "questions/register.hpp"

namespace vnode::bench {

/// Describes one operation on one type of elements, with everything that takes part in its measurement.
struct Event {
  const Operation* operation = nullptr;
  Setting setting;
  std::vector<std::size_t> sizes;
  std::vector<Rank> roots;
};

/// Holds all that the options ask for.
struct Asked {
  std::vector<Event> events;
  std::vector<std::string> notes;  ///< "skipped NAME: reason"
  std::size_t steps = 0;           ///< sizes times roots, of all events
};

/// Returns the hierarchy that is asked for, or that of this machine and the carriers. Runs the team.
Hierarchy hierarchy_for(const Options& options, const Machine& machine, Team& team);

/// Describes where all that is asked for runs.
struct Place {
  const Topology& topology;
  Hierarchy hierarchy;  ///< of hierarchical algorithms; empty: the library's default
  bool limits;          ///< the machine's limits are measured, too
  const Team* ports{};  ///< as Setting has it
};

/// Checks everything before anything is measured, and returns what can run. Throws UsageError for what cannot
/// run there, and if nothing is left.
Asked asked_for(const Options& options, const Place& place);

}  // namespace vnode::bench
