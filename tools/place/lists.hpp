#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/campaign.hpp"
#include "options/costs.hpp"
#include "options/memory.hpp"
#include "options/place.hpp"

namespace vnode {

/// Describes a campaign of one set of lists, as a command is asked for it.
struct Lists {
  std::string collective, algorithms = "auto", banks = "owner", bytes = "64K,1M";
  std::vector<std::string> mappings;
  PlaceOptions place;  ///< --nodes, --topology
  std::optional<Rank> root;
  CostOptions costs;
  MemoryOptions memory;  ///< --machine and the bandwidths
  std::optional<int> repeats, seed;

  /// Returns the first option that was given, or "" if none was: none has a meaning beside a campaign's file.
  std::string given() const;
};

/// Adds the options.
void add_lists(Command command, Lists& lists);
/// Returns the campaign that the lists ask for. Throws UsageError for what cannot be.
Campaign campaign_of(const Lists& lists);

}  // namespace vnode
