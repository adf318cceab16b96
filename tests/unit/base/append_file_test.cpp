#include "base/append_file.hpp"

#include <cerrno>
#include <csignal>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <pthread.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

TEST_CASE("a reader that leaves a FIFO before all is written makes an error, and no signal") {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("vnode_fifo_" + std::to_string(getpid()))).string();
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(reader >= 0);
  std::thread reads_a_little([&] {
    char first = 0;
    while (read(reader, &first, 1) != 1) std::this_thread::yield();
    close(reader);
  });
  int code = 0;
  try {
    vnode::append_to_file(path, std::string(1 << 20, 'x'));  // more than a pipe holds
  } catch (const std::system_error& error) {
    code = error.code().value();
  }
  reads_a_little.join();
  std::filesystem::remove(path);
  CHECK(code == EPIPE);
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  CHECK(sigismember(&blocked, SIGPIPE) == 0);
}
