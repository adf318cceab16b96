#include <cerrno>
#include <cstdio>
#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/syscall.h>

#include "numa/kernel.hpp"
#include "numa/memory/banks.hpp"
#include "unit/tools/program.hpp"

using Json = nlohmann::ordered_json;

namespace {

const std::string file = "/tmp/vnode-campaign.json", results = "/tmp/vnode-results.json";
const std::string call = "place --campaign " + file + " --output " + results;

/// Nothing of this machine's speed is read, which means nothing in an emulator.
constexpr const char* lists = R"({"name": "guest", "ts": 100, "tw": 0.1, "top": 0.03, "bank_bandwidth": 10,
  "repeats": 2, "experiments": [
   {"collective": "broadcast", "algorithms": ["broadcast_rotated"], "nodes": [4], "topologies": ["hypercube"],
    "mappings": ["scatter"], "banks": "all", "bytes": ["256K"]},
   {"collective": "all_gather", "nodes": [3], "topologies": ["ring"], "mappings": ["compact"],
    "banks": ["owner", "peer"], "bytes": ["32K"]}]})";
/// Pages of all nodes' messages: of the broadcasts, and of the all-gathers, which have 3 m beside m.
constexpr std::size_t broadcast_pages = 4 * 64, all_gather_pages = 3 * (8 + 3 * 8);

Json read_results() { return Json::parse(std::ifstream(results)); }

Json campaign() {
  std::ofstream(file) << lists;
  std::remove(results.c_str());
  const Ran ran = run(call);
  CAPTURE(ran.errors);
  REQUIRE(ran.status == 0);
  return read_results();
}

}  // namespace

TEST_CASE("a campaign measures all experiments, and every page lies on the bank asked for") {
  const Json json = campaign();
  CHECK(json["machine"]["measured"] == true);
  CHECK(json["machine"]["banks"] == kernel::numas().size());
  REQUIRE(json["outcomes"].size() == 7);
  for (std::size_t i = 0; i < 7; ++i) {
    const Json& outcome = json["outcomes"][i];
    CAPTURE(outcome.dump());
    CHECK(outcome["not_measured"] == "");
    CHECK(outcome["degraded"].empty());
    REQUIRE(outcome["measured"].is_object());
    CHECK(outcome["pages"]["elsewhere"] == 0);
    CHECK(outcome["pages"]["as_asked"].get<std::size_t>() >= (i < 5 ? broadcast_pages : all_gather_pages));
  }
}

TEST_CASE("a campaign goes on with the results that there are") {
  const Json whole = campaign();
  Json part = whole;
  part["outcomes"].erase(part["outcomes"].begin() + 5, part["outcomes"].end());
  std::ofstream(results) << part.dump();
  REQUIRE(run(call).status == 0);
  const Json again = read_results();
  REQUIRE(again["outcomes"].size() == 7);
  for (std::size_t i = 0; i < 5; ++i) CHECK(again["outcomes"][i] == whole["outcomes"][i]);
  for (std::size_t i = 5; i < 7; ++i) CHECK(again["outcomes"][i]["pages"]["elsewhere"] == 0);
}

// The owners touch what should lie beside their peers.
TEST_CASE("where the system binds no memory, that is told, and pages are counted elsewhere") {
  const std::string text = in_a_process([] {
    if (!refuse(SYS_mbind, EPERM)) return std::string("no filters here");
    return run("place --collective broadcast --algorithm broadcast_rotated --nodes 4 --topology hypercube "
               "--mapping scatter --banks peer --bytes 256K --repeats 2 --format json")
        .output;
  });
  CAPTURE(text);
  const Json json = Json::parse(text, nullptr, false);
  REQUIRE_FALSE(json.is_discarded());
  const Json& outcome = json["outcomes"][0];
  CHECK(outcome["measured"].is_object());
  CHECK(outcome["degraded"].size() >= 1);
  CHECK(outcome["pages"]["elsewhere"].get<std::size_t>() >= broadcast_pages / 2);
}
