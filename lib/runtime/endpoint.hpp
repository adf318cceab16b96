#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <vnode/arena.hpp>
#include <vnode/rank.hpp>

#include "channel/line.hpp"
#include "runtime/fabric.hpp"
#include "runtime/message_pattern.hpp"
#include "runtime/recorder.hpp"
#include "runtime/remote.hpp"
#include "runtime/sources.hpp"
#include "runtime/unexpected.hpp"

namespace vnode {

/// Who helps a node with large combines and copies.
struct ArenaHelp {
  Arena* arena = nullptr;  ///< nobody, if null
  std::size_t from = 0;    ///< bytes: less is not worth the while
};

/// A node's own side of the fabric: its channels by peer, the cells it waits on, and what has arrived before
/// its time. One thread's. Peers are nodes of the team.
class Endpoint {
 public:
  Endpoint(Fabric& fabric, Rank rank);

  Fabric& fabric() { return fabric_; }
  Rank rank() const { return rank_; }
  bool aborted() const { return fabric_.aborted(); }

  /// The node's side of its wire, if there are nodes in other processes; else null.
  Remote* remote() const { return remote_.get(); }
  /// The same, if this node is one of those.
  Remote* remote(Rank peer) const {
    return remote_ != nullptr && !fabric_.is_here(peer) ? remote_.get() : nullptr;
  }
  /// Before the first run.
  void connect(Wire& wire);
  /// The run has failed: returns when no node touches another's memory any more, nor the wire this node's.
  void quiesce();

  /// A cell that nobody uses, with a token that was never used. Throws std::bad_alloc.
  Ticket open_ticket();
  /// Whether the other end has told this one; then the ticket is closed.
  bool ended(const Ticket& ticket) {
    if (ticket.cell->done.load(std::memory_order_acquire) != ticket.token) {  // pairs with tell()
      if (remote_ != nullptr && remote_->sends()) remote_->look();
      return false;
    }
    close_ticket(ticket);
    return true;
  }
  /// Nobody tells any more.
  void close_ticket(const Ticket& ticket) { cells_.push_back(ticket.cell); }
  /// Tells `peer` that this end is done with what its ticket stands for.
  void tell(Rank peer, const Ticket& ticket) {
    ticket.cell->done.store(ticket.token, std::memory_order_release);  // pairs with ended()
    fabric_.ring(peer);
  }

  /// False if the channel is full for now; then this node makes room for those that wait for it in turn.
  bool send(Rank to, const Head& head, const std::byte* payload) {
    if (!out(to).push(head, payload)) {
      relieve(true);
      return false;
    }
    fabric_.ring(to);
    return true;
  }
  /// Sets aside what has arrived in all channels whose senders may wait for room, and wakes them. Whoever
  /// waits does this now and then, whatever it waits for: so nobody waits for room for ever. Not between
  /// receive() and done(). `all`: looks at its wire, too, as it else does at times only. Throws
  /// std::bad_alloc.
  void relieve(bool all);

  /// The payload of the message from `from` that answers `expected`, or nullptr while there is none; `head`
  /// becomes what its sender said. It stays until done(), aligned to 16 bytes. One of several lines is
  /// gathered at `place`, if it fits there and is the first in the channel. Messages of other calls that are
  /// in the way are set aside. Throws Mismatch if a message of the same call has another signature, or
  /// one of a call that this node has completed turns up.
  const std::byte* receive(Rank from, const Head& expected, Head& head, std::span<std::byte> place = {}) {
    if (unexpected_.empty()) {
      Channel& channel = in(from);
      if (!channel.front(head) && !comes(channel, head)) return nullptr;
      if (head.answers(expected) && head.signature == expected.signature) {
        current_bytes_ = head.bytes;
        return channel.payload(head.bytes, head.bytes <= place.size() ? place.data() : gathered_.bytes);
      }
    }
    return receive_among_others(from, expected, head);
  }
  /// The word that changes when the next message from `from` comes; nullptr where the engine shows none.
  const std::atomic<std::uint64_t>* watch(Rank from) { return in(from).watch(); }
  /// The payload of a long message from another process, whose announcement the last receive() has returned,
  /// once it is there; till then the announcement stays where it is, and receive() returns it again.
  const std::byte* remote_payload(const Remote::Announcement& announcement, std::span<std::byte> place) {
    const std::byte* const payload = remote_->payload(announcement, place);
    if (payload == nullptr) current_ = nullptr;
    return payload;
  }
  /// The lines to a node and those from it, where the channel's engine has them and the node is of this
  /// process; else null. Who uses them rings as send() and done() do.
  LineRing* lines_to(Rank to) { return out(to).lines(); }
  LineRing* lines_from(Rank from) { return in(from).lines(); }
  /// Where who takes a message of several lines may gather it: max_inline bytes.
  std::byte* room_to_gather() { return gathered_.bytes; }
  /// Whether what a node receives next is the first message in its channel, and nobody writes down what the
  /// node does: then it may use the lines.
  bool is_plain() const { return recorder_ == nullptr && unexpected_.empty(); }
  /// Drops the message that the last receive() returned.
  void done(Rank from) {
    if (current_ == nullptr)
      drop(from, current_bytes_);
    else
      unexpected_.remove(from, *std::exchange(current_, nullptr));
  }

  /// A message that is there: in its channel, the next, or set aside.
  struct Found {
    Rank from;
    Head head;
    UnexpectedMessages::Message* aside;  ///< null: the channel has it
  };
  /// The message that a receive with this pattern gets: of each sender the one sent first, of several senders
  /// each in turn. What is in the way is set aside. `everywhere`: nothing only if none is there; else what
  /// has come lately from a node that has long sent none may be found by one of the next looks.
  std::optional<Found> find(const MessagePattern& pattern, bool everywhere);
  /// The payload of what find() has found, if it is in one line or was set aside: as an announcement is.
  const std::byte* payload(const Found& found) {
    return found.aside != nullptr ? found.aside->payload() : in(found.from).payload(first_payload, nullptr);
  }
  /// Takes what find() has found out of channel and store: nobody else receives it.
  UnexpectedMessages::Owned take(const Found& found);
  /// Calls visit(from) for nodes whose channels have a message, each in turn, until it has returned true:
  /// `everywhere` as in find(). True if it has.
  template <class Visit>
  bool each_source(Visit&& visit, bool everywhere) {
    if (remote_ != nullptr) remote_->poll();
    return sources_.look(fabric_.newest_to(rank_), visit, everywhere);
  }
  /// The oldest message that fits and was set aside.
  std::optional<Found> find_aside(const MessagePattern& pattern);

  /// The head of the next message from `from`, or false; set_aside() makes way for the one after it.
  bool front(Rank from, Head& head) {
    Channel& channel = in(from);
    return channel.front(head) || comes(channel, head);
  }
  void set_aside(Rank from, const Head& head);
  /// How many messages this node has ever set aside.
  std::uint64_t put_aside() const { return unexpected_.added(); }
  /// Calls visit(from, head) for what was set aside and for the first message in each channel to this node.
  template <class Visit>
  void each_arrived(Visit&& visit) {
    unexpected_.each(visit);
    Head head;
    for (const Made* made = fabric_.newest_to(rank_); made != nullptr; made = made->earlier)
      if (made->channel->front(head)) visit(made->from, head);
  }
  /// What was set aside of messages outside of collectives since note_arrivals(true), for who wants to look
  /// for it; the caller empties it.
  struct Arrival {
    Rank from;
    Head head;
    std::uint64_t number;
  };
  std::vector<Arrival>& arrivals() { return arrivals_; }
  /// Whether it has not been received, and is the oldest of those that answer the same.
  bool is_aside(const Arrival& arrival) const {
    const UnexpectedMessages::Message* const oldest = unexpected_.find(arrival.from, arrival.head);
    return oldest != nullptr && oldest->number() == arrival.number;
  }
  void note_arrivals(bool wanted) {
    notes_arrivals_ = wanted;
    arrivals_.clear();
  }

  /// Aligned to a cache line, max_inline bytes: for gathering a payload before send().
  std::byte* room() { return room_.bytes; }

  /// Whether several calls of this node are in flight: then a message of an earlier call than the expected
  /// one may be one of theirs.
  void set_overlapping(bool overlapping) { overlapping_ = overlapping; }

  /// Where the node writes down what it does; nullptr: nowhere.
  Recorder* recorder() const { return recorder_; }
  /// Between runs.
  void set_recorder(Recorder* recorder) { recorder_ = recorder; }

  /// Who helps with large combines and copies.
  const ArenaHelp& arena_help() const { return arena_help_; }
  /// Before the first run.
  void set_arena_help(const ArenaHelp& help) { arena_help_ = help; }

  /// Between runs: a sentence about a message that was set aside and never received, or nothing.
  std::string unreceived() const;
  /// Between runs: forgets what was set aside and what was waited for.
  void reset();

 private:
  std::optional<Found> find_arriving(const MessagePattern& pattern, bool everywhere);
  Channel& out(Rank to) {
    Channel*& known = out_[static_cast<std::size_t>(to)];
    return *(known != nullptr ? known : known = &fabric_.channel(rank_, to));
  }
  Channel& in(Rank from) {
    Channel*& known = in_[static_cast<std::size_t>(from)];
    return *(known != nullptr ? known : known = &fabric_.channel(from, rank_));
  }
  /// After a look in vain: whether a wire brings the next message of this link.
  bool comes(Channel& channel, Head& head) {
    if (channel.remote() == nullptr) return false;
    remote_->look();
    return channel.front(head);
  }
  /// Takes the first message out of the channel. Its sender may be waiting for room.
  void drop(Rank from, std::size_t bytes) {
    if (in(from).pop(bytes)) fabric_.ring(from);
  }
  const std::byte* receive_among_others(Rank from, const Head& expected, Head& head);
  void check(Rank from, const Head& expected, const Head& head) const;
  [[noreturn]] void refuse(Rank from, const Head& head) const;

  Fabric& fabric_;
  Rank rank_;
  std::vector<Channel*> out_, in_;
  std::unique_ptr<Remote> remote_;
  UnexpectedMessages unexpected_;
  UnexpectedMessages::Message* current_ = nullptr;  // what receive() returned; null: the channel's front
  std::size_t current_bytes_ = 0;
  bool notes_arrivals_ = false;
  std::vector<Arrival> arrivals_;
  bool overlapping_ = false;
  Recorder* recorder_ = nullptr;
  ArenaHelp arena_help_;
  std::vector<Cell*> cells_;  // that nobody uses
  std::vector<Cell*> made_;   // all, in pieces of cells_at_once
  std::uint64_t tokens_ = 0;
  struct alignas(cache_line) Room {
    std::byte bytes[max_inline];
  };
  Room room_, gathered_;
  Sources sources_;
  bool aside_last_ = false;  // the last message found for a receive from any source had been set aside
};

}  // namespace vnode
