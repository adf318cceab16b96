#include "mpi/peer.hpp"

#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <vnode/error.hpp>

namespace vnode::bench {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 3s;  // with a program that has been asked to end

int pipe_at(const std::string& path, int flags) {
  if (mkfifo(path.c_str(), 0600) != 0) throw SystemError{fmt::format("cannot make the pipe {}", path)};
  const int pipe = open(path.c_str(), flags | O_CLOEXEC);
  if (pipe < 0) throw SystemError{fmt::format("cannot open the pipe {}", path)};
  return pipe;
}

std::vector<std::string> command_line(const MpiConfiguration& configuration, int nodes,
                                      const std::string& program, const std::string& folder) {
  std::vector<std::string> words = configuration.command;
  for (const std::string& word : {std::string{"-np"}, fmt::to_string(nodes), program, folder})
    words.push_back(word);
  return words;
}

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

MpiPeer::MpiPeer(const MpiConfiguration& configuration, int nodes, const std::string& program,
                 std::string folder)
    : name_(configuration.name), folder_(std::move(folder)) {
  std::filesystem::create_directory(folder_);
  make_pipes(nodes);
  launcher_ = std::make_unique<Child>(command_line(configuration, nodes, program, folder_), folder_ + "/log");
}

MpiPeer::~MpiPeer() {
  for (const int command : commands_) close(command);  // the processes' end of file: they end
  launcher_.reset();
  close(answer_);
}

// The pipes are opened for reading and writing, so that opening does not wait for the other end. The
// processes see the end of their commands when this process is gone, however it ends.
void MpiPeer::make_pipes(int nodes) {
  for (Rank rank = 0; rank < nodes; ++rank)
    commands_.push_back(pipe_at(fmt::format("{}/command.{}", folder_, rank), O_RDWR));
  answer_ = pipe_at(folder_ + "/answer", O_RDONLY | O_NONBLOCK);
}

void MpiPeer::read(void* to, std::size_t bytes) {
  constexpr int look_ms = 200;
  auto* next = static_cast<char*>(to);
  while (bytes > 0) {
    pollfd waiting{answer_, POLLIN, 0};
    poll(&waiting, 1, look_ms);
    const ssize_t got = ::read(answer_, next, bytes);
    if (got > 0) {
      next += got;
      bytes -= static_cast<std::size_t>(got);
    } else if (launcher_->ended()) {
      throw SystemError{fmt::format("{} has ended: {}", name_, launcher_->last_words())};
    } else if (got == 0) {
      usleep(1000);  // nobody has opened the other end yet
    }
  }
}

void MpiPeer::wait_until_ready() {
  char greeting;
  read(&greeting, 1);
}

Stamps MpiPeer::lap(const std::string& command, int iterations) {
  for (const int pipe : commands_)
    if (write(pipe, command.data(), command.size()) != static_cast<ssize_t>(command.size()))
      throw SystemError{fmt::format("{} does not take commands", name_)};
  Stamps stamps(commands_.size());
  for (auto& of_rank : stamps) {
    of_rank.resize(static_cast<std::size_t>(iterations));
    read(of_rank.data(), of_rank.size() * sizeof(Stamp));
  }
  return stamps;
}

}  // namespace vnode::bench
