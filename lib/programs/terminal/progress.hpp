#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace vnode {

/// Returns "[######      ]  50 % what" for `done` = 0.5, of the whole.
std::string progress_bar(double done, std::string_view what);

/// Shows a bar on the terminal, on standard error, that says how far a command is, after almost a second; it
/// is silent where that is no terminal.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Shows how much is done, from 0 to 1.
  void show(double done, std::string_view what);
  /// Clears the bar, before anything else is written to the terminal.
  void clear();

 private:
  const bool terminal_;
  const std::chrono::steady_clock::time_point begin_;
  bool shown_ = false;
};

/// Says while it lives, on the terminal, on standard error, what a command is at and for how long, every
/// second from `delay` on: for work that cannot tell how far it is. It is silent where that is no terminal.
class Notice {
 public:
  explicit Notice(std::string what, std::chrono::milliseconds delay = std::chrono::milliseconds(1500));
  Notice(const Notice&) = delete;
  Notice& operator=(const Notice&) = delete;

 private:
  std::optional<std::jthread> teller_;  // it is stopped and awaited before anything else is written
};

}  // namespace vnode
