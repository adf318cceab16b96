#include "execute/point_to_point.hpp"

#include <cstring>
#include <fmt/format.h>

#include <vnode/error.hpp>

#include "base/counted.hpp"
#include "watch/mismatch.hpp"

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
    if (!transfer::eager(endpoint_, with_.peer, with_.head(), elements_.data(), bytes())) return false;
    stage_ = Stage::done;
    return true;
  }
  if (!announce()) return false;
  stage_ = shared_ ? Stage::serve : Stage::await;
  return true;
}

bool Sending::announce() {
  if (endpoint_.remote(with_.peer) != nullptr)
    return transfer::send_remotely(endpoint_, with_.peer, with_.head(), elements_.data(), bytes(),
                                   synchronous_, ticket_, [](std::byte*) {});
  const MessageMemory own{elements_.data(), shared_};
  return transfer::announce(endpoint_, with_.peer, with_.head(), Kind::source, own, bytes(), ticket_);
}

bool Sending::serve() {
  return transfer::receive<MessageMemory>(
      endpoint_, with_.peer, with_.head(Kind::destination), {}, [](const std::byte*, std::size_t) {},
      [&](const Announcement<MessageMemory>& theirs) {
        transfer::finish(endpoint_, with_.peer, theirs.ticket, [&] {
          const std::size_t first = receivers_part({.bytes = bytes(), .element_bytes = with_.element_bytes});
          Work{endpoint_, with_.element_bytes}.copy(theirs.memory.data + first, elements_.data() + first,
                                                    bytes() - first);
        });
        stage_ = Stage::await;
      });
}

bool Receiving::advance() {
  if (stage_ == Stage::match && !match()) return false;
  if (stage_ == Stage::receive && !receive()) return false;
  if (stage_ == Stage::take) take();
  if (stage_ == Stage::remote && !receive_remotely()) return false;
  if (stage_ == Stage::expose && !expose()) return false;
  if (stage_ == Stage::pull) pull();
  if (stage_ == Stage::await) {
    if (!endpoint_.ended(ticket_)) return false;
    stage_ = Stage::done;
  }
  elements_.unpack(bytes_ / with_.element_bytes);
  return true;
}

const std::atomic<std::uint64_t>* Receiving::watch() const {
  if (stage_ == Stage::receive) return endpoint_.watch(with_.peer);
  return stage_ == Stage::await ? &ticket_.cell->done : nullptr;
}

bool Receiving::match() {
  const auto found = endpoint_.find(with_.pattern(), std::exchange(everywhere_, false));
  if (found) bind(found->from, found->head.call);
  return found.has_value();
}

void Receiving::expect(std::size_t bytes) {
  if (bytes > elements_.bytes())
    throw Mismatch(fmt::format("a message of {} from node {} with tag {} does not fit the {} of node {}",
                               counted(bytes / with_.element_bytes, "element"), with_.peer, with_.tag,
                               counted(elements_.bytes() / with_.element_bytes, "element"),
                               endpoint_.rank()));
  bytes_ = bytes;
}

inline void Receiving::carried(const std::byte* payload, std::size_t bytes) {
  expect(bytes);
  if (bytes != 0 && payload != elements_.data()) std::memcpy(elements_.data(), payload, bytes);
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
  const std::byte* const payload =
      endpoint_.remote()->payload(remote_, {elements_.data(), elements_.bytes()});
  if (payload == nullptr) return false;
  carried(payload, remote_.bytes);
  endpoint_.remote()->forget(remote_);
  return true;
}

bool Receiving::receive() {
  return transfer::receive<MessageMemory>(
      endpoint_, with_.peer, with_.head(), {elements_.data(), elements_.bytes()},
      [&](const std::byte* payload, std::size_t bytes) { carried(payload, bytes); },
      [&](const Announcement<MessageMemory>& theirs) { announced(theirs); },
      [&](const Remote::Announcement& theirs) {
        endpoint_.done(with_.peer);
        announced(theirs);
        return true;
      });
}

/// Goes on with a message that has been taken out of its channel or the store. Throws Mismatch as advance()
/// does.
void Receiving::take() {
  const UnexpectedMessages::Owned message = std::move(taken_);
  const Head& head = message->head();
  if (head.signature != with_.signature)
    throw Mismatch(mismatch_text(endpoint_.fabric(), endpoint_.rank(), with_.peer, head.context, head.call));
  if (head.kind == Kind::data)
    carried(message->payload(), head.bytes);
  else if (head.kind == Kind::remote)
    announced(Remote::Announcement::in(message->payload()));
  else
    announced(Announcement<MessageMemory>::in(message->payload()));
}

bool Receiving::expose() {
  if (!transfer::announce(endpoint_, with_.peer, with_.head(), Kind::destination,
                          MessageMemory{elements_.data(), true}, bytes_, ticket_))
    return false;
  stage_ = Stage::pull;
  return true;
}

void Receiving::pull() {
  const bool shared = theirs_.memory.shared;
  transfer::finish(endpoint_, with_.peer, theirs_.ticket, [&] {
    const std::size_t part =
        shared ? receivers_part({.bytes = bytes_, .element_bytes = with_.element_bytes}) : bytes_;
    Work{endpoint_, with_.element_bytes}.copy(elements_.data(), theirs_.memory.data, part);
  });
  stage_ = shared ? Stage::await : Stage::done;
}

std::size_t bytes_of(Endpoint& endpoint, const Endpoint::Found& found) {
  if (found.head.kind == Kind::data) return found.head.bytes;
  if (found.head.kind == Kind::remote) return Remote::Announcement::in(endpoint.payload(found)).bytes;
  return Announcement<MessageMemory>::in(endpoint.payload(found)).bytes;
}

}  // namespace vnode
