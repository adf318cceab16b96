#include "communicator/exchange_activity.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "communicator/collective_activity.hpp"
#include "communicator/member.hpp"

namespace vnode {

void ExchangeActivity::check_thread() const { member_.check_thread(); }

void ExchangeActivity::begin() {
  Engine& engine = member_.engine();
  const SharedGroup& group = member_.group();
  const Lease nothing(engine, 0, 0);
  const Beginning beginning = member_.begin(*prepared_, nullptr, nothing);
  agreement_.reset();
  times_.reset();
  if (CallCounters* const counters = engine.counters()) {
    row_ = &member_.row_of(prepared_->record.kind->collective, plan_->bytes_sent());
    times_.emplace(*counters);
    times_->count_in(*row_);
  }
  if (group.facts.checked)
    agreement_.emplace(engine.fabric(), group.context, member_.rank(), beginning.call, prepared_->signature);
  Call call{.context = &group.context,
            .rank = member_.rank(),
            .head = {0, prepared_->signature, group.context.id(), 0, Kind::data, 0}};
  call.begin(beginning);
  execution_.begin(engine.endpoint(), plan_->program(), call);
}

bool ExchangeActivity::advance() { return times_ ? advance_counted() : advance_compared(); }

bool ExchangeActivity::advance_counted() {
  struct Compared {
    ExchangeActivity& activity;
    bool advance() { return activity.advance_compared(); }
    Awaited awaited() const { return activity.awaited(); }
  } step{*this};
  if (!times_->advance(step, keeps_member_ == nullptr || member_.engine().awaits(*this))) return false;
  times_->end(*row_, plan_->bytes_sent());
  times_.reset();
  return true;
}

Awaited ExchangeActivity::awaited() const {
  if (agreement_) return agreement_->awaited();
  Awaited next = execution_.awaited();
  next.progress += std::uint64_t{1} << 16;  // more than there are steps to agree
  return next;
}

/// After the comparison of signatures, if there is one.
bool ExchangeActivity::advance_compared() {
  if (agreement_) {
    if (!agreement_->advance()) return false;
    agreement_.reset();
  }
  return execution_.advance();
}

void ExchangeCalls::set(ExchangeActivity& activity, const ExchangeArguments& call) {
  const std::shared_ptr<const ExchangePlan>& planned = plan(call);
  activity.set(prepared(*call.type, call.to_all), planned);
}

const std::shared_ptr<const ExchangePlan>& ExchangeCalls::plan(const ExchangeArguments& call) {
  for (std::size_t i = plans_.size(); i-- > 0;)
    if (plans_[i]->is_of(call)) return plans_[i];
  auto made = std::make_shared<const ExchangePlan>(call, neighbours(call), member_.rank(), member_.size(),
                                                   member_.group().facts.messages.max_inline);
  if (plans_.size() == most_plans) plans_.erase(plans_.begin());
  return plans_.emplace_back(std::move(made));
}

const Neighbours& ExchangeCalls::neighbours(const ExchangeArguments& call) {
  if (call.neighbours != nullptr) return *call.neighbours;
  if (!call.to_all) {
    if (!in_topology_) in_topology_.emplace(member_.group().topology, member_.rank());
    return *in_topology_;
  }
  if (!all_) {
    std::vector<Rank> ranks(static_cast<std::size_t>(member_.size()));
    std::iota(ranks.begin(), ranks.end(), 0);
    all_.emplace(std::span<const Rank>(ranks), std::span<const Rank>(ranks));
  }
  return *all_;
}

/// How these calls are known to journals, reports and other nodes. Counts are those of two ends, not of all.
const PreparedCall& ExchangeCalls::prepared(const ElementType& type, bool to_all) {
  const std::string_view name = to_all ? "all_to_all" : "exchange";
  for (const auto& known : prepared_)
    if (known->key->element_hash == type.hash && known->record.kind->collective == name) return *known;
  CallKey key;
  key.element_hash = type.hash;
  key.varying = true;
  auto made = std::make_unique<PreparedCall>(key);
  const std::string_view variant = to_all ? "with a layout for each rank" : "";
  const CallKind kind{name,
                      "exchange_all_ports",
                      type.name,
                      {},
                      variant,
                      -1,
                      (hash_of(name) ^ type.hash) * 0x9e3779b97f4a7c15,
                      true};
  made->record = {member_.group_->plans.kept(kind), 0};
  made->signature = made->record.signature();
  return *prepared_.emplace_back(std::move(made));
}

void Member::exchange(const ExchangeArguments& arguments) {
  ExchangeCalls& calls = exchanges();
  ExchangeActivity& activity = calls.blocking();
  calls.set(activity, arguments);
  engine_.guarded([&] {
    activity.begin();
    engine_.wait(activity);
  });
}

namespace {

/// A call that its caller keeps.
std::unique_ptr<ExchangeActivity> kept_exchange(const std::shared_ptr<Member>& member, ExchangeCalls& calls,
                                                const ExchangeArguments& arguments) {
  std::unique_ptr<ExchangeActivity> activity(new (member->engine().call_memory()) ExchangeActivity(*member));
  calls.set(*activity, arguments);
  activity->keep(member);
  return activity;
}

}  // namespace

Request Member::start(const std::shared_ptr<Member>& self, const ExchangeArguments& arguments) {
  std::unique_ptr<ExchangeActivity> activity = kept_exchange(self, self->exchanges(), arguments);
  self->engine_.guarded([&] { self->engine_.start(*activity); });
  return Request(std::move(activity), false);
}

Persistent Member::plan(const std::shared_ptr<Member>& self, const ExchangeArguments& arguments) {
  return Persistent(
      std::make_unique<Persistent::State>(kept_exchange(self, self->exchanges(), arguments), self->engine_));
}

ExchangeCalls& Member::exchanges() {
  if (exchanges_ == nullptr) exchanges_ = std::make_shared<ExchangeCalls>(*this);
  return *exchanges_;
}

}  // namespace vnode
