#include <algorithm>
#include <csignal>
#include <doctest/doctest.h>
#include <filesystem>

#include "campaign.hpp"
#include "program.hpp"
#include "two_pus.hpp"

namespace {

/// Results with the first `count` outcomes only, as an interrupted campaign leaves them.
Json cut(const std::string& file, std::size_t count) {
  Json json = Json::parse(text_of(file));
  json["outcomes"].erase(json["outcomes"].begin() + static_cast<std::ptrdiff_t>(count),
                         json["outcomes"].end());
  write(file, json.dump());
  return json;
}

/// Returns the same with 80000 experiments.
std::string many(const ConfigFolder& folder) {
  const std::string lists = campaign(folder);
  std::string text = text_of(lists), sizes = "8";
  for (int i = 1; i < 20000; ++i) sizes += ", " + std::to_string(8 + i);
  text.replace(text.find("\"64K\", \"1M\""), 11, sizes);
  write(lists, text);
  return lists;
}

/// Begins of a shell's command: a campaign in the background, as $pid, which has kept a result already.
std::string in_background(const std::string& arguments, const std::string& file) {
  return "place " + arguments + " --output " + file + " > /dev/null & pid=$!; while [ ! -s " + file +
         " ] && kill -0 $pid; do sleep 0.05; done; ";
}

Names files_in(const ConfigFolder& folder) {
  Names names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("")))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

TEST_CASE("place: a campaign keeps its results, and goes on from where it was cut") {
  const ConfigFolder folder;
  const std::string file = folder.path("results.json");
  const std::string call = "place --campaign " + campaign(folder) + " --output " + file;
  const Ran first = run(call);
  CAPTURE(first.errors);
  REQUIRE(first.status == 0);
  CHECK(has(first.output, "small: 8 experiments\n"));
  const Json whole = Json::parse(text_of(file));
  REQUIRE(whole["outcomes"].size() == 8);
  const Json part = cut(file, 3);
  CHECK(run("place --report " + file).output.find("8 experiments, 3 of them done") != std::string::npos);
  REQUIRE(run(call).status == 0);
  const Json again = Json::parse(text_of(file));
  REQUIRE(again["outcomes"].size() == 8);
  CHECK(again["begun"] == whole["begun"]);
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(again["outcomes"][i]["predicted"] == whole["outcomes"][i]["predicted"]);
    if (i < 3) CHECK(again["outcomes"][i] == part["outcomes"][i]);
  }
}

TEST_CASE("place: results of another campaign, machine or version are refused, and stay as they are") {
  const ConfigFolder folder;
  const std::string file = folder.path("results.json");
  const std::string call = "place --campaign " + campaign(folder) + " --output " + file;
  REQUIRE(run(call).status == 0);
  const std::string before = text_of(file);
  campaign(folder, R"("repeats": 7, )");
  check_refused(call, "its results are of another campaign, \"small\"");
  CHECK(text_of(file) == before);
  campaign(folder);
  for (const auto& [key, sentence] : {std::pair{"version", "its results are of vnode other"},
                                      std::pair{"digest", "its results are of another machine"}}) {
    Json json = Json::parse(before);
    (std::string(key) == "version" ? json["version"] : json["machine"]["digest"]) = "other";
    write(file, json.dump());
    check_refused(call, sentence);
  }
  write(file, "{}");
  check_refused(call, "results.json: results, version: missing");
}

TEST_CASE("place: the campaign of the examples is carried out") {
  const auto json = json_of("place --campaign " VNODE_SCHEDULES "/../campaigns/all_port_simulated.json");
  CHECK(json["outcomes"].size() == 90);
  for (const auto& outcome : json["outcomes"]) CHECK(outcome["predicted"].is_number());
}

TEST_CASE("place: an interrupted campaign leaves a file that goes on") {
  const ConfigFolder folder;
  const std::string file = folder.path("results.json");
  const Ran ran = run(in_background("--campaign " + many(folder), file) + "kill -TERM $pid; wait $pid");
  CAPTURE(ran.errors);
  CHECK(ran.status == 2);
  CHECK(has(ran.errors, "interrupted after "));
  CHECK(has(ran.errors, " of 80000 experiments"));
  const Json json = Json::parse(text_of(file));
  CHECK(json["outcomes"].size() > 0);
  CHECK(has(ran.errors, "after " + std::to_string(json["outcomes"].size()) + " of"));
  CHECK(files_in(folder) == Names{"campaign.json", "results.json"});
}

// A shell has its jobs in the background ignore SIGINT.
TEST_CASE("place: a signal that is ignored does not interrupt a campaign") {
  const ConfigFolder folder;
  const Ran ran =
      run(in_background("--campaign " + many(folder), folder.path("results.json")) +
          "kill -INT $pid; sleep 0.3; kill -0 $pid && echo it goes on; kill -TERM $pid; wait $pid");
  CAPTURE(ran.errors);
  CHECK(ran.output == "it goes on\n");
  CHECK(ran.status == 2);
}

TEST_CASE("place: the second signal ends a campaign in the middle of an experiment") {
  const TwoPus machine("numa:2 core:1");
  if (!machine) return;
  const ConfigFolder folder;
  const std::string file = folder.path("results.json");
  write(folder.path("campaign.json"), R"({"name": "short and long", "repeats": 20000, "experiments": [
    {"collective": "broadcast", "nodes": [2], "bytes": [64, "8M"]}]})");
  const Ran ran =
      run(in_background("--campaign " + folder.path("campaign.json"), file) +
          "kill -TERM $pid; sleep 0.3; kill -0 $pid && echo it goes on; kill -TERM $pid; wait $pid");
  CAPTURE(ran.errors);
  CHECK(ran.output == "it goes on\n");
  CHECK(ran.status == 128 + SIGTERM);
  const std::string before = text_of(file);
  CHECK(Json::parse(before)["outcomes"].size() == 1);
}

TEST_CASE("place: two processes do not write the results of one campaign") {
  const ConfigFolder folder;
  const std::string file = folder.path("results.json"), lists = many(folder);
  const Ran ran = run(in_background("--campaign " + lists, file) + VNODE_PROGRAM " place --campaign " +
                      lists + " --output " + file + "; echo status $?; kill -TERM $pid; wait $pid");
  CAPTURE(ran.errors);
  CHECK(ran.output == "status 2\n");
  CHECK(ran.status == 2);
  CHECK(has(ran.errors, "vnode: another process is writing " + file));
  CHECK(has(ran.errors, "interrupted after "));
}

TEST_CASE("place: what is left of an interrupted process is used up, and results keep their permissions") {
  const ConfigFolder folder;
  const std::string file = folder.path("results.json");
  const std::string call = "place --campaign " + campaign(folder) + " --output " + file;
  const std::string much(1 << 20, 'x');
  write(file + ".new", much);
  write(file + ".lock", much);
  REQUIRE(run(call).status == 0);
  CHECK(Json::parse(text_of(file))["outcomes"].size() == 8);
  using std::filesystem::perms;
  const perms own = perms::owner_read | perms::owner_write;
  std::filesystem::permissions(file, own);
  cut(file, 3);
  REQUIRE(run(call).status == 0);
  CHECK(Json::parse(text_of(file))["outcomes"].size() == 8);
  CHECK(std::filesystem::status(file).permissions() == own);
  CHECK(files_in(folder) == Names{"campaign.json", "results.json"});
}

TEST_CASE("place: what there is no memory for is told, and the campaign goes on") {
  const TwoPus machine("numa:2(memory=64GB) core:1");
  if (!machine) return;
  const std::string limited = "--version > /dev/null; ulimit -v 1500000; " VNODE_PROGRAM " ";
  if (run(limited + "--version").status != 0) return;  // AddressSanitizer itself needs more
  const auto json = json_of(limited +
                            "place --collective broadcast --algorithm broadcast_binomial --nodes 2 --bytes "
                            "64K,1G,128K --repeats 3");
  REQUIRE(json["outcomes"].size() == 3);
  CHECK(json["outcomes"][0]["not_measured"] == "");
  CHECK(json["outcomes"][1]["not_measured"] == "there is not enough memory for it");
  CHECK(json["outcomes"][2]["measured"].is_object());
}

TEST_CASE("place: what changes measurements is recorded, and results of another environment are refused") {
  const TwoPus machine("numa:2 core:1");
  if (!machine) return;
  const ConfigFolder folder;
  const std::string lists = folder.path("campaign.json"), file = folder.path("results.json");
  write(lists, R"({"name": "small", "repeats": 2, "experiments": [
                   {"collective": "broadcast", "nodes": [2], "bytes": ["64K"]}]})");
  const std::string call = "place --campaign " + lists + " --output " + file;
  {
    const Variable wait("VNODE_WAIT", "yield"), channel("VNODE_CHANNEL", "boost");
    const Ran ran = run(call);
    CHECK(ran.status == 0);
    CHECK(has(ran.output, "environment: VNODE_CHANNEL=boost VNODE_WAIT=yield\n"));
    CHECK(Json::parse(text_of(file))["environment"] == Json{"VNODE_CHANNEL=boost", "VNODE_WAIT=yield"});
  }
  check_refused(
      call, "it was measured with VNODE_CHANNEL=boost VNODE_WAIT=yield in the environment, now there is no");
}

TEST_CASE("place: predictions from another profile are refused, wherever it differs") {
  const ConfigFolder folder;
  const std::string profile = folder.path("mine.json"), file = folder.path("results.json");
  const std::string head = R"({"name": "mine", "machine": "any", "when": "", "banks": [], "links": [], )";
  const std::string pairs = R"("pairs": {"same_core": {"t_s": 1e-7, "t_w": 1e-10, "L": 1e-7, "o": 1e-8,
    "g": 1e-8, "G": 1e-10, "t_op": 1e-10, "t_put": )";
  write(profile, head + pairs + "1e-10}}}");
  const std::string lists = folder.path("campaign.json");
  write(lists, R"({"name": "small", "machine": "numa:2 core:2 pu:1", "profile": ")" + profile +
                   R"(", "experiments": [{"collective": "broadcast", "nodes": [2], "bytes": ["64K"]}]})");
  const std::string call = "place --campaign " + lists + " --output " + file;
  const Ran ran = run(call);
  CAPTURE(ran.errors);
  REQUIRE(ran.status == 0);
  CHECK(run(call).status == 0);
  write(profile, head + pairs + "2e-10}}}");
  check_refused(call, "its predictions start from other costs");
}
