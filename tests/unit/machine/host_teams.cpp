// Tests that teams of several processes tell each other which PUs they use. A process is a child of fork(),
// which does no more than that.
#include "machine/host_teams.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <vnode/error.hpp>

#include "belongings.hpp"

using vnode::HostTeam;
using vnode::HostTeams;

namespace {

/// Is an empty folder for as long as this lives.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "vnode-host-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }
  std::size_t files() const { return vnode_test::entries(path_.c_str()); }

 private:
  std::string path_;
};

/// Is a process that runs `body`, and goes on when it is told; by then the body has returned true.
class Process {
 public:
  explicit Process(const std::function<bool()>& body) {
    REQUIRE(pipe(ready_.data()) == 0);
    REQUIRE(pipe(go_.data()) == 0);
    child_ = fork();
    if (child_ == 0) {
      char right = 0;
      try {
        right = body();
      } catch (const std::exception&) {
      }
      if (write(ready_[1], &right, 1) != 1) _exit(2);
      if (read(go_[0], &right, 1) != 1) _exit(3);
      _exit(0);
    }
    char right = 0;
    CHECK(read(ready_[0], &right, 1) == 1);
    CHECK(right == 1);
  }
  ~Process() {
    if (child_ > 0) stop(SIGKILL);
    for (const int end : {ready_[0], ready_[1], go_[0], go_[1]}) close(end);
  }
  int number() const { return child_; }
  void stop(int signal) {
    kill(child_, signal);
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
  }

 private:
  std::array<int, 2> ready_{}, go_{};
  pid_t child_ = -1;
};

/// Returns a process whose team uses these PUs until it is killed.
Process using_pus(const std::string& place, const std::vector<int>& pus) {
  return Process([=] {
    auto* const team = new HostTeams(place);  // no destructor takes it back
    return team->tell(pus, team->others());
  });
}

}  // namespace

TEST_CASE(
    "a team's word is heard by other processes as long as the team's process lives, however that ends") {
  const Folder folder;
  HostTeams own(folder.path());
  CHECK(own.folder() == folder.path());
  CHECK(own.others().empty());
  {
    Process first = using_pus(folder.path(), {3, 1, 1});
    const std::vector<HostTeam> one = own.others();
    REQUIRE(one.size() == 1);
    CHECK(one[0].process == first.number());
    CHECK(one[0].program == "unit_machine");
    CHECK(one[0].pus == std::vector{3, 1, 1});
    Process second = using_pus(folder.path(), {0});
    CHECK(own.others().size() == 2);
    // Its file is still there when it has been killed.
    first.stop(SIGKILL);
    CHECK(folder.files() == 2);
    const std::vector<HostTeam> other = own.others();
    REQUIRE(other.size() == 1);
    CHECK(other[0].pus == std::vector{0});
    CHECK(folder.files() == 1);
  }
  CHECK(own.others().empty());
  CHECK(folder.files() == 0);
}

TEST_CASE("a team tells nothing where others have told meanwhile") {
  const Folder folder;
  HostTeams own(folder.path());
  const std::vector<HostTeam> known = own.others();
  {
    const Process other = using_pus(folder.path(), {2});
    CHECK_FALSE(own.tell({2}, known));
    CHECK(folder.files() == 1);
    CHECK(own.tell({1}, own.others()));
    CHECK(folder.files() == 2);
  }
  CHECK(own.others().empty());  // its own is no other's
  CHECK(folder.files() == 1);
}

TEST_CASE("a team takes its word back when it ends, and leaves no descriptor") {
  const Folder folder;
  const std::size_t before = vnode_test::Belongings().descriptors;
  for (int time = 0; time < 100; ++time) {
    HostTeams team(folder.path());
    REQUIRE(team.tell({time}, team.others()));
    REQUIRE(folder.files() == 1);
  }
  CHECK(folder.files() == 0);
  CHECK(vnode_test::Belongings().descriptors == before);
}

TEST_CASE("what a child of fork() has of its parent's word keeps nobody from PUs") {
  const Folder folder;
  HostTeams own(folder.path());
  // The grandchild lives longer than the child whose word it has.
  std::array<int, 2> go{};
  REQUIRE(pipe(go.data()) == 0);
  {
    Process child([&] {
      auto* const team = new HostTeams(folder.path());
      if (!team->tell({5}, team->others())) return false;
      if (fork() == 0) {
        team->abandon();
        close(go[1]);
        char none = 0;
        _exit(read(go[0], &none, 1) == 0 ? 0 : 1);
      }
      return true;
    });
    CHECK(own.others().size() == 1);
    usleep(20'000);  // for the grandchild to come so far; if it has not, the next says nothing
    child.stop(SIGKILL);
    for (int wait = 0; wait < 1000 && !own.others().empty(); ++wait) usleep(1000);
    CHECK(own.others().empty());
  }
  close(go[0]);
  close(go[1]);
}

TEST_CASE("files that are no team's are left alone, and what a team's file says is not trusted") {
  const Folder folder;
  for (const char* name :
       {"notes", "12-0badcafe", "12-0badcafe-", "12-0badcafg-1", "-1-0badcafe-1", "x12-0badcafe-1"})
    std::ofstream(folder.path() + "/" + name) << "program\n1 2\n";
  const std::size_t files = folder.files();
  HostTeams own(folder.path());
  CHECK(own.others().empty());
  CHECK(folder.files() == files);
  const std::string path = folder.path() + "/12-0badcafe-1";
  for (const char* text : {"", "program", "program\n", "program\n1 -2", "program\n1 99999999999",
                           "program\n1 2000000 1", "program\n1 x"}) {
    CAPTURE(text);
    std::ofstream(path) << text;
    const int held = open(path.c_str(), O_RDONLY);
    REQUIRE(flock(held, LOCK_EX) == 0);
    const std::vector<HostTeam> teams = own.others();
    REQUIRE(teams.size() == 1);
    CHECK(teams[0].pus.size() <= 1);
    close(held);
  }
  // Nobody has it any more.
  CHECK(own.others().empty());
  CHECK(folder.files() == files);
}

TEST_CASE("a folder that cannot serve is named") {
  const auto sentence = [](const std::string& place) {
    try {
      HostTeams team(place);
      team.others();
    } catch (const vnode::SystemError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(sentence("/nowhere/at/all") ==
        "cannot share out PUs by the folder /nowhere/at/all: No such file or directory");
  CHECK(sentence("/proc/self/exe") == "cannot share out PUs by the folder /proc/self/exe: Not a directory");
  const Folder folder;
  std::filesystem::create_directory_symlink(folder.path(), folder.path() + "/link");
  CHECK(sentence(folder.path() + "/link").starts_with("cannot share out PUs by the folder "));
}

TEST_CASE("the host's own folder is there as long as teams are") {
  HostTeams own("host");
  CHECK(own.folder().ends_with("/vnode-" + std::to_string(geteuid())));
  {
    const Process other = using_pus("host", {1'000});
    const std::vector<HostTeam> teams = own.others();
    CHECK(std::ranges::any_of(teams, [&](const HostTeam& team) {
      return team.process == other.number() && team.pus == std::vector{1'000};
    }));
  }
  const std::vector<HostTeam> left = own.others();
  {
    HostTeams last("host");
    if (!last.tell({1'001}, left)) return;
    CHECK(std::filesystem::exists(last.folder()));
  }
  if (left.empty()) CHECK_FALSE(std::filesystem::exists(own.folder()));
}
