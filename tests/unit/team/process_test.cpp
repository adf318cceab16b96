// Tests teams and the end of the process, and processes that fork. Each attempt is a process of its own: it
// may hang or crash.
#include <cstdlib>
#include <doctest/doctest.h>
#include <latch>
#include <memory>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <vnode/vnode.hpp>

#include "base/doorbell.hpp"
#include "child_case.hpp"
#include "sentence.hpp"

using namespace vnode_test;

namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Returns the code that the case ends with, in a process of its own that `setting` is said to; what it has
/// printed instead, if it fails or does not end by itself.
std::string end_of(const std::string& setting, const std::string& name) {
  const ChildEnd end = run_case(setting + " timeout 60", name);
  return WIFEXITED(end.status) && WEXITSTATUS(end.status) != 1 && WEXITSTATUS(end.status) < 124
             ? std::to_string(WEXITSTATUS(end.status))
             : end.output;
}

/// Returns how a child of this process ended that runs `body`: its code, or what killed it, negative.
template <class Body>
int code_of_child(const Body& body) {
  const pid_t child = fork();
  if (child == 0) body();
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// Returns whether it is refused because the team is the parent's.
template <class Use>
bool is_parents(const Use& use) {
  try {
    use();
  } catch (const vnode::UsageError& error) {
    return std::string_view(error.what()) ==
           "this team is of the process that has made it: a child of fork() makes teams of its own";
  }
  return false;
}

/// Returns whether a team can be made here, and works. A process with threads that forks has none with
/// ThreadSanitizer.
bool new_team_works() {
  if (vnode::sanitized_threads) return true;
  vnode::Team team(2, vnode::shapes::full{}, patient());
  int sum = 0;
  team.run([&](vnode::Node& me) {
    int x[1] = {me.rank() + 1};
    me.all_reduce(x, std::plus<>{});
    if (me.rank() == 0) sum = x[0];
  });
  return sum == 3;
}

/// QEMU's user mode ends where a child of a process with threads starts some.
bool threads_after_fork() {
  if (under_emulation()) MESSAGE("what starts this program here lets no child of fork() start threads");
  return !under_emulation();
}

}  // namespace

TEST_CASE("ends within a run of a static team" * doctest::skip()) {
  static vnode::Team team(3, vnode::shapes::full{}, patient());
  const std::string_view who = variable("WHO");
  std::thread beside;
  team.run([&](vnode::Node& me) {
    me.barrier();
    if (who == "beside" && me.rank() == 0) beside = std::thread([] { std::exit(43); });
    if (who == "quick" && me.rank() == 1) std::quick_exit(43);
    if (who == std::to_string(me.rank())) std::exit(43);
    for (;;) me.barrier();
  });
}

TEST_CASE("a node, or a thread beside the run, may end the process with its code") {
  for (const char* who : {"0", "2", "beside", "quick"})
    CHECK(end_of("WHO=" + std::string(who), "ends within a run of a static team") == "43");
}

TEST_CASE("a static team between its runs ends with the process" * doctest::skip()) {
  static vnode::Team team(3, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) { me.barrier(); });
  std::exit(44);
}

TEST_CASE("a process ends with its code beside a static team between runs") {
  CHECK(end_of("", "a static team between its runs ends with the process") == "44");
}

/// In a child of fork() what the parent's other threads own is reached by nobody: it is no leak of the
/// child's.
const std::string no_leaks = "ASAN_OPTIONS=\"$ASAN_OPTIONS:detect_leaks=0\"";

TEST_CASE("has the smallest stacks by default" * doctest::skip()) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, static_cast<std::size_t>(PTHREAD_STACK_MIN)) == 0);
  REQUIRE(pthread_setattr_default_np(&attributes) == 0);
  vnode::Team team(3, patient());
  team.run([](vnode::Node& me) {
    volatile char much[64 << 10] = {};
    much[0] = 1;
    int sum = much[0];
    sum = me.all_reduce(sum, std::plus<>{});
    CHECK(sum == 3);
  });
}

TEST_CASE("nodes have a stack to compute on, however small the system's default is") {
  check_case_passes("timeout 60", "has the smallest stacks by default");
}

TEST_CASE("makes a team on the smallest stacks" * doctest::skip()) {
  rlimit limit{};
  REQUIRE(getrlimit(RLIMIT_STACK, &limit) == 0);
  const rlim_t usual = std::exchange(limit.rlim_cur, rlim_t{48} << 10);
  REQUIRE(setrlimit(RLIMIT_STACK, &limit) == 0);
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, std::size_t{48} << 10) == 0);
  std::string said;
  pthread_t thread{};
  const auto make = [](void* to) -> void* {
    try {
      const vnode::Team team(2);
    } catch (const vnode::SystemError& error) {
      *static_cast<std::string*>(to) = error.what();
    }
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, make, &said) == 0);
  pthread_join(thread, nullptr);
  limit.rlim_cur = usual;
  REQUIRE(setrlimit(RLIMIT_STACK, &limit) == 0);
  CHECK(said ==
        "a stack of 48 KiB is too small for a team: its caller needs 64 (ulimit -s 64, or a thread that is "
        "started with more)");
}

TEST_CASE("who makes a team on a stack that is too small is told so") {
  if (vnode::sanitized_threads) return;  // the sanitizer gives threads larger stacks than they ask for
  check_case_passes("timeout 60", "makes a team on the smallest stacks");
}

TEST_CASE("forks beside its teams" * doctest::skip()) {
  static vnode::Team at_exit(2, vnode::shapes::full{}, patient());
  auto team = std::make_unique<vnode::Team>(2, vnode::shapes::full{}, patient());
  std::vector<int> x(100);
  vnode::Group group;
  vnode::Persistent planned;
  const auto use = [&](vnode::Node& me) {
    me.barrier();
    if (me.rank() != 0) return;
    group = me;
    planned = me.persistent().broadcast(x);
  };
  team->run(use);
  at_exit.run([](vnode::Node& me) { me.barrier(); });
  CHECK(code_of_child([&] {
          int wrong = 0;
          if (!is_parents([&] { team->run([](vnode::Node&) {}); })) wrong |= 1;
          if (!is_parents([&] { team->report(); }) || !is_parents([&] { team->costs(); })) wrong |= 2;
          if (!is_parents([&] { group.barrier(); }) || !is_parents([&] { planned.start(); })) wrong |= 4;
          if (!new_team_works()) wrong |= 8;
          team.reset();
          if (!is_parents([&] { group.barrier(); })) wrong |= 16;
          if (!new_team_works()) wrong |= 32;
          std::exit(wrong);
        }) == 0);
  team->run(use);
  at_exit.run([](vnode::Node& me) { me.barrier(); });
}

TEST_CASE(
    "in a child of fork() the parent's team says whose it is and goes without harm, and new teams work") {
  if (!threads_after_fork()) return;
  CHECK(end_of(no_leaks, "forks beside its teams") == "0");
}

TEST_CASE("forks within a run" * doctest::skip()) {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  for (const int forker : {0, 1}) {
    std::latch has_forked(1);
    team.run([&](vnode::Node& me) {
      std::vector<int> x(1000, 1);
      if (me.rank() != forker) has_forked.wait();  // until then the forker's sum cannot be complete
      vnode::Request sum = me.nonblocking().all_reduce(x, std::plus<>{});
      if (me.rank() == forker) {
        const auto refused = [&] {
          return is_parents([&] { me.barrier(); }) && is_parents([&] { sum.wait(); }) &&
                 is_parents([&] { team.run([](vnode::Node&) {}); });
        };
        CHECK(code_of_child([&] { _exit(refused() ? 5 : 1); }) == 5);
        CHECK(code_of_child([&] { std::exit(refused() && new_team_works() ? 6 : 1); }) == 6);
        has_forked.count_down();
      }
      sum.wait();
      CHECK(x == std::vector<int>(1000, 3));
    });
  }
  // A child that comes back from the body of node 0 is told so by run().
  int code = 0;
  const pid_t parent = getpid();
  try {
    team.run([&](vnode::Node& me) {
      if (me.rank() == 0) {
        const pid_t child = fork();
        if (child == 0) return;
        int status = 0;
        waitpid(child, &status, 0);
        code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      }
      me.barrier();
    });
  } catch (const vnode::UsageError& error) {
    if (getpid() != parent)
      _exit(std::string_view(error.what()).starts_with("a child of fork() has come to the end of a run") ? 7
                                                                                                         : 1);
  }
  CHECK(code == 7);
}

TEST_CASE("a node may fork: the child leaves by exit() or _exit(), and the parent's run goes on") {
  if (!threads_after_fork()) return;
  CHECK(end_of(no_leaks, "forks within a run") == "0");
}
