#include "terminal/program.hpp"

#include <cerrno>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <unistd.h>

namespace vnode {
namespace {

constexpr int refusal = 2;

/// Writes why, whatever becomes of it: standard error may be full, too.
int refuse(const char* name, const char* why) noexcept {
  std::fprintf(stderr, "%s: %s\n", name, why);
  return refusal;
}

}  // namespace

void check_standard_output() {
  const auto fail = [](int error) {
    throw std::system_error(error, std::generic_category(), "standard output");
  };
  if (std::fflush(stdout) != 0) fail(errno);
  // Its reason has been lost since.
  if (std::ferror(stdout) != 0) fail(EIO);
  // Some file systems tell only the one who closes that there was no room.
  const int copy = dup(STDOUT_FILENO);
  if (copy >= 0 && close(copy) != 0) fail(errno);
}

int run_program(const char* name, const std::function<int()>& body) noexcept try {
  const int status = body();
  check_standard_output();
  return status;
} catch (const std::system_error& error) {
  if (error.code() == std::errc::broken_pipe) return refusal;
  // fmt calls it a file.
  return refuse(
      name, std::ferror(stdout) != 0 ? ("standard output: " + error.code().message()).c_str() : error.what());
} catch (const std::bad_alloc&) {
  return refuse(name, "there is not enough memory for this: ask for fewer nodes");
} catch (const std::exception& error) {
  return refuse(name, error.what());
}

}  // namespace vnode
