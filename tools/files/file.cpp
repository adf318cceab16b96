#include "files/file.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <vnode/error.hpp>

namespace vnode {
namespace {

[[noreturn]] void refuse(const std::string& name) {
  throw std::system_error(errno, std::generic_category(), name);
}

/// Tells whether the file still has this name: the process that had it before may have removed or renamed it.
bool is_named(int descriptor, const std::string& name) {
  using Status = struct stat;
  Status opened{}, named{};
  return fstat(descriptor, &opened) == 0 && stat(name.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

bool locked(int descriptor, bool wait) {
  int result = -1;
  do result = flock(descriptor, LOCK_EX | (wait ? 0 : LOCK_NB));
  while (result != 0 && errno == EINTR);
  return result == 0;
}

namespace fs = std::filesystem;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// Returns the permissions of the file that is there, or nothing.
std::optional<mode_t> mode_of(const fs::path& file) {
  constexpr mode_t permissions = 07777;
  using Status = struct stat;
  Status found{};
  if (stat(file.c_str(), &found) != 0) return std::nullopt;
  return found.st_mode & permissions;
}

void write(const LockFile& file, std::string_view text, const std::string& name) {
  while (!text.empty()) {
    const ssize_t written = ::write(file.descriptor(), text.data(), text.size());
    if (written < 0 && errno != EINTR) refuse(name);
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Writes the folder, so that names in it outlast the machine's stop; a folder that may not be read is left
/// to the system.
void keep_names(const fs::path& folder) {
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  const bool kept = fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS;  // some systems need not
  const int error = errno;
  close(descriptor);
  errno = error;
  if (!kept) refuse(folder.string());
}

/// Returns the file that is to take a file's place. What an interrupted process has left under its name is
/// used again.
LockFile successor(const fs::path& file) { return LockFile::wait(file.string() + ".new"); }

/// Throws UsageError if what is there cannot be replaced; makes the folders that are missing.
void prepare(const fs::path& file) {
  if (fs::exists(file) && !fs::is_regular_file(file))
    throw UsageError(fmt::format("{} is no regular file: it cannot be replaced", file.string()));
  if (file.has_parent_path()) fs::create_directories(file.parent_path());
}

/// Returns the file that a symbolic link leads to, or the file itself.
fs::path replaced(const fs::path& file) { return fs::exists(file) ? fs::canonical(file) : file; }

}  // namespace

std::optional<LockFile> LockFile::opened(const std::filesystem::path& file, bool wait) {
  constexpr mode_t usual = 0666;  // less the umask
  const std::string name = file.string();
  while (true) {
    const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, usual);
    if (descriptor < 0) refuse(name);
    LockFile lock("", descriptor);
    if (!locked(descriptor, wait)) {
      if (errno == EWOULDBLOCK) return std::nullopt;
      refuse(name);
    }
    if (!is_named(descriptor, name)) continue;
    lock.name_ = name;
    return lock;
  }
}

LockFile::LockFile(LockFile&& from) noexcept
    : name_(std::exchange(from.name_, {})), descriptor_(std::exchange(from.descriptor_, -1)) {}

// The name is removed before the lock is released.
LockFile::~LockFile() {
  if (!name_.empty()) unlink(name_.c_str());
  if (descriptor_ >= 0) close(descriptor_);
}

void LockFile::rename_to(const std::filesystem::path& file) {
  if (std::rename(name_.c_str(), file.c_str()) != 0) refuse(file.string());
  name_.clear();
}

void write_output(std::string_view text, const std::optional<std::string>& path) {
  if (!path) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse("standard output");
    return;
  }
  File file(std::fopen(path->c_str(), "wb"), std::fclose);
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) refuse(*path);
  if (std::fclose(file.release()) != 0) refuse(*path);
}

void check_output(const std::optional<std::string>& path) {
  if (!path) return;
  const fs::path file(*path);
  if (fs::is_directory(file)) throw std::system_error(EISDIR, std::generic_category(), *path);
  if (fs::exists(file)) {
    if (access(file.c_str(), W_OK) != 0) refuse(*path);
    return;
  }
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (access(folder.c_str(), W_OK | X_OK) != 0) refuse(*path);
}

void check_replaceable(const fs::path& file) {
  prepare(file);
  successor(replaced(file));
}

void replace_file(const fs::path& file, std::string_view text) {
  prepare(file);
  const fs::path old = replaced(file);
  LockFile fresh = successor(old);
  if (ftruncate(fresh.descriptor(), 0) != 0) refuse(file.string());
  if (const auto mode = mode_of(old); mode && fchmod(fresh.descriptor(), *mode) != 0) refuse(file.string());
  write(fresh, text, file.string());
  if (fsync(fresh.descriptor()) != 0) refuse(file.string());
  fresh.rename_to(old);
  keep_names(old.parent_path());
}

LockFile only_writer(const fs::path& file) {
  prepare(file);
  if (auto lock = LockFile::attempt(replaced(file).string() + ".lock")) return *std::move(lock);
  throw SystemError(fmt::format("another process is writing {}: wait until it is done, or name another file",
                                file.string()));
}

}  // namespace vnode
