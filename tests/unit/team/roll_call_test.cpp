// Where the nodes of a team are, as any thread sees it while they go on.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <functional>
#include <latch>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include <vnode/roll_call.hpp>
#include <vnode/vnode.hpp>

#include "joining.hpp"
#include "sentence.hpp"

using namespace vnode_test;
using vnode::RollCall;
using vnode::Whereabouts;

namespace {

/// The roll call once it is as wanted, as it will be.
RollCall once(vnode::Team& team, const std::function<bool(const RollCall&)>& wanted) {
  for (;;) {
    RollCall call = team.state();
    if (wanted(call)) return call;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// All but some wait in calls for long.
bool all_wait_but(const RollCall& call, const std::vector<int>& others) {
  return std::ranges::all_of(call.nodes, [&](const vnode::NodeState& state) {
    return state.awaited || std::ranges::find(others, state.node) != others.end();
  });
}

nlohmann::json json_of(const RollCall& call) { return nlohmann::json::parse(call.json()); }

}  // namespace

TEST_CASE("a team in which nobody is says so, before, between and after runs, and to joiners") {
  vnode::Team team(3, patient());
  const std::string nobody = "team of 3 nodes as full: nobody is in it, no run is on\n";
  CHECK(team.state().text() == nobody);
  team.run([](vnode::Node& me) { me.barrier(); });
  CHECK(team.state().text() == nobody);
  CHECK(sentence<std::runtime_error>(team, [](vnode::Node& me) {
          if (me.rank() == 1) throw std::runtime_error("enough");
          me.barrier();
        }) == "enough");
  const RollCall after = team.state();
  CHECK(after.text() == nobody);
  CHECK(!after.in_run);
  REQUIRE(after.nodes.size() == 3);
  for (const vnode::NodeState& state : after.nodes) {
    CHECK(state.where == Whereabouts::absent);
    CHECK(state.text == "is in no run");
  }
  CHECK(json_of(after)["in_run"] == false);
  CHECK(json_of(after)["nodes"].size() == 3);
  CHECK(joined_by(1).state().text() == "team of 1 node as full: nobody is in it, no thread has joined\n");
}

TEST_CASE("the roll call names the calls, rounds, groups and peers of nodes that wait") {
  for (const vnode::Wait wait : {vnode::Wait::automatic, vnode::Wait::park}) {
    vnode::TeamOptions options = patient();
    options.wait = wait;
    vnode::Team team(5, vnode::shapes::full{}, options);
    std::atomic<bool> seen = false;
    std::thread watcher([&] {
      const RollCall call = once(team, [](const RollCall& now) {
        // The split that comes first is over.
        return all_wait_but(now, {0, 4}) && now.nodes[0].where == Whereabouts::computing &&
               now.nodes[1].tag && now.nodes[2].group.size() == 2 && now.nodes[3].tag &&
               now.nodes[4].where == Whereabouts::left;
      });
      seen = true;
      CHECK(call.in_run);
      CHECK(call.nodes[0].where == Whereabouts::computing);
      CHECK(call.nodes[0].text == "is in no vnode call");
      const vnode::NodeState& receiver = call.nodes[1];
      CHECK(receiver.where == Whereabouts::calling);
      CHECK(receiver.text == "is in recv of 10 elements with tag 7, and waits for node 0");
      CHECK(receiver.tag == 7);
      CHECK(receiver.awaited == 0);
      CHECK(!receiver.number);
      const vnode::NodeState& grouped = call.nodes[2];
      CHECK(grouped.call == "broadcast of 10 x int, root 0, by broadcast_binomial");
      CHECK(grouped.number == 1);
      CHECK(grouped.group == std::vector<int>{0, 2});
      CHECK(grouped.awaited == 0);
      CHECK(grouped.text.ends_with(", round 0, and waits for node 0, in the group of nodes 0,2"));
      CHECK(call.nodes[3].group == std::vector<int>{0, 1, 2, 3, 4});
      CHECK(call.nodes[4].text == "has left the run");
      const auto json = json_of(call);
      CHECK(json["nodes"][1]["where"] == "calling");
      CHECK(json["nodes"][1]["tag"] == 7);
      CHECK(json["nodes"][1]["number"].is_null());
      CHECK(json["nodes"][2]["group"] == std::vector<int>{0, 2});
      CHECK(json["nodes"][4]["where"] == "left");
      CHECK(json["nodes"][0]["call"] == "");
      CHECK(call.text().starts_with("team of 5 nodes as full: a run is on\n  node 0 is in no vnode call\n"));
    });
    team.run([&](vnode::Node& me) {
      vnode::Group group = me.split(me.rank() == 0 || me.rank() == 2 ? 0 : 1);
      std::vector<int> x(10);
      if (me.rank() == 0) {
        while (!seen) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        me.send(x, 1, 7);
        group.broadcast(x, 0, {.algorithm = "broadcast_binomial"});
        me.send(x, 3);
      }
      if (me.rank() == 1) me.recv(x, 0, 7);
      if (me.rank() == 2) group.broadcast(x, 0, {.algorithm = "broadcast_binomial"});
      if (me.rank() == 3) me.recv(x, 0);
    });
    watcher.join();
  }
}

TEST_CASE("who has joined, who is missing and who has left a team of callers is told") {
  vnode::Team team = joined_by(3);
  std::latch may_leave(1);
  const auto join = [&](int rank) {
    return std::thread([&team, &may_leave, rank] {
      vnode::Membership me = team.join(rank);
      if (rank > 0) may_leave.wait();
    });
  };
  std::thread second = join(1);
  const RollCall gathering = once(team, [](const RollCall& call) { return call.in_run; });
  CHECK(gathering.text() ==
        "team of 3 nodes as full: threads are joined\n"
        "  node 0 has not joined\n"
        "  node 1 has joined, and waits for the others to join\n"
        "  node 2 has not joined\n");
  CHECK(gathering.nodes[1].where == Whereabouts::joining);
  std::thread third = join(2), first = join(0);
  const RollCall on = once(team, [](const RollCall& call) {
    return call.nodes[0].where == Whereabouts::left && call.nodes[1].where == Whereabouts::computing &&
           call.nodes[2].where == Whereabouts::computing;
  });
  CHECK(on.joined);
  may_leave.count_down();
  for (std::thread* const thread : {&first, &second, &third}) thread->join();
  CHECK(!team.state().in_run);
}

TEST_CASE("roll calls while nodes run hold up nobody, and every line is one that makes sense") {
  vnode::Team team(4, patient());
  std::atomic<bool> over = false;
  std::thread watcher([&] {
    for (; !over; std::this_thread::sleep_for(std::chrono::microseconds(100)))
      for (const vnode::NodeState& state : team.state().nodes) {
        CHECK(!state.text.empty());
        if (state.where != Whereabouts::calling) CHECK(state.call.empty());
        CHECK((state.number || state.tag) == !state.call.empty());
        if (state.awaited) CHECK(*state.awaited < 4);
        if (!state.call.empty())
          CHECK((state.call.starts_with("all_") || state.call.starts_with("sendrecv") ||
                 state.call.starts_with("barrier")));
      }
  });
  for (int run = 0; run < 20; ++run)
    team.run([](vnode::Node& me) {
      std::vector<int> x(10), y(10);
      for (int i = 0; i < 50; ++i) {
        me.all_reduce(x, std::plus<>{});
        me.sendrecv(x, (me.rank() + 1) % 4, y, (me.rank() + 3) % 4);
      }
      vnode::Group half = me.split(me.rank() % 2);
      half.all_reduce(x, std::plus<>{});
    });
  over = true;
  watcher.join();
}
