// `vnode verify --schedule`: a schedule of the user's own.
#include <doctest/doctest.h>
#include <string>

#include "program.hpp"
#include "schedule_file.hpp"

namespace {

bool says(const Ran& ran, const std::string& text) { return ran.output.find(text) != std::string::npos; }

}  // namespace

TEST_CASE("a right schedule is said to be right, and its mutants are rejected") {
  const Ran ran = run("verify --schedule " VNODE_SCHEDULES "/ring_broadcast.txt --collective broadcast");
  CAPTURE(ran.output);
  CAPTURE(ran.errors);
  CHECK(ran.status == 0);
  CHECK(says(ran, "ring_broadcast.txt is a right broadcast: 4 nodes, 2 blocks, 2 rounds, 6 messages"));
  CHECK(says(ran, "serves v-variants: yes"));
  const auto json =
      json_of("verify --schedule " VNODE_SCHEDULES "/ring_broadcast.txt --collective broadcast");
  CHECK(json["faults"].empty());
  CHECK(json["mutants"] > 0);
  // 1>2 from node 0, and the like: right as well.
  CHECK(json["accepted"].size() == 4);
  const ScheduleFile pair("nodes 2 blocks 1\n1: 0>1\n");
  const Ran small = run("verify" + pair.option() + "--collective broadcast --ports single");
  CHECK(small.status == 0);
  CHECK(says(small, " rejected\n"));
  const ScheduleFile reduce("nodes 3 blocks 1\n1: 2>+0\n2: 1>+0\n");
  const Ran combined = run("verify" + reduce.option() + "--collective reduce");
  CHECK(combined.status == 0);
  CHECK(says(combined, "keeps rank order: no"));
  CHECK(says(combined, "canonical expression: no"));
}

TEST_CASE("what is wrong with a schedule is said, and the status is 1") {
  const std::string ring = "verify --schedule " VNODE_SCHEDULES "/ring_broadcast.txt --collective ";
  for (const std::string other : {"broadcast --root 1", "broadcast --ports single", "all_reduce", "scan"}) {
    CAPTURE(other);
    const Ran ran = run(ring + other);
    CHECK(ran.status == 1);
    CHECK(says(ran, "is no right "));
  }
  const ScheduleFile lost("nodes 3 blocks 1\n1: 0>1\n");
  const Ran ran = run("verify" + lost.option() + "--collective broadcast --format json");
  CHECK(ran.status == 1);
  CHECK(says(ran, "node 2"));
}

TEST_CASE("what is no schedule, or none for that, is refused with its place") {
  const ScheduleFile wrong("nodes 3 blocks 1\n# more\n1: 0>3\n");
  const Ran ran = run("verify" + wrong.option() + "--collective broadcast");
  CHECK(ran.status == 2);
  CHECK(ran.errors.find("line 3, column 7: there is no node 3, the last one is 2") != std::string::npos);
  const ScheduleFile chain("nodes 2 blocks 1\n1: 0>1\n");
  CHECK(run("verify" + chain.option()).status == 2);
  CHECK(run("verify" + chain.option() + "--collective all_gather").status == 2);
  CHECK(run("verify" + chain.option() + "--collective broadcast --root 2").status == 2);
  CHECK(run("verify" + chain.option() + "--collective broadcast --algorithm broadcast_binomial").status == 2);
  check_refused("verify" + chain.option() + "--collective broadcast --format csv", "text or json");
  CHECK(run("verify --schedule /nowhere --collective broadcast").status == 2);
  for (const std::string text :
       {"nodes 2000000000 blocks 5\n", "nodes 1000000 blocks 1\n", "nodes 30000 blocks 16000000\n"}) {
    const ScheduleFile huge(text);
    const Ran refused = run("verify" + huge.option() + "--collective broadcast");
    CHECK(refused.status == 2);
    CHECK(refused.errors.find("not enough memory") == std::string::npos);
  }
}
