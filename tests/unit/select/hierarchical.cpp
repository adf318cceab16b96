// Tests hierarchical algorithms among the candidates.
#include <algorithm>
#include <doctest/doctest.h>
#include <string>

#include <vnode/error.hpp>
#include <vnode/model/machine_hierarchy.hpp>
#include <vnode/model/select.hpp>

#include "select/levels.hpp"

using namespace vnode;

namespace {

constexpr CostModel far{10e-6, 1e-9, 0.1e-9, 0.1e-9}, near{100e-9, 0.1e-9, 0.1e-9, 0.1e-9};

Demand demand(Collective collective, const char* hierarchy, std::size_t bytes) {
  Demand wanted{.collective = collective, .bytes = bytes};
  wanted.parameters.nodes = 16;
  wanted.parameters.segments = 0;
  wanted.parameters.extents = {4, 4};
  if (hierarchy != nullptr) {
    wanted.parameters.hierarchy = Hierarchy::parse(hierarchy, 16);
    wanted.near.assign(static_cast<std::size_t>(wanted.parameters.hierarchy.levels()), near);
  }
  return wanted;
}

Candidate of(const Demand& wanted, std::string_view name) {
  for (Candidate& candidate : candidates(wanted, Topology(shapes::full{}, 16), far))
    if (candidate.algorithm->name == name) return candidate;
  FAIL("no such candidate");
  return {};
}

}  // namespace

TEST_CASE("without domains hierarchical algorithms are excluded, with a reason") {
  const Candidate candidate = of(demand(Collective::broadcast, nullptr, 8), "broadcast_hierarchical");
  CHECK(candidate.excluded == "needs a hierarchy of domains, as 4x8, and there is none");
}

TEST_CASE("where domains are far apart, what crosses least is cheapest") {
  const char* scattered = "0+4+8+12,1+5+9+13,2+6+10+14,3+7+11+15";  // round robin
  struct Call {
    Collective collective;
    const char* domains;
    std::size_t bytes;
  };
  for (const Call& call :
       {Call{Collective::broadcast, scattered, 64 << 10}, Call{Collective::reduce, scattered, 64 << 10},
        Call{Collective::all_reduce, "2x8", 1 << 10}, Call{Collective::all_reduce, "2x8", 64 << 10}}) {
    auto all =
        candidates(demand(call.collective, call.domains, call.bytes), Topology(shapes::full{}, 16), far);
    std::erase_if(all, [](const Candidate& candidate) { return !candidate.excluded.empty(); });
    const Candidate cheapest = *std::ranges::min_element(all, {}, &Candidate::seconds);
    CAPTURE(call.bytes);
    CHECK(cheapest.algorithm->name == std::string(enums::name(call.collective)) + "_hierarchical");
    CHECK(cheapest.hierarchy.domains() == Hierarchy::parse(call.domains, 16).domains());
  }
  // A short message may go everywhere in one far round.
  CHECK(choose(demand(Collective::broadcast, scattered, 64), Topology(shapes::full{}, 16), far)
            .algorithm->name == "broadcast_direct");
}

TEST_CASE("a round costs what its farthest message does, of flat algorithms, too") {
  const double both = of(demand(Collective::broadcast, "4x4", 1), "broadcast_binomial").seconds;
  CHECK(both == doctest::Approx(2 * far.t_s + 2 * near.t_s).epsilon(0.01));
  const char* scattered = "0+4+8+12,1+5+9+13,2+6+10+14,3+7+11+15";
  CHECK(of(demand(Collective::broadcast, scattered, 1), "broadcast_binomial").seconds ==
        doctest::Approx(both).epsilon(0.01));  // far ones last, near ones first
  const char* halves = "0-7+9,8+10-15";        // one message to the other half would do
  CHECK(of(demand(Collective::broadcast, halves, 1), "broadcast_binomial").seconds ==
        doctest::Approx(both).epsilon(0.01));
  CHECK(of(demand(Collective::broadcast, halves, 1), "broadcast_hierarchical").seconds ==
        doctest::Approx(far.t_s + 4 * near.t_s).epsilon(0.01));
}

TEST_CASE("what rounds are near is found out once for an algorithm, whatever the number of bytes") {
  SharesOfLevels shares;
  const Topology topology(shapes::full{}, 16);
  const Candidate first = choose(demand(Collective::all_reduce, "2x8", 8), topology, far, shares);
  CHECK(first.seconds == choose(demand(Collective::all_reduce, "2x8", 8), topology, far).seconds);
  const std::size_t known = shares.size();
  CHECK(known > 3);
  for (const std::size_t bytes : {16u, 24u, 32u})
    choose(demand(Collective::all_reduce, "2x8", bytes), topology, far, shares);
  CHECK(shares.size() == known);
  choose(demand(Collective::all_reduce, "4x4", 8), topology, far, shares);
  CHECK(shares.size() > known);
}

TEST_CASE("the form is chosen by size, or as it is given") {
  const auto form = [](const char* hierarchy, std::size_t bytes) {
    return of(demand(Collective::broadcast, hierarchy, bytes), "broadcast_hierarchical")
        .hierarchy.ways()
        .form;
  };
  CHECK(form("2x8", 1) == HierarchyForm::leaders);
  CHECK(form("2x8", 8 << 20) == HierarchyForm::slices);
  CHECK(form("2x8,form=leaders", 8 << 20) == HierarchyForm::leaders);
}

TEST_CASE("a machine's hierarchy has the levels that part its nodes") {
  const auto of_machine = [](const char* text, int nodes) {
    const Machine machine = Machine::from_synthetic(text);
    return machine_hierarchy(machine, compact_mapping(machine, nodes)).text();
  };
  CHECK(of_machine("pack:2 numa:2 core:4 pu:1", 16) == "2x2x4");
  CHECK(of_machine("pack:2 numa:1 core:4 pu:1", 8) == "2x4");
  CHECK(of_machine("pack:2 numa:2 core:4 pu:1", 4).empty());
  CHECK(of_machine("numa:4 core:1 pu:1", 4).empty());  // every node alone
  CHECK(of_machine("numa:2 core:4 pu:1", 6) == "0-3,4-5");
}

TEST_CASE("near messages cost what the profile says of the farthest class of their level") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 core:2 pu:1");
  const Mapping mapping = compact_mapping(machine, 8);
  const Hierarchy hierarchy = machine_hierarchy(machine, mapping);
  REQUIRE(hierarchy.levels() == 2);
  MachineProfile profile = typical_profile(machine);
  const auto t_s = [&](PairClass pair_class, double seconds) {
    profile.pairs[static_cast<std::size_t>(pair_class)]->t_s.value = seconds;
  };
  t_s(PairClass::same_numa, 1e-7);
  t_s(PairClass::same_package, 2e-7);
  t_s(PairClass::across_packages, 4e-7);
  const std::vector<CostModel> levels = costs_by_level(profile, machine, mapping.pu, hierarchy);
  REQUIRE(levels.size() == 3);
  CHECK(levels[0].t_s == 1e-7);
  CHECK(levels[1].t_s == 2e-7);
  CHECK(levels[2].t_s == 4e-7);
  const std::vector<CostModel> scaled =
      near_costs(profile, machine, mapping.pu, hierarchy, {1e-6, 1e-9, 1e-9, 1e-9});
  REQUIRE(scaled.size() == 2);
  CHECK(scaled[0].t_s == doctest::Approx(0.25e-6));
  CHECK(scaled[1].t_s == doctest::Approx(0.5e-6));
  CHECK(near_costs(profile, machine, mapping.pu, Hierarchy(), {}).empty());
  CHECK_THROWS_WITH_AS(Hierarchy::parse("socket", 8, named_domains(machine, mapping)),
                       doctest::Contains("no domains called \"socket\""), UsageError);
  CHECK(Hierarchy::parse("numa", 8, named_domains(machine, mapping)).text() == "4x2");
}
