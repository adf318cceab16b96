#include <algorithm>
#include <doctest/doctest.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/model/profile.hpp>
#include <vnode/model/select.hpp>

using namespace vnode;
using enum PairClass;

namespace {

/// Classes whose t_s is 1, 2, ... the farther they are.
MachineProfile numbered(const std::vector<PairClass>& classes) {
  MachineProfile profile;
  profile.name = "numbered";
  for (const PairClass one : classes) {
    const auto at = static_cast<std::size_t>(one);
    profile.pairs[at] = PairCosts{};
    profile.pairs[at]->t_s.value = static_cast<double>(at) + 1;
  }
  return profile;
}

MachineProfile numbered() { return numbered({pair_classes().begin(), pair_classes().end()}); }

}  // namespace

TEST_CASE("the class of two PUs is the innermost part that both belong to") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 l3:2 l2:2 core:2 pu:2");
  REQUIRE(machine.pus.size() == 64);
  const struct {
    int pu;
    PairClass expected;
  } with_first[] = {{0, same_core},     {1, same_core},     {2, same_l2},          {3, same_l2},
                    {4, same_l3},       {7, same_l3},       {8, same_numa},        {15, same_numa},
                    {16, same_package}, {31, same_package}, {32, across_packages}, {63, across_packages}};
  for (const auto& one : with_first) {
    CAPTURE(one.pu);
    CHECK(pair_class(machine, 0, one.pu) == one.expected);
    CHECK(pair_class(machine, one.pu, 0) == one.expected);
  }
  CHECK_THROWS_WITH_AS(pair_class(machine, 0, 64), doctest::Contains("there is no PU 64"), UsageError);
  CHECK_THROWS_AS(pair_class(machine, -1, 0), UsageError);
}

TEST_CASE("a part that a machine does not name makes no class") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 l3:2 core:4 pu:2");
  const auto examples = class_examples(machine);
  CHECK(examples == std::vector<ClassExample>{{same_core, 0, 1},
                                              {same_l3, 0, 2},
                                              {same_numa, 0, 8},
                                              {same_package, 0, 16},
                                              {across_packages, 0, 32}});
  const Machine flat = Machine::from_synthetic("pu:3");
  CHECK(class_examples(flat) == std::vector<ClassExample>{{same_numa, 0, 1}});
  CHECK(class_examples(Machine::from_synthetic("pu:1")).empty());
}

TEST_CASE("classes are those of the PUs that the process may use") {
  Machine machine = Machine::from_synthetic("pack:2 core:2 pu:2");
  for (Pu& pu : machine.pus) pu.allowed = false;
  machine.pus[1].allowed = machine.pus[6].allowed = true;
  CHECK(class_examples(machine) == std::vector<ClassExample>{{across_packages, 1, 6}});
}

TEST_CASE("the classes of the largest machine there may be are found at once") {
  CHECK(class_examples(Machine::from_synthetic("pack:2 numa:8 l3:8 core:16 pu:2")).size() == 5);
}

TEST_CASE("a class without costs takes those of the next farther class, or of the next nearer") {
  const MachineProfile profile = numbered({same_l3, same_package});
  CHECK(profile.costs(same_core).t_s.value == 3);
  CHECK(profile.costs(same_l3).t_s.value == 3);
  CHECK(profile.costs(same_numa).t_s.value == 5);
  CHECK(profile.costs(across_packages).t_s.value == 5);
  CHECK_THROWS_WITH_AS(numbered({}).costs(same_l3),
                       "the profile numbered has no costs: it needs those of at least one pair class",
                       UsageError);
}

TEST_CASE("nodes pay what their PUs' class costs, a team what its farthest pair costs") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 l3:2 core:4 pu:2");
  const MachineProfile profile = numbered();
  const std::vector<int> pus{0, 1, 2, 8, 16, 32};
  const auto costs_of = pair_costs(profile, machine, pus);
  for (Rank rank = 1; rank < 6; ++rank) {
    const auto one = static_cast<std::size_t>(rank);
    const double expected = profile.costs(pair_class(machine, 0, pus[one])).t_s.value;
    CHECK(costs_of(0, rank).t_s == expected);
    CHECK(cost_model(profile, machine, std::span(pus).first(one + 1)).t_s == expected);
  }
  CHECK(cost_model(profile, machine, compact_mapping(machine, 4).pu).t_s == 3);
  CHECK(cost_model(profile, machine, compact_mapping(machine, 9).pu).t_s == 5);
  CHECK(cost_model(profile, machine, std::vector{5, 5}).t_s == 1);
  CHECK_THROWS_AS(cost_model(profile, machine, {}), UsageError);
  CHECK_THROWS_AS(cost_model(profile, machine, std::vector{0, 64}), UsageError);
  CHECK_THROWS_WITH_AS(costs_of(0, 6), "there is no node 6: 6 nodes are on PUs", UsageError);
}

TEST_CASE("typical costs are those that algorithms are chosen by elsewhere, and grow with the way") {
  const MachineProfile profile = typical_profile(Machine::from_synthetic("pack:2 numa:2 l3:2 core:4 pu:2"));
  CHECK_FALSE(profile.pairs[static_cast<std::size_t>(same_l2)]);
  const CostModel l3 = profile.costs(same_l3).cost_model();
  CHECK(l3.t_s == doctest::Approx(typical_costs.t_s));
  CHECK(l3.t_w == doctest::Approx(typical_costs.t_w));
  CHECK(l3.t_op == doctest::Approx(typical_costs.t_op));
  CHECK(l3.t_put == doctest::Approx(typical_costs.t_put));
  double before = 0;
  for (const auto& costs : profile.pairs)
    if (costs) {
      CHECK(costs->t_s.value >= before);
      CHECK(costs->t_s.origin == Origin::typical);
      before = costs->t_s.value;
    }
  CHECK(profile.machine == "pack:2 numa:2 l3:2 core:4 pu:2: 2 packages, 4 NUMA nodes, 32 cores, 64 PUs");
  CHECK(typical_profile(Machine::from_synthetic("pu:1")).pairs.front());
}

TEST_CASE("typical costs of several machines with one PU each are those inside and between them") {
  const Machine one = Machine::from_synthetic("pu:1");
  const MachineProfile profile = typical_profile(joined(std::vector{one, one}));
  CHECK(profile.pairs.front() == typical_profile(one).pairs.front());
  CHECK(profile.pairs.back() == typical_network());
  CHECK(profile.costs(same_numa) == profile.costs(same_core));
}

TEST_CASE("distances scale the classes between NUMA nodes, in what a longer way changes") {
  Machine machine = Machine::from_synthetic("pack:2 numa:2 core:2 pu:1");
  machine.distances = {{10, 12, 20, 22}, {12, 10, 20, 22}, {20, 22, 10, 12}, {22, 20, 12, 10}};
  MachineProfile base = numbered({same_numa});
  PairCosts& inside = *base.pairs[static_cast<std::size_t>(same_numa)];
  inside = {.t_s = {1e-7, Origin::measured},
            .t_w = {1e-10, Origin::measured},
            .L = {6e-8, Origin::measured},
            .o = {2e-8, Origin::measured},
            .g = {3e-8, Origin::measured},
            .G = {2e-10, Origin::measured},
            .t_op = {1e-11, Origin::measured},
            .t_put = {3e-11, Origin::measured}};
  const MachineProfile derived = with_distances(base, machine);
  CHECK(derived.costs(same_numa) == inside);
  const PairCosts& near = derived.costs(same_package);
  const PairCosts& far = derived.costs(across_packages);
  for (const auto part :
       {&PairCosts::t_s, &PairCosts::t_w, &PairCosts::L, &PairCosts::G, &PairCosts::t_put}) {
    CHECK((near.*part).value == doctest::Approx(1.2 * (inside.*part).value));
    CHECK((far.*part).value == doctest::Approx(2.1 * (inside.*part).value));
    CHECK((near.*part).origin == Origin::distances);
  }
  for (const auto part : {&PairCosts::o, &PairCosts::g, &PairCosts::t_op}) CHECK(far.*part == inside.*part);
}

TEST_CASE("what was measured or given between NUMA nodes stays when distances are imported") {
  Machine machine = Machine::from_synthetic("pack:2 numa:1 core:2 pu:1");
  machine.distances = {{10, 20}, {20, 10}};
  MachineProfile base = numbered({same_numa, across_packages});
  base.pairs[static_cast<std::size_t>(across_packages)]->t_s.origin = Origin::measured;
  CHECK(with_distances(base, machine).costs(across_packages) == base.costs(across_packages));
  base.pairs[static_cast<std::size_t>(across_packages)]->t_s.origin = Origin::typical;
  CHECK(with_distances(base, machine).costs(across_packages).t_s.value == 8);
}

TEST_CASE("distances that are missing or make no sense are refused") {
  Machine machine = Machine::from_synthetic("pack:2 numa:1 core:2 pu:1");
  const MachineProfile base = numbered();
  CHECK_THROWS_WITH_AS(with_distances(base, machine),
                       doctest::Contains("has no distances between NUMA nodes"), UsageError);
  using Matrix = std::vector<std::vector<std::uint64_t>>;
  for (const Matrix& bad : {Matrix{{0, 20}, {20, 10}}, Matrix{{10, 5}, {20, 10}}, Matrix{{10, 20}, {0, 10}},
                            Matrix{{1, ~std::uint64_t{0}}, {1, 1}}, Matrix{{10}}, Matrix{{10, 20}, {10}}}) {
    machine.distances = bad;
    CHECK_THROWS_WITH_AS(with_distances(base, machine), doctest::Contains("make no sense"), UsageError);
  }
}

TEST_CASE("distances between NUMA nodes are measured where the system reports none and a profile has them") {
  const auto measured = [](MachineProfile profile, const std::vector<PairClass>& classes) {
    for (const PairClass one : classes) {
      auto& costs = profile.pairs[static_cast<std::size_t>(one)];
      costs->L = {100e-9 * (static_cast<double>(one) + 1), Origin::measured};
    }
    return profile;
  };
  using Values = std::vector<std::vector<std::uint64_t>>;
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 core:2 pu:1");
  const Values levels{{10, 12, 20, 20}, {12, 10, 20, 20}, {20, 20, 10, 12}, {20, 20, 12, 10}};
  const NumaDistances known =
      numa_distances(measured(numbered(), {same_numa, same_package, across_packages}), machine);
  CHECK(known.source == DistanceSource::measured);
  CHECK(known.values == Values{{10, 13, 15, 15}, {13, 10, 15, 15}, {15, 15, 10, 13}, {15, 15, 13, 10}});
  for (const std::vector<PairClass>& some :
       {std::vector<PairClass>{}, {same_numa, same_package}, {across_packages}}) {
    const NumaDistances guessed = numa_distances(measured(numbered(), some), machine);
    CHECK(guessed.source == DistanceSource::hops);
    CHECK(guessed.values == levels);
  }
  Machine reported = machine;
  reported.distances = levels;
  CHECK(numa_distances(measured(numbered(), {same_numa, same_package, across_packages}), reported).source ==
        DistanceSource::reported);
  const Machine flat = Machine::from_synthetic("core:2 pu:1");
  CHECK(numa_distances(measured(numbered(), {same_numa}), flat) ==
        NumaDistances{DistanceSource::hops, {{10}}});
}
