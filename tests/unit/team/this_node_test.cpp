// Tests the node of the calling thread.
#include <atomic>
#include <doctest/doctest.h>
#include <functional>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/join.hpp>
#include <vnode/team.hpp>
#include <vnode/vnode.h>

using namespace vnode;

namespace {

/// An operator of a pool: it is given no node.
double total(double part) { return this_node()->all_reduce(part, std::plus<>()); }

}  // namespace

TEST_CASE("a function that is given no node finds that of its thread") {
  CHECK(this_node() == nullptr);
  Team team(4);
  team.run([&](Node& me) {
    CHECK(this_node() == &me);
    CHECK(total(me.rank()) == 6);
    std::thread([] { CHECK(this_node() == nullptr); }).join();  // started by a node, and none itself
  });
  CHECK(this_node() == nullptr);
  CHECK_THROWS_AS(team.run([](Node& me) {
    if (me.rank() == 0) throw std::runtime_error("no more");
    me.barrier();
  }),
                  std::runtime_error);
  CHECK(this_node() == nullptr);
}

TEST_CASE("a node that runs another team is the other's node meanwhile") {
  Team team(2);
  team.run([&](Node& me) {
    Team inner(2);
    inner.run([&](Node& other) { CHECK(this_node() == &other); });
    CHECK(this_node() == &me);
    CHECK(total(1) == 2);
  });
}

TEST_CASE("fibers of one thread are nodes of their own") {
  const int nodes = 4 * static_cast<int>(std::thread::hardware_concurrency());
  TeamOptions options;
  options.nodes = Nodes::fibers;
  Team team(nodes, options);
  std::atomic<int> right{0};
  team.run([&](Node& me) {
    for (int i = 0; i < 10; ++i) {
      right += this_node() == &me && total(1) == nodes;
      me.yield();
    }
    Team alone(1);
    alone.run([&](Node& other) {
      me.yield();
      right += this_node() == &other;
    });
    right += this_node() == &me;
  });
  CHECK(right == 12 * nodes);
  CHECK(this_node() == nullptr);
}

TEST_CASE("a thread that has joined several teams is the last one's node, and leaves them in any order") {
  const TeamOptions callers{.threads = Threads::callers};
  Team first(1, callers), second(1, callers), third(1, callers);
  std::optional<Membership> of_first(first.join(0)), of_second(second.join(0)), of_third(third.join(0));
  CHECK(this_node() == &**of_third);
  of_second.reset();
  CHECK(this_node() == &**of_third);
  of_third->leave();
  CHECK(this_node() == &**of_first);
  Membership moved = *std::exchange(of_first, std::nullopt);
  CHECK(this_node() == &*moved);
  moved.leave();
  CHECK(this_node() == nullptr);
}

TEST_CASE("a thread that ends without leaving is no node any more") {
  Team team(1, {.threads = Threads::callers});
  std::optional<Membership> left_over;
  std::thread([&] { left_over.emplace(team.join(0)); }).join();
  left_over.reset();
  const Membership me = team.join(0);
  CHECK(this_node() == &*me);
}

TEST_CASE("the C interface finds nodes of C++, each by one handle") {
  vnode_node* none = nullptr;
  CHECK(vnode_this_node(&none) == VNODE_OK);
  CHECK(none == nullptr);
  CHECK(vnode_this_node(nullptr) == VNODE_ERROR_USAGE);
  Team team(3);
  std::vector<vnode_node*> handles(3);
  for (int run = 0; run < 2; ++run)
    team.run([&](Node& me) {
      vnode_node* handle = nullptr;
      CHECK(vnode_this_node(&handle) == VNODE_OK);
      CHECK(vnode_group_rank(handle) == me.rank());
      double sum = 1;
      CHECK(vnode_all_reduce(handle, &sum, &sum, 1, VNODE_F64, VNODE_SUM, nullptr) == VNODE_OK);
      CHECK(sum == 3);
      vnode_node*& before = handles[static_cast<std::size_t>(me.rank())];
      CHECK((run == 0 || before == handle));
      before = handle;
    });
}
