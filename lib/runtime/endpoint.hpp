#pragma once

#include <cstddef>
#include <list>
#include <vector>

#include <vnode/rank.hpp>

#include "runtime/arena_help.hpp"
#include "runtime/fabric.hpp"
#include "runtime/recorder.hpp"

namespace vnode {

/// What an end that exposes memory tells the other: the cell to store the token in when it is done.
struct Ticket {
  Cell* cell = nullptr;
  std::uint64_t token = 0;
};

/// A node's own side of the fabric: its channels by peer, the cells it waits on, and what has arrived before
/// its time. One thread's. Peers are nodes of the team.
class Endpoint {
 public:
  Endpoint(Fabric& fabric, Rank rank);

  Fabric& fabric() { return fabric_; }
  Rank rank() const { return rank_; }

  /// A cell that nobody uses, with a token that was never used. Throws std::bad_alloc.
  Ticket open_ticket();
  /// Whether the other end has told this one.
  static bool told(const Ticket& ticket) {
    return ticket.cell->done.load(std::memory_order_acquire) == ticket.token;  // pairs with tell()
  }
  /// Nobody tells any more.
  void close_ticket(const Ticket& ticket) { cells_.push_back(ticket.cell); }
  /// Tells `peer` that this end is done with what its ticket stands for.
  void tell(Rank peer, const Ticket& ticket) {
    ticket.cell->done.store(ticket.token, std::memory_order_release);  // pairs with told()
    fabric_.ring(peer);
  }

  /// False if the channel is full for now.
  bool send(Rank to, const Head& head, const std::byte* payload) {
    if (!out(to).push(head, payload)) return false;
    fabric_.ring(to);
    return true;
  }

  /// The payload of the message from `from` that answers `expected`, or nullptr while there is none; `head`
  /// becomes what its sender said. It stays until done(), aligned to 16 bytes. Messages of other calls that
  /// are in the way are set aside. Throws Mismatch if a message of the same call has another signature, or
  /// one of a call that this node has completed turns up.
  const std::byte* receive(Rank from, const Head& expected, Head& head) {
    if (aside_.empty()) {
      Channel& channel = in(from);
      if (!channel.front(head)) return nullptr;
      if (head.answers(expected) && head.signature == expected.signature) {
        current_bytes_ = head.bytes;
        return channel.payload(head.bytes, gathered_.bytes);
      }
    }
    return receive_among_others(from, expected, head);
  }
  /// The word that changes when the next message from `from` comes; nullptr where the engine shows none.
  const std::atomic<std::uint64_t>* watch(Rank from) { return in(from).watch(); }
  /// Drops the message that the last receive() returned.
  void done(Rank from) {
    if (current_ == aside_.end()) {
      drop(from, current_bytes_);
    } else {
      aside_.erase(current_);
      current_ = aside_.end();
    }
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
  struct Aside {
    Rank from;
    Head head;
    alignas(cache_line) std::byte payload[max_inline];
  };

  Channel& out(Rank to) {
    Channel*& known = out_[static_cast<std::size_t>(to)];
    return *(known != nullptr ? known : known = &fabric_.channel(rank_, to));
  }
  Channel& in(Rank from) {
    Channel*& known = in_[static_cast<std::size_t>(from)];
    return *(known != nullptr ? known : known = &fabric_.channel(from, rank_));
  }
  /// Takes the first message out of the channel. Its sender may be waiting for room.
  void drop(Rank from, std::size_t bytes) {
    if (in(from).pop(bytes)) fabric_.ring(from);
  }
  const std::byte* receive_among_others(Rank from, const Head& expected, Head& head);
  const std::byte* find_aside(Rank from, const Head& expected, Head& head);
  void set_aside(Rank from, const Head& head);
  void check(Rank from, const Head& expected, const Head& head) const;

  Fabric& fabric_;
  Rank rank_;
  std::vector<Channel*> out_, in_;
  std::list<Aside> aside_;
  std::list<Aside>::iterator current_;  // what receive() returned, or end: it is the front of the channel
  std::size_t current_bytes_ = 0;
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
};

}
