// Tests what becomes of a matched message that nobody receives.
#include <doctest/doctest.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

constexpr std::size_t lengths[] = {0, 1, 100, 100000};  // the last by rendezvous

/// Node 0 sends to node 1, which does something with what it has matched; then all meet.
template <class Use>
std::string ended(std::size_t count, const Use& use) {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  return sentence<std::exception>(team, [&](vnode::Node& me) {
    if (me.rank() == 0) me.send(std::vector<int>(count, 5), 1, 4);
    if (me.rank() == 1) use(me);
    me.barrier();
  });
}

}  // namespace

TEST_CASE("a matched message that is dropped ends the run with a sentence, and the team goes on") {
  for (const std::size_t count : lengths)
    CHECK(ended(count, [](vnode::Node& me) { vnode::MatchedMessage message = me.mprobe(0, 4); }) ==
          "node 1 has dropped a message from node 0 with tag 4 that it had matched: a MatchedMessage is "
          "received once, by recv or irecv");
}

TEST_CASE("an exception that drops a matched message is the one that the run ends with") {
  for (const std::size_t count : lengths)
    CHECK(ended(count, [](vnode::Node& me) {
            vnode::MatchedMessage message = me.mprobe(vnode::any_source, vnode::any_tag);
            throw std::runtime_error("something else");
          }) == "something else");
}

TEST_CASE("a message that is held is not assigned to, and one that has been received is") {
  for (const std::size_t count : lengths) {
    CHECK(ended(count, [&](vnode::Node& me) {
            std::vector<int> data(count);
            vnode::MatchedMessage message = me.mprobe(0, 4);
            CHECK_THROWS_WITH_AS(message = vnode::MatchedMessage(),
                                 "a MatchedMessage that holds a message from node 0 with tag 4 is assigned "
                                 "to: receive it first, by recv or irecv",
                                 vnode::UsageError);
            CHECK(message);
            vnode::MatchedMessage moved = std::move(message);
            CHECK(!message);
            CHECK(moved.recv(data) == count);
            CHECK(!moved);
            CHECK_THROWS_AS(moved.recv(data), vnode::UsageError);
            moved = vnode::MatchedMessage();
            for (const int x : data) REQUIRE(x == 5);
          }) == "");
  }
}

TEST_CASE("a matched message that outlives its run can be received no more") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  std::optional<vnode::MatchedMessage> kept;
  CHECK(sentence<std::runtime_error>(team, [&](vnode::Node& me) {
          if (me.rank() == 0) return me.send(7, 1);
          kept.emplace(me.mprobe(0));
          throw std::runtime_error("an end");
        }) == "an end");
  CHECK(
      sentence<vnode::UsageError>(team,
                                  [&](vnode::Node& me) {
                                    if (me.rank() == 1) (void)kept->recv<int>();
                                  }) ==
      "recv of a MatchedMessage whose run has ended: it is received within the run in which it was matched");
}
