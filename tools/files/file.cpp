#include "files/file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <system_error>

#include <vnode/error.hpp>

namespace vnode {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

[[noreturn]] void refuse(const std::string& path) {
  throw std::system_error(errno, std::generic_category(), path);
}

}  // namespace

std::string read_file(const std::string& path, std::size_t most) {
  const File file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) refuse(path);
  std::string text;
  std::array<char, 1 << 16> piece;
  while (const std::size_t read = std::fread(piece.data(), 1, piece.size(), file.get())) {
    text.append(piece.data(), read);
    if (text.size() > most)
      throw UsageError(fmt::format("{}: it has more than {} bytes, no such file is that long", path, most));
  }
  if (std::ferror(file.get()) != 0) refuse(path);
  return text;
}

void write_output(std::string_view text, const std::optional<std::string>& path) {
  if (!path) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  File file(std::fopen(path->c_str(), "wb"), std::fclose);
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) refuse(*path);
  if (std::fclose(file.release()) != 0) refuse(*path);
}

}  // namespace vnode
