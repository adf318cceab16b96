#include "files/file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <system_error>
#include <unistd.h>

#include <vnode/error.hpp>

namespace vnode {
namespace {

namespace fs = std::filesystem;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

[[noreturn]] void refuse(const std::string& path) {
  throw std::system_error(errno, std::generic_category(), path);
}

/// A new file beside another, gone with the object unless it has replaced the other.
class Replacement {
 public:
  explicit Replacement(const fs::path& file)
      : file_(file),
        name_(fmt::format("{}.{}.new", file.string(), getpid())),
        descriptor_(open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0) refuse(name_);
  }
  ~Replacement() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!replaced_) unlink(name_.c_str());
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno != EINTR) refuse(name_);
      if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void replace() {
    if (fsync(descriptor_) != 0) refuse(name_);
    if (std::rename(name_.c_str(), file_.c_str()) != 0) refuse(file_.string());
    replaced_ = true;
  }

 private:
  const fs::path file_;
  const std::string name_;
  const int descriptor_;
  bool replaced_ = false;
};

/// UsageError if what is there cannot be replaced; makes the folders that are missing.
void prepare(const fs::path& file) {
  if (fs::exists(file) && !fs::is_regular_file(file))
    throw UsageError(fmt::format("{} is no regular file: it cannot be replaced", file.string()));
  if (file.has_parent_path()) fs::create_directories(file.parent_path());
}

/// Where a link leads.
fs::path replaced(const fs::path& file) { return fs::exists(file) ? fs::canonical(file) : file; }

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

void check_replaceable(const fs::path& file) {
  prepare(file);
  Replacement(replaced(file));
}

void replace_file(const fs::path& file, std::string_view text) {
  prepare(file);
  Replacement replacement(replaced(file));
  replacement.write(text);
  replacement.replace();
}

}  // namespace vnode
