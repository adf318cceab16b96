// Tests what is called where it has no meaning: within a run what is for between runs, and the other way
// round.
#include <atomic>
#include <doctest/doctest.h>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <vnode/model/trace.hpp>
#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

constexpr const char* one_at_a_time =
    "run() while a run of the same team is on: a team has one run at a time, so neither a node's body nor "
    "another thread may begin one; a body may run another team";
constexpr const char* no_run =
    "no run of the team is on: nodes, groups and calls are used by the nodes' bodies, within Team::run";
constexpr const char* ended = "the team has ended: its groups and calls cannot be used any more";

std::string usage_error(const std::function<void()>& use) {
  try {
    use();
  } catch (const vnode::UsageError& error) {
    return error.what();
  }
  return "no exception";
}

/// Uses of a group that fail where no run is on.
std::vector<std::function<void(vnode::Group&)>> uses() {
  static int x[4], y[4];
  return {[](vnode::Group& group) { group.barrier(); },
          [](vnode::Group& group) { group.broadcast(x); },
          [](vnode::Group& group) { group.nonblocking(); },
          [](vnode::Group& group) { group.persistent(); },
          [](vnode::Group& group) { group.split(0); },
          [](vnode::Group& group) { group.split(vnode::shapes::along{0}); },
          [](vnode::Group& group) { group.split(vnode::Domain::core); },
          [](vnode::Group& group) { group.send(x, 1 - group.rank()); },
          [](vnode::Group& group) { group.recv(x, 1 - group.rank()); },
          [](vnode::Group& group) { group.sendrecv(x, 0, y, 0); },
          [](vnode::Group& group) { (void)group.isend(x, 0); },
          [](vnode::Group& group) { (void)group.irecv(x, 0); },
          [](vnode::Group& group) { group.topology(); },
          [](vnode::Group& group) { group.team_rank(0); },
          [](vnode::Group& group) { group.last_algorithm(); },
          [](vnode::Group& group) { group.last_segments(); }};
}

}  // namespace

TEST_CASE("a run within a run of the same team is refused on every node, and the team works afterwards") {
  for (const bool apart : {false, true}) {
    vnode::TeamOptions options = patient();
    options.apart = apart;
    vnode::Team team(3, vnode::shapes::full{}, options);
    for (const int thrower : {0, 2})
      CHECK(sentence<vnode::UsageError>(team, [&](vnode::Node& me) {
              if (me.rank() == thrower) team.run([](vnode::Node&) {});
              me.barrier();
            }) == one_at_a_time);
    // Who catches it goes on.
    std::atomic<int> refused = 0;
    team.run([&](vnode::Node& me) {
      const auto nested = [&] { team.run([](vnode::Node& inner) { inner.barrier(); }); };
      if (usage_error(nested) == one_at_a_time) ++refused;
      me.barrier();
    });
    CHECK(refused == 3);
  }
}

TEST_CASE("a run by another thread during a run is refused, and disturbs nobody") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  std::string text;
  team.run([&](vnode::Node& me) {
    int x[1] = {me.rank() + 1};
    if (me.rank() == 0)
      std::thread([&] { text = usage_error([&] { team.run([](vnode::Node&) {}); }); }).join();
    me.all_reduce(x, std::plus<>{});
    CHECK(x[0] == 3);
  });
  CHECK(text == one_at_a_time);
}

TEST_CASE("of many threads that run one team each run is whole or refused") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  std::atomic<int> whole = 0, refused = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      for (int run = 0; run < 200; ++run) {
        int nodes = 0;
        const std::string text = usage_error([&] {
          team.run([&](vnode::Node& me) {
            int x[1] = {1};
            me.all_reduce(x, std::plus<>{});
            if (me.rank() == 0) nodes = x[0];
          });
        });
        REQUIRE((nodes == 2 ? text == "no exception" : text == one_at_a_time));
        ++(nodes == 2 ? whole : refused);
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(whole + refused == 600);
  CHECK(whole > 0);
}

TEST_CASE("a node's body may run another team") {
  vnode::Team outer(2, vnode::shapes::full{}, patient());
  std::vector<std::unique_ptr<vnode::Team>> inner;
  for (int i = 0; i < 2; ++i)
    inner.push_back(std::make_unique<vnode::Team>(2, vnode::shapes::full{}, patient()));
  for (int run = 0; run < 3; ++run)
    outer.run([&](vnode::Node& me) {
      int sum[1] = {me.rank()};
      inner[static_cast<std::size_t>(me.rank())]->run([&](vnode::Node& mine) {
        int x[1] = {mine.rank() + 1};
        mine.all_reduce(x, std::plus<>{});
        if (mine.rank() == 0) sum[0] += x[0];
      });
      me.all_reduce(sum, std::plus<>{});
      CHECK(sum[0] == 7);
    });
}

TEST_CASE("what is for between runs is refused within one, by name") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  std::vector<std::string> texts;
  team.run([&](vnode::Node& me) {
    if (me.rank() == 1) return;
    texts = {usage_error([&] { team.trace(10); }), usage_error([&] { team.take_trace(); }),
             usage_error([&] { team.costs(); }), usage_error([&] { team.memory(); }),
             usage_error([&] { team.report(); })};
    CHECK(team.size() == 2);
    CHECK(team.topology().nodes() == 2);
    CHECK(team.channel_bytes() + team.scratch_bytes() == 0);  // nothing has been sent
    CHECK(team.buffer<int>(0, 10).size() == 10);
  });
  const std::vector<std::string> names{"trace()", "take_trace()", "costs()", "memory()", "report()"};
  REQUIRE(texts.size() == names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    CHECK(texts[i] == names[i] + " while a run of the team is on: call it before or after the run");
  CHECK(team.report().find("nodes: 2") == 0);
}

TEST_CASE(
    "nodes and groups are refused between runs, and as copies after their team, whatever they are asked") {
  std::vector<vnode::Group> kept, copies;
  {
    vnode::Team team(2, vnode::shapes::full{}, patient());
    vnode::Node* node = nullptr;
    std::optional<vnode::Nonblocking> nonblocking;
    std::optional<vnode::Planning> planning;
    team.run([&](vnode::Node& me) {
      vnode::Group split = me.split(0);
      if (me.rank() != 0) return;
      node = &me;
      kept = {me, split};
      nonblocking.emplace(me.nonblocking());
      planning.emplace(split.persistent());
    });
    for (const auto& use : uses()) {
      CHECK(usage_error([&] { use(*node); }) == no_run);
      for (vnode::Group& group : kept) CHECK(usage_error([&] { use(group); }) == no_run);
    }
    CHECK(usage_error([&] { (void)nonblocking->barrier(); }) == no_run);
    CHECK(usage_error([&] { (void)planning->barrier(); }) == no_run);
    CHECK(usage_error([&] { node->arena(); }) == no_run);
    copies = kept;
    CHECK(copies[0].size() == 2);
    CHECK(sentence<vnode::UsageError>(team, [](vnode::Node& me) { me.barrier(); }) == "");
  }
  for (const auto& use : uses())
    for (vnode::Group& group : copies) CHECK(usage_error([&] { use(group); }) == ended);
  for (const vnode::Group& group : copies) {
    CHECK(group);
    CHECK(group.rank() == 0);
    CHECK(group.size() == 2);
  }
}

TEST_CASE("a planned call is refused between runs and after its team, and may be asked for") {
  std::vector<int> x(2000);
  std::optional<vnode::Persistent> kept;
  {
    vnode::Team team(2, vnode::shapes::full{}, patient());
    team.run([&](vnode::Node& me) {
      if (me.rank() == 0) kept.emplace(me.persistent().broadcast(x));
    });
    CHECK(usage_error([&] { kept->start(); }) == no_run);
    CHECK(kept->test());
    kept->wait();
  }
  CHECK(usage_error([&] { kept->start(); }) == ended);
  CHECK(kept->test());
  kept->wait();
}

TEST_CASE("a request that its run has lost is refused when the run is over, and after its team") {
  constexpr const char* lost =
      "this call was in flight when its run ended, and is lost: calls are completed within the run in which "
      "they are started";
  std::vector<int> x(5), y(3000);
  vnode::Request message, sum;
  vnode::Persistent planned;
  const auto refused = [&] {
    CHECK(usage_error([&] { message.wait(); }) == lost);
    CHECK(usage_error([&] { message.test(); }) == lost);
    CHECK(usage_error([&] { sum.wait(); }) == lost);
    CHECK(usage_error([&] { planned.wait(); }) == lost);
    CHECK(usage_error([&] { planned.test(); }) == lost);
  };
  {
    vnode::Team team(2, vnode::shapes::full{}, patient());
    CHECK_THROWS_AS(team.run([&](vnode::Node& me) {
      if (me.rank() == 1) return;
      message = me.irecv(x, 1);
      sum = me.nonblocking().all_reduce(y, std::plus<>{});
      planned = me.persistent().barrier();
      planned.start();
    }),
                    vnode::UsageError);
    refused();
    team.run([&](vnode::Node& me) {
      if (me.rank() == 0) refused();
    });
  }
  refused();
}

TEST_CASE("a default Persistent holds no planned call, as one that has been moved from") {
  vnode::Team team(1);
  team.run([](vnode::Node& me) {
    vnode::Persistent from = me.persistent().barrier();
    const vnode::Persistent to = std::move(from);
    vnode::Persistent empty;
    for (vnode::Persistent* const one : {&empty, &from}) {
      CHECK(one->test());
      one->wait();
      CHECK(usage_error([&] { one->start(); }) ==
            "start() of a Persistent that holds no planned call: it is empty or has been moved from");
    }
    empty = me.persistent().barrier();
    empty.start();
    empty.wait();
  });
}

TEST_CASE("a team moves, within its run too, and leaves one behind that says so") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  vnode::Group kept;
  const auto sum = [&](vnode::Node& me) {
    int x[1] = {1};
    me.all_reduce(x, std::plus<>{});
    CHECK(x[0] == 2);
    if (me.rank() == 0) kept = me;
  };
  team.run(sum);
  vnode::Team moved = std::move(team);
  moved.run(sum);
  constexpr const char* gone = "this team has been moved from: it has no nodes";
  CHECK(usage_error([&] { team.run([](vnode::Node&) {}); }) == gone);
  CHECK(usage_error([&] { team.size(); }) == gone);
  CHECK(usage_error([&] { team.report(); }) == gone);
  CHECK(usage_error([&] { team.costs(); }) == gone);
  CHECK(usage_error([&] { team.buffer<int>(0, 1); }) == gone);
  // What takes a team's place ends it.
  vnode::Team other(3, vnode::shapes::full{}, patient());
  other = std::move(moved);
  CHECK(other.size() == 2);
  other.run(sum);
  vnode::Team& same = other;
  other = std::move(same);
  CHECK(other.size() == 2);
  vnode::Team last = std::move(other);
  last.run([&](vnode::Node& me) {
    if (me.rank() == 0) team = std::move(last);
    sum(me);
  });
  team.run(sum);
  CHECK(usage_error([&] { last.trace(1); }) == gone);
  CHECK(usage_error([&] { kept.barrier(); }) == no_run);
}
