// Algorithms for nodes on several machines, by the costs of the network between them.
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <vnode/model/machine_hierarchy.hpp>
#include <vnode/model/select.hpp>

using namespace vnode;

namespace {

/// Nodes on machines that are joined, as many on each.
struct Cluster {
  Machine machine;
  Mapping mapping;
};

/// `in_turn`: each node is a process of its own, on one machine after the other.
Cluster cluster(const char* each, int machines, int nodes, bool in_turn = false) {
  const std::vector<Machine> all(static_cast<std::size_t>(machines), Machine::from_synthetic(each));
  std::vector<ProcessNodes> processes;
  for (int node = 0; in_turn && node < nodes; ++node)
    for (int i = 0; i < machines; ++i) processes.push_back({i, {.pu = {node}}});
  for (int i = 0; !in_turn && i < machines; ++i)
    processes.push_back({i, compact_mapping(all.front(), nodes)});
  return {joined(all), joined(all, processes)};
}

struct Call {
  Collective collective = Collective::all_reduce;
  int machines = 4, nodes = 8;  // on each
  std::size_t bytes = 8;
  Rank root = 0;
  std::string algorithm = {}, hierarchy = {};
  bool in_turn = false;
  double nodes_per_pu = 1;
};

Candidate chosen(const Call& call) {
  const Cluster on = cluster("core:8 pu:1", call.machines, call.nodes, call.in_turn);
  const std::vector<int>& pus = on.mapping.pu;
  const MachineProfile profile = typical_profile(on.machine);
  const Topology topology(shapes::full{}, call.machines * call.nodes);
  Demand demand{.collective = call.collective, .bytes = call.bytes, .algorithm = call.algorithm};
  Parameters& parameters = demand.parameters;
  parameters.nodes = topology.nodes();
  parameters.root = call.root;
  parameters.segments = 0;
  parameters.extents = mesh_extents(topology);
  parameters.hierarchy = call.hierarchy.empty() ? machine_hierarchy(on.machine, on.mapping)
                                                : Hierarchy::parse(call.hierarchy, parameters.nodes,
                                                                   named_domains(on.machine, on.mapping));
  CostModel inside = typical_costs;
  inside.nodes_per_pu = call.nodes_per_pu;
  demand.near = near_costs(profile, on.machine, pus, parameters.hierarchy, inside);
  return choose(demand, topology, farthest_costs(profile, on.machine, pus, inside));
}

HierarchyForm form(const Candidate& candidate) {
  return candidate.hierarchy.ways().form.value_or(HierarchyForm::leaders);
}

}  // namespace

TEST_CASE("the outermost level of a hierarchy is machines, also where nodes differ in number") {
  const auto text = [](const Cluster& on) { return machine_hierarchy(on.machine, on.mapping).text(); };
  CHECK(text(cluster("core:4 pu:1", 3, 4)) == "3x4");
  CHECK(text(cluster("pack:2 numa:2 core:2 pu:1", 3, 8)) == "3x2x2x2");
  CHECK(text(cluster("core:4 pu:1", 3, 1)).empty());  // every node alone
  CHECK(text(cluster("pack:2 core:4 pu:1", 1, 8)) == "2x4");
  const std::vector<Machine> all(2, Machine::from_synthetic("core:4 pu:1"));
  const std::vector<ProcessNodes> uneven{{0, {.pu = {0, 1}}}, {1, {.pu = {0, 1, 2}}}, {0, {.pu = {2}}}};
  CHECK(machine_hierarchy(joined(all), joined(all, uneven)).text() == "0-1+5,2-4");
}

TEST_CASE("inside a machine messages cost what they do there, and between machines what the network does") {
  const Cluster on = cluster("pack:2 core:2 pu:1", 2, 4);
  const std::vector<int>& pus = on.mapping.pu;
  MachineProfile profile = typical_profile(on.machine);
  const Hierarchy hierarchy = machine_hierarchy(on.machine, on.mapping);
  REQUIRE(hierarchy.text() == "2x2x2");
  const CostModel inside{
      .t_s = 1e-6, .t_w = 1e-9, .t_op = 2e-10, .o = 5e-8, .eager_to = 4096, .shared_from = 9999};
  const std::vector<CostModel> near = near_costs(profile, on.machine, pus, hierarchy, inside);
  REQUIRE(near.size() == 2);
  CHECK(near[1].t_s == inside.t_s);
  CHECK(near[1].t_w == inside.t_w);
  CHECK(near[0].t_s < inside.t_s);
  CHECK_FALSE(near[1].shared_link);
  const CostModel across = farthest_costs(profile, on.machine, pus, inside);
  CHECK(across.shared_link);
  CHECK(across.t_s == typical_network().t_s.value);
  CHECK(across.t_w == typical_network().t_w.value);
  CHECK(across.o == typical_network().o.value);
  CHECK(across.t_op == inside.t_op);  // what this runtime does, wherever messages come from
  CHECK(across.eager_to == 4096);
  CHECK(across.shared_from == 9999);
  // A profile that knows the network is asked.
  PairCosts network = typical_network();
  network.t_s = {2e-6, Origin::measured};
  profile.pairs[static_cast<std::size_t>(PairClass::across_machines)] = network;
  CHECK(farthest_costs(profile, on.machine, pus, inside).t_s == 2e-6);
  // Of domains that are not inside of machines none is nearer.
  const Hierarchy scattered = Hierarchy::parse("0+4,1+5,2+6,3+7", 8);
  CHECK(near_costs(profile, on.machine, pus, scattered, inside).empty());
}

TEST_CASE("nodes of one machine have the costs that they have without any network") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 core:2 pu:1");
  const Cluster alone = cluster("pack:2 numa:2 core:2 pu:1", 1, 8);
  const Mapping mapping = compact_mapping(machine, 8);
  const Hierarchy hierarchy = machine_hierarchy(machine, mapping);
  const MachineProfile profile = typical_profile(machine);
  CHECK(near_costs(profile, alone.machine, alone.mapping.pu, hierarchy, typical_costs) ==
        near_costs(profile, machine, mapping.pu, hierarchy, typical_costs));
  CHECK(farthest_costs(profile, machine, mapping.pu, typical_costs) == typical_costs);
}

TEST_CASE("across machines leaders carry short messages and slices long ones") {
  for (const Collective collective :
       {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter})
    for (const int machines : {2, 3, 5, 8})
      for (const int nodes : {4, 8}) {
        Call call{.collective = collective, .machines = machines, .nodes = nodes};
        call.algorithm = std::string(enums::name(collective)) + "_hierarchical";
        CAPTURE(call.algorithm);
        CAPTURE(machines);
        CAPTURE(nodes);
        CHECK(form(chosen(call)) == HierarchyForm::leaders);
        call.bytes = 16 << 20;
        CHECK(form(chosen(call)) == HierarchyForm::slices);
      }
}

TEST_CASE("an all_reduce of three machines or more changes from doubling to fewest bytes as messages grow") {
  const auto outer = [](int machines, std::size_t bytes) {
    return chosen({.machines = machines, .nodes = 6, .bytes = bytes, .algorithm = "all_reduce_hierarchical"})
        .hierarchy.ways()
        .outer;
  };
  for (const int machines : {3, 4, 5, 8, 16}) {
    CAPTURE(machines);
    CHECK(outer(machines, 8).empty());
    CHECK(outer(machines, 64 << 20) == (machines == 3 || machines == 5 ? "ring" : "rabenseifner"));
  }
}

TEST_CASE("flat algorithms are chosen where they cross no more often, and hierarchical ones where they do") {
  using enum Collective;
  const auto name = [](const Call& call) { return chosen(call).algorithm->name; };
  // From an aligned root a tree is one over machines, then one in each; which, is a matter of the ranks.
  CHECK(name({.collective = broadcast}) == "broadcast_doubling");
  CHECK(name({.collective = broadcast, .in_turn = true}) == "broadcast_low_bit_first");
  CHECK(name({.collective = reduce, .machines = 3, .nodes = 5, .bytes = 1 << 16, .in_turn = true}) ==
        "reduce_hierarchical");
  CHECK(name({.machines = 5, .nodes = 6}) == "all_reduce_hierarchical");
  CHECK(name({.collective = all_gather}) == "all_gather_hierarchical");
  CHECK(name({.collective = barrier, .nodes = 6, .bytes = 0}) == "barrier_hierarchical");
}

TEST_CASE("what leaves a machine takes turns on its link, and every message more is work") {
  // One round, of 3 x 3 messages from each machine to the other: t_s, 8 o, and all their bytes.
  const PairCosts& network = typical_network();
  const Candidate direct = chosen({.collective = Collective::all_gather,
                                   .machines = 2,
                                   .nodes = 3,
                                   .bytes = 1024,
                                   .algorithm = "all_gather_direct"});
  CHECK(
      direct.seconds ==
      doctest::Approx(network.t_s.value + 8 * network.o.value + 9 * 1024 * network.t_w.value).epsilon(1e-9));
  // Leaders exchange whole messages, slices a third each: the link carries the same.
  const std::size_t huge = std::size_t{1} << 30;
  const auto seconds = [&](const char* hierarchy) {
    return chosen({.machines = 2,
                   .nodes = 4,
                   .bytes = huge,
                   .algorithm = "all_reduce_hierarchical",
                   .hierarchy = hierarchy})
        .seconds;
  };
  CHECK(seconds("machine,form=slices") > static_cast<double>(huge) * network.t_w.value);
  CHECK(seconds("machine,form=slices") < seconds("machine,form=leaders"));
}

TEST_CASE("no result is written straight to where it goes on another machine") {
  const auto written = [](int machines, int nodes) {
    return chosen({.machines = machines,
                   .nodes = nodes,
                   .bytes = 1 << 20,
                   .algorithm = "all_reduce_two_shot_direct"})
        .estimate.written;
  };
  CHECK(written(1, 4) > 0);
  CHECK(written(2, 2) == 0);
  CHECK(written(4, 1) == 0);
}

TEST_CASE("each of the machines that have one node has its link, on which messages take turns") {
  constexpr std::size_t bytes = 1 << 20;
  const PairCosts network = typical_network();
  const double t_s = network.t_s.value, o = network.o.value, t_w = network.t_w.value;
  const Candidate candidate =
      chosen({.machines = 4, .nodes = 1, .bytes = bytes, .algorithm = "all_reduce_two_shot_direct"});
  // Twice each of them sends three quarters, in three messages, and it combines as much.
  const double quarters = 0.75 * static_cast<double>(bytes);
  CHECK(candidate.seconds ==
        doctest::Approx(2 * (t_s + 2 * o + quarters * t_w) + quarters * typical_costs.t_op).epsilon(1e-9));
}

TEST_CASE("where nodes of several machines share PUs, the work for all links and inside takes turns there") {
  // So long that what it takes to start messages does not count.
  const auto crowded = [](Collective collective, const char* algorithm, int machines, int nodes) {
    Call call{.collective = collective, .machines = machines, .nodes = nodes, .bytes = 64 << 20};
    call.algorithm = algorithm;
    const double alone = chosen(call).seconds;
    call.nodes_per_pu = 2;
    return chosen(call).seconds / alone;
  };
  // Four links at a time, on two PUs that keep busy with them for three quarters of the time.
  const double four = crowded(Collective::all_reduce, "all_reduce_two_shot_direct", 4, 1);
  CHECK(four > 2.8);
  CHECK(four < 3.1);
  // One link at a time has the PUs.
  const double one = crowded(Collective::all_reduce, "all_reduce_central", 4, 1);
  CHECK(one > 0.95);
  CHECK(one < 1.1);
  // Two links at a time, 1.5, and beside each a message inside, for about a tenth of a link's time.
  const double ring = crowded(Collective::all_gather, "all_gather_ring", 2, 2);
  CHECK(ring > 1.55);
  CHECK(ring < 1.7);
}
