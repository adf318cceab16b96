#pragma once

#include <memory>
#include <string>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/own_schedule.hpp>
#include <vnode/topology.hpp>

#include "options/options.hpp"
#include "questions/register.hpp"

namespace vnode::bench {

/// Holds vnode's contestants for one operation.
struct Selection {
  std::vector<std::string> algorithms;  ///< full names; "": the library chooses
  std::vector<std::string> skipped;     ///< "NAME: reason"
};

/// Returns what --algorithm `text` means for an operation: auto, all, or a name, short or full. Throws
/// UsageError, which says why, for a name that this operation does not have, or that cannot run for one of
/// the roots.
Selection select(const Operation& operation, const std::string& text, const Topology& topology,
                 const std::vector<Rank>& roots, int shift = 1, bool deterministic = false,
                 const Hierarchy& hierarchy = {});

/// Reads a schedule from a file in the text form, and names it after the file. Throws UsageError, which says
/// where the text is wrong.
std::shared_ptr<const OwnSchedule> read_own(const std::string& path);

/// Throws UsageError unless the schedule can carry out the operation as the options ask for it, for each
/// root.
void check_own(const OwnSchedule& own, const Operation& operation, const Options& options,
               const Topology& topology, const std::vector<Rank>& roots);

}  // namespace vnode::bench
