#include "select/plans.hpp"

#include <atomic>
#include <deque>
#include <doctest/doctest.h>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/model/select.hpp>
#include <vnode/own_schedule.hpp>

using namespace vnode;

namespace {

CallKey broadcast_by(const OwnSchedule& schedule) {
  CallKey key;
  key.collective = Collective::broadcast;
  key.count = 1;
  key.schedule.at = &schedule;
  return key;
}

/// Returns what the call is refused with; empty: it is not.
std::string refusal(Plans& plans, const CallKey& key) {
  try {
    plans.prepare(key);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

Costs typical(typical_costs, std::numeric_limits<std::size_t>::max(), [] { return typical_costs; });

}

TEST_CASE("a schedule that is refused is so for every node of the call, and no other call is with it") {
  const Topology topology(shapes::full{}, 3);
  const Overrides overrides = Overrides::parse("");
  const Machine machine = Machine::from_synthetic("core:3 pu:1");
  const std::vector<Rank> nodes{0, 1, 2};
  Plans plans(topology, overrides, typical, Nearness(machine, compact_mapping(machine, 3), nodes),
              std::make_shared<PlanCache>());
  const OwnSchedule wrong(schedule_from_text("nodes 3 blocks 1\n1: 0>1\n")),
      worse(schedule_from_text("nodes 3 blocks 1\n1: 1>0\n")),
      right(schedule_from_text("nodes 3 blocks 1\n1: 0>1 0>2\n"));
  const std::string first = refusal(plans, broadcast_by(wrong));
  REQUIRE(!first.empty());
  CHECK(refusal(plans, broadcast_by(wrong)) == first);
  CHECK(refusal(plans, broadcast_by(right)).empty());
  CHECK(refusal(plans, broadcast_by(wrong)) == first);
  CHECK_FALSE(refusal(plans, broadcast_by(worse)).empty());
  CallKey other = broadcast_by(wrong);
  other.root = 2;
  CHECK_FALSE(refusal(plans, other).empty());
}

TEST_CASE("an algorithm that is refused is so for every node of the call, and no other call is with it") {
  const Topology topology(shapes::full{}, 3);
  const Overrides overrides = Overrides::parse("");
  const Machine machine = Machine::from_synthetic("core:3 pu:1");
  const std::vector<Rank> nodes{0, 1, 2};
  Plans plans(topology, overrides, typical, Nearness(machine, compact_mapping(machine, 3), nodes),
              std::make_shared<PlanCache>());
  const auto refused_by = [&](const std::string& name) {
    CallKey key;
    key.collective = Collective::broadcast;
    key.algorithm = name;  // which ends with the call
    return refusal(plans, key);
  };
  const std::string first = refused_by("broadcast_hypercube");
  REQUIRE(!first.empty());
  CHECK(refused_by("broadcast_hypercube") == first);
  CHECK(refused_by("broadcast_hypercubd") != first);
  CHECK(refused_by("broadcast_binomial").empty());
  CHECK_FALSE(refused_by("broadcast_hierarchical").empty());
}

TEST_CASE("plans are kept as long as their bytes have room, the newest whatever it takes") {
  const Topology topology(shapes::full{}, 16);
  const Overrides overrides = Overrides::parse("");
  const Machine machine = Machine::from_synthetic("core:16 pu:1");
  std::vector<Rank> nodes(16);
  std::iota(nodes.begin(), nodes.end(), 0);
  const auto cache = std::make_shared<PlanCache>(std::size_t{256} << 10);
  const auto make = [&] {
    return std::make_unique<Plans>(topology, overrides, typical,
                                   Nearness(machine, compact_mapping(machine, 16), nodes), cache);
  };
  std::unique_ptr<Plans> plans = make();
  const std::unique_ptr<Plans> group = make();
  const auto exchange = [](std::size_t count) {
    CallKey key;
    key.collective = Collective::all_to_all;
    key.algorithm = "all_to_all_direct";
    key.count = count;
    return key;
  };
  const auto prepare_all = [](Plans& by, const CallKey& key) {
    const std::shared_ptr<const PreparedCall> made = by.prepare(key);
    for (Rank rank = 0; rank < 16; ++rank) by.program(*made, rank);
    return made;
  };
  const std::shared_ptr<const PreparedCall> held = plans->prepare(exchange(1));
  CHECK(cache->bytes() == bytes_of(*held));
  CHECK(bytes_of(*held) < 16 * 15 * sizeof(Incoming));
  CHECK(prepare_all(*plans, exchange(1)) == held);
  CHECK(cache->bytes() == bytes_of(*held));
  CHECK(bytes_of(*held) > 16 * 15 * (sizeof(Incoming) + sizeof(Outgoing)));
  CHECK(plans->prepare(exchange(1)) == held);
  CHECK(group->prepare(exchange(1)) != held);
  for (std::size_t count = 2; count < 100; ++count) {
    prepare_all(*plans, exchange(count));
    CHECK(cache->bytes() <= std::size_t{256} << 10);
    // What is used stays.
    CHECK(group->prepare(exchange(1))->key->count == 1);
  }
  CHECK(cache->calls() > 1);
  CHECK(cache->evictions() == 100 - cache->calls());
  // What somebody holds lives on, though it is not found any more.
  CHECK(held->evicted.load());
  CHECK(held->plan->program(15).incoming.size() == 15);
  CHECK(plans->prepare(exchange(1)) != held);
  // A group that ends leaves nothing behind but what reports may name: this is gone, that made room long ago.
  const std::uint32_t ends = plans->prepare(exchange(99))->signature;
  plans.reset();
  CHECK(cache->calls() == 1);
  CHECK(cache->planned(ends).value().record.count == 99);
  CHECK(cache->planned(CallRecord{held->record.kind, 2}.signature()).value().record.count == 2);
  CHECK_FALSE(cache->planned(CallRecord{held->record.kind, 100}.signature()));
  CHECK(cache->bytes() == bytes_of(*group->prepare(exchange(1))));
  // A plan for which there is no room is kept alone.
  const auto small = std::make_shared<PlanCache>(1);
  Plans alone(topology, overrides, typical, Nearness(machine, compact_mapping(machine, 16), nodes), small);
  const auto newest = alone.prepare(exchange(7));
  CHECK(alone.prepare(exchange(7)) == newest);
  alone.prepare(exchange(8));
  CHECK(small->calls() == 1);
}

TEST_CASE("a schedule that is kept until all nodes have made their programs of it counts as long") {
  const Topology topology(shapes::full{}, 16);
  const Overrides overrides = Overrides::parse("");
  const Machine machine = Machine::from_synthetic("core:16 pu:1");
  std::vector<Rank> nodes(16);
  std::iota(nodes.begin(), nodes.end(), 0);
  const auto cache = std::make_shared<PlanCache>();
  Plans plans(topology, overrides, typical, Nearness(machine, compact_mapping(machine, 16), nodes), cache);
  CallKey key;
  key.collective = Collective::reduce_scatter;
  key.algorithm = "reduce_scatter_hypercube";
  key.count = 1;
  const std::shared_ptr<const PreparedCall> made = plans.prepare(key);
  const std::size_t nothing = bytes_of(*made);
  std::size_t programs = plans.program(*made, 0).bytes();
  const std::size_t whole = bytes_of(*made) - nothing - programs;
  CHECK(whole > 4 * 16 * sizeof(Transfer));
  for (Rank rank = 1; rank < 15; ++rank) programs += plans.program(*made, rank).bytes();
  CHECK(bytes_of(*made) == nothing + programs + whole);
  CHECK(cache->bytes() == bytes_of(*made));
  programs += plans.program(*made, 15).bytes();
  CHECK(bytes_of(*made) == nothing + programs);
  CHECK(cache->bytes() == bytes_of(*made));
}

TEST_CASE("nodes of several groups look up plans at the same time while others make room") {
  const Topology topology(shapes::full{}, 4);
  const Overrides overrides = Overrides::parse("");
  const Machine machine = Machine::from_synthetic("core:4 pu:1");
  const std::vector<Rank> nodes{0, 1, 2, 3};
  const auto cache = std::make_shared<PlanCache>(std::size_t{16} << 10);
  const auto make = [&] {
    return std::make_unique<Plans>(topology, overrides, typical,
                                   Nearness(machine, compact_mapping(machine, 4), nodes), cache);
  };
  const std::unique_ptr<Plans> groups[] = {make(), make()};
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (std::size_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (std::size_t call = 0; call < 200; ++call) {
        CallKey key;
        key.collective = Collective::broadcast;
        key.algorithm = "broadcast_binomial";
        key.count = 1 + (call * 7 + thread) % 23;
        if (groups[thread % 2]->prepare(key)->key->count != key.count) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(cache->bytes() <= std::size_t{16} << 10);
}

TEST_CASE("a node lets go of the plans that have made room for others, and of no others") {
  RecentCalls recent;
  Arguments first, second;
  first.collective = second.collective = Collective::broadcast;
  for (second.in.count = 1; &recent.at(second) == &recent.at(first);) ++second.in.count;
  const auto put = [&](const Arguments& call) {
    const auto plan = std::make_shared<PreparedCall>();
    recent.at(call).set(call, CallKey(call), plan);
    return std::weak_ptr<const PreparedCall>(plan);
  };
  const auto stays = put(first), goes = put(second);
  if (const auto plan = goes.lock()) plan->evicted = true;
  recent.forget_evicted();
  CHECK(goes.expired());
  CHECK(recent.find(second) == nullptr);
  REQUIRE(recent.find(first) != nullptr);
  CHECK(recent.find(first)->plan == stays.lock());
}

TEST_CASE(
    "calls that differ in one argument have keys that differ, and a kept key is equal to what it was made "
    "of") {
  const OwnSchedule one(schedule_from_text("nodes 2 blocks 1\n1: 0>1\n")),
      same(schedule_from_text("nodes 2 blocks 1\n1: 0>1\n")),
      other(schedule_from_text("nodes 2 blocks 1\n1: 1>0\n"));
  const Hierarchy pairs = Hierarchy::parse("2x2", 4), halves = Hierarchy::parse("0-1,2-3,inner=linear", 4);
  std::vector<long> data(100);
  std::plus<> plus;
  // Arguments, and what they look at.
  struct Whole {
    ElementType type = element_type<long>;
    OperatorType op = operator_type<long, std::plus<>>;
    CallOptions options{};
    Arguments call{};
  };
  std::deque<Whole> calls;
  const auto add = [&](const auto& change) {
    Whole& made = calls.emplace_back();
    made.call.collective = Collective::all_reduce;
    made.call.in.data = data.data();
    made.call.out.data = data.data() + 50;
    made.call.in.count = made.call.out.count = 10;
    made.call.type = &made.type;
    made.call.op = &operator_type<long, std::plus<>>;
    made.call.op_state = &plus;
    change(made);
    if (made.options != CallOptions{}) made.call.options = &made.options;
  };
  add([](Whole&) {});
  add([](Whole& a) { a.call.collective = Collective::scan; });
  add([](Whole& a) { a.call.parts = Arguments::Parts::given; });
  add([](Whole& a) { a.call.in.count = 9; });
  add([](Whole& a) { a.call.out.count = 9; });
  add([&](Whole& a) { a.call.out.data = data.data(); });
  add([&](Whole& a) { a.call.out.data = data.data() + 1; });
  add([](Whole& a) { a.type = element_type<double>; });
  add([](Whole& a) { a.call.root = 1; });
  add([](Whole& a) { a.call.shift = 1; });
  add([](Whole& a) { (a.call.op = &a.op, a.op.hash = 2); });
  add([](Whole& a) { (a.call.op = &a.op, a.op.commutative = false); });
  add([](Whole& a) { (a.call.op = &a.op, a.op.rounds_once = true); });
  add([](Whole& a) { a.options.algorithm = "all_reduce_ring"; });
  add([](Whole& a) { a.options.segments = 2; });
  add([](Whole& a) { a.options.radix = 4; });
  add([](Whole& a) { a.options.deterministic = true; });
  add([&](Whole& a) { a.options.schedule = &one; });
  add([&](Whole& a) { a.options.schedule = &other; });
  add([&](Whole& a) { a.options.hierarchy = &pairs; });
  add([&](Whole& a) { a.options.hierarchy = &halves; });
  for (std::size_t i = 0; i < calls.size(); ++i) {
    CAPTURE(i);
    const Arguments& call = calls[i].call;
    const CallKey key(call);
    const KeptKey kept(key);
    CHECK(*kept == key);
    CHECK((*kept).hash() == key.hash());
    RecentCalls::Entry recent;
    for (const Whole& any : calls) CHECK_FALSE(recent.has(any.call));
    recent.set(call, key, std::make_shared<PreparedCall>());
    for (std::size_t j = 0; j < calls.size(); ++j) {
      CAPTURE(j);
      CHECK((CallKey(calls[j].call) == key) == (i == j));
      CHECK(recent.has(calls[j].call) == (i == j && call.parts == Arguments::Parts::equal));
    }
    recent.clear();
    CHECK_FALSE(recent.has(call));
  }
  // Where it lies makes no difference to a schedule.
  const std::size_t schedules = calls.size() - 4;
  REQUIRE(calls[schedules].options.schedule == &one);
  const CallKey by_one(calls[schedules].call);
  calls[schedules].options.schedule = &same;
  CHECK(CallKey(calls[schedules].call) == by_one);
}

TEST_CASE("what is near is found out once, whatever the count") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:1 core:4 pu:1");
  const std::vector<Rank> nodes{0, 1, 2, 3, 4, 5, 6, 7};
  Nearness nearness(machine, compact_mapping(machine, 8), nodes);
  const CostModel* const near = nearness.near_costs(nearness.hierarchy(), typical_costs).data();
  REQUIRE(near != nullptr);
  CHECK(nearness.near_costs(nearness.hierarchy(), typical_costs).data() == near);
  const Hierarchy other = nearness.parsed("package,inner=linear");
  CHECK(other.text() == "2x4,inner=linear");
  CHECK(&nearness.parsed("package,inner=linear") == &nearness.parsed("package,inner=linear"));
  nearness.near_costs(other, typical_costs);
  CHECK(nearness.near_costs(nearness.hierarchy(), typical_costs).data() == near);
}

TEST_CASE("a group on several machines chooses by what lies between them, and one on a machine does not") {
  const std::vector<Machine> machines(4, Machine::from_synthetic("core:8 pu:1"));
  std::vector<ProcessNodes> processes;
  for (int i = 0; i < 4; ++i) processes.push_back({i, compact_mapping(machines.front(), 8)});
  const Machine machine = joined(machines);
  const Mapping mapping = joined(machines, processes);
  const Overrides overrides = Overrides::parse("");
  const auto chosen = [&](const std::vector<Rank>& nodes, std::size_t count) {
    const Topology topology(shapes::full{}, static_cast<int>(nodes.size()));
    Plans plans(topology, overrides, typical, Nearness(machine, mapping, nodes),
                std::make_shared<PlanCache>());
    CallKey key;
    key.collective = Collective::all_gather;
    key.count = count;
    return std::string(plans.prepare(key)->record.kind->algorithm);
  };
  std::vector<Rank> all(32), one(8);
  std::iota(all.begin(), all.end(), 0);
  std::iota(one.begin(), one.end(), 16);
  CHECK(chosen(all, 8) == "all_gather_hierarchical");
  Nearness nearness(machine, mapping, one);
  CHECK_FALSE(nearness.hierarchy());
  CHECK(nearness.farthest_costs(typical_costs) == typical_costs);
  CHECK(chosen(one, 8) != "all_gather_hierarchical");
  Nearness across(machine, mapping, all);
  CHECK(across.hierarchy().text() == "4x8");
  CHECK(across.farthest_costs(typical_costs).shared_link);
  REQUIRE(across.near_costs(across.hierarchy(), typical_costs).size() == 1);
  CHECK(across.near_costs(across.hierarchy(), typical_costs)[0].t_s == typical_costs.t_s);
}

TEST_CASE(
    "nodes that are fibers meet where they can, combine on their carriers first, and chains take one turn") {
  const Machine machine = Machine::from_synthetic("core:2 pu:1");
  Mapping mapping;
  std::vector<Rank> nodes;
  std::vector<int> carriers;
  for (Rank rank = 0; rank < 64; ++rank) {
    nodes.push_back(rank);
    carriers.push_back(rank / 32 * 32);
    mapping.pu.push_back(rank / 32);
  }
  const Overrides overrides = Overrides::parse("");
  const Topology topology(shapes::full{}, 64);
  Plans plans(topology, overrides, typical, Nearness(machine, mapping, nodes, nullptr, carriers),
              std::make_shared<PlanCache>());
  const auto chosen = [&](Collective collective, std::size_t count = 1) {
    CallKey key;
    key.collective = collective;
    key.count = collective == Collective::barrier ? 0 : count;
    return std::string(plans.prepare(key)->record.kind->algorithm);
  };
  // At a meeting nodes are counted, and what they bring is combined or gathered, on their carriers first.
  CHECK(chosen(Collective::barrier) == "barrier_central");
  CHECK(chosen(Collective::all_reduce) == "all_reduce_central");
  CHECK(chosen(Collective::all_gather) == "all_gather_direct");
  CHECK(chosen(Collective::reduce_scatter) == "reduce_scatter_direct");
  CHECK(chosen(Collective::all_to_all, 8) == "all_to_all_direct");
  CHECK(chosen(Collective::all_reduce, 100000) != "all_reduce_central");
  CHECK(chosen(Collective::scan) == "scan_linear");

  Nearness nearness(machine, mapping, nodes, nullptr, carriers);
  CHECK(nearness.hierarchy().text() == "2x32");
  CHECK(nearness.parsed("carrier").text() == "2x32");
  CHECK(nearness.near_costs(nearness.hierarchy(), typical_costs).front().t_s == 0);
  CHECK_FALSE(Nearness(machine, mapping, nodes).hierarchy());  // threads
}

TEST_CASE("calls that take turns do not take each other's place among a node's recent calls") {
  RecentCalls recent;
  double x[2]{}, y[2]{};
  Arguments up;
  up.collective = Collective::circular_shift;
  up.shift = 1;
  up.in = {.data = x, .count = 2};
  up.out = {.data = y, .count = 2};
  Arguments down = up, in_place = up;
  down.shift = -1;
  in_place.in.data = y;
  CHECK(&recent.at(up) == &recent.at(up));
  CHECK(&recent.at(up) != &recent.at(down));
  CHECK(&recent.at(up) != &recent.at(in_place));
}
