// Tests what a team has counted, as JSON, in files and for people.
#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <vector>

#include <vnode/lab/statistics_json.hpp>
#include <vnode/vnode.hpp>

#include "child_case.hpp"
#include "counting.hpp"
#include "joining.hpp"
#include "sentence.hpp"

using namespace vnode_test;

namespace {

/// Is a file that is gone when this is.
class StatisticsFile {
 public:
  explicit StatisticsFile(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / (name + std::to_string(::getpid()))) {
    std::filesystem::remove(path_);
  }
  ~StatisticsFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }
  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) all.push_back(line);
    return all;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("what JSON says is read back as it was, and what it does not say is named") {
  vnode::Team team(4, vnode::shapes::torus{2, 2}, counting());
  team.run([](vnode::Node& me) {
    std::vector<int> x(10);
    me.all_reduce(x, std::plus<>{});
    vnode::Group rows = me.split(vnode::shapes::along{1});
    rows.broadcast(x, 1);
    me.sendrecv(x, me.rank() ^ 1, std::vector<int>(10), me.rank() ^ 1);
  });
  const Statistics statistics = team.statistics();
  const std::string json = statistics.json();
  CHECK(std::ranges::count(json, '\n') == 1);
  CHECK(vnode::statistics_from_json(json) == statistics);
  const auto said = [](std::string text) {
    return said_by([&] { vnode::statistics_from_json(text, "FILE, statistics of line 3"); });
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = json;
    text.replace(text.find(from), from.size(), to);
    return said(text);
  };
  CHECK(with("\"nodes\":4", "\"nodes\":-4") ==
        "FILE, statistics of line 3, nodes: expected a whole number from 1 to 1048576, not -4");
  CHECK(with("\"statistics\":1", "\"statistics\":2") ==
        "FILE, statistics of line 3, statistics: expected 1, the only version that this vnode reads, not 2");
  CHECK(with("\"operation\":\"all_reduce\"", "\"operation\":7")
            .starts_with("FILE, statistics of line 3, rows[0].operation: expected a text"));
  CHECK(with("\"group\":0", "\"group\":9").find("rows[0].group: expected a whole number from 0 to ") !=
        std::string::npos);
  CHECK(said("{").starts_with("FILE, statistics of line 3, line 1, column 2"));
}

TEST_CASE("two counted teams end" * doctest::skip()) {
  for (int nodes = 1; nodes <= 2; ++nodes) {
    vnode::Team team(nodes, patient());
    team.run([](vnode::Node& me) { me.barrier(); });
  }
}

TEST_CASE("a node of a counted team ends the process" * doctest::skip()) {
  vnode::Team other(1, patient());
  vnode::Team team(3, patient());
  team.run([](vnode::Node& me) {
    me.barrier();
    if (me.rank() == 1) std::exit(43);
    for (;;) me.barrier();
  });
}

TEST_CASE("a counted static team ends with a process whose child writes nothing" * doctest::skip()) {
  static vnode::Team team(2, patient());
  team.run([](vnode::Node& me) { me.barrier(); });
  const pid_t child = fork();
  int status = 0;
  if (child == 0) {
    const pid_t grandchild = fork();
    if (grandchild != 0) waitpid(grandchild, &status, 0);
    std::exit(0);
  }
  waitpid(child, &status, 0);
  CHECK(said_by([] { (void)team.statistics(); }).empty());
  std::exit(44);
}

TEST_CASE("VNODE_STATS puts a line for each team behind what is in the file, whoever ends the process") {
  const StatisticsFile file("vnode_stats_%p_");
  std::string escaped = file.path();
  escaped.replace(escaped.find("%p"), 2, "%%p");
  const std::string setting = "VNODE_STATS='" + escaped + "' timeout 60";
  check_case_passes(setting, "two counted teams end");
  REQUIRE(file.lines().size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const Statistics read = vnode::statistics_from_json(file.lines()[i]);
    CHECK(read.nodes == static_cast<int>(i + 1));
    CHECK(row_of(read, "barrier").calls == 1);
  }
  CHECK(WEXITSTATUS(run_case(setting, "a node of a counted team ends the process").status) == 43);
  REQUIRE(file.lines().size() == 4);
  CHECK(vnode::statistics_from_json(file.lines()[2]).nodes == 1);
  CHECK(row_of(vnode::statistics_from_json(file.lines()[3]), "barrier").calls >= 1);
  const ChildEnd end =
      run_case(setting, "a counted static team ends with a process whose child writes nothing");
  CHECK(WEXITSTATUS(end.status) == 44);
  REQUIRE(file.lines().size() == 5);
}

TEST_CASE("VNODE_STATS names a file for each process, a table for people, or standard error") {
  const std::string folder = std::filesystem::temp_directory_path().string();
  const std::string name = "vnode_stats_each_";
  check_case_passes("VNODE_STATS=" + folder + "/" + name + "%p.txt timeout 60", "two counted teams end");
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with(name)) continue;
    ++found;
    CHECK(file.find('%') == std::string::npos);
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    CHECK(text.str().starts_with("calls of a team of 1 node as full, process "));
    CHECK(text.str().find("\nbarrier ") != std::string::npos);
    std::filesystem::remove(entry.path());
  }
  CHECK(found == 1);
  const ChildEnd end = run_case("VNODE_STATS=- timeout 60", "two counted teams end");
  CHECK(end.output.find("calls of a team of 2 nodes as full, process ") != std::string::npos);
}

TEST_CASE("a file that cannot be written is named before the first call, a disk that is full at the end") {
  const auto refused = [](const char* value) {
    const Variable set("VNODE_STATS", value);
    return said_by([] { vnode::Team(1, patient()); });
  };
  CHECK(refused("/nonexistent/x") ==
        "VNODE_STATS=/nonexistent/x: the file cannot be written: No such file or directory");
  CHECK(refused("/tmp/%x") == "VNODE_STATS=/tmp/%x: %p stands for the number of the process, %% for a %");
  CHECK(refused("a%").starts_with("VNODE_STATS=a%: %p stands for"));
  CHECK(refused("") == "VNODE_STATS is empty: it may be a file, or - for standard error");
  const StatisticsFile fifo("vnode_stats_fifo_");
  REQUIRE(mkfifo(fifo.path().c_str(), 0600) == 0);
  const ChildEnd unread = run_case("VNODE_STATS=" + fifo.path() + " timeout 60", "two counted teams end");
  CHECK(unread.output.find("VNODE_STATS=" + fifo.path() +
                           ": the file cannot be written: it is a FIFO, or a device, that nobody reads") !=
        std::string::npos);
  // Who reads it gets all.
  const ChildEnd read = run_case(
      "cat " + fifo.path() + " & exec 9>" + fifo.path() + "; VNODE_STATS=" + fifo.path() + " timeout 60",
      "two counted teams end");
  CHECK(read.output.find("\"nodes\":1") != std::string::npos);
  CHECK(read.output.find("\"nodes\":2") != std::string::npos);
  const ChildEnd end = run_case("VNODE_STATS=/dev/full timeout 60", "two counted teams end");
  CHECK(end.status == 0);
  const std::string sentence =
      "vnode: VNODE_STATS=/dev/full: the statistics of a team cannot be written: No space left on device\n";
  CHECK(end.output.find(sentence) != std::string::npos);
  CHECK(end.output.find(sentence) == end.output.rfind(sentence));
}
