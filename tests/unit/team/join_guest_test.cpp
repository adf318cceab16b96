// Tests what threads that join a team are left with: their affinity, and nothing else; and children of
// fork().
#include <cstddef>
#include <cstdlib>
#include <doctest/doctest.h>
#include <latch>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/vnode.hpp>

#include "base/doorbell.hpp"
#include "child_case.hpp"
#include "joining.hpp"
#include "machine/binding.hpp"

using namespace vnode_test;

namespace {

std::vector<int> pu_of_each(const vnode::Machine& machine, int nodes) {
  const std::vector<int> allowed = machine.allowed_pus();
  std::vector<int> pus;
  for (int i = 0; i < nodes; ++i) pus.push_back(allowed[static_cast<std::size_t>(i) % allowed.size()]);
  return pus;
}

}  // namespace

TEST_CASE("threads that join stay where they may run, and the report tells where they were") {
  vnode::Team team = joined_by(2);
  on_threads(2, [&](int i) {
    const std::vector<int> before = vnode::thread_affinity();
    vnode::Membership me = team.join(i);
    CHECK(vnode::thread_affinity() == before);
    CHECK(works(*me));
  });
  // No PU was asked for, one was got.
  const std::string report = team.report();
  const std::size_t row = report.find("\n     1      -");
  REQUIRE(row != std::string::npos);
  CHECK(report.substr(row + 15, 6) != "     -");
}

TEST_CASE("threads that join are pinned if that is asked for, until they leave, in whatever way") {
  const vnode::Machine machine = vnode::Machine::discover();
  vnode::TeamOptions options = callers();
  options.pin = true;
  options.pus = pu_of_each(machine, 2);
  const auto os_index = [&](int i) {
    return machine.pus[static_cast<std::size_t>(options.pus[static_cast<std::size_t>(i)])].os_index;
  };
  const auto check_pinned = [&](vnode::Team& team) {
    on_threads(2, [&](int i) {
      const std::vector<int> before = vnode::thread_affinity();
      for (const bool fails : {false, true, false}) {
        try {
          vnode::Membership me = team.join(i);
          CHECK(vnode::thread_affinity() == std::vector{os_index(i)});
          CHECK(works(*me));
          if (fails) throw std::runtime_error("leaves");
        } catch (const std::runtime_error&) {
        }
        CHECK(vnode::thread_affinity() == before);
      }
      // Pins end in any order.
      vnode::Membership me = team.join(i);
      std::optional<vnode::Unpinned> free(std::in_place);
      CHECK(vnode::thread_affinity() == before);
      me.leave();
      CHECK(vnode::thread_affinity() == before);
      free.reset();
      CHECK(vnode::thread_affinity() == before);
    });
  };
  vnode::Team team{2, options};
  check_pinned(team);
  CHECK(says(team, "pinning: each node to one PU\n"));
  // By the environment too.
  options.pin.reset();
  const Variable on("VNODE_PIN", "on");
  vnode::Team by_environment{2, options};
  check_pinned(by_environment);
}

TEST_CASE("forks while joined" * doctest::skip()) {
  vnode::Team team = joined_by(2);
  const pid_t parent = getpid();
  on_threads(2, [&](int i) {
    vnode::Membership me = team.join(i);
    int code = 0;
    // From now on the other node allocates nothing: a child of a process of AddressSanitizer finds its
    // allocator as it was, locked by a thread that it has not got.
    CHECK(me->all_reduce(code, std::plus<>{}) == 0);
    if (i == 0) {
      const auto parents = [](const std::function<void()>& use) {
        return said_by(use).starts_with("this team is of the process that has made it");
      };
      const pid_t child = fork();
      if (child == 0) {
        int wrong = 0;
        if (!parents([&] { me->barrier(); })) wrong |= 1;
        if (!parents([&] { (void)team.join(0); })) wrong |= 2;
        { const vnode::Membership ends = std::move(me); }
        // A team of the child's.
        if (!still_works(*std::make_unique<vnode::Team>(joined_by(1)))) wrong |= 4;
        _exit(wrong);
      }
      int status = 0;
      waitpid(child, &status, 0);
      code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    CHECK(getpid() == parent);
    CHECK(me->all_reduce(code, std::plus<>{}) == 0);
  });
  CHECK(still_works(team));
}

TEST_CASE(
    "a thread that is joined may fork: the child makes teams of its own, and the parent's run goes on") {
  // Neither lets a child of fork() start threads.
  if (!emulator().empty() || vnode::sanitized_threads) return;
  const ChildEnd end =
      run_case("ASAN_OPTIONS=\"$ASAN_OPTIONS:detect_leaks=0\" timeout 60", "forks while joined");
  CAPTURE(end.output);
  CHECK(end.status == 0);
}

TEST_CASE("ends while threads are joined" * doctest::skip()) {
  static vnode::Team team = joined_by(2);
  on_threads(2, [&](int i) {
    vnode::Membership me = team.join(i);
    me->barrier();
    if (i == 1) std::exit(43);
    for (;;) me->barrier();
  });
}

TEST_CASE("a thread that is joined may end the process with its code") {
  const ChildEnd end = run_case("timeout 60", "ends while threads are joined");
  CAPTURE(end.output);
  CHECK((WIFEXITED(end.status) && WEXITSTATUS(end.status) == 43));
}
