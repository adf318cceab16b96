#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.hpp"
#include "base/variables.hpp"
#include "settings/environment.hpp"

namespace vnode {

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

}  // namespace vnode
