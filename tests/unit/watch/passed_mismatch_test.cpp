// Calls that do not match and let nodes pass: what they leave behind lies on boards, or nowhere.
#include <doctest/doctest.h>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>

#include "brief.hpp"
#include "sentence.hpp"

using vnode_test::brief;
using vnode_test::patient;

namespace {

using Body = std::function<void(vnode::Node&)>;

/// Returns the Mismatch that a run ends with. Whatever it is, the next run uses every slot of all boards and
/// is right.
std::string passed_mismatch(vnode::Team& team, const Body& body) {
  std::string text = vnode_test::sentence<vnode::Mismatch>(team, body);
  team.run([](vnode::Node& me) {
    for (int i = 0; i < 8; ++i)
      for (int root = 0; root < me.size(); ++root) {
        int x[1] = {me.rank()};
        me.broadcast(x, root);
        REQUIRE(x[0] == root);
      }
  });
  return text;
}
std::string passed_mismatch(int nodes, const Body& body) {
  vnode::Team team(nodes, vnode::shapes::full{}, patient());
  return passed_mismatch(team, body);
}

void check_names(const std::string& text, const std::vector<std::string>& parts) {
  CAPTURE(text);
  for (const std::string& part : parts) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

/// The last node takes itself for the root, the others node 0.
int believed(const vnode::Group& group) { return group.rank() == group.size() - 1 ? group.rank() : 0; }

std::vector<std::string> both_roots(int nodes) {
  return {"the nodes' calls do not match", "root 0", "root " + std::to_string(nodes - 1)};
}

}

TEST_CASE("another root is named in the run in which it is passed, in all forms and groups") {
  for (int nodes = 3; nodes <= 8; ++nodes) {
    vnode::Team team(nodes, vnode::shapes::full{}, patient());
    for (const std::size_t count : {1u, 4u, 30u, 3000u}) {
      CAPTURE(nodes);
      CAPTURE(count);
      const auto names = [&](const Body& body) {
        check_names(passed_mismatch(team, body), both_roots(nodes));
      };
      names([&](vnode::Node& me) {
        std::vector<double> x(count);
        me.broadcast(x, believed(me));
      });
      names([&](vnode::Node& me) {
        std::vector<double> x(count);
        me.nonblocking().broadcast(x, believed(me)).wait();
      });
      names([&](vnode::Node& me) {
        std::vector<double> x(count);
        vnode::Persistent call = me.persistent().broadcast(x, believed(me));
        call.start();
        call.wait();
      });
      names([&](vnode::Node& me) {
        std::vector<double> x(count);
        vnode::Group all = me.split(0);
        all.broadcast(x, believed(all));
      });
    }
  }
}

TEST_CASE("another root of any collective that has one is named") {
  for (const int nodes : {3, 5}) {
    vnode::Team team(nodes, vnode::shapes::full{}, patient());
    for (const std::size_t count : {1u, 3000u}) {
      const auto p = static_cast<std::size_t>(nodes);
      const auto names = [&](const Body& body) {
        check_names(passed_mismatch(team, body), both_roots(nodes));
      };
      names([&](vnode::Node& me) {
        std::vector<double> x(count);
        me.reduce(x, std::plus<>{}, believed(me));
      });
      names([&](vnode::Node& me) {
        std::vector<double> x(count), all(count * p);
        me.gather(x, all, believed(me));
      });
      names([&](vnode::Node& me) {
        std::vector<double> x(count), all(count * p);
        me.scatter(all, x, believed(me));
      });
      names([&](vnode::Node& me) {
        std::vector<double> x(count), all(count * p);
        me.gather_v(x, all, {std::vector<std::size_t>(p, count)}, believed(me));
      });
      names([&](vnode::Node& me) {
        std::vector<double> x(count), all(count * p);
        me.scatter_v(all, {std::vector<std::size_t>(p, count)}, x, believed(me));
      });
    }
  }
}

TEST_CASE(
    "who waits in a later call is told of the earlier one that did not match, with and without a time "
    "limit") {
  for (const bool with_limit : {false, true}) {
    vnode::TeamOptions options = patient();
    if (!with_limit) options.time_limit = {};
    vnode::Team team(4, vnode::shapes::full{}, options);
    check_names(passed_mismatch(team,
                                [](vnode::Node& me) {
                                  int x[1] = {};
                                  me.broadcast(x, believed(me));
                                  for (int i = 0; i < 20; ++i) me.broadcast(x, 0);
                                  me.all_reduce(x, std::plus<>{});
                                }),
                {"call 1 ", "broadcast of 1 x int, root 0", "broadcast of 1 x int, root 3"});
  }
}

// Whether the journals have forgotten the calls depends on when a node waits long enough to look. What node 0
// has shown passes for read once the others have read something later.
TEST_CASE("calls that did not match are named, also when the journals have forgotten them") {
  for (const bool later : {false, true})
    check_names(
        passed_mismatch(4,
                        [&](vnode::Node& me) {
                          int x[1] = {};
                          me.broadcast(x, believed(me));
                          for (int i = 0; i < 200; ++i) me.barrier();
                          for (int i = 0; later && i < 20; ++i) me.broadcast(x, 0);
                        }),
        later ? std::vector<std::string>{"the nodes' calls do not match", "broadcast of 1 x int, root 3"}
              : std::vector<std::string>{"the nodes' calls do not match",
                                         "call 1 of node 0 is broadcast of 1 x int, root 0",
                                         "broadcast of 1 x int, root 3"});
}

TEST_CASE("what a group's board still shows when the group ends is named at the end of the run") {
  for (const bool kept : {false, true}) {
    std::vector<vnode::Group> groups(6);
    const std::string text = passed_mismatch(6, [&](vnode::Node& me) {
      vnode::Group half = me.split(me.rank() % 2);
      int x[1] = {};
      half.broadcast(x, me.rank() == 5 ? 2 : 0);
      if (kept) groups[static_cast<std::size_t>(me.rank())] = half;
      half = vnode::Group();
      me.barrier();
    });
    // Of nodes 1 and 3, which believe the same, the one that is met first is named.
    check_names(text, {"call 1 of node", "broadcast of 1 x int, root 0", "node 5", "root 2"});
  }
}

TEST_CASE("a call of a group that one member leaves out, or makes once more, is named") {
  for (const int extra : {-1, 1})
    check_names(passed_mismatch(4,
                                [&](vnode::Node& me) {
                                  vnode::Group all = me.split(0);
                                  int x[1] = {};
                                  for (int i = 0; i < 2 + (me.rank() == 0 ? extra : 0); ++i)
                                    all.broadcast(x, 0);
                                }),
                {"has left the run without", "broadcast of 1 x int, root 0"});
}

TEST_CASE(
    "other counts, types, operators, algorithms and orders of calls are named, whichever nodes differ") {
  for (const int nodes : {3, 4, 8}) {
    vnode::Team team(nodes, vnode::shapes::full{}, patient());
    for (const std::size_t count : {1u, 40u, 4000u})
      for (const int odd : {0, 1, nodes - 1}) {
        CAPTURE(nodes);
        CAPTURE(count);
        CAPTURE(odd);
        const auto names = [&](const Body& body) {
          check_names(passed_mismatch(team, body), {"the nodes' calls do not match: call "});
        };
        names([&](vnode::Node& me) {
          std::vector<int> x(me.rank() == odd ? count + 1 : count);
          me.broadcast(x, 1);
        });
        names([&](vnode::Node& me) {
          std::vector<int> x(count);
          std::vector<unsigned> y(count);
          me.rank() == odd ? me.all_reduce(x, std::plus<>{}) : me.all_reduce(y, std::plus<>{});
        });
        names([&](vnode::Node& me) {
          std::vector<int> x(count);
          me.rank() == odd ? me.reduce(x, std::plus<>{}, 1) : me.reduce(x, vnode::maximum{}, 1);
        });
        names([&](vnode::Node& me) {
          std::vector<int> x(count);
          me.broadcast(x, 1, {me.rank() == odd ? "broadcast_direct" : "broadcast_binomial"});
        });
        names([&](vnode::Node& me) {
          std::vector<int> x(count);
          if (me.rank() == odd) me.barrier();
          me.broadcast(x, 1);
          if (me.rank() != odd) me.barrier();
        });
      }
  }
}

TEST_CASE("calls without messages between the nodes that differ are compared when the run ends") {
  check_names(passed_mismatch(3,
                              [](vnode::Node& me) {
                                std::vector<int> nothing;
                                me.broadcast(nothing, believed(me));
                              }),
              both_roots(3));
}

TEST_CASE(
    "the exception of a node that leaves a group early is the run's, whatever others did in the group") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  CHECK_THROWS_AS(team.run([](vnode::Node& me) {
    vnode::Group all = me.split(0);
    int x[1] = {};
    if (me.rank() == 2) throw 7;
    if (me.rank() == 0) all.broadcast(x, 0);
  }),
                  int);
  team.run([](vnode::Node& me) { me.barrier(); });
}

TEST_CASE("a number of calls past every former limit is no mismatch in the next group that has the number") {
  for (const int beyond : brief() ? std::vector{64} : std::vector{1, 64, 127}) {
    vnode::Team team(2, vnode::shapes::full{}, patient());
    for (int run = 0; run < 2; ++run)
      team.run([&](vnode::Node& me) {
        {
          vnode::Group alone = me.split(me.rank());
          for (int i = 0; me.rank() == 0 && i < (1 << 20) + beyond; ++i) alone.barrier();
          // The other node's group lasts longer, so that its number is not the next to be given.
          int x[1] = {};
          if (me.rank() == 0) alone = vnode::Group();
          me.broadcast(x, 0);
          vnode::Group both = me.split(0);
          if (me.rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(30));
          x[0] = me.rank() + 1;
          both.all_reduce(x, std::plus<>{});
          REQUIRE(x[0] == 3);
        }
      });
  }
}
