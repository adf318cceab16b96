#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <vnode/exchanges.hpp>

#include "communicator/call_counters.hpp"
#include "communicator/exchange_plan.hpp"
#include "communicator/plan_cache.hpp"
#include "communicator/planned_activity.hpp"
#include "runtime/exchange.hpp"
#include "runtime/mismatch.hpp"

namespace vnode {

class Member;

/// An exchange that may be in flight beside other calls, and be started again when it is complete.
class ExchangeActivity final : public PlannedActivity {
 public:
  explicit ExchangeActivity(Member& member) : member_(member) {}
  /// Sets what the activity does from its next begin() on.
  void set(const PreparedCall& prepared, std::shared_ptr<const ExchangePlan> plan) {
    prepared_ = &prepared;
    plan_ = std::move(plan);
  }
  /// The member stays as long as the activity, and the node does other things until it is complete.
  void keep(const std::shared_ptr<Member>& member) { keeps_member_ = member; }

  void check_thread() const override;
  void begin() override;
  void end() override { agreement_.reset(); }
  bool advance() override;
  Awaited awaited() const override;
  const std::atomic<std::uint64_t>* watch() const override {
    return agreement_ ? agreement_->watch() : execution_.watch();
  }

 private:
  bool advance_counted();
  bool advance_compared();

  Member& member_;
  const PreparedCall* prepared_ = nullptr;
  std::shared_ptr<const ExchangePlan> plan_;
  ExchangeExecution execution_;
  std::optional<Agreement> agreement_;
  CountedRow* row_ = nullptr;  // where the call is counted; null: nowhere
  std::optional<CallTimes> times_;
  std::shared_ptr<Member> keeps_member_;
};

/// The exchanges of a member: the last ones that it has made, so that one like them is not looked at again.
/// One thread's.
class ExchangeCalls {
 public:
  explicit ExchangeCalls(Member& member) : member_(member), blocking_(member) {}

  /// Sets what the activity does. Throws UsageError.
  void set(ExchangeActivity& activity, const ExchangeArguments& call);
  /// For blocking calls: of these there is one at a time.
  ExchangeActivity& blocking() { return blocking_; }

 private:
  static constexpr std::size_t most_plans = 16;
  const std::shared_ptr<const ExchangePlan>& plan(const ExchangeArguments& call);
  const PreparedCall& prepared(const ElementType& type, bool to_all);
  const Neighbours& neighbours(const ExchangeArguments& call);

  Member& member_;
  std::vector<std::shared_ptr<const ExchangePlan>> plans_;  // newest last
  std::vector<std::unique_ptr<PreparedCall>> prepared_;
  std::optional<Neighbours> in_topology_, all_;
  ExchangeActivity blocking_;
};

}  // namespace vnode
