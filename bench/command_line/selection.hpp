#pragma once

#include <string>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/topology.hpp>

#include "questions/register.hpp"

namespace vnode::bench {

/// Our contestants for one operation.
struct Selection {
  std::vector<std::string> algorithms;  ///< full names; "": the library chooses
  std::vector<std::string> skipped;     ///< "NAME: reason"
};

/// What --algorithm `text` means for an operation: auto, all, or a name, short or full. A name that this
/// operation does not have, or that cannot run for one of the roots, is a UsageError that says why.
Selection select(const Operation& operation, const std::string& text, const Topology& topology,
                 const std::vector<Rank>& roots, int shift = 1, bool deterministic = false,
                 const Hierarchy& hierarchy = {});

}  // namespace vnode::bench
