#include "runtime/point_to_point.hpp"

#include <cstring>
#include <fmt/format.h>

#include <vnode/error.hpp>

#include "base/counted.hpp"
#include "runtime/mismatch.hpp"

namespace vnode {

bool Sending::advance() {
  if (stage_ == Stage::send && !send()) return false;
  if (stage_ == Stage::serve && !serve()) return false;
  if (stage_ == Stage::await) {
    if (!endpoint_.ended(ticket_)) return false;
    stage_ = Stage::done;
  }
  return true;
}

const std::atomic<std::uint64_t>* Sending::watch() const {
  if (stage_ == Stage::serve) return endpoint_.watch(with_.peer);
  return stage_ == Stage::await ? &ticket_.cell->done : nullptr;
}

bool Sending::send() {
  if (eager_) {
    if (!transfer::eager(endpoint_, with_.peer, with_.head(), data_, bytes_)) return false;
    stage_ = Stage::done;
    return true;
  }
  if (!announce()) return false;
  stage_ = shared_ ? Stage::serve : Stage::await;
  return true;
}

bool Sending::announce() {
  if (endpoint_.remote(with_.peer) != nullptr)
    return transfer::send_remotely(endpoint_, with_.peer, with_.head(), data_, bytes_, synchronous_, ticket_,
                                   [](std::byte*) {});
  const MessageMemory own{const_cast<std::byte*>(data_), shared_};
  return transfer::announce(endpoint_, with_.peer, with_.head(), Kind::source, own, bytes_, ticket_);
}

bool Sending::serve() {
  return transfer::receive<MessageMemory>(
      endpoint_, with_.peer, with_.head(Kind::destination), {}, [](const std::byte*, std::size_t) {},
      [&](const Announcement<MessageMemory>& theirs) {
        transfer::finish(endpoint_, with_.peer, theirs.ticket, [&] {
          const std::size_t first = receivers_part({.bytes = bytes_, .element_bytes = with_.element_bytes});
          Work{endpoint_, with_.element_bytes}.copy(theirs.memory.data + first, data_ + first,
                                                    bytes_ - first);
        });
        stage_ = Stage::await;
      });
}

bool Receiving::advance() {
  if (stage_ == Stage::receive && !receive()) return false;
  if (stage_ == Stage::remote && !receive_remotely()) return false;
  if (stage_ == Stage::expose && !expose()) return false;
  if (stage_ == Stage::pull) pull();
  if (stage_ == Stage::await) {
    if (!endpoint_.ended(ticket_)) return false;
    stage_ = Stage::done;
  }
  return true;
}

const std::atomic<std::uint64_t>* Receiving::watch() const {
  if (stage_ == Stage::receive) return endpoint_.watch(with_.peer);
  return stage_ == Stage::await ? &ticket_.cell->done : nullptr;
}

void Receiving::expect(std::size_t bytes) {
  if (bytes > room_)
    throw Mismatch(fmt::format("a message of {} from node {} with tag {} does not fit the {} of node {}",
                               counted(bytes / with_.element_bytes, "element"), with_.peer, with_.tag,
                               counted(room_ / with_.element_bytes, "element"), endpoint_.rank()));
  bytes_ = bytes;
}

inline void Receiving::carried(const std::byte* payload, std::size_t bytes) {
  expect(bytes);
  if (bytes != 0 && payload != data_) std::memcpy(data_, payload, bytes);
  stage_ = Stage::done;
}

inline void Receiving::announced(const Announcement<MessageMemory>& theirs) {
  expect(theirs.bytes);
  theirs_ = theirs;
  stage_ = theirs.memory.shared ? Stage::expose : Stage::pull;
}

void Receiving::announced(const Remote::Announcement& theirs) {
  expect(theirs.bytes);
  remote_ = theirs;
  stage_ = Stage::remote;
}

bool Receiving::receive_remotely() {
  const std::byte* const payload = endpoint_.remote()->payload(remote_, {data_, room_});
  if (payload == nullptr) return false;
  carried(payload, remote_.bytes);
  endpoint_.remote()->forget(remote_);
  return true;
}

bool Receiving::receive() {
  return transfer::receive<MessageMemory>(
      endpoint_, with_.peer, with_.head(), {data_, room_},
      [&](const std::byte* payload, std::size_t bytes) { carried(payload, bytes); },
      [&](const Announcement<MessageMemory>& theirs) { announced(theirs); },
      [&](const Remote::Announcement& theirs) {
        endpoint_.done(with_.peer);
        announced(theirs);
        return true;
      });
}

void Receiving::take(const Head& head, const std::byte* payload) {
  if (head.signature != with_.signature)
    throw Mismatch(mismatch_text(endpoint_.fabric(), endpoint_.rank(), with_.peer, head.context, head.call));
  if (head.kind == Kind::data)
    carried(payload, head.bytes);
  else if (head.kind == Kind::remote)
    announced(Remote::Announcement::in(payload));
  else
    announced(Announcement<MessageMemory>::in(payload));
}

bool Receiving::expose() {
  if (!transfer::announce(endpoint_, with_.peer, with_.head(), Kind::destination, MessageMemory{data_, true},
                          bytes_, ticket_))
    return false;
  stage_ = Stage::pull;
  return true;
}

void Receiving::pull() {
  const bool shared = theirs_.memory.shared;
  transfer::finish(endpoint_, with_.peer, theirs_.ticket, [&] {
    const std::size_t part =
        shared ? receivers_part({.bytes = bytes_, .element_bytes = with_.element_bytes}) : bytes_;
    Work{endpoint_, with_.element_bytes}.copy(data_, theirs_.memory.data, part);
  });
  stage_ = shared ? Stage::await : Stage::done;
}

}  // namespace vnode
