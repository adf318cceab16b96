#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <vnode/request.hpp>

#include "call/arguments.hpp"
#include "call/packing.hpp"
#include "compile/exchange_plan.hpp"
#include "engine/engine.hpp"
#include "engine/in_flight.hpp"
#include "execute/exchange.hpp"
#include "execute/execution.hpp"
#include "execute/short_program.hpp"
#include "select/plans.hpp"
#include "watch/mismatch.hpp"

namespace vnode {

class Member;
struct SharedGroup;

/// Holds an operator that has been moved to where it stays.
class KeptOperator {
 public:
  KeptOperator() = default;
  ~KeptOperator() {
    if (type_ == nullptr) return;
    type_->destroy(op_);
    CallMemory::give_back(taken_);
  }
  KeptOperator(const KeptOperator&) = delete;
  KeptOperator& operator=(const KeptOperator&) = delete;

  /// Moves the operator into `memory` and returns its new address. Called once at most. Throws
  /// std::bad_alloc, and what moving the operator throws.
  void* keep(CallMemory& memory, const OperatorType& type, void* op);

 private:
  const OperatorType* type_ = nullptr;
  void* taken_ = nullptr;
  void* op_ = nullptr;
};

/// A collective call that may be in flight beside others, and may be started again when it is complete. It
/// first compares signatures, if the team wants that, and then runs its rounds.
class CollectiveActivity final : public Activity {
 public:
  /// Checks the arguments and makes the plan. Afterwards nobody reads the objects that `arguments` point to
  /// except input, output and operator. Member and plan must stay until the member makes another call.
  /// `packing` has made these arguments; null if the call has no layouts. Throws UsageError.
  CollectiveActivity(Member& member, const Arguments& arguments, std::unique_ptr<Packing> packing = nullptr);
  /// Takes over a call that has begun; called within guarded(). It borrows plan and group, which have many
  /// owners on other threads: incrementing their reference counts would make the processor wait until the
  /// call's first message has left it. Before the member changes its recent calls, or ends, it has the call
  /// share them.
  CollectiveActivity(Member& member, RecentCalls::Entry& entry, const Arguments& arguments,
                     const Execution& begun, Lease&& workspace);
  /// Makes a call that set() describes. `packing` has made its arguments; null if it has no layouts, or is an
  /// exchange.
  explicit CollectiveActivity(Member& member, std::unique_ptr<Packing> packing = nullptr);
  ~CollectiveActivity() override { return_borrowed(); }
  /// Makes the activity this call from its next begin() on.
  void set(const std::shared_ptr<const PreparedCall>& prepared,
           const std::shared_ptr<const ExchangePlan>& plan);
  /// Keeps what the activity needs, so that the member may make other calls and its user may drop it. The
  /// operator of `arguments` is moved into the activity.
  void keep(const std::shared_ptr<Member>& member, const Arguments& arguments);
  /// Shares ownership of the plan and group that it has borrowed.
  void share(const std::shared_ptr<SharedGroup>& group) {
    return_borrowed();
    keeps_prepared_ = entry_->plan;
    keeps_group_ = group;
  }

  /// Makes the call blocking: the node does nothing else until it is complete. Called before begin().
  void block() {
    if (unusual_ != nullptr) unusual_->blocks = true;
  }

  /// Throws UsageError unless a run of the team is on and this thread is the node.
  void check_thread() const;

  void begin() override;
  void end() override;
  bool advance() override;
  Awaited awaited() const override;
  const std::atomic<std::uint64_t>* watch() const override;

 private:
  friend Member;
  /// Holds what most calls do not need: for layouts, for the comparison of signatures, for messages whose
  /// lengths only their ends know, and for statistics.
  struct Unusual {
    std::unique_ptr<Packing> packing;          // null: the call has no layouts
    std::shared_ptr<const ExchangePlan> plan;  // null: all nodes know how long messages are
    Call call;
    ExchangeExecution exchange;
    std::optional<Agreement> agreement;
    CountedRow* row = nullptr;  // where the call is counted; null: nowhere
    std::size_t counted_bytes = 0;
    std::optional<CallTimes> times;
    bool blocks = false;
  };

  void keep_operator(const Arguments& arguments);
  void return_borrowed() {
    if (named_at_ == nullptr) return;
    *named_at_ = next_borrower_;
    if (next_borrower_ != nullptr) next_borrower_->named_at_ = named_at_;
    named_at_ = nullptr;
  }
  void begin_unusual();
  [[gnu::noinline]] bool advance_unusual();
  bool advance_counted();
  const std::byte* written_everywhere() const;
  bool advance_compared();

  Member& member_;
  RecentCalls::Entry* entry_;  // valid until the member makes another call
  const PreparedCall* prepared_;
  const Program* program_ = nullptr;  // null if the call has an ExchangePlan
  Reduction reduction_;
  std::optional<Lease> workspace_;
  std::optional<Execution> execution_;  // of program_
  std::optional<ShortProgram> short_;   // the program's ShortProgram, if the call is planned and has one
  bool awaits_line_ = false;            // only the ShortProgram's receive is left to do
  std::unique_ptr<Unusual> unusual_;
  KeptOperator op_;
  std::shared_ptr<const PreparedCall> keeps_prepared_;
  std::shared_ptr<SharedGroup> keeps_group_;
  std::shared_ptr<Member> keeps_member_;
  // In the member's list of those that borrow:
  CollectiveActivity* next_borrower_ = nullptr;
  CollectiveActivity** named_at_ = nullptr;  // null: it is not in the list
};

/// Holds a planned call and the engine that drives it.
struct Persistent::State {
  State(std::unique_ptr<CollectiveActivity> activity_, Engine& engine_)
      : activity(std::move(activity_)), engine(engine_) {}

  /// Returns the engine that drives the call (null: it is complete). Within start() it is the node's own,
  /// which refuses an operator that waits for the call it combines for.
  Engine* driver() const { return starting ? &engine : activity->engine(); }

  std::unique_ptr<CollectiveActivity> activity;
  Engine& engine;
  bool starting = false;      ///< within start(): not in flight yet, but being begun
  std::uint64_t started = 0;  ///< the run in which it was started and has not been seen complete since
  const HeldCall held{engine.life()};
};

}  // namespace vnode
