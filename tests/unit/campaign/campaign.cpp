#include "campaign/campaign.hpp"

#include <doctest/doctest.h>
#include <string>

#include <vnode/error.hpp>

using namespace vnode;

namespace {

/// Returns a campaign's text with these keys in its one set of lists.
std::string with_lists(const std::string& keys) {
  return R"({"name": "c", "experiments": [{)" + keys + "}]}";
}

std::string with(const std::string& keys) {
  return R"({"name": "c", )" + keys +
         R"(, "experiments": [{"collective": "broadcast", "nodes": [2], "bytes": [1]}]})";
}

void check_refused(const std::string& text, const std::string& sentence) {
  CAPTURE(text);
  try {
    campaign_from_json(text);
    FAIL_CHECK("it is accepted");
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()) == sentence);
  }
}

}  // namespace

TEST_CASE("all combinations of the lists are experiments, the last list varying fastest") {
  const Campaign campaign = campaign_from_json(with_lists(
      R"("collective": "broadcast", "nodes": [2, 4], "topologies": ["ring"], "banks": ["one", "spread"],
         "bytes": ["1K", 5], "root": 1)"));
  const std::vector<Experiment> all = experiments(campaign);
  REQUIRE(all.size() == 8);
  CHECK(all[0] == Experiment{.nodes = 2, .topology = "ring", .banks = Banks::one, .bytes = 1024, .root = 1});
  CHECK(all[1] == Experiment{.nodes = 2, .topology = "ring", .banks = Banks::one, .bytes = 5, .root = 1});
  CHECK(all[2] ==
        Experiment{.nodes = 2, .topology = "ring", .banks = Banks::spread, .bytes = 1024, .root = 1});
  CHECK(all[7] == Experiment{.nodes = 4, .topology = "ring", .banks = Banks::spread, .bytes = 5, .root = 1});
}

TEST_CASE("what is not given is usual, extents are numbers of nodes, and all means every policy") {
  const Campaign campaign = campaign_from_json(with_lists(
      R"("collective": "scan", "topologies": ["mesh:2x3"], "mappings": "all", "banks": "all", "bytes": [8])"));
  CHECK(campaign.repeats == 31);
  CHECK(campaign.seed == 1);
  CHECK_FALSE(campaign.machine);
  const ExperimentLists& lists = campaign.experiments.front();
  CHECK(lists.algorithms == std::vector<std::string>{"auto"});
  CHECK(lists.nodes == std::vector<int>{6});
  CHECK(lists.mappings.size() > 5);
  CHECK(lists.banks.size() == all_banks().size());
  CHECK(campaign_from_json(
            with_lists(R"("collective": "scan", "topologies": ["mesh:2x3"], "banks": ["all"], "bytes": [8])"))
            .experiments.front()
            .banks == lists.banks);
}

TEST_CASE("a campaign that is written is read as the same") {
  const Campaign campaign = campaign_from_json(with(
      R"("about": "é\"", "machine": "numa:2 core:2 pu:1", "profile": "a", "ts": 0.1, "tw": 1e-3, "top": 3,
         "bank_bandwidth": 10.5, "link_bandwidth": 1e-6, "repeats": 2, "seed": 2147483647)"));
  CHECK(campaign_from_json(to_json(campaign)) == campaign);
  CHECK(*campaign.bank_bandwidth == 10.5);
}

TEST_CASE("whatever is wrong is named by its key") {
  check_refused("", "campaign, line 1, column 1: the text is not JSON, expected '[', '{', or a literal");
  check_refused("{\"name\":\n 1,}",
                "campaign, line 2, column 4: not JSON at \"1,}\", expected string literal");
  check_refused("[]", "campaign: expected an object, not []");
  check_refused(R"({"name": "a", "name": "b"})", "campaign: \"name\" is there twice");
  check_refused(R"({"experiments": []})", "campaign, name: missing");
  check_refused(R"({"name": "a"})", "campaign, experiments: missing");
  check_refused("{}", "campaign, name, experiments: missing");
  check_refused(R"({"name": "a", "experiments": [{"root": 0}]})",
                "campaign, experiments[0].collective, experiments[0].nodes, experiments[0].bytes: missing");
  check_refused(R"({"name": "a", "experiments": []})",
                "campaign, experiments: the list is empty: give at least one");
  check_refused(
      with(R"("seeds": 3)"),
      "campaign, seeds: no such key; there are name, about, machine, profile, latencies, ts, tw, top, "
      "bank_bandwidth, link_bandwidth, repeats, seed, experiments");
  check_refused(with(R"("repeats": 0)"),
                "campaign, repeats: expected a whole number from 1 to 1000000, not 0");
  check_refused(with(R"("repeats": 2.5)"),
                "campaign, repeats: expected a whole number from 1 to 1000000, not 2.5");
  check_refused(with(R"("ts": "fast")"), "campaign, ts: expected a number from 0 to 1e+09, not \"fast\"");
  check_refused(with(R"("bank_bandwidth": 0)"),
                "campaign, bank_bandwidth: expected a number from 1e-06 to 1e+06, not 0");
  check_refused(with(R"("seed": 1e400)"), "campaign, line 1, column 27: the number 1e400 is too large");
}

TEST_CASE("so is whatever is wrong in its lists") {
  const std::string usual = R"("collective": "broadcast", "nodes": [4], )";
  check_refused(with_lists(usual + R"("bytes": 8)"),
                "campaign, experiments[0].bytes: expected a list, not 8");
  check_refused(with_lists(usual + R"("bytes": [])"),
                "campaign, experiments[0].bytes: the list is empty: give at least one");
  check_refused(with_lists(usual + R"("bytes": [1024, "1K"])"),
                "campaign, experiments[0].bytes: 1K comes twice");
  check_refused(with_lists(usual + R"("bytes": ["1X"])"),
                "campaign, experiments[0].bytes[0]: '1X' is not a number of bytes such as 65536, 64K or 1M");
  check_refused(with_lists(usual + R"("bytes": [8], "banks": ["none"])"), [] {
    try {
      parse_banks("none");
    } catch (const UsageError& error) {
      return std::string("campaign, experiments[0].banks[0]: ") + error.what();
    }
    return std::string();
  }());
  check_refused(
      with_lists(usual + R"("bytes": [8], "algorithms": ["reduce_binomial"])"),
      "campaign, experiments[0].algorithms: reduce_binomial is an algorithm for reduce, not for broadcast");
  check_refused(with_lists(usual + R"("bytes": [8], "root": 4)"),
                "campaign, experiments[0].root: 4: with 4 nodes the ranks are 0 to 3");
  check_refused(with_lists(R"("collective": "scan", "nodes": [4], "bytes": [8], "root": 1)"),
                "campaign, experiments[0].root: scan has no root");
  check_refused(with_lists(R"("collective": "scan", "nodes": [4], "bytes": [12])"),
                "campaign, experiments[0].bytes: 12: doubles are combined, so it has to be a multiple of 8");
  check_refused(with_lists(R"("collective": "barrier", "nodes": [4], "bytes": [8])"),
                "campaign, experiments[0].collective: a barrier moves nothing from or to a bank");
  check_refused(with_lists(R"("collective": "broadcast", "nodes": [1], "bytes": [8])"),
                "campaign, experiments[0].nodes[0]: expected a whole number from 2 to 4096, not 1");
  check_refused(with_lists(R"("collective": "broadcast", "bytes": [8])"),
                "campaign, experiments[0].nodes: missing");
  CHECK_THROWS_WITH_AS(
      campaign_from_json(with_lists(usual + R"("bytes": [8], "mappings": ["compacted"])")),
      doctest::Contains("experiments[0].mappings: there is no mapping \"compacted\": compact, "), UsageError);
  CHECK_THROWS_WITH_AS(
      campaign_from_json(with_lists(R"("collective": "broadcast", "nodes": [6], "topologies": ["hypercube"],
                                       "bytes": [8])")),
      doctest::Contains("experiments[0].topologies: "), UsageError);
}

TEST_CASE("a text of an experiment names its root, unless that is 0") {
  const Experiment first{.nodes = 4, .bytes = 1024};
  CHECK(text(first) == "broadcast by the algorithm chosen, 4 nodes, full, compact, banks owner, 1K");
  Experiment other = first;
  other.root = 3;
  CHECK(text(other) == text(first) + ", root 3");
}

TEST_CASE("more than 100000 experiments are refused before they are made") {
  std::string bytes = "1", nodes = "2";
  for (int i = 2; i <= 400; ++i) bytes += ", " + std::to_string(i);
  for (int i = 3; i <= 300; ++i) nodes += ", " + std::to_string(i);
  const std::string lists =
      R"("collective": "broadcast", "nodes": [)" + nodes + R"(], "bytes": [)" + bytes + "]";
  check_refused(
      with_lists(lists),
      "campaign, experiments[0]: more than 100000 experiments: give fewer values, or several campaigns");
}
