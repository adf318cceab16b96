// Tests messages of what layouts pick, in all forms that messages have.
#include <array>
#include <cstddef>
#include <doctest/doctest.h>
#include <numeric>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;
namespace layouts = vnode::layouts;

namespace {

constexpr std::size_t lengths[] = {1, 20, 5000};  // in a line, in several, by rendezvous

std::vector<int> numbered(std::size_t count, int from) {
  std::vector<int> made(count);
  std::iota(made.begin(), made.end(), from);
  return made;
}

/// Every other element of a range of so many, and whether these and no others are from, from + 1 ...
vnode::Layout every_other(std::size_t count) { return layouts::vector(count, 1, 2); }
bool are(const std::vector<int>& range, int from) {
  for (std::size_t i = 0; i < range.size(); ++i)
    if (range[i] != (i % 2 == 0 ? from + static_cast<int>(i / 2) : -1)) return false;
  return true;
}

}  // namespace

TEST_CASE("what a layout picks is received from any source with any tag, and it is said what came") {
  for (const std::size_t count : lengths) {
    vnode::Team team(3, vnode::shapes::full{}, patient());
    team.run([&](vnode::Node& me) {
      const vnode::MessageInfo expected{1, 6, count * sizeof(int)};
      for (int form = 0; form < 7; ++form) {
        CAPTURE(form);
        std::vector<int> range(2 * count, -1);
        const auto picked = laid(range, every_other(count));
        if (me.rank() == 1) me.send(numbered(count, form), 0, 6);
        if (me.rank() == 0) {
          vnode::MessageInfo info;
          if (form == 0) CHECK(me.recv(picked, vnode::any_source, vnode::any_tag, info) == count);
          if (form == 1) CHECK(me.recv(picked, 1, 6, info) == count);
          if (form == 2 || form == 3) {
            vnode::Request request = me.irecv(picked, form == 2 ? vnode::any_source : 1, vnode::any_tag);
            request.wait();
            CHECK(request.count() == count);
            info = request.info();
          }
          if (form == 4) info = me.sendrecv(range, vnode::no_rank, 9, picked, vnode::any_source, 6);
          if (form >= 5) {
            vnode::MatchedMessage message = me.mprobe(vnode::any_source, vnode::any_tag);
            info = message.info();
            if (form == 5)
              CHECK(message.recv(picked) == count);
            else
              message.irecv(picked).wait();
          }
          CHECK(info == expected);
          CHECK(are(range, form));
        }
        me.barrier();
      }
    });
  }
}

TEST_CASE("receives into layouts get messages in the order in which they were started") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    if (me.rank() == 0) {
      me.barrier();
      for (int i = 0; i < 3; ++i) me.send(numbered(4, 10 * i), 1, 5);
      return;
    }
    std::array<std::vector<int>, 3> ranges;
    ranges.fill(std::vector<int>(8, -1));
    std::array<vnode::Request, 3> requests{me.irecv(laid(ranges[0], every_other(4)), vnode::any_source, 5),
                                           me.irecv(laid(ranges[1], every_other(4)), 0, 5),
                                           me.irecv(laid(ranges[2], every_other(4)), 0, vnode::any_tag)};
    me.barrier();
    vnode::wait_all(requests);
    for (int i = 0; i < 3; ++i) CHECK(are(ranges[static_cast<std::size_t>(i)], 10 * i));
  });
}

TEST_CASE("synchronous sends take layouts, and wait for the receiver") {
  for (const std::size_t count : lengths) {
    vnode::Team team(2, vnode::shapes::full{}, patient());
    team.run([&](vnode::Node& me) {
      std::vector<int> range = numbered(2 * count, 0), got(count);
      const auto picked = laid(range, every_other(count));
      if (me.rank() == 0) {
        vnode::Request sent = me.issend(picked, 1, 3);
        CHECK(!sent.test());
        me.send(1, 1, 1);
        sent.wait();
        me.ssend(picked, 1, 3);
        return;
      }
      CHECK(me.recv<int>(0, 1) == 1);
      for (int i = 0; i < 2; ++i) {
        CHECK(me.recv(got, 0, 3) == count);
        CHECK(got.back() == static_cast<int>(2 * count) - 2);
      }
    });
  }
}

TEST_CASE("layouts are exchanged with a tag each, with any source, and replaced where they lie") {
  for (const std::size_t count : lengths)
    for (const vnode::Rank any : {vnode::Rank{-1}, vnode::any_source}) {
      vnode::Team team(2, vnode::shapes::full{}, patient());
      team.run([&](vnode::Node& me) {
        const vnode::Rank other = 1 - me.rank(), from = any == vnode::any_source ? any : other;
        std::vector<int> range(2 * count, -1);
        const auto picked = laid(range, every_other(count));
        const vnode::MessageInfo expected{other, other, count * sizeof(int)};
        CHECK(me.sendrecv(numbered(count, me.rank()), other, me.rank(), picked, from, other) == expected);
        CHECK(are(range, other));
        CHECK(me.sendrecv_replace(picked, other, me.rank(), from, other) == expected);
        CHECK(are(range, me.rank()));
        CHECK(me.sendrecv(numbered(count, me.rank()), other, picked, from, 9) == count);
        CHECK(are(range, other));
      });
    }
}

TEST_CASE("a part of what a layout picks is a message too") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    std::vector<int> range = numbered(20, 0), got(20, -1);
    if (me.rank() == 0) return me.send(laid(range, every_other(10)).subspan(3, 4), 1);
    CHECK(me.recv(laid(got, every_other(10)).subspan(5, 4), 0) == 4);
    for (int i = 0; i < 20; ++i)
      CHECK(got[static_cast<std::size_t>(i)] == (i >= 10 && i < 18 && i % 2 == 0 ? i - 4 : -1));
  });
}

TEST_CASE("a matched message is not received into a layout that picks an element twice") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    std::vector<int> range(4);
    if (me.rank() == 0) return me.send(numbered(4, 0), 1);
    vnode::MatchedMessage message = me.mprobe(0);
    const auto twice = laid(range, layouts::vector(2, 2, 1));
    CHECK_THROWS_WITH_AS(
        message.recv(twice),
        "recv: the layout 2 x 2 every 1 picks an element twice: what arrives there would be lost",
        vnode::UsageError);
    CHECK_THROWS_AS((void)message.irecv(twice), vnode::UsageError);
    CHECK(message.recv(range) == 4);
  });
}
