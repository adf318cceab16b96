#include "files/progress.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <unistd.h>

namespace vnode {

Progress::Progress() : terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::show(double done, std::string_view what) {
  if (!terminal_) return;
  constexpr std::size_t width = 30;
  const auto full = static_cast<std::size_t>(std::clamp(done, 0.0, 1.0) * width);
  fmt::print(stderr, "\r\033[K[{}{}] {:3.0f} % {}", std::string(full, '#'), std::string(width - full, ' '),
             100 * done, what);
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace vnode
