// Tests PUs that are shared out among processes.
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <vnode/model/machine.hpp>
#include <vnode/vnode.hpp>

#include "base/doorbell.hpp"
#include "belongings.hpp"
#include "child_case.hpp"
#include "machine/binding.hpp"
#include "sentence.hpp"

using namespace vnode_test;

namespace {

/// Is a folder by which processes share, for as long as this lives.
struct ShareFolder {
  std::string path = (std::filesystem::temp_directory_path() / "vnode-share-XXXXXX").string();
  ShareFolder() { REQUIRE(mkdtemp(path.data()) != nullptr); }
  ~ShareFolder() { std::filesystem::remove_all(path); }
};

/// Returns the system's number of the PU of a team's only node.
int pu_of_one(vnode::Team& team) {
  int pu = -1;
  team.run([&](vnode::Node&) { pu = vnode::thread_affinity().front(); });
  return pu;
}

vnode::TeamOptions sharing(const std::string& place) {
  vnode::TeamOptions options = patient();
  options.share = place;
  return options;
}

bool tells(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string on_pu(int pu) { return " on PU " + std::to_string(pu); }

}  // namespace

TEST_CASE("tells the PU of a team" * doctest::skip()) {
  vnode::Team team(1, patient());
  std::printf("its PU is %d.\n%s", pu_of_one(team), team.report().c_str());
}

TEST_CASE("teams of several processes share out PUs if asked, and tell of each other") {
  const ShareFolder folder;
  const std::size_t there = vnode::Machine::discover().allowed_pus().size();
  vnode::Team team(1, sharing(folder.path));
  const int own = pu_of_one(team);
  CHECK(tells(team.report(),
              "other processes: none had a team in " + folder.path + " when this one was made\n"));
  CHECK(entries(folder.path.c_str()) == 1);
  const auto child = [&](const std::string& variable) {
    const ChildEnd end = run_case(variable, "tells the PU of a team");
    CAPTURE(end.output);
    CHECK(end.status == 0);
    return end.output;
  };
  const std::string beside = child("VNODE_SHARE=" + folder.path);
  CHECK(tells(beside, "other processes: unit_team ("));
  CHECK(tells(beside, ")" + on_pu(own) + " when this team was made, " +
                          (there > 1 ? "on other PUs\n" : "on its PU " + std::to_string(own) + " too\n")));
  CHECK(tells(beside, "its PU is " + std::to_string(own) + ".") == (there == 1));
  CHECK(tells(beside, "from the environment: VNODE_SHARE=" + folder.path + "\n"));
  // Who does not ask is not told, and takes what it takes alone.
  CHECK_FALSE(tells(child(""), "other processes"));
  CHECK(tells(child("VNODE_SHARE=process"), "its PU is " + std::to_string(own) + "."));
  // What is named is taken.
  const std::string named = child("VNODE_SHARE=" + folder.path + " VNODE_MAPPING=" + std::to_string(own));
  CHECK(tells(named, "its PU is " + std::to_string(own) + "."));
  CHECK(tells(named, "when this team was made, on its PU " + std::to_string(own) + " too\n"));
  // Nodes that are not pinned use no PU in particular.
  CHECK_FALSE(tells(child("VNODE_PIN=off VNODE_SHARE=" + folder.path), "other processes"));
}

TEST_CASE("teams of one process that share with others share among themselves too, and leave nothing") {
  const ShareFolder folder;
  const std::size_t there = vnode::Machine::discover().allowed_pus().size();
  {
    vnode::Team first(1, sharing(folder.path)), second(1, sharing(folder.path));
    CHECK((pu_of_one(first) != pu_of_one(second)) == (there > 1));
    CHECK(tells(second.report(), "other teams: 1 in this process when this one was made, "));
    CHECK(tells(second.report(), "other processes: none "));
    CHECK(entries(folder.path.c_str()) == 2);
    // A team that is moved from has none.
    first = std::move(second);
    CHECK(entries(folder.path.c_str()) == 1);
  }
  CHECK(entries(folder.path.c_str()) == 0);
}

TEST_CASE("a child of fork() shares with its parent") {
  if (under_emulation() || vnode::sanitized_threads) return;
  const ShareFolder folder;
  vnode::Team team(1, sharing(folder.path));
  const int own = pu_of_one(team);
  const bool more = vnode::Machine::discover().allowed_pus().size() > 1;
  const pid_t child = fork();
  if (child == 0) {
    vnode::Team beside(1, sharing(folder.path));
    const bool right =
        (pu_of_one(beside) != own) == more && tells(beside.report(), "other processes: unit_team");
    _exit(right && entries(folder.path.c_str()) == 2 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("with whom PUs are shared is one of three things") {
  const auto said = [](const std::string& place) {
    try {
      const vnode::Team team(1, sharing(place));
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string may_be = "it may be process, host, or a folder, as an absolute path";
  CHECK(said("everybody") == "TeamOptions::share is \"everybody\": " + may_be);
  CHECK(said("") == "TeamOptions::share is \"\": " + may_be);
  CHECK(said("/nowhere") == "cannot share out PUs by the folder /nowhere: No such file or directory");
  {
    const Variable variable("VNODE_SHARE", "here");
    CHECK(said("process") == "VNODE_SHARE=here: " + may_be);
  }
  const Variable variable("VNODE_SHARE", "/nowhere");
  CHECK(said("process") ==
        "VNODE_SHARE=/nowhere: cannot share out PUs by the folder /nowhere: No such file or directory");
}
