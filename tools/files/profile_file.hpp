#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <vnode/lab/profile.hpp>

#include "command_line/command.hpp"

namespace vnode {

/// Whether a profile can be called so: letters, digits, _ and -.
bool is_profile_name(std::string_view text);
/// $XDG_CONFIG_HOME/vnode/NAME.json, by default in ~/.config. SystemError if neither variable says where.
std::filesystem::path profile_path(const std::string& name = "profile");

/// The profile of a file. std::system_error if it cannot be read, UsageError, which names it, if it is none.
MachineProfile read_profile(const std::filesystem::path& file);
/// Puts the profile into a file, as replace_file() does.
void write_profile(const std::filesystem::path& file, const MachineProfile& profile);

/// A profile, or none, and where from.
struct ProfileChoice {
  std::optional<MachineProfile> profile;  ///< none: typical costs
  std::string source;                     ///< for people: "from /home/a/.config/vnode/profile.json"
};
/// The profile asked for, which has to be there: a file, if the text has a / or ends in .json, or the
/// NAME of one that `vnode calibrate --name NAME` has written. Where none is asked for: the default file's,
/// if there is one, else none. Errors as read_profile's, and UsageError for what can be no name.
ProfileChoice choose_profile(const std::optional<std::string>& asked);
/// Distances between the machine's NUMA nodes, with what a profile has measured where the system reports
/// nothing: the one asked for, or else one that is kept and about this machine. Errors as choose_profile's.
NumaDistances known_distances(const Machine& machine, const std::optional<std::string>& asked);
/// Adds --profile to a command, for choose_profile.
void add_profile(Command command, std::optional<std::string>& asked);

}  // namespace vnode
