#include <doctest/doctest.h>
#include <fmt/format.h>
#include <string>

#include <vnode/error.hpp>
#include <vnode/model/mapping_policy.hpp>

using namespace vnode;

namespace {

std::string refused(const Machine& machine, int nodes, const char* text) {
  try {
    mapping_by(machine, Topology(shapes::ring{}, nodes), text);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("every policy is found by its name, compact first and optimised last") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 core:2 pu:1");
  const Topology topology(shapes::hypercube{}, 4);
  CHECK(mapping_policies().front().name == "compact");
  CHECK(mapping_policies().back().name == "optimised");
  for (const MappingPolicy& policy : mapping_policies()) {
    CHECK(mapping_by(machine, topology, policy.name) == policy.map(machine, topology, {}));
    CHECK(policy.about != "");
  }
}

TEST_CASE("a list has the systems' numbers") {
  const Machine machine = Machine::from_synthetic("core:4 pu:2(indexes=0,4,1,5,2,6,3,7)");
  CHECK(mapping_by(machine, Topology(shapes::ring{}, 5), "4,0-2,7") ==
        Mapping{.pu = {1, 0, 2, 4, 7}, .own_core = false, .cores_used = 4});
}

TEST_CASE("what is no policy and no list is refused with what would be") {
  Machine machine = Machine::from_synthetic("core:2 pu:2(indexes=0,4,1,5)");
  CHECK(refused(machine, 2, "dense").starts_with("there is no mapping \"dense\": compact, scatter, "));
  CHECK(refused(machine, 2, "").find("or a list of PUs as 0,2,8-11 are possible") != std::string::npos);
  for (const char* text : {"0,", "0,,1", "1-0", "0-", "0;1", "0,-1", "0x1", "99999999999"}) {
    CAPTURE(text);
    CHECK(refused(machine, 2, text) == fmt::format("\"{}\" is not a list of PUs such as 0,2,8-11", text));
  }
  CHECK(refused(machine, 2, "0") == "\"0\" lists 1 PU: 2 nodes need 2");
  CHECK(refused(machine, 2, "0,1,4") == "\"0,1,4\" lists more PUs than there are nodes: 2");
  CHECK(refused(machine, 2, "0-2000000000") == "\"0-2000000000\" lists more PUs than there are nodes: 2");
  CHECK(refused(machine, 2, "0,2") ==
        "cannot put node 1 on PU 2: core:2 pu:2(indexes=0,4,1,5) has PUs 0-1,4-5");
  machine.pus[1].allowed = false;
  CHECK(refused(machine, 2, "0,4") == "cannot put node 1 on PU 4: the process may use PUs 0-1,5 only");
}
