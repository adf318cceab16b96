#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

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

/// More than any file has that is written by hand or by this program, but for the results of a campaign.
inline constexpr std::size_t most_file_bytes = std::size_t{64} << 20;
/// What the results of a campaign may have.
inline constexpr std::size_t most_results_bytes = std::size_t{256} << 20;

/// All of a file's bytes, UsageError if there are more than `most`: /dev/zero has no end. std::system_error
/// if it cannot be read.
std::string read_file(const std::string& path, std::size_t most = most_file_bytes);

/// Writes to a file, or to standard output where none is named. std::system_error if that cannot be done.
void write_output(std::string_view text, const std::optional<std::string>& path);

/// Fails if write_output would, as far as can be known; changes nothing.
void check_output(const std::optional<std::string>& path);

/// Puts a text into a file, with its folders where they are missing. The file is replaced at once or stays
/// as it was, also if the machine stops; it keeps its permissions. Of several processes that do so the last
/// counts. std::system_error if that is refused; UsageError if it is there but no regular file.
void replace_file(const std::filesystem::path& file, std::string_view text);
/// Fails as replace_file would, and leaves no more behind than its folders.
void check_replaceable(const std::filesystem::path& file);
/// While it lives, no other process gets this for the file, which it may replace again and again. SystemError
/// if another has it; else errors as replace_file's.
LockFile only_writer(const std::filesystem::path& file);

}  // namespace vnode
