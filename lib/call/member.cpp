#include "call/member.hpp"

#include <utility>

#include <vnode/error.hpp>

#include "call/exchange_calls.hpp"
#include "call/packing.hpp"

namespace vnode {
/// Returns the entry with the plan of a call that has been checked, with its `key`.
RecentCalls::Entry& Member::prepared(const Arguments& arguments, const CallKey& key) {
  share_borrowed();
  const CallKey unchecked(arguments);
  RecentCalls::Entry& entry = recent_.at(arguments);
  const bool kept = entry.plan != nullptr && *entry.plan->key == key;
  std::shared_ptr<const PreparedCall> plan = kept ? entry.plan : engine_.within_call([&] {
    return group_->plans.prepare(key);  // it may measure, and look while it waits for that
  });
  if (const std::uint64_t evictions = group_->plans.cache().evictions(); evictions != evictions_) {
    evictions_ = evictions;
    recent_.forget_evicted();
  }
  entry.set(arguments, unchecked, std::move(plan));
  return entry;
}

void Member::make_program(RecentCalls::Entry& entry) {
  const PreparedCall& plan = *entry.plan;
  const Program& own = group_->plans.program(plan, rank_);
  entry.short_program = ShortProgram::of(*plan.plan, engine_.endpoint(), group_->context, rank_,
                                         plan.signature, plan.key->element_bytes);
  entry.program = &own;
}

void Member::forget_plans() {
  share_borrowed();
  recent_.forget_all();
  exchanges_ = nullptr;
}

void Member::share_borrowed() {
  while (borrowers_ != nullptr) borrowers_->share(group_);
}

CheckedCall Member::validated(const Arguments& arguments) const {
  CheckedCall call = checked(arguments, rank_, size());
  call.key.deterministic |= group_->facts.deterministic && combines(arguments.collective);
  return call;
}

void Member::call(const Arguments& arguments) {
  if (!group_->facts.usual || has_unusual(arguments)) return call_unusual(arguments);
  // A call that is refused has not begun: the run goes on if the exception is caught.
  RecentCalls::Entry& entry = planned(arguments);
  engine_.guarded([&] {
    begin(
        entry, arguments, [&](auto&& ready) { return engine_.expect(ready); },
        [this](Execution& execution, Lease&) { engine_.wait(execution); });
  });
}

/// Makes a usual call as a fiber: kept apart, so that what it does to wait costs threads nothing.
void Member::call_as_fiber(const Arguments& arguments) {
  RecentCalls::Entry& entry = planned(arguments);
  engine_.guarded([&] {
    begin(
        entry, arguments, [&](auto&& ready) { return engine_.expect_turn(ready); },
        [this](Execution& execution, Lease&) { engine_.wait(execution); });
  });
}

void Member::call_unusual(const Arguments& arguments) {
  if (!is_unusual(arguments)) return call_as_fiber(arguments);
  if (is_packed(arguments)) {
    const Packing packing(engine_, rank(), arguments, false);
    packing.pack();
    call(packing.arguments());
    return packing.unpack();
  }
  if (is_divided(arguments)) {
    ExchangeCalls& calls = exchanges();
    calls.set(calls.blocking(), arguments);
    return complete(calls.blocking());
  }
  if (!group_->facts.checked && arguments.parts == Arguments::Parts::equal) return call_counted(arguments);
  CollectiveActivity activity(*this, arguments);
  complete(activity);
}

/// Makes a blocking call.
void Member::complete(CollectiveActivity& activity) {
  activity.block();
  engine_.guarded([&] {
    activity.begin();
    engine_.wait(activity);
  });
}

/// Starts a usual call. Its first messages are sent before it is put where the engine drives it.
Request Member::start_usual(const Arguments& arguments) {
  RecentCalls::Entry& entry = planned(arguments);
  std::unique_ptr<CollectiveActivity> rest;
  engine_.guarded([&] {
    begin(
        entry, arguments, [](auto&& ready) { return ready(); },
        [&](Execution& execution, Lease& workspace) {
          engine_.start([&] { return execution.advance(); },
                        [&]() -> Activity& {
                          rest.reset(new (engine_.call_memory()) CollectiveActivity(
                              *this, entry, arguments, execution, std::move(workspace)));
                          return *rest;
                        });
        });
  });
  return Request(std::move(rest), false);
}

Request Member::start(const std::shared_ptr<Member>& self, const Arguments& arguments) {
  if (!self->is_unusual(arguments)) return self->start_usual(arguments);
  std::unique_ptr<CollectiveActivity> activity = kept(self, arguments);
  Engine& engine = self->engine_;
  engine.guarded([&] { engine.start(*activity); });
  return Request(std::move(activity), false);
}

Persistent Member::plan(const std::shared_ptr<Member>& self, const Arguments& arguments) {
  return Persistent(std::make_unique<Persistent::State>(kept(self, arguments), self->engine_));
}

/// Returns a call that somebody keeps.
std::unique_ptr<CollectiveActivity> Member::kept(const std::shared_ptr<Member>& self,
                                                 const Arguments& arguments) {
  std::unique_ptr<Packing> packing;
  Arguments packed = arguments;
  if (is_packed(arguments)) {
    packing = std::make_unique<Packing>(self->engine_, self->rank(), arguments, true);
    packed = packing->arguments();
  }
  CallMemory& memory = self->engine_.call_memory();
  std::unique_ptr<CollectiveActivity> activity;
  if (is_divided(packed)) {
    activity.reset(new (memory) CollectiveActivity(*self, std::move(packing)));
    self->exchanges().set(*activity, packed);
  } else {
    activity.reset(new (memory) CollectiveActivity(*self, packed, std::move(packing)));
  }
  activity->keep(self, arguments);
  return activity;
}

}  // namespace vnode
