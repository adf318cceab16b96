#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>

#include "folder.hpp"
#include "machine_file.hpp"
#include "program.hpp"

TEST_CASE("topo shows this machine, or one that a text describes") {
  CHECK(json_of("topo")["this_system"] == true);
  const auto machine = json_of("topo --machine 'pack:2 numa:2 core:4 pu:1'");
  CHECK(machine["this_system"] == false);
  CHECK(machine["packages"].size() == 2);
  CHECK(machine["numas"].size() == 4);
  CHECK(machine["cores"].size() == 16);
  CHECK(json_of("topo --machine graviton3")["cores"].size() == 64);
  CHECK(run("topo --gallery").output.find("\ngraviton3 ") != std::string::npos);
}

TEST_CASE("topo tells of memory, kinds of cores and distances what hwloc's file tells") {
  const auto json = [](const std::string& name) { return json_of("topo --machine " + machine_file(name)); };
  const auto many = json("mcdram");
  CHECK(many["numas"][1]["kind"] == "MCDRAM");
  CHECK(many["numas"][0]["cache_bytes"] == 1 << 30);
  CHECK(many["memory_attributes"][0]["name"] == "Bandwidth");
  CHECK(many["memory_attributes"][0]["values"][2] ==
        nlohmann::ordered_json{{"numa", 1}, {"pus", {0, 1, 2, 3}}, {"value", 200000}});
  CHECK(many["numa_distances"]["source"] == "by levels");
  CHECK(json("four_nodes")["numa_distances"]["source"] == "reported by the system");
  CHECK(json("four_nodes")["matrices"].size() == 3);
  CHECK(json("hybrid")["kinds"][1]["properties"]["CoreType"] == "IntelCore");
  CHECK(json("hybrid")["cores"][5]["kind"] == 0);
  CHECK(json("disallowed")["offline"] == nlohmann::ordered_json{3, 7});
  CHECK(json("disallowed")["numas"][1]["allowed"] == false);
  CHECK(json("levels")["groups"].size() == 10);
}

TEST_CASE("topo writes the same for a person") {
  const auto check = [](const std::string& name, const std::vector<std::string>& parts) {
    const Ran ran = run("topo --machine " + machine_file(name));
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    for (const std::string& part : parts) {
      CAPTURE(part);
      CHECK(ran.output.find(part) != std::string::npos);
    }
  };
  check("mcdram",
        {"NUMA node 0, 24 GiB behind a cache of 1 GiB", "NUMA node 2, 4 GiB of MCDRAM, near PUs 0-3",
         "Bandwidth, MiB/s:", "NUMA node 2: 200000 from PUs 0-3", "(column), by levels:"});
  check("hybrid", {"kind of core 0, efficiency 0: PUs 4-7, CoreType IntelAtom, FrequencyMaxMHz 2600"});
  check("disallowed", {"(PUs 1-2,4)", "memory not allowed: of NUMA nodes 1", "offline: PUs 3,7"});
  check("four_nodes", {"(column), reported by the system:",
                       "bandwidth between parts of type NUMANode, BankBandwidth, "
                       "added by a user:",
                       "latency between parts of type PU, Ticks, added by a user:"});
  check("cpus_without_node", {"  no NUMA node that the system tells of"});
  check("packages_without_node", {"3 packages, 1 NUMA node, 6 cores"});
  CHECK(run("topo --machine " + machine_file("packages_without_node")).output.find("-1") ==
        std::string::npos);
  check("levels", {"groups: 8 x Die, 2 x Drawer"});
}

TEST_CASE("a file that makes no sense is refused in one line, without hwloc's") {
  const ConfigFolder folder;
  const std::string file = folder.path("wrong.xml");
  std::ofstream(file)
      << ("<topology version=\"2.0\"><object type=\"Machine\" cpuset=\"0x1\" "
          "complete_cpuset=\"0x1\" nodeset=\"0x1\" complete_nodeset=\"0x1\"><object type=\"NUMANode\" "
          "os_index=\"0\" "
          "cpuset=\"0x0\" complete_cpuset=\"0x0\" nodeset=\"0x0\" "
          "complete_nodeset=\"0x0\"/></object></topology>");
  const Ran ran = run("topo --machine " + file);
  CHECK(ran.status == 2);
  CHECK(ran.errors.starts_with("vnode: cannot read "));
  CHECK(std::ranges::count(ran.errors, '\n') == 1);
}
