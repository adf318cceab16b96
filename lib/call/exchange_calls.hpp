#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <vnode/exchanges.hpp>

#include "call/collective_activity.hpp"
#include "compile/exchange_plan.hpp"
#include "select/plan_cache.hpp"

namespace vnode {

class Member;

/// Keeps the last calls of a member in which only the two ends of a message know how long it is: exchanges,
/// and collectives with a count for each rank. A call like one of them is not checked again. Only one thread
/// uses it.
class ExchangeCalls {
 public:
  explicit ExchangeCalls(Member& member) : member_(member), blocking_(member) {}

  /// Makes the activity this call. Throws UsageError.
  void set(CollectiveActivity& activity, const Arguments& call);
  const Neighbours& neighbours(const Arguments& call);
  /// Returns the activity of blocking calls, of which there is one at a time.
  CollectiveActivity& blocking() { return blocking_; }

 private:
  struct Known {
    Known(const CallKey& unchecked, std::shared_ptr<const PreparedCall> call,
          std::shared_ptr<const ExchangePlan> made)
        : key(unchecked), prepared(std::move(call)), plan(std::move(made)) {}
    KeptKey key;
    std::shared_ptr<const PreparedCall> prepared;
    std::shared_ptr<const ExchangePlan> plan;
  };
  static constexpr std::size_t most_known = 16;
  const Known& known(const Arguments& call);
  std::shared_ptr<const ExchangePlan> laid_out(const Arguments& call, const CheckedCall& checked,
                                               const PreparedCall::Varying& varying) const;
  const std::shared_ptr<const PreparedCall>& prepared(const ElementType& type, bool to_all);

  Member& member_;
  std::list<Known> known_;  // newest first
  std::vector<std::shared_ptr<const PreparedCall>> exchanges_;
  std::optional<Neighbours> in_topology_, all_;
  CollectiveActivity blocking_;
};

}  // namespace vnode
