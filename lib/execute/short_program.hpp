#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <vnode/operator.hpp>

#include "channel/channel.hpp"
#include "channel/context.hpp"
#include "compile/plan.hpp"
#include "transport/endpoint.hpp"

namespace vnode {

/// Runs, without an Execution, a program that sends a message, copies and receives a message, at most one of
/// each and in this order, and whose payloads travel in lines. It keeps in one record what Execution looks up
/// in steps, messages, parts and channels for each step of each call, and does the same to the same channels.
/// An Execution takes over at the first step that cannot be done at once.
///
/// It may be used only while nothing records what the node does, and in the program's context.
class ShortProgram {
 public:
  /// Makes the record for calls with this signature; returns nothing if the program is not such a one. Throws
  /// std::bad_alloc.
  static std::optional<ShortProgram> of(const Program& program, Endpoint& endpoint, const Context& context,
                                        std::uint32_t signature, std::size_t element_bytes);

  /// Returns the number of steps before the one that may wait.
  std::size_t steps() const { return steps_; }
  bool receives() const { return in_ != nullptr; }

  /// Sends the message, if there is one. Returns false if the channel is full, and then has done nothing.
  [[gnu::always_inline]] bool send(Endpoint& endpoint, std::uint32_t call, const Memories& memories) const {
    if (out_ == nullptr) return true;
    if (!out_->push(out_stamp_, name(call), at(memories, sent_), out_bytes_)) return false;
    endpoint.fabric().ring(to_);
    return true;
  }
  void copy(const Memories& memories) const {
    std::byte* const into = at(memories, copied_into_);
    const std::byte* const from = at(memories, copied_);
    if (into != from) copy_small(into, from, copied_bytes_);
  }
  /// Returns whether a message is there, of this call or another.
  bool has_message() const { return in_->has_front(); }
  /// Receives the message. Returns false if the first message in the channel is not this call's, or there is
  /// none. Only this call's message has the words that are looked for, so it is right to take it, whatever
  /// else was in the way or has been set aside. Throws what the operator throws.
  [[gnu::always_inline]] bool receive(Endpoint& endpoint, std::uint32_t call, const Memories& memories,
                                      const Reduction& reduction) const {
    std::byte* const into = at(memories, into_);
    const bool replaces = effect_ == Effect::replace;
    const std::byte* const theirs =
        in_->payload(in_stamp_, name(call), in_bytes_, replaces ? into : endpoint.room_to_gather());
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
  ShortProgram() = default;
  std::uint64_t name(std::uint32_t call) const { return std::uint64_t{signature_} << 32 | call; }

  LineRing* out_ = nullptr;  // null: it sends nothing
  LineRing* in_ = nullptr;   // null: it receives nothing
  std::uint64_t out_stamp_ = 0, in_stamp_ = 0;
  std::uint32_t signature_ = 0;
  std::uint16_t out_bytes_ = 0, in_bytes_ = 0, elements_ = 0, steps_ = 0;
  Rank to_ = 0, from_ = 0;  // nodes of the team
  Spot sent_, own_, into_;
  Effect effect_ = Effect::replace;
  Spot copied_, copied_into_;
  std::size_t copied_bytes_ = 0;
};

}  // namespace vnode
