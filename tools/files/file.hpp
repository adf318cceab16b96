#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "files/lock.hpp"

namespace vnode {

/// All of a file's bytes, UsageError if there are more than `most`. std::system_error if it cannot be read.
std::string read_file(const std::string& path, std::size_t most = std::size_t{1} << 30);

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
