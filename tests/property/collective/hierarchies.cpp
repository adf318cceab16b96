// Tests hierarchical algorithms over the shapes of domains: how often messages cross from one to another.
#include <algorithm>
#include <doctest/doctest.h>
#include <set>
#include <string>
#include <vector>

#include <vnode/lab/sweep.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/verify.hpp>

using namespace vnode;

namespace {

struct Crossings {
  long messages = 0, blocks = 0;
  bool operator==(const Crossings&) const = default;
};

// Of messages between different domains of a level.
Crossings crossings(const Schedule& schedule, const Hierarchy& hierarchy, int level) {
  const int together = hierarchy.levels() - level - 1;  // apart() of ranks that share one is this at most
  Crossings sum;
  for (const Round& round : schedule.rounds())
    for (const Transfer& message : messages(round))
      if (hierarchy.apart(message.from, message.to) > together) {
        ++sum.messages;
        sum.blocks += schedule.count(message.what);
      }
  return sum;
}

template <class Check>
void each_way(const char* name, int most, const Check& check) {
  long ways = 0;
  for (int nodes = 1; nodes <= most; ++nodes)
    for (const Parameters& way : every_way(algorithm(name), nodes)) {
      CAPTURE(name);
      CAPTURE(nodes);
      CAPTURE(way.root);
      CAPTURE(way.hierarchy.text());
      check(way, algorithm(name).build(way));
      ++ways;
    }
  CHECK(ways > 500);
}

int slices(const Hierarchy& hierarchy) {
  if (hierarchy.ways().form == HierarchyForm::leaders) return 1;
  std::size_t least = hierarchy.domains().front().size();
  for (const std::vector<Rank>& domain : hierarchy.domains()) least = std::min(least, domain.size());
  return static_cast<int>(least);
}

// Describes what is done inside the domains before and after the exchange among their leaders.
struct Phase {
  Collective task;
  bool inside;
};
std::vector<Phase> phases(Collective collective) {
  switch (collective) {
    case Collective::broadcast:
    case Collective::reduce:
      return {{Collective::broadcast, false}, {Collective::broadcast, true}};
    case Collective::scatter:
    case Collective::gather:
      return {{Collective::scatter, false}, {Collective::scatter, true}};
    case Collective::all_reduce:
      return {{Collective::reduce, true}, {Collective::all_reduce, false}, {Collective::broadcast, true}};
    case Collective::barrier:
      return {{Collective::broadcast, true}, {Collective::barrier, false}, {Collective::broadcast, true}};
    default:
      return {{Collective::gather, true}, {Collective::all_gather, false}, {Collective::broadcast, true}};
  }
}

// Returns the algorithm of the suffix that is wanted, or the usual one.
const Algorithm& serving(Collective task, const std::string& suffix) {
  const std::string prefix = std::string(enums::name(task)) + "_";
  for (const Algorithm& candidate : algorithms())
    if (!suffix.empty() && candidate.name == prefix + suffix) return candidate;
  for (const Algorithm& candidate : algorithms())
    for (const char* usual : {"bruck", "doubling", "dissemination", "binomial"})
      if (candidate.name == prefix + usual && candidate.needs.empty()) return candidate;
  FAIL("no algorithm serves");
  return algorithms()[0];
}

}  // namespace

TEST_CASE(
    "a broadcast enters every other domain of every level once, a reduction leaves it once: the minimum") {
  for (const char* name : {"broadcast_hierarchical", "reduce_hierarchical"})
    each_way(name, 64, [](const Parameters& way, const Schedule& schedule) {
      const Hierarchy& hierarchy = way.hierarchy;
      // Algorithms that cut a message themselves send every piece of it by another way.
      if (hierarchy.ways().inner.starts_with("splitting")) return;
      const bool leaders = hierarchy.ways().form == HierarchyForm::leaders;
      for (int level = 0; level < (leaders ? hierarchy.levels() : 1); ++level) {
        const long others = static_cast<long>(hierarchy.domains(level).size()) - 1;
        const Crossings sum = crossings(schedule, hierarchy, level);
        const bool least =
            sum == Crossings{others * slices(hierarchy) * way.segments, others * schedule.blocks()};
        if (!least) REQUIRE(least);
      }
    });
}

TEST_CASE("what is gathered or scattered crosses to another domain once") {
  each_way("all_gather_hierarchical", 32, [](const Parameters& way, const Schedule& schedule) {
    const long others = static_cast<long>(way.hierarchy.domains().size()) - 1;
    REQUIRE(crossings(schedule, way.hierarchy, 0).blocks == others * schedule.blocks());
  });
  for (const char* name : {"scatter_hierarchical", "gather_hierarchical"})
    each_way(name, 32, [](const Parameters& way, const Schedule& schedule) {
      if (!way.hierarchy.ways().outer.empty() && way.hierarchy.ways().outer != "linear") return;
      long messages = 0;
      for (const std::vector<Rank>& domain : way.hierarchy.domains())
        messages += !std::ranges::binary_search(domain, way.root);
      REQUIRE(crossings(schedule, way.hierarchy, 0).messages ==
              messages * slices(way.hierarchy) * way.segments);
    });
}

TEST_CASE("by leaders, rounds and messages are those that the rows inside and among the domains promise") {
  long ways = 0;
  for (const Algorithm& subject : algorithms()) {
    if (!subject.name.ends_with("_hierarchical")) continue;
    for (int nodes = 1; nodes <= 32; ++nodes)
      for (const Parameters& way : every_way(subject, nodes)) {
        const Hierarchy& hierarchy = way.hierarchy;
        const auto& [inner, outer, form] = hierarchy.ways();
        const bool cut = inner.starts_with("splitting") || inner.find('+') != std::string::npos;
        if (form != HierarchyForm::leaders || hierarchy.levels() > 1 || way.keep_order || cut) continue;
        int steps = 0, messages = 0;
        for (const auto& [task, inside] : phases(subject.collective)) {
          const Algorithm& part = serving(task, inside ? inner : outer);
          std::vector<int> sizes{static_cast<int>(hierarchy.domains().size())};
          if (inside) sizes.clear();
          for (const std::vector<Rank>& domain : hierarchy.domains())
            if (inside) sizes.push_back(static_cast<int>(domain.size()));
          int longest = 0;
          for (const int size : sizes) {
            longest = std::max(longest, rounds(part, {.nodes = size}));
            messages += part.transfers.value({.nodes = size});
          }
          steps += longest;
        }
        CAPTURE(subject.name);
        CAPTURE(hierarchy.text());
        Parameters one = way;
        one.segments = 1;
        if (rounds(subject, one) != steps) REQUIRE(rounds(subject, one) == steps);
        REQUIRE(subject.transfers.value(way) == messages * way.segments);
        ++ways;
      }
  }
  CHECK(ways > 1000);
}

TEST_CASE("rank order is kept where it is asked for, and by domains of other than consecutive ranks never") {
  long kept = 0, broken = 0;
  for (const char* name : {"reduce_hierarchical", "reduce_scatter_hierarchical", "all_reduce_hierarchical"})
    each_way(name, 12, [&](const Parameters& way, const Schedule& schedule) {
      const Contract wanted = contract(algorithm(name).collective, way, schedule.blocks());
      const bool in_order = keeps_order(schedule, wanted);
      if (way.keep_order) {
        REQUIRE(in_order);
        ++kept;
      }
      const auto& domains = way.hierarchy.domains();
      const bool consecutive = std::ranges::all_of(domains, [](const std::vector<Rank>& ranks) {
        return ranks.back() - ranks.front() == static_cast<Rank>(ranks.size()) - 1;
      });
      if (!consecutive) {
        REQUIRE_FALSE(in_order);
        ++broken;
      }
    });
  CHECK(kept > 500);
  CHECK(broken > 50);
}

TEST_CASE("the sweep has equal domains, consecutive and round robin, unequal ones, and several levels") {
  const auto shapes = [](int nodes) {
    std::set<std::string> seen;
    for (const Parameters& way : every_way(algorithm("all_gather_hierarchical"), nodes))
      seen.insert(way.hierarchy.with({}).text());
    return seen;
  };
  const std::set<std::string> of_8 = shapes(8), of_16 = shapes(16), of_32 = shapes(32), of_64 = shapes(64);
  for (const char* shape : {"1x8", "2x4", "4x2", "8x1", "0+2+4+6,1+3+5+7", "0-2,3-5,6-7", "0,1-2,3-5,6-7",
                            "0+7,1-6", "2x2x2", "2x2x2x1", "0-4,5-7/0-3,4,5-7/0-1,2-3,4,5-7"})
    CHECK_MESSAGE(of_8.contains(shape), shape);
  for (const char* shape : {"2x2x2x2", "2x4x2x1", "4x2x2"}) CHECK_MESSAGE(of_16.contains(shape), shape);
  for (const char* shape : {"2x8x2", "2x2x8", "2x2x2x4"}) CHECK_MESSAGE(of_32.contains(shape), shape);
  for (const char* shape : {"2x16x2", "2x2x16", "4x2x8", "2x2x2x8"})
    CHECK_MESSAGE(of_64.contains(shape), shape);
}

TEST_CASE("the sweep has other algorithms than the usual ones for many nodes, too") {
  for (const int nodes : {6, 12, 24, 64}) {
    std::set<std::string> inner;
    for (const Parameters& way : every_way(algorithm("broadcast_hierarchical"), nodes))
      inner.insert(way.hierarchy.ways().inner);
    CAPTURE(nodes);
    for (const char* name : {"", "direct", "linear", "pipeline", "splitting_ring"})
      CHECK_MESSAGE(inner.contains(name), name);
  }
}
