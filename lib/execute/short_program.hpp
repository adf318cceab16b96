#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <vnode/operator.hpp>

#include "base/prefetch.hpp"
#include "channel/channel.hpp"
#include "channel/context.hpp"
#include "compile/plan.hpp"
#include "execute/meeting.hpp"
#include "transport/endpoint.hpp"

namespace vnode {

/// Runs, without an Execution, a program whose payloads travel in lines: it sends a message, shows a
/// publication or signals that it has begun, copies, and then receives a message, reads the publications of
/// others, each for itself or all to combine them, or waits until others have begun; or it does that first
/// and shows then; or it meets all others at a central barrier. It keeps in one record what Execution looks
/// up in steps, messages, parts and channels for each step of each call, and does the same to the same
/// channels and boards. An Execution takes over at the first step that cannot be done at once.
///
/// It may be used only while nothing records what the node does, no other call is in flight, and in the
/// program's context.
class ShortProgram {
 public:
  /// Makes the record of member `rank` for calls with this signature; returns nothing if its program in the
  /// plan, which lives as long, is not such a one. Throws std::bad_alloc.
  static std::optional<ShortProgram> of(const Plan& plan, Endpoint& endpoint, const Context& context,
                                        Rank rank, std::uint32_t signature, std::size_t element_bytes);

  /// Returns the number of steps before the first that may wait.
  std::size_t steps() const { return steps_; }
  /// Tells whether it shows what it has read.
  bool shows_last() const { return shows_last_; }
  bool receives() const { return comes_ != Comes::nothing; }

  /// Sends the message, or shows it, if there is one, or comes to the meeting. `first` is the call's first
  /// round, and reduction() returns the call's, which few need. Returns false if there is no room, and then
  /// has done nothing. Throws what the operator throws, where values meet.
  template <class GetReduction>
  [[gnu::always_inline]] bool send(Endpoint& endpoint, Point first, const Memories& memories,
                                   GetReduction&& reduction) const {
    if (goes_ != Goes::message) {
      if (goes_ == Goes::publication) return show(endpoint, first, memories);
      if (goes_ >= Goes::meeting)
        return goes_ == Goes::meeting ? arrive(endpoint, first)
                                      : bring(endpoint, first, memories, reduction());
      if (goes_ == Goes::signal) ring(endpoint);
      return true;
    }
    if (!out_->push(out_stamp_, name(first), at(memories, sent_), out_bytes_)) return false;
    endpoint.fabric().ring(to_);
    return true;
  }
  void copy(const Memories& memories) const {
    if (copied_bytes_ == 0) return;
    std::byte* const into = at(memories, copied_into_);
    const std::byte* const from = at(memories, copied_);
    if (into != from) copy_small(into, from, copied_bytes_);
  }
  /// Receives the message, or reads the publications. `expect` waits for a short time until what it is given
  /// returns true, and returns whether it has. Returns false if something is not there by then, or is not of
  /// this call, or what it shows last finds no room; `done` is the number of steps that are done then. Only
  /// this call's message has the words that are looked for, so it is right to take it, whatever else was in
  /// the way or has been set aside. Throws what the operator throws.
  template <class Expect>
  [[gnu::always_inline]] bool receive(Endpoint& endpoint, Point first, const Memories& memories,
                                      const Reduction& reduction, Expect&& expect, std::size_t& done) const {
    done = steps_;
    if (comes_ == Comes::begun) {
      if (!have_begun(expect)) return false;
      ++done;
      return !shows_last_ || show(endpoint, first, memories);
    }
    if (comes_ >= Comes::meeting) {
      const CentralBarrier& barrier = *arrival_.barrier;
      const std::uint64_t token = token_of(first);
      if (!expect([&] { return barrier.released(token); })) return false;
      ++state_->met;
      if (comes_ == Comes::value)
        meeting::take(*context_, rank_, value_, at(memories, into_), taken_, in_bytes_);
      return true;
    }
    if (comes_ == Comes::publications) return read(endpoint, first, memories, reduction, expect, done);
    if (!expect([&] { return in_->has_front(); })) return false;
    std::byte* const into = at(memories, into_);
    const bool replaces = effect_ == Effect::replace;
    const std::byte* const theirs =
        in_->payload(in_stamp_, name(first), in_bytes_, replaces ? into : endpoint.room_to_gather());
    if (theirs == nullptr) return false;
    if (replaces) {
      if (theirs != into) copy_small(into, theirs, in_bytes_);
    } else {
      const std::byte* const own = at(memories, own_);
      const bool own_first = effect_ == Effect::combine_after;
      reduction.combine(reduction.state, into, own_first ? own : theirs, own_first ? theirs : own, elements_);
    }
    if (in_->pop(in_bytes_)) endpoint.fabric().ring(from_);
    return true;
  }

 private:
  /// Describes a publication that it reads.
  struct Read {
    const Board* board;
    Rank node;            // of the team
    std::size_t at;       // where its payload begins, if others are before it
    std::size_t operand;  // its place among what is combined
    Spot into;            // unless it is combined with others
  };

  /// Says what it does before it waits, and what it waits for.
  enum class Goes : std::uint8_t { nothing, message, publication, signal, meeting, value };
  enum class Comes : std::uint8_t { nothing, message, publications, begun, meeting, value };

  ShortProgram() = default;
  bool goes_out(const Program& program, const Step& step, Endpoint& endpoint);
  bool comes_in(const Plan& plan, std::span<const Step> steps, Endpoint& endpoint);
  bool is_received(const Program& program, const Incoming& message, Endpoint& endpoint);
  bool is_combined(const Plan& plan, const Gather& gather);
  bool is_read(const Plan& plan, const Incoming& message);
  void ring(Endpoint& endpoint) const {
    if (to_ >= 0)
      endpoint.fabric().ring(to_);
    else
      endpoint.fabric().ring_all(*context_);
  }
  /// Comes to the central barrier, and releases all if it is the last; returns true.
  bool arrive(Endpoint& endpoint, Point first) const {
    if (!arrival_.count()) return true;
    arrival_.barrier->release(token_of(first));
    endpoint.fabric().ring_all(*context_);
    return true;
  }
  /// Returns the token of Execution::meeting().
  std::uint64_t token_of(Point first) const { return std::uint64_t{call_of(first)} << 32 | meeting_; }
  std::uint64_t name(Point first) const { return std::uint64_t{signature_} << 32 | call_of(first); }
  Head head(Point first, std::uint16_t round, std::uint16_t bytes) const {
    return {call_of(first), signature_, context_->id(), round, Kind::data, bytes};
  }
  /// Brings its value to the meeting, and releases all if it is the last; returns true.
  bool bring(Endpoint& endpoint, Point first, const Memories& memories, const Reduction* reduction) const;
  bool show(Endpoint& endpoint, Point first, const Memories& memories) const;
  void combine(const Memories& memories, const Reduction& reduction) const;
  void tell_read(Endpoint& endpoint, Point first) const;
  /// Returns whether a member has begun the call and, as far as is seen, made the same calls as the node,
  /// whose newest is this one.
  static bool has_begun(const MemberState& member, std::uint64_t own) {
    // Acquire: pairs with (a) in Member::begin(), so what the member did before the call has been done.
    const std::uint64_t theirs = member.history.load(std::memory_order_acquire);
    return theirs == own || static_cast<std::int32_t>(History::of(theirs).call - History::of(own).call) > 0;
  }

  template <class Expect>
  bool have_begun(Expect& expect) const {
    // Relaxed: only this node writes its own.
    const std::uint64_t own = state_->history.load(std::memory_order_relaxed);
    for (const MemberState* member : awaited_)
      if (!expect([&] { return has_begun(*member, own); })) return false;
    // The only one who looks has seen it, or is about to; others would have to fetch it once more.
    if (awaited_.size() == 1) prefetch_for_write(&state_->history);
    return true;
  }
  template <class Expect>
  [[gnu::noinline]] bool read(Endpoint& endpoint, Point first, const Memories& memories,
                              const Reduction& reduction, Expect& expect, std::size_t& done) const {
    const Board::Name shown(head(first, in_round_, shown_bytes_));
    const auto payload_of = [&](const Read& one) {
      const std::byte* payload = one.board->payload(shown);
      if (payload == nullptr) [[unlikely]]
        expect([&] { return (payload = one.board->payload(shown)) != nullptr; });
      return payload;
    };
    if (gathers_) {
      const std::byte** const operands = operands_.data();
      for (const Read& one : reads_) {
        const std::byte* const payload = payload_of(one);
        if (payload == nullptr) return false;
        operands[one.operand] = payload + one.at;
      }
      combine(memories, reduction);
    } else {
      for (const Read& one : reads_) {
        const std::byte* const payload = payload_of(one);
        if (payload == nullptr) return false;
        copy_small(at(memories, one.into), payload + one.at, in_bytes_);
      }
    }
    tell_read(endpoint, first);
    done += gathers_ ? 1 : reads_.size();
    return !shows_last_ || show(endpoint, first, memories);
  }

  // Of what it combines, sends in several parts, or reads of several:
  std::span<const Source> packed_;  // of what it shows, if that has several parts
  std::size_t own_operand_ = 0;     // the place of the node's own among what is combined; behind all: none
  mutable std::vector<const std::byte*> operands_;  // of the call that it runs, by rank
  std::vector<const MemberState*> awaited_;         // of members that are to have begun
  Spot own_, copied_, copied_into_;
  std::size_t taken_ = 0;        // where its part of what all bring begins
  meeting::BroughtValue value_;  // without its call's name
  bool at_once_ = false;         // all operands may be combined at once: the expression is not canonical
  // Of messages:
  LineRing *out_ = nullptr, *in_ = nullptr;
  std::uint64_t out_stamp_ = 0, in_stamp_ = 0;
  std::uint16_t elements_ = 0;
  Effect effect_ = Effect::replace;
  // What most calls look at comes last, beside what says that there is a program.
  Board::Readers readers_;
  std::vector<Read> reads_;
  Spot sent_, into_;
  std::size_t copied_bytes_ = 0;
  const Context* context_ = nullptr;
  MemberState* state_ = nullptr;
  Rank rank_ = 0;
  Rank to_ = 0, from_ = 0;     // nodes of the team; to_: -1 for a publication or signal to several
  Context::Arrival arrival_;   // at a central barrier
  std::uint32_t meeting_ = 0;  // of the token of that meeting
  std::uint32_t signature_ = 0;
  std::uint16_t out_round_ = 0, in_round_ = 0;
  std::uint16_t out_bytes_ = 0, in_bytes_ = 0;
  std::uint16_t shown_bytes_ = 0;  // of each publication that it reads
  std::uint16_t steps_ = 0;
  Goes goes_ = Goes::nothing;
  Comes comes_ = Comes::nothing;
  bool shows_last_ = false;  // a publication, when it has read
  bool gathers_ = false;
};

}  // namespace vnode
