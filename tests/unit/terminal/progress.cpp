#include "terminal/progress.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using vnode::progress_bar;

TEST_CASE("a progress bar is as full as the work is done, and no fuller") {
  CHECK(progress_bar(0, "a") == "[                              ]   0 % a");
  CHECK(progress_bar(0.5, "b") == "[###############               ]  50 % b");
  CHECK(progress_bar(1.2, "c") == "[##############################] 100 % c");
}

TEST_CASE("work that takes long is told on a terminal, and what was told is taken away at its end") {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(terminal >= 0);
  REQUIRE(grantpt(terminal) == 0);
  REQUIRE(unlockpt(terminal) == 0);
  int end[2];
  REQUIRE(pipe(end) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    close(end[1]);
    if (dup2(open(ptsname(terminal), O_RDWR | O_NOCTTY), STDERR_FILENO) < 0) _exit(1);
    {
      const vnode::Notice notice("counting", std::chrono::milliseconds(0));
      char byte;
      static_cast<void>(read(end[0], &byte, 1));  // until the parent has seen it
    }
    static_cast<void>(write(STDERR_FILENO, "after", 5));
    _exit(0);
  }
  close(end[0]);
  std::string seen;
  const auto await = [&](const std::string& text) {
    for (char byte; seen.find(text) == seen.npos && read(terminal, &byte, 1) == 1;) seen += byte;
    CHECK(seen.find(text) != seen.npos);
  };
  await("\r\033[Kcounting: ");
  close(end[1]);
  await("\r\033[Kafter");
  CHECK(waitpid(child, nullptr, 0) == child);
  close(terminal);
}
