#include "transport/remote.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include <vnode/error.hpp>

#include "transport/shutdown_timeout.hpp"

namespace vnode {
namespace {

/// This lowest bit, in the pointer that the wire gives back for a long message, tells a Sent from a Coming.
constexpr std::uintptr_t of_sent = 1;

std::span<const std::byte> bytes_of(const Head& head) { return std::as_bytes(std::span(&head, 1)); }

/// Tells this node that its ticket has ended, as Endpoint::tell() tells it to another node.
void end(const Ticket& ticket) { ticket.cell->done.store(ticket.token, std::memory_order_relaxed); }

/// A payload of up to so many bytes is copied and goes with the message's head.
constexpr std::size_t most_carried = Wire::most_short - sizeof(Head);
static_assert(most_carried <= std::numeric_limits<decltype(Head::bytes)>::max());

/// MPI libraries keep no copy of a payload of so many bytes: its send ends only when it is asked for, so it
/// may as well be declared as awaited.
constexpr std::size_t always_awaited = 128 << 10;

std::byte* memory_for_any(std::unique_ptr<std::byte[]>& owner, std::size_t bytes) {
  owner.reset(new std::byte[std::max<std::size_t>(bytes, 1)]);
  return owner.get();
}

}  // namespace

Remote::Announcement Remote::Announcement::in(const std::byte* payload) {
  Announcement announcement;
  std::memcpy(&announcement, payload, sizeof announcement);
  return announcement;
}

bool Remote::send(Rank to, Head head, std::span<const std::byte> whole, std::unique_ptr<std::byte[]> packed,
                  bool awaited, const Ticket& ticket) {
  const std::byte* const data = packed != nullptr ? packed.get() : whole.data();
  if (!awaited && whole.size() <= most_carried) {
    head.bytes = static_cast<std::uint16_t>(whole.size());
    if (!wire_.send(to, bytes_of(head), {data, whole.size()})) return false;
    end(ticket);
    return true;
  }
  awaited = awaited || whole.size() >= always_awaited;
  // All memory is allocated before, since what is announced must come.
  std::list<Sent> made;
  Sent& sent = made.emplace_back(Sent{ticket, std::move(packed), awaited, {}});
  const std::uint32_t number = wire_.number(to, whole.size());
  const Announcement announcement{whole.size(), number | (awaited ? Announcement::awaited : 0), nullptr};
  head.kind = Kind::remote;
  head.bytes = sizeof announcement;
  if (!wire_.send(to, bytes_of(head), std::as_bytes(std::span(&announcement, 1)))) return false;
  sent_.splice(sent_.end(), made);
  sent.self = std::prev(sent_.end());
  if (sent.packed != nullptr && !awaited) end(std::exchange(sent.ticket, {}));
  wire_.send(to, number, {data, whole.size()}, awaited,
             reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(&sent) | of_sent));
  return true;
}

const std::byte* Remote::payload(const Announcement& announced, std::span<std::byte> place) {
  Coming& coming = *announced.coming;
  if (coming.stage == Coming::Stage::announced) ask(coming, place);
  if (coming.stage != Coming::Stage::here) look();
  return coming.stage == Coming::Stage::here ? coming.place : nullptr;
}

void Remote::ask(Coming& coming, std::span<std::byte> place) {
  coming.place = place.size() >= coming.bytes && place.data() != nullptr
                     ? place.data()
                     : memory_for_any(coming.own, coming.bytes);
  wire_.receive(coming.from, coming.number, {coming.place, coming.bytes}, &coming);
  coming.stage = Coming::Stage::asked;
  ++asked_;
}

void Remote::forget(const Announcement& announced) { coming_.erase(announced.coming->self); }

void Remote::arrived(Rank from, std::span<const std::byte> message) {
  Head head;
  std::memcpy(&head, message.data(), sizeof head);
  const std::byte* payload = message.data() + sizeof head;
  ++brought_;
  if (head.kind == Kind::word) {
    if (head.call == run_) heard(from, head, payload);
    return;
  }
  Announcement announcement;
  if (head.kind == Kind::remote) {
    announcement = Announcement::in(payload);
    Coming coming{from, static_cast<std::uint32_t>(announcement.number), announcement.bytes,
                  (announcement.number & Announcement::awaited) != 0};
    coming_.push_back(std::move(coming));
    coming_.back().self = std::prev(coming_.end());
    announcement.coming = &coming_.back();
    payload = reinterpret_cast<const std::byte*>(&announcement);
  }
  try {
    fabric_.channel(from, me_).remote()->bring(head, payload);
  } catch (...) {
    if (head.kind == Kind::remote) coming_.pop_back();
    throw;
  }
}

Remote::Traffic Remote::traffic() const {
  Traffic traffic;
  for (int process = 0; process < fabric_.processes()->count(); ++process) {
    traffic.sent += wire_.sent(process);
    traffic.received += wire_.received(process);
  }
  const auto count = [](auto number) { return static_cast<std::uint64_t>(number); };
  traffic.unended = count(std::ranges::count_if(sent_, &Sent::awaited));
  traffic.unasked = count(std::ranges::count_if(coming_, [](const Coming& coming) {
    return coming.awaited && coming.stage == Coming::Stage::announced;
  }));
  return traffic;
}

bool Remote::expects() const {
  return std::ranges::any_of(coming_,
                             [](const Coming& coming) { return coming.stage == Coming::Stage::asked; }) ||
         std::ranges::any_of(sent_,
                             [](const Sent& sent) { return !sent.awaited && sent.ticket.cell != nullptr; });
}

bool Remote::has_left(Rank node) const {
  if (left_.empty() || !left_[static_cast<std::size_t>(node)]) return false;
  // Its short messages have come before it said so, but payloads may come later.
  return std::ranges::none_of(coming_, [node](const Coming& coming) {
    return coming.from == node && coming.stage == Coming::Stage::asked;
  });
}

void Remote::ended(void* of, bool complete) {
  ++brought_;
  if (const auto tagged = reinterpret_cast<std::uintptr_t>(of); (tagged & of_sent) != 0) {
    Sent& sent = *reinterpret_cast<Sent*>(tagged & ~of_sent);
    if (sent.ticket.cell != nullptr) end(sent.ticket);
    sent_.erase(sent.self);
    return;
  }
  Coming& coming = *static_cast<Coming*>(of);
  --asked_;
  coming.stage = complete ? Coming::Stage::here : Coming::Stage::announced;
}

bool Remote::take_in() {
  poll();
  bool all = sent_.empty();
  for (Coming& coming : coming_) {
    if (coming.stage == Coming::Stage::announced) ask(coming, {});
    all = all && coming.stage == Coming::Stage::here;
  }
  return all;
}

void Remote::quiesce() {
  const auto lent = [](const Coming& coming) {
    return coming.own == nullptr && coming.stage == Coming::Stage::asked;
  };
  for (Coming& coming : coming_)
    if (lent(coming)) wire_.cancel(&coming);
  ShutdownTimeout wait(*this);
  for (;;) {
    try {
      static_cast<void>(take_in());
      // Nodes of other processes may be sending to nodes of this process that have left: they take what this
      // node sends only when their messages have been taken.
      fabric_.watch().look();
    } catch (const std::bad_alloc&) {
      // What has come is still there, and other nodes of this process give back memory meanwhile.
    } catch (const SystemError&) {
      wait.wire_has_failed();
    }
    if (std::ranges::none_of(coming_, lent) &&
        std::ranges::all_of(sent_, [](const Sent& sent) { return sent.packed != nullptr; }))
      return;
    wait.look();
    fabric_.yield(me_);
  }
}

namespace {

/// Tells where a node is; the text of its journal follows.
struct Whereabouts {
  std::uint64_t history;  // in the context of all nodes
  std::uint64_t left;     // whether it has left the run, which has not failed
};

}  // namespace

Head Remote::head_of(Word word) const {
  Head head;
  head.kind = Kind::word;
  head.call = run_;
  head.round = static_cast<std::uint16_t>(word);
  return head;
}

bool Remote::tell(Rank to, const Head& head, std::span<const std::byte> payload) {
  Head told = head;
  told.bytes = static_cast<std::uint16_t>(std::min(payload.size(), most_carried));
  return wire_.tell(to, bytes_of(told), payload.first(told.bytes));
}

void Remote::tell_abort() {
  const std::optional<std::string> sentence = fabric_.take_unreported_abort();
  if (!sentence) return;
  ShutdownTimeout wait(*this);
  for (Rank node = 0; node < fabric_.nodes(); ++node)
    while (!fabric_.is_here(node) &&
           !tell(node, head_of(Word::failed), std::as_bytes(std::span(sentence->data(), sentence->size())))) {
      poll();
      wait.look();
      fabric_.yield(me_);
    }
}

void Remote::inquire(std::span<const Rank> nodes) {
  for (const Rank node : nodes)
    if (!fabric_.is_here(node) && !say(node, Word::where_are_you)) unsaid_.emplace(node, Word::where_are_you);
}

/// Sends a word that depends on nothing but where this node is now. Returns false if the wire has no room.
bool Remote::say(Rank to, Word word) {
  if (word == Word::where_are_you) return tell(to, head_of(word), {});
  const SharedNodeState& own = fabric_.shared(me_);
  // A node that leaves a failed run is not missed: whoever waits for it is told of the failure, perhaps later
  // than this answer comes. Acquire: pairs with Team::State::end_node(), which aborts the run before.
  const bool left = own.left.load(std::memory_order_acquire) != 0 && !fabric_.aborted();
  const Whereabouts told{fabric_.world().member_state(me_).history.load(std::memory_order_relaxed),
                         std::uint64_t{left}};
  std::string answer(reinterpret_cast<const char*>(&told), sizeof told);
  answer += text_of(own.journal.current());
  return tell(to, head_of(word), std::as_bytes(std::span(answer.data(), answer.size())));
}

void Remote::say_rest() {
  while (!unsaid_.empty() && say(unsaid_.begin()->first, unsaid_.begin()->second))
    unsaid_.erase(unsaid_.begin());
}

void Remote::heard(Rank from, const Head& head, const std::byte* payload) {
  const auto text = [&](std::size_t begin) {
    return std::string(reinterpret_cast<const char*>(payload) + begin, head.bytes - begin);
  };
  switch (static_cast<Word>(head.round)) {
    case Word::failed:
      return fabric_.abort_from_outside(text(0));
    case Word::where_are_you:
      if (!say(from, Word::here)) unsaid_.emplace(from, Word::here);
      return;
    case Word::here: {
      Whereabouts told;
      std::memcpy(&told, payload, sizeof told);
      fabric_.world().member_state(from).learn(told.history);
      fabric_.note_status(from, told.left != 0 ? "has left the run" : text(sizeof told));
      if (told.left == 0) return;
      left_.resize(static_cast<std::size_t>(fabric_.nodes()));
      left_[static_cast<std::size_t>(from)] = true;
      return;
    }
  }
}

}  // namespace vnode
