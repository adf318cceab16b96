// Threads that end while they are nodes.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <doctest/doctest.h>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <pthread.h>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <vnode/vnode.hpp>

#include "joining.hpp"
#include "team/roster.hpp"

using namespace vnode_test;

TEST_CASE("a thread that ends without leaving ends the run of the others, and its node may be joined again") {
  vnode::Team team = joined_by(3);
  for (const bool by_exit : {false, true}) {
    std::vector<std::string> said(3);
    std::vector<std::unique_ptr<vnode::Membership>> kept(3);
    on_threads(3, [&](int i) {
      auto& mine = kept[static_cast<std::size_t>(i)];
      mine = std::make_unique<vnode::Membership>(team.join(i));
      (*mine)->barrier();
      if (i == 2) {
        if (by_exit) pthread_exit(nullptr);
        return;
      }
      said[static_cast<std::size_t>(i)] = said_by([&] {
        for (;;) (*mine)->barrier();
      });
      mine->leave();
    });
    CHECK(said[0] == "node 2's thread has ended without leaving");
    CHECK(said[1] == said[0]);
    CHECK(kept[2]->left());
    CHECK(still_works(team));
    kept[2]->leave();
  }
}

TEST_CASE("a membership that another thread destroys in vain is left at its own thread's end") {
  vnode::Team team = joined_by(2);
  std::unique_ptr<vnode::Membership> kept;
  std::string said;
  on_threads(2, [&](int i) {
    if (i == 1) {
      kept = std::make_unique<vnode::Membership>(team.join(i));
      (*kept)->barrier();
      std::thread([&] {
        // Not by reset(), through which no exception goes.
        said = said_by([&] { const vnode::Membership destroyed = std::move(*kept); });
      }).join();
      return;
    }
    vnode::Membership me = team.join(i);
    CHECK(said_by([&] {
            for (;;) me->barrier();
          }) == "node 1's thread has ended without leaving");
  });
  CHECK(said == "node 1 is left by another thread than its own");
  CHECK(still_works(team));
}

TEST_CASE("a thread that ends last without leaving ends its run") {
  vnode::Team team = joined_by(2);
  std::optional<vnode::Membership> kept;
  std::atomic<bool> left = false;
  on_threads(2, [&](int i) {
    if (i == 0) {
      vnode::Membership me = team.join(i);
      me->barrier();
      me.leave();
      left = true;
    } else {
      kept.emplace(team.join(i));
      (*kept)->barrier();
      while (!left) std::this_thread::yield();
    }
  });
  CHECK(still_works(team));
  CHECK(kept->left());
  CHECK_NOTHROW(team.report());
}

TEST_CASE("a thread of a team that ends within its part of a run ends that, and the next run has another") {
  for (const bool apart : {false, true}) {
    vnode::TeamOptions options = patient();
    options.apart = apart;
    vnode::Team team(3, vnode::shapes::full{}, options);
    for (const int ends : {1, 2, 2}) {
      std::atomic<int> aborted = 0;
      CHECK_THROWS_WITH_AS(
          team.run([&](vnode::Node& me) {
            if (me.rank() == ends) pthread_exit(nullptr);
            try {
              me.barrier();
            } catch (const vnode::Aborted&) {
              ++aborted;
              throw;
            }
          }),
          ("node " + std::to_string(ends) + "'s thread has ended within its part of the run").c_str(),
          vnode::Aborted);
      CHECK(aborted == 2);
      std::atomic<int> right = 0;
      team.run([&](vnode::Node& me) {
        if (works(me)) ++right;
      });
      CHECK(right == 3);
    }
  }
}

TEST_CASE("a thread that ends within a call ends the run of the others, whoever has made it") {
  const auto sum = [](vnode::Node& me) {
    std::vector<long> x(20000, 1);
    me.all_reduce(x, vnode::commutative{[&](long a, long b) {
                    if (me.rank() == 1) pthread_exit(nullptr);
                    return a + b;
                  }});
  };
  const std::string reason = "node 1's thread has ended within a call";
  vnode::Team own(2, vnode::shapes::full{}, patient());
  CHECK(sentence<vnode::Aborted>(own, sum) == reason);
  std::atomic<int> right = 0;
  own.run([&](vnode::Node& me) {
    if (works(me)) ++right;
  });
  CHECK(right == 2);

  vnode::Team joined = joined_by(2);
  std::string said;
  on_threads(2, [&](int i) {
    vnode::Membership me = joined.join(i);
    if (i == 1) sum(*me);
    said = said_by([&] { sum(*me); });
    me.leave();
  });
  CHECK(said == reason);
  CHECK(still_works(joined));
}

TEST_CASE("a thread that calls run() and ends within it does so when all nodes have returned") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  std::atomic<int> aborted = 0, bodies = 0;
  bool returned = false;
  std::thread([&] {
    struct Last {
      std::atomic<int>& bodies;
      bool& returned;
      ~Last() { returned = bodies == 0; }
    } last{bodies, returned};
    team.run([&](vnode::Node& me) {
      if (me.rank() == 0) pthread_exit(nullptr);
      ++bodies;
      try {
        me.barrier();
      } catch (const vnode::Aborted&) {
        ++aborted;
      }
      --bodies;
    });
  }).join();
  CHECK(returned);
  CHECK(aborted == 2);
  CHECK(sentence<vnode::Aborted>(team, [](vnode::Node&) {}) == "");
}

namespace {

/// Describes what is written to stderr while this lives.
class Caught {
 public:
  Caught() : file_(std::tmpfile()), before_(dup(2)) { dup2(fileno(file_), 2); }
  ~Caught() {
    restore();
    std::fclose(file_);
  }
  bool any() const {
    struct stat now {};
    return fstat(fileno(file_), &now) == 0 && now.st_size > 0;
  }
  std::string text() {
    restore();
    std::rewind(file_);
    std::string text(4096, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file_));
    return text;
  }

 private:
  void restore() {
    if (before_ < 0) return;
    dup2(before_, 2);
    close(before_);
    before_ = -1;
  }
  std::FILE* file_;
  int before_;
};

}  // namespace

TEST_CASE("who is missing for long is told on stderr once, and waited for on") {
  using namespace std::chrono_literals;
  vnode::TeamLife life(vnode::Threads::callers, 4);
  vnode::Roster roster(life, {0ns, 0ns}, 0, 4, 0ns, 20ms);
  std::string text;
  {
    Caught caught;
    on_threads(4, [&](int i) {
      while (i >= 2 && !caught.any()) std::this_thread::sleep_for(1ms);
      std::exception_ptr interrupt;
      roster.leave(roster.join(i, interrupt, [](vnode::Rank, bool) {}), [] {});
    });
    text = caught.text();
  }
  CHECK(text.find("s for all 4 nodes to join: nodes 2-3 are missing, and it waits on") != std::string::npos);
  CHECK(text.find("missing", text.find("missing") + 1) == std::string::npos);
  CHECK(text.find("OMP_THREAD_LIMIT") != std::string::npos);
}

TEST_CASE("those who wait for all to join learn that a thread has been refused, and why") {
  using namespace std::chrono_literals;
  vnode::TeamLife life(vnode::Threads::callers, 2);
  vnode::Roster roster(life, {0ns, 0ns}, 0, 2, 0ns, 20ms);
  std::string text;
  {
    Caught caught;
    on_threads(2, [&](int i) {
      std::exception_ptr interrupt;
      if (i == 1) {
        CHECK_THROWS_AS(roster.join(2, interrupt, [](vnode::Rank, bool) {}), vnode::UsageError);
        while (!caught.any()) std::this_thread::sleep_for(1ms);
      }
      roster.leave(roster.join(i, interrupt, [](vnode::Rank, bool) {}), [] {});
    });
    text = caught.text();
  }
  CHECK(text.find(
            "it waits on; a thread has been refused: join(2): there is no such node, ranks are 0 to 1\n") !=
        std::string::npos);
}

TEST_CASE("a thread that cannot begin a run does not enter, and one that cannot enter leaves no run behind") {
  using namespace std::chrono_literals;
  vnode::TeamLife life(vnode::Threads::callers, 1);
  vnode::Roster roster(life, {0ns, 0ns}, 0, 1, 0ns);
  std::exception_ptr interrupt;
  bool entered = false;
  const auto enter = [&](vnode::Rank, bool) { entered = true; };
  life.begin_run();
  CHECK_THROWS_AS(roster.join(0, interrupt, enter), vnode::UsageError);
  CHECK_FALSE(entered);
  life.end_run();
  CHECK_THROWS_AS(roster.join(0, interrupt, [](vnode::Rank, bool) { throw std::bad_alloc(); }),
                  std::bad_alloc);
  CHECK_FALSE(life.in_run());
  roster.leave(roster.join(0, interrupt, enter), [] {});
  CHECK(entered);
}
