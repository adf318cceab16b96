// Tests what becomes of threads that have joined when one of them fails, or leaves too early.
#include <atomic>
#include <doctest/doctest.h>
#include <functional>
#include <latch>
#include <stdexcept>
#include <string>
#include <vector>

#include <vnode/vnode.hpp>

#include "joining.hpp"

using namespace vnode_test;

TEST_CASE("an exception that leaves a membership ends the run: others leave their calls by Aborted") {
  vnode::Team team = joined_by(3);
  for (int time = 0; time < 3; ++time) {
    std::atomic<int> own = 0, aborted = 0;
    on_threads(3, [&](int i) {
      try {
        vnode::Membership me = team.join(i);
        if (i == time) throw std::runtime_error("no input");
        for (;;) me->barrier();
      } catch (const vnode::Aborted& end) {
        if (std::string(end.what()) == "an exception has left node " + std::to_string(time)) ++aborted;
      } catch (const std::runtime_error& error) {
        if (std::string(error.what()) == "no input") ++own;
      }
      // At once, by the same thread.
      vnode::Membership me = team.join(i);
      CHECK(works(*me));
    });
    CHECK(own == 1);
    CHECK(aborted == 2);
  }
  CHECK(still_works(team));
}

TEST_CASE("whom a failure of another node ends is told which node it was, and why") {
  for (const vnode::Threads threads : {vnode::Threads::own, vnode::Threads::callers}) {
    vnode::TeamOptions options = callers();
    options.threads = threads;
    vnode::Team team{3, options};
    std::vector<std::string> said(3);
    const auto fails = [&](vnode::Node& me, const std::function<void()>& failure) {
      try {
        if (me.rank() == 2) failure();
        for (;;) me.barrier();
      } catch (const vnode::Aborted& end) {
        said[static_cast<std::size_t>(me.rank())] = end.what();
        throw;
      }
    };
    const auto told = [&](const std::function<void()>& failure) {
      if (threads == vnode::Threads::own) {
        try {
          team.run([&](vnode::Node& me) { fails(me, failure); });
        } catch (...) {
        }
      } else {
        on_threads(3, [&](int i) {
          try {
            vnode::Membership me = team.join(i);
            fails(*me, failure);
          } catch (...) {
          }
        });
      }
      CHECK(said[0] == said[1]);
      return said[0];
    };
    if (threads == vnode::Threads::own) {
      // Nobody but run() sees what leaves a body.
      CHECK(told([] { throw std::runtime_error("no input\nin three files"); }) ==
            "node 2 has failed: no input");
      CHECK(told([] { throw 5; }) == "node 2 has failed by an exception that is not a std::exception");
    } else {
      CHECK(told([] { throw std::runtime_error("no input"); }) == "an exception has left node 2");
    }
  }
}

TEST_CASE("a call that fails tells the other nodes why") {
  vnode::Team team = joined_by(2);
  std::vector<std::string> said(2);
  on_threads(2, [&](int i) {
    said[static_cast<std::size_t>(i)] = said_by([&] {
      vnode::Membership me = team.join(i);
      std::vector<int> x(static_cast<std::size_t>(i + 1));
      if (i == 0) me->send(std::vector<int>(10, 1), 1);
      if (i == 1) me->recv(x, 0);
      me->barrier();
    });
  });
  CHECK(said[1].find("10") != std::string::npos);
  CHECK(said[0] == "node 1 has failed: " + said[1]);
  CHECK(still_works(team));
}

TEST_CASE("an exception that is thrown and caught within a membership ends nothing, nor does one around it") {
  vnode::Team team = joined_by(2);
  struct JoinsWhenItEnds {
    vnode::Team& team;
    int rank;
    ~JoinsWhenItEnds() {
      vnode::Membership me = team.join(rank);
      CHECK(works(*me));
    }
  };
  on_threads(2, [&](int i) {
    vnode::Membership me = team.join(i);
    try {
      throw std::runtime_error("no harm");
    } catch (const std::runtime_error&) {
    }
    CHECK(works(*me));
    me.leave();
    try {
      const JoinsWhenItEnds joins{team, i};
      throw std::runtime_error("unwinds a thread that joins");
    } catch (const std::runtime_error&) {
    }
  });
}

TEST_CASE("a call that fails in one thread is told there, and the team can be joined again") {
  vnode::Team team = joined_by(2);
  std::vector<std::string> said(2);
  on_threads(2, [&](int i) {
    said[static_cast<std::size_t>(i)] = said_by([&] {
      vnode::Membership me = team.join(i);
      int x[2] = {};
      if (i == 0)
        me->recv(x, 1);
      else
        me->send(std::vector<int>(5), 0);
    });
  });
  CHECK(said[0].find("5 elements") != std::string::npos);
  CHECK(still_works(team));
}

TEST_CASE("what the end of a run finds is told to the thread that leaves last") {
  vnode::Team team = joined_by(2);
  std::latch has_left(1);
  std::vector<std::string> said(2);
  on_threads(2, [&](int i) {
    said[static_cast<std::size_t>(i)] = said_by([&] {
      {
        vnode::Membership me = team.join(i);
        if (i == 0) me->send(7, 1);
        if (i == 1) has_left.wait();
      }
    });
    if (i == 0) has_left.count_down();
  });
  CHECK(said[0] == "");
  CHECK(said[1].find("node 0") != std::string::npos);
  CHECK(still_works(team));
}

TEST_CASE("a thread that leaves while a request is alive is told, and no node looks at its data any more") {
  vnode::Team team = joined_by(2);
  std::vector<std::string> said(2);
  on_threads(2, [&](int i) {
    std::vector<int> x(5000, i);
    vnode::Request sum;
    said[static_cast<std::size_t>(i)] = said_by([&] {
      vnode::Membership me = team.join(i);
      if (i == 0) sum = me->nonblocking().all_reduce(x, std::plus<>{});
      if (i == 1) me->recv(x, 0);  // never sent: until the run ends
    });
    if (i == 0) {
      // The others may be in the run still.
      const std::string text = said_by([&] { sum.wait(); });
      const bool told = text == "the run has ended before this call was complete" ||
                        text.starts_with("this call was in flight when its run ended, and is lost");
      CHECK(told);
    }
  });
  CHECK(said[0] == "node 0 has left the run with a request that was not waited for");
  CHECK(said[1].starts_with("node 0 has "));  // failed, or given up its call
  CHECK(still_works(team));
}

TEST_CASE(
    "threads that wait for others longer than the time limit are told who is missing, and may try again") {
  vnode::TeamOptions options = callers();
  options.time_limit = std::chrono::milliseconds(500);
  vnode::Team team{5, options};
  std::vector<std::string> said(2);
  on_threads(
      2, [&](int i) { said[static_cast<std::size_t>(i)] = said_by([&] { (void)team.join(2 * i + 1); }); });
  CHECK(said[0] == said[1]);
  CHECK((said[0].starts_with("node 1 has") || said[0].starts_with("node 3 has")));
  CHECK(
      said[0].ends_with(" has waited longer than the time limit of 500 ms for all 5 nodes to join: nodes "
                        "0,2,4 are missing"));
  CHECK(said_by([&] { (void)team.join(0); }) ==
        "node 0 has waited longer than the time limit of 500 ms for all 5 nodes to join: nodes 1-4 are "
        "missing");
  CHECK(team.report().find("nodes: 5") == 0);
}

TEST_CASE("a thread that waits for the run before longer than the time limit is told who has not left") {
  vnode::TeamOptions options = callers();
  options.time_limit = std::chrono::milliseconds(2000);
  vnode::Team team{2, options};
  std::latch told(1);
  on_threads(2, [&](int i) {
    {
      vnode::Membership me = team.join(i);
      if (i == 1) told.wait();
    }
    if (i == 1) return;
    CHECK(said_by([&] { (void)team.join(); }) ==
          "join() has waited longer than the time limit of 2000 ms for the run before to end: node 1 is "
          "joined");
    told.count_down();
  });
}
