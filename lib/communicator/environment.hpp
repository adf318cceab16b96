#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <vnode/team.hpp>

namespace vnode {

/// A team's options after the environment has had its say.
struct Settings {
  TeamOptions options;
  std::vector<std::string> overrides;  ///< "VNODE_WAIT=spin", for the report
};

/// Applies VNODE_WAIT (auto, spin, yield, park), VNODE_CHANNEL (line, boost), VNODE_PIN (on, off, or 1, 0,
/// yes, no, true, false), VNODE_MAPPING (as TeamOptions::mapping; not of a team with TeamOptions::pus),
/// VNODE_CHECKED (as VNODE_PIN), VNODE_TIME_LIMIT (100ms, 2s, or a number of milliseconds, 0 for none),
/// VNODE_BANKS (owner, peer, spread, interleave, one), VNODE_ARENAS (l3, numa, package, off) and
/// VNODE_ALGORITHM (communicator/overrides.hpp). Throws UsageError that names the variable and what it may
/// be; whether a mapping can be had and an algorithm can run is found out where they are used.
Settings settings_from_environment(const TeamOptions& options);

/// All that it reads, ascending.
inline constexpr std::string_view environment_variables[] = {
    "VNODE_ALGORITHM", "VNODE_ARENAS", "VNODE_BANKS",      "VNODE_CHANNEL", "VNODE_CHECKED",
    "VNODE_MAPPING",   "VNODE_PIN",    "VNODE_TIME_LIMIT", "VNODE_WAIT"};

}  // namespace vnode
