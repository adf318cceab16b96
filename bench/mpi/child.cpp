#include "mpi/child.hpp"

#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <vnode/error.hpp>

namespace vnode::bench {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 3s;  // with a program that has been asked to end

}  // namespace

Child::Child(std::vector<std::string> command, std::string log) : log_(std::move(log)) {
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  const int refused = posix_spawn(&process_, words.front(), &files, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (refused != 0) throw SystemError{fmt::format("cannot start {}", command.front())};
}

Child::~Child() {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!ended() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(5ms);
  if (gone_) return;
  kill(process_, SIGTERM);  // launchers end what they have started
  std::this_thread::sleep_for(300ms);
  if (ended()) return;
  kill(process_, SIGKILL);
  wait();
}

bool Child::wait() {
  if (!gone_) waitpid(process_, &status_, 0);
  gone_ = true;
  return WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
}

bool Child::ended() {
  if (!gone_) gone_ = waitpid(process_, &status_, WNOHANG) != 0;
  return gone_;
}

std::string Child::last_words() const {
  std::ifstream log{log_};
  std::string last;
  for (std::string line; std::getline(log, line);)
    if (line.find_first_not_of(" -*\t") != std::string::npos) last += (last.empty() ? "" : " ") + line;
  constexpr std::size_t most = 400;
  return last.size() <= most ? last : "... " + last.substr(last.size() - most);
}

}  // namespace vnode::bench
