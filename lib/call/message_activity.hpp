#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "engine/engine.hpp"
#include "execute/point_to_point.hpp"
#include "record/call_counters.hpp"

namespace vnode {

class Member;

/// Returns Member::rank_of().
Rank rank_in(Member& group, Rank node);

// What reports call the calls between two nodes.
inline constexpr CallKind send_kind{"send", {}, {}, {}, {}, -1, 1}, recv_kind{"recv", {}, {}, {}, {}, -1, 2},
    sendrecv_kind{"sendrecv", {}, {}, {}, {}, -1, 3}, ssend_kind{"ssend", {}, {}, {}, {}, -1, 4},
    probe_kind{"probe", {}, {}, {}, {}, -1, 5}, mprobe_kind{"mprobe", {}, {}, {}, {}, -1, 6};

/// Throws UsageError unless a message may be sent there: to a node or no_rank.
void check_receiver(Rank to, int tag, int nodes);
/// Throws UsageError unless a message may be received from there: from a node, any_source or no_rank.
void check_sender(Rank from, int tag, int nodes);

/// One message in flight. If calls are counted, it is counted when it is complete.
template <class Message>
class MessageActivity final : public Activity {
 public:
  static constexpr bool inwards = Message::inwards;

  template <class... Arguments>
  explicit MessageActivity(Arguments&&... arguments) : message_(std::forward<Arguments>(arguments)...) {}

  void count(CallCounters& counters, const CountedKind& kind) {
    counted_ = std::make_unique<Counted>(counters, kind);
  }
  /// Keeps the member, which names the source of a receive from any source when the message is there.
  void name_by(std::shared_ptr<Member> member) { names_ = std::move(member); }

  bool advance() override {
    if (counted_ != nullptr) [[unlikely]]
      return advance_counted();
    return message_.advance();
  }
  Awaited awaited() const override { return message_.awaited(); }
  const std::atomic<std::uint64_t>* watch() const override { return message_.watch(); }
  std::optional<Lane> lane() const override {
    if (message_.announced()) return {};
    const Correspondence& with = message_.with();
    if (!inwards) return Lane{false, with.peer};
    return Lane{true, with.peer, with.context, with.generation, with.tag};
  }
  void bind(Rank from, std::uint32_t tag) override {
    if constexpr (inwards) message_.bind(from, tag);
  }
  std::size_t received(MessageInfo& info) const override {
    if constexpr (!inwards) return 0;
    const Correspondence& with = message_.with();
    info.bytes = message_.bytes();
    if (names_ != nullptr) {
      info.source = rank_in(*names_, with.peer);
      info.tag = static_cast<int>(with.tag);
    }
    return info.bytes / with.element_bytes;
  }
  const Message& message() const { return message_; }

 private:
  struct Counted {
    Counted(CallCounters& counts, const CountedKind& of) : counters(counts), kind(of), times(counts) {}
    CallCounters& counters;
    CountedKind kind;
    CallTimes times;
  };
  bool advance_counted() {
    if (!counted_->times.advance(message_, engine() != nullptr && engine()->awaits(*this))) return false;
    counted_->kind.size_class = size_class_of(message_.bytes());
    counted_->times.end(counted_->counters.row(counted_->kind), message_.bytes());
    return true;
  }

  Message message_;
  std::unique_ptr<Counted> counted_;
  std::shared_ptr<Member> names_;
};

}  // namespace vnode
