#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/vnode.hpp>

#include "child_case.hpp"
#include "numa/kernel.hpp"
#include "sentence.hpp"

using namespace vnode;

namespace {

std::vector<int> allowed(const std::string& what) {
  return kernel::numbers_of(kernel::value_of("/proc/thread-self/status", what + "_allowed_list"));
}

/// As many nodes as this thread may use PUs have one each; twice as many share these.
void check_teams() {
  const std::vector<int> pus = allowed("Cpus");
  for (const std::size_t nodes : {pus.size(), 2 * pus.size()}) {
    Team team(static_cast<int>(nodes), shapes::full{}, vnode_test::patient());
    std::vector<int> used(nodes);
    team.run([&](Node& me) {
      int sum[1] = {me.rank()};
      me.all_reduce(sum, std::plus<>{});
      CHECK(sum[0] == me.size() * (me.size() - 1) / 2);
      used[static_cast<std::size_t>(me.rank())] = static_cast<int>(kernel::here().pu);
    });
    CHECK(std::set(used.begin(), used.end()) == std::set(pus.begin(), pus.end()));
  }
}

/// Where a team's memory may be: on each bank asked for, and nowhere but on those of this thread's cpuset.
void check_memory() {
  const Machine machine = Machine::discover();
  const std::vector<int> usable = allowed("Mems");
  for (const Banks policy : all_banks()) {
    CAPTURE(enums::name(policy));
    TeamOptions options = vnode_test::patient();
    options.banks = policy;
    options.strict_banks = true;
    Team team(4, shapes::hypercube{}, options);
    team.run([](Node& me) {
      const std::vector<long> mine(5'000 * static_cast<std::size_t>(me.size()), me.rank());
      std::vector<long> all(mine.size());
      me.all_to_all(mine, all, {"all_to_all_pairwise"});
      CHECK(all.back() == me.size() - 1);
      std::vector<long> sum(5'000, me.rank());
      me.all_reduce(sum, std::plus<>{});
      CHECK(sum.back() == me.size() * (me.size() - 1) / 2);
    });
    PageAudit together;
    for (const OwnedMemory& memory : team.memory()) {
      CAPTURE(memory.owner);
      CAPTURE(memory.bank);
      CHECK(memory.degraded.empty());
      CHECK(memory.elsewhere() == 0);
      together += memory.pages;
    }
    for (Rank owner = 0; owner < team.size(); ++owner) {
      auto buffer = team.buffer<double>(owner, 40'000);
      buffer.pages().touch();
      CHECK(buffer.pages().degraded().empty());
      together += buffer.pages().audit();
    }
    CHECK(together.touched() > 0);
    CHECK(together.unknown == 0);
    for (std::size_t bank = 0; bank < together.on.size(); ++bank) {
      CAPTURE(bank);
      const bool may = std::ranges::binary_search(usable, machine.numas[bank].os_index);
      if (!may) CHECK(together.on[bank] == 0);
      if (may && policy == Banks::interleave) CHECK(together.on[bank] > 0);
    }
  }
}

/// Is a cgroup with the cpuset `pus`, and with the memory of `numas`; ended by its destructor.
class Cgroup {
 public:
  Cgroup(const std::string& pus, const std::string& numas) {
    write("/sys/fs/cgroup/cgroup.subtree_control", "+cpuset");
    std::filesystem::create_directory(folder);
    write(folder + "/cpuset.cpus", pus);
    write(folder + "/cpuset.mems", numas);
  }
  ~Cgroup() {
    std::error_code ignored;
    std::filesystem::remove(folder, ignored);
  }
  Cgroup(const Cgroup&) = delete;
  Cgroup& operator=(const Cgroup&) = delete;
  /// For check_case_passes: moves the process that is to be there.
  std::string command() const { return "echo $$ >" + folder + "/cgroup.procs; exec"; }

 private:
  static void write(const std::string& path, const std::string& text) {
    std::ofstream file(path);
    file << text << std::endl;
    CAPTURE(path);
    REQUIRE(file);
  }
  const std::string folder = "/sys/fs/cgroup/vnode";
};

}  // namespace

TEST_CASE("a thread that is bound to some PUs of two NUMA nodes makes teams on all, and stays bound") {
  std::thread([] {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int numa : {1, 2}) CPU_SET(static_cast<unsigned>(kernel::pus_of(numa).front()), &set);
    const std::size_t all = allowed("Cpus").size();
    REQUIRE(sched_setaffinity(0, sizeof set, &set) == 0);
    CHECK(Machine::discover().allowed_pus().size() == all);
    Team team(static_cast<int>(all), shapes::full{}, vnode_test::patient());
    team.run([](Node& me) { me.barrier(); });
    CHECK(allowed("Cpus").size() == 2);
  }).join();
}

TEST_CASE("a process under taskset uses what it is given") {
  check_case_passes("exec taskset -c 2,4,6", "child: a restricted process");
}

TEST_CASE("a process in a cgroup uses its cpuset") {
  const Cgroup cgroup("4-6", "2-3");
  check_case_passes(cgroup.command(), "child: a restricted process");
}

TEST_CASE("teams work where the cpuset leaves them far memory only") {
  const Cgroup cgroup("4-6", "1");
  check_case_passes(cgroup.command(), "child: far memory only");
}

TEST_CASE("child: a restricted process" * doctest::skip()) {
  const Machine machine = Machine::discover();
  REQUIRE(allowed("Cpus").size() == 3);
  std::vector<int> found;
  for (const int pu : machine.allowed_pus())
    found.push_back(machine.pus[static_cast<std::size_t>(pu)].os_index);
  CHECK(found == allowed("Cpus"));
  CHECK(machine.pus.size() > found.size());
  check_teams();
  check_memory();
}

TEST_CASE("child: far memory only" * doctest::skip()) {
  constexpr std::size_t bytes = std::size_t{1} << 20;
  REQUIRE(allowed("Mems") == std::vector{1});
  check_teams();
  Team team(3, shapes::full{}, vnode_test::patient());
  team.run([&](Node&) {
    CHECK(kernel::here().numa != 1);
    const kernel::Untouched memory(bytes);
    std::fill_n(memory.begin(), bytes, std::byte{1});
    CHECK(kernel::all_on(1, memory.begin(), bytes));
  });
  check_memory();
  Pages pages(bytes);
  pages.touch();
  pages.claim();  // the bank near this thread is not its NUMA node's
  CHECK(pages.degraded().empty());
}
