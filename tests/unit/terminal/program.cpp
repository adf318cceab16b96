#include "terminal/program.hpp"

#include <cstdio>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <functional>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// Returns the status of a process whose standard output is `file`.
int status_of(const char* file, const std::function<int()>& body) {
  std::fflush(stdout);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const int output = open(file, O_WRONLY);
    const int errors = open("/dev/null", O_WRONLY);
    if (dup2(output, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0) _exit(99);
    _exit(vnode::run_program("test", body));
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

int write(std::size_t bytes) {
  const std::string text(bytes, 'x');
  // As one that does not look.
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stdout));
  return 0;
}

}  // namespace

TEST_CASE("a program ends with the status that it returns, and with 2 if it throws") {
  CHECK(status_of("/dev/null", [] { return write(10); }) == 0);
  CHECK(status_of("/dev/null", [] { return 1; }) == 1);
  CHECK(status_of("/dev/null", []() -> int { throw std::runtime_error("no"); }) == 2);
  CHECK(status_of("/dev/null", []() -> int { throw std::bad_alloc(); }) == 2);
}

TEST_CASE(
    "output that could not be written ends a program with 2, whether it was short or long, and whoever "
    "looked") {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{1} << 20}) {
    CAPTURE(bytes);
    CHECK(status_of("/dev/full", [=] { return write(bytes); }) == 2);
    CHECK(status_of("/dev/full", [=] {
            write(bytes);
            std::fflush(stdout);  // the error is told here, and forgotten
            return 0;
          }) == 2);
  }
}
