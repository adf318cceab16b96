// Tests joining out of place, and nodes that are used by others than their thread.
#include <atomic>
#include <doctest/doctest.h>
#include <functional>
#include <latch>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <vnode/model/trace.hpp>
#include <vnode/vnode.hpp>

#include "joining.hpp"

using namespace vnode_test;

TEST_CASE("a node that is used by another thread than its own says so") {
  constexpr const char* by_another =
      "node 1 is used by another thread than its own: nodes, groups and calls are used by the thread that is "
      "the node";
  const auto uses = [&](vnode::Node& me) {
    std::vector<int> x(10);
    vnode::Persistent planned = me.persistent().broadcast(x);
    vnode::Group half = me.split(0);
    if (me.rank() == 1)
      std::thread([&] {
        CHECK(said_by([&] { me.barrier(); }) == by_another);
        CHECK(said_by([&] { half.broadcast(x); }) == by_another);
        CHECK(said_by([&] { (void)me.nonblocking(); }) == by_another);
        CHECK(said_by([&] { (void)me.irecv(x, 0); }) == by_another);
        CHECK(said_by([&] { planned.start(); }) == by_another);
      }).join();
    CHECK(works(me));
  };
  vnode::Team team = joined_by(2);
  on_threads(2, [&](int i) { uses(*team.join(i)); });
  vnode::Team running{2, patient()};
  running.run(uses);
}

TEST_CASE("a request that another thread waits for says so") {
  vnode::Team team = joined_by(2);
  on_threads(2, [&](int i) {
    vnode::Membership me = team.join(i);
    int x = 0;
    vnode::Request coming;
    if (i == 0) {
      coming = me->irecv(x, 1);
      std::thread([&] {
        CHECK(said_by([&] { coming.test(); }).starts_with("node 0 is used by another thread"));
      }).join();
    }
    me->barrier();
    if (i == 1) me->send(5, 0);
    coming.wait();
    CHECK(x == (i == 0 ? 5 : 0));
  });
}

TEST_CASE("a membership is left by its own thread, and its node is not used afterwards") {
  vnode::Team team = joined_by(2);
  on_threads(2, [&](int i) {
    vnode::Membership me = team.join(i);
    std::thread([&] {
      CHECK(said_by([&] { me.leave(); }) ==
            "node " + std::to_string(i) + " is left by another thread than its own");
    }).join();
    CHECK(works(*me));
    vnode::Node& node = *me;
    me.leave();
    CHECK(
        said_by([&] { node.barrier(); }) ==
        "node " + std::to_string(i) +
            " is used while no thread is joined as it: nodes, groups and calls are used by threads that have "
            "joined, until they leave");
    CHECK(said_by([&] { me->barrier(); }) == said_by([&] { node.barrier(); }));
    CHECK(node.size() == 2);
  });
}

TEST_CASE("joining out of place says what is wrong, and disturbs nobody") {
  vnode::Team team = joined_by(2);
  CHECK(said_by([&] { (void)team.join(2); }) == "join(2): there is no such node, ranks are 0 to 1");
  CHECK(said_by([&] { (void)team.join(-1); }) == "join(-1): there is no such node, ranks are 0 to 1");
  CHECK(said_by([&] { team.run([](vnode::Node&) {}); }) ==
        "run() of a team of callers, which has no threads: threads of the program join() it; a team made "
        "with Threads::own can run()");
  vnode::Team running{2, patient()};
  constexpr const char* has_threads =
      "join() of a team that has threads of its own: it can run(); a team made with Threads::callers can be "
      "joined";
  CHECK(said_by([&] { (void)running.join(0); }) == has_threads);
  running.run([&](vnode::Node&) { CHECK(said_by([&] { (void)running.join(); }) == has_threads); });
  std::latch looked(1);
  on_threads(2, [&](int i) {
    vnode::Membership me = team.join(i);
    if (i == 0) {
      const std::string already = "join() by a thread that is node 0 of this team already: it leaves first";
      CHECK(said_by([&] { (void)team.join(0); }) == already);
      CHECK(said_by([&] { (void)team.join(1); }) == already);
      CHECK(said_by([&] { (void)team.join(); }) == already);
      std::thread([&] {
        CHECK(said_by([&] { (void)team.join(1); }) ==
              "join(1): another thread has joined as node 1, and has not left");
        CHECK(said_by([&] { (void)team.join(); }) ==
              "join() by one thread too many: each of the 2 nodes has its thread");
      }).join();
      for (const auto& [name, use] : std::vector<std::pair<std::string, std::function<void()>>>{
               {"trace()", [&] { team.trace(10); }},
               {"take_trace()", [&] { team.take_trace(); }},
               {"costs()", [&] { team.costs(); }},
               {"memory()", [&] { team.memory(); }},
               {"report()", [&] { team.report(); }}})
        CHECK(said_by(use) ==
              name + " while threads are joined: call it before the first joins or after the last has left");
      looked.count_down();
    }
    looked.wait();
    CHECK(works(*me));
  });
}

TEST_CASE("the same rank asked for twice is refused while threads gather, too") {
  vnode::Team team = joined_by(3);
  std::thread first([&] { CHECK(works(*team.join(1))); });
  // Whichever comes second is refused, and comes back as another node.
  std::atomic<int> refused = 0;
  on_threads(2, [&](int) {
    for (;;) {
      std::optional<vnode::Membership> me;
      const std::string text = said_by([&] { me.emplace(team.join(refused == 0 ? 0 : 2)); });
      if (me) {
        CHECK(works(**me));
        return;
      }
      REQUIRE(text == "join(0): another thread has joined as node 0, and has not left");
      refused = 1;
    }
  });
  first.join();
  CHECK(refused == 1);
}

TEST_CASE("options that are about the caller of run() are refused for a team of callers") {
  vnode::TeamOptions options = callers();
  options.apart = true;
  CHECK(said_by([&] { vnode::Team(2, options); }) ==
        "TeamOptions::apart is about the thread that calls run(): a team of callers has none, its threads "
        "join()");
  options.apart = false;
  options.keep_caller_pinned = true;
  CHECK(said_by([&] {
          vnode::Team(2, options);
        }).starts_with("TeamOptions::keep_caller_pinned is about the thread that calls run()"));
}
