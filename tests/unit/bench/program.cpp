#include "program.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

#include <vnode/model/machine.hpp>
#include <vnode/model/timeline.hpp>

using namespace program;

TEST_CASE("JSON has exactly the promised keys") {
  const Ran ran = run("broadcast reduce barrier send sendrecv --nodes 3 --check --format json --against " +
                      rivals_asked + brief);
  CAPTURE(ran.output);
  REQUIRE(ran.status == 0);
  const auto document = nlohmann::json::parse(ran.output);
  CHECK(document.size() == 2);
  CHECK(document["machine"].is_object());
  const std::set<std::string> expected{"by",         "collective", "requested", "algorithm",  "topology",
                                       "nodes",      "bytes",      "root",      "op",         "datatype",
                                       "channel",    "wait",       "time_us",   "algbw_GBps", "busbw_GBps",
                                       "limit_us",   "ratio",      "wrong",     "form",       "configuration",
                                       "cold_bytes", "beside",     "calls"};
  std::set<std::string> collectives, by;
  for (const auto& row : document["results"]) {
    std::set<std::string> keys;
    for (const auto& item : row.items()) keys.insert(item.key());
    CHECK(keys == expected);
    CHECK(row["time_us"].size() == 8);
    CHECK(row["time_us"]["mean"].get<double>() >= row["time_us"]["min"].get<double>());
    CHECK(row["calls"].get<int>() > 0);
    CHECK(row["nodes"] == 3);
    CHECK(row["wrong"] == 0);
    const char* const ascending[] = {"min", "p25", "median", "p75", "p90", "p99", "p99.9"};
    for (std::size_t i = 1; i < std::size(ascending); ++i)
      CHECK(row["time_us"][ascending[i - 1]].get<double>() <= row["time_us"][ascending[i]].get<double>());
    collectives.insert(row["collective"]);
    by.insert(row["by"]);
    if (row["collective"] == "barrier") {
      CHECK(row["bytes"] == 0);
      CHECK(row["busbw_GBps"].is_null());
      CHECK(row["root"].is_null());
    }
    if (row["by"] == "vnode" && row["collective"] == "reduce") {
      CHECK(row["requested"] == "auto");
      CHECK(row["algorithm"].get<std::string>().starts_with("reduce_"));
      CHECK(row["op"] == "sum");
    }
  }
  CHECK(collectives == std::set<std::string>{"barrier", "broadcast", "reduce", "send", "sendrecv"});
  std::set<std::string> rivals{"vnode"};
  std::istringstream names{rivals_asked};
  for (std::string name; std::getline(names, name, ',');) rivals.insert(name);
  CHECK(by == rivals);
}

TEST_CASE("csv has header lines, names what is skipped once, and a row for each algorithm that can run") {
  const Ran ran = run("broadcast --algorithm all --nodes 6 --root all --format csv" + brief);
  REQUIRE(ran.status == 0);
  std::istringstream lines{ran.output};
  std::set<std::string> skipped;
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# skipped ")) CHECK(skipped.insert(line).second);
    if (line.starts_with("vnode,broadcast,broadcast_")) ++rows;
  }
  CHECK(ran.output.find("# cores used: ") != std::string::npos);
  CHECK(ran.output.find("# pinning: ") != std::string::npos);
  CHECK(skipped.size() >= 1);
  CHECK(rows >= 4);
}

TEST_CASE("every operation, in every form, in every algorithm, is right") {
  for (const char* form : {"blocking", "nonblocking", "persistent"}) {
    const Ran ran =
        run(std::string{"broadcast reduce all_gather reduce_scatter all_reduce scan exclusive_scan "
                        "scatter gather all_to_all circular_shift barrier all_gather_v "
                        "reduce_scatter_v scatter_v gather_v all_to_all_v --nodes 4 --check "
                        "--algorithm all --shift -3 --root 2 --format csv --form "} +
            form + brief);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    std::istringstream lines{ran.output};
    std::set<std::string> operations;
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("vnode,")) operations.insert(line.substr(6, line.find(',', 6) - 6));
    CHECK(operations.size() == 17);
  }
}

TEST_CASE("deterministic calls run algorithms that can, and the report says so") {
  const Ran ran = run(
      "all_reduce broadcast --nodes 6 --deterministic --check --algorithm all --against std --format json" +
      brief);
  CAPTURE(ran.output);
  REQUIRE(ran.status == 0);
  CHECK(ran.output.find("deterministic: vnode combines by the canonical expression") != std::string::npos);
  CHECK(ran.output.find("skipped all_reduce_two_tree") != std::string::npos);
  CHECK(ran.output.find("skipped broadcast_binomial") == std::string::npos);
  const Ran chosen = run("all_reduce --nodes 6 --deterministic --format json" + brief);
  REQUIRE(chosen.status == 0);
  for (const auto& row : list(chosen, "results")) {
    bool able = false;
    for (const auto& other : list(ran, "results")) able |= other["requested"] == row["algorithm"];
    CHECK(able);
  }
  const Ran refused = run("all_reduce --nodes 6 --deterministic --algorithm two_tree");
  CHECK(refused.status == 2);
  CHECK(refused.output.find("canonical expression") != std::string::npos);
}

TEST_CASE("bandwidth is nccl-tests'") {
  const Ran ran = run("all_gather all_reduce scan --nodes 4 -b 64K -e 64K -n 2 -w 1 --format json");
  REQUIRE(ran.status == 0);
  for (const auto& row : list(ran, "results")) {
    const double gbps = 65536 / (row["time_us"]["median"].get<double>() * 1000);
    const bool gather = row["collective"] == "all_gather";
    CHECK(row["algbw_GBps"].get<double>() == doctest::Approx(gather ? 4 * gbps : gbps));
    if (row["collective"] == "scan")
      CHECK(row["busbw_GBps"].is_null());
    else
      CHECK(row["busbw_GBps"].get<double>() == doctest::Approx(gather ? 3 * gbps : 1.5 * gbps));
  }
}

TEST_CASE("guidelines say of every pair whether it holds") {
  const Ran ran = run("guidelines --nodes 2 -b 16 -e 64 -n 2 -w 1 --format json");
  CAPTURE(ran.output);
  REQUIRE(ran.status == 0);
  std::set<std::string> seen;
  for (const auto& row : list(ran, "guidelines")) {
    seen.insert(row["guideline"]);
    if (row["guideline"] == "barrier <= all_reduce of 1 element") CHECK(row["bytes"] == sizeof(double));
    CHECK(row["holds"] == (row["ratio"].get<double>() <= row["bound"].get<double>()));
  }
  for (const char* guideline :
       {"all_reduce <= reduce + broadcast", "all_gather <= gather + broadcast",
        "broadcast <= scatter + all_gather", "scan <= exclusive_scan + local", "reduce <= all_reduce",
        "barrier <= all_reduce of 1 element", "auto all_to_all <= 1.1 best", "auto barrier <= 1.1 best"})
    CHECK(seen.contains(guideline));
}

TEST_CASE("a schedule from a file is measured beside the others") {
  for (const char* form : {"blocking", "nonblocking", "persistent"}) {
    const Ran ran = run(std::string{"broadcast --schedule " VNODE_SCHEDULES
                                    "/ring_broadcast.txt --check --format json --form "} +
                        form + brief);
    CAPTURE(ran.output);
    REQUIRE(ran.status == 0);
    int own = 0, others = 0;
    for (const auto& row : list(ran, "results")) {
      CHECK(row["nodes"] == 4);
      CHECK(row["wrong"] == 0);
      (row["algorithm"] == "ring_broadcast.txt" ? own : others) += 1;
    }
    CHECK(own == others);
    CHECK(own > 0);
  }
  for (const char* wrong :
       {"broadcast --root 1", "broadcast --nodes 8", "all_reduce", "send", "broadcast scatter"}) {
    CAPTURE(wrong);
    CHECK(run(std::string{wrong} + " --schedule " VNODE_SCHEDULES "/ring_broadcast.txt" + brief).status == 2);
  }
  CHECK(run("broadcast --schedule /nowhere").status == 2);
  CHECK(run("broadcast --schedule /").status == 2);
}

TEST_CASE("a trace has every message of one call, and what nodes were occupied with") {
  const auto path = std::filesystem::temp_directory_path() / ("vnode_trace_" + std::to_string(getpid()));
  const Ran ran =
      run("broadcast --schedule " VNODE_SCHEDULES "/ring_broadcast.txt -b 4K -e 4K -n 2 -w 1 --trace " +
          path.string());
  CAPTURE(ran.output);
  REQUIRE(ran.status == 0);
  const auto trace = nlohmann::json::parse(std::ifstream{path});
  std::filesystem::remove(path);
  const vnode::Timeline timeline = vnode::timeline_from_trace(trace.dump());
  CHECK(timeline.nodes == 4);
  CHECK(timeline.title.find("ring_broadcast.txt") != std::string::npos);
  std::multiset<std::array<int, 3>> messages;
  for (const vnode::TimedMessage& message : timeline.messages) {
    messages.insert({message.round, message.from, message.to});
    CHECK(message.bytes == 2048);
  }
  CHECK(messages ==
        std::multiset<std::array<int, 3>>{{0, 0, 1}, {0, 0, 3}, {1, 0, 1}, {1, 0, 3}, {1, 1, 2}, {1, 3, 2}});
  int activities = 0;
  for (const auto& event : trace["traceEvents"]) activities += event.value("cat", "") == "activity";
  CHECK(activities > 0);
  for (const char* wrong : {"broadcast", "broadcast reduce -b 8 -e 8", "send -b 8 -e 8",
                            "broadcast -b 8 -e 8 --algorithm all", "broadcast -b 8 -e 8 --root all"}) {
    CAPTURE(wrong);
    const Ran refused = run(std::string{wrong} + " --trace " + path.string());
    CHECK(refused.status == 2);
    CHECK(refused.output.find("--trace is of one call") != std::string::npos);
  }
}

TEST_CASE("a trace tells how many segments the message was cut into, where it is") {
  const auto path = std::filesystem::temp_directory_path() / ("vnode_segments_" + std::to_string(getpid()));
  const auto traced = [&](const std::string& call) {
    const Ran ran = run(call + " --nodes 2 -n 2 -w 1 --trace " + path.string());
    CAPTURE(ran.output);
    REQUIRE(ran.status == 0);
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    std::filesystem::remove(path);
    return vnode::timeline_from_trace(text.str());
  };
  const vnode::Timeline pipeline = traced("broadcast -b 64K -e 64K --root 1 --algorithm pipeline");
  CHECK(pipeline.of.algorithm == "broadcast_pipeline");
  CHECK(pipeline.of.root == 1);
  REQUIRE(pipeline.of.segments);
  CHECK(pipeline.messages.size() == static_cast<std::size_t>(*pipeline.of.segments));
  const vnode::Timeline whole = traced("all_reduce -b 64K -e 64K --algorithm rabenseifner");
  CHECK_FALSE(whole.of.segments);
  CHECK_FALSE(whole.of.root);
}

TEST_CASE("a trace that cannot be written is refused before anything is measured") {
  for (const char* file : {"/nonexistent/trace", "''"}) {
    const Ran refused = run(std::string("broadcast -b 8 -e 8 -n 2 --trace ") + file);
    CAPTURE(refused.output);
    CHECK(refused.status == 2);
    CHECK(refused.output.find("--trace: cannot write to '") != std::string::npos);
    CHECK(refused.output.find("machine:") == std::string::npos);
  }
}

TEST_CASE("with --banks the bank condition stands before the measurement, and results are right") {
  for (const std::string policy : {"owner", "peer", "spread", "interleave", "one"}) {
    const Ran ran =
        run("broadcast all_gather --nodes 4 --topology hypercube --algorithm rotated --check --banks " +
            policy + " --bank-bandwidth 0.001" + brief);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    const std::size_t note = ran.output.find("banks " + policy + ": broadcast_rotated 64: up to ");
    REQUIRE(note != std::string::npos);
    CHECK(ran.output.find(" in a round (S_b) need ", note) != std::string::npos);
    CHECK(ran.output.find("(W_b t_w): t_w is ", note) != std::string::npos);
    CHECK(ran.output.find("banks " + policy + ": all_gather_rotated 64: ") != std::string::npos);
  }
}

TEST_CASE("with --arenas results are right, and the report says that there are some") {
  const Ran ran = run("all_reduce broadcast --nodes 2 --arenas package --check -b 1M -e 1M -n 3");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(ran.output.find("arenas: vnode's nodes have threads on their share of a domain (package)") !=
        std::string::npos);
}

TEST_CASE("nodes that outnumber the PUs are fibers, and who blocks threads has threads") {
  const std::size_t pus = vnode::Machine::discover().allowed_pus().size();
  const std::string nodes = " --nodes " + std::to_string(pus * 4);
  for (const std::string asked : {"", "--nodes-as fibers", "--nodes-as threads"}) {
    const Ran ran = run("broadcast all_reduce barrier --check --against " + rivals_asked + " --format csv " +
                        asked + nodes + brief);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK((ran.output.find(", as fibers\n") != std::string::npos) == (asked != "--nodes-as threads"));
  }
  const Ran first = run("scan --first -n 2" + nodes + " -b 8 -e 8");
  CAPTURE(first.output);
  CHECK(first.status == 0);
  CHECK(first.output.find(", as fibers\n") != std::string::npos);
  CHECK(run("scan --nodes 1 --nodes-as fibers" + brief).output.find("as fibers") == std::string::npos);
}
