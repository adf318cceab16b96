#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <numeric>

#include <vnode/model/profile.hpp>

#include "folder.hpp"
#include "program.hpp"

using Names = std::vector<std::string>;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Without the spaces that align columns.
std::string squeezed(std::string text) {
  const auto both_spaces = [](char a, char b) { return a == ' ' && b == ' '; };
  text.erase(std::unique(text.begin(), text.end(), both_spaces), text.end());
  return text;
}

const std::string four_banks = " --machine 'pack:2 numa:2 l3:1 core:4 pu:2' ";

}  // namespace

TEST_CASE("map: all policies side by side, with the least there can be, and why some cannot") {
  const Ran ran = run("map --topology mesh:4x8" + four_banks);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(has(ran.output, "mesh:4x8 on pack:2 numa:2 l3:1 core:4 pu:2\n"));
  CHECK(has(ran.output, "by levels"));
  CHECK(has(squeezed(ran.output), "\ncompact 404 (264) 24 (12) 24 (12) 8 (4) 8 20\n"));
  CHECK(has(squeezed(ran.output), "\nmesh_blocks 264 (264) 12 (12) 12 (12) 4 (4) 4 20\n"));
  CHECK(has(ran.output, "\nnot possible:\n  one_per_l3: cannot put 32 nodes"));
  CHECK(has(ran.output, "\n  subcubes: subcubes needs a hypercube: mesh has no sub-cubes\n"));
}

TEST_CASE("map: some policies, by a list") {
  const Ran ran = run("map --topology ring --nodes 16 --mapping compact,scatter --machine epyc_7773x");
  CHECK(has(squeezed(ran.output), "\ncompact 62 (62) 2 (2)"));
  CHECK(has(squeezed(ran.output), "\nscatter 104 (104) 8 (8)"));
  CHECK_FALSE(has(ran.output, "mesh_blocks"));
  check_refused("map --nodes 4 --mapping compact,nowhere", "there is no mapping \"nowhere\"");
}

TEST_CASE("map: one policy with the place of every node, as the system numbers it") {
  const Ran ran = run(
      "map --nodes 3 --mapping round_robin_package --machine 'pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)'");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(ran.output.starts_with("full topology of 3 on pack:2 core:2 pu:2"));
  CHECK(has(squeezed(ran.output), "node PU core NUMA node package\n0 0 0 0 0\n1 2 2 0 1\n2 1 1 0 0\n"));
}

TEST_CASE("map: JSON has exactly these keys, and every policy is in one of two lists") {
  const auto json = json_of("map --topology hypercube --nodes 16" + four_banks);
  CHECK(keys(json) == Names{"machine", "topology", "nodes", "distances", "mappings", "refused"});
  CHECK(json["distances"] == "by levels");
  CHECK(json["nodes"] == 16);
  Names names;
  for (const auto& one : json["mappings"]) {
    CHECK(keys(one) == Names{"name", "pus", "os_indices", "own_core", "cores_used", "links", "weighted_hops",
                             "least_weighted_hops", "across_l3", "across_numa", "across_package",
                             "package_link_load", "dilation"});
    CHECK(keys(one["across_numa"]) == Names{"domains", "links", "least"});
    CHECK(one["pus"].size() == 16);
    names.push_back(one["name"]);
    if (one["name"] == "subcubes") {
      CHECK(one["across_numa"]["links"] == 16);
      CHECK(one["across_numa"]["least"] == 16);
      CHECK(one["across_package"]["links"] == 8);
    }
  }
  for (const auto& one : json["refused"]) names.push_back(one["name"]);
  std::ranges::sort(names);
  CHECK(names == Names{"compact", "mesh_blocks", "one_per_l3", "one_per_numa", "optimised", "ring_order",
                       "round_robin_l3", "round_robin_numa", "round_robin_package", "scatter", "subcubes"});
}

TEST_CASE("map: a list is shown, too, and the seed decides what the search finds") {
  const auto json = json_of("map --topology ring --nodes 4 --mapping 5,0-2 --machine 'numa:2 core:4 pu:1'");
  CHECK(json["mappings"][0]["os_indices"] == std::vector<int>{5, 0, 1, 2});
  CHECK(json["mappings"][0]["across_numa"]["links"] == 2);
  const std::string search =
      "map --topology torus:5x5 --mapping optimised --seed 3 --machine 'numa:3 core:9 pu:1'";
  CHECK(json_of(search) == json_of(search));
  CHECK(json_of(search + " --budget 5")["mappings"].size() == 1);
}

TEST_CASE("map: a picture of the machine with the ranks and the metrics") {
  const Ran ran = run("map --topology hypercube --nodes 16 --mapping subcubes --format svg" + four_banks);
  CHECK(ran.status == 0);
  CHECK(has(ran.output, "<svg"));
  CHECK(has(ran.output, "hypercube of 16 on pack:2 numa:2 l3:1 core:4 pu:2, subcubes"));
  CHECK(has(ran.output, "links (at least) between L3s 16 (16), NUMA nodes 16 (16), packages 8 (8)"));
}

TEST_CASE("map: 2048 nodes on 8 x 8 x 16 x 2 PUs") {
  const auto json = json_of(
      "map --topology hypercube --nodes 2048 --mapping subcubes --machine 'pack:8 numa:8 core:16 pu:2'");
  std::vector<int> pus = json["mappings"][0]["pus"], all(2048);
  std::ranges::sort(pus);
  std::iota(all.begin(), all.end(), 0);
  CHECK(pus == all);
  CHECK(json["mappings"][0]["across_numa"]["links"] == 1024 * 6);
}

TEST_CASE("map: all mappings of 2048 nodes, and of twice as many") {
  const std::string machine = " --machine 'pack:8 numa:8 core:16 pu:2'";
  for (const std::string topology : {"hypercube --nodes 2048", "full --nodes 2048", "mesh --nodes 4096"}) {
    const auto json = json_of("map --topology " + topology + machine);
    CHECK(json["mappings"].size() + json["refused"].size() == 11);
  }
}

TEST_CASE("map: distances that a profile has measured, where the system reports none") {
  const ConfigFolder folder;
  const std::string banks = "pack:2 numa:2 core:2 pu:1";
  vnode::MachineProfile profile = vnode::typical_profile(vnode::Machine::from_synthetic(banks));
  double latency = 100e-9;
  for (auto& costs : profile.pairs)
    if (costs) costs->L = {latency *= 2, vnode::Origin::measured};
  const std::string file = folder.path("mine.json"),
                    call = "map --topology ring --nodes 8 --machine '" + banks + "' --mapping compact";
  std::ofstream(file) << to_json(profile);
  const auto json = json_of(call + " --profile " + file);
  CHECK(json["distances"] == "measured");
  // Inside a NUMA node 200 ns are 10, in a package 400 ns, and between packages 800 ns.
  CHECK(json["mappings"][0]["weighted_hops"] == 4 * 10 + 2 * 20 + 2 * 40);
  CHECK(json_of(call)["mappings"][0]["weighted_hops"] == 4 * 10 + 2 * 12 + 2 * 20);
}

TEST_CASE("map: what cannot be is said in one sentence, and the status is 2") {
  for (const auto& call : {
           std::pair{std::string("map"), std::string("the number of nodes is missing")},
           {"map --nodes 0", "expected a whole number from 1 to"},
           {"map --nodes 6 --topology hypercube",
            "a hypercube has a power of two of nodes, not 6: 4 or 8 would be right"},
           {"map --nodes 4 --mapping dense", "there is no mapping \"dense\": compact, "},
           {"map --nodes 4 --mapping subcubes", "subcubes needs a hypercube: full has no sub-cubes"},
           {"map --nodes 5 --mapping one_per_numa" + four_banks,
            "cannot put 5 nodes one on each numa domain"},
           {"map --nodes 4 --mapping 0,1" + four_banks, "\"0,1\" lists 2 PUs: 4 nodes need 4"},
           {"map --nodes 2 --mapping 0,99" + four_banks, "cannot put node 1 on PU 99"},
           {"map --nodes 4 --format svg", "--format svg draws one mapping: give --mapping NAME"},
           {"map --nodes 4 --format png", "expected text, json, csv or svg"},
           {"map --nodes 4 --machine nonsense:3", "nonsense"},
           {"map --nodes 4 --machine nowhere.xml", "nowhere.xml"},
           {"map --nodes 4 --profile /nonexistent.json", "/nonexistent.json"},
           {"map --nodes 4 --seed x", "expected a whole number"},
           {"map --nodes 4 --budget 0", "expected a whole number from 1 to"},
           {"map --nodes 4 --output /nonexistent/map.txt", "/nonexistent/map.txt"},
       }) {
    CAPTURE(call.first);
    const Ran ran = run(call.first);
    CAPTURE(ran.errors);
    CHECK(ran.status == 2);
    CHECK(ran.output.empty());
    CHECK(ran.errors.starts_with("vnode: "));
    CHECK(has(ran.errors, call.second));
    CHECK(std::count(ran.errors.begin(), ran.errors.end(), '\n') == 1);
  }
}
