#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/read_file.hpp"

namespace vnode {

/// Holds a file beside others that one process at a time has open. It is locked by the system (flock), so
/// that the lock ends with the process, however that ends, and what is left of the file is the next one's.
class LockFile {
 public:
  /// Opens the file, or makes it, and waits while another process or object has it. Throws std::system_error.
  static LockFile wait(const std::filesystem::path& file) { return *opened(file, true); }
  /// Opens the file in the same way, but returns nothing if another has it.
  static std::optional<LockFile> attempt(const std::filesystem::path& file) { return opened(file, false); }

  LockFile(LockFile&& from) noexcept;
  /// Removes the file, unless it has been renamed.
  ~LockFile();
  LockFile& operator=(LockFile&&) = delete;

  int descriptor() const { return descriptor_; }
  /// Gives the file another name, at once, in the place of what has that name. Throws std::system_error.
  void rename_to(const std::filesystem::path& file);

 private:
  LockFile(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}
  static std::optional<LockFile> opened(const std::filesystem::path& file, bool wait);

  std::string name_;  // empty: it has another, or is another object's
  int descriptor_;    // -1: another object's
};

/// The most bytes that the results of a campaign may have.
inline constexpr std::size_t most_results_bytes = std::size_t{256} << 20;

/// Writes to a file, or to standard output where none is named. Throws std::system_error if that cannot be
/// done.
void write_output(std::string_view text, const std::optional<std::string>& path);

/// Throws what write_output would throw, as far as can be known; changes nothing.
void check_output(const std::optional<std::string>& path);

/// Puts a text into a file, with its folders where they are missing. The file is replaced at once or stays as
/// it was, also if the machine stops; it keeps its permissions. Of several processes that do so the last
/// counts. Throws std::system_error if that is refused, and UsageError if the file is there but no regular
/// file.
void replace_file(const std::filesystem::path& file, std::string_view text);
/// Throws what replace_file would throw, and leaves no more behind than its folders.
void check_replaceable(const std::filesystem::path& file);
/// Returns a lock: while it lives, no other process gets one for the file, which this one may replace again
/// and again. Throws SystemError if another process has it, and else what replace_file throws.
LockFile only_writer(const std::filesystem::path& file);

}  // namespace vnode
