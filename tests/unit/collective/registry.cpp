#include <algorithm>
#include <doctest/doctest.h>
#include <set>
#include <string>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/verify.hpp>
#include <vnode/shape.hpp>

#include "schedule/each_block.hpp"

using namespace vnode;

namespace {

std::string reason(std::string_view name, const Parameters& parameters) {
  return why_not(algorithm(name), parameters).value_or("can run");
}

}  // namespace

TEST_CASE("the registry has every algorithm once, under the name of its collective") {
  std::set<std::string_view> names;
  for (const Algorithm& algorithm : algorithms()) {
    CHECK(names.insert(algorithm.name).second);
    CHECK(algorithm.name.starts_with(std::string(enums::name(algorithm.collective)) + "_"));
    CHECK(&vnode::algorithm(algorithm.name) == &algorithm);
    CHECK_FALSE(algorithm.best_for.empty());
    CHECK_FALSE(algorithm.source.empty());
    CHECK_FALSE(algorithm.carriers.empty());
    for (const Carrier& carrier : algorithm.carriers) CHECK_NOTHROW(parse_family(carrier.family));
  }
  for (const Collective collective : collectives())
    CHECK_MESSAGE(
        std::ranges::any_of(algorithms(), [=](const Algorithm& a) { return a.collective == collective; }),
        enums::name(collective));
}

TEST_CASE("an unknown algorithm is answered with near matches") {
  CHECK_THROWS_WITH_AS(
      algorithm("broadcast_binomal"),
      "there is no algorithm \"broadcast_binomal\"; did you mean broadcast_binomial, broadcast_k_nomial? "
      "`vnode algorithms` lists all",
      UsageError);
  CHECK_THROWS_WITH_AS(algorithm("gray"),
                       "there is no algorithm \"gray\"; did you mean circular_shift_gray? "
                       "`vnode algorithms` lists all",
                       UsageError);
  CHECK_THROWS_AS(algorithm(""), UsageError);
  CHECK_THROWS_WITH_AS(
      algorithm("binomial"),
      "there is no algorithm \"binomial\"; did you mean broadcast_binomial, reduce_binomial, "
      "all_reduce_binomial, scatter_binomial, gather_binomial? `vnode algorithms` lists all",
      UsageError);
}

TEST_CASE("an unknown algorithm that is like none, or like many, is answered with the nearest few") {
  for (const std::string_view text : {"nonsense", "ring", "broadcast", "", "broadcast_of_mine"}) {
    CAPTURE(text);
    try {
      algorithm(text);
      FAIL("there is none");
    } catch (const UsageError& error) {
      const std::string_view said = error.what();
      CHECK(said.size() < 250);
      CHECK(said.find("`vnode algorithms` lists all") != said.npos);
    }
  }
}

TEST_CASE("an unknown collective is answered with those there are") {
  CHECK_THROWS_WITH_AS(parse_collective("bcast"), doctest::Contains("(did you mean broadcast?)"), UsageError);
  CHECK_THROWS_WITH_AS(parse_collective("allreduce"), doctest::Contains("(did you mean all_reduce?)"),
                       UsageError);
  CHECK_THROWS_WITH_AS(parse_collective("sort"), doctest::Contains("\"sort\"; there are"), UsageError);
  CHECK(parse_collective("reduce") == Collective::reduce);
  CHECK_THROWS_WITH_AS(parse_collective("brodcast"),
                       "there is no collective \"brodcast\" (did you mean broadcast?); there are broadcast, "
                       "reduce, all_gather, "
                       "reduce_scatter, all_reduce, "
                       "scan, exclusive_scan, scatter, gather, all_to_all, circular_shift, barrier",
                       UsageError);
}

TEST_CASE("why an algorithm cannot run is said") {
  CHECK(reason("broadcast_doubling", {.nodes = 8, .root = 7}) == "can run");
  CHECK(reason("broadcast_doubling", {.nodes = 6}) == "needs a power of two, 6 is not");
  CHECK(reason("broadcast_binomial", {.nodes = 0}) == "needs at least one node, not 0");
  CHECK(reason("broadcast_binomial", {.nodes = 4, .root = 4}) == "needs a root from 0 to 3, not 4");
  CHECK(reason("broadcast_binomial", {.nodes = 4, .root = -1}) == "needs a root from 0 to 3, not -1");
  CHECK(reason("broadcast_mesh", {.nodes = 6}) == "needs the extents of a mesh, and there are none");
  CHECK(reason("broadcast_mesh", {.nodes = 6, .extents = {2, 4}}) ==
        "needs extents that make 6 nodes, 2x4 makes 8");
  CHECK(reason("broadcast_mesh", {.nodes = 6, .extents = {0, 4}}) == "needs extents of at least 1, not 0x4");
  CHECK(reason("broadcast_mesh", {.nodes = 24, .extents = {2, 3, 4}}) == "can run");
  CHECK(reason("broadcast_hypercube", {.nodes = 8, .dimension_order = {0, 2}}) ==
        "needs each of the 3 dimensions once in the order of dimensions, not 0,2");
  CHECK(reason("reduce_hypercube", {.nodes = 8, .dimension_order = {0, 2, 1}}) == "can run");
  CHECK(reason("reduce_hypercube", {.nodes = 8, .dimension_order = {0, 2, 1}, .keep_order = true}) ==
        "keeps rank order with the highest dimension first only, not with 0,2,1");
  CHECK(reason("reduce_low_bit_first", {.nodes = 8, .keep_order = true}) ==
        "needs a commutative operator: it does not combine in rank order");
  CHECK(reason("reduce_low_bit_first", {.nodes = 2, .keep_order = true}) == "can run");
}

TEST_CASE("the registry tells truly which reductions keep rank order, and at what price") {
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective != Collective::reduce) continue;
    CAPTURE(algorithm.name);
    bool never = true, dearer = false;
    for (Rank root = 0; root < 8; ++root) {
      Parameters parameters{.nodes = 8, .root = root, .extents = {2, 4}};
      parameters.hierarchy = Hierarchy::parse("2x4", 8);
      const Schedule plain = algorithm.build(parameters);
      never &= !keeps_order(plain, reduce_contract(8, plain.blocks(), root));
      parameters.keep_order = true;
      if (algorithm.keeps_order == KeepsOrder::never) continue;
      const Schedule kept = algorithm.build(parameters);
      CHECK(keeps_order(kept, reduce_contract(8, kept.blocks(), root)));
      dearer |= kept.rounds().size() > plain.rounds().size();
    }
    if (algorithm.keeps_order == KeepsOrder::never) CHECK(never);
    CHECK(dearer == (algorithm.keeps_order == KeepsOrder::through_zero));
  }
}

// Returns how often, at most, what a node brings is combined on its way into a result.
int steps(const Schedule& schedule) {
  const auto blocks = static_cast<std::size_t>(schedule.blocks());
  const auto place = [&](Rank rank, int block) {
    return static_cast<std::size_t>(rank) * blocks + static_cast<std::size_t>(block);
  };
  std::vector<int> done(static_cast<std::size_t>(schedule.nodes()) * blocks);
  for (const Round& round : schedule.rounds()) {
    std::vector<int> after = done;
    for (const Transfer& transfer : round)
      each_block(schedule, transfer, [&](int what, int into) {
        const int combines = transfer.effect != Effect::replace;
        int& result = after[place(transfer.to, into)];
        const int own = combines ? done[place(transfer.to, into)] : 0;
        result = std::max({result, own + combines, done[place(transfer.from, what)] + combines});
      });
    done = after;
  }
  return std::ranges::max(done);
}

TEST_CASE("the registry tells truly which algorithms combine at once") {
  int at_once = 0;
  for (const Algorithm& algorithm : algorithms()) {
    if (!combines(algorithm.collective)) {
      CHECK_FALSE(algorithm.at_once);
      continue;
    }
    CAPTURE(algorithm.name);
    int most = 0;
    for (const int nodes : {1, 2, 3, 6, 8, 13})
      for (Rank root = 0; root < nodes; ++root) {
        Parameters parameters{.nodes = nodes, .root = root, .extents = {nodes / 2, 2}};
        if (nodes % 2 == 0) parameters.hierarchy = Hierarchy::parse(std::to_string(nodes / 2) + "x2", nodes);
        if (!why_not(algorithm, parameters)) most = std::max(most, steps(algorithm.build(parameters)));
      }
    CHECK(most >= 1);
    CHECK(algorithm.at_once == (most == 1));
    at_once += algorithm.at_once;
  }
  CHECK(at_once == 9);
}

TEST_CASE("contracts are those of the collective") {
  const Parameters parameters{.nodes = 4, .root = 2};
  CHECK(contract(Collective::broadcast, parameters, 3) == broadcast_contract(4, 3, 2));
  CHECK(contract(Collective::reduce, parameters, 3) == reduce_contract(4, 3, 2));
  CHECK(contract(Collective::barrier, parameters, 0) == barrier_contract(4));
}
