// Tests deadlocks that are certain, and waits that are not deadlocks.
#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>

#include "joining.hpp"
#include "sentence.hpp"

using namespace vnode_test;

namespace {

/// Longer than a node waits before it is counted among those that wait.
constexpr auto long_enough = std::chrono::milliseconds(60);

std::string deadlock_of(int nodes, const std::function<void(vnode::Node&)>& body,
                        vnode::TeamOptions options = patient()) {
  vnode::Team team(nodes, vnode::shapes::full{}, options);
  return sentence<vnode::Deadlock>(team, body);
}

void check_roll_call(const std::string& text, const std::vector<std::string>& parts) {
  CAPTURE(text);
  for (const std::string& part : parts) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("receives in a circle are a deadlock, and it is said who waits for whom") {
  for (const vnode::Wait wait :
       {vnode::Wait::automatic, vnode::Wait::spin, vnode::Wait::yield, vnode::Wait::park}) {
    vnode::TeamOptions options;  // without a time limit
    options.wait = wait;
    const std::string text = deadlock_of(
        3,
        [](vnode::Node& me) {
          std::vector<int> x(4);
          me.recv(x, (me.rank() + 1) % 3, 5 + me.rank());
        },
        options);
    check_roll_call(text, {"deadlock: all nodes wait, and nothing is on its way to any of them",
                           "node 0 waits for node 1, which waits for node 2, which waits for node 0",
                           "\n  node 0 is in recv of 4 elements with tag 5, and waits for node 1",
                           "\n  node 1 is in recv of 4 elements with tag 6, and waits for node 2",
                           "\n  node 2 is in recv of 4 elements with tag 7, and waits for node 0"});
  }
}

TEST_CASE("who waits for another tag than the one that was sent is told") {
  const std::string text = deadlock_of(3, [](vnode::Node& me) {
    int x[1] = {};
    if (me.rank() == 1) {
      me.send(x, 2, 8);
      me.send(x, 2, 8);
      me.recv(x, 2, 1);
    }
    if (me.rank() == 2) me.recv(x, 1, 7);
  });
  check_roll_call(text, {"\n  node 0 has left the run\n", "\n  node 1 is in recv of 1 element with tag 1",
                         "with tag 7, and waits for node 1; node 1 has sent it tag 8"});
  CHECK(text.find("tag 8; ") == std::string::npos);
}

TEST_CASE("what a node that has left has not received is told, if others wait for ever") {
  const std::string text = deadlock_of(3, [](vnode::Node& me) {
    int x[1] = {};
    if (me.rank() == 1) return;
    if (me.rank() == 0) me.send(x, 1, 4);
    me.recv(x, 2 - me.rank(), 9);
  });
  check_roll_call(text, {"\n  node 1 has left the run; node 0 has sent it tag 4\n"});
}

TEST_CASE("a node alone that waits for itself is a deadlock") {
  CHECK(deadlock_of(1, [](vnode::Node& me) {
          int x[1] = {};
          me.irecv(x, 0, 3).wait();
        }).find("node 0 waits for node 0") != std::string::npos);
}

TEST_CASE("messages by rendezvous that meet head on are a deadlock") {
  const std::string text = deadlock_of(2, [](vnode::Node& me) {
    std::vector<int> x(100000);
    me.send(x, 1 - me.rank(), 3);
    me.recv(x, 1 - me.rank(), 3);
  });
  check_roll_call(text, {"node 0 is in send of 100000 elements with tag 3, and waits for node 1",
                         "node 1 is in send of 100000 elements with tag 3, and waits for node 0",
                         "; node 1 has sent it tag 3"});
}

TEST_CASE("a collective call whose other nodes wait for a message is a deadlock, whoever has left") {
  for (const int nodes : {2, 5, 16}) {
    const std::string text = deadlock_of(nodes, [](vnode::Node& me) {
      int x[1] = {};
      if (me.rank() == 1)
        me.recv(x, 0, 2);
      else
        me.all_reduce(x, std::plus<>{});
    });
    check_roll_call(text, {"node 0 is in call 1 (all_reduce of 1 x int", "node 1 is in recv"});
  }
}

TEST_CASE("blocking calls of groups in another order are a deadlock, and the groups are named") {
  const auto body = [](vnode::Node& me) {
    vnode::Group row = me.split(me.rank() / 2), column = me.split(me.rank() % 2);
    // 0 waits for 1 in the row, 1 for 3 in the column, 3 for 2 in the row, 2 for 0 in the column.
    const bool rows_first = me.rank() == 0 || me.rank() == 3;
    (rows_first ? row : column).barrier();
    (rows_first ? column : row).barrier();
  };
  const auto check_groups = [](const std::string& text) {
    CAPTURE(text);
    const std::string groups[] = {"0,1", "1,3", "0,2", "2,3"};
    for (std::size_t node = 0; node < 4; ++node) {
      const std::size_t begin = text.find("\n  node " + std::to_string(node) + " is in call 1 (barrier");
      REQUIRE(begin != std::string::npos);
      const std::string line = text.substr(begin + 1, text.find('\n', begin + 1) - begin - 1);
      CHECK(line.find(", in the group of nodes " + groups[node]) != std::string::npos);
    }
  };
  check_groups(deadlock_of(4, body));
  vnode::TeamOptions options;
  options.deadlocks = false;
  options.time_limit = std::chrono::milliseconds(300);
  vnode::Team team(4, vnode::shapes::full{}, options);
  check_groups(sentence<vnode::TimeLimitExceeded>(team, body));
}

TEST_CASE(
    "a node that waits for a message of a group is said to be in it, in the whole team's calls in none") {
  const std::string text = deadlock_of(3, [](vnode::Node& me) {
    vnode::Group others = me.split(me.rank() == 0 ? 0 : 1);
    int x[1] = {};
    if (me.rank() == 0)
      me.recv(x, 1, 4);
    else
      others.recv(x, 1 - others.rank(), 5);
  });
  check_roll_call(text, {"\n  node 0 is in recv of 1 element with tag 4, and waits for node 1\n",
                         "with tag 5, and waits for node 2, in the group of nodes 1,2",
                         "with tag 5, and waits for node 1, in the group of nodes 1,2"});
}

TEST_CASE("requests and planned calls that are waited for are a deadlock") {
  for (int form = 0; form < 3; ++form) {
    const std::string text = deadlock_of(2, [&](vnode::Node& me) {
      int x[1] = {}, y[1] = {};
      vnode::Request first = me.irecv(x, 1 - me.rank(), 1);
      if (form == 0) return first.wait();
      vnode::Group other = me.split(0);
      vnode::Request second = other.irecv(y, 1 - me.rank(), 2);
      if (form == 1) {
        me.barrier();
        return second.wait();
      }
      vnode::Persistent planned = me.persistent().all_reduce(y, std::plus<>{});
      if (me.rank() == 0) {
        planned.start();
        planned.wait();
      } else {
        first.wait();
      }
    });
    CAPTURE(form);
    CHECK(text.find("deadlock: all nodes wait") == 0);
  }
}

TEST_CASE("calls that differ are a Mismatch, although all nodes wait") {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  for (int kind = 0; kind < 3; ++kind) {
    const std::string text = sentence<vnode::Mismatch>(team, [&](vnode::Node& me) {
      std::vector<int> x(4);
      const bool odd = me.rank() == 2;
      if (kind == 0) me.broadcast(x, (me.rank() + 1) % 4);
      if (kind == 1) odd ? me.barrier() : me.all_reduce(x, std::plus<>{});
      if (kind == 2) {
        // A short broadcast lets the root pass, which waits for a message then.
        if (!odd) me.broadcast(x, me.rank() == 0 ? 0 : 3);
        me.recv(x, (me.rank() + 1) % 4);
      }
    });
    CAPTURE(text);
    CAPTURE(kind);
    CHECK(text.find("the nodes' calls do not match") == 0);
  }
}

TEST_CASE("all threads that have joined are told of a deadlock, each by the same text") {
  vnode::Team team = joined_by(3);
  std::vector<std::string> texts(3);
  on_threads(3, [&](int i) {
    try {
      const vnode::Membership me = team.join(i);
      int x[1] = {};
      me->recv(x, (i + 1) % 3);
    } catch (const vnode::Deadlock& deadlock) {
      texts[static_cast<std::size_t>(i)] = deadlock.what();
    }
  });
  CHECK(texts[0].find("deadlock: all nodes wait") == 0);
  CHECK(texts[1] == texts[0]);
  CHECK(texts[2] == texts[0]);
  CHECK(still_works(team));
}

TEST_CASE("a thread that has left its membership sends nothing any more") {
  vnode::Team team = joined_by(3);
  std::atomic<int> told{0};
  on_threads(3, [&](int i) {
    const auto use = [&] {
      const vnode::Membership me = team.join(i);
      int x[1] = {};
      if (i > 0) me->recv(x, 3 - i);
    };
    if (i == 0)
      use();
    else
      told += said_by(use).find("\n  node 0 has left the run\n") != std::string::npos;
  });
  CHECK(told == 2);
  CHECK(still_works(team));
}

TEST_CASE("a team without deadlocks waits, until its time limit if it has one") {
  vnode::TeamOptions options;
  options.deadlocks = false;
  options.time_limit = std::chrono::milliseconds(150);
  const auto circle = [](vnode::Node& me) {
    int x[1] = {};
    me.recv(x, 1 - me.rank());
  };
  vnode::Team team(2, vnode::shapes::full{}, options);
  CHECK(sentence<vnode::TimeLimitExceeded>(team, circle).find("time limit of 150 ms") != std::string::npos);
  const Variable off("VNODE_DEADLOCKS", "off");
  options.deadlocks = true;
  vnode::Team overridden(2, vnode::shapes::full{}, options);
  CHECK(sentence<vnode::TimeLimitExceeded>(overridden, circle) != "");
}

TEST_CASE("it is no deadlock while one node does something else, whatever that is") {
  struct Sum {
    bool slow;
    int operator()(int a, int b) const {
      if (slow) std::this_thread::sleep_for(long_enough);
      return a + b;
    }
  };
  const std::function<void(vnode::Node&)> others[] = {
      // sleeps
      [](vnode::Node&) { std::this_thread::sleep_for(long_enough); },
      // waits for a thread of its own
      [](vnode::Node&) {
        std::async(std::launch::async, [] { std::this_thread::sleep_for(long_enough); }).get();
      },
      // runs a team of its own, whose nodes wait, or sleep
      [](vnode::Node&) {
        vnode::Team inner(3, vnode::shapes::full{}, patient());
        inner.run([](vnode::Node& me) {
          if (me.rank() == 1) std::this_thread::sleep_for(long_enough);
          me.barrier();
        });
      },
      // tests a request in a loop, and sends after it has for long
      [](vnode::Node& me) {
        int x[1] = {};
        vnode::Request request = me.irecv(x, 1, 77);
        const auto begin = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() - begin < long_enough) CHECK(!request.test());
        me.send(x, 1, 76);
        request.wait();
      },
      // computes in an operator, within a call of a group
      [](vnode::Node& me) {
        vnode::Group alone = me.split(me.rank() == 0 ? 0 : 1);
        (void)alone;
      },
  };
  for (std::size_t kind = 0; kind < std::size(others); ++kind)
    for (const int nodes : {2, 5}) {
      CAPTURE(kind);
      vnode::Team team(nodes, vnode::shapes::full{}, patient());
      std::vector<int> sums(static_cast<std::size_t>(nodes));
      CHECK_NOTHROW(team.run([&](vnode::Node& me) {
        int x[1] = {1};
        if (kind == 3 && me.rank() == 1) {
          me.recv(x, 0, 76);
          me.send(x, 0, 77);
          x[0] = 1;
        }
        if (me.rank() == 0)
          others[kind](me);
        else if (kind == 4)
          me.split(1);
        me.all_reduce(x, Sum{kind == 4 && me.rank() % 2 == 0});
        sums[static_cast<std::size_t>(me.rank())] = x[0];
      }));
      CHECK(sums == std::vector<int>(sums.size(), nodes));
    }
}

TEST_CASE("threads that are nodes of two teams wait in one while the other waits for them") {
  vnode::Team one = joined_by(2), two = joined_by(2);
  std::atomic<int> right{0};
  on_threads(2, [&](int i) {
    const vnode::Membership first = one.join(i), second = two.join(i);
    for (int round = 0; round < 3; ++round) {
      int x[1] = {-1}, y[1] = {-1};
      const int own[1] = {i};
      if (i == 0) {
        first->recv(x, 1, round);  // node 1 waits for a message of the other team meanwhile, or sleeps
        second->send(own, 1, round);
      } else {
        std::this_thread::sleep_for(long_enough);
        first->send(own, 0, round);
        second->recv(x, 0, round);
      }
      second->sendrecv(own, 1 - i, y, 1 - i);
      right += x[0] == 1 - i && y[0] == 1 - i;
    }
  });
  CHECK(right == 6);
}
