#include <doctest/doctest.h>
#include <string>

#include <vnode/error.hpp>
#include <vnode/hierarchy.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/model/algorithms.hpp>

#include "building_blocks/level.hpp"
#include "building_blocks/phases.hpp"

using namespace vnode;

namespace {

std::string refusal(std::string_view text, int nodes) {
  try {
    Hierarchy::parse(text, nodes);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "fine";
}

std::string reason(const char* name, const char* hierarchy, int nodes, bool keep_order = false) {
  const Parameters parameters{
      .nodes = nodes, .keep_order = keep_order, .hierarchy = Hierarchy::parse(hierarchy, nodes)};
  return why_not(algorithm(name), parameters).value_or("can run");
}

std::string drawn(const char* name, const char* hierarchy, Parameters parameters) {
  parameters.hierarchy = Hierarchy::parse(hierarchy, parameters.nodes);
  REQUIRE_FALSE(why_not(algorithm(name), parameters));
  return picture(algorithm(name).build(parameters));
}

}  // namespace

TEST_CASE("a hierarchy is read from text, and written as short as can be") {
  const Hierarchy two = Hierarchy::parse("2x3", 6);
  CHECK(two.nodes() == 6);
  CHECK(two.levels() == 1);
  CHECK(two.domains() == Hierarchy::Domains{{0, 1, 2}, {3, 4, 5}});
  CHECK(two == Hierarchy::parse("0-2,3-5", 6));
  CHECK(two == Hierarchy::parse("3+5+4,2+1+0", 6));
  CHECK(two.text() == "2x3");
  CHECK(Hierarchy::parse("4-5,0+2,1+3", 6).text() == "0+2,1+3,4-5");
  const Hierarchy deep = Hierarchy::parse("2x2x3,inner=ring+binomial,outer=linear,form=slices", 12);
  CHECK(deep.levels() == 2);
  CHECK(deep.domains(1).size() == 4);
  CHECK(deep.ways().inner == "ring+binomial");
  CHECK(deep.ways().outer == "linear");
  CHECK(deep.ways().form == HierarchyForm::slices);
  CHECK(Hierarchy::parse(deep.text(), 12) == deep);
  CHECK(Hierarchy::parse("0-3,4-5/0-1,2-3,4-5", 6).text() == "0-3,4-5/0-1,2-3,4-5");
  CHECK_FALSE(two == deep);
  CHECK_FALSE(two == Hierarchy::parse("2x3,form=slices", 6));
  CHECK_FALSE(Hierarchy());
  CHECK(Hierarchy().text().empty());
}

TEST_CASE("names of domains are asked for") {
  const auto named = [](std::string_view name) {
    return name == "numa" ? Hierarchy::Domains{{0, 1}, {2, 3}} : Hierarchy::Domains{{0, 1, 2, 3}};
  };
  CHECK(Hierarchy::parse("package/numa,inner=linear", 4, named).text() == "1x2x2,inner=linear");
  CHECK(Hierarchy::parse("numa", 4, named).text() == "2x2");
}

TEST_CASE("what is no hierarchy is refused with a sentence") {
  CHECK(refusal("2x3", 8) == "hierarchy \"2x3\": it is for 6 nodes, and there are 8");
  CHECK(refusal("0-2,4-5", 6) == "hierarchy \"0-2,4-5\": rank 3 is in no domain: every rank is in one");
  CHECK(refusal("0-2,2-3", 4) == "hierarchy \"0-2,2-3\": rank 2 is in two domains: every rank is in one");
  CHECK(refusal("0-1,2-3/0+2,1+3", 4) ==
        "hierarchy \"0-1,2-3/0+2,1+3\": ranks 0 and 2 share a domain, but are in two domains of the level "
        "outside, and must be in one");
  CHECK(refusal("numa", 4).find("\"numa\" does not name domains") != std::string::npos);
  CHECK(refusal("", 4).find("does not name domains") != std::string::npos);
  CHECK(refusal("0x4", 4).find("makes 0 nodes") != std::string::npos);
  CHECK(refusal("99999x99999", 4).find("number from 0 to") != std::string::npos);
  CHECK(refusal("3-1", 4).find("its end is below its begin") != std::string::npos);
  CHECK(refusal("2x2,form=both", 4).find("there are leaders, slices") != std::string::npos);
  CHECK(refusal("2x2,size=3", 4).find("inner, outer and form may follow") != std::string::npos);
  CHECK(refusal("2x2,inner=", 4) == "hierarchy \"2x2,inner=\": inner has no value: write inner=binomial");
  CHECK(refusal("2x2,form", 4) == "hierarchy \"2x2,form\": form has no value: write form=slices");
  CHECK(refusal("0-1,2+3,outer=ring,form", 4).find("form has no value") != std::string::npos);
  CHECK(refusal("2x2,inner=ring,inner=linear", 4).find("inner is given twice") != std::string::npos);
  CHECK(refusal("2x2,form=slices,form=slices", 4).find("form is given twice") != std::string::npos);
  CHECK(refusal("0-1,2-3+9", 4).find("there is no rank 9: those of 4 nodes are 0 to 3") != std::string::npos);
  CHECK(refusal("0-,1", 4).find("a number is missing") != std::string::npos);
  CHECK(refusal("2xx2", 4).find("a number is missing") != std::string::npos);
  CHECK(refusal("inner=ring,outer=ring", 4).find("the domains are missing") != std::string::npos);
  CHECK(refusal("inner=ring", 4).find("the domains are missing") != std::string::npos);
  CHECK(refusal("2x2,inner=rign", 4).find("there is no algorithm \"rign\"") != std::string::npos);
  CHECK(refusal("2x2,inner=hierarchical", 4).find("there is no algorithm") != std::string::npos);
  CHECK_THROWS_AS(Hierarchy(std::vector<Hierarchy::Domains>()), UsageError);
  CHECK_THROWS_AS(Hierarchy(std::vector<Hierarchy::Domains>{{{0, 1}, {}}}), UsageError);
}

TEST_CASE("a hierarchy has 16 levels at most") {
  std::string factors = "4", lists = "0-3";
  for (int level = 1; level <= 16; ++level) factors = "1x" + factors;
  for (int level = 2; level <= 16; ++level) lists += "/0-3";
  CHECK(refusal(factors, 4) == "fine");
  CHECK(refusal(lists, 4) == "fine");
  for (const char* form : {",form=leaders", ",form=slices"})
    CHECK(reason("broadcast_hierarchical", (factors + form).c_str(), 4) == "can run");
  const char* too_many = "17 levels of domains are too many: 16 are the most";
  CHECK(refusal("1x" + factors, 4).find(too_many) != std::string::npos);
  CHECK(refusal(lists + "/0-3", 4).find(too_many) != std::string::npos);
  CHECK_THROWS_WITH_AS(Hierarchy(std::vector<Hierarchy::Domains>(17, {{0, 1}})), too_many, UsageError);
  CHECK(refusal(std::string(100'000, '/'), 4).find("100001 levels") != std::string::npos);
}

TEST_CASE("algorithms that cut messages so differently that the pieces are too many are refused") {
  CHECK(reason("broadcast_hierarchical", "0-4,5-11,12-19,20-28,inner=splitting_ring", 29) == "can run");
  CHECK(reason("broadcast_hierarchical", "0-6,7-14,15-23,24-34,35-47,inner=splitting_ring", 48) ==
        "needs algorithms that cut messages alike: for all their parts to fit, these cut them into 72072 "
        "pieces, 65536 are the most");
}

TEST_CASE("domains that are equal have one schedule, built once") {
  const Level level(Collective::broadcast,
                    {.nodes = 17, .hierarchy = Hierarchy::parse("0-3,4-7,8-11,12-16", 17)});
  const Schedule& first = level.inside(Collective::broadcast, 0);
  CHECK(&level.inside(Collective::broadcast, 1) == &first);
  CHECK(&level.inside(Collective::broadcast, 2) == &first);
  CHECK(&level.inside(Collective::broadcast, 3) != &first);
  CHECK(&level.inside(Collective::broadcast, 1, 2) != &first);
  const Level deep(Collective::broadcast, {.nodes = 16, .hierarchy = Hierarchy::parse("2x2x4", 16)});
  CHECK(&deep.inside(Collective::broadcast, 0) == &deep.inside(Collective::broadcast, 1));
}

TEST_CASE("the messages of phases are counted part by part: what they are worth, and what is news") {
  const Schedule pair = schedule_from_text("nodes 2 blocks 2\n1: 0>1\n");
  Phases phases(4, 3);
  phases.add(pair, {0, 2}, {{0, 1}, {}});  // the second share is empty
  phases.add(pair, {1, 3}, {{}, {}});      // both are: nobody sends
  phases.next();
  phases.add(pair, {2, 0}, {{1}, {2}});
  const auto sizes = [&] {
    std::string text;
    for (const auto& round : phases.tally().rounds) {
      for (const auto& [from, to, pieces, combined] : round)
        text += std::to_string(from) + '>' + std::to_string(to) + ':' + std::to_string(pieces) + ' ';
      text += "; ";
    }
    return text;
  };
  CHECK(sizes() == "0>2:2 ; 2>0:2 ; ");
  phases.without_repeats({{0, 1}, {}, {2}, {}});
  CHECK(sizes() == "0>2:2 ; 2>0:1 ; ");
  phases.without_repeats({{0, 1, 2}, {}, {0, 2}, {}});
  CHECK(sizes() == "0>2:1 ; ");
  const Tally back = phases.tally().backwards(true);
  CHECK(back.rounds.front().front().from == 2);
  CHECK(back.rounds.front().front().combined == 1);
}

TEST_CASE("the radix of a call is that of the algorithms inside and across domains") {
  CHECK(drawn("broadcast_hierarchical", "1x9,inner=k_nomial", {.nodes = 9, .radix = 3}) ==
        "1: 0>6; 2: 0>3; 3: 0>2 3>5 6>8; 4: 0>1 3>4 6>7");
  CHECK(drawn("broadcast_hierarchical", "9x1,outer=k_nomial", {.nodes = 9, .radix = 3}) ==
        "1: 0>6; 2: 0>3; 3: 0>2 3>5 6>8; 4: 0>1 3>4 6>7");
  const Parameters unary{.nodes = 9, .radix = 1, .hierarchy = Hierarchy::parse("3x3,inner=k_nomial", 9)};
  CHECK(why_not(algorithm("broadcast_hierarchical"), unary) ==
        "needs another algorithm inside domains than broadcast_k_nomial for 3 nodes: it needs a radix of at "
        "least 2, not 1");
}

TEST_CASE("ranks are apart at as many levels as part them") {
  const Hierarchy deep = Hierarchy::parse("2x2x2", 8);
  CHECK(deep.apart(0, 1) == 0);
  CHECK(deep.apart(0, 3) == 1);
  CHECK(deep.apart(7, 3) == 2);
  CHECK(deep.within(1).text() == "2x2");
  CHECK_FALSE(deep.within(1).within(0));
}

TEST_CASE("why a hierarchical algorithm cannot run is said") {
  CHECK(why_not(algorithm("broadcast_hierarchical"), {.nodes = 4}) ==
        "needs a hierarchy of domains, as 4x8, and there is none");
  CHECK(why_not(algorithm("broadcast_hierarchical"), {.nodes = 4, .hierarchy = Hierarchy::parse("2x3", 6)}) ==
        "needs domains of 4 nodes, 2x3 has 6");
  CHECK(reason("broadcast_hierarchical", "2x3,inner=hypercube", 6) ==
        "needs another algorithm inside domains than broadcast_hypercube for 3 nodes: it needs a power of "
        "two, 3 "
        "is not");
  CHECK(reason("broadcast_hierarchical", "3x2,outer=hypercube", 6) ==
        "needs another algorithm across domains than broadcast_hypercube for 3 nodes: it needs a power of "
        "two, 3 "
        "is not");
  CHECK(reason("broadcast_hierarchical", "3x2,inner=ring", 6) ==
        "needs another algorithm inside domains than ring: there is no broadcast_ring");
  CHECK(reason("broadcast_hierarchical", "3x2,inner=ring,form=slices", 6) == "can run");
  CHECK(reason("reduce_hierarchical", "0+2,1+3", 4) == "can run");
  for (const char* name : {"reduce_hierarchical", "all_reduce_hierarchical", "reduce_scatter_hierarchical"})
    CHECK(reason(name, "0+2,1+3", 4, true) ==
          "needs a commutative operator, or domains of consecutive ranks and algorithms that combine in rank "
          "order");
  CHECK(reason("all_reduce_hierarchical", "2x4,outer=ring", 8, true) == "can run");
  CHECK(reason("all_reduce_hierarchical", "4x2,outer=ring", 8, true).find("needs a commutative operator") !=
        std::string::npos);
}

TEST_CASE("slices cross between domains at the same time, whole messages once") {
  CHECK(drawn("broadcast_hierarchical", "2x2", {.nodes = 4, .root = 1}) == "1: 1>2; 2: 1>0 2>3");
  CHECK(drawn("broadcast_hierarchical", "2x2,form=slices", {.nodes = 4}) ==
        "1: 0>1[1]; 2: 0>2[0] 1>3[1]; 3: 0>1[0] 2>3[0] 3>2[1]");
  // The second domain has a node more than there are slices.
  CHECK(drawn("scatter_hierarchical", "0-1,2-4,form=slices", {.nodes = 5}) ==
        "1: 0>1[1,3]; 2: 0>2[2,4] 1>3[3]; 3: 2>4[4]");
  CHECK(drawn("all_gather_hierarchical", "0-1,2-4,form=slices", {.nodes = 5}).starts_with("1: 4>2[4]; "));
}

TEST_CASE("segments follow as soon as all ports are free") {
  const auto chain = [](int segments) {
    Parameters parameters{.nodes = 8, .segments = segments};
    parameters.hierarchy = Hierarchy::parse("2x4,inner=pipeline,outer=pipeline", 8);
    return rounds(algorithm("broadcast_hierarchical"), parameters);
  };
  CHECK(chain(1) == 4);
  CHECK(chain(2) == 6);  // a leader sends on twice: to another domain, and in its own
  CHECK(chain(10) == 4 + 9 * 2);
  CHECK(drawn("broadcast_hierarchical", "2x2,inner=pipeline,outer=pipeline", {.nodes = 4, .segments = 2}) ==
        "1: 0>2[0]; 2: 0>1[0] 2>3[0]; 3: 0>2[1]; 4: 0>1[1] 2>3[1]");
}

TEST_CASE("the ports are those of the algorithms in use") {
  const auto of = [](const char* hierarchy) {
    return ports(algorithm("broadcast_hierarchical"),
                 {.nodes = 8, .hierarchy = Hierarchy::parse(hierarchy, 8)});
  };
  CHECK(of("2x4") == Ports::single);
  CHECK(of("2x4,inner=direct") == Ports::all);
  CHECK(of("2x2x2,outer=direct") == Ports::all);
  CHECK(ports(algorithm("broadcast_direct"), {.nodes = 8}) == Ports::all);
}
