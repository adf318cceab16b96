// Tests how long nodes look before they park, and under a quota of CPU time, as containers have it.
#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>

#include <vnode/model/machine.hpp>
#include <vnode/vnode.hpp>

#include "child_case.hpp"
#include "sentence.hpp"
#include "settings/team_mapping.hpp"

using namespace vnode_test;

namespace {

/// Is a cgroup that may use half a CPU, of whichever version may be made here; ended by its destructor.
class HalfACpu {
 public:
  HalfACpu() {
    const std::string name = "/vnode_test_" + std::to_string(getpid());
    made_ = (make("/sys/fs/cgroup/cpu" + name) && write("cpu.cfs_period_us", "100000") &&
             write("cpu.cfs_quota_us", "50000")) ||
            (make("/sys/fs/cgroup/cpu,cpuacct" + name) && write("cpu.cfs_period_us", "100000") &&
             write("cpu.cfs_quota_us", "50000")) ||
            (make("/sys/fs/cgroup" + name) && write("cpu.max", "50000 100000"));
  }
  ~HalfACpu() { end(); }
  HalfACpu(const HalfACpu&) = delete;
  HalfACpu& operator=(const HalfACpu&) = delete;
  bool made() const { return made_; }
  /// For run_case(): moves the process that is to be there.
  std::string command() const { return "echo $$ >" + folder_ + "/cgroup.procs && exec"; }

 private:
  bool make(const std::string& folder) {
    end();
    std::error_code refused;
    if (!std::filesystem::create_directory(folder, refused)) return false;
    folder_ = folder;
    return true;
  }
  void end() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove(folder_, ignored);
    folder_.clear();
  }
  bool write(const std::string& file, const std::string& text) const {
    std::error_code none;
    if (!std::filesystem::exists(folder_ + "/" + file, none)) return false;
    std::ofstream stream(folder_ + "/" + file);
    stream << text << std::flush;
    return stream.good();
  }
  std::string folder_;
  bool made_ = false;
};

}  // namespace

TEST_CASE("a quota is enough for as many nodes as it has whole CPUs") {
  vnode::Machine machine = vnode::Machine::from_synthetic("core:4 pu:1");
  CHECK(vnode::within_quota(machine, 100));
  machine.cpu_quota = 1.5;
  CHECK(vnode::within_quota(machine, 1));
  CHECK_FALSE(vnode::within_quota(machine, 2));
  machine.cpu_quota = 2;
  CHECK(vnode::within_quota(machine, 2));
}

TEST_CASE("who waits without enough quota gives its time away, unless it is told to spin") {
  using vnode::Wait;
  CHECK(vnode::describe(vnode::policy_of(vnode::TeamOptions(), false, 1, false))
            .starts_with("yield for 10 us, then park"));
  CHECK(vnode::describe(vnode::policy_of(vnode::TeamOptions(), false, 3, false))
            .starts_with("yield for 30 us, then park"));
  CHECK(vnode::describe(vnode::policy_of(vnode::TeamOptions(), false, 1))
            .starts_with("yield for 1000 us, then park"));
  vnode::TeamOptions spins;
  spins.wait = Wait::spin;
  CHECK(vnode::describe(vnode::policy_of(spins, false, 1, false)) == "spin");
}

TEST_CASE("a time to spin says when who waits parks, whatever else it does before") {
  using namespace std::chrono_literals;
  vnode::TeamOptions options;
  const auto described = [&](bool own_core) {
    return vnode::describe(vnode::policy_of(options, own_core, 1));
  };
  CHECK(described(true).starts_with("spin for 100 us, then yield for 9900 us, then park"));
  CHECK(described(false).starts_with("yield for 1000 us, then park"));
  options.spin = std::chrono::nanoseconds::max();
  CHECK(described(true) == "spin for 100 us, then yield");
  CHECK(described(false) == "yield");
  for (const vnode::Wait wait :
       {vnode::Wait::automatic, vnode::Wait::spin, vnode::Wait::yield, vnode::Wait::park}) {
    options.wait = wait;
    options.spin = 0ns;
    CHECK(described(true) == "park");
    CHECK(described(false) == "park");
  }
  options.wait = vnode::Wait::spin;
  options.spin = 1ms;
  CHECK(described(true) == "spin for 1000 us, then park");
  options.wait = vnode::Wait::automatic;
  CHECK(described(true).starts_with("spin for 100 us, then yield for 900 us, then park"));
}

TEST_CASE("the environment's time to spin is read, and what is none is refused") {
  const auto said = [](const char* value) -> std::string {
    const Variable spin("VNODE_SPIN", value);
    try {
      return vnode::Team(1).report();
    } catch (const vnode::UsageError& error) {
      return error.what();
    }
  };
  CHECK(said("0").find("park") != std::string::npos);
  CHECK(said("forever").find("park") == std::string::npos);
  for (const char* const wrong : {"-1", "soon", "1 ms", "5", ""})
    CHECK(said(wrong) ==
          std::string("VNODE_SPIN=") + wrong +
              ": it may be a time with its unit, such as 100us, 1ms or 2s; 0 parks at once, forever never");
  vnode::TeamOptions options;
  options.spin = std::chrono::nanoseconds(-1);
  CHECK_THROWS_WITH_AS(vnode::Team(1, vnode::shapes::full{}, options),
                       "TeamOptions::spin is negative, -1 ns: it may be a time, or 0 to park at once",
                       vnode::UsageError);
}

TEST_CASE(
    "where many share a core, or park at once, both sides fence, so that no sleeper interrupts all cores") {
  using vnode::Fencing;
  vnode::TeamOptions options;
  CHECK(vnode::policy_of(options, true, 1).fencing == Fencing::rare_side);
  CHECK(vnode::policy_of(options, false, 4).fencing == Fencing::rare_side);
  CHECK(vnode::policy_of(options, false, 8).fencing == Fencing::both_sides);
  CHECK(vnode::policy_of(options, false, 512).fencing == Fencing::both_sides);
  CHECK(vnode::policy_of(options, false, 1, false).fencing == Fencing::both_sides);
  options.spin = std::chrono::nanoseconds(0);
  CHECK(vnode::policy_of(options, true, 1).fencing == Fencing::both_sides);
}

TEST_CASE("who waits long sleeps, by default too") {
  using namespace std::chrono_literals;
  // How often a thread has slept, by its own will.
  const auto sleeps = [](int thread) {
    std::ifstream status("/proc/self/task/" + std::to_string(thread) + "/status");
    const std::string name = "voluntary_ctxt_switches:";
    for (std::string line; std::getline(status, line);)
      if (line.starts_with(name)) return std::stol(line.substr(name.size()));
    return -1L;
  };
  for (const std::optional<std::chrono::nanoseconds> spin :
       {std::optional<std::chrono::nanoseconds>(), std::optional<std::chrono::nanoseconds>(0ns),
        std::optional<std::chrono::nanoseconds>(1ms)}) {
    vnode::TeamOptions options = patient();
    options.spin = spin;
    vnode::Team team(2, vnode::shapes::full{}, options);
    std::atomic<int> waiting{0};
    bool slept = false;
    team.run([&](vnode::Node& me) {
      me.barrier();
      if (me.rank() == 1) {
        waiting = gettid();
      } else {
        while (waiting == 0) std::this_thread::yield();
        const long before = sleeps(waiting);
        REQUIRE(before >= 0);
        for (int look = 0; look < 20000 && !slept; ++look) {
          std::this_thread::sleep_for(1ms);
          slept = sleeps(waiting) > before;
        }
      }
      me.barrier();
    });
    CHECK(slept);
  }
}

TEST_CASE("nodes that park at once, after a while or never wake each other") {
  for (const auto spin :
       {std::chrono::nanoseconds(0), std::chrono::nanoseconds(50000), std::chrono::nanoseconds::max()})
    for (const int p : {2, 5}) {
      vnode::TeamOptions options = patient();
      options.spin = spin;
      vnode::Team team(p, vnode::shapes::full{}, options);
      std::atomic<int> right = 0;
      team.run([&](vnode::Node& me) {
        int sum = 0;
        for (int i = 0; i < 200; ++i) {
          if (i % 50 == me.rank()) std::this_thread::sleep_for(std::chrono::microseconds(200));
          sum = me.all_reduce(me.rank() + 1, std::plus<>{});
        }
        if (sum == p * (p + 1) / 2) ++right;
      });
      CHECK(right == p);
    }
}

TEST_CASE("child: a team under a quota" * doctest::skip()) {
  const vnode::Machine machine = vnode::Machine::discover();
  REQUIRE(machine.cpu_quota);
  CHECK(*machine.cpu_quota <= 0.5);
  vnode::Team team{2, vnode_test::patient()};
  int sum = 0;
  team.run([&](vnode::Node& me) {
    const int all = me.all_reduce(me.rank() + 1, std::plus<>{});
    if (me.rank() == 0) sum = all;
  });
  CHECK(sum == 3);
  const std::string report = team.report();
  CAPTURE(report);
  CHECK(report.find("\nCPU quota: 0.5 of ") != report.npos);
  CHECK(report.find("waiting: yield for ") != report.npos);
  CHECK(report.find(", less than one to each node") != report.npos);
}

TEST_CASE("a team sees the quota of its cgroup") {
  const HalfACpu half;
  if (!half.made()) {
    MESSAGE(
        "skipped: no cgroup with a CPU quota can be made here, which takes root and a writable "
        "/sys/fs/cgroup");
    return;
  }
  // Where a limit around it is lower, that would count.
  if (const auto quota = vnode::Machine::discover().cpu_quota; quota && *quota < 0.5) return;
  check_case_passes(half.command(), "child: a team under a quota");
}

TEST_CASE("a machine that is described has no quota") {
  CHECK_FALSE(vnode::Machine::from_synthetic("core:4 pu:1").cpu_quota);
}
