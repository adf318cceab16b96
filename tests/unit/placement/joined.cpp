// Tests nodes of processes on several machines.
#include <doctest/doctest.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/machine_domains.hpp>
#include <vnode/model/placement.hpp>

using namespace vnode;

namespace {

using Groups = std::vector<std::vector<Rank>>;

}  // namespace

TEST_CASE("ranks go by process, then node, whatever machines the processes are on") {
  const std::vector<Machine> machines{Machine::from_synthetic("numa:2 core:2 pu:1"),
                                      Machine::from_synthetic("core:3 pu:1")};
  const std::vector<ProcessNodes> processes{
      {1, {.pu = {0, 2}}}, {0, {.pu = {3}}}, {1, {.pu = {1}}}, {0, {.pu = {0, 1, 2}}}};
  const Mapping mapping = joined(machines, processes);
  CHECK(mapping.pu == std::vector{4, 6, 3, 5, 0, 1, 2});
  CHECK(mapping.cores_used == 7);
  CHECK(mapping.own_core);
  const Machine all = joined(machines);
  CHECK(domains_of(all, mapping, DomainLevel::machine) == Groups{{0, 1, 3}, {2, 4, 5, 6}});
  CHECK(domains_of(all, mapping, DomainLevel::numa) == Groups{{0, 1, 3}, {2, 6}, {4, 5}});
}

TEST_CASE("all PUs of one machine are one domain, and those of several are one each") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 core:2 pu:1");
  CHECK(allowed_domains(machine, DomainLevel::machine).size() == 1);
  const Machine both = joined(std::vector{machine, machine});
  const std::vector<std::vector<int>> two = allowed_domains(both, DomainLevel::machine);
  REQUIRE(two.size() == 2);
  CHECK(two[0] == machine.allowed_pus());
  CHECK(two[1].front() == 8);
}

TEST_CASE("processes cannot be on machines or PUs that are not there") {
  const std::vector<Machine> machines{Machine::from_synthetic("core:2 pu:1")};
  const auto placed = [&](int machine, int pu) {
    return joined(machines, std::vector<ProcessNodes>{{machine, {.pu = {pu}}}});
  };
  CHECK(placed(0, 1).pu == std::vector{1});
  CHECK_THROWS_WITH_AS(placed(1, 0), "a process cannot run on machine 1: there are 1, from 0 on", UsageError);
  CHECK_THROWS_WITH_AS(placed(-1, 0), "a process cannot run on machine -1: there are 1, from 0 on",
                       UsageError);
  CHECK_THROWS_WITH_AS(placed(0, 2), "a node cannot run on PU 2 of machine 0: it has 2", UsageError);
}
