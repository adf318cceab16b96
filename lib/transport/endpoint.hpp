#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <vnode/rank.hpp>

#include "channel/line.hpp"
#include "record/recorder.hpp"
#include "transport/fabric.hpp"
#include "transport/message_pattern.hpp"
#include "transport/remote.hpp"
#include "transport/sources.hpp"
#include "transport/unexpected.hpp"

namespace vnode {

class Arena;

/// Describes who helps a node with large combines and copies.
struct ArenaHelp {
  Arena* arena = nullptr;  ///< null: nobody helps
  std::size_t from = 0;    ///< bytes from which help is worth while
};

/// Holds a node's own side of the fabric: its channels by peer, the cells it waits on, and the messages that
/// have arrived unexpectedly. One thread uses it. Peers are nodes of the team.
class Endpoint {
 public:
  Endpoint(Fabric& fabric, Rank rank);

  Fabric& fabric() { return fabric_; }
  Rank rank() const { return rank_; }
  bool aborted() const { return fabric_.aborted(); }

  /// Returns the node's side of its wire, if there are nodes in other processes; else null.
  Remote* remote() const { return remote_.get(); }
  /// Returns the node's side of its wire, if `peer` is in another process; else null.
  Remote* remote(Rank peer) const {
    return remote_ != nullptr && !fabric_.is_here(peer) ? remote_.get() : nullptr;
  }
  /// Gives the node its wire. Is called before the first run.
  void connect(Wire& wire);
  /// Waits, when the run has failed, until no node touches another's memory any more, nor the wire this
  /// node's.
  void quiesce();

  /// Returns a cell that nobody uses, with a token that was never used. Throws std::bad_alloc.
  Ticket open_ticket();
  /// Returns whether the other end has told this one that it is done; if so, closes the ticket.
  bool ended(const Ticket& ticket) {
    if (ticket.cell->done.load(std::memory_order_acquire) != ticket.token) {  // pairs with tell()
      if (remote_ != nullptr && remote_->sends()) remote_->look();
      return false;
    }
    close_ticket(ticket);
    return true;
  }
  /// Frees the ticket's cell: the other end no longer tells by it.
  void close_ticket(const Ticket& ticket) { cells_.push_back(ticket.cell); }
  /// Tells `peer` that this end is done with what its ticket stands for.
  void tell(Rank peer, const Ticket& ticket) {
    ticket.cell->done.store(ticket.token, std::memory_order_release);  // pairs with ended()
    fabric_.ring(peer);
  }

  /// Sends a message. Returns false if the channel is full for now; then this node has made room for nodes
  /// that may be waiting for it in turn.
  bool send(Rank to, const Head& head, const std::byte* payload) {
    if (!out(to).push(head, payload)) {
      relieve(true);
      return false;
    }
    fabric_.ring(to);
    return true;
  }
  /// Sets aside what has arrived in all channels whose senders may wait for room, and wakes them. A node that
  /// waits calls it now and then, whatever it waits for: so nobody waits for room for ever. It must not be
  /// called between receive() and done(). If `all`, it always polls its wire, too; otherwise only at times.
  /// Throws std::bad_alloc.
  void relieve(bool all);

  /// Returns the payload of the message from `from` that answers `expected`, or nullptr while there is none;
  /// sets `head` to the message's. The payload stays until done(), aligned to 16 bytes. A payload of several
  /// lines is gathered at `place`, if it fits there and its message is the first in the channel. Messages of
  /// other calls that are in the way are set aside. Throws Mismatch if a message of the same call has another
  /// signature, or one of a call that this node has completed turns up.
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
  /// Returns the word that changes when the next message from `from` comes, or nullptr if the channel's
  /// engine has none.
  const std::atomic<std::uint64_t>* watch(Rank from) { return in(from).watch(); }
  /// Returns the payload of a long message from another process, whose announcement the last receive() has
  /// returned. Returns null until the payload is there; till then the announcement stays where it is, and
  /// receive() returns it again.
  const std::byte* remote_payload(const Remote::Announcement& announcement, std::span<std::byte> place) {
    const std::byte* const payload = remote_->payload(announcement, place);
    if (payload == nullptr) current_ = nullptr;
    return payload;
  }
  /// Return the lines to a node and those from it, if the channel's engine has them and the node is of this
  /// process; else null. Their user must ring the peer as send() and done() do.
  LineRing* lines_to(Rank to) { return out(to).lines(); }
  LineRing* lines_from(Rank from) { return in(from).lines(); }
  /// Returns max_inline bytes in which a message of several lines may be gathered.
  std::byte* room_to_gather() { return gathered_.bytes; }
  /// Returns whether what the node receives next is the first message in its channel, and nothing records
  /// what the node does: then it may use the lines directly.
  bool is_plain() const { return recorder_ == nullptr && unexpected_.empty(); }
  /// Drops the message that the last receive() returned.
  void done(Rank from) {
    if (current_ == nullptr)
      drop(from, current_bytes_);
    else
      unexpected_.remove(from, *std::exchange(current_, nullptr));
  }

  /// Describes a message that is there: the next in its channel, or one that was set aside.
  struct Found {
    Rank from;
    Head head;
    UnexpectedMessages::Message* aside;  ///< null: the channel has it
  };
  /// Returns the message that a receive with this pattern gets: of each sender the one sent first, of several
  /// senders each in turn. What is in the way is set aside. If `everywhere`, returns nothing only if no such
  /// message is there; else a message from a node that has not sent for long may be found only by one of the
  /// next looks.
  std::optional<Found> find(const MessagePattern& pattern, bool everywhere);
  /// Returns the payload of what find() has found, if it is in one line, as an announcement is, or was set
  /// aside.
  const std::byte* payload(const Found& found) {
    return found.aside != nullptr ? found.aside->payload() : in(found.from).payload(first_payload, nullptr);
  }
  /// Takes what find() has found out of its channel or the store, so that no other receive gets it.
  UnexpectedMessages::Owned take(const Found& found);
  /// Calls visit(from) for nodes whose channels have a message, each in turn, until it has returned true;
  /// `everywhere` means the same as in find(). Returns whether it has.
  template <class Visit>
  bool each_source(Visit&& visit, bool everywhere) {
    if (remote_ != nullptr) remote_->poll();
    return sources_.look(fabric_.newest_to(rank_), visit, everywhere);
  }
  /// Returns the oldest message that fits and was set aside.
  std::optional<Found> find_aside(const MessagePattern& pattern);

  /// Sets `head` to that of the next message from `from`; returns false if there is none. set_aside() makes
  /// way for the one after it.
  bool front(Rank from, Head& head) {
    Channel& channel = in(from);
    return channel.front(head) || comes(channel, head);
  }
  void set_aside(Rank from, const Head& head);
  /// Returns how many messages this node has ever set aside.
  std::uint64_t put_aside() const { return unexpected_.added(); }
  /// Calls visit(from, head) for what was set aside and for the first message in each channel to this node.
  template <class Visit>
  void each_arrived(Visit&& visit) {
    unexpected_.each(visit);
    Head head;
    for (const ChannelRecord* made = fabric_.newest_to(rank_); made != nullptr; made = made->earlier)
      if (made->channel->front(head)) visit(made->from, head);
  }
  /// A message outside of collectives that was set aside since note_arrivals(true). The caller of arrivals()
  /// reads and empties the list.
  struct Arrival {
    Rank from;
    Head head;
    std::uint64_t number;
  };
  std::vector<Arrival>& arrivals() { return arrivals_; }
  /// Returns whether the message has not been received, and is the oldest of those that answer the same.
  bool is_aside(const Arrival& arrival) const {
    const UnexpectedMessages::Message* const oldest = unexpected_.find(arrival.from, arrival.head);
    return oldest != nullptr && oldest->number() == arrival.number;
  }
  void note_arrivals(bool wanted) {
    notes_arrivals_ = wanted;
    arrivals_.clear();
  }

  /// Returns max_inline bytes, aligned to a cache line, for gathering a payload before send().
  std::byte* room() { return room_.bytes; }

  /// Says whether several calls of this node are in flight: then a message of an earlier call than the
  /// expected one may belong to one of them.
  void set_overlapping(bool overlapping) { overlapping_ = overlapping; }

  /// Returns where the node records what it does, or nullptr if it does not.
  Recorder* recorder() const { return recorder_; }
  /// Sets where the node records what it does. Is called between runs.
  void set_recorder(Recorder* recorder) { recorder_ = recorder; }

  /// Returns who helps with large combines and copies.
  const ArenaHelp& arena_help() const { return arena_help_; }
  /// Sets who helps with large combines and copies. Is called before the first run.
  void set_arena_help(const ArenaHelp& help) { arena_help_ = help; }

  /// Returns, between runs, a sentence about a message that was set aside and never received, or nothing.
  std::string unreceived() const;
  /// Forgets, between runs, what was set aside and what was waited for.
  void reset();

 private:
  std::optional<Found> find_arriving(const MessagePattern& pattern, bool everywhere);
  // Acquire: pairs with Fabric::channel().
  Channel& out(Rank to) {
    Channel* const made = out_[to].load(std::memory_order_acquire);
    return made != nullptr ? *made : fabric_.channel(rank_, to);
  }
  Channel& in(Rank from) {
    Channel* const made = in_[from * nodes_].load(std::memory_order_acquire);
    return made != nullptr ? *made : fabric_.channel(from, rank_);
  }
  /// Returns, after a look in vain, whether a wire brings the next message of this link.
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
  // In the fabric's table of channels: those to others, and those from others, of which each is in a row.
  const std::atomic<Channel*>*out_, *in_;
  std::ptrdiff_t nodes_;
  std::unique_ptr<Remote> remote_;
  UnexpectedMessages unexpected_;
  UnexpectedMessages::Message* current_ = nullptr;  // what receive() returned; null: the channel's front
  std::size_t current_bytes_ = 0;
  bool notes_arrivals_ = false;
  std::vector<Arrival> arrivals_;
  bool overlapping_ = false;
  Recorder* recorder_ = nullptr;
  ArenaHelp arena_help_;
  std::vector<Cell*> cells_;  // those that nobody uses
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
