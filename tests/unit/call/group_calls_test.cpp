// Calls in several groups at once.
#include <doctest/doctest.h>
#include <malloc.h>
#include <numeric>
#include <optional>
#include <vector>

#include <vnode/vnode.hpp>

#include "brief.hpp"
#include "sentence.hpp"

using namespace vnode_test;

namespace {

/// Returns the sum of the ranks in the team of a group's nodes.
int expected_sum(const vnode::Group& group) {
  int sum = 0;
  for (int rank = 0; rank < group.size(); ++rank) sum += group.team_rank(rank);
  return sum;
}

}

TEST_CASE("rows and columns work at the same time, called in different orders") {
  for (const std::size_t inline_to : {std::size_t{0}, std::size_t{1024}}) {
    vnode::TeamOptions options = patient();
    options.inline_to = inline_to;
    vnode::Team team(12, vnode::shapes::mesh{3, 4}, options);
    team.run([](vnode::Node& me) {
      vnode::Group row = me.split(vnode::shapes::along{1}), column = me.split(vnode::shapes::along{0});
      for (int round = 0; round < 20; ++round) {
        std::vector<int> a(50, me.rank()), b(700, me.rank()), c(20, me.rank());
        std::vector<vnode::Request> requests;
        const auto in_row = [&] { requests.push_back(row.nonblocking().all_reduce(a, std::plus<>{})); };
        const auto in_column = [&] { requests.push_back(column.nonblocking().all_reduce(b, std::plus<>{})); };
        const auto in_team = [&] { requests.push_back(me.nonblocking().all_reduce(c, std::plus<>{})); };
        // Six orders among twelve nodes.
        switch ((me.rank() + round) % 6) {
          case 0:
            in_row(), in_column(), in_team();
            break;
          case 1:
            in_row(), in_team(), in_column();
            break;
          case 2:
            in_column(), in_row(), in_team();
            break;
          case 3:
            in_column(), in_team(), in_row();
            break;
          case 4:
            in_team(), in_row(), in_column();
            break;
          default:
            in_team(), in_column(), in_row();
        }
        std::swap(requests[0], requests[static_cast<std::size_t>(me.rank() % 3)]);
        vnode::wait_all(requests);
        REQUIRE(a == std::vector<int>(50, expected_sum(row)));
        REQUIRE(b == std::vector<int>(700, expected_sum(column)));
        REQUIRE(c == std::vector<int>(20, 66));
      }
    });
  }
}

TEST_CASE("a group's blocking calls pass while calls of other groups are in flight") {
  vnode::Team team(8, vnode::shapes::hypercube{}, patient());
  team.run([](vnode::Node& me) {
    vnode::Group half = me.split(me.rank() / 4), pair = me.split(vnode::shapes::along{2});
    std::vector<int> slow(3000, me.rank()), fast(10, me.rank());
    vnode::Request sum = me.nonblocking().all_reduce(slow, std::plus<>{});
    vnode::Request least = half.nonblocking().scan(fast, std::plus<>{});
    for (int round = 0; round < 50; ++round) {
      int x[1] = {round + me.rank()};
      pair.broadcast(x, round % 2);
      REQUIRE(x[0] == round + pair.team_rank(round % 2));
      half.barrier();
    }
    least.wait();
    int prefix = 0;
    for (int rank = 0; rank <= half.rank(); ++rank) prefix += half.team_rank(rank);
    CHECK(fast == std::vector<int>(10, prefix));
    sum.wait();
    CHECK(slow == std::vector<int>(3000, 28));
  });
}

TEST_CASE("messages of a group and messages of the team do not meet, though tags and nodes are the same") {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  for (const std::size_t count : {1u, 5000u})
    team.run([count](vnode::Node& me) {
      vnode::Group other = me.split(0, -me.rank());  // ranks turned round
      vnode::Group same = me.split(0);
      if (me.rank() == 0) {
        const std::vector<int> a(count, 1), b(count, 2), c(count, 3);
        vnode::Request first = me.isend(a, 1, 5);
        vnode::Request second = other.isend(b, 2, 5);
        vnode::Request third = same.isend(c, 1, 5);
        first.wait(), second.wait(), third.wait();
      } else if (me.rank() == 1) {
        std::vector<int> x(count);
        same.recv(x, 0, 5);
        CHECK(x[count - 1] == 3);
        other.recv(x, 3, 5);
        CHECK(x[count - 1] == 2);
        me.recv(x, 0, 5);
        CHECK(x[count - 1] == 1);
      }
      same.barrier();
    });
}

TEST_CASE("a group that is dropped lives as long as its calls") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    std::vector<int> x(2000, me.rank() + 1);
    std::vector<vnode::Request> requests;
    std::optional<vnode::Persistent> planned;
    {
      vnode::Group group = me.split(0);
      requests.push_back(group.nonblocking().all_reduce(x, std::plus<>{}));
      planned.emplace(group.persistent().broadcast(x, 2));
    }
    vnode::Group another = me.split(0);  // does not take over the number of the first
    another.barrier();
    vnode::wait_all(requests);
    CHECK(x == std::vector<int>(2000, 6));
    x.assign(2000, me.rank());
    for (int start = 0; start < 3; ++start) {
      planned->start();
      planned->wait();
      CHECK(x == std::vector<int>(2000, 2));
    }
  });
}

TEST_CASE("groups come and go by the ten thousands, and leave nothing behind" * doctest::skip(brief())) {
  vnode::Team alone(1, vnode::shapes::full{}, patient());
  const auto many = [&](int splits) {
    alone.run([=](vnode::Node& me) {
      for (int i = 0; i < splits; ++i) {
        vnode::Group group = me.split(0, i);
        int x[1] = {i};
        group.all_reduce(x, std::plus<>{});
        REQUIRE(x[0] == i);
      }
    });
  };
  many(100);
  const std::size_t before = mallinfo2().uordblks;
  many(40000);  // more than can exist at a time
  CHECK(mallinfo2().uordblks < before + (64 << 10));

  vnode::Team team(3, vnode::shapes::full{}, patient());
  const auto some = [&](int splits) {
    team.run([=](vnode::Node& me) {
      for (int i = 0; i < splits; ++i) {
        vnode::Group group = me.split((me.rank() + i) % 3 == 0 ? vnode::no_color : 0, i % 2 * me.rank());
        if (group) group.barrier();
      }
    });
  };
  some(100);
  const std::size_t channels = team.channel_bytes(), scratch = team.scratch_bytes();
  const std::size_t in_use = mallinfo2().uordblks;
  some(400);
  CHECK(team.channel_bytes() == channels);
  CHECK(team.scratch_bytes() == scratch);
  CHECK(mallinfo2().uordblks < in_use + (64 << 10));
}

TEST_CASE("more groups than there are numbers for are refused" * doctest::skip(brief())) {
  vnode::Team team(1, vnode::shapes::full{}, patient());
  CHECK(sentence<vnode::SystemError>(team, [](vnode::Node& me) {
          std::vector<vnode::Group> groups;
          for (int i = 0; i < 40000; ++i) groups.push_back(me.split(0));
        }) == "a team can have 32767 groups at a time, and all of them are in use");
}
