#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <vnode/request.hpp>

#include "communicator/arguments.hpp"
#include "communicator/engine.hpp"
#include "communicator/exchange_plan.hpp"
#include "communicator/in_flight.hpp"
#include "communicator/packing.hpp"
#include "communicator/plans.hpp"
#include "runtime/brief.hpp"
#include "runtime/execution.hpp"
#include "runtime/mismatch.hpp"
#include "runtime/varying.hpp"

namespace vnode {

class Member;
struct SharedGroup;

/// An operator that has been moved to where it stays.
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

  /// Once. Returns where it is. Throws std::bad_alloc, and what moving it throws.
  void* keep(CallMemory& memory, const OperatorType& type, void* op);

 private:
  const OperatorType* type_ = nullptr;
  void* taken_ = nullptr;
  void* op_ = nullptr;
};

/// A collective call that may be in flight beside others, and be started again when it is complete: first the
/// comparison of signatures, if the team wants it, then the rounds.
class CollectiveActivity final : public Activity {
 public:
  /// Checks the arguments and makes the plan; afterwards nobody looks at what `arguments` look at, but for
  /// input, output and operator. The member and the plan stay until it makes another call. Throws UsageError.
  /// `packing`: those are its arguments; null: no layouts pick what the call is on.
  CollectiveActivity(Member& member, const Arguments& arguments, std::unique_ptr<Packing> packing = nullptr);
  /// Within guarded(): the rest of a call that has begun. It borrows plan and group, which have many owners
  /// on other threads: to count one more would have the processor wait until the call's first message has
  /// left it. Before the member changes its recent calls, or ends, it has the call share them.
  CollectiveActivity(Member& member, RecentCalls::Entry& entry, const Arguments& arguments,
                     const Execution& begun, Lease&& workspace);
  /// Of an exchange, which set() says.
  explicit CollectiveActivity(Member& member);
  ~CollectiveActivity() override { return_borrowed(); }
  /// From its next begin() on it is this exchange.
  void set(const std::shared_ptr<const PreparedCall>& prepared, std::shared_ptr<const ExchangePlan> plan);
  /// From now on the member may make other calls, and end for its user; the operator of `arguments`, if there
  /// are any, has moved.
  void keep(const std::shared_ptr<Member>& member, const Arguments* arguments);
  /// Borrows no more, but shares what it has borrowed.
  void share(const std::shared_ptr<SharedGroup>& group) {
    return_borrowed();
    keeps_prepared_ = entry_->plan;
    keeps_group_ = group;
  }

  /// Before begin(): the node does nothing else until it is complete.
  void block() {
    if (unusual_ != nullptr) unusual_->blocks = true;
  }

  /// Throws UsageError unless a run of the team is on.
  void check_thread() const;

  void begin() override;
  void end() override;
  bool advance() override;
  Awaited awaited() const override;
  const std::atomic<std::uint64_t>* watch() const override;

 private:
  friend Member;
  /// Holds what most calls do without: for layouts, for the comparison of signatures, for counts that differ
  /// between ranks and exchanges, for counting.
  struct Unusual {
    std::unique_ptr<Packing> packing;            // null: no layouts pick what the call is on
    std::vector<std::byte> copy;                 // of an input that the output is about to overwrite
    ExchangeProgram program;                     // of counts that differ
    std::shared_ptr<const ExchangePlan> plan;    // of an exchange
    const ExchangeProgram* exchanged = nullptr;  // one of these two, or null: of neither
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
  void lay_out(const CheckedCall& call, const Arguments& arguments);
  void begin_unusual();
  [[gnu::noinline]] bool advance_unusual();
  bool advance_counted();
  bool advance_compared();

  Member& member_;
  RecentCalls::Entry* entry_;  // until the member makes another call
  const PreparedCall* prepared_;
  const Program* program_ = nullptr;  // none of a call with other counts on every rank
  Reduction reduction_;
  std::optional<Lease> workspace_;
  std::optional<Execution> execution_;  // of a program
  std::optional<Brief> brief_;          // of a planned call's program, if that is one
  bool awaits_line_ = false;            // what is left to do is the Brief's receive
  std::unique_ptr<Unusual> unusual_;
  KeptOperator op_;
  std::shared_ptr<const PreparedCall> keeps_prepared_;
  std::shared_ptr<SharedGroup> keeps_group_;
  std::shared_ptr<Member> keeps_member_;
  // In the member's list of those that borrow:
  CollectiveActivity* next_borrower_ = nullptr;
  CollectiveActivity** named_at_ = nullptr;  // null: it is not in the list
};

/// A planned call, and who drives it.
struct Persistent::State {
  State(std::unique_ptr<CollectiveActivity> activity_, Engine& engine_)
      : activity(std::move(activity_)), engine(engine_) {}

  std::unique_ptr<CollectiveActivity> activity;
  Engine& engine;
  bool starting = false;      ///< within start(): not in flight yet, but the engine is at it
  std::uint64_t started = 0;  ///< the run in which it was started and has not been seen complete since
  const HeldCall held{engine.life()};
};

}  // namespace vnode
