#include "terminal/progress.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <fmt/format.h>
#include <mutex>
#include <unistd.h>
#include <utility>

#include "terminal/width.hpp"

namespace vnode {

std::string progress_bar(double done, std::string_view what) {
  constexpr std::size_t width = 30;
  const double share = std::clamp(done, 0.0, 1.0);
  const auto full = static_cast<std::size_t>(share * width);
  return fmt::format("[{}{}] {:3.0f} % {}", std::string(full, '#'), std::string(width - full, ' '),
                     100 * share, what);
}

Progress::Progress() : terminal_(isatty(STDERR_FILENO) == 1), begin_(std::chrono::steady_clock::now()) {}

void Progress::show(double done, std::string_view what) {
  constexpr std::chrono::milliseconds delay{800};
  if (!terminal_ || (!shown_ && std::chrono::steady_clock::now() - begin_ < delay)) return;
  // A line that goes on below could not be cleared.
  const std::string line = progress_bar(done, what).substr(0, terminal_width(STDERR_FILENO) - 1);
  std::fputs(fmt::format("\r\033[K{}", line).c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

Notice::Notice(std::string what, std::chrono::milliseconds delay) {
  if (isatty(STDERR_FILENO) != 1) return;
  teller_.emplace([what = std::move(what), delay](const std::stop_token& stop) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    bool shown = false;
    for (std::chrono::milliseconds wait = delay;
         !ended.wait_for(lock, stop, wait, [&] { return stop.stop_requested(); });
         wait = std::chrono::seconds(1)) {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin).count();
      std::fputs(fmt::format("\r\033[K{}: {} s", what, seconds).c_str(), stderr);
      std::fflush(stderr);
      shown = true;
    }
    if (shown) std::fputs("\r\033[K", stderr);
  });
}

}  // namespace vnode
