// Machines as a level, on the command line.
#include <doctest/doctest.h>
#include <string>

#include "program.hpp"

using vnode_test::GivenMachine;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const GivenMachine eight_cores() { return GivenMachine("core:8 pu:1"); }

}  // namespace

TEST_CASE(
    "explain tells what lies between machines, and chooses leaders for short messages, slices for long") {
  const GivenMachine machine = eight_cores();
  const std::string asked = "explain all_gather --machines 4 --nodes 32 --costs typical";
  const Ran ran = run(asked);
  CHECK(ran.status == 0);
  CHECK(ran.output.starts_with("all_gather of 1024 bytes on 32 nodes on 4 machines, full\n"));
  CHECK(has(ran.output, "between machines,"));
  CHECK(has(ran.output, "t_s = 15 us, o = 3 us, t_w = 0.8333 ns per byte"));
  CHECK(has(run("explain all_gather --nodes 32 --costs typical").output, "machines") == false);
  const auto domains = [&](const std::string& more) {
    const auto all = json_of(asked + more);
    for (const auto& candidate : all["candidates"])
      if (candidate["algorithm"] == "all_gather_hierarchical") return candidate["domains"].get<std::string>();
    return std::string();
  };
  CHECK(domains(" --bytes 8") == "4x8,form=leaders");
  CHECK(domains(" --bytes 1M") == "4x8,form=slices");
  const auto json = json_of(asked + " --network 2000,0.1,500");
  CHECK(json["machines"] == 4);
  CHECK(json["network"]["costs"] == "given");
  CHECK(json["network"]["t_s"].get<double>() == doctest::Approx(2e-6));
  CHECK(json["network"]["t_w"].get<double>() == doctest::Approx(1e-10));
  CHECK(json["network"]["o"].get<double>() == doctest::Approx(5e-7));
  const auto seconds = [](const nlohmann::ordered_json& all) {
    return all["candidates"][0]["seconds"].get<double>();
  };
  CHECK(seconds(json) < seconds(json_of(asked)));
}

TEST_CASE("explain knows what lies inside machines with one PU each, which their nodes share") {
  const GivenMachine machine("core:1 pu:1");
  const auto json = json_of("explain broadcast --machines 2 --nodes 4 --bytes 8 --costs typical");
  const auto seconds = [&](const char* algorithm) {
    for (const auto& candidate : json["candidates"])
      if (candidate["algorithm"] == algorithm) return candidate["seconds"].get<double>();
    return 0.0;
  };
  // One round of binomial's two crosses the network, and so do two messages of the root's three in linear.
  CHECK(seconds("broadcast_binomial") > 15e-6);
  CHECK(seconds("broadcast_binomial") < 16e-6);
  CHECK(seconds("broadcast_linear") > 30e-6);
}

TEST_CASE("--nodes is of all machines, and refused where it is not as many on each") {
  check_refused("explain broadcast --machines 3 --nodes 32",
                "--machines 3: 32 nodes are not as many on each; 30 or 33 would be right");
  check_refused("show broadcast_hierarchical --machines 9 --nodes 4",
                "4 nodes are not as many on each; 9 would");
  check_refused("simulate broadcast_binomial --machines 2 --nodes 8 --topology ring",
                "--topology does nothing here");
  check_refused("explain broadcast --nodes 4 --network 1,1,1 --costs typical",
                "there is one machine: give --machines M");
  check_refused("explain broadcast --nodes 4 --machines 2 --network 1,1 --costs typical",
                "expected t_s,t_w,o");
  check_refused("cost --table --nodes 4 --machines 2", "--machines does nothing here");
}

TEST_CASE(
    "machines are the domains of hierarchical algorithms, with those inside, and named ones can be told") {
  const GivenMachine machine("numa:2 core:4 pu:1");
  CHECK(has(run("show broadcast_hierarchical --machines 2 --nodes 16").output, "domains 2x2x4"));
  CHECK(has(run("show broadcast_hierarchical --machines 2 --nodes 16 --hierarchy machine").output,
            "domains 2x8"));
  CHECK(
      has(run("show broadcast_hierarchical --machines 2 --nodes 16 --hierarchy numa").output, "domains 4x4"));
  CHECK(has(run("cost broadcast_hierarchical --machines 2 --nodes 16 --costs typical").output,
            "between machines, typical"));
}

TEST_CASE("show counts what crosses between machines: the least, and what a flat algorithm sends") {
  const GivenMachine machine = eight_cores();
  const auto between = [](const std::string& arguments) {
    const std::string text = run("show " + arguments).output;
    const std::size_t at = text.find("# machines   ");
    return at == text.npos ? text : text.substr(at, text.find('\n', at) - at);
  };
  CHECK(between("broadcast_hierarchical --machines 3 --nodes 12 --root 5") ==
        "# machines   3: 2 messages between them, 2 m; out of one up to 2 m, into one 1 m");
  CHECK(
      between("all_reduce_hierarchical --machines 3 --nodes 12 --hierarchy machine,outer=ring,form=slices") ==
      "# machines   3: 48 messages between them, 4 m; out of one up to 1.33333 m, into one 1.33333 m");
  CHECK(between("all_reduce_doubling --machines 2 --nodes 8") ==
        "# machines   2: 8 messages between them, 8 m; out of one up to 4 m, into one 4 m");
}

TEST_CASE("simulate takes costs by pair, and has the links of machines") {
  const GivenMachine machine = eight_cores();
  const std::string asked =
      "simulate all_gather_hierarchical --machines 2 --nodes 8 --bytes 1000 --ts 100 --tw 0.1 "
      "--top 0 --network 10000,1,0";
  const auto json = json_of(asked);
  CHECK(json["topology"] == "2 machines");
  // Two gathers of 1 and 2 thousand bytes, 4000 over the link, and two rounds of all that is new.
  const double expected = (2 * 100 + 300) + (10000 + 4000) + 2 * (100 + 800);
  CHECK(json["event_driven"]["seconds"].get<double>() == doctest::Approx(expected * 1e-9));
  CHECK(json["event_driven"]["links"][0]["machine"] == 0);
  CHECK(has(run(asked).output, "out of machine 0"));
  CHECK(has(run(asked).output, "inside t_s = 100 ns"));
}

TEST_CASE("draw shows machines around their nodes, and around the PUs that they have") {
  const GivenMachine machine = eight_cores();
  const std::string rounds = run("draw broadcast_hierarchical --machines 2 --nodes 8").output;
  CHECK(has(rounds, "broadcast_hierarchical on 8 nodes on 2 machines"));
  CHECK(has(rounds, ">machine 1<"));
  const std::string mapping = run("draw --picture mapping --machines 2 --nodes 8 --format text").output;
  CHECK(has(mapping, "machine 1\n"));
  CHECK(has(mapping, "PU 3: 7\n"));
  check_refused("draw broadcast_binomial --machines 2 --nodes 8 --picture heat-map", "leave --machines out");
  check_refused("draw broadcast_binomial --machines 2 --nodes 8 --format html", "leave --machines out");
}
