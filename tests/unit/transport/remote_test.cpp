#include "transport/remote.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <new>
#include <utility>
#include <vector>

#include "processes_in_one.hpp"
#include "transport/fabric.hpp"
#include "watch/cluster_deadlock_detector.hpp"
#include "watch/mismatch.hpp"

namespace {

/// Is a wire to nobody, which has no memory for what it is told to have none for.
class PoorWire final : public vnode::Wire {
 public:
  enum class Lacks : std::uint8_t { nothing, number, announcement, receive } lacks = Lacks::nothing;
  int sent_long = 0, asked = 0;
  std::size_t room = 16;                                                    // for what is told, and
  std::vector<std::pair<vnode::Rank, std::vector<std::byte>>> told, heard;  // to whom, and by whom
  bool makes_way = false, brings = false, late = false;

  std::vector<std::byte> announced;  // the newest

  bool send(vnode::Rank, std::span<const std::byte> head, std::span<const std::byte> payload) override {
    need(Lacks::announcement);
    announced.assign(head.begin(), head.end());
    announced.insert(announced.end(), payload.begin(), payload.end());
    return true;
  }
  bool tell(vnode::Rank to, std::span<const std::byte> head, std::span<const std::byte> payload) override {
    if (told.size() == room) return false;
    std::vector<std::byte>& message = told.emplace_back(to, std::vector(head.begin(), head.end())).second;
    message.insert(message.end(), payload.begin(), payload.end());
    return true;
  }
  std::uint64_t refused() const override { return 0; }
  std::uint32_t number(vnode::Rank, std::size_t) override { return need(Lacks::number) ? 1 : 0; }
  void send(vnode::Rank, std::uint32_t, std::span<const std::byte>, bool, void* of) override {
    ++sent_long;
    ended_.push_back(of);
  }
  void receive(vnode::Rank, std::uint32_t, std::span<std::byte>, void* of) override {
    need(Lacks::receive);
    ++asked;
    ended_.push_back(of);
  }
  void cancel(void*) override {}
  bool yields() const override { return makes_way; }
  bool poll(Events& events) override {
    if (!late)
      for (void* of : std::exchange(ended_, {})) events.ended(of, true);
    for (const auto& [from, message] : std::exchange(heard, {})) events.arrived(from, message);
    return brings;
  }
  std::uint64_t sent(int) const override { return 0; }
  std::uint64_t received(int) const override { return 0; }

 private:
  bool need(Lacks what) const {
    if (lacks == what) throw std::bad_alloc();
    return true;
  }
  std::vector<void*> ended_;
};

/// Returns what node 2 is asked with.
std::vector<std::byte> question_of(vnode::Remote& remote, PoorWire& wire) {
  constexpr vnode::Rank two[] = {2};
  remote.inquire(two);
  return wire.told.back().second;
}

/// Four nodes, two in each process.
vnode::FabricOptions options_of(vnode_test::ProcessesInOne& wires, int process) {
  vnode::FabricOptions options;
  options.nodes = 4;
  options.transport = &wires.transport(process);
  return options;
}

}  // namespace

TEST_CASE("a long message for which there is no memory is not announced, and nobody waits for its end") {
  vnode::FabricOptions options;
  options.nodes = 2;
  vnode::Fabric fabric(options);
  PoorWire wire;
  vnode::Remote remote(fabric, 0, wire);
  const std::vector<std::byte> payload(2 * vnode::Wire::most_short);
  vnode::Cell cell;
  for (const auto lacks : {PoorWire::Lacks::number, PoorWire::Lacks::announcement}) {
    wire.lacks = lacks;
    CHECK_THROWS_AS(remote.send(1, {}, payload, nullptr, false, {&cell, 1}), std::bad_alloc);
    CHECK_FALSE(remote.sends());
    remote.quiesce();
  }
  CHECK(wire.sent_long == 0);
  wire.lacks = PoorWire::Lacks::nothing;
  CHECK(remote.send(1, {}, payload, nullptr, false, {&cell, 1}));
  CHECK(remote.sends());
  remote.quiesce();
  CHECK_FALSE(remote.sends());
  CHECK(wire.sent_long == 1);
}

TEST_CASE("a look in vain has made way for others if the wire yields, once") {
  vnode::FabricOptions options;
  options.nodes = 2;
  vnode::Fabric fabric(options);
  PoorWire wire;
  vnode::Remote remote(fabric, 0, wire);
  CHECK_FALSE(remote.look());
  CHECK(remote.take_yielded_ticks() == 0);
  wire.makes_way = true;
  CHECK(remote.take_yielded_ticks() == 0);  // nobody has looked since
  CHECK_FALSE(remote.look());
  CHECK(remote.take_yielded_ticks() > 0);
  CHECK(remote.take_yielded_ticks() == 0);
  wire.brings = true;
  CHECK(remote.look());
  CHECK(remote.take_yielded_ticks() == 0);
}

// By several links the payload may be the last to come.
TEST_CASE("a node has left only when a payload of its that was asked for is here") {
  vnode_test::ProcessesInOne wires(2, 2);
  vnode::Fabric here(options_of(wires, 0)), there(options_of(wires, 1));
  PoorWire wire, theirs;
  vnode::Remote zero(here, 0, wire), two(there, 2, theirs);
  std::vector<std::byte> payload(100 << 10);
  vnode::Cell cell;
  REQUIRE(two.send(0, {}, payload, nullptr, false, {&cell, 1}));
  wire.heard.emplace_back(2, theirs.announced);
  zero.look();
  vnode::Head head;
  REQUIRE(here.channel(2, 0).front(head));
  const auto announced = vnode::Remote::Announcement::in(here.channel(2, 0).payload(head.bytes, nullptr));
  wire.late = true;
  CHECK(zero.payload(announced, payload) == nullptr);
  there.shared(2).left.store(1);
  theirs.heard.emplace_back(0, question_of(zero, wire));
  two.look();
  REQUIRE(theirs.told.size() == 1);
  wire.heard.emplace_back(2, theirs.told[0].second);
  zero.look();
  CHECK_FALSE(zero.has_left(2));
  wire.late = false;
  zero.look();
  CHECK(zero.payload(announced, payload) == payload.data());
  CHECK(zero.has_left(2));
}

TEST_CASE("questions and answers that the wire has no room for are sent when it has some") {
  vnode_test::ProcessesInOne wires(2, 2);
  vnode::Fabric here(options_of(wires, 0)), there(options_of(wires, 1));
  PoorWire asking, answering;
  vnode::Remote zero(here, 0, asking), two(there, 2, answering);
  asking.room = 1;
  constexpr vnode::Rank all[] = {0, 1, 2, 3};
  for (int twice = 0; twice < 2; ++twice) zero.inquire(all);
  zero.look();
  REQUIRE(asking.told.size() == 1);
  CHECK(asking.told[0].first == 2);
  asking.room = 16;
  zero.look();
  zero.look();
  const auto asked = [&](vnode::Rank node) {
    return std::ranges::count(asking.told, node, [](const auto& one) { return one.first; });
  };
  CHECK(asked(2) == 2);
  CHECK(asked(3) == 1);

  answering.room = 0;
  for (const vnode::Rank node : {0, 1}) answering.heard.emplace_back(node, asking.told[0].second);
  two.look();
  CHECK(answering.told.empty());
  there.shared(2).left.store(1);
  answering.room = 16;
  two.look();
  REQUIRE(answering.told.size() == 2);
  asking.heard.emplace_back(2, answering.told[0].second);
  zero.look();
  CHECK(zero.has_left(2));  // as it is when it answers
}

// Of two processes that tell of a failure, the one that has not failed itself may be heard first.
TEST_CASE("a node that leaves a failed run does not answer that it has left") {
  vnode_test::ProcessesInOne wires(2, 2);
  vnode::Fabric here(options_of(wires, 0)), there(options_of(wires, 1));
  PoorWire asking, answering;
  vnode::Remote zero(here, 0, asking), two(there, 2, answering);
  there.abort_from_outside("node 3 has failed");
  there.shared(2).left.store(1);
  answering.heard.emplace_back(0, question_of(zero, asking));
  two.look();
  REQUIRE(answering.told.size() == 1);
  asking.heard.emplace_back(2, answering.told[0].second);
  zero.look();
  CHECK_FALSE(zero.has_left(2));
}

// Nodes 0 and 1 are in process 0; node 2, in process 1, has left.
TEST_CASE("that a node has left is known with its calls, and to whoever has all that it has sent") {
  vnode_test::ProcessesInOne wires(2, 2);
  vnode::Fabric here(options_of(wires, 0)), there(options_of(wires, 1));
  vnode::Remote zero(here, 0, wires.transport(0).wire(0)), one(here, 1, wires.transport(0).wire(1));
  vnode::Remote two(there, 2, wires.transport(1).wire(0));
  for (vnode::Remote* remote : {&zero, &one}) here.cluster_detector()->add(*remote);
  there.world().member_state(2).history.store(vnode::History{7, 0}.word());
  there.shared(2).left.store(1);
  constexpr vnode::Rank to_ask[] = {2};
  zero.inquire(to_ask);
  two.poll();
  zero.poll();
  const vnode::Awaited message{nullptr, vnode::message_context, 3, 0, 2};
  CHECK(vnode::why_hopeless(here, 0, message).find("node 2 has left the run") != std::string::npos);
  CHECK(vnode::why_hopeless(here, 1, message) == "");  // its message may be on its way
  const auto call = [&](std::uint32_t number) {
    return vnode::Awaited{&here.world(), here.world().id(), number, 0, 2};
  };
  CHECK(vnode::why_hopeless(here, 0, call(7)) == "");
  CHECK(vnode::why_hopeless(here, 0, call(8)).find("has left the run without it") != std::string::npos);
  CHECK(vnode::why_hopeless(here, 1, call(8)) == "");
  one.inquire(to_ask);
  two.poll();
  one.poll();
  CHECK(vnode::why_hopeless(here, 1, message).find("node 2 has left the run") != std::string::npos);
  CHECK(vnode::why_hopeless(here, 1, call(7)) == "");
  one.end_run();
  CHECK(vnode::why_hopeless(here, 1, message) == "");
  CHECK(here.noted_status(2) == "has left the run");
  here.end_run();
  CHECK(here.noted_status(2).starts_with("has not answered"));
}

TEST_CASE("calls of nodes of one process are compared in a group whose first node is in another one") {
  vnode_test::ProcessesInOne wires(2, 2);
  vnode::Fabric fabric(options_of(wires, 0));
  std::vector<vnode::MemberState> states(3);
  const vnode::Context group(5, {2, 0, 1}, {&states[0], &states[1], &states[2]});
  for (vnode::MemberState& state : states) state.begin_at(7);
  for (const std::size_t member : {1u, 2u}) states[member].history.store(vnode::History{8, 42}.word());
  CHECK(vnode::difference_text(fabric, group) == "");
  states[2].history.store(vnode::History{8, 43}.word());
  CHECK(vnode::difference_text(fabric, group).find("node 0 and node 1") != std::string::npos);
}
