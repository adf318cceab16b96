#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <system_error>

#include <vnode/error.hpp>
#include <vnode/model/profile.hpp>

#include "base/read_file.hpp"

namespace vnode {
namespace {

/// Returns an absolute path in the environment.
std::optional<std::string> folder(const char* variable) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value != '/') return std::nullopt;
  return value;
}

/// Returns the folder of profiles, or nothing if the environment does not say where it is.
std::optional<std::string> profile_folder() {
  if (const auto config = folder("XDG_CONFIG_HOME")) return *config + "/vnode/";
  if (const auto home = folder("HOME")) return *home + "/.config/vnode/";
  return std::nullopt;
}

bool is_file(std::string_view text) {
  return text.find('/') != std::string_view::npos || text.ends_with(".json");
}

}  // namespace

bool is_profile_name(std::string_view text) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

std::string profile_path(std::string_view name) {
  const auto profiles = profile_folder();
  if (!profiles)
    throw SystemError("neither XDG_CONFIG_HOME nor HOME says where profiles are kept: name a file instead");
  return fmt::format("{}{}.json", *profiles, name);
}

MachineProfile read_profile(const std::string& file) try {
  const std::string text = read_file(file);
  try {
    return profile_from_json(text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", file, error.what()));
  }
} catch (const std::system_error& error) {
  throw SystemError(error.what());
}

ProfileChoice choose_profile(const std::optional<std::string>& asked, const Machine& machine) {
  const char* const variable = std::getenv("VNODE_PROFILE");
  if (const std::string name = asked ? *asked : variable != nullptr ? variable : ""; asked || !name.empty()) {
    if (name == "none") return {std::nullopt, "typical, as asked for"};
    if (!is_file(name) && !is_profile_name(name))
      throw UsageError(
          fmt::format("profile \"{}\": expected a file, with a / or .json, a name of letters, digits, _ and "
                      "- only, or none",
                      name));
    const std::string file = is_file(name) ? name : profile_path(name);
    return {read_profile(file), fmt::format("from {}", file)};
  }
  constexpr std::string_view none = "typical, since there is no profile (vnode calibrate makes one)";
  if (!profile_folder()) return {std::nullopt, std::string(none)};
  const std::string file = profile_path();
  if (!std::ifstream(file)) return {std::nullopt, std::string(none)};
  MachineProfile kept = read_profile(file);
  if (kept.machine != profile_machine(machine))
    return {std::nullopt, fmt::format("typical, since {} is about another machine, {}", file, kept.machine)};
  return {std::move(kept), fmt::format("from {}", file)};
}

}  // namespace vnode
