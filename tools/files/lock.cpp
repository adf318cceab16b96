#include "files/lock.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace vnode {
namespace {

[[noreturn]] void refuse(const std::string& name) {
  throw std::system_error(errno, std::generic_category(), name);
}

/// Whether the file has this name still: who had it before may have removed or renamed it.
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

// The name goes before the lock does.
LockFile::~LockFile() {
  if (!name_.empty()) unlink(name_.c_str());
  if (descriptor_ >= 0) close(descriptor_);
}

void LockFile::rename_to(const std::filesystem::path& file) {
  if (std::rename(name_.c_str(), file.c_str()) != 0) refuse(file.string());
  name_.clear();
}

}  // namespace vnode
