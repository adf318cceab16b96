// Tests hierarchical algorithms over machines: what crosses between them is the least that can.
#include <algorithm>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <vnode/model/algorithms.hpp>
#include <vnode/model/contract.hpp>
#include <vnode/model/verify.hpp>

using namespace vnode;

namespace {

/// Describes what machines send to each other: messages, blocks, and the most blocks that one sends or
/// receives.
struct Traffic {
  long messages = 0, blocks = 0, most = 0;
};

Traffic traffic(const Schedule& schedule, int machines) {
  const int each = schedule.nodes() / machines;
  std::vector<long> out(static_cast<std::size_t>(machines)), in = out;
  Traffic sum;
  for (const Round& round : schedule.rounds())
    for (const Transfer& message : messages(round)) {
      const int from = message.from / each, to = message.to / each;
      if (from == to) continue;
      const long blocks = schedule.count(message.what);
      ++sum.messages;
      sum.blocks += blocks;
      out[static_cast<std::size_t>(from)] += blocks;
      in[static_cast<std::size_t>(to)] += blocks;
    }
  sum.most = std::max(std::ranges::max(out), std::ranges::max(in));
  return sum;
}

/// Calls check(traffic, schedule, machines, form) for up to 12 machines of up to 6 nodes, both forms and
/// every root, once the schedule has proved right.
template <class Check>
void each_cluster(Collective collective, const char* outer, const Check& check) {
  const Algorithm& subject = algorithm(std::string(enums::name(collective)) + "_hierarchical");
  long checked = 0;
  for (int machines = 2; machines <= 12; ++machines)
    for (int each = 1; each <= 6; ++each)
      for (const HierarchyForm form : {HierarchyForm::leaders, HierarchyForm::slices})
        for (Rank root = 0; root < (has_root(collective) ? machines * each : 1); ++root) {
          Parameters told{.nodes = machines * each, .root = root};
          told.hierarchy =
              Hierarchy::parse(std::to_string(machines) + "x" + std::to_string(each), machines * each)
                  .with({.outer = outer, .form = form});
          REQUIRE_FALSE(why_not(subject, told));
          const Schedule schedule = subject.build(told);
          CAPTURE(subject.name);
          CAPTURE(told.hierarchy.text());
          CAPTURE(root);
          const Contract wanted = contract(collective, told, schedule.blocks());
          if (const auto wrong = verify(schedule, wanted, {.ports = Ports::all}); !wrong.empty())
            FAIL(wrong.front());
          check(traffic(schedule, machines), schedule, machines, form);
          ++checked;
        }
  CHECK(checked >= 2 * 11 * 6);
}

}  // namespace

TEST_CASE("what one machine has and others need crosses to each of them once, from every root") {
  for (const Collective collective : {Collective::broadcast, Collective::reduce})
    each_cluster(collective, "",
                 [](const Traffic& sum, const Schedule& schedule, int machines, HierarchyForm) {
                   REQUIRE(sum.blocks == (machines - 1) * schedule.blocks());
                 });
}

TEST_CASE("what all machines need of all crosses to each of them once, and enters none twice") {
  for (const Collective collective : {Collective::all_gather, Collective::reduce_scatter})
    each_cluster(collective, "",
                 [](const Traffic& sum, const Schedule& schedule, int machines, HierarchyForm) {
                   const long own = schedule.blocks() / machines;
                   REQUIRE(sum.blocks == machines * (machines - 1) * own);
                   REQUIRE(sum.most == (machines - 1) * own);
                 });
}

TEST_CASE("what is scattered or gathered crosses once if its node is elsewhere") {
  for (const Collective collective : {Collective::scatter, Collective::gather})
    each_cluster(collective, "linear",
                 [](const Traffic& sum, const Schedule& schedule, int machines, HierarchyForm) {
                   const long own = schedule.blocks() / machines;
                   REQUIRE(sum.blocks == (machines - 1) * own);
                 });
}

// A result needs what every machine adds, and every machine the result: M - 1 times m each. Slices share it
// out.
TEST_CASE("an all_reduce over a ring of machines sends 2 (M - 1) m, in slices as much by each") {
  each_cluster(Collective::all_reduce, "ring",
               [](const Traffic& sum, const Schedule& schedule, int machines, HierarchyForm form) {
                 REQUIRE(sum.blocks == 2L * (machines - 1) * schedule.blocks());
                 if (form == HierarchyForm::slices) REQUIRE(machines * sum.most == sum.blocks);
               });
}

TEST_CASE("so it does by Rabenseifner's algorithm, as much by each for powers of two; doubling sends more") {
  const auto least = [](const Schedule& schedule, int machines) {
    return 2L * (machines - 1) * schedule.blocks();
  };
  each_cluster(Collective::all_reduce, "rabenseifner",
               [&](const Traffic& sum, const Schedule& schedule, int machines, HierarchyForm) {
                 const bool power = (machines & (machines - 1)) == 0;
                 REQUIRE((machines * sum.most == sum.blocks) == power);
                 REQUIRE(sum.blocks == least(schedule, machines));
               });
  each_cluster(Collective::all_reduce, "",
               [&](const Traffic& sum, const Schedule& schedule, int machines, HierarchyForm) {
                 REQUIRE((sum.blocks == least(schedule, machines)) == (machines <= 3));
               });
}

TEST_CASE("a barrier of machines sends as many messages between them as one with a node on each") {
  each_cluster(Collective::barrier, "", [](const Traffic& sum, const Schedule&, int machines, HierarchyForm) {
    REQUIRE(sum.messages == algorithm("barrier_dissemination").transfers.value({.nodes = machines}));
  });
}
