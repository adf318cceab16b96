#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <vnode/exchanges.hpp>

#include "call/collective_activity.hpp"
#include "compile/exchange_plan.hpp"
#include "select/plan_cache.hpp"

namespace vnode {

class Member;

/// Keeps the last exchanges of a member, so that a call like one of them is not checked again. Only one
/// thread uses it.
class ExchangeCalls {
 public:
  explicit ExchangeCalls(Member& member) : member_(member), blocking_(member) {}

  /// Makes the activity the exchange of this call. Throws UsageError.
  void set(CollectiveActivity& activity, const Arguments& call);
  /// Returns the activity of blocking calls, of which there is one at a time.
  CollectiveActivity& blocking() { return blocking_; }

 private:
  static constexpr std::size_t most_plans = 16;
  const std::shared_ptr<const ExchangePlan>& plan(const Arguments& call);
  const std::shared_ptr<const PreparedCall>& prepared(const ElementType& type, bool to_all);
  const Neighbours& neighbours(const Arguments& call);

  Member& member_;
  std::vector<std::shared_ptr<const ExchangePlan>> plans_;  // newest last
  std::vector<std::shared_ptr<const PreparedCall>> prepared_;
  std::optional<Neighbours> in_topology_, all_;
  CollectiveActivity blocking_;
};

}  // namespace vnode
