#include "command_line/progress.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace vnode::bench {

Progress::Progress() : terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::show(double done, std::string_view what) {
  if (!terminal_) return;
  fmt::print(stderr, "\r\033[K{:3.0f} % {}", 100 * done, what);
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace vnode::bench
