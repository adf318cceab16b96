// `vnode show` and `vnode simulate` of a schedule of the user's own.
#include <doctest/doctest.h>
#include <string>

#include <vnode/lab/algorithms.hpp>
#include <vnode/lab/notation.hpp>

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
    const std::string collective(vnode::name(algorithm(name).collective));
    const auto own = json_of("simulate" + file.option() + "--collective " + collective + arguments);
    const auto registered =
        json_of("simulate " + name + arguments + (algorithm(name).segments ? " --segments 1" : ""));
    CHECK(own["step_synchronous"] == registered["step_synchronous"]);
    CHECK(own["event_driven"]["seconds"] == registered["event_driven"]["seconds"]);
  }
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
