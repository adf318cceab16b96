#include <doctest/doctest.h>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>

namespace {

/// Returns the text of the exception E that `body` makes a run of `nodes` nodes end with; "" if it ends well.
template <class E>
std::string failure(int nodes, const vnode::TeamOptions& options,
                    const std::function<void(vnode::Node&)>& body) {
  vnode::Team team(nodes, vnode::shapes::full{}, options);
  std::string text;
  try {
    team.run(body);
  } catch (const E& error) {
    text = error.what();
  }
  // Whatever happened, the team works.
  team.run([](vnode::Node& me) {
    std::vector<int> x(3, me.rank());
    me.broadcast(x, me.size() - 1);
    CHECK(x == std::vector<int>(3, me.size() - 1));
  });
  return text;
}

std::string mismatch(int nodes, const std::function<void(vnode::Node&)>& body, bool checked = false) {
  vnode::TeamOptions options;
  options.checked = checked;
  options.time_limit = std::chrono::seconds(20);
  return failure<vnode::Mismatch>(nodes, options, body);
}

bool contains(const std::string& text, const std::string& part) {
  CAPTURE(text);
  CAPTURE(part);
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}

}

TEST_CASE("another root is named, on both sides") {
  for (const bool checked : {false, true}) {
    const std::string text = mismatch(
        3,
        [](vnode::Node& me) {
          std::vector<double> x(10);
          me.broadcast(x, me.rank() == 2 ? 2 : 0);
        },
        checked);
    contains(text, "the nodes' calls do not match");
    contains(text, "broadcast of 10 x double, root 0");
    contains(text, "broadcast of 10 x double, root 2");
  }
}

TEST_CASE("all nodes expecting another root do not wait for ever") {
  const std::string text = mismatch(2, [](vnode::Node& me) {
    std::vector<double> x(10);
    me.broadcast(x, 1 - me.rank());
  });
  contains(text, "root 0");
  contains(text, "root 1");
}

TEST_CASE("another count is named") {
  for (const std::size_t count : {2u, 100000u}) {
    const std::string text = mismatch(2, [count](vnode::Node& me) {
      std::vector<int> x(me.rank() == 0 ? 1 : count);
      me.broadcast(x, 0);
    });
    contains(text, "broadcast of 1 x int");
    contains(text, "broadcast of " + std::to_string(count) + " x int");
  }
}

TEST_CASE("another element type is named") {
  const std::string text = mismatch(2, [](vnode::Node& me) {
    std::vector<float> floats(4);
    std::vector<int> ints(4);
    if (me.rank() == 0)
      me.broadcast(floats, 0);
    else
      me.broadcast(ints, 0);
  });
  contains(text, "4 x float");
  contains(text, "4 x int");
}

TEST_CASE("another operator is named") {
  const std::string text = mismatch(2, [](vnode::Node& me) {
    std::vector<int> x(4);
    if (me.rank() == 0)
      me.reduce(x, std::plus<>{});
    else
      me.reduce(x, vnode::maximum{});
  });
  contains(text, "with std::plus");
  contains(text, "maximum");
}

TEST_CASE("another collective is named") {
  const std::string text = mismatch(4, [](vnode::Node& me) {
    std::vector<int> x(4);
    if (me.rank() == 3)
      me.barrier();
    else
      me.broadcast(x);
  });
  contains(text, "barrier");
  contains(text, "broadcast of 4 x int");
}

TEST_CASE("a node that leaves the run without the call is named") {
  const std::string text = mismatch(4, [](vnode::Node& me) {
    if (me.rank() != 2) me.barrier();
  });
  contains(text, "barrier");
  contains(text, "node 2 has left the run without it");
}

TEST_CASE("what nobody receives is named at the end of the run") {
  const std::string text = mismatch(2, [](vnode::Node& me) {
    std::vector<int> x(4);
    if (me.rank() == 0) me.broadcast(x);
  });
  contains(text, "node 1 left the run without receiving what node 0 sent it");
  contains(text, "broadcast of 4 x int, root 0");
}

TEST_CASE("who waits for a message to or from a node that has left is told in which call") {
  const auto check_waits = [](const std::string& call, const std::function<void(vnode::Node&)>& waits) {
    CHECK(mismatch(2, [&](vnode::Node& me) {
            if (me.rank() == 1) waits(me);
          }) == "node 1 waits for node 0 in " + call + " with tag 3, but node 0 has left the run");
  };
  check_waits("recv", [](vnode::Node& me) { (void)me.recv<int>(0, 3); });
  check_waits("probe", [](vnode::Node& me) { (void)me.probe(0, 3); });
  check_waits("send", [](vnode::Node& me) { me.ssend(1, 0, 3); });
  // A receive that is waited for later than a send with the same tag is still one.
  check_waits("recv", [](vnode::Node& me) {
    int in = 0;
    const int out = 0;
    vnode::Request receive = me.irecv(in, 0, 3), send = me.isend(out, 0, 3);
    receive.wait();
  });
}

TEST_CASE("a message that nobody receives is named by its tag") {
  CHECK(mismatch(2, [](vnode::Node& me) {
          if (me.rank() == 0) me.send(1, 1, 2000);
        }) == "node 1 left the run without receiving what node 0 sent it with tag 2000 (send of 1 element)");
  // The node has set it aside, and its sender has sent another since.
  CHECK(mismatch(2, [](vnode::Node& me) {
          if (me.rank() == 0) {
            me.send(1, 1, 2000);
            me.send(1, 1, 3);
          } else {
            (void)me.recv<int>(0, 3);
          }
        }) == "node 1 left the run without receiving what node 0 sent it with tag 2000");
}

TEST_CASE("a message of a group that nobody receives is named with the group, if that is still there") {
  vnode::Group kept[3];
  const std::string text = mismatch(3, [&](vnode::Node& me) {
    vnode::Group& pair = kept[me.rank()];
    pair = me.split(me.rank() / 2);
    if (me.rank() == 0) pair.send(1, 1, 7);
  });
  CHECK(text ==
        "node 1 left the run without receiving what node 0 sent it with tag 7 (send of 1 element), in the "
        "group of "
        "nodes 0,1");
}

TEST_CASE("what nobody receives in a group is named, although the group has ended") {
  std::vector<std::vector<std::string>> later(3);
  const std::string text = mismatch(3, [&](vnode::Node& me) {
    {
      vnode::Group pair = me.split(me.rank() / 2);
      std::vector<int> x(4);
      if (me.rank() == 0) pair.broadcast(x);
    }
    me.barrier({"barrier_central"});
    // What lay where the group did is something else now.
    for (std::size_t bytes = 16; bytes < 4096; bytes += 8)
      for (int i = 0; i < 8; ++i) later[static_cast<std::size_t>(me.rank())].emplace_back(bytes, '?');
  });
  contains(text, "node 1 left the run without receiving what node 0 sent it");
  contains(text, "broadcast of 4 x int, root 0");
}

TEST_CASE("a short publication that nobody reads is named at the end of the run") {
  const std::string text = mismatch(3, [](vnode::Node& me) {
    std::vector<int> x(3, 77);
    me.barrier();
    if (me.rank() == 0) me.broadcast(x, 0, {"broadcast_direct"});
  });
  contains(text, "node 1 has left the run without call 2 (broadcast of 3 x int, root 0");
  contains(text, "which node 0 has made");
}

TEST_CASE("a message of another type or too long is named") {
  contains(mismatch(2,
                    [](vnode::Node& me) {
                      std::vector<float> floats(4);
                      std::vector<int> ints(4);
                      if (me.rank() == 0)
                        me.send(floats, 1, 7);
                      else
                        me.recv(ints, 0, 7);
                    }),
           "what node 0 sends to node 1 with tag 7 is of another type");
  for (const std::size_t count : {5u, 5000u})
    contains(mismatch(2,
                      [count](vnode::Node& me) {
                        std::vector<int> x(me.rank() == 0 ? count : 4);
                        if (me.rank() == 0)
                          me.send(x, 1);
                        else
                          me.recv(x, 0);
                      }),
             "a message of " + std::to_string(count) +
                 " elements from node 0 with tag 0 does not fit the 4 elements");
}

TEST_CASE("a receive from a node that has left is hopeless") {
  contains(mismatch(2,
                    [](vnode::Node& me) {
                      int x[1];
                      if (me.rank() == 0) me.recv(x, 1, 3);
                    }),
           "node 1 has left the run");
}

TEST_CASE("a time limit turns a hang into a report of all nodes") {
  vnode::TeamOptions options;
  options.time_limit = std::chrono::milliseconds(500);
  const std::string text = failure<vnode::TimeLimitExceeded>(3, options, [](vnode::Node& me) {
    std::vector<int> x(4);
    if (me.rank() == 0) me.recv(x, 1, 5);
    if (me.rank() == 1) me.recv(x, 2, 6);
    // Who tests may do something else one day, so this is no deadlock that is certain.
    vnode::Request third = me.irecv(x, 0, 7);
    while (!third.test()) std::this_thread::yield();
  });
  contains(text, "time limit of 500 ms");
  contains(text, "node 0 is in recv of 4 elements with tag 5, and waits for node 1");
  contains(text, "waits for node 1");
  contains(text, "waits for node 2");
  contains(text, "\n  node 2 is in");
}
