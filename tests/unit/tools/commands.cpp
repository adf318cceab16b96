#include <doctest/doctest.h>
#include <set>

#include <vnode/lab/notation.hpp>
#include <vnode/model/algorithms.hpp>

#include "program.hpp"

using namespace vnode;
using Names = std::vector<std::string>;

TEST_CASE("algorithms lists the whole register, with exactly the promised keys") {
  const auto list = json_of("algorithms");
  REQUIRE(list.size() == algorithms().size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& row = list[i];
    const Algorithm& algorithm = algorithms()[i];
    CHECK(keys(row) == Names{"name", "collective", "topology", "ports", "needs", "keeps_order", "at_once",
                             "v_variant", "rounds", "source"});
    CHECK(row["name"] == algorithm.name);
    CHECK(row["collective"] == enums::name(algorithm.collective));
    CHECK(row["ports"] == (algorithm.ports == Ports::all ? "all" : "single"));
    CHECK(row["needs"].size() == algorithm.needs.size());
    CHECK(row["keeps_order"] == enums::name(algorithm.keeps_order));
    CHECK(row["at_once"] == algorithm.at_once);
    const auto families = row["topology"].get<Names>();
    CHECK(std::set(families.begin(), families.end()).size() == families.size());
    for (const Carrier& carrier : algorithm.carriers)
      CHECK(std::ranges::find(families, carrier.family) != families.end());
  }
  const Ran text = run("algorithms");
  CHECK(text.status == 0);
  for (const Algorithm& algorithm : algorithms())
    CHECK(text.output.find(std::string(algorithm.name) + " ") != std::string::npos);
}

TEST_CASE("algorithms of one collective are listed with what they are best for and their sources") {
  for (const Collective collective : collectives()) {
    const std::string arguments = "algorithms --collective " + std::string(enums::name(collective));
    const std::string text = run(arguments).output;
    std::size_t rows = 0;
    for (const Algorithm& algorithm : algorithms()) {
      const bool listed = algorithm.collective == collective;
      rows += listed;
      std::string heading = "\n\n";
      heading.append(algorithm.name).append("\n  best for  ");
      CHECK((text.find(heading) != std::string::npos) == listed);
      if (!listed) continue;
      CHECK(text.find(algorithm.best_for) != std::string::npos);
      CHECK(text.find(algorithm.source) != std::string::npos);
    }
    CHECK(json_of(arguments).size() == rows);
  }
}

TEST_CASE("algorithms tells which can serve a v-variant: those in which nobody carries what is for others") {
  const auto list = json_of("algorithms");
  const auto serves = [&](std::string_view name) {
    const auto row = std::ranges::find_if(list, [&](const auto& one) { return one["name"] == name; });
    REQUIRE(row != list.end());
    return (*row)["v_variant"];
  };
  for (const char* yes : {"scatter_linear", "gather_direct", "all_to_all_pairwise", "all_gather_ring"})
    CHECK(serves(yes) == true);
  for (const char* no : {"scatter_binomial", "gather_hypercube", "all_to_all_ring", "all_to_all_bruck"})
    CHECK(serves(no) == false);
  for (const char* no_question : {"broadcast_linear", "all_reduce_ring", "barrier_tree"})
    CHECK(serves(no_question).is_null());
}

TEST_CASE("show writes the schedule that the builder makes, as JSON and as text") {
  struct Call {
    std::string arguments, algorithm;
    Parameters parameters;
  };
  const Call calls[] = {
      {"broadcast_doubling --nodes 8 --root 5", "broadcast_doubling", {.nodes = 8, .root = 5}},
      {"reduce_binomial --nodes 6 --root 2", "reduce_binomial", {.nodes = 6, .root = 2}},
      {"broadcast_mesh --topology mesh:3x5", "broadcast_mesh", {.nodes = 15, .extents = {3, 5}}},
      {"reduce_mesh --nodes 12", "reduce_mesh", {.nodes = 12, .extents = {3, 4}}},
      {"barrier_dissemination --nodes 6", "barrier_dissemination", {.nodes = 6}},
      {"broadcast_hypercube --nodes 1", "broadcast_hypercube", {.nodes = 1}},
  };
  for (const Call& call : calls) {
    CAPTURE(call.arguments);
    const Algorithm& wanted = algorithm(call.algorithm);
    const Schedule schedule = wanted.build(call.parameters);
    const auto json = json_of("show " + call.arguments);
    CHECK(keys(json) == Names{"algorithm", "collective", "nodes", "blocks", "root", "rounds"});
    CHECK(json["algorithm"] == call.algorithm);
    CHECK(json["collective"] == enums::name(wanted.collective));
    CHECK(json["root"] == call.parameters.root);
    CHECK(schedule_from_json(json.dump()) == schedule);
    for (const auto& round : json["rounds"])
      for (const auto& transfer : round) CHECK(keys(transfer) == Names{"from", "to", "blocks", "effect"});
    const std::string text = run("show " + call.arguments).output;
    CHECK(text.ends_with(to_text(schedule)));
  }
}

TEST_CASE("show tells the load of each round: the counter-example congests an array and no hypercube") {
  const std::string array = run("show broadcast_low_bit_first --nodes 8 --topology array").output;
  CHECK(array.find("# load       1 2 4 on array") != std::string::npos);
  CHECK(array.find("# rounds     3\n# transfers  7\n# cost       3 t_s + 3 t_w m\n") != std::string::npos);
  const std::string cube = run("show broadcast_low_bit_first --nodes 8").output;
  CHECK(cube.find("load       1 in every round on hypercube") != std::string::npos);
}

TEST_CASE("show can ask for the order of ranks, as an operator that is not commutative needs it") {
  const std::string call = "show reduce_scatter_hypercube --nodes 8";
  Parameters parameters{.nodes = 8};
  const Algorithm& wanted = algorithm("reduce_scatter_hypercube");
  CHECK(run(call).output.ends_with(to_text(wanted.build(parameters))));
  parameters.keep_order = true;
  const std::string ordered = run(call + " --in-order").output;
  CHECK(ordered.starts_with("# reduce_scatter_hypercube on 8 nodes, in rank order\n"));
  CHECK(ordered.ends_with(to_text(wanted.build(parameters))));
  CHECK(run(call).output != ordered);
  check_refused("show reduce_scatter_ring --nodes 8 --in-order", "needs a commutative operator");
  check_refused("show broadcast_binomial --nodes 8 --in-order", "broadcast combines nothing");
}

TEST_CASE("verify counts checks and mutants, of what it was asked for only") {
  const auto list = json_of("verify --collective broadcast --max-nodes 4");
  std::size_t broadcasts = 0;
  for (const Algorithm& algorithm : algorithms()) broadcasts += algorithm.collective == Collective::broadcast;
  CHECK(list.size() == broadcasts);
  for (const auto& row : list) {
    CHECK(keys(row) == Names{"algorithm", "checks", "mutants", "failures"});
    CHECK(row["algorithm"].get<std::string>().starts_with("broadcast_"));
    CHECK(row["checks"] > 0);
    CHECK(row["mutants"] > 0);
    CHECK(row["failures"] == 0);
  }
  const auto one = json_of("verify --algorithm barrier_tree --max-nodes 3");
  REQUIRE(one.size() == 1);
  CHECK(one[0]["algorithm"] == "barrier_tree");
  Names several;
  for (const auto& row : json_of("verify --algorithm barrier_tree,scan_linear,barrier_tree "
                                 "--algorithm broadcast_linear --max-nodes 3"))
    several.push_back(row["algorithm"]);
  CHECK(several == Names{"barrier_tree", "scan_linear", "broadcast_linear"});
  const Ran text = run("verify --algorithm barrier_tree --max-nodes 3");
  CHECK(text.status == 0);
  CHECK(text.output.find(" s\n") != std::string::npos);
}
