#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace vnode {

/// A file beside others that one process at a time has open: a lock of the system's (flock), so that it ends
/// with the process, however that ends, and what is left of the file is the next one's.
class LockFile {
 public:
  /// Opens the file, or makes it, and waits while another process or object has it. std::system_error.
  static LockFile wait(const std::filesystem::path& file) { return *opened(file, true); }
  /// The same, but nothing if another has it.
  static std::optional<LockFile> attempt(const std::filesystem::path& file) { return opened(file, false); }

  LockFile(LockFile&& from) noexcept;
  /// Removes the file, unless it has another name by now.
  ~LockFile();
  LockFile& operator=(LockFile&&) = delete;

  int descriptor() const { return descriptor_; }
  /// Gives the file another name, at once, in the place of what has that. std::system_error.
  void rename_to(const std::filesystem::path& file);

 private:
  LockFile(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}
  static std::optional<LockFile> opened(const std::filesystem::path& file, bool wait);

  std::string name_;  // empty: it has another, or is another object's
  int descriptor_;    // -1: another object's
};

}  // namespace vnode
