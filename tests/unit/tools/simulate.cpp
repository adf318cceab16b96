#include <algorithm>
#include <cstdio>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include <vnode/model/timeline.hpp>

#include "program.hpp"

using Names = std::vector<std::string>;

namespace {

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> list;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) list.push_back(line);
  return list;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE(
    "simulate: the same by formula, round by round and message by message where nothing is in the way") {
  const auto json =
      json_of("simulate broadcast_binomial --nodes 8 --topology hypercube --bytes 1000 --ts 100 --tw 1");
  CHECK(keys(json) == Names{"algorithm", "nodes", "root", "segments", "bytes", "topology", "routing", "ports",
                            "switching", "duplex", "noise", "seed", "costs", "memory", "formula",
                            "lower_bound", "step_synchronous", "event_driven"});
  const double seconds = 3 * 1100e-9;
  CHECK(json["formula"].get<double>() == doctest::Approx(seconds));
  CHECK(json["step_synchronous"]["uncongested"].get<double>() == doctest::Approx(seconds));
  CHECK(json["step_synchronous"]["scaled"].get<double>() == doctest::Approx(seconds));
  CHECK(json["step_synchronous"]["rounds"].size() == 3);
  const auto& played = json["event_driven"];
  CHECK(played["seconds"].get<double>() == doctest::Approx(seconds));
  CHECK(played["timeline"].size() == 7);
  CHECK(keys(played["timeline"][0]) == Names{"round", "from", "to", "bytes", "start", "departure", "end"});
  CHECK(played["critical_path"].size() == 3);
  CHECK(played["critical_path"][1]["held_by"] == "sender's port");
  CHECK(played["links"].size() == 7);
  CHECK(played["nodes"].size() == 8);
}

TEST_CASE("simulate: congestion, in every way of reporting it") {
  const std::string arguments =
      "simulate broadcast_low_bit_first --nodes 8 --topology array --bytes 1000 --ts 100 --tw 1";
  const std::string table = run(arguments).output;
  CHECK(has(table, "by formula           3.300 us"));
  CHECK(has(table, "round by round       3.300 us   3 rounds"));
  CHECK(has(table, "  with congestion    7.300 us   load 4"));
  CHECK(has(table, "message by message   7.200 us   7 messages, up to 4 at a time"));
  CHECK(has(table, "held by link"));
  const auto csv = lines(run(arguments + " --format csv").output);
  REQUIRE(csv.size() == 2);
  CHECK(csv[0] ==
        "algorithm,topology,routing,nodes,root,segments,bytes,formula_us,uncongested_us,scaled_us,"
        "event_driven_us,messages,load,busiest_link_us,lower_bound_us");
  CHECK(csv[1].starts_with("broadcast_low_bit_first,array,shortest,8,0,1,1000,3.3,3.3,7.3,7.2,7,4,"));
}

TEST_CASE("simulate: options reach the model") {
  const std::string arguments =
      "simulate broadcast_doubling --nodes 4 --topology array --bytes 1000 --ts 100 --tw 1";
  const auto seconds = [&](const std::string& more) {
    return json_of(arguments + more)["event_driven"]["seconds"].get<double>() * 1e9;
  };
  CHECK(seconds("") == doctest::Approx(2200));
  CHECK(seconds(" --hop 10") == doctest::Approx(2230));
  CHECK(seconds(" --switching store-and-forward") == doctest::Approx(3200));
  CHECK(seconds(" --noise 0.5 --seed 3") > 2200);
  CHECK(seconds(" --noise 0.5 --seed 3") == seconds(" --noise 0.5 --seed 3"));
  const auto apart =
      json_of("simulate broadcast_linear --nodes 3 --topology array --root 1 --ports all --ts 150 --tw 1");
  CHECK(apart["event_driven"]["seconds"].get<double>() * 1e9 == doctest::Approx(150 + 1024));
  const auto log_gp = json_of("simulate broadcast_linear --nodes 2 --bytes 11 --loggp 1000,100,50,2");
  CHECK(log_gp["event_driven"]["seconds"].get<double>() * 1e9 == doctest::Approx(1000 + 200 + 20));
  CHECK(keys(log_gp["costs"]) == Names{"L", "o", "g", "G", "t_op", "hop"});
  const auto half =
      json_of("simulate all_reduce_doubling --nodes 2 --bytes 1000 --ts 100 --tw 1 --top 0 --duplex half");
  CHECK(half["event_driven"]["seconds"].get<double>() * 1e9 == doctest::Approx(2200));
}

TEST_CASE("simulate: sweeps double, list, and multiply") {
  const auto rows = json_of("simulate broadcast_binomial --sweep bytes=8:64 --sweep nodes=2,5");
  REQUIRE(rows.size() == 8);
  CHECK(rows[0]["bytes"] == 8);
  CHECK(rows[0]["nodes"] == 2);
  CHECK(rows[1]["nodes"] == 5);
  CHECK(rows[7]["bytes"] == 64);
  const auto csv =
      lines(run("simulate broadcast_binomial --nodes 4 --sweep bytes=1K:8M --format csv").output);
  CHECK(csv.size() == 1 + 14);
  const std::string table = run("simulate broadcast_binomial --nodes 4 --sweep bytes=1K,1M").output;
  CHECK(has(table, "by messages  load\n"));
  CHECK(has(table, "  1 KiB  "));
  CHECK(has(table, "  1 MiB  "));
}

TEST_CASE("simulate: without --segments a pipeline has as many as are predicted to be best") {
  const auto many = json_of("simulate all_reduce_two_tree --nodes 8 --bytes 8M"),
             one = json_of("simulate all_reduce_two_tree --nodes 8 --bytes 64"),
             given = json_of("simulate all_reduce_two_tree --nodes 8 --bytes 8M --segments 3");
  CHECK(many["segments"] > 3);
  CHECK(one["segments"] == 1);
  CHECK(given["segments"] == 3);
  CHECK(many["event_driven"]["seconds"] < given["event_driven"]["seconds"]);
}

TEST_CASE("simulate: no run is faster than the bound, which holds for any number of segments") {
  for (const std::string segments : {"1", "2", "64"}) {
    const auto json = json_of("simulate broadcast_pipeline --nodes 2 --bytes 64K --segments " + segments);
    CHECK(json["lower_bound"].get<double>() <= json["event_driven"]["seconds"].get<double>() * 1.0000001);
    CHECK(json["lower_bound"].get<double>() > 0);
  }
  CHECK(json_of("simulate broadcast_pipeline --nodes 4 --loggp 5000,1500,2000,0.5")["lower_bound"].is_null());
}

TEST_CASE("simulate writes its messages as a trace that draw reads") {
  const Ran trace = run("simulate broadcast_binomial --nodes 4 --bytes 1000 --ts 100 --tw 1 --format trace");
  const vnode::Timeline timeline = vnode::timeline_from_trace(trace.output);
  CHECK(timeline.nodes == 4);
  CHECK(timeline.messages.size() == 3);
  CHECK(timeline.seconds * 1e9 == doctest::Approx(2200));
}

TEST_CASE("simulate: a user's own schedule, and GOAL") {
  const auto path =
      std::filesystem::temp_directory_path() / ("vnode-simulate-" + std::to_string(getpid()) + ".txt");
  std::ofstream(path) << "nodes 3 blocks 1\n1: 0>1\n2: 1>2\n";
  const auto json = json_of("simulate --schedule " + path.string() + " --bytes 1000 --ts 100 --tw 1");
  CHECK(json["formula"].is_null());
  CHECK(json["event_driven"]["seconds"].get<double>() * 1e9 == doctest::Approx(2200));
  const Ran goal = run("simulate --schedule " + path.string() + " --bytes 1000 --format goal");
  CHECK(goal.output ==
        "num_ranks 3\n\nrank 0 {\nl1: send 1000b to 1 tag 0\n}\n\nrank 1 {\nl1: recv 1000b from 0 tag 0\n"
        "l2: send 1000b to 2 tag 1\nl2 requires l1\n}\n\nrank 2 {\nl1: recv 1000b from 1 tag 1\n}\n");
  std::filesystem::remove(path);
}

TEST_CASE("simulate: wrong options are refused with status 2 and a sentence") {
  const auto refused = [](const std::string& arguments, const std::string& sentence) {
    CAPTURE(arguments);
    const Ran ran = run("simulate " + arguments);
    CHECK(ran.status == 2);
    CHECK(ran.output.empty());
    CAPTURE(ran.errors);
    CHECK(has(ran.errors, sentence));
  };
  refused("", "an algorithm is missing");
  refused("broadcast_binomial", "the number of nodes is missing");
  refused("broadcast_binomial --nodes 4 --ts x", "expected a number from 0 to 1e+09, not \"x\"");
  refused("broadcast_binomial --nodes 4 --tw -1", "expected a number from 0 to 1e+09, not \"-1\"");
  refused("broadcast_binomial --nodes 4 --ports both", "expected single or all, not \"both\"");
  refused("broadcast_binomial --nodes 4 --loggp 1,2,3", "expected L,o,g,G, each 0 to 1e+09 nanoseconds");
  refused("broadcast_binomial --nodes 4 --loggp 1,2,3,4 --ts 5", "--ts");
  refused("broadcast_binomial --nodes 4 --loggp 1e308,1,1,1",
          "expected L,o,g,G, each 0 to 1e+09 nanoseconds");
  refused("broadcast_binomial --nodes 4 --bytes 2000G", "--bytes 2000G: a message has at most 1024G");
  refused("all_gather_ring --nodes 4 --root 99", "--root does nothing here: all_gather has no root");
  refused("broadcast_binomial --nodes 4 --sweep segments=1,2", "broadcast_binomial is not pipelined");
  refused("broadcast_binomial --nodes 4 --sweep size=1", "expected bytes=, nodes= or segments=");
  refused("broadcast_binomial --nodes 4 --sweep bytes=8:4", "--sweep bytes 8:4: it ends before it begins");
  refused("broadcast_binomial --sweep nodes=0", "--sweep nodes 0: 1 to 1M are possible");
  refused("broadcast_binomial --sweep nodes=4,", "is not a number");
  refused("broadcast_binomial --nodes 4 --sweep bytes=1,2 --format goal", "leave --sweep out");
  refused("broadcast_binomial --nodes 4 --sweep bytes=1,2 --format trace", "leave --sweep out");
  refused("broadcast_binomial --nodes 4 --sweep bytes=1 --sweep bytes=2", "--sweep bytes is given twice");
  refused("broadcast_binomial --nodes 4 --sweep bytes=1,1", "1 comes twice");
  refused("broadcast_binomial --nodes 4 --ts 1 --loggp 1,1,1,1", "--loggp");
  refused("broadcast_binomial --nodes 4 --format text", "expected table, json, csv, goal or trace");
  refused("broadcast_binomial --nodes 1048577", "from 1 to 1048576");
  refused("broadcast_binomial --nodes 1048576 --topology full", "a full topology has at most 32768 nodes");
}

TEST_CASE("simulate: with --banks messages share the banks of a NUMA machine, and the condition is told") {
  const std::string place =
      "simulate all_gather_rotated --nodes 8 --topology hypercube --bytes 3000 --ts 100 --tw 1 "
      "--machine \"numa:4 core:2 pu:1\" ";
  const auto one = json_of(place + "--bank-bandwidth 2 --banks one"),
             spread = json_of(place + "--bank-bandwidth 2 --banks spread");
  CHECK(keys(one["memory"]) ==
        Names{"machine", "banks", "homes", "bandwidth", "between", "feeds", "holds", "seconds", "rounds"});
  CHECK(one["memory"]["homes"] == nlohmann::ordered_json{0, 0, 1, 1, 2, 2, 3, 3});
  CHECK(one["memory"]["feeds"][0].get<double>() == doctest::Approx(2));
  // 8 nodes, 3 ports each, to read and to write.
  CHECK(one["memory"]["rounds"][0]["streams"] == 48);
  CHECK(one["memory"]["rounds"][0]["factor"].get<double>() == doctest::Approx(24));
  CHECK(spread["memory"]["rounds"][0]["streams"] == 12);
  CHECK(one["event_driven"]["seconds"].get<double>() ==
        doctest::Approx(one["memory"]["seconds"].get<double>()));
  CHECK(spread["event_driven"]["seconds"].get<double>() < one["event_driven"]["seconds"].get<double>() / 3);
  const std::string table = run(place + "--banks one --bank-bandwidth 2 --link-bandwidth 5").output;
  CHECK(has(table, "banks one of numa:4 core:2 pu:1 at 2 GB/s (as given)"));
  CHECK(has(table, "  with banks "));
  CHECK(has(table, "48 streams of bank 0, which feeds 2: t_w times 24"));
  CHECK(has(run(place + "--banks owner --bank-bandwidth 1000").output, "no round is slower"));
  CHECK(json_of("simulate broadcast_binomial --nodes 4 --ts 1 --tw 1")["memory"].is_null());
}

TEST_CASE("simulate: a NUMA machine without --banks or without bandwidths is refused") {
  CHECK(run("simulate broadcast_binomial --nodes 4 --bank-bandwidth 2").status == 2);
  CHECK(run("simulate broadcast_binomial --nodes 4 --banks all").status == 2);
  const auto unknown = run("simulate broadcast_binomial --nodes 4 --banks one --machine \"numa:2 pu:2\"");
  CHECK(unknown.status == 2);
  CHECK(has(unknown.errors, "the bandwidth of the banks is not known: give --bank-bandwidth"));
}
