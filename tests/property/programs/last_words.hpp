#pragma once

#include <array>
#include <csignal>
#include <cstddef>
#include <string>
#include <unistd.h>
#include <utility>

namespace vnode_test {

/// Describes what is to be said if the process is killed by a signal of its own making while this lives:
/// doctest reports the signal, but nothing that it has been told to log.
class LastWords {
 public:
  explicit LastWords(std::string text) {
    words = std::move(text);
    for (std::size_t i = 0; i < signals.size(); ++i) before[i] = std::signal(signals[i], say);
  }
  ~LastWords() {
    for (std::size_t i = 0; i < signals.size(); ++i) std::signal(signals[i], before[i]);
  }
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

 private:
  /// Comes back to what has raised the signal, with the handlers as they were.
  static void say(int) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, words.data(), words.size());
    for (std::size_t i = 0; i < signals.size(); ++i) std::signal(signals[i], before[i]);
  }

  static constexpr std::array signals{SIGSEGV, SIGBUS, SIGABRT};
  inline static std::array<void (*)(int), 3> before{};
  inline static std::string words;
};

}
