#include "campaign/results.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <string>

#include <vnode/error.hpp>
#include <vnode/version.hpp>

using namespace vnode;

namespace {

Results some_results() {
  Results results;
  results.campaign.name = "some";
  results.campaign.experiments = {{.collective = Collective::all_gather,
                                   .nodes = {4},
                                   .banks = {Banks::one, Banks::spread},
                                   .bytes = {1000}}};
  results.version = version();
  results.kernel = "Linux 6.1";
  results.begun = "2026-11-21T19:30:00Z";
  results.environment = {"VNODE_WAIT=spin"};
  results.machine = record_of(Machine::from_synthetic("numa:4 core:2 pu:1"));
  results.costs = {.t_s = 1e-7,
                   .t_w = 1e-10,
                   .t_op = 3e-11,
                   .source = "given",
                   .bank_bandwidth = {1e10, 1e10, 1e10, 1e10},
                   .bandwidth_source = "given",
                   .digest = digest("all costs")};
  results.outcomes = {{.algorithm = "all_gather_ring",
                       .segments = 1,
                       .predicted = 1e-6,
                       .need = {.bank = 0, .streams = 8, .feeds = 1, .factor = 8, .holds = false},
                       .measured = MeasuredTimes{2e-6, 1.5e-6, 3e-6, 31, 2},
                       .pages = PagesFound{100, 3, 1},
                       .degraded = {"mbind: \"no\""},
                       .when = "2026-11-21T19:31:00Z"},
                      {.refused = "it cannot be", .when = "2026-11-21T19:32:00Z"}};
  return results;
}

void check_refused(std::string text, const std::string& part, const std::string& instead,
                   const std::string& sentence) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  text.replace(at, part.size(), instead);
  CHECK_THROWS_WITH_AS(results_from_json(text), doctest::Contains(sentence.c_str()), UsageError);
}

}  // namespace

TEST_CASE("results that are written are read as the same") {
  Results results = some_results();
  CHECK(results_from_json(to_json(results)) == results);
  results.outcomes.pop_back();
  CHECK(results_from_json(to_json(results)) == results);
  results.outcomes.clear();
  CHECK(results_from_json(to_json(results)) == results);
}

TEST_CASE("what is not results is refused by its key") {
  const std::string text = to_json(some_results());
  check_refused(text, "\"kernel\"", "\"kernels\"", "results, kernels: no such key");
  check_refused(text, "\"version\"", "\"versions\"", "results, version: missing");
  check_refused(
      text, "banks one", "banks owner",
      "results, outcomes[0].experiment: expected \"all_gather by the algorithm chosen, 4 nodes, full, "
      "compact, banks one, 1000\", by the campaign");
  check_refused(text, "\"holds\": false", "\"holds\": 0",
                "outcomes[0].need.holds: expected true or false, not 0");
  check_refused(text, "\"calls\": 31", "\"calls\": -1", "outcomes[0].measured.calls");
  check_refused(text, "all_gather\",", "all_to_none\",", "campaign, experiments[0].collective");
  Results more = some_results();
  more.campaign.experiments.front().banks.pop_back();
  more.outcomes.pop_back();
  std::string one_too_many = to_json(more);
  const std::size_t end = one_too_many.rfind("]");
  one_too_many.insert(end, ", {}");
  CHECK_THROWS_WITH_AS(results_from_json(one_too_many), "results, outcomes: 2 of 1 experiments", UsageError);
}

TEST_CASE("results of another version are read if they have the same keys, and else refused by the version") {
  Results other = some_results();
  other.version = "9.9.9";
  const std::string text = to_json(other);
  CHECK(results_from_json(text) == other);
  const std::string sentence =
      "results, version: expected those of vnode " + std::string(version()) + ", not \"9.9.9\"";
  check_refused(text, "\"kernel\"", "\"kernels\"", sentence);
  check_refused(text, "\"collective\"", "\"collectives\"", sentence);
}

TEST_CASE("bandwidth counts all that a node has in the end, as vnode-bench does") {
  CHECK(bandwidth({.collective = Collective::broadcast, .nodes = 4, .bytes = 1000}, 1e-6) ==
        doctest::Approx(1e9));
  CHECK(bandwidth({.collective = Collective::all_reduce, .nodes = 4, .bytes = 1000}, 1e-6) ==
        doctest::Approx(1e9));
  CHECK(bandwidth({.collective = Collective::all_gather, .nodes = 4, .bytes = 1000}, 1e-6) ==
        doctest::Approx(4e9));
}

TEST_CASE("results go on only of the same campaign, machine, environment, version and costs") {
  const Results old = some_results();
  Results fresh = old;
  fresh.outcomes.clear();
  fresh.begun = "2027-01-01T00:00:00Z";
  fresh.kernel = "Linux 7";
  CHECK(why_not_resumed(old, fresh).empty());
  Results other = fresh;
  other.version = old.version + ".1";
  CHECK(why_not_resumed(old, other) ==
        "its results are of vnode " + old.version + ", this is " + other.version);
  other = fresh;
  other.campaign.repeats = 1;
  CHECK(why_not_resumed(old, other).starts_with("its results are of another campaign, \"some\""));
  other = fresh;
  other.machine = record_of(Machine::from_synthetic("numa:4 core:4 pu:1"));
  CHECK(why_not_resumed(old, other).starts_with("its results are of another machine, numa:4 core:2 pu:1"));
  other = fresh;
  other.costs.t_s = 1;
  CHECK(why_not_resumed(old, other).starts_with("its predictions start from other costs, given"));
  other = fresh;
  other.costs.digest = digest("other costs");
  CHECK(why_not_resumed(old, other).starts_with("its predictions start from other costs, given"));
  other = fresh;
  other.environment.clear();
  CHECK(why_not_resumed(old, other) ==
        "it was measured with VNODE_WAIT=spin in the environment, now there is no VNODE_ variable");
}

TEST_CASE("the digest is of the parts of a machine, not of their sizes in bytes") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 core:2 pu:2");
  CHECK(record_of(machine).digest.size() == 16);
  Machine other = machine;
  other.numas.front().bytes += 4096;
  CHECK(record_of(other).digest == record_of(machine).digest);
  other = machine;
  other.pus.front().allowed = false;
  CHECK(record_of(other).digest != record_of(machine).digest);
  other = machine;
  std::swap(other.numas[0].pus, other.numas[1].pus);
  CHECK(record_of(other).digest != record_of(machine).digest);
  CHECK(record_of(machine).banks == 4);
  CHECK_FALSE(record_of(machine).measured);
}
