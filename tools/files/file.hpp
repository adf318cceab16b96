#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "files/lock.hpp"

namespace vnode {

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
