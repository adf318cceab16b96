#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <vnode/request.hpp>

#include "communicator/arguments.hpp"
#include "communicator/engine.hpp"
#include "communicator/in_flight.hpp"
#include "communicator/plans.hpp"
#include "runtime/execution.hpp"
#include "runtime/mismatch.hpp"
#include "runtime/varying.hpp"

namespace vnode {

class Member;

/// A collective call that may be in flight beside others, and be started again when it is complete: first the
/// comparison of signatures, if the team wants it, then the rounds.
class CollectiveActivity final : public Activity {
 public:
  /// Checks the arguments and makes the plan; afterwards nobody looks at what `arguments` look at, but for
  /// input, output and operator. `keeps`, `op`: the member and the operator, if they might end before the
  /// call. Throws UsageError.
  CollectiveActivity(Member& member, const Arguments& arguments, std::shared_ptr<Member> keeps = nullptr,
                     std::shared_ptr<void> op = nullptr);

  /// Throws UsageError unless a run of the team is on.
  void check_thread() const;

  void begin() override;
  void end() override;
  bool advance() override;
  Awaited awaited() const override;
  const std::atomic<std::uint64_t>* watch() const;

 private:
  void lay_out(const PreparedCall::Varying& varying, const CheckedCall& call);

  Member& member_;
  std::shared_ptr<Member> keeps_;
  std::shared_ptr<void> op_;
  Arguments arguments_;
  Reduction reduction_;
  std::shared_ptr<const PreparedCall> prepared_;
  const Program* program_ = nullptr;  // none of a call with other counts on every rank
  std::vector<std::byte> copy_;       // of an input that the output is about to overwrite
  VaryingProgram varying_program_;
  std::optional<Lease> workspace_;
  std::optional<Agreement> agreement_;
  std::optional<Execution> execution_;
  std::optional<VaryingExecution> varying_;
};

/// A planned call, and who drives it.
struct Persistent::State {
  State(std::unique_ptr<CollectiveActivity> activity_, Engine& engine_)
      : activity(std::move(activity_)), engine(engine_) {}
  std::unique_ptr<CollectiveActivity> activity;
  Engine& engine;
  std::uint64_t started = 0;  ///< the run in which it was started and has not been seen complete since
};

}  // namespace vnode
