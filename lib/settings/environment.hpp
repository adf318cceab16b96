#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/team_options.hpp>

#include "base/nearest.hpp"
#include "base/variables.hpp"

namespace vnode {

/// Holds a team's options after the environment variables have been applied: `pin` has a value.
struct Settings {
  TeamOptions options;
  std::vector<std::string> overrides;   ///< "VNODE_WAIT=spin", for the report
  std::string statistics_path{};        ///< file for the team's statistics at its end; empty: none
  std::vector<std::string> not_read{};  ///< variables_not_read(), for the report

  /// Tells whether this variable has overridden an option.
  bool is_set(std::string_view variable) const {
    return std::ranges::any_of(overrides, [&](const std::string& override) {
      return override.starts_with(variable) && override.substr(variable.size()).starts_with('=');
    });
  }
};

/// The value of TeamOptions::share with which no other process is asked.
inline constexpr std::string_view share_in_process = "process";

/// Describes a variable that every team reads.
struct EnvironmentVariable {
  const char* name;
  std::string values;        ///< which values it may have
  std::string_view meaning;  ///< what it sets
};
/// Returns "a|b|c", the names of these values.
template <class Value>
std::string names_of_all(std::span<const Value> values) {
  std::string names;
  for (const Value value : values) names.append(names.empty() ? "" : "|").append(enums::name(value));
  return names;
}
/// Returns the variables that every team reads, ascending by name. A switch may also be 1, 0, yes, no, true
/// or false.
inline std::span<const EnvironmentVariable> environment_variables() {
  static const EnvironmentVariable all[] = {
      {"VNODE_ALGORITHM", "COLLECTIVE=ALGORITHM[(HIERARCHY)][:MIN-MAX];...",
       "algorithms by name instead of the choice, for a range of sizes if wanted: reduce=direct:64K-max"},
      {"VNODE_ARENAS", names_of_all(domain_levels()) + "|off",
       "of which part of the machine a node's helping threads are"},
      {"VNODE_BANKS", names_of_all(all_banks()), "on which NUMA node's memory the buffers of a port lie"},
      {"VNODE_CHANNEL", "line|boost", "which queue carries the lines of a link"},
      {"VNODE_CHECKED", "on|off", "whether calls are compared among the nodes before they begin"},
      {"VNODE_DEADLOCKS", "on|off", "whether a deadlock that is certain ends the run with an error"},
      {"VNODE_MAPPING", "NAME|LIST",
       "which PUs the nodes get: a policy of `vnode map`, or the systems' numbers as 0,2,8-11; not of a team "
       "with TeamOptions::pus"},
      {"VNODE_NODES", names_of_all(all_nodes()),
       "what the nodes of one PU run as; not of a team with TeamOptions::nodes"},
      {"VNODE_PIN", "on|off", "whether nodes are pinned to PUs"},
      {"VNODE_PROFILE", "NAME|FILE|none",
       "the machine's profile, whose times, measured by `vnode tune`, choose algorithms"},
      {"VNODE_SHARE", "process|host|/FOLDER",
       "whether teams share out the PUs with other processes: those on the host of this user, or all that "
       "name "
       "the folder"},
      {"VNODE_SPIN", "100us|1ms|2s|MILLISECONDS|forever",
       "how long a node looks for what it waits for before it parks; 0 parks at once"},
      {"VNODE_STATS", "FILE|-",
       "count the calls, and write their statistics at the team's end or the process's: behind what is in "
       "the "
       "file, as a line of JSON, or as text into FILE.txt; %p in its name is the process; - is standard "
       "error"},
      {"VNODE_TIME_LIMIT", "500ms|2s|5min|MILLISECONDS",
       "how long a node waits for another before the run ends with an error; 0 for ever"},
      {"VNODE_WAIT", names_of_all(waits()), "how a node waits"}};
  return all;
}

/// Describes a variable that is set and has a name like one of vnode's, but that nobody reads.
struct NotRead {
  std::string name, value;
  std::string_view nearest;  ///< the variable that may have been meant

  std::string why() const { return "no team reads it; the nearest that is read is " + std::string(nearest); }
};

/// The variables that others than teams read: vnode's module for Python, and CMake's find_package.
inline constexpr std::string_view read_by_others[] = {"VNODE_LIBRARY", "VNODE_PROGRAM", "VNODE_ROOT"};

/// Returns all variables that are set and not read, ascending by name.
inline std::vector<NotRead> variables_not_read() {
  std::vector<std::string_view> known;
  for (const EnvironmentVariable& variable : environment_variables()) known.push_back(variable.name);
  std::vector<NotRead> list;
  for (const std::string_view entry : variables_set()) {
    const std::string_view name = entry.substr(0, entry.find('='));
    if (!name.starts_with("VNODE_") || std::ranges::find(known, name) != known.end() ||
        std::ranges::find(read_by_others, name) != std::end(read_by_others))
      continue;
    const std::size_t value = std::min(name.size() + 1, entry.size());
    list.push_back({std::string(name), std::string(entry.substr(value)), nearest_names(name, known).front()});
  }
  std::ranges::sort(list, {}, &NotRead::name);
  return list;
}

/// Returns the options with environment_variables() applied. Throws UsageError that names the variable and
/// the values that it may have. Whether a mapping can be had and an algorithm can run
/// (settings/overrides.hpp) is found out where they are used.
Settings settings_from_environment(const TeamOptions& options);

}  // namespace vnode
