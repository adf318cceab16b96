#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <vnode/model/profile.hpp>

#include "command_line/command.hpp"

namespace vnode {

/// Tells whether a profile can have this name: it consists of letters, digits, _ and -.
bool is_profile_name(std::string_view text);
/// Returns $XDG_CONFIG_HOME/vnode/NAME.json, by default in ~/.config. Throws SystemError if neither variable
/// says where.
std::filesystem::path profile_path(const std::string& name = "profile");

/// Reads the profile in a file. Throws std::system_error if it cannot be read, and UsageError, which names
/// the file, if it is no profile.
MachineProfile read_profile(const std::filesystem::path& file);
/// Puts the profile into a file, as replace_file() does.
void write_profile(const std::filesystem::path& file, const MachineProfile& profile);

/// Holds a profile, or none, and where it is from.
struct ProfileChoice {
  std::optional<MachineProfile> profile;  ///< none: typical costs
  std::string source;                     ///< for people: "from /home/a/.config/vnode/profile.json"
};
/// Returns the profile that is asked for, which has to be there: a file, if the text has a / or ends in
/// .json, or the NAME of one that `vnode calibrate --name NAME` has written. Where none is asked for, returns
/// that of the default file, if there is one, else none. Throws what read_profile throws, and UsageError for
/// what can be no name.
ProfileChoice choose_profile(const std::optional<std::string>& asked);
/// Returns the distances between the machine's NUMA nodes. Where the system reports nothing, they are what a
/// profile has measured: the one asked for, or else one that is kept and about this machine. Throws what
/// choose_profile throws.
NumaDistances known_distances(const Machine& machine, const std::optional<std::string>& asked);
/// Adds --profile to a command, for choose_profile.
void add_profile(Command command, std::optional<std::string>& asked);

}  // namespace vnode
