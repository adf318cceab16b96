#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <vnode/lab/machine.hpp>
#include <vnode/team.hpp>

#include "options/options.hpp"
#include "questions/register.hpp"

namespace vnode::bench {

/// One operation on one type of elements, with everybody who takes part.
struct Event {
  const Operation* operation = nullptr;
  Setting setting;
  std::vector<std::size_t> sizes;
  std::vector<Rank> roots;
};

/// All that the options ask for.
struct Asked {
  std::vector<Event> events;
  std::vector<std::string> notes;  ///< "skipped NAME: reason"
  std::size_t steps = 0;           ///< sizes times roots, of all events
};

/// Looks at everything before anything is measured; `limits`: those of the machine are measured, too.
/// UsageError for what cannot run on such a team, and if nothing is left.
Asked asked_for(const Options& options, const Team& team, const Machine& machine, bool limits);

}  // namespace vnode::bench
