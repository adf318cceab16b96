#include <algorithm>
#include <atomic>
#include <doctest/doctest.h>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <vnode/hierarchy.hpp>
#include <vnode/model/select.hpp>
#include <vnode/vnode.hpp>

#include "child_case.hpp"
#include "settings/overrides.hpp"

namespace {

/// Returns the algorithm by which a team adds up ranks, and whether all have the sum.
std::string added_by(vnode::Team& team, const vnode::CallOptions& options, bool& right) {
  std::string name;
  std::vector<int> sums(static_cast<std::size_t>(team.size()));
  team.run([&](vnode::Node& me) {
    std::vector<int> x(100, me.rank());
    me.all_reduce(x, std::plus<>{}, options);
    sums[static_cast<std::size_t>(me.rank())] = x[0] + x[99];
    if (me.rank() == 0) name = std::string(me.last_algorithm());
  });
  right = true;
  for (const int sum : sums) right &= sum == team.size() * (team.size() - 1);
  return name;
}

vnode::TeamOptions with(std::string algorithms) {
  vnode::TeamOptions options;
  options.algorithms = std::move(algorithms);
  return options;
}

}

TEST_CASE("a call may name the hierarchy that it goes by") {
  vnode::Team team(6);
  for (const char* text : {"2x3", "3x2,form=slices", "0-3,4+5", "0+2+4,1+3+5,form=slices", "1x6", "6x1"}) {
    const vnode::Hierarchy hierarchy = vnode::Hierarchy::parse(text, 6);
    bool right = false;
    CAPTURE(text);
    CHECK(added_by(team, {.algorithm = "all_reduce_hierarchical", .hierarchy = &hierarchy}, right) ==
          "all_reduce_hierarchical");
    CHECK(right);
  }
}

TEST_CASE("on two packages some calls are hierarchical and all are right" * doctest::skip()) {
  // Ranks are on the packages by the number of their ones in binary: flat trees cross in every round.
  vnode::TeamOptions options;
  options.mapping = "0,8,9,1,10,2,3,11,12,4,5,13,6,14,15,7";
  options.costs = vnode::typical_costs;  // so that the choice does not depend on how busy this machine is
  vnode::Team team(16, vnode::shapes::full{}, options);
  std::set<std::string> names;
  std::atomic<int> wrong{0};
  team.run([&](vnode::Node& me) {
    const auto note = [&](bool right) {
      wrong += !right;
      if (me.rank() == 0) names.emplace(me.last_algorithm());
    };
    for (const std::size_t count : {1u, 100u, 1000u, 10'000u, 100'000u}) {
      std::vector<int> x(count, me.rank() == 0 ? 7 : 0);
      me.broadcast(x);
      note(x.front() == 7 && x.back() == 7);
      me.all_reduce(x, std::plus<>{});
      note(x.front() == 7 * 16 && x.back() == 7 * 16);
      me.reduce(x, std::plus<>{});
      note(me.rank() != 0 || (x.front() == 7 * 256 && x.back() == 7 * 256));
    }
  });
  CHECK(wrong == 0);
  std::string all;
  for (const std::string& name : names) all += name + " ";
  CAPTURE(all);
  CHECK(std::ranges::any_of(names, [](const std::string& name) { return name.ends_with("_hierarchical"); }));
}

TEST_CASE("a team across domains chooses hierarchical algorithms by itself") {
  check_case_passes("HWLOC_SYNTHETIC='pack:2 l3:1 core:8 pu:1'",
                    "on two packages some calls are hierarchical and all are right");
}

TEST_CASE("a hierarchy of another number of nodes, or none, is refused with a sentence") {
  vnode::Team team(4);
  const vnode::Hierarchy six = vnode::Hierarchy::parse("2x3", 6), none;
  bool right = false;
  CHECK_THROWS_WITH_AS(added_by(team, {.algorithm = "all_reduce_hierarchical", .hierarchy = &six}, right),
                       doctest::Contains("needs domains of 4 nodes, 2x3 has 6"), vnode::UsageError);
  CHECK_THROWS_WITH_AS(added_by(team, {.hierarchy = &none}, right), doctest::Contains("has no domains"),
                       vnode::UsageError);
}

TEST_CASE("an override may name a hierarchy in brackets") {
  bool right = false;
  vnode::Team team(4, vnode::shapes::full{},
                   with("all_reduce=hierarchical(2x2,inner=linear,form=leaders):0-max"));
  CHECK(added_by(team, {}, right) == "all_reduce_hierarchical");
  CHECK(right);
  vnode::Team other(6, vnode::shapes::full{}, with("all_reduce=hierarchical(2x2)"));
  CHECK_THROWS_WITH_AS(added_by(other, {}, right), doctest::Contains("it is for 4 nodes, and there are 6"),
                       vnode::UsageError);
}

TEST_CASE("overrides with hierarchies are read, and what they cannot be is said") {
  using vnode::Overrides;
  const Overrides read = Overrides::parse("reduce=hierarchical(0-3,4-7,outer=linear):1K-2K;broadcast=linear");
  const Overrides::Rule* rule = read.find(vnode::Collective::reduce, 1500);
  REQUIRE(rule != nullptr);
  CHECK(rule->hierarchy == "0-3,4-7,outer=linear");
  CHECK(read.find(vnode::Collective::reduce, 3000) == nullptr);
  CHECK(read.find(vnode::Collective::broadcast, 3000)->hierarchy.empty());
  const auto refused = [](const char* text, const char* why) {
    CHECK_THROWS_WITH_AS(Overrides::parse(text), doctest::Contains(why), vnode::UsageError);
  };
  refused("reduce=linear(2x2)", "reduce_linear has no hierarchy");
  refused("reduce=hierarchical(2x2", "opens a bracket");
  refused("reduce=hierarchical(2x2)x", "only bytes may");
  refused("reduce=hierarchical(2x2):1-", "range of bytes");
}
