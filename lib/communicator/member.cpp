#include "communicator/member.hpp"

#include <exception>
#include <utility>

#include <vnode/error.hpp>

#include "machine/binding.hpp"
#include "runtime/agreement.hpp"
#include "runtime/point_to_point.hpp"

namespace vnode {
namespace {

constexpr std::uint16_t world = 0;

Correspondence correspondence(Rank peer, int tag, const ElementType& type) {
  return {peer, static_cast<std::uint32_t>(tag), static_cast<std::uint32_t>(type.hash), type.bytes};
}

const CallKind sending{"send", {}, {}, {}, -1, 1}, receiving{"recv", {}, {}, {}, -1, 2},
    exchanging{"sendrecv", {}, {}, {}, -1, 3};

}

Member::Member(const Common& common, Rank rank, int numa_os_index)
    : common_(common),
      endpoint_(common.fabric, rank),
      waiter_(common.fabric, rank, common.policy, common.time_limit),
      numa_(numa_os_index) {}

Member::~Member() { release_pages(scratch_, scratch_bytes()); }

template <class Body>
void Member::guarded(Body&& body) {
  Fabric& fabric = common_.fabric;
  try {
    if (fabric.aborted()) throw Aborted("another node has failed");
    body();
  } catch (...) {
    fabric.abort(std::current_exception());
    fabric.quiesce();
    throw;
  }
  fabric.presence(endpoint_.rank()).journal.end();
}

template <class Activity>
void Member::wait(Activity& activity) {
  waiter_.wait([&] { return activity.advance(); }, [&] { return activity.awaited(); },
               [&] { return activity.watch(); });
}

void Member::collective(const CallKey& key, const std::byte* input, std::byte* output,
                        const Reduction* reduction) {
  guarded([&] {
    const PreparedCall& call = prepared(key);
    ++calls_;
    last_algorithm_ = call.algorithm->name;
    common_.fabric.presence(endpoint_.rank()).journal.begin(world, calls_, call.record);
    if (common_.checked) {
      Agreement agreement(common_.fabric, endpoint_.rank(), world, calls_, call.signature);
      wait(agreement);
    }
    run(call, input, output, reduction);
  });
}

void Member::run(const PreparedCall& call, const std::byte* input, std::byte* output,
                 const Reduction* reduction) {
  const Program& program = call.plan.programs[static_cast<std::size_t>(endpoint_.rank())];
  Call made;
  made.head = {calls_, call.signature, world, 0, Kind::data, 0};
  made.memories = {const_cast<std::byte*>(input), output, scratch(program.scratch_bytes)};
  made.reduction = reduction;
  made.element_bytes = call.key.element_bytes;
  Execution execution(endpoint_, call.plan, made);
  wait(execution);
}

const PreparedCall& Member::prepared(const CallKey& key) {
  auto& slot = recent_[key.hash() % remembered];
  if (slot == nullptr || !(slot->key == key)) slot = common_.plans.prepare(key);
  return *slot;
}

std::byte* Member::scratch(std::size_t bytes) {
  if (bytes > scratch_bytes()) {
    // Nobody reads the old one: calls await their readers before they return.
    release_pages(std::exchange(scratch_, nullptr), scratch_bytes_.exchange(0, std::memory_order_relaxed));
    scratch_ = allocate_pages(bytes, numa_);
    scratch_bytes_.store(bytes, std::memory_order_relaxed);
  }
  return scratch_;
}

void Member::send(const std::byte* data, std::size_t bytes, const ElementType& type, Rank to, int tag) {
  guarded([&] {
    common_.fabric.presence(endpoint_.rank())
        .journal.begin(Journal::point_to_point, static_cast<std::uint32_t>(tag),
                       {&sending, bytes / type.bytes});
    Sending message(endpoint_, correspondence(to, tag, type), data, bytes, common_.profile);
    wait(message);
  });
}

std::size_t Member::receive(std::byte* data, std::size_t room, const ElementType& type, Rank from, int tag) {
  std::size_t received = 0;
  guarded([&] {
    common_.fabric.presence(endpoint_.rank())
        .journal.begin(Journal::point_to_point, static_cast<std::uint32_t>(tag),
                       {&receiving, room / type.bytes});
    Receiving message(endpoint_, correspondence(from, tag, type), data, room, common_.profile);
    wait(message);
    received = message.bytes() / type.bytes;
  });
  return received;
}

std::size_t Member::exchange(const std::byte* out, std::size_t out_bytes, Rank to, std::byte* in,
                             std::size_t room, Rank from, const ElementType& type, int tag) {
  std::size_t received = 0;
  guarded([&] {
    common_.fabric.presence(endpoint_.rank())
        .journal.begin(Journal::point_to_point, static_cast<std::uint32_t>(tag),
                       {&exchanging, out_bytes / type.bytes});
    Sending outgoing(endpoint_, correspondence(to, tag, type), out, out_bytes, common_.profile);
    Receiving incoming(endpoint_, correspondence(from, tag, type), in, room, common_.profile);
    bool sent = false, arrived = false;
    waiter_.wait(
        [&] {
          sent = sent || outgoing.advance();
          arrived = arrived || incoming.advance();
          return sent && arrived;
        },
        [&] { return arrived ? outgoing.awaited() : incoming.awaited(); },
        [&] { return arrived ? outgoing.watch() : incoming.watch(); });
    received = incoming.bytes() / type.bytes;
  });
  return received;
}

void Member::reset() {
  endpoint_.reset();
  calls_ = 0;
}

}
