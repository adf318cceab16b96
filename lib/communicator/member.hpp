#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include <vnode/call.hpp>
#include <vnode/group.hpp>
#include <vnode/lab/cost.hpp>
#include <vnode/rank.hpp>
#include <vnode/request.hpp>

#include "communicator/arguments.hpp"
#include "communicator/engine.hpp"
#include "communicator/plan_cache.hpp"
#include "communicator/shared_group.hpp"
#include "runtime/execution.hpp"
#include "runtime/varying.hpp"

namespace vnode {

class CollectiveActivity;

/// A node's place in a group: its rank, and the plans it has used lately. One thread's.
class alignas(two_lines) Member {
 public:
  Member(Engine& engine, std::shared_ptr<SharedGroup> group, Rank rank)
      : engine_(engine),
        group_(std::move(group)),
        station_(group_->context.station(rank)),
        rank_(rank),
        life_(engine.life()) {}
  ~Member() { share_borrowed(); }
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  Engine& engine() const { return engine_; }
  const SharedGroup& group() const { return *group_; }
  Rank rank() const { return rank_; }
  int size() const { return group_->context.size(); }
  std::string_view last_algorithm() const {
    return last_kind_ != nullptr ? last_kind_->algorithm : std::string_view();
  }
  int last_segments() const { return last_segments_; }

  /// A collective call in its three forms. `self` keeps this member while the call is in flight.
  void call(const Arguments& arguments);
  static Request start(const std::shared_ptr<Member>& self, const Arguments& arguments);
  static Persistent plan(const std::shared_ptr<Member>& self, const Arguments& arguments);

  void send(const std::byte* data, std::size_t bytes, const ElementType& type, Rank to, int tag);
  std::size_t receive(std::byte* data, std::size_t room, const ElementType& type, Rank from, int tag);
  std::size_t exchange(const std::byte* out, std::size_t out_bytes, Rank to, std::byte* in, std::size_t room,
                       Rank from, const ElementType& type, int tag);
  Request start_sending(const std::byte* data, std::size_t bytes, const ElementType& type, Rank to, int tag);
  Request start_receiving(std::byte* data, std::size_t room, const ElementType& type, Rank from, int tag);

  /// Throws UsageError unless a run of the team is on.
  void check_run() const { life_->check_in_run(); }

  /// Splits this group: see Group::split. Empty for no_color.
  std::shared_ptr<Member> split(int color, int key, const Shape& shape);

 private:
  friend class CollectiveActivity;

  /// Whether signatures are compared before the call, or counts differ between ranks: what CollectiveActivity
  /// does.
  bool is_unusual(const Arguments& arguments) const { return group_->facts.checked || arguments.varying; }
  void call_unusual(const Arguments& arguments);
  Request start_usual(const Arguments& arguments);
  static Request start_unusual(const std::shared_ptr<Member>& self, const Arguments& arguments);

  CheckedCall looked_at(const Arguments& arguments) const;
  RecentCalls::Entry& prepared(const Arguments& arguments, const CallKey& key);
  /// The plan of any usual call. Throws UsageError.
  RecentCalls::Entry& planned(const Arguments& arguments) {
    RecentCalls::Entry* const entry = recent_.find(arguments);
    return entry != nullptr ? *entry : prepared(arguments, looked_at(arguments).key);
  }
  /// What the node does in the call of this entry, made if nobody has. Throws std::bad_alloc.
  const Program& program(RecentCalls::Entry& entry) {
    if (entry.program == nullptr) entry.program = &group_->plans.program(*entry.plan, rank_);
    return *entry.program;
  }
  /// A call of this group that has not begun.
  Call described(const PreparedCall& call, const Arguments& arguments, const Reduction* reduction) const {
    return {.context = &group_->context,
            .rank = rank_,
            .head = {0, call.signature, group_->context.id(), 0, Kind::data, 0},
            .memories = {static_cast<std::byte*>(const_cast<void*>(arguments.in)),
                         static_cast<std::byte*>(arguments.out)},
            .reduction = reduction,
            .element_bytes = arguments.type->bytes};
  }
  /// The next call of this group: its number, its journal's entry. `program`: the node's own, if the call has
  /// a plan. In line: what it returns stays in registers.
  [[gnu::always_inline]] Beginning begin(const PreparedCall& call, const Program* program,
                                         const Lease& workspace) {
    // Relaxed: only this node writes it.
    History history = History::of(station_.history.load(std::memory_order_relaxed));
    history.add(call.signature);
    last_kind_ = call.record.kind;
    last_segments_ = call.segments;
    const std::uint16_t context = group_->context.id();
    engine_.journal().begin(context, history, call.record);
    if (Recorder* const recorder = engine_.endpoint().recorder()) [[unlikely]]
      recorder->begin(context, history.call, rank_, size(), call.record);
    station_.history.store(history.word(), std::memory_order_release);  // (a) the journal has the call
    const Beginning beginning{history.call, station_.planned, station_.meetings, workspace.scratch(),
                              workspace.tickets()};
    if (program != nullptr) {
      station_.planned += program->publications;
      station_.meetings += program->meetings;
    }
    return beginning;
  }
  /// A usual call: begun, and passed to `go_on` with what it has borrowed.
  template <class GoOn>
  void begin(RecentCalls::Entry& entry, const Arguments& arguments, GoOn&& go_on) {
    const PreparedCall& plan = *entry.plan;
    const Program& own = program(entry);
    Lease workspace(engine_, own.scratch_bytes, own.tickets);
    Execution execution(engine_.endpoint(), *plan.plan, own,
                        [&] { return described(plan, arguments, entry.reduction(arguments)); });
    execution.begin(begin(plan, &own, workspace));
    go_on(execution, workspace);
  }
  Correspondence correspondence(Rank peer, int tag, const ElementType& type) const;
  void note(const CallKind& kind, int tag, std::size_t count);
  template <class Alone, class... Messages>
  void complete(const CallKind& kind, int tag, std::size_t count, Alone& alone, Messages&... messages);
  template <class Message>
  Request start(const CallKind& kind, int tag, std::size_t count,
                std::unique_ptr<MessageActivity<Message>> message);

  Engine& engine_;
  std::shared_ptr<SharedGroup> group_;
  Station& station_;
  Rank rank_;
  std::shared_ptr<const TeamLife> life_;  // the group may outlive its team
  /// Calls in flight that borrow what recent_ and group_ own share it from now on.
  void share_borrowed();
  CollectiveActivity* borrowers_ = nullptr;  // the first of them
  RecentCalls recent_;
  std::uint64_t evictions_ = 0;  // that recent_ knows of
  const CallKind* last_kind_ = nullptr;
  int last_segments_ = 0;
};

}  // namespace vnode
