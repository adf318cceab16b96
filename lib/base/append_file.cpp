#include "base/append_file.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/types.h>
#include <system_error>
#include <unistd.h>

namespace vnode {
namespace {

/// Blocks SIGPIPE while it lives: writing to a pipe that nobody reads is then an error of this thread's
/// write(), not a signal that ends a process without a handler.
class NoBrokenPipe {
 public:
  NoBrokenPipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoBrokenPipe() {
    constexpr timespec at_once{};
    while (!was_pending_ && sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) continue;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;

 private:
  sigset_t pipe_, before_;
  bool was_pending_;
};

/// Holds an open file.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : path_(path) {
    constexpr mode_t usual = 0666;  // less the umask
    // It does not block: a FIFO that nobody reads is refused.
    number_ = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, usual);
    if (number_ < 0) fail();
    // A write() waits until there is room.
    if (const int flags = fcntl(number_, F_GETFL); flags >= 0) fcntl(number_, F_SETFL, flags & ~O_NONBLOCK);
  }
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  /// Locks the file until it is closed. Where the system has no locks, every single write is still whole.
  void lock() const {
    while (flock(number_, LOCK_EX) != 0 && errno == EINTR) continue;
  }
  void write(std::string_view text) const {
    const NoBrokenPipe no_broken_pipe;
    while (!text.empty()) {
      const ssize_t written = ::write(number_, text.data(), text.size());
      if (written < 0 && errno != EINTR) fail();
      if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  /// Closes the file: some file systems report only then that there was no room.
  void end() {
    const int number = number_;
    number_ = -1;
    if (close(number) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const { throw std::system_error(errno, std::generic_category(), path_); }

  const std::string& path_;
  int number_ = -1;
};

}  // namespace

int process_number() { return static_cast<int>(getpid()); }

void append_to_file(const std::string& path, std::string_view text) {
  Descriptor file(path);
  file.lock();
  file.write(text);
  file.end();
}

}  // namespace vnode
