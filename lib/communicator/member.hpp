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

/// A node's place in a group: its rank, and the plans it has used lately. One thread's.
class alignas(two_lines) Member {
 public:
  Member(Engine& engine, std::shared_ptr<SharedGroup> group, Rank rank)
      : engine_(engine),
        group_(std::move(group)),
        station_(group_->context.station(rank)),
        rank_(rank),
        life_(engine.life()),
        node_(engine.endpoint().rank()),
        thread_(life_->thread(node_)) {}

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
  /// `op`: owns the operator.
  static Request start(const std::shared_ptr<Member>& self, const Arguments& arguments,
                       std::shared_ptr<void> op);
  static Persistent plan(const std::shared_ptr<Member>& self, const Arguments& arguments,
                         std::shared_ptr<void> op);

  void send(const std::byte* data, std::size_t bytes, const ElementType& type, Rank to, int tag);
  std::size_t receive(std::byte* data, std::size_t room, const ElementType& type, Rank from, int tag);
  std::size_t exchange(const std::byte* out, std::size_t out_bytes, Rank to, std::byte* in, std::size_t room,
                       Rank from, const ElementType& type, int tag);
  Request start_sending(const std::byte* data, std::size_t bytes, const ElementType& type, Rank to, int tag);
  Request start_receiving(std::byte* data, std::size_t room, const ElementType& type, Rank from, int tag);

  /// Throws UsageError unless the calling thread is the node, in a run of the team.
  void check_thread() const {
    if (!thread_.here()) [[unlikely]]
      life_->refuse_call(node_);
  }

  /// Splits this group: see Group::split. Empty for no_color.
  std::shared_ptr<Member> split(int color, int key, const Shape& shape);

 private:
  friend class CollectiveActivity;

  CheckedCall looked_at(const Arguments& arguments) const;
  RecentCalls::Entry& prepared(const Arguments& arguments, const CallKey& key);
  /// What the node does in the call of this entry, made if nobody has. Throws std::bad_alloc.
  const Program& program(RecentCalls::Entry& entry) {
    if (entry.program == nullptr) entry.program = &group_->plans.program(*entry.plan, rank_);
    return *entry.program;
  }
  /// `program`: the node's own, if the call has a plan.
  Call begin(const PreparedCall& call, const Program* program, const Arguments& arguments,
             const Reduction* reduction, const Lease& workspace);
  /// A blocking call that is alone in flight.
  void run(RecentCalls::Entry& entry, const Arguments& arguments);
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
  Rank node_;                             // in the team
  const NodeThread& thread_;
  RecentCalls recent_;
  std::uint64_t evictions_ = 0;  // that recent_ knows of
  const CallKind* last_kind_ = nullptr;
  int last_segments_ = 0;
};

}  // namespace vnode
