#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <vnode/operator.hpp>

#include "compile/plan.hpp"
#include "execute/meeting.hpp"
#include "execute/transfer.hpp"
#include "watch/wait_monitor.hpp"

namespace vnode {

/// Holds what a call gets when it begins: its place among the calls of its context, and memory.
struct Beginning {
  Point first = 0;                ///< its first round, which tells its number
  std::uint64_t publication = 0;  ///< the member's first in this call, counted over all calls
  std::uint64_t meeting = 0;      ///< the member's first meeting in this call, counted likewise
  std::uint64_t reading = 0;      ///< its first round in this call in which it reads boards, likewise
  std::byte* scratch = nullptr;
  Ticket* tickets = nullptr;  ///< room for Program::tickets of them
};

/// Holds what a node needs to carry out the plan of a call under way.
struct Call {
  const Context* context = nullptr;
  Rank rank = 0;  ///< in the context
  Head head;      ///< context, call and signature
  Memories memories{};
  Point first = 0;  ///< these five are of its Beginning
  std::uint64_t publication = 0;
  std::uint64_t meeting = 0;
  std::uint64_t reading = 0;
  Ticket* tickets = nullptr;
  const Reduction* reduction = nullptr;
  std::size_t element_bytes = 1;

  void begin(const Beginning& beginning) {
    head.call = call_of(beginning.first);
    first = beginning.first;
    memories[static_cast<std::size_t>(Place::scratch)] = beginning.scratch;
    publication = beginning.publication;
    meeting = beginning.meeting;
    reading = beginning.reading;
    tickets = beginning.tickets;
  }
  /// Returns the node of the team that has this rank in the context.
  Rank node(Rank of) const { return context->node(of); }
  Board& board(Rank of) const { return context->member_state(of).board; }
  /// Returns the head of a message of this round, or of what a node publishes in it.
  Head head_of(std::size_t round) const {
    Head made = head;
    made.round = static_cast<std::uint16_t>(round);
    return made;
  }
  /// Describes a wait in this call; `peer` is a rank in the context, or -1 for several nodes.
  Awaited awaited(std::size_t round, Rank peer, std::uint64_t progress) const {
    return {context,
            head.context,
            head.call,
            static_cast<std::uint16_t>(round),
            peer < 0 ? peer : node(peer),
            head.signature,
            progress};
  }
};

/// Runs one node's program. It never blocks: advance() does what can be done and says whether that was all,
/// so the same code serves blocking calls, which wait around it, and calls in flight, which are advanced by
/// others' waits.
///
/// This is why no set of nodes can wait for each other for ever. Let all members of a context make the same
/// calls in the same order, and let blocking calls of several contexts, and messages, be such that they would
/// end if every message were taken at once.
///
/// 1. A channel holds nobody up for ever. A node that waits advances all calls in flight, and sets aside what
///    has arrived in every channel that is more than half full, whoever sent it and for whatever context
///    (Endpoint::relieve); it sleeps only when it has done both after it announced that it sleeps. A producer
///    that finds no room has filled more than half, since no message is longer than half a channel; and when
///    the consumer has read all, half is free (channel/channel.hpp). So a push ends unless its receiver
///    computes for ever: channels are as if they had no end, and only memory bounds what is set aside.
/// 2. Within a context, order the steps by (call, round, phase), the phases of a round being await earlier
///    readers, announce, expose, serve, receive, await. Every step waits for a step of a peer that is
///    smaller: serve waits for the peer's expose, receive for its announcement, await for a serve, receive,
///    take or gather of the peer in this round or an earlier one, and what the peer does in these phases
///    waits for smaller ones only. A slot of the board is held by an earlier publication only, a meeting
///    waits for earlier ones only, and so does what a member tells of what it has read, since a member
///    publishes, meets and tells in the order of its calls. Memory is opened after all earlier meetings.
/// 3. Contexts share nothing but channels: each has boards, meeting points and numbers of its own. So the
///    least waiting step of a context would have to wait for a smaller one that does not wait; there is none.
///
/// tests/models/endpoint.pml models 1 and 3 for two contexts and messages, with mutants that break them.
class Execution {
 public:
  /// Takes a plan and the node's program in it. `make()` returns the Call, which is made where it stays: if
  /// it were written a word at a time and then copied in wider pieces, it would stall the processor.
  template <class Make>
  Execution(Endpoint& endpoint, const Plan& plan, const Program& program, Make&& make)
      : endpoint_(endpoint), plan_(plan), program_(program), call_(make()) {}

  /// Begins a call, of which a ShortProgram has done `done` steps already. Is called before the first
  /// advance(), and again when the call is complete or lost and made once more.
  void begin(const Beginning& beginning, std::size_t done = 0) {
    recorder_ = endpoint_.recorder();
    next_ = program_.steps.data() + done;
    end_ = program_.steps.data() + program_.steps.size();
    call_.begin(beginning);
    waiting_since_ = 0;
    arrived_ = 0;
  }
  /// Goes on where another Execution of the same call has got to. It copies word by word: a copy in wider
  /// pieces would read what has just been written by words, and stall until the stores of the first message
  /// have left the processor.
  void go_on(const Execution& begun) {
    begin({begun.call_.first, begun.call_.publication, begun.call_.meeting, begun.call_.reading,
           begun.call_.memories[static_cast<std::size_t>(Place::scratch)], begun.call_.tickets});
    next_ = begun.next_;
    waiting_since_ = begun.waiting_since_;
    arrived_ = begun.arrived_;
  }
  const Call& call() const { return call_; }
  /// Does what can be done now, and returns whether the call is complete. Throws what the operator throws,
  /// Mismatch and Aborted.
  bool advance() {
    if (recorder_ != nullptr) return advance_recorded();
    for (; next_ != end_; ++next_)
      if (!attempt(*next_)) return false;
    return true;
  }
  /// Returns, after advance() has returned false, a word that changes when there may be something to do, or
  /// nullptr.
  const std::atomic<std::uint64_t>* watch() const;
  /// Returns what it waits for, after advance() has returned false.
  Awaited awaited() const;

 private:
  bool advance_recorded();
  void record(const Step& step, std::int64_t begin, std::int64_t end) const;
  void record_gathered(const Gather& gathering, TraceEvent event) const;
  bool attempt(const Step& step);
  bool send(const Step& step);
  bool publish(const Step& step);
  bool expose(const Step& step);
  bool arrive(const Step& step);
  bool open(const OwnCopy& read) const;
  bool read_all(const OwnCopy& read);
  void bring(const Step& step) const;
  void take_brought(const Step& step) const;
  meeting::BroughtValue value(const Step& step) const;
  std::span<std::byte> place(const Incoming& message) const;
  bool receive(const Incoming& message);
  bool take(const Step& step);
  bool lands(const Incoming& message) const;
  bool gather(const Step& step);
  bool have_begun(const Step& step);
  bool has_begun(Rank member) const;
  void ring(Rank peer) const;
  bool serve(const Outgoing& message);
  void copy(const OwnCopy& copied) const;

  const std::byte* payload(const Outgoing& message) const;
  void gather_payload(const Outgoing& message, std::byte* into) const;
  void settle(const Incoming& message, const std::byte* payload) const;
  void settle_long(const Incoming& message, const std::byte* payload) const;
  void pull(const Incoming& message, const Announcement<Memories>& theirs) const;
  void move(std::span<const Source> sources, const Memories& from, std::span<const Piece> pieces,
            const Memories& to, std::size_t first, std::size_t last) const;
  std::size_t own_bytes(bool copies) const;
  std::size_t middle(const MessageEnd& message, std::span<const Piece> pieces, std::size_t senders_own,
                     std::size_t receivers_own) const;
  bool is_shown(const Incoming& message) const;
  bool have_taken(const Step& step) const;
  bool may_tell(const Step& step) const;
  void tell_read(const Step& step) const;

  const Outgoing& outgoing(const Step& step) const { return program_.outgoing[step.first]; }
  const Incoming& incoming(const Step& step) const { return program_.incoming[step.first]; }
  const Incoming& gathered(const Gather& gathering, std::uint32_t index) const {
    return program_.incoming[program_.gathered[gathering.first_source + index]];
  }
  /// Returns the first publication of a gather that has not been seen yet.
  const Incoming& next_gathered(const Step& step) const {
    return gathered(program_.gathers[step.first], arrived_);
  }
  Board::Readers readers(const Step& published) const {
    return std::span(program_.readers).subspan(outgoing(published).readers, published.count);
  }
  MemberState& own() const { return call_.context->member_state(call_.rank); }
  Work work() const { return {endpoint_, call_.element_bytes, call_.reduction}; }
  CentralBarrier& barrier(const Step& step) const {
    return call_.context->member_state(static_cast<Rank>(step.index)).barrier;
  }
  /// Returns the call's number and signature.
  std::uint64_t name() const { return std::uint64_t{call_.head.signature} << 32 | call_.head.call; }
  /// Returns the token that a central barrier shows when this meeting is over: it is made of call and round,
  /// and never 0.
  std::uint64_t meeting(const Step& step) const {
    return std::uint64_t{call_.head.call} << 32 | (step.first + 1);
  }

  Endpoint& endpoint_;
  const Plan& plan_;
  const Program& program_;
  Call call_;
  Recorder* recorder_ = nullptr;
  const Step* next_ = nullptr;
  const Step* end_ = nullptr;
  std::int64_t waiting_since_ = 0;  // when recorded: first vain try of the next step; 0: none yet
  std::uint32_t arrived_ = 0;       // publications of the present gather, or nodes, that have been seen
};

/// Combines the places of a gather, whose operands have all been published, and forwards the results.
void combine_published(Endpoint& endpoint, const Plan& plan, const Call& call,
                       std::span<const Combine> places);

}  // namespace vnode
