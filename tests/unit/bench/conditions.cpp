#include <array>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <unistd.h>
#include <vector>

#include <vnode/model/machine.hpp>

#include "program.hpp"

using namespace program;
using namespace std::chrono_literals;

namespace {

/// Returns the children of a process, as the kernel knows them.
std::vector<pid_t> children(pid_t process) {
  std::vector<pid_t> all;
  std::ifstream file{"/proc/" + std::to_string(process) + "/task/" + std::to_string(process) + "/children"};
  for (pid_t child; file >> child;) all.push_back(child);
  return all;
}

/// Returns whether it runs: it is there, and is not what nobody has waited for.
bool runs(pid_t process) {
  std::ifstream file{"/proc/" + std::to_string(process) + "/stat"};
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.substr(name_end + 2, 1) != "Z";
}

/// Waits for it for some seconds at most; returns whether it has come true.
template <class Condition>
bool soon(Condition condition) {
  const auto until = std::chrono::steady_clock::now() + 30s;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(10ms);
  }
  return true;
}

}  // namespace

TEST_CASE("between two calls every thread walks a buffer of its own, and every form of the report says so") {
  const std::string asked =
      "broadcast barrier --nodes 2 --cold 256K --check --against " + rivals_asked + brief;
  const Ran json = run(asked + "--format json");
  CAPTURE(json.output);
  REQUIRE(json.status == 0);
  CHECK(nlohmann::json::parse(json.output)["machine"]["cold_bytes"] == 262144);
  for (const auto& row : list(json, "results")) {
    CHECK(row["cold_bytes"] == 262144);
    CHECK(row["wrong"] == 0);
  }
  for (const std::string format : {"table", "summary", "csv"}) {
    const Ran ran = run("barrier --nodes 2 --cold 256K --format " + format + brief);
    CAPTURE(ran.output);
    CHECK(ran.output.find("\n# cold: every thread walks 256K of its own before each timed call\n") !=
          std::string::npos);
    CHECK(run("barrier --nodes 2 --format " + format + brief).output.find("# cold:") == std::string::npos);
  }
  CHECK(nlohmann::json::parse(
            run("barrier --nodes 2 --format json" + brief).output)["results"][0]["cold_bytes"] == 0);
}

TEST_CASE("limits end with what they say of this machine and of vnode's kernels") {
  const Ran ran = run("limits -n 1 -w 0");
  CHECK(ran.status == 0);
  CHECK(ran.output.find("# a cache line takes ") != std::string::npos);
  CHECK(ran.output.find("\n#   AWS Graviton3 ") != std::string::npos);
  CHECK(ran.output.find("# vnode's own kernel for sums takes ") != std::string::npos);
  CHECK(run("limits -n 1 -w 0 --format csv").output.find("# a cache line takes ") == std::string::npos);
}

TEST_CASE("walks are those of OSU's loop, of more nodes than cores, of limits and guidelines, too") {
  CHECK(run("all_reduce --style osu -m 4:8 -i 3 -x 1 --nodes 2 --cold 64K").status == 0);
  const Ran many = run("all_reduce --nodes 9 --cold 64K --check --format json" + brief);
  CAPTURE(many.output);
  REQUIRE(many.status == 0);
  for (const auto& row : list(many, "results")) CHECK(row["wrong"] == 0);
  const Ran guidelines = run("guidelines --nodes 2 --cold 64K --format json -b 8 -e 8 -n 2 -w 1");
  CAPTURE(guidelines.output);
  CHECK(nlohmann::json::parse(guidelines.output)["machine"]["cold_bytes"] == 65536);
}

TEST_CASE("walks that mean nothing or do not fit are refused in a sentence") {
  for (const auto& [asked, sentence] :
       {std::pair{"0", "--cold 0: a walk of no bytes evicts nothing"},
        std::pair{"much", "--cold 'much' is not a number of bytes"},
        std::pair{"100000G", "this machine has memory for walks of up to "}}) {
    const Ran ran = run(std::string{"barrier --nodes 2 --cold "} + asked);
    CAPTURE(ran.output);
    CHECK(ran.status == 2);
    CHECK(ran.output.starts_with("vnode-bench: "));
    CHECK(ran.output.find(sentence) != std::string::npos);
  }
}

TEST_CASE("what OpenMP's runtime binds the main thread to is not taken for the machine") {
  const auto machine_with = [](const std::string& environment) {
    const Ran ran = run("barrier --nodes 2 --format json" + brief, environment);
    CAPTURE(ran.output);
    REQUIRE(ran.status == 0);
    const auto machine = nlohmann::json::parse(ran.output)["machine"];
    return std::array{machine["pus"], machine["cores_used"], machine["pinning"]};
  };
  const auto unbound = machine_with("OMP_PROC_BIND=false");
  for (const std::string bind : {"true", "close", "spread", "master"}) {
    CAPTURE(bind);
    CHECK(machine_with("OMP_PROC_BIND=" + bind) == unbound);
  }
}

TEST_CASE("busy processes beside the measurement are reported, and make nodes share cores with them") {
  const int cores = vnode::Machine::discover().allowed_cores();
  const std::string asked = "all_reduce --nodes 2 --check --beside " + std::to_string(cores);
  const Ran json = run(asked + " --format json" + brief);
  CAPTURE(json.output);
  REQUIRE(json.status == 0);
  const auto document = nlohmann::json::parse(json.output);
  CHECK(document["machine"]["beside"] == cores);
  CHECK(document["machine"]["timing"].get<std::string>().find("more nodes and busy processes than cores") !=
        std::string::npos);
  for (const auto& row : document["results"]) {
    CHECK(row["beside"] == cores);
    CHECK(row["limit_us"].is_null());
    CHECK(row["wrong"] == 0);
  }
  const Ran table = run(asked + brief);
  CHECK(table.output.find("\n# beside: busy processes on any of the cores: " + std::to_string(cores) +
                          "\n") != std::string::npos);
  CHECK(run("limits --beside 1").output.find("--beside does not go with limits: leave it out") !=
        std::string::npos);
  CHECK(run("barrier --beside 0").status == 2);
}

TEST_CASE("busy processes end with the benchmark, also when it is killed") {
  const pid_t bench = fork();
  REQUIRE(bench >= 0);
  if (bench == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execl(VNODE_BENCH_PROGRAM, "vnode-bench", "barrier", "--nodes", "2", "--beside", "3", "-n", "10000000",
          nullptr);
    _exit(1);
  }
  std::vector<pid_t> busy;
  CHECK(soon([&] { return (busy = children(bench)).size() == 3 || !runs(bench); }));
  CHECK(busy.size() == 3);
  for (const pid_t process : busy) CHECK(runs(process));
  kill(bench, SIGKILL);
  waitpid(bench, nullptr, 0);
  for (const pid_t process : busy) CHECK(soon([&] { return !runs(process); }));
}
