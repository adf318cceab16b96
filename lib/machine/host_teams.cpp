#include "machine/host_teams.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <random>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include <vnode/error.hpp>

namespace vnode {
namespace {

constexpr int greatest_pu = 1 << 20;                     // files are read as they are
constexpr auto longest_wait = std::chrono::seconds(10);  // for others, who need microseconds

[[noreturn]] void refuse(const std::string& folder, std::string_view why) {
  throw SystemError(fmt::format("cannot share out PUs by the folder {}: {}", folder, why));
}

/// Returns what begins the names of the files of this copy of the library in this process. Copies in other
/// processes may be at the same address, and have the same number in their container.
std::string own_prefix() {
  static const std::uint32_t copy = std::random_device()();
  return fmt::format("{}-{:08x}-", getpid(), copy);
}

/// Returns the process of a file of that name; nothing if it is none of ours.
std::optional<int> process_of(std::string_view name) {
  int process = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
  const std::string_view rest = name.substr(static_cast<std::size_t>(end - name.data()));
  if (error != std::errc{} || process < 0 || rest.size() < 11 || rest[0] != '-' || rest[9] != '-') return {};
  const auto is_one_of = [](std::string_view of) {
    return [of](char letter) { return of.find(letter) != of.npos; };
  };
  if (!std::ranges::all_of(rest.substr(1, 8), is_one_of("0123456789abcdef")) ||
      !std::ranges::all_of(rest.substr(10), is_one_of("0123456789")))
    return {};
  return process;
}

std::string program_of_this() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).filename().string();
}

std::string text_of(int descriptor) {
  std::string text;
  std::array<char, 4096> piece{};
  for (ssize_t size = 0; (size = ::read(descriptor, piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(size));
  return text;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = write(descriptor, text.data(), text.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

/// A file has the program's name in a line of its own, and a line of PUs.
HostTeam parsed(int process, std::string_view text) {
  HostTeam team{process, std::string(text.substr(0, text.find('\n'))), {}};
  const char* at = text.data() + std::min(text.size(), team.program.size() + 1);
  const char* const end = text.data() + text.size();
  for (int pu = 0; at < end;) {
    const auto [behind, error] = std::from_chars(at, end, pu);
    if (error != std::errc{} || pu < 0 || pu > greatest_pu) break;
    team.pus.push_back(pu);
    at = behind + 1;
  }
  return team;
}

}  // namespace

/// Keeps a descriptor for as long as this lives.
class HostTeams::Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

/// Keeps the folder locked against all other processes and copies of the library for as long as this lives.
class HostTeams::Locked {
 public:
  Locked(const std::string& folder, bool own) : folder_(folder), descriptor_(opened(own)) {}
  ~Locked() { flock(descriptor_.number(), LOCK_UN); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  int number() const { return descriptor_.number(); }

 private:
  Descriptor opened(bool own) const {
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
      if (own && mkdir(folder_.c_str(), S_IRWXU) != 0 && errno != EEXIST)
        refuse(folder_, std::strerror(errno));
      Descriptor folder(open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
      if (folder.number() < 0) {
        if (own && errno == ENOENT) continue;  // removed by another's last team
        refuse(folder_, std::strerror(errno));
      }
      struct stat opened {
      }, there{};
      fstat(folder.number(), &opened);
      if (own && (opened.st_uid != geteuid() || (opened.st_mode & (S_IWGRP | S_IWOTH)) != 0))
        refuse(folder_, fmt::format("others than user {} may write to it", geteuid()));
      while (flock(folder.number(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) refuse(folder_, std::strerror(errno));
        if (std::chrono::steady_clock::now() - begin > longest_wait)
          refuse(folder_, "another process has locked it for 10 s");
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      // It may have been removed meanwhile, and made anew.
      if (stat(folder_.c_str(), &there) == 0 && there.st_ino == opened.st_ino &&
          there.st_dev == opened.st_dev)
        return folder;
      if (!own) refuse(folder_, std::strerror(ENOENT));
    }
  }

  const std::string& folder_;
  const Descriptor descriptor_;
};

HostTeams::HostTeams(const std::string& place) : folder_(place), own_folder_(place == "host") {
  if (!own_folder_) {
    const Locked there(folder_, false);
    return;
  }
  // It is the same whatever a process has in its environment.
  folder_ = fmt::format("{}/vnode-{}", access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp", geteuid());
}

HostTeams::~HostTeams() {
  if (descriptor_ < 0) return;
  try {
    const Locked locked(folder_, false);
    unlinkat(locked.number(), file_.c_str(), 0);
    if (own_folder_) rmdir(folder_.c_str());  // unless others have files in it
  } catch (const SystemError&) {
    // The file counts no more once it is closed.
  }
  abandon();
}

void HostTeams::abandon() noexcept {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

std::vector<HostTeam> HostTeams::others() {
  const Locked locked(folder_, own_folder_);
  return read(locked);
}

std::vector<HostTeam> HostTeams::read(const Locked& locked) const {
  std::vector<std::pair<std::string, HostTeam>> found;
  const std::string own = own_prefix();
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    const std::optional<int> process = process_of(name);
    if (!process || name.starts_with(own)) continue;
    const Descriptor file(
        openat(locked.number(), name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file.number() < 0) continue;
    if (flock(file.number(), LOCK_SH | LOCK_NB) == 0)
      unlinkat(locked.number(), name.c_str(), 0);
    else
      found.emplace_back(name, parsed(*process, text_of(file.number())));
  }
  if (error) refuse(folder_, error.message());
  std::ranges::sort(found, {}, [](const auto& team) { return team.first; });
  std::vector<HostTeam> teams;
  for (auto& [name, team] : found) teams.push_back(std::move(team));
  return teams;
}

bool HostTeams::tell(const std::vector<int>& pus, const std::vector<HostTeam>& known) {
  static std::atomic<unsigned> count{0};
  const Locked locked(folder_, own_folder_);
  if (read(locked) != known) return false;
  const std::string name =
      fmt::format("{}{}", own_prefix(), count.fetch_add(1, std::memory_order_relaxed));  // a number, no order
  Descriptor file(openat(locked.number(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                         S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH));
  const std::string text = fmt::format("{}\n{}\n", program_of_this(), fmt::join(pus, " "));
  if (file.number() < 0 || flock(file.number(), LOCK_EX | LOCK_NB) != 0 || !write_all(file.number(), text)) {
    const int why = errno;
    if (file.number() >= 0) unlinkat(locked.number(), name.c_str(), 0);
    refuse(folder_, std::strerror(why));
  }
  file_ = name;
  descriptor_ = file.release();
  return true;
}

}  // namespace vnode
