// `vnode show` and `vnode simulate` of a schedule of the user's own.
#include <doctest/doctest.h>
#include <sstream>
#include <string>

#include <vnode/lab/notation.hpp>
#include <vnode/model/algorithms.hpp>

#include "program.hpp"
#include "schedule_file.hpp"

using namespace vnode;

TEST_CASE("what show prints is a schedule that --schedule reads") {
  for (const std::string call :
       {"broadcast_binomial --nodes 8 --root 5", "reduce_mesh --nodes 12 --root 3", "scan_linear --nodes 4",
        "all_to_all_pairwise --nodes 4", "barrier_dissemination --nodes 6", "all_gather_ring --nodes 1",
        "circular_shift_direct --nodes 5 --shift -2"}) {
    CAPTURE(call);
    const std::string shown = run("show " + call).output;
    const ScheduleFile file(shown);
    const Ran again = run("show" + file.option());
    CAPTURE(again.errors);
    CHECK(again.status == 0);
    CHECK(schedule_from_text(again.output) == schedule_from_text(shown));
    CHECK(json_of("show" + file.option())["rounds"] == json_of("show " + call)["rounds"]);
  }
}

TEST_CASE("a schedule from a file costs what its algorithm costs, as soon as it is told what it achieves") {
  for (const std::string name : {"all_gather_ring", "scan_hypercube", "scan_linear", "all_to_all_pairwise"}) {
    CAPTURE(name);
    const std::string arguments = " --nodes 4 --bytes 1000 --ts 100 --tw 1 --top 1 --topology full";
    const ScheduleFile file(run("show " + name + " --nodes 4").output);
    const std::string collective(vnode::enums::name(algorithm(name).collective));
    const auto own = json_of("simulate" + file.option() + "--collective " + collective + arguments);
    const auto registered =
        json_of("simulate " + name + arguments + (algorithm(name).segments ? " --segments 1" : ""));
    CHECK(own["step_synchronous"] == registered["step_synchronous"]);
    CHECK(own["event_driven"]["seconds"] == registered["event_driven"]["seconds"]);
  }
}

TEST_CASE("show counts what a schedule combines: what comes first to an empty place is put there") {
  const auto costs = [](const std::string& shown) {
    const std::size_t begin = shown.find("# cost ");
    return shown.substr(begin, shown.find("# load ") - begin);
  };
  for (const std::string name : {"exclusive_scan_direct", "exclusive_scan_one_shot_direct", "scan_hypercube",
                                 "reduce_direct", "all_reduce_rabenseifner", "broadcast_direct"}) {
    CAPTURE(name);
    const std::string shown = run("show " + name + " --nodes 8").output;
    const Algorithm& row = algorithm(name);
    const Cost cost = row.cost({.nodes = 8});
    std::ostringstream combines;
    combines << "combines " << cost.combined << " m\n";
    CHECK((cost.combined == 0 || costs(shown).ends_with(combines.str())));
    const ScheduleFile file(shown);
    CHECK(
        costs(run("show" + file.option() + "--collective " + std::string(vnode::enums::name(row.collective)))
                  .output) == costs(shown));
  }
  const ScheduleFile scan("nodes 3 blocks 2\n1: 0>1[1:0] 0+>2[1:0] 1+>2[1:0]\n");
  CHECK(costs(run("show" + scan.option() + "--collective exclusive_scan").output)
            .ends_with("a node receives up to 2 m, and combines 1 m\n"));
}

TEST_CASE("a schedule that cannot be for its collective is refused by every command") {
  const ScheduleFile three("nodes 4 blocks 3\n1: 0>1\n");
  for (const std::string command : {"show", "simulate", "verify"}) {
    check_refused(command + three.option() + "--collective all_gather",
                  "the schedule has 3 blocks, all_gather on 4 nodes needs a multiple of 4");
    check_refused(command + three.option() + "--collective barrier", "a barrier has none");
    check_refused(command + three.option() + "--collective broadcast --root 4",
                  "--root 4: with 4 nodes the ranks are 0 to 3");
  }
  check_refused("show" + three.option() + "--root 1", "without --collective the schedule has no root");
}

TEST_CASE("a node that sends to itself is refused with its place") {
  const ScheduleFile alone("nodes 2 blocks 1\n1: 0>1 1>1\n");
  check_refused("show" + alone.option(), "line 2, column 11: node 1 sends to itself");
}

TEST_CASE("unless --ports says otherwise, a schedule has one port if that is enough, in every command") {
  const ScheduleFile one("nodes 3 blocks 1\n1: 0>1\n2: 0>2\n"), two("nodes 3 blocks 1\n1: 0>1 0>2\n");
  const auto ports = [](const ScheduleFile& file, const std::string& more = "") {
    return json_of("simulate" + file.option() + more)["ports"].get<std::string>();
  };
  CHECK(ports(one) == "single");
  CHECK(ports(two) == "all");
  CHECK(ports(two, "--ports single") == "single");
  CHECK(run("verify" + two.option() + "--collective broadcast").status == 0);
  CHECK(run("verify" + two.option() + "--collective broadcast --ports single").status == 1);
  CHECK(run("verify" + one.option() + "--collective broadcast").status == 0);
}

TEST_CASE("draw and simulate agree on the time of a schedule, and so on its ports") {
  const ScheduleFile two("nodes 3 blocks 1\n1: 0>1 0>2\n");
  const std::string costs = "--bytes 1000 --ts 500 --tw 2";
  CHECK(json_of("simulate" + two.option() + costs)["event_driven"]["seconds"].get<double>() ==
        doctest::Approx(2.5e-6));
  const Ran drawn = run("draw" + two.option() + "--picture space-time --format text " + costs);
  CHECK(drawn.status == 0);
  CHECK(drawn.output.find("predicted: 2.5 us") != std::string::npos);
}

TEST_CASE("a file's name is written so that programs can read it") {
  const ScheduleFile odd("nodes 2 blocks 1\n1: 0>1\n", ",\"\xfe");
  const std::string csv = run("simulate" + odd.option() + "--format csv").output;
  CHECK(csv.find(",\"\"\xfe\",full,") != std::string::npos);
  CHECK(json_of("show" + odd.option())["algorithm"].get<std::string>().ends_with(",\"\xef\xbf\xbd"));
  json_of("simulate" + odd.option());
  json_of("verify" + odd.option() + "--collective broadcast");
}
