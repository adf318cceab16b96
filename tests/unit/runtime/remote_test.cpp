#include "runtime/remote.hpp"

#include <doctest/doctest.h>
#include <new>
#include <vector>

#include "processes_in_one.hpp"
#include "runtime/fabric.hpp"
#include "runtime/joint_standstill.hpp"
#include "runtime/mismatch.hpp"

namespace {

/// A wire to nobody, which has no memory for what it is told to have none for.
class PoorWire final : public vnode::Wire {
 public:
  enum class Lacks : std::uint8_t { nothing, number, announcement, receive } lacks = Lacks::nothing;
  int sent_long = 0, asked = 0;
  bool makes_way = false, brings = false;

  bool send(vnode::Rank, std::span<const std::byte>, std::span<const std::byte>) override {
    return need(Lacks::announcement);
  }
  bool tell(vnode::Rank, std::span<const std::byte>, std::span<const std::byte>) override { return true; }
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
    for (void* of : std::exchange(ended_, {})) events.ended(of, true);
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
  CHECK(remote.take_made_way() == 0);
  wire.makes_way = true;
  CHECK(remote.take_made_way() == 0);  // nobody has looked since
  CHECK_FALSE(remote.look());
  CHECK(remote.take_made_way() > 0);
  CHECK(remote.take_made_way() == 0);
  wire.brings = true;
  CHECK(remote.look());
  CHECK(remote.take_made_way() == 0);
}

// Nodes 0 and 1 are in process 0; node 2, in process 1, has left.
TEST_CASE("that a node has left is known with its calls, and to whoever has all that it has sent") {
  vnode_test::ProcessesInOne wires(2, 2);
  vnode::Fabric here(options_of(wires, 0)), there(options_of(wires, 1));
  vnode::Remote zero(here, 0, wires.transport(0).wire(0)), one(here, 1, wires.transport(0).wire(1));
  vnode::Remote two(there, 2, wires.transport(1).wire(0));
  for (vnode::Remote* remote : {&zero, &one}) here.joint_standstill()->add(*remote);
  there.world().station(2).history.store(vnode::History{7, 0}.word());
  there.presence(2).left.store(1);
  constexpr vnode::Rank to_ask[] = {2};
  zero.inquire(to_ask);
  two.poll();
  zero.poll();
  const vnode::Awaited message{nullptr, vnode::Context::messages, 3, 0, 2};
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
  std::vector<vnode::Station> stations(3);
  const vnode::Context group(5, {2, 0, 1}, {&stations[0], &stations[1], &stations[2]});
  for (vnode::Station& station : stations) station.begin_at(7);
  for (const std::size_t member : {1u, 2u}) stations[member].history.store(vnode::History{8, 42}.word());
  CHECK(vnode::difference_text(fabric, group) == "");
  stations[2].history.store(vnode::History{8, 43}.word());
  CHECK(vnode::difference_text(fabric, group).find("node 0 and node 1") != std::string::npos);
}
