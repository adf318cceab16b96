#include "terminal/progress.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace vnode {

std::string progress_bar(double done, std::string_view what) {
  constexpr std::size_t width = 30;
  const double share = std::clamp(done, 0.0, 1.0);
  const auto full = static_cast<std::size_t>(share * width);
  return fmt::format("[{}{}] {:3.0f} % {}", std::string(full, '#'), std::string(width - full, ' '),
                     100 * share, what);
}

Progress::Progress() : terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::show(double done, std::string_view what) {
  if (!terminal_) return;
  std::fputs(fmt::format("\r\033[K{}", progress_bar(done, what)).c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace vnode
