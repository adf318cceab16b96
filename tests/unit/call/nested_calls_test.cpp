// Tests operators that call the node whose call they combine for.
#include <algorithm>
#include <atomic>
#include <doctest/doctest.h>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <vnode/vnode.hpp>

#include "joining.hpp"
#include "sentence.hpp"

using namespace vnode_test;

namespace {

using Use = std::function<void(vnode::Node&)>;

const std::vector<std::pair<const char*, Use>> nested_uses{
    {"barrier", [](vnode::Node& me) { me.barrier(); }},
    {"all_reduce", [](vnode::Node& me) { (void)me.all_reduce(1.0, std::plus<>{}); }},
    {"broadcast of many",
     [](vnode::Node& me) {
       std::vector<int> x(10000);
       me.broadcast(x, 0);
     }},
    {"nonblocking", [](vnode::Node& me) { me.nonblocking().barrier().wait(); }},
    {"persistent",
     [](vnode::Node& me) {
       vnode::Persistent planned = me.persistent().barrier();
       planned.start();
       planned.wait();
     }},
    {"send", [](vnode::Node& me) { me.send(1, 1 - me.rank()); }},
    {"recv", [](vnode::Node& me) { (void)me.irecv(std::span<int>(), 1 - me.rank()); }},
    {"probe", [](vnode::Node& me) { (void)me.iprobe(1 - me.rank()); }},
    {"split", [](vnode::Node& me) { (void)me.split(0); }},
    {"sub-group", [](vnode::Node& me) { (void)me.split(vnode::shapes::along{{}}); }},
};

/// Returns the sum of all ranks + 1, by an operator that calls use() when node `who` first combines.
long sum_with(vnode::Node& me, std::size_t count, bool nonblocking, const Use& use) {
  bool used = false;
  const auto op = vnode::commutative{[&](long a, long b) {
    if (!std::exchange(used, true)) use(me);
    return a + b;
  }};
  std::vector<long> x(count, me.rank() + 1), y(count);
  if (nonblocking)
    me.nonblocking().all_reduce(std::span<const long>(x), std::span(y), op).wait();
  else
    me.all_reduce(std::span<const long>(x), std::span(y), op);
  return y.back();
}

const std::string in_own_call =
    "is used within a call of its own: an operator, and what looks while a node waits, may use nodes of "
    "other teams, but not the one whose call it belongs to";

}  // namespace

TEST_CASE("an operator that calls its own node ends the run by a sentence, whatever it calls") {
  for (const std::size_t count : {1u, 200u, 20000u})
    for (const bool nonblocking : {false, true})
      for (const auto& nested : nested_uses) {
        CAPTURE(nested.first);
        CAPTURE(count);
        CAPTURE(nonblocking);
        vnode::Team team(2, vnode::shapes::full{}, patient());
        CHECK(sentence<vnode::UsageError>(team, [&](vnode::Node& me) {
                sum_with(me, count, nonblocking, nested.second);
              }).find(in_own_call) != std::string::npos);
      }
}

TEST_CASE("an operator that catches what its own node refuses goes on, and its call is right") {
  for (const std::size_t count : {1u, 200u, 20000u}) {
    vnode::Team team(2, vnode::shapes::full{}, patient());
    std::atomic<int> right = 0;
    team.run([&](vnode::Node& me) {
      const long sum = sum_with(me, count, false, [&](vnode::Node& own) {
        for (const auto& nested : nested_uses) CHECK_THROWS_AS(nested.second(own), vnode::UsageError);
        CHECK(own.size() == 2);
        CHECK(own.topology().nodes() == 2);
      });
      if (sum == 3) ++right;
    });
    CHECK(right == 2);
  }
}

TEST_CASE("an operator that drops a request of its own node ends the run by a sentence") {
  for (const std::size_t count : {1u, 20000u}) {
    vnode::Team team(2, vnode::shapes::full{}, patient());
    const std::string said = sentence<vnode::UsageError>(team, [&](vnode::Node& me) {
      int x[1] = {};
      std::optional<vnode::Request> request(me.irecv(x, 1 - me.rank(), 5));
      sum_with(me, count, false, [&](vnode::Node&) { request.reset(); });
    });
    CHECK(said.find("has dropped a request within a call of its own") != std::string::npos);
  }
}

TEST_CASE("an operator that drops or replaces the call that it combines for ends the run by a sentence") {
  // Node 1 begins last, so it combines within start(), and node 0 within wait().
  const auto said_with = [](int user, std::size_t count, bool persistent, auto&& use) {
    vnode::Team team(2, vnode::shapes::full{}, patient());
    std::atomic<bool> started = false;  // by node 0, whose call cannot end yet
    const std::string said = sentence<vnode::UsageError>(team, [&](vnode::Node& me) {
      while (me.rank() == 1 && !started) std::this_thread::yield();
      std::vector<long> x(count, 1), y(count);
      std::optional<vnode::Persistent> planned;
      std::optional<vnode::Request> request;
      bool used = false;
      const auto op = vnode::commutative{[&](long a, long b) {
        const bool there = persistent ? planned.has_value() : request.has_value();
        if (me.rank() == user && there && !std::exchange(used, true)) {
          if (persistent)
            use(planned);
          else
            use(request);
        }
        return a + b;
      }};
      if (persistent) {
        planned.emplace(me.persistent().all_reduce(std::span<const long>(x), std::span(y), op));
        planned->start();
        started = true;
        planned->wait();
      } else {
        request.emplace(me.nonblocking().all_reduce(std::span<const long>(x), std::span(y), op));
        started = true;
        request->wait();
      }
    });
    CHECK(sentence<vnode::Aborted>(team, [](vnode::Node& me) { me.barrier(); }) == "");
    return said;
  };
  const std::string dropped = "has dropped a request within a call of its own";
  for (const std::size_t count : {1u, 200u, 20000u})
    for (const int user : {0, 1})
      for (const bool persistent : {false, true}) {
        if (user == 1 && !persistent) continue;  // it combines before there is a request
        CAPTURE(count);
        CAPTURE(user);
        CAPTURE(persistent);
        const auto says = [&](std::string_view words, auto&& use) {
          CHECK(said_with(user, count, persistent, use).find(words) != std::string::npos);
        };
        says(dropped, [](auto& of) { of.reset(); });
        says(dropped, [](auto& of) { const auto taken = std::move(*of); });
        says("within a call of its own", [](auto& of) { *of = {}; });
        says(in_own_call, [](auto& of) { of->wait(); });
        says(in_own_call, [](auto& of) { of->test(); });
      }
}

TEST_CASE("an operator may use a node of another team") {
  vnode::Team outer(2, vnode::shapes::full{}, patient());
  std::atomic<int> right = 0;
  outer.run([&](vnode::Node& me) {
    const long sum = sum_with(me, 2000, false, [](vnode::Node&) {
      vnode::Team inner(2, vnode::shapes::full{}, patient());
      inner.run([](vnode::Node& other) { CHECK(other.all_reduce(1, std::plus<>{}) == 2); });
    });
    if (sum == 3) ++right;
  });
  CHECK(right == 2);
}

TEST_CASE("what looks while a node waits calls its node in vain, and the run ends by a sentence") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  const std::string said = sentence<vnode::UsageError>(team, [](vnode::Node& me) {
    if (me.rank() == 1) {
      const vnode::WhileWaiting looks([&] { me.barrier(); });
      me.barrier();
    } else {
      for (;;) (void)me.recv<int>(1);
    }
  });
  CHECK(said.find(in_own_call) != std::string::npos);
}

TEST_CASE("an operator of a thread that has joined is refused its own node, which it cannot leave either") {
  vnode::Team team = joined_by(2);
  const auto said_with = [&](std::size_t count, const std::function<void(vnode::Membership&)>& use) {
    std::vector<std::string> said(2);
    on_threads(2, [&](int i) {
      said[static_cast<std::size_t>(i)] = said_by([&] {
        vnode::Membership me = team.join(i);
        sum_with(*me, count, false, [&](vnode::Node&) { use(me); });
      });
    });
    return said[0] + said[1];
  };
  for (const std::size_t count : {1u, 20000u}) {
    for (const auto& nested : nested_uses) {
      CAPTURE(nested.first);
      CHECK(said_with(count, [&](vnode::Membership& me) { nested.second(*me); }).find(in_own_call) !=
            std::string::npos);
    }
    CHECK(said_with(count, [](vnode::Membership& me) { me.leave(); }).find(in_own_call) != std::string::npos);
    CHECK(said_with(count, [](vnode::Membership& me) {
            me.abort(std::make_exception_ptr(std::runtime_error("enough")));
          }).find(in_own_call) != std::string::npos);
  }
  CHECK(still_works(team));
}
