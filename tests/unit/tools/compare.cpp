#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <vnode/model/select.hpp>

#include "folder.hpp"
#include "program.hpp"

using namespace vnode;

namespace {

constexpr CostModel costs{100e-9, 0.1e-9, typical_costs.t_op, typical_costs.t_put, typical_costs.o};

std::vector<Candidate> able(Collective collective, const Topology& topology, std::size_t bytes) {
  Demand demand;
  demand.collective = collective;
  demand.bytes = bytes;
  demand.parameters = {
      .nodes = topology.nodes(), .extents = mesh_extents(topology), .shift = 1, .segments = 0};
  std::vector<Candidate> found = candidates(demand, Topology(shapes::full{}, topology.nodes()), costs);
  std::erase_if(found, [](const Candidate& candidate) { return !candidate.excluded.empty(); });
  const Candidate best = choose(demand, topology, costs);
  for (Candidate& candidate : found) candidate.chosen = candidate.algorithm == best.algorithm;
  return found;
}

}  // namespace

TEST_CASE("compare predicts every algorithm that can run, and marks the one with the least estimate") {
  const ConfigFolder folder;
  const Topology topology(shapes::mesh{2, 4}, 8);
  for (const Collective collective :
       {Collective::broadcast, Collective::all_reduce, Collective::all_to_all}) {
    const auto json = json_of("compare --collective " + std::string(enums::name(collective)) +
                              " --topology mesh:2x4 --bytes 1K:64K --ts 100 --tw 0.1");
    CHECK(json["nodes"] == 8);
    CHECK(json["topology"] == "mesh:2x4");
    CHECK(json["costs"].get<std::string>().starts_with("t_s, t_w as given, the others typical"));
    std::size_t at = 0;
    for (std::size_t bytes = 1024; bytes <= 64 << 10; bytes *= 2)
      for (const Candidate& candidate : able(collective, topology, bytes)) {
        REQUIRE(at < json["rows"].size());
        const auto& row = json["rows"][at++];
        CHECK(row["bytes"] == bytes);
        CHECK(row["algorithm"] == candidate.algorithm->name);
        CHECK(row["segments"] == candidate.segments);
        CHECK(row["predicted"]["estimate"].get<double>() ==
              doctest::Approx(candidate.seconds).epsilon(1e-12));
        CHECK(row["best"] == candidate.chosen);
        CHECK_FALSE(row.contains("measured"));
      }
    CHECK(at == json["rows"].size());
  }
}

TEST_CASE("what compare predicts is what one can work out by hand") {
  const ConfigFolder folder;
  const auto json = json_of("compare --collective broadcast --nodes 4 --bytes 8 --ts 100 --tw 0.1");
  const auto& rows = json["rows"];
  const auto binomial =
      std::ranges::find_if(rows, [](const auto& row) { return row["algorithm"] == "broadcast_binomial"; });
  REQUIRE(binomial != rows.end());
  // Two rounds of t_s (1 + 8 / 1024, for the length) + 8 t_w.
  CHECK((*binomial)["predicted"]["estimate"] ==
        doctest::Approx(2 * (100e-9 * (1 + 8.0 / 1024) + 8 * 0.1e-9)));
}

TEST_CASE("an algorithm that meets itself on the links is there, but not the best") {
  const ConfigFolder folder;
  const auto json =
      json_of("compare --collective broadcast --topology array --nodes 8 --bytes 8 --ts 100 --tw 0");
  std::set<std::string> congested;
  for (const auto& row : json["rows"])
    if (row["load_1"] == false) {
      congested.insert(row["algorithm"].get<std::string>());
      CHECK(row["best"] == false);
    }
  CHECK(congested.contains("broadcast_low_bit_first"));
  CHECK_FALSE(congested.contains("broadcast_binomial"));
  const std::string table =
      run("compare --collective broadcast --topology array --nodes 8 --bytes 8 --ts 100 --tw 0 "
          "--algorithm broadcast_binomial,broadcast_low_bit_first")
          .output;
  CHECK(table.find("broadcast_low_bit_first (c)") != std::string::npos);
  CHECK(table.find("(c): does not promise load 1 on array") != std::string::npos);
}

TEST_CASE("compare writes a table, CSV and SVG, to a file if asked") {
  const ConfigFolder folder;
  const std::string call = "compare --collective broadcast --nodes 4 --bytes 1K,64K ";
  const std::string table = run(call).output;
  CHECK(table.starts_with("broadcast on 4 nodes, full\ncosts, typical, since there is no profile"));
  CHECK(std::ranges::count(table, '*') == 3);
  const std::string csv = run(call + "--format csv").output;
  CHECK(csv.starts_with(
      "bytes,algorithm,segments,domains,load_1,best,predicted_estimate_us,predicted_formula_us,"
      "predicted_simulated_us\n1024,broadcast_linear,1,,"));
  const auto rows = static_cast<std::size_t>(std::ranges::count(csv, '\n')) - 1;
  CHECK(rows == 2 * able(Collective::broadcast, Topology(shapes::full{}, 4), 1024).size());
  const Ran svg = run(call + "--format svg --output " + folder.path("plot.svg"));
  CHECK(svg.status == 0);
  CHECK(svg.output.empty());
  std::ostringstream text;
  text << std::ifstream(folder.path("plot.svg")).rdbuf();
  CHECK(text.str().starts_with("<svg "));
  // Eight lines can be told apart; the others are named below.
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = text.str().find("class=\"label", at)) != std::string::npos; ++at) ++lines;
  CHECK(lines == 8);
  CHECK(text.str().find("Not shown, with how") != std::string::npos);
  CHECK(text.str().find(" is also the line of ") != std::string::npos);
  for (const Candidate& candidate : able(Collective::broadcast, Topology(shapes::full{}, 4), 1024))
    CHECK(text.str().find(candidate.algorithm->name) != std::string::npos);
}

TEST_CASE("algorithms with the same times share a line of compare, and are named below") {
  const ConfigFolder folder;
  const std::string call = "compare --collective broadcast --nodes 8 --bytes 1K";
  const std::string table = run(call).output;
  CHECK(table.find("  broadcast_doubling [1] ") != std::string::npos);
  CHECK(table.find("  broadcast_binomial ") == std::string::npos);
  CHECK(table.find("\n[1] the same times: broadcast_doubling, broadcast_binomial, ") != std::string::npos);
  const std::string csv = run(call + " --format csv").output;
  CHECK(csv.find("\n1024,broadcast_binomial,") != std::string::npos);
}

TEST_CASE("tables are as wide as COLUMNS says, and a hundred letters where nobody says it") {
  const ConfigFolder folder;
  const auto widest = [](const std::string& text) {
    std::size_t most = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      most = std::max(most, end - at);
      at = end + 1;
    }
    return most;
  };
  for (const std::string command :
       {"compare --collective reduce_scatter --nodes 8 --bytes 1K",
        "explain reduce_scatter --nodes 6 --costs typical", "cost broadcast --nodes 8", "map --nodes 4",
        "simulate broadcast_binomial --nodes 4 --sweep bytes=1K:8K",
        "place --collective broadcast --nodes 4 --machine 'numa:4 core:2 pu:1' --mapping compact,scatter "
        "--banks all"}) {
    CAPTURE(command);
    setenv("COLUMNS", "", 1);
    CHECK(widest(run(command).output) <= 100);
    setenv("COLUMNS", "80", 1);
    CHECK(widest(run(command).output) <= 80);
    unsetenv("COLUMNS");
  }
}

TEST_CASE("compare takes some algorithms alone, and marks the best of these") {
  const ConfigFolder folder;
  const std::string call = "compare --collective broadcast --nodes 8 --bytes 1K,1M ";
  const auto json =
      json_of(call + "--algorithm broadcast_linear,broadcast_binomial --algorithm broadcast_pipeline");
  REQUIRE(json["rows"].size() == 6);
  CHECK(json["rows"][0]["algorithm"] == "broadcast_linear");
  CHECK(json["rows"][1]["algorithm"] == "broadcast_binomial");
  CHECK(json["rows"][2]["algorithm"] == "broadcast_pipeline");
  CHECK(json["rows"][1]["best"] == true);
  CHECK(json["rows"][5]["best"] == true);
  check_refused(call + "--algorithm reduce_linear",
                "reduce_linear is an algorithm for reduce, not for broadcast");
  check_refused(call + "--algorithm broadcast_linaer", "did you mean broadcast_linear");
  check_refused("compare --collective broadcast --nodes 6 --algorithm broadcast_hypercube",
                "needs a power of two");
}

TEST_CASE("compare writes a page with the plot and the table") {
  const ConfigFolder folder;
  const Ran page = run("compare --collective broadcast --nodes 8 --bytes 1K,1M --format html");
  CHECK(page.status == 0);
  CHECK(page.output.starts_with("<!DOCTYPE html>"));
  CHECK(page.output.find("<svg") != std::string::npos);
  CHECK(page.output.find("broadcast_doubling [1]</td>") != std::string::npos);
  CHECK(page.output.find("[1] the same times: ") != std::string::npos);
}

TEST_CASE("what has more than a million transfers is not simulated, and that is said") {
  const ConfigFolder folder;
  const std::string call = "compare --collective scan --nodes 1500 --bytes 8 ";
  const std::string table = run(call).output;
  CHECK(table.find("-: not simulated, for it has more than 1048576 transfers: scan_one_shot_direct") !=
        std::string::npos);
  const auto json = json_of(call);
  CHECK(std::ranges::any_of(json["rows"],
                            [](const auto& row) { return row["predicted"]["simulated"].is_null(); }));
  CHECK(std::ranges::none_of(json["rows"],
                             [](const auto& row) { return row["predicted"]["estimate"].is_null(); }));
}

TEST_CASE("compare draws in the colours that are asked for, and only drawings have some") {
  const ConfigFolder folder;
  const std::string call = "compare --collective broadcast --nodes 4 --bytes 1K,64K --theme dark";
  CHECK(run(call + " --format svg").output.find("@media") == std::string::npos);
  const Ran refused = run(call);
  CHECK(refused.status == 2);
  CHECK(refused.errors.find("--theme does nothing here: only --format svg and html have colours") !=
        std::string::npos);
}

TEST_CASE("a plot of times that are all 0 is refused in a sentence of its own") {
  const Ran ran = run(
      "compare --collective broadcast --nodes 4 --bytes 64 --ts 0 --tw 0 --top 0 --overhead 0 --format svg");
  CHECK(ran.status == 2);
  CHECK(ran.errors.find("every time is 0") != std::string::npos);
}

TEST_CASE("with --measure every row has a time and its ratio to the prediction") {
  const ConfigFolder folder;
  for (const std::string call :
       {"broadcast --nodes 2 --bytes 1K,64K", "all_reduce --nodes 3 --bytes 1K",
        "scatter --nodes 2 --bytes 100 --root 1", "gather --nodes 2 --bytes 100",
        "all_gather --nodes 2 --bytes 7", "reduce_scatter --nodes 2 --bytes 8", "scan --nodes 2 --bytes 64",
        "exclusive_scan --nodes 2 --bytes 64", "reduce --nodes 2 --bytes 64 --root 1",
        "all_to_all --nodes 2 --bytes 9", "circular_shift --nodes 3 --bytes 1K --shift -1"}) {
    CAPTURE(call);
    const auto json = json_of("compare --measure --ts 100 --tw 0.1 --collective " + call);
    CHECK(json["rows"].size() > 0);
    CHECK(json["beginnings"]["rounds"] >= 5 * json["rows"].size());
    CHECK(json["beginnings"]["late"] <= json["beginnings"]["rounds"]);
    if (json["beginnings"]["together"] == false) CHECK(json["beginnings"]["late"] == 0);
    for (const auto& row : json["rows"]) {
      REQUIRE(row.contains("measured"));
      const double measured = row["measured"].get<double>();
      CHECK(measured > 0);
      CHECK(row["ratio"]["formula"].get<double>() ==
            doctest::Approx(measured / row["predicted"]["formula"].get<double>()));
    }
  }
}
