#include "files/profile_file.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <string_view>

#include <vnode/error.hpp>

#include "files/file.hpp"

namespace vnode {
namespace {

namespace fs = std::filesystem;

/// Returns an absolute path in the environment.
std::optional<fs::path> folder(const char* variable) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value != '/') return std::nullopt;
  return fs::path(value);
}

bool is_file(const std::string& text) { return text.find('/') != text.npos || text.ends_with(".json"); }

}  // namespace

bool is_profile_name(std::string_view text) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  return !text.empty() && text.find_first_not_of(letters) == text.npos;
}

fs::path profile_path(const std::string& name) {
  const auto config = folder("XDG_CONFIG_HOME");
  const auto home = config ? config : folder("HOME");
  if (!home)
    throw SystemError("neither XDG_CONFIG_HOME nor HOME says where profiles are kept: name a file instead");
  return (config ? *home : *home / ".config") / "vnode" / (name + ".json");
}

MachineProfile read_profile(const fs::path& file) {
  const std::string text = read_file(file.string());
  try {
    return profile_from_json(text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

void write_profile(const fs::path& file, const MachineProfile& profile) {
  replace_file(file, to_json(profile));
}

ProfileChoice choose_profile(const std::optional<std::string>& asked) {
  if (asked) {
    if (!is_file(*asked) && !is_profile_name(*asked))
      throw UsageError(fmt::format(
          "--profile \"{}\": expected a file, with a / or .json, or a name of letters, digits, _ and - only",
          *asked));
    const fs::path file = is_file(*asked) ? fs::path(*asked) : profile_path(*asked);
    return {read_profile(file), fmt::format("from {}", file.string())};
  }
  if (folder("XDG_CONFIG_HOME") || folder("HOME"))
    if (const fs::path file = profile_path(); fs::exists(file))
      return {read_profile(file), fmt::format("from {}", file.string())};
  return {std::nullopt, "typical, since there is no profile (vnode calibrate makes one)"};
}

NumaDistances known_distances(const Machine& machine, const std::optional<std::string>& asked) {
  NumaDistances known = numa_distances(machine);
  const bool useful = known.source == DistanceSource::hops && machine.numas.size() > 1 && machine.this_system;
  if (!useful && !asked) return known;
  const ProfileChoice kept = choose_profile(asked);
  const bool fits = kept.profile && (asked || kept.profile->machine == typical_profile(machine).machine);
  return fits ? numa_distances(*kept.profile, machine) : known;
}

void add_profile(Command command, std::optional<std::string>& asked) {
  command
      .option("--profile", into(asked),
              "a machine profile that vnode calibrate has written: its file, with a / or .json, or its "
              "name (default: \"profile\", if there is one)")
      .type_name("FILE|NAME");
}

}  // namespace vnode
