// Tests vnode stats: what a team has counted, beside what is predicted.
#include <algorithm>
#include <cstdio>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <vnode/lab/statistics_json.hpp>
#include <vnode/vnode.hpp>

#include "program.hpp"

using namespace vnode;

namespace {

/// Is a file of this text for as long as it lives.
class Written {
 public:
  explicit Written(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("vnode_stats_test_" + std::to_string(getpid()) + "_" + std::to_string(++written()))) {
    std::ofstream(path_) << text;
  }
  ~Written() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  static int& written() {
    static int count = 0;
    return count;
  }
  std::filesystem::path path_;
};

CallStatistics row(const std::string& operation, const std::string& algorithm, int group, std::size_t bytes,
                   std::uint64_t calls) {
  CallStatistics made{.operation = operation, .algorithm = algorithm, .group = group, .up_to_bytes = bytes};
  made.calls = calls;
  made.bytes = bytes * calls;
  made.seconds = 4e-6 * static_cast<double>(calls);
  made.waiting = 1e-6 * static_cast<double>(calls);
  made.least = 1.5e-6;
  made.longest = 2e-3;
  made.awaited = 3;
  made.awaited_seconds = 1e-4;
  made.last = 2;
  made.nodes = {{0, calls, made.bytes, made.seconds / 2, made.waiting / 2},
                {1, calls, made.bytes, made.seconds / 2, made.waiting / 2}};
  return made;
}

/// Of 8 nodes, a linear broadcast where a better one is to be had, a group, and what has no prediction.
Statistics example() {
  Statistics all{.on = true,
                 .process = 1234,
                 .began = "2026-11-21T19:30:00Z",
                 .seconds = 1.5,
                 .nodes = 8,
                 .topology = "full",
                 .costs = CostModel{.t_s = 1e-7, .t_w = 1e-10, .t_op = 1e-10, .o = 5e-8}};
  all.groups = {{.nodes = {0, 1, 2, 3, 4, 5, 6, 7}, .topology = "full"},
                {.nodes = {0, 2, 3}, .topology = "ring"}};
  all.rows = {row("broadcast", "broadcast_linear", 0, 1024, 1000),
              row("all_reduce", "all_reduce_ring", 1, 8, 10),
              row("broadcast", "a schedule of ours", 0, 8, 1),
              row("send", "", 0, 64, 7),
              row("split", "", 0, 0, 2),
              row("gather", "gather_linear", 0, 0, 5)};
  all.rows.back().varying = true;
  return all;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("vnode stats shows calls beside what is predicted, and what another algorithm would have taken") {
  const Written file(example().json());
  const Ran ran = run("stats " + file.path());
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(ran.errors.empty());
  CHECK(
      ran.output.starts_with("8 nodes as full, process 1234, 1.500 s since 2026-11-21T19:30:00Z\n"
                             "predicted by costs of the team\n\noperation "));
  CHECK(ran.output.find("\nbroadcast of 1024 bytes on nodes all: broadcast_linear was used, ") !=
        std::string::npos);
  CHECK(ran.output.find(" in 1000 calls\n") != std::string::npos);
  CHECK(ran.output.find("gather, varying") != std::string::npos);
  CHECK(ran.output.find("0,2-3") != std::string::npos);
  CHECK(ran.output.find("in all, as predicted: ") != std::string::npos);
  CHECK(count_of(ran.output, "a schedule of ours") == 1);
}

TEST_CASE("in JSON and CSV vnode stats says the same as the choice explains") {
  const Written file(example().json() + "\n" + example().json());
  const auto json = json_of("stats " + file.path());
  REQUIRE(json.size() == 12);
  const auto& linear = json[0];
  CHECK(linear["calls"] == 1000);
  CHECK(linear["mean_us"].get<double>() == doctest::Approx(2));
  CHECK(linear["least_us"].get<double>() == doctest::Approx(1.5));
  CHECK(linear["better"] == true);
  CHECK(json[6]["team"] == 1);
  const auto explained =
      json_of("explain broadcast --nodes 8 --bytes 1K --ts 100 --tw 0.1 --top 0.1 --tput 0 --overhead 50");
  bool found = false;
  for (const auto& candidate : explained["candidates"]) {
    if (candidate["algorithm"] == "broadcast_linear")
      CHECK(linear["predicted_us"].get<double>() ==
            doctest::Approx(candidate["seconds"].get<double>() * 1e6));
    if (candidate["chosen"] == true) {
      found = true;
      CHECK(linear["best"] == candidate["algorithm"]);
      CHECK(linear["best_predicted_us"].get<double>() ==
            doctest::Approx(candidate["seconds"].get<double>() * 1e6));
    }
  }
  CHECK(found);
  const auto& own = json[2];
  CHECK(own["predicted_us"].is_null());
  CHECK(own["best_predicted_us"].is_number());
  CHECK(json[3]["predicted_us"].get<double>() == doctest::Approx((1 + 64.0 / 1024) * 0.1 + 64 * 1e-4));
  CHECK(json[4]["predicted_us"].is_null());
  CHECK(json[5]["best"] == "");
  CHECK(json[5]["varying"] == true);
  const std::vector<CsvRow> csv = csv_of("stats " + file.path());
  REQUIRE(csv.size() == 12);
  std::vector<std::string> named = keys(linear), columns;
  for (const auto& [name, value] : csv[0]) columns.push_back(name);
  std::ranges::sort(named);
  std::ranges::sort(columns);
  CHECK(named == columns);
  CHECK(csv[0].at("operation") == "broadcast");
  CHECK(csv[0].at("group") == "all");
  CHECK(csv[1].at("group") == "0,2-3");
  CHECK(csv[1].at("group_topology") == "ring");
}

TEST_CASE("of circular shifts, whose distances are not counted, vnode stats predicts nothing") {
  Statistics shifts = example();
  shifts.rows = {row("circular_shift", "circular_shift_mesh", 0, 40960, 10),
                 row("circular_shift", "circular_shift_ring", 1, 40960, 10)};
  const Written file(shifts.json());
  for (const auto& shift : json_of("stats " + file.path())) {
    CHECK(shift["predicted_us"].is_null());
    CHECK(shift["best_predicted_us"].is_null());
    CHECK(shift["best"] == "");
  }
  const std::string text = run("stats " + file.path()).output;
  CHECK(text.ends_with("there is no prediction of what another algorithm would have taken\n\n"));
  shifts.rows.push_back(row("broadcast", "broadcast_binomial", 0, 8, 1000));
  const Written more(shifts.json());
  CHECK(count_of(run("stats " + more.path()).output, "there is no prediction") == 0);
}

TEST_CASE("vnode stats reads what teams have written, of several files, and takes other costs if given") {
  const Written file("");
  {
    const Variable set("VNODE_STATS", file.path().c_str());
    for (int nodes = 1; nodes <= 2; ++nodes) {
      Team team(nodes);
      team.run([](Node& me) {
        std::vector<int> x(100);
        for (int i = 0; i < 3; ++i) me.broadcast(x, 0, {.algorithm = "broadcast_binomial"});
      });
    }
  }
  const Ran ran = run("stats " + file.path() + " " + file.path());
  CHECK(ran.status == 0);
  CHECK(count_of(ran.output, "1 node as full, process " + std::to_string(getpid())) == 2);
  CHECK(count_of(ran.output, "2 nodes as full, process ") == 2);
  const auto json = json_of("stats --ts 1000 --tw 1 --top 1 --tput 1 --overhead 0 " + file.path());
  REQUIRE(json.size() == 2);
  CHECK(json[0]["predicted_us"].is_null());  // one node alone
  CHECK(json[1]["calls"] == 3);
  CHECK(json[1]["predicted_us"].get<double>() > 1.4);
  CHECK(run("stats --ts 1000 " + file.path()).output.find("t_s as given, the others") != std::string::npos);
}

TEST_CASE("what vnode stats cannot read is named by file, line and place") {
  check_refused("stats", "FILE is required (see vnode stats --help)");
  check_refused("stats /nonexistent", "/nonexistent");
  check_refused("stats /dev/null", "/dev/null: it has no statistics: a program that runs with VNODE_STATS=");
  check_refused("stats /dev/zero", "/dev/zero: it has more than 256 MiB");
  const Written text(example().text());
  check_refused(
      "stats " + text.path(),
      text.path() +
          ": it is a table for people: `vnode stats` reads the JSON of VNODE_STATS=FILE, whose name "
          "does not end in .txt");
  const Written nonsense("calls");
  check_refused("stats " + nonsense.path(), nonsense.path() + ", statistics of line 1, line 1, column 1");
  std::string wrong = example().json();
  wrong.replace(wrong.find("\"calls\":1000"), 12, "\"calls\":-100");
  const Written second(example().json() + wrong);
  check_refused("stats " + second.path(),
                ", statistics of line 2, rows[0].calls: expected a whole number from 0 to "
                "9.00719925474099e+15, not -100");
  Statistics strange = example();
  strange.groups[1].topology = "moebius";
  const Written unknown(strange.json());
  check_refused("stats " + unknown.path(), "moebius");
  const Written good(example().json());
  const Ran full = run("stats " + good.path() + " >/dev/full");
  CHECK(full.status == 2);
  CHECK(full.errors.find("standard output: No space left on device") != std::string::npos);
}
