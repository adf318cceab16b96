// Tests the PUs of a machine, shared out among the teams of a process.
#include "team/live_teams.hpp"

#include <algorithm>
#include <condition_variable>
#include <doctest/doctest.h>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/mapping_policy.hpp>
#include <vnode/vnode.hpp>

#include "machine/binding.hpp"

using namespace vnode;

namespace {

/// Returns the PUs of a team of `nodes` beside others, by a policy.
std::vector<int> beside(const std::vector<int>& uses, const std::string& machine, int nodes,
                        const std::string& policy = "compact") {
  const Topology topology(shapes::full{}, nodes);
  return mapping_beside(uses, Machine::from_synthetic(machine),
                        [&](const Machine& on) { return mapping_by(on, topology, policy); })
      .pu;
}

/// Returns the PU that the only node of a team runs on.
int pu_of(Team& team) {
  int pu = -1;
  team.run([&](Node&) { pu = thread_affinity().front(); });
  return pu;
}

using Pus = std::vector<int>;

}  // namespace

TEST_CASE("a team beside others is mapped as alone, on the cores and PUs that the fewest use") {
  const std::string eight = "pack:2 core:4 pu:1", threads = "core:4 pu:2";
  CHECK(beside({}, eight, 3) == Pus{0, 1, 2});
  CHECK(beside({1, 1, 1}, eight, 3) == Pus{3, 4, 5});
  CHECK(beside({1, 1, 1}, eight, 5) == Pus{3, 4, 5, 6, 7});
  // It takes fewer cores from nobody: with all of them in use it is where it would be alone.
  CHECK(beside({1, 1, 1}, eight, 8) == Pus{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(beside({1, 1, 1, 1, 1, 1, 1, 1}, eight, 2) == Pus{0, 1});
  CHECK(beside({2, 2, 2, 1, 1, 1, 1, 1}, eight, 2) == Pus{3, 4});
  // A free core comes before the second thread of a core, and that before a PU that is used.
  CHECK(beside({1}, threads, 1) == Pus{2});
  CHECK(beside({1, 0, 1, 0, 1, 0, 1}, threads, 1) == Pus{1});
  CHECK(beside({1, 0, 1, 0, 1, 0, 1}, threads, 4) == Pus{1, 3, 5, 7});
  // A policy stays what it is.
  CHECK(beside({1, 0, 0, 0, 1}, eight, 2, "scatter") == Pus{1, 5});
  CHECK(beside({1, 0, 0, 0, 1}, eight, 4, "round_robin_package") == Pus{1, 5, 2, 6});
}

TEST_CASE("teams that live at the same time take different PUs, and the least used when all are taken") {
  const Machine machine = Machine::discover();
  const std::size_t there = machine.allowed_pus().size();
  std::vector<std::unique_ptr<Team>> teams;
  std::vector<int> uses;
  for (std::size_t round = 1; round <= 2; ++round)
    for (std::size_t i = 0; i < there; ++i) {
      teams.push_back(std::make_unique<Team>(1));
      const auto pu = static_cast<std::size_t>(pu_of(*teams.back()));
      if (uses.size() <= pu) uses.resize(pu + 1);
      CHECK(++uses[pu] == static_cast<int>(round));
    }
  CHECK(teams.front()->report().find("other teams: ") == std::string::npos);
  CHECK(teams.back()->report().find("other teams: " + std::to_string(2 * there - 1) +
                                    " in this process when this one was made, on its PU ") !=
        std::string::npos);
  // What a team has left is the next one's.
  if (there > 1) {
    teams.resize(there);
    const int left = pu_of(*teams[0]);
    teams[0].reset();
    Team next(1);
    CHECK(pu_of(next) == left);
    CHECK(next.report().find(" when this one was made, on other PUs\n") != std::string::npos);
  }
}

TEST_CASE("threads that make teams at once get different PUs") {
  const std::size_t there = std::min<std::size_t>(Machine::discover().allowed_pus().size(), 8);
  std::mutex mutex;
  std::condition_variable all;
  std::set<int> pus;
  std::size_t here = 0;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < there; ++i)
    threads.emplace_back([&] {
      Team team(1);
      const int pu = pu_of(team);
      std::unique_lock lock(mutex);
      pus.insert(pu);
      ++here;
      all.notify_all();
      all.wait(lock, [&] { return here == there; });
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(pus.size() == there);
}

TEST_CASE("a team whose PUs are named takes them, whoever is there") {
  const Machine machine = Machine::discover();
  const int first = machine.allowed_pus().front();
  const int os_index = machine.pus[static_cast<std::size_t>(first)].os_index;
  const Team other(1);
  TeamOptions given, listed;
  given.pus = {first};
  listed.mapping = std::to_string(os_index);
  for (const TeamOptions& options : {given, listed}) {
    Team team(1, shapes::full{}, options);
    CHECK(pu_of(team) == os_index);
    CHECK(team.report().find("on its PU " + std::to_string(os_index) + " too\n") != std::string::npos);
  }
}

TEST_CASE("teams that are not pinned take no PU from others") {
  TeamOptions options;
  options.pin = false;
  const Team unpinned(1, shapes::full{}, options);
  CHECK(Team(1).report().find("other teams: ") == std::string::npos);
}
