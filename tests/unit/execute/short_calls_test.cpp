// Calls of one message in lines each way take a way of their own (execute/short_program.hpp). Whatever is in
// it, they end as all others do.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <doctest/doctest.h>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <vnode/model/trace.hpp>
#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

enum class Form { blocking, nonblocking, persistent };
constexpr Form forms[] = {Form::blocking, Form::nonblocking, Form::persistent};

/// Describes how a node makes calls, and of how many elements: by default, their messages are of one line.
struct Way {
  Form form;
  std::size_t count = 2;
};

/// A node's calls, made one way: each is correct for any number of turns, and its result is checked.
class ShortCalls {
 public:
  ShortCalls(vnode::Node& me, const Way& way)
      : me_(me), form_(way.form), x_(way.count), sum_(way.count), root_(way.count) {
    if (form_ != Form::persistent) return;
    planned_.push_back(me.persistent().barrier());
    planned_.push_back(me.persistent().all_reduce(x_, sum_, std::plus<>{}));
    planned_.push_back(me.persistent().broadcast(root_, 1));
  }

  void barrier() {
    call(
        0, [&] { me_.barrier(); }, [&] { return me_.nonblocking().barrier(); });
  }
  void all_reduce() {
    std::ranges::fill(x_, 5);
    x_.back() = turn_ + me_.rank();
    call(
        1, [&] { me_.all_reduce(x_, sum_, std::plus<>{}); },
        [&] { return me_.nonblocking().all_reduce(x_, sum_, std::plus<>{}); });
    REQUIRE(sum_.front() == 10);
    REQUIRE(sum_.back() == 2 * turn_ + 1);
  }
  void broadcast() {
    ++turn_;
    std::ranges::fill(root_, me_.rank() == 1 ? turn_ : -1);
    call(
        2, [&] { me_.broadcast(root_, 1); }, [&] { return me_.nonblocking().broadcast(root_, 1); });
    REQUIRE(root_.front() == turn_);
    REQUIRE(root_.back() == turn_);
  }
  void all() {
    barrier();
    all_reduce();
    broadcast();
  }

 private:
  template <class Blocking, class Nonblocking>
  void call(std::size_t planned, Blocking&& blocking, Nonblocking&& nonblocking) {
    switch (form_) {
      case Form::blocking:
        return blocking();
      case Form::nonblocking:
        return nonblocking().wait();
      case Form::persistent:
        planned_[planned].start();
        planned_[planned].wait();
    }
  }

  vnode::Node& me_;
  Form form_;
  std::int64_t turn_ = 0;
  std::vector<std::int64_t> x_, sum_, root_;
  std::vector<vnode::Persistent> planned_;
};

/// Calls body(team, way) for each form and messages of one line and of six, both engines, and all ways of
/// waiting.
template <class Body>
void in_each_way(const Body& body) {
  std::vector<Way> ways;
  for (const Form form : forms) ways.insert(ways.end(), {Way{form}, Way{form, 40}});
  for (const vnode::ChannelEngine engine : {vnode::ChannelEngine::line, vnode::ChannelEngine::boost})
    for (const vnode::Wait wait :
         {vnode::Wait::automatic, vnode::Wait::spin, vnode::Wait::yield, vnode::Wait::park})
      for (const Way& way : ways) {
        vnode::TeamOptions options = patient();
        options.channel = engine;
        options.wait = wait;
        vnode::Team team(2, vnode::shapes::full{}, options);
        CAPTURE(static_cast<int>(engine));
        CAPTURE(static_cast<int>(wait));
        CAPTURE(static_cast<int>(way.form));
        CAPTURE(way.count);
        body(team, way);
      }
}

struct Triplet {  // as many bytes as no machine word
  std::int32_t a, b, c;
  friend bool operator==(const Triplet&, const Triplet&) = default;
};

}  // namespace

TEST_CASE("nothing is in the way of short calls") {
  in_each_way([](vnode::Team& team, const Way& way) {
    team.run([&](vnode::Node& me) {
      ShortCalls calls(me, way);
      for (int i = 0; i < 50; ++i) calls.all();
    });
  });
}

TEST_CASE("short calls of every size and type, in both orders of the operands") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  const auto all_sizes = [&](auto element) {
    using Element = decltype(element);
    std::vector<std::size_t> counts;  // of one line, of several, and of more than lines carry
    for (std::size_t count = 0; count * sizeof(Element) <= 64; ++count) counts.push_back(count);
    for (const std::size_t bytes : {104u, 160u, 216u, 512u, 1056u, 1064u})
      counts.push_back(bytes / sizeof(Element));
    team.run([&](vnode::Node& me) {
      for (const std::size_t count : counts)
        for (int time = 0; time < 2; ++time) {
          std::vector<Element> x(count), sum(count);
          for (std::size_t i = 0; i < count; ++i)
            x[i] = static_cast<Element>((me.rank() + 1) * 3 + static_cast<int>(i));
          // Not commutative: what node 0 brings is the left operand on both.
          me.all_reduce(x, sum,
                        [](Element left, Element right) { return static_cast<Element>(2 * left + right); });
          for (std::size_t i = 0; i < count; ++i)
            REQUIRE(sum[i] == static_cast<Element>(2 * (3 + static_cast<int>(i)) + 6 + static_cast<int>(i)));
          for (const int root : {0, 1}) {
            std::vector<Element> y = x;
            me.broadcast(y, root);
            for (std::size_t i = 0; i < count; ++i)
              REQUIRE(y[i] == static_cast<Element>((root + 1) * 3 + static_cast<int>(i)));
          }
        }
    });
  };
  all_sizes(std::int8_t{});
  all_sizes(std::int16_t{});
  all_sizes(float{});
  all_sizes(double{});
  team.run([](vnode::Node& me) {
    for (std::size_t count = 0; count <= 5; ++count)
      for (int time = 0; time < 2; ++time) {
        std::vector<Triplet> x(count, Triplet{me.rank(), 2, 3});
        me.all_reduce(x, [](Triplet left, Triplet right) {
          return Triplet{10 * left.a + right.a, left.b + right.b, left.c * right.c};
        });
        REQUIRE(x == std::vector<Triplet>(count, Triplet{1, 4, 9}));
      }
  });
}

TEST_CASE("a channel is full when a short call sends") {
  in_each_way([](vnode::Team& team, const Way& way) {
    team.run([&](vnode::Node& me) {
      constexpr int many = 200;  // lines, of which a channel has 64 at most
      ShortCalls calls(me, way);
      for (int time = 0; time < 3; ++time) {
        calls.all();
        std::array<int, many> numbers{};
        std::iota(numbers.begin(), numbers.end(), 0);
        std::vector<vnode::Request> sent;
        if (me.rank() == 0)
          for (const int& number : numbers) sent.push_back(me.isend(number, 1, number));
        calls.all();
        if (me.rank() == 1)
          for (int i = many; i-- > 0;) REQUIRE(me.recv<int>(0, i) == i);
        calls.all();
        vnode::wait_all(sent);
      }
    });
  });
}

TEST_CASE("another message is in front of a short call's") {
  in_each_way([](vnode::Team& team, const Way& way) {
    team.run([&](vnode::Node& me) {
      ShortCalls calls(me, way);
      for (int i = 0; i < 20; ++i) {
        const int peer = 1 - me.rank();
        if (i % 3 != me.rank()) me.send(i, peer, 1);
        calls.all();  // what it sets aside stays so
        me.send(i, peer, 2);
        calls.all();
        REQUIRE(me.recv<int>(peer, 2) == i);
        if (i % 3 != peer) REQUIRE(me.recv<int>(peer, 1) == i);
        calls.all();
      }
    });
  });
}

TEST_CASE("other calls are in flight beside a short one") {
  in_each_way([](vnode::Team& team, const Way& way) {
    team.run([&](vnode::Node& me) {
      ShortCalls calls(me, way);
      vnode::Group group = me.split(0);
      std::array<int, 1> received{}, sum{}, first{};
      for (int i = 0; i < 20; ++i) {
        vnode::Request receive = me.irecv(received, 1 - me.rank(), 3);
        sum[0] = 1;
        // Of two groups in either order, and two of one group that are waited for in the other order.
        vnode::Request other;
        if (me.rank() == 0) other = group.nonblocking().all_reduce(sum, std::plus<>{});
        first[0] = me.rank() + i;
        vnode::Request earlier = me.nonblocking().broadcast(first, 0);
        calls.all();
        if (me.rank() == 1) other = group.nonblocking().all_reduce(sum, std::plus<>{});
        me.send(i, 1 - me.rank(), 3);
        calls.all();
        other.wait();
        earlier.wait();
        receive.wait();
        REQUIRE(received[0] == i);
        REQUIRE(sum[0] == 2);
        REQUIRE(first[0] == i);
      }
    });
  });
}

TEST_CASE("short calls of a run are recorded, and those of the next are not") {
  for (const Form form : forms) {
    vnode::Team team(2, vnode::shapes::full{}, patient());
    const auto body = [&](vnode::Node& me) {
      ShortCalls calls(me, {form});
      for (int i = 0; i < 5; ++i) calls.all();
    };
    team.run(body);
    team.trace(1000);
    team.run(body);
    REQUIRE(team.take_trace().calls.size() == 15);
    team.trace(0);
    team.run(body);
    CHECK(team.take_trace().calls.empty());
  }
}

TEST_CASE("an operator throws in a short call") {
  for (const Form form : forms) {
    vnode::Team team(2, vnode::shapes::full{}, patient());
    for (int time = 0; time < 3; ++time)
      CHECK(sentence<std::runtime_error>(team, [&](vnode::Node& me) {
              int left = 10;
              const auto op = [&](int a, int b) {
                if (me.rank() == 1 && --left == 0) throw std::runtime_error("enough");
                return a + b;
              };
              const int one = 1;
              int sum = 0;
              vnode::Persistent planned = me.persistent().all_reduce(one, sum, op);
              for (int i = 0; i < 20; ++i) {
                if (form == Form::blocking) me.all_reduce(one, sum, op);
                if (form == Form::nonblocking) me.nonblocking().all_reduce(one, sum, op).wait();
                if (form != Form::persistent) continue;
                planned.start();
                planned.wait();
              }
            }) == "enough");
  }
}

TEST_CASE("short calls that do not match are named") {
  for (const Form form : forms)
    for (int time = 0; time < 20; ++time) {
      vnode::Team team(2, vnode::shapes::full{}, patient());
      const std::string text = sentence<vnode::Mismatch>(team, [&](vnode::Node& me) {
        ShortCalls calls(me, {form});
        calls.all();
        calls.all();
        if (me.rank() == time % 2)
          calls.barrier();
        else
          calls.all_reduce();
        calls.all();
      });
      CAPTURE(text);
      CHECK(text.find("call 7 of node") != std::string::npos);
      CHECK(text.find("is barrier") != std::string::npos);
      CHECK(text.find("is all_reduce of 2 x") != std::string::npos);
    }
}

TEST_CASE("a short call is made by one of two nodes") {
  for (const Form form : forms) {
    vnode::Team team(2, vnode::shapes::full{}, patient());
    const auto after_calls = [&](const auto& rest) {
      return [&](vnode::Node& me) {
        ShortCalls calls(me, {form});
        calls.all();
        rest(me, calls);
      };
    };
    const auto contains_text = [](const std::string& text, const std::string& part) {
      CAPTURE(text);
      CHECK(text.find(part) != std::string::npos);
    };
    contains_text(sentence<vnode::Mismatch>(team, after_calls([](vnode::Node& me, ShortCalls& calls) {
                                              if (me.rank() == 0) calls.barrier();
                                            })),
                  "node 1 has left the run without it");
    // What is sent and not received.
    contains_text(sentence<vnode::Mismatch>(team, after_calls([](vnode::Node& me, ShortCalls& calls) {
                                              if (me.rank() == 1) calls.broadcast();
                                            })),
                  "node 0 left the run without receiving what node 1 sent it in call 5 (broadcast of 2 x");
    // The peer has failed, or waits for what nobody sends.
    CHECK(sentence<std::runtime_error>(team, after_calls([](vnode::Node& me, ShortCalls& calls) {
                                         if (me.rank() == 1) throw std::runtime_error("failed");
                                         calls.barrier();
                                       })) == "failed");
    contains_text(sentence<vnode::Deadlock>(team, after_calls([](vnode::Node& me, ShortCalls& calls) {
                                              if (me.rank() == 1) (void)me.recv<int>(0, 9);
                                              calls.barrier();
                                            })),
                  "node 0 is in call 5 (barrier");
  }
}
