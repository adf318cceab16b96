#include "files/profile_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <string_view>
#include <system_error>
#include <unistd.h>

#include <vnode/error.hpp>

#include "files/file.hpp"

namespace vnode {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, int error) {
  throw std::system_error(error, std::generic_category(), file.string());
}

/// A new file beside another, gone with the object unless it has replaced the other.
class Replacement {
 public:
  explicit Replacement(const fs::path& file)
      : file_(file),
        name_(fmt::format("{}.{}.new", file.string(), getpid())),
        descriptor_(open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0) refuse(name_, errno);
  }
  ~Replacement() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!replaced_) unlink(name_.c_str());
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno != EINTR) refuse(name_, errno);
      if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void replace() {
    if (fsync(descriptor_) != 0) refuse(name_, errno);
    if (std::rename(name_.c_str(), file_.c_str()) != 0) refuse(file_, errno);
    replaced_ = true;
  }

 private:
  const fs::path file_;
  const std::string name_;
  const int descriptor_;
  bool replaced_ = false;
};

/// UsageError if a profile cannot replace what is there; makes the folders that are missing.
void prepare(const fs::path& file) {
  if (fs::exists(file) && !fs::is_regular_file(file))
    throw UsageError(fmt::format("{} is no regular file: a profile cannot replace it", file.string()));
  if (file.has_parent_path()) fs::create_directories(file.parent_path());
}

/// Where a link leads.
fs::path replaced(const fs::path& file) { return fs::exists(file) ? fs::canonical(file) : file; }

/// An absolute path in the environment.
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
  constexpr std::size_t most = 64 << 20;
  const std::string text = read_file(file.string(), most);
  try {
    return profile_from_json(text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

void check_writable(const fs::path& file) {
  prepare(file);
  Replacement(replaced(file));
}

void write_profile(const fs::path& file, const MachineProfile& profile) {
  prepare(file);
  Replacement replacement(replaced(file));
  replacement.write(to_json(profile));
  replacement.replace();
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

void add_profile(Command command, std::optional<std::string>& asked) {
  command
      .option("--profile", asked,
              "a machine profile that vnode calibrate has written: its file, with a / or .json, or its "
              "name (default: \"profile\", if there is one)")
      .type_name("FILE|NAME");
}

}  // namespace vnode
