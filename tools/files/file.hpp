#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace vnode {

/// All of a file's bytes, UsageError if there are more than `most`. std::system_error if it cannot be read.
std::string read_file(const std::string& path, std::size_t most = std::size_t{1} << 30);

/// Writes to a file, or to standard output where none is named. std::system_error if that cannot be done.
void write_output(std::string_view text, const std::optional<std::string>& path);

}  // namespace vnode
