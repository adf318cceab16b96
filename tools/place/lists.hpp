#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/campaign.hpp"
#include "options/costs.hpp"
#include "options/memory.hpp"
#include "options/place.hpp"

namespace vnode {

/// A campaign of one set of lists, as a command is asked for it.
struct Lists {
  std::string collective, algorithms = "auto", banks = "owner", bytes = "64K,1M";
  std::vector<std::string> mappings;
  PlaceOptions place;  ///< --nodes, --topology
  std::optional<Rank> root;
  CostOptions costs;
  MemoryOptions memory;  ///< --machine and the bandwidths
  std::optional<int> repeats, seed;

  /// The first option that was given, empty if none was: none has a meaning beside a campaign's file.
  std::string given() const;
};

/// Adds the options.
void add_lists(Command command, Lists& lists);
/// What they ask for. UsageError for what cannot be.
Campaign campaign_of(const Lists& lists);

}  // namespace vnode
