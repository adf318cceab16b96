// Tests exceptions that unwind data before the requests of the calls that use them.
#include <atomic>
#include <doctest/doctest.h>
#include <functional>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

/// Data that are destroyed visibly.
struct Mortal {
  std::vector<int> values = std::vector<int>(5000, 1);
  ~Mortal() { values.assign(values.size(), -1); }
};

/// Says that it ends, and waits until the other node has looked.
struct Between {
  std::atomic<int>& stage;
  ~Between() {
    stage = 1;
    while (stage != 2) std::this_thread::yield();
  }
};

}  // namespace

TEST_CASE(
    "when a call throws, no node looks at data of earlier calls any more, whose requests end after them") {
  const std::vector<std::function<void(vnode::Node&)>> wrong{
      [](vnode::Node& me) {
        int x[1] = {};
        me.send(x, 7);
      },
      [](vnode::Node& me) {
        int x[1] = {};
        me.recv(x, 1, -1);
      },
      [](vnode::Node& me) {
        int x[1] = {};
        me.sendrecv(x, 1, x, 1);
      },
      [](vnode::Node& me) {
        int x[1] = {};
        (void)me.isend(x, 2);
      },
      [](vnode::Node& me) {
        int x[1] = {};
        (void)me.irecv(x, -1);
      },
      [](vnode::Node& me) {
        int x[1] = {};
        me.broadcast(x, 9);
      },
      [](vnode::Node& me) {
        int x[1] = {};
        (void)me.nonblocking().broadcast(x, 9);
      },
      [](vnode::Node& me) {
        int x[1] = {};
        (void)me.persistent().broadcast(x, 9);
      },
      [](vnode::Node& me) { me.split(-2); },
      [](vnode::Node& me) { me.split(vnode::shapes::along{0}); },
      [](vnode::Node& me) {
        vnode::Persistent barrier = me.persistent().barrier();
        barrier.start();
        barrier.start();
      }};
  vnode::Team team(2, vnode::shapes::full{}, patient());
  for (const auto& use : wrong) {
    std::atomic<int> stage = 0;
    CHECK(sentence<vnode::UsageError>(team, [&](vnode::Node& me) {
            if (me.rank() == 0) {
              vnode::Request request;
              const Between between{stage};
              Mortal data;
              request = me.nonblocking().broadcast(data.values, 0, {"broadcast_direct"});
              use(me);
            } else {
              while (stage != 1) std::this_thread::yield();
              std::vector<int> values(5000);
              CHECK_THROWS_AS(me.broadcast(values, 0, {"broadcast_direct"}), vnode::Aborted);
              stage = 2;
            }
          }) != "");
  }
}

TEST_CASE("data that are declared before their request outlive it, whoever throws") {
  struct Fault {};
  vnode::Team team(2, vnode::shapes::full{}, patient());
  for (int trial = 0; trial < 50; ++trial)
    CHECK_THROWS_AS(team.run([&](vnode::Node& me) {
      Mortal data;
      std::vector<vnode::Request> requests;
      requests.push_back(me.nonblocking().broadcast(data.values, 0, {"broadcast_direct"}));
      if (me.rank() == trial % 2) throw Fault();
      requests.back().wait();
      CHECK(data.values == std::vector<int>(5000, 1));
    }),
                    Fault);
}
