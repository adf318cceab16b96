#include <algorithm>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "campaign.hpp"
#include "program.hpp"
#include "repository.hpp"
#include "two_pus.hpp"

namespace {

const std::string costs = " --ts 0 --tw 0.1 --top 0 ";
const std::string four_banks = " --machine 'numa:4 core:2 pu:1' ";
/// A bank feeds one stream at t_w, so that it is banks that limit.
const std::string slow_banks = costs + four_banks + "--bank-bandwidth 10 ";

/// Returns the bandwidths predicted for a list of banks.
std::vector<double> predicted(const std::string& arguments) {
  std::vector<double> list;
  const auto json = json_of("place " + arguments);
  for (const auto& outcome : json["outcomes"]) list.push_back(outcome["predicted_bandwidth"]);
  return list;
}

}  // namespace

// On three ports d / ceil(d / banks): two banks cannot share them evenly.
TEST_CASE("place: with d ports, spread is up to min(d, banks) times as fast as one") {
  const std::vector<std::pair<std::string, double>> machines{{"numa:1 core:8 pu:1", 1},
                                                             {"numa:2 core:8 pu:1", 1.5},
                                                             {"numa:4 core:8 pu:1", 3},
                                                             {"numa:8 core:8 pu:1", 3}};
  for (const auto& machine : machines) {
    CAPTURE(machine.first);
    const auto speeds = predicted(
        "--collective broadcast --algorithm broadcast_rotated --nodes 8 --topology hypercube "
        "--banks one,spread --bytes 3M --bank-bandwidth 10 --machine '" +
        machine.first + "'" + costs);
    REQUIRE(speeds.size() == 2);
    CHECK(speeds[1] / speeds[0] == doctest::Approx(machine.second));
  }
}

TEST_CASE("place: where links limit, the banks make no difference") {
  const auto speeds = predicted(
      "--collective broadcast --algorithm broadcast_rotated --nodes 8 --topology hypercube --banks all "
      "--bytes 3M --bank-bandwidth 100000 " +
      costs + four_banks);
  REQUIRE(speeds.size() == 5);
  for (const double speed : speeds) CHECK(speed == doctest::Approx(speeds.front()));
}

TEST_CASE("place: JSON has exactly these keys, and tells the bank condition") {
  const auto json = json_of(
      "place --collective broadcast --algorithm broadcast_rotated --nodes 8 --topology hypercube "
      "--banks one,spread --bytes 3M" +
      slow_banks);
  CHECK(keys(json) ==
        Names{"version", "campaign", "kernel", "begun", "environment", "machine", "costs", "outcomes"});
  CHECK(keys(json["machine"]) == Names{"source", "model", "digest", "banks", "cores", "pus", "measured"});
  CHECK(json["machine"]["banks"] == 4);
  CHECK(json["machine"]["measured"] == false);
  REQUIRE(json["outcomes"].size() == 2);
  for (const auto& outcome : json["outcomes"]) {
    CHECK(keys(outcome) == Names{"experiment", "refused", "algorithm", "segments", "predicted",
                                 "predicted_bandwidth", "need", "measured", "measured_bandwidth", "ratio",
                                 "not_measured", "pages", "degraded", "when"});
    CHECK(outcome["measured"].is_null());
    CHECK(outcome["need"]["feeds"].get<double>() == doctest::Approx(1));
    CHECK(outcome["predicted_bandwidth"].get<double>() ==
          doctest::Approx((3 << 20) / outcome["predicted"].get<double>()));
  }
  const auto &one = json["outcomes"][0]["need"], &spread = json["outcomes"][1]["need"];
  CHECK(one["holds"] == false);
  CHECK(one["streams"].get<double>() > spread["streams"].get<double>());
  CHECK(one["factor"].get<double>() > spread["factor"].get<double>());
}

TEST_CASE("place: a table for a person says that a described machine is predicted only") {
  const Ran ran =
      run("place --collective all_reduce --nodes 4 --mapping compact,scatter --bytes 1K,64K" + slow_banks);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(ran.errors.empty());
  CHECK(has(ran.output, "all_reduce: 4 experiments\n"));
  CHECK(has(ran.output, "a machine that is described, not this one: all times are predicted\n"));
  CHECK(has(ran.output, "banks deliver 10 GB/s each (as given)"));
  CHECK(has(ran.output, "S_b of W_b t_w"));
  CHECK(has(ran.output, "scatter "));
  CHECK(has(ran.output, "\nall: "));
  CHECK_FALSE(has(ran.output, "quartiles"));
}

TEST_CASE("place: CSV has a row for each experiment, and one for what is refused") {
  const std::string text =
      run("place --collective broadcast --nodes 4 --topology ring --mapping compact,subcubes "
          "--bytes 1K,64K --format csv" +
          slow_banks)
          .output;
  CHECK(std::ranges::count(text, '\n') == 5);
  CHECK(text.starts_with(
      "collective,asked,algorithm,segments,nodes,topology,root,mapping,banks,bytes,predicted_us,"));
  CHECK(has(text, "\nbroadcast,auto,broadcast_"));
  CHECK(has(text, ",4,ring,0,compact,owner,65536,"));
  CHECK(has(text, "subcubes needs a hypercube"));
}

TEST_CASE("place: without the banks' bandwidth memory is no limit, and that is said") {
  const Ran ran = run("place --collective broadcast --nodes 4 --bytes 1K" + costs + four_banks);
  CHECK(ran.status == 0);
  CHECK(has(ran.output, "bandwidth not known, so memory is no limit in the predictions"));
  CHECK(has(ran.output, " of ?"));
}

TEST_CASE("place: what would take too long to simulate is named") {
  const Ran ran =
      run("place --collective broadcast --algorithm broadcast_esbt_all_port --nodes 8 --bytes 64M" +
          slow_banks + "--topology hypercube");
  CHECK(ran.status == 0);
  CHECK(has(ran.output, "\nnot simulated:\n"));
}

TEST_CASE("place: of several combinations those that cannot be are listed with the reason") {
  const Ran ran =
      run("place --collective broadcast --nodes 8 --topology ring --mapping all --bytes 1K" + slow_banks);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(has(ran.output, "\nnot possible:\n"));
  CHECK(has(ran.output, "subcubes needs a hypercube"));
  CHECK(has(ran.output, "\nring_order  "));
}

TEST_CASE("place: a list of PUs is a mapping, and all nodes share one PU if it says so") {
  const auto json = json_of(
      "place --collective broadcast --algorithm broadcast_binomial --nodes 4 --mapping 0,2,4,6 --mapping "
      "0,0,0,0 "
      "--banks owner --bytes 1M" +
      slow_banks);
  REQUIRE(json["outcomes"].size() == 2);
  CHECK(json["outcomes"][1]["predicted"].get<double>() > json["outcomes"][0]["predicted"].get<double>());
}

TEST_CASE(
    "place: this machine is measured, also if it has one bank, and then there is one policy for banks") {
  std::string call = "place --collective broadcast --nodes 2 --bytes 64K --repeats 3";
  {
    const TwoPus machine("numa:1 core:2");
    if (!machine) return;
    const Ran one = run(call);
    CHECK(one.status == 0);
    CHECK(has(one.output, "this machine has one bank: mappings and algorithms are measured"));
    CHECK(has(one.output, "/ predicted"));
    const auto all = json_of(call + " --banks all --algorithm broadcast_linear,broadcast_binomial");
    REQUIRE(all["outcomes"].size() == 2);
    for (const auto& outcome : all["outcomes"]) CHECK(has(outcome["experiment"], "banks owner"));
    for (const auto& outcome : all["outcomes"]) CHECK(outcome["measured"].is_object());
  }
  const TwoPus machine("numa:2 core:1");
  if (!machine) return;
  const Ran two = run(call);
  CHECK(two.status == 0);
  CHECK_FALSE(has(two.output, "all times are predicted"));
  CHECK(has(two.output, "/ predicted"));
}

TEST_CASE("place: a measurement tells times, pages, and what was refused") {
  const TwoPus machine("numa:2 core:1");
  if (!machine) return;
  const auto json = json_of(
      "place --collective all_gather --nodes 2 --banks owner,peer,spread,interleave,one --bytes 64K "
      "--repeats 5 "
      "--ts 100 --tw 0.1 --top 0.1 --bank-bandwidth 10");
  CHECK(json["machine"]["measured"] == true);
  for (const auto& outcome : json["outcomes"]) {
    CAPTURE(outcome.dump());
    CHECK(outcome["not_measured"] == "");
    REQUIRE(outcome["measured"].is_object());
    const auto& times = outcome["measured"];
    CHECK(times["median"].get<double>() > 0);
    CHECK(times["lower"].get<double>() <= times["median"].get<double>());
    CHECK(times["upper"].get<double>() >= times["median"].get<double>());
    CHECK(times["calls"].get<int>() >= 1);
    CHECK(times["calls"].get<int>() + times["late"].get<int>() >= 5);
    CHECK(outcome["ratio"].get<double>() ==
          doctest::Approx(times["median"].get<double>() / outcome["predicted"].get<double>()));
    const auto& pages = outcome["pages"];
    CHECK(pages["as_asked"].get<int>() + pages["elsewhere"].get<int>() + pages["nowhere"].get<int>() >=
          2 * (16 + 32));
  }
}

TEST_CASE("place: more nodes than PUs, and nodes that are not pinned, are not measured") {
  const TwoPus machine("numa:2 core:1");
  if (!machine) return;
  const Ran crowded = run("place --collective broadcast --nodes 4 --bytes 64K --repeats 1");
  CHECK(crowded.status == 0);
  CHECK(has(crowded.output, "would wait for each other, not for memory"));
  const Variable pin("VNODE_PIN", "off");
  const Ran unpinned = run("place --collective broadcast --nodes 2 --bytes 64K --repeats 1");
  CHECK(unpinned.status == 0);
  CHECK(has(unpinned.output, "is VNODE_PIN off"));
}

TEST_CASE("place: where the environment asks for other banks, nothing is measured") {
  const TwoPus machine("numa:2 core:1");
  if (!machine) return;
  const Variable banks("VNODE_BANKS", "one");
  const Ran other = run("place --collective broadcast --nodes 2 --banks owner --bytes 64K --repeats 1");
  CHECK(other.status == 0);
  CHECK(has(other.output, "the buffers lie on one, not by owner: is VNODE_BANKS set?"));
}

TEST_CASE("place: what would take too long to choose is refused before it is built") {
  const std::string usual = "place --bytes 4K --nodes 4096 " + slow_banks;
  check_refused(usual + "--collective all_to_all", "16773120 transfers on 4096 nodes, more than the 4194304");
  check_refused(usual + "--collective all_gather --algorithm all_gather_ring",
                "all_gather_ring has 16773120 transfers on 4096 nodes");
}

TEST_CASE("place: what cannot be written is refused before anything is measured") {
  // Measuring would take hours.
  const TwoPus machine("numa:2 core:1");
  if (!machine) return;
  const std::string long_call = "place --collective broadcast --nodes 2 --bytes 8M --repeats 1000000 ";
  check_refused(long_call + "--output /nonexistent/file", "/nonexistent/file");
  check_refused(long_call + "--output /", "/: Is a directory");
  check_refused("place --matrix --output /nonexistent/file", "/nonexistent/file");
  std::string sizes = "8";
  for (int i = 2; i <= 513; ++i) sizes += ',' + std::to_string(8 * i);
  check_refused("place --collective broadcast --nodes 2 --repeats 1000000 --format svg --bytes " + sizes,
                "--format svg: up to 512 rows or columns can be drawn, not 513");
}

TEST_CASE("place: pictures and tables tell the root, and that an algorithm was chosen") {
  const std::string call =
      "place --collective broadcast --nodes 4 --root 3 --bytes 1K --algorithm "
      "auto,broadcast_binomial" +
      slow_banks;
  const Ran picture = run(call + "--format svg"), table = run(call);
  CHECK(has(picture.output, ">broadcast, 4 nodes, full, root 3, banks owner, 1K: predicted<"));
  for (const char* const text : {">compact<", ">auto<", ">broadcast_binomial<"})
    CHECK(has(picture.output, text));
  CHECK(has(table.output, " (chosen)"));
  CHECK(has(table.output, "full 4, root 3"));
}

TEST_CASE("place: reports are pages and pictures of their own") {
  const ConfigFolder folder;
  const std::string file = folder.path("results.json");
  const std::string lists = campaign(folder, R"("about": "<script>alert('&')</script>", )");
  REQUIRE(run("place --campaign " + lists + " --output " + file).status == 0);
  const Ran page = run("place --report " + file + " --format html --theme dark");
  CHECK(page.status == 0);
  CHECK(page.output.starts_with("<!DOCTYPE html>"));
  CHECK(has(page.output, "data-theme=\"dark\""));
  CHECK(has(page.output, "&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"));
  CHECK_FALSE(has(page.output, "<script"));
  CHECK_FALSE(has(page.output, "http://") != has(page.output, "http://www.w3.org/2000/svg"));
  CHECK(has(page.output, "<svg"));
  CHECK(has(page.output, "broadcast, 8 nodes, hypercube"));
  const Ran picture = run("place --report " + file + " --format svg");
  CHECK(picture.status == 0);
  CHECK(picture.output.starts_with("<svg"));
  CHECK(has(picture.output, ">banks spread<"));
  CHECK(json_of("place --report " + file) == Json::parse(text_of(file)));
}

TEST_CASE("place: the matrix has a row for every core and a curve for every bank") {
  const auto json = json_of("place --matrix");
  CHECK(keys(json) == Names{"version", "when", "machine", "model", "digest", "cores", "banks", "degraded"});
  REQUIRE(json["cores"].size() >= 1);
  REQUIRE(json["banks"].size() >= 1);
  for (const auto& core : json["cores"]) {
    REQUIRE(core["read"].size() == json["banks"].size());
    for (const auto& speed : core["read"]) CHECK(speed.get<double>() > 0);
    for (const auto& speed : core["write"]) CHECK(speed.get<double>() > 0);
  }
  for (const auto& bank : json["banks"]) {
    CHECK(bank["read"].size() == json["cores"].size());
    CHECK(bank["streams_on"].size() == json["cores"].size());
  }
}

// Two cores with 32 MiB of their own each stream at once on each bank.
TEST_CASE("place: the matrix streams beyond the caches of all cores that stream") {
  const TwoPus machine("numa:2(memory=8GB) l3:1(size=32MB) core:1");
  if (!machine) return;
  const auto json = json_of("place --matrix");
  for (const auto& bank : json["banks"])
    CHECK(bank["bytes"].get<std::size_t>() >= 2 * 2 * std::size_t{32'000'000});
}

TEST_CASE("place: a bank too small to be read beyond the caches is told") {
  const TwoPus machine("numa:2(memory=64MB) l3:1(size=32MB) core:1");
  if (!machine) return;
  const auto json = json_of("place --matrix");
  for (const std::string bank : {"0", "1"})
    CHECK(std::ranges::any_of(json["degraded"], [&](const Json& sentence) {
      return sentence.get<std::string>().starts_with("bank " + bank + ": a quarter of it, 15 MiB, is less");
    }));
}

TEST_CASE("place: several collectives are tried, on a machine that has a name") {
  const auto json = json_of(
      "place --collective broadcast,scan --nodes 4 --root 2 --bytes 64K --machine "
      "dual_epyc_7742_nps4");
  CHECK(json["machine"]["source"] == "dual_epyc_7742_nps4");
  CHECK(json["machine"]["banks"] == 8);
  REQUIRE(json["outcomes"].size() == 2);
  CHECK(json["campaign"]["experiments"][0]["collective"] == "broadcast");
  CHECK(json["campaign"]["experiments"][0]["root"] == 2);
  CHECK(json["campaign"]["experiments"][1]["collective"] == "scan");
  CHECK(has(run("place --collective scan --nodes 4 --machine 'pack:2 core:4 pu:1'").output,
            "one bank, so where buffers lie makes no difference"));
}

TEST_CASE("place: what cannot be is said in one sentence, and the status is 2") {
  const std::string usual = "place --collective broadcast --nodes 4 ";
  check_refused("place", "give --collective, --campaign, --report or --matrix");
  check_refused("place --collective sort --nodes 4", "broadcast, reduce, all_gather");
  check_refused("place --collective broadcast", "--nodes P");
  check_refused(usual + "--banks most", "most");
  check_refused(usual + "--bytes 0", "1 to 1024G are possible");
  check_refused(usual + "--algorithm reduce_binomial", "reduce_binomial is an algorithm for reduce");
  check_refused(usual + "--algorithm broadcast_binomal", "did you mean broadcast_binomial");
  check_refused(usual + "--mapping nowhere", "vnode: --mapping: there is no mapping \"nowhere\"");
  check_refused(usual + "--mapping subcubes --topology ring" + four_banks, "subcubes needs a hypercube");
  check_refused(usual + "--root 4", "the ranks are 0 to 3");
  check_refused(usual + "--machine nonsense:3", "nonsense");
  check_refused(usual + "--format xml", "table, json, csv, svg or html");
  check_refused(usual + "--theme dark", "only --format svg and html have colours");
  check_refused(usual + "--repeats 0", "--repeats");
  check_refused(usual + "--matrix", "--collective cannot be combined with --matrix");
  check_refused("place --matrix --report /dev/null", "--report and --matrix are two tasks");
  check_refused("place --campaign /nonexistent", "/nonexistent");
  check_refused("place --campaign /dev/null", "/dev/null: campaign, line 1, column 1: the text is not JSON");
  check_refused("place --report /dev/null", "/dev/null: results, line 1");
}

TEST_CASE("place: by the latencies of real machines auto is as fast as two levels, and compact not slower") {
  struct Measured {
    std::string machine, latencies;
    int nodes;
  };
  const std::vector<Measured> measured{
      {"pack:1 numa:1 l3:8 core:8 pu:2(indexes=2*64:1*2)", "epyc_7773x", 64},
      {"pack:2 numa:1 l3:16 core:4 pu:2(indexes=2*128:1*2)", "dual_epyc_7742", 128},
      {"pack:2 numa:1 l3:1 core:16 pu:2(indexes=2*32:1*2)", "dual_xeon_gold_6242", 32}};
  for (const Measured& one : measured) {
    CAPTURE(one.latencies);
    const auto json = json_of(
        "place --collective all_reduce --algorithm auto,all_reduce_hierarchical,all_reduce_rabenseifner "
        "--mapping compact,scatter --bytes 8,64K --profile none --nodes " +
        std::to_string(one.nodes) + " --machine '" + one.machine + "' --latencies " +
        (repository() / "tests/data/latencies" / (one.latencies + ".csv")).string());
    // By algorithm, mapping, bytes:
    std::vector<double> seconds;
    for (const auto& outcome : json["outcomes"]) seconds.push_back(outcome["predicted"]);
    REQUIRE(seconds.size() == 12);
    for (std::size_t i = 0; i < 4; ++i) CHECK(seconds[i] <= 1.3 * seconds[4 + i]);
    CHECK(seconds[9] <= 1.001 * seconds[11]);  // 64 KiB, compact and scattered
  }
}

TEST_CASE("place: latencies that are not of the machine are refused") {
  const Ran ran =
      run("place --collective broadcast --nodes 4 --bytes 8 --machine 'core:256 pu:1' --latencies " +
          (repository() / "tests/data/latencies/graviton3.csv").string());
  CHECK(ran.status == 2);
  CHECK(has(ran.errors, "the matrix of latencies is of 64 PUs, but"));
  check_refused("place --collective broadcast --nodes 4 --bytes 8 --machine 'core:8 pu:1' --latencies " +
                    (repository() / "tests/data/latencies/graviton3.csv").string(),
                "and core:8 pu:1 has 8: it is another machine's");
}

TEST_CASE("place: predictions for all ports are marked and have no star, which is of each operation") {
  const std::string table =
      run("place --collective all_reduce,broadcast --nodes 16 --bytes 64K --machine 'pack:2 core:8 pu:1' "
          "--algorithm auto --profile none --mapping compact,scatter")
          .output +
      run("place --collective all_reduce --algorithm two_shot_direct,ring --nodes 16 --bytes 64K "
          "--machine 'pack:2 core:8 pu:1' --profile none")
          .output;
  CHECK(has(table, "^: for all ports"));
  CHECK(has(table, "typical costs are the same for all pairs of PUs"));
  const std::size_t direct = table.rfind("two_shot_direct"), ring = table.rfind("ring");
  CHECK(table.substr(direct, table.find('\n', direct) - direct).find(" ^ ") != std::string::npos);
  CHECK(table.substr(ring, table.find('\n', ring) - ring).find(" * ") != std::string::npos);
  check_refused("place --campaign lists.json --output x.svg", "a campaign's results are JSON");
}
