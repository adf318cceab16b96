// The program's signals are the program's.
#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include <vnode/vnode.hpp>

#include "child_case.hpp"
#include "joining.hpp"

using namespace vnode_test;

namespace {

/// Describes what the process does at each signal, and which of them the calling thread blocks.
struct Signals {
  struct Action {
    void (*handler)(int) = nullptr;
    int flags = 0;
    std::vector<int> blocked;
    friend bool operator==(const Action&, const Action&) = default;
  };
  std::vector<Action> actions;
  std::vector<int> blocked;

  Signals() {
    for (int signal = 1; signal < NSIG; ++signal) {
      struct sigaction now {};
      Action& action = actions.emplace_back();
      if (sigaction(signal, nullptr, &now) != 0) continue;  // the C library's own
      action = {now.sa_handler, now.sa_flags, in(now.sa_mask)};
    }
    sigset_t own;
    pthread_sigmask(SIG_SETMASK, nullptr, &own);
    blocked = in(own);
  }
  friend bool operator==(const Signals&, const Signals&) = default;

 private:
  static std::vector<int> in(const sigset_t& set) {
    std::vector<int> list;
    for (int signal = 1; signal < NSIG; ++signal)
      if (sigismember(&set, signal) == 1) list.push_back(signal);
    return list;
  }
};

/// Runs that end well, by a deadlock, and by an exception. Whether all signals are in them as they were.
bool undisturbed(const Signals& before,
                 const std::function<void(const std::function<void(vnode::Node&)>&)>& run) {
  bool same = true;
  run([&](vnode::Node& me) {
    const bool right = works(me);
    if (me.rank() == 0) same = right && Signals() == before;
  });
  run([](vnode::Node& me) { (void)me.recv<int>((me.rank() + 1) % me.size()); });
  run([](vnode::Node& me) {
    if (me.rank() == 1) throw std::runtime_error("an end");
    me.barrier();
  });
  return same && Signals() == before;
}

}  // namespace

TEST_CASE("teams beside signals" * doctest::skip()) {
  REQUIRE(std::getenv("VNODE_STATS") != nullptr);
  std::signal(SIGUSR1, [](int) {});  // the program has a handler, and ignores another signal
  std::signal(SIGUSR2, SIG_IGN);
  const Signals before;
  {
    vnode::TeamOptions options = patient();
    options.deadlocks = true;
    vnode::Team team(3, vnode::shapes::full{}, options);
    CHECK(Signals() == before);
    int deadlocks = 0;
    CHECK(undisturbed(before, [&](const std::function<void(vnode::Node&)>& body) {
      try {
        team.run(body);
      } catch (const vnode::Deadlock&) {
        ++deadlocks;
      } catch (const std::runtime_error&) {
      }
    }));
    CHECK(deadlocks == 1);
  }
  CHECK(Signals() == before);
  {
    vnode::Team team = joined_by(3);
    CHECK(undisturbed(before, [&](const std::function<void(vnode::Node&)>& body) {
      on_threads(3, [&](int rank) { said_by([&] { body(*team.join(rank)); }); });
    }));
  }
  CHECK(Signals() == before);
}

TEST_CASE("teams, their ends and their statistics leave the program's signals alone") {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("vnode_signals_test_" + std::to_string(getpid()))).string();
  check_case_passes("VNODE_STATS=" + file + " VNODE_DEADLOCKS=on", "teams beside signals");
  CHECK(std::filesystem::remove(file));
}
