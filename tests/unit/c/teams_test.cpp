// Tests teams, nodes, groups and errors by vnode.h.
#include "teams.hpp"

#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <vnode/version.hpp>
#include <vnode/vnode.h>

#include "machine/binding.hpp"

using namespace vnode_test;

extern "C" int run_as_c(void);

namespace {

std::string taken(char* text) {
  std::string copy = text != nullptr ? text : "";
  vnode_text_free(&text);
  CHECK(text == nullptr);
  return copy;
}

}  // namespace

TEST_CASE("vnode.h compiles as C11, and what it declares runs") { CHECK(run_as_c() == 16); }

TEST_CASE("the library tells its version and names its codes") {
  CHECK(vnode_version() == vnode::version());
  CHECK(vnode_abi_version() == VNODE_ABI);
  CHECK(std::string(vnode_status_name(VNODE_OK)) == "VNODE_OK");
  CHECK(std::string(vnode_status_name(VNODE_ERROR_TIME_LIMIT)) == "VNODE_ERROR_TIME_LIMIT");
  CHECK(std::string(vnode_status_name(VNODE_ERROR_DEADLOCK)) == "VNODE_ERROR_DEADLOCK");
  CHECK(std::string(vnode_status_name(3)) == "a callback's own code");
  CHECK(std::string(vnode_status_name(-1000)) == "unknown");
}

TEST_CASE("a team tells its size and topology, its costs and memory") {
  const CTeam team(6, "mesh:2x3");
  CHECK(vnode_team_size(team) == 6);
  vnode_topology* topology = nullptr;
  REQUIRE(vnode_team_topology(team, &topology) == VNODE_OK);
  char* text = nullptr;
  REQUIRE(vnode_topology_text(topology, &text) == VNODE_OK);
  CHECK(taken(text) == "mesh:2x3");
  CHECK(vnode_topology_free(&topology) == VNODE_OK);
  CHECK(topology == nullptr);
  REQUIRE(vnode_team_report(team, &text) == VNODE_OK);
  CHECK(taken(text).find("6 as mesh:2x3") != std::string::npos);
  vnode_cost_model costs{};
  CHECK(vnode_team_costs(team, &costs) == VNODE_ERROR_USAGE);
  CHECK(std::string(vnode_message()).find("the member size of vnode_cost_model is 0") != std::string::npos);
  costs.size = sizeof costs;
  CHECK(vnode_team_costs(team, &costs) == VNODE_OK);
  CHECK(costs.t_s > 0);
  CHECK(team.run([](vnode_node* me) { return vnode_barrier(me, nullptr); }) == VNODE_OK);
  std::size_t channels = 0;
  CHECK(vnode_team_bytes(team, &channels, nullptr) == VNODE_OK);
  CHECK(channels > 0);
}

TEST_CASE("a thread that is bound to one PU makes teams on all that the process may use") {
  const auto report = [] {
    const CTeam team(2);
    char* text = nullptr;
    REQUIRE(vnode_team_report(team, &text) == VNODE_OK);
    return taken(text);
  };
  const auto cores = [](const std::string& text) { return text.substr(text.find("cores: "), 20); };
  const std::string free = report();
  const std::vector<int> all = vnode::process_affinity();
  std::string bound;
  std::thread([&] {
    CHECK(vnode::set_thread_affinity({all.back()}));
    bound = report();
  }).join();
  CHECK(cores(bound) == cores(free));
  CHECK(free.find("affinity: ") == std::string::npos);
  CHECK((bound.find("affinity: the thread that made the team is bound to PU ") != std::string::npos) ==
        (all.size() > 1));
}

TEST_CASE("options reach the team") {
  vnode_cost_model costs{};
  costs.size = sizeof costs;
  costs.t_s = 1e-3;
  costs.eager_to = 100;
  vnode_team_options options{};
  options.costs = &costs;
  options.checked = 1;
  options.wait = VNODE_WAIT_PARK;
  options.algorithms = "all_reduce=ring";
  const CTeam team(3, nullptr, options);
  vnode_cost_model kept{};
  kept.size = sizeof kept;
  CHECK(vnode_team_costs(team, &kept) == VNODE_OK);
  CHECK(kept.t_s == 1e-3);
  CHECK(kept.nodes_per_pu == 1);
  CHECK(wrong(team.run([](vnode_node* me) {
          std::array<double, 3> x{1, 2, 3};
          CHECK(vnode_all_reduce(me, x.data(), x.data(), 3, VNODE_F64, VNODE_SUM, nullptr) == VNODE_OK);
          char* name = nullptr;
          CHECK(vnode_group_last_algorithm(me, &name) == VNODE_OK);
          CHECK(taken(name) == "all_reduce_ring");
          vnode_call_options call{};
          call.size = sizeof call;
          call.algorithm = "all_reduce_two_tree";
          call.segments = 2;
          CHECK(wrong(vnode_all_reduce(me, x.data(), x.data(), 3, VNODE_F64, VNODE_SUM, &call)) == "");
          CHECK(vnode_group_last_algorithm(me, &name) == VNODE_OK);
          CHECK(taken(name) == "all_reduce_two_tree");
          CHECK(vnode_group_last_segments(me) == 2);
          CHECK(x[2] == 27);
          call.algorithm = "all_reduce_by_magic";
          CHECK(vnode_all_reduce(me, x.data(), x.data(), 3, VNODE_F64, VNODE_SUM, &call) ==
                VNODE_ERROR_USAGE);
          return 0;
        })) == "");
}

TEST_CASE("options that make no sense are refused") {
  vnode_team* team = nullptr;
  vnode_team_options options{};
  const auto refused = [&](int nodes, const char* shape) {
    CHECK(vnode_team_create(&team, nodes, shape, &options) == VNODE_ERROR_USAGE);
    CHECK(team == nullptr);
    return std::string(vnode_message());
  };
  CHECK(refused(2, nullptr).find("the member size of vnode_team_options is 0") != std::string::npos);
  options.size = sizeof options + 8;
  CHECK(refused(2, nullptr).find("newer vnode.h") != std::string::npos);
  options.size = sizeof options;
  options.wait = 4;
  CHECK(refused(2, nullptr) == "vnode_team_create: there is no vnode_waiting 4: they are 0 to 3");
  options.wait = VNODE_WAIT_AUTOMATIC;
  options.time_limit = -1;
  refused(2, nullptr);
  options.time_limit = 1e300;
  CHECK(refused(2, nullptr).find("time_limit is 1e+300 s: it is a time of 0 to 9e9 s") != std::string::npos);
  options.time_limit = 0;
  options.profile = "of/nobody.json";
  CHECK(vnode_team_create(&team, 2, nullptr, &options) == VNODE_ERROR_SYSTEM);
  CHECK(std::string(vnode_message()).find("of/nobody.json") != std::string::npos);
  options.profile = "none";
  double spin = -1;
  options.spin = &spin;
  CHECK(refused(2, nullptr).find("vnode_team_options.spin is negative") != std::string::npos);
  spin = std::nan("");
  CHECK(refused(2, nullptr).find("spin is nan s: it is a time of 0 to 9e9 s") != std::string::npos);
  options.time_limit = 60;
  const auto report = [&] {
    char* text = nullptr;
    REQUIRE(vnode_team_report(CTeam(2, nullptr, options), &text) == VNODE_OK);
    return taken(text);
  };
  spin = 0;
  CHECK(report().find("\nwaiting: park\n") != std::string::npos);
  spin = HUGE_VAL;
  CHECK(report().find("park") == std::string::npos);
  options.time_limit = 0;
  options.spin = nullptr;
  options.arenas = VNODE_DOMAIN_CORE;
  CHECK(refused(2, nullptr).find("there are no arenas") != std::string::npos);
  options.arenas = VNODE_DOMAIN_NONE;
  refused(0, nullptr);
  refused(3, "hypercube");
  refused(3, "klein_bottle");
  CHECK(vnode_team_create(nullptr, 2, nullptr, nullptr) == VNODE_ERROR_USAGE);
}

TEST_CASE(
    "the first code that a body returns is the run's, with its sentence, and the team is as good as new") {
  const CTeam team(4);
  std::atomic<int> aborted{0};
  const auto with = [&](const std::function<int()>& fails) {
    aborted = 0;
    return team.run([&](vnode_node* me) {
      if (vnode_group_rank(me) == 2) return fails();
      const int code = vnode_barrier(me, nullptr);
      aborted += code == VNODE_ERROR_ABORTED;
      return code;
    });
  };
  CHECK(with([] { return 7; }) == 7);
  CHECK(std::string(vnode_message()) == "the body of node 2 has returned 7");
  CHECK(aborted == 3);
  CHECK(with([] {
          vnode_set_message("no input for node 2");
          return 8;
        }) == 8);
  CHECK(std::string(vnode_message()) == "no input for node 2");
  CHECK(with([] { return vnode_team_size(nullptr); }) == VNODE_ERROR_USAGE);
  CHECK(std::string(vnode_message()) == "vnode_team_size: the vnode_team is NULL");
  CHECK(with([] { return VNODE_ERROR_SYSTEM; }) == VNODE_ERROR_SYSTEM);
  CHECK(std::string(vnode_message()) == "the body of node 2 has returned -5");
  CHECK(with([]() -> int { throw std::runtime_error("thrown in C++"); }) == VNODE_ERROR_OTHER);
  CHECK(std::string(vnode_message()) == "thrown in C++");
  CHECK(with([]() -> int { throw 3; }) == VNODE_ERROR_OTHER);
  CHECK(with([] { return -77; }) == -77);
  CHECK(team.run([](vnode_node* me) { return vnode_barrier(me, nullptr); }) == VNODE_OK);
}

TEST_CASE("calls that do not match, deadlocks and waits beyond the limit have codes of their own") {
  vnode_team_options options{};
  options.checked = 1;
  const CTeam checked(2, nullptr, options);
  CHECK(checked.run([](vnode_node* me) {
    double x = 0;
    return vnode_broadcast(me, &x, 1, VNODE_F64, vnode_group_rank(me), nullptr);
  }) == VNODE_ERROR_MISMATCH);
  const auto circle = [](vnode_node* me) {
    double x = 0;
    return vnode_recv(me, &x, 1, VNODE_F64, 1 - vnode_group_rank(me), 0, nullptr);
  };
  options.checked = 0;
  const CTeam hanging(2, nullptr, options);
  CHECK(hanging.run(circle) == VNODE_ERROR_DEADLOCK);
  CHECK(std::string(vnode_message()).find("deadlock: all nodes wait") == 0);
  options.deadlocks = VNODE_CHOICE_OFF;
  options.time_limit = 0.02;
  const CTeam limited(2, nullptr, options);
  CHECK(limited.run(circle) == VNODE_ERROR_TIME_LIMIT);
  CHECK(std::string(vnode_message()).find("node 1") != std::string::npos);
}

TEST_CASE("a node ends the run, and then its requests without waiting") {
  const CTeam team(3);
  std::atomic<int> begun{0}, aborted{0};
  CHECK(team.run([&](vnode_node* me) {
    double x = 1;
    vnode_request* request = nullptr;
    CHECK(vnode_all_reduce_nonblocking(me, &x, &x, 1, VNODE_F64, VNODE_SUM, nullptr, &request) == VNODE_OK);
    ++begun;
    if (vnode_group_rank(me) == 1) {
      while (begun < 3) std::this_thread::yield();
      vnode_request* never = nullptr;
      CHECK(vnode_irecv(me, &x, 1, VNODE_F64, 0, 9, &never) == VNODE_OK);
      CHECK(vnode_abort(me, -1, "") == VNODE_ERROR_USAGE);
      CHECK(vnode_abort(me, 5, "the disk is full") == VNODE_OK);
      CHECK(vnode_request_free(&never) == VNODE_OK);
      CHECK(never == nullptr);
      CHECK(vnode_request_free(&request) == VNODE_OK);
      return 0;
    }
    int code = vnode_request_wait(&request, nullptr);
    CHECK(request == nullptr);
    if (code == VNODE_OK) code = vnode_recv(me, &x, 1, VNODE_F64, 1, 3, nullptr);
    aborted += code == VNODE_ERROR_ABORTED;
    return code;
  }) == 5);
  CHECK(std::string(vnode_message()) == "the disk is full");
  CHECK(aborted == 2);
  CHECK(team.run([](vnode_node* me) { return vnode_barrier(me, nullptr); }) == VNODE_OK);
}

TEST_CASE("handles that are NULL, of another type, or ended are refused by name") {
  const CTeam team(2);
  vnode_topology* topology = nullptr;
  CHECK(vnode_topology_nodes(nullptr) == VNODE_ERROR_USAGE);
  CHECK(std::string(vnode_message()) == "vnode_topology_nodes: the vnode_topology is NULL");
  vnode_team* const as_team = team;
  std::memcpy(&topology, &as_team, sizeof topology);  // as Fortran and Python may pass it
  CHECK(vnode_topology_nodes(topology) == VNODE_ERROR_USAGE);
  CHECK(std::string(vnode_message()) == "vnode_topology_nodes: expected a vnode_topology, got vnode_team");
  std::uint64_t stranger = 0;
  void* const strange = &stranger;
  std::memcpy(&topology, &strange, sizeof topology);
  CHECK(vnode_topology_free(&topology) == VNODE_ERROR_USAGE);
  CHECK(vnode_team_run(team, nullptr, nullptr) == VNODE_ERROR_USAGE);
  vnode_team* none = nullptr;
  CHECK(vnode_team_free(&none) == VNODE_OK);
  CHECK(vnode_team_free(nullptr) == VNODE_ERROR_USAGE);
  CHECK(vnode_request_wait(nullptr, nullptr) == VNODE_ERROR_USAGE);
  CHECK(vnode_barrier(nullptr, nullptr) == VNODE_ERROR_USAGE);
}

TEST_CASE("a team is not freed within a run, by a node or by another thread, and is kept") {
  vnode_team* team = nullptr;
  vnode_team_options options{};
  options.size = sizeof options;
  options.time_limit = 60;
  REQUIRE(wrong(vnode_team_create(&team, 2, nullptr, &options)) == "");
  const auto body = [](vnode_node* me, void* user) {
    auto* const of_node = static_cast<vnode_team**>(user);
    const auto refuse = [&] {
      CHECK(vnode_team_free(of_node) == VNODE_ERROR_USAGE);
      CHECK(std::string(vnode_message()) ==
            "vnode_team_free() while a run of the team is on: call it before or after the run");
      CHECK(*of_node != nullptr);
    };
    if (vnode_group_rank(me) == 0) {
      refuse();
      std::thread(refuse).join();
    }
    return vnode_barrier(me, nullptr);
  };
  CHECK(wrong(vnode_team_run(team, body, &team)) == "");
  CHECK(wrong(vnode_team_free(&team)) == "");
  CHECK(team == nullptr);
}

TEST_CASE("a node outside of its run and another thread's node are refused") {
  const CTeam team(2);
  vnode_node* kept = nullptr;
  CHECK(team.run([&](vnode_node* me) {
    if (vnode_group_rank(me) == 0) {
      kept = me;
      int code = 0;
      std::string sentence;
      std::thread other([&] {
        code = vnode_barrier(me, nullptr);
        sentence = vnode_message();
      });
      other.join();
      CHECK(code == VNODE_ERROR_USAGE);
      CHECK(sentence.find("thread") != std::string::npos);
      CHECK(vnode_group_free(&kept) == VNODE_ERROR_USAGE);
    }
    return vnode_barrier(me, nullptr);
  }) == VNODE_OK);
  CHECK(vnode_barrier(kept, nullptr) == VNODE_ERROR_USAGE);
  CHECK(vnode_group_rank(kept) == 0);
  CHECK(team.run([](vnode_node*) { return 0; }) == VNODE_OK);
  CHECK(team.run([&](vnode_node*) { return team.run([](vnode_node*) { return 0; }); }) == VNODE_ERROR_USAGE);
}

TEST_CASE("data that are missing, and more of them than memory holds, are refused before anything is sent") {
  const CTeam team(2);
  CHECK(wrong(team.run([](vnode_node* me) {
          double x = 0;
          const std::size_t many = static_cast<std::size_t>(-1) / 2;
          CHECK(vnode_broadcast(me, nullptr, 1, VNODE_F64, 0, nullptr) == VNODE_ERROR_USAGE);
          CHECK(std::string(vnode_message()) == "vnode_broadcast: data is NULL and has 1 element");
          CHECK(vnode_broadcast(me, nullptr, 0, VNODE_F64, 0, nullptr) == VNODE_OK);
          CHECK(vnode_broadcast(me, &x, many, VNODE_F64, 0, nullptr) == VNODE_ERROR_USAGE);
          CHECK(vnode_all_gather(me, &x, &x, many, VNODE_BYTE, nullptr) == VNODE_ERROR_USAGE);
          CHECK(vnode_broadcast(me, &x, 1, VNODE_F64, 2, nullptr) == VNODE_ERROR_USAGE);
          CHECK(vnode_gather_v(me, &x, 1, &x, nullptr, nullptr, VNODE_F64, vnode_group_rank(me), nullptr) ==
                VNODE_ERROR_USAGE);
          const std::array<std::size_t, 2> counts{1, many}, gaps{many, many};
          CHECK(vnode_all_gather_v(me, &x, 1, &x, counts.data(), gaps.data(), VNODE_F64, nullptr) ==
                VNODE_ERROR_USAGE);
          CHECK(vnode_send(me, nullptr, 3, VNODE_F64, 1, 0) == VNODE_ERROR_USAGE);
          CHECK(vnode_all_reduce_nonblocking(me, &x, &x, 1, VNODE_F64, VNODE_SUM, nullptr, nullptr) ==
                VNODE_ERROR_USAGE);
          return vnode_barrier(me, nullptr);
        })) == "");
}

TEST_CASE("groups are split by color, by dimensions and by the machine") {
  const CTeam team(6, "mesh:2x3");
  CHECK(wrong(team.run([](vnode_node* me) {
          const int rank = vnode_group_rank(me);
          vnode_group* half = nullptr;
          CHECK(vnode_group_split(me, rank % 2 == 0 ? 0 : VNODE_NO_COLOR, -rank, "ring", &half) == VNODE_OK);
          CHECK((half != nullptr) == (rank % 2 == 0));
          if (half != nullptr) {
            CHECK(vnode_group_size(half) == 3);
            CHECK(vnode_group_rank(half) == (4 - rank) / 2);
            CHECK(vnode_group_team_rank(half, 0) == 4);
            int sum = rank;
            CHECK(vnode_all_reduce(half, &sum, &sum, 1, VNODE_I32, VNODE_SUM, nullptr) == VNODE_OK);
            CHECK(sum == 6);
            CHECK(vnode_arena_concurrency(half) == VNODE_ERROR_USAGE);
          }
          CHECK(vnode_group_free(&half) == VNODE_OK);
          vnode_group* row = nullptr;
          const int dimension = 1;
          CHECK(vnode_group_split_along(me, &dimension, 1, &row) == VNODE_OK);
          CHECK(vnode_group_size(row) == 3);
          CHECK(vnode_group_rank(row) == rank % 3);
          vnode_topology* topology = nullptr;
          CHECK(vnode_group_topology(row, &topology) == VNODE_OK);
          CHECK(vnode_topology_diameter(topology) == 2);
          CHECK(vnode_topology_free(&topology) == VNODE_OK);
          CHECK(vnode_group_free(&row) == VNODE_OK);
          vnode_group* machine = nullptr;
          CHECK(vnode_group_split_domain(me, VNODE_DOMAIN_PACKAGE, &machine) == VNODE_OK);
          CHECK(vnode_group_size(machine) >= 1);
          CHECK(vnode_group_free(&machine) == VNODE_OK);
          CHECK(vnode_group_split_domain(me, VNODE_DOMAIN_NONE, &machine) == VNODE_ERROR_USAGE);
          CHECK(vnode_group_split_domain(me, VNODE_DOMAIN_MACHINE, &machine) == VNODE_OK);
          CHECK(vnode_group_size(machine) == vnode_group_size(me));
          CHECK(vnode_group_free(&machine) == VNODE_OK);
          return 0;
        })) == "");
}
