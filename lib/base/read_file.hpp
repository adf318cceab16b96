#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

#include <vnode/error.hpp>

namespace vnode {

/// The most bytes of a file that is read: no file written by hand or by these programs has more, but for the
/// results of a campaign.
inline constexpr std::size_t most_file_bytes = std::size_t{64} << 20;

/// Returns all of a file's bytes. Throws UsageError if there are more than `most` (/dev/zero has no end), and
/// std::system_error if it cannot be read.
inline std::string read_file(const std::string& path, std::size_t most = most_file_bytes) {
  const auto refuse = [&] { throw std::system_error(errno, std::generic_category(), path); };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) refuse();
  std::string text;
  std::array<char, 1 << 16> piece;
  while (const std::size_t read = std::fread(piece.data(), 1, piece.size(), file.get())) {
    text.append(piece.data(), read);
    if (text.size() > most)
      throw UsageError(path + ": it has more than " + std::to_string(most >> 20) +
                       " MiB, the most that such a file may have");
  }
  if (std::ferror(file.get()) != 0) refuse();
  return text;
}

}  // namespace vnode
