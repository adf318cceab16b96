#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <vnode/rank.hpp>

#include "base/ticks.hpp"
#include "channel/ticket.hpp"
#include "channel/wire.hpp"
#include "transport/fabric.hpp"

namespace vnode {

/// Holds a node's side of its wire to the nodes of other processes. Short messages are in the queues of their
/// links, as those of nodes here are in channels. A long one is announced by a short one, and its payload
/// comes by itself when it is asked for: from the memory of the sender's call into that of the receiver's.
/// One thread uses it, as it uses the wire.
///
/// No exception leaves a call before the wire has stopped touching its memory (quiesce). The node gives up
/// what it receives. It cannot give up what it sends, so it waits until the receiver has taken that, as other
/// nodes wait until it has taken what they send. Every node whose run fails takes what was announced to it,
/// into memory of its own, as long as it waits for others to do so; and when all nodes of a process have come
/// to the end of a run, the process does this for them.
class Remote final : private Wire::Events {
 public:
  struct Coming;
  /// Says of a long message what its receiver needs to ask for it.
  struct Announcement {
    std::size_t bytes;
    std::uint64_t number;
    Coming* coming;  ///< set by the receiver

    /// Returns the announcement that a short message has for its payload.
    static Announcement in(const std::byte* payload);
    /// Stands beside the number of a message whose send does not end before its payload is asked for.
    static constexpr std::uint64_t awaited = std::uint64_t{1} << 32;
  };

  Remote(Fabric& fabric, Rank me, Wire& wire) : fabric_(fabric), me_(me), wire_(wire) {}

  Fabric& fabric() const { return fabric_; }
  /// Takes in all messages that have come.
  void poll() {
    while (look()) {
    }
  }
  /// Takes in one short message at most, for who waits for one. Returns whether one has come: then more may
  /// be there.
  bool look() {
    if (!unsaid_.empty()) say_rest();
    polled_ = now();
    const bool come = wire_.poll(*this);
    made_way_ = !come && wire_.yields() ? now() - polled_ : 0;
    return come;
  }
  /// Returns how long others may have had the core in the last look, if that was in vain and nobody has asked
  /// since; else 0.
  Ticks take_yielded_ticks() { return std::exchange(made_way_, 0); }
  /// Polls if nobody has for some time, and always while long messages are on their way, which poll() drives.
  /// A node calls this that does not wait for its wire, and would keep those that do from their cores.
  void poll_at_times() {
    if (!sent_.empty() || asked_ > 0 || now() - polled_ >= seldom) poll();
  }

  /// Sends a message, announced if it is long, and tells the ticket when the memory may change: if `awaited`,
  /// not before the receiver has asked for it. `packed` is the payload, if it is not `whole`. Returns false
  /// if the wire has no room now.
  bool send(Rank to, Head head, std::span<const std::byte> whole, std::unique_ptr<std::byte[]> packed,
            bool awaited, const Ticket& ticket);
  /// Returns the payload of a message that has been announced, until forget(), or null before it has come.
  /// The first call asks for it, into `place` if that has room for it.
  const std::byte* payload(const Announcement& announced, std::span<std::byte> place);
  /// Gives up the payload, which has been taken.
  void forget(const Announcement& announced);
  /// Counts what the node has sent and received, to find out whether anything is on its way.
  struct Traffic {
    std::uint64_t sent = 0, received = 0;    // short messages
    std::uint64_t unended = 0, unasked = 0;  // awaited long ones: sends; receives not asked for
    Traffic& operator+=(const Traffic& other) {
      sent += other.sent, received += other.received;
      unended += other.unended, unasked += other.unasked;
      return *this;
    }
    friend bool operator==(const Traffic&, const Traffic&) = default;
  };
  Traffic traffic() const;
  /// Returns whether something may still come to the node although nobody sends any more: a payload that it
  /// has asked for, or the end of a send that may end before it is asked for.
  bool expects() const;
  /// Returns a number that grows with all that the wire brings, and with what it had no room for.
  std::uint64_t activity_count() const { return brought_ + wire_.refused(); }
  /// Returns whether there are sends that tickets wait for.
  bool sends() const { return !sent_.empty(); }

  /// Asks nodes of other processes where they are: a node answers when it is in a call, or has left the run.
  /// Questions and answers that the wire has no room for now are sent in later looks.
  void inquire(std::span<const Rank> nodes);
  /// Returns whether a node of another process has said that it has left the run, and all that it sent to
  /// this node has come. What it sent to other nodes here may not have come.
  bool has_left(Rank node) const;
  /// Waits, when the run has failed, until the wire touches no memory of this node's calls. Ends the job
  /// instead when that takes longer than the time limit (ShutdownTimeout).
  void quiesce();
  /// Tells all nodes of other processes that the run has failed, unless they have been told.
  void tell_abort();
  /// Takes in what was announced to the node, at the end of a run. Is called until it returns true: all that
  /// was announced is here, and all that was sent is there.
  bool take_in();
  const Wire& wire() const { return wire_; }
  /// Forgets a run that all processes have come to the end of: what is still told of it is told to nobody.
  void end_run() {
    ++run_;
    left_.clear();
    unsaid_.clear();
  }
  /// Forgets what was announced in a run that has failed. Is called between runs.
  void reset() {
    coming_.clear();
    asked_ = 0;
  }

 private:
  struct Sent {
    Ticket ticket;                        // without a cell if nobody waits
    std::unique_ptr<std::byte[]> packed;  // null: the memory is a call's
    bool awaited;                         // it does not end before it is asked for
    std::list<Sent>::iterator self;
  };
  void arrived(Rank from, std::span<const std::byte> message) override;
  void ended(void* of, bool complete) override;
  enum class Word : std::uint16_t { failed, where_are_you, here };
  Head head_of(Word word) const;
  bool tell(Rank to, const Head& head, std::span<const std::byte> payload);
  bool say(Rank to, Word word);
  void say_rest();
  void heard(Rank from, const Head& head, const std::byte* payload);
  void ask(Coming& coming, std::span<std::byte> place);

  Fabric& fabric_;
  Rank me_;
  Wire& wire_;
  std::list<Coming> coming_;
  std::list<Sent> sent_;
  static constexpr Ticks seldom = Ticks{1} << 18;  // 0.05 to 0.25 ms
  Ticks polled_ = 0, made_way_ = 0;
  std::size_t asked_ = 0;  // how many of coming_ are asked for and not here
  std::uint64_t brought_ = 0;
  std::uint32_t run_ = 0;
  std::vector<bool> left_;                  // by rank; empty: none
  std::set<std::pair<Rank, Word>> unsaid_;  // because the wire had no room
};

/// Describes a long message that has been announced.
struct Remote::Coming {
  enum class Stage : std::uint8_t { announced, asked, here };
  Rank from;
  std::uint32_t number;
  std::size_t bytes;
  bool awaited;
  Stage stage = Stage::announced;
  std::byte* place = nullptr;
  std::unique_ptr<std::byte[]> own{};  // null: the place is a call's
  std::list<Coming>::iterator self{};
};

}  // namespace vnode
