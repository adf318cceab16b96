#include "call/collective_activity.hpp"

#include <utility>

#include "call/member.hpp"

namespace vnode {

void* KeptOperator::keep(CallMemory& memory, const OperatorType& type, void* op) {
  std::size_t room = type.bytes + type.alignment;
  void* const taken = memory.take(room);
  op_ = taken;
  std::align(type.alignment, type.bytes, op_, room);
  try {
    type.move(op_, op);
  } catch (...) {
    CallMemory::give_back(taken);
    throw;
  }
  taken_ = taken;
  type_ = &type;
  return op_;
}

CollectiveActivity::CollectiveActivity(Member& member, const Arguments& arguments,
                                       std::unique_ptr<Packing> packing)
    : member_(member), entry_(member.recent_.find(arguments)) {
  if (entry_ == nullptr) entry_ = &member_.prepared(arguments, member_.validated(arguments).key);
  prepared_ = entry_->plan.get();
  reduction_ = *entry_->reduction(arguments);
  if (packing != nullptr || member_.group().facts.every_call) unusual_ = std::make_unique<Unusual>();
  if (packing != nullptr) unusual_->packing = std::move(packing);
  if (member_.engine().counters() != nullptr) {
    const CallKey& key = *prepared_->key;
    unusual_->row = &member_.row_of(*entry_);
    unusual_->counted_bytes =
        (key.varying ? arguments.in.count : key.count) * key.element_bytes;  // each has its own count
  }
  program_ = &member_.program(*entry_);
  if (unusual_ == nullptr) short_ = entry_->short_program;
  execution_.emplace(member_.engine().endpoint(), *prepared_->plan, *program_,
                     [&] { return member_.described(*prepared_, arguments, &reduction_); });
}

CollectiveActivity::CollectiveActivity(Member& member, RecentCalls::Entry& entry, const Arguments& arguments,
                                       const Execution& begun, Lease&& workspace)
    : member_(member),
      entry_(&entry),
      prepared_(entry.plan.get()),
      program_(entry.program),
      reduction_(*entry.reduction(arguments)),
      workspace_(std::move(workspace)) {
  execution_.emplace(member_.engine().endpoint(), *prepared_->plan, *program_,
                     [&] { return member_.described(*prepared_, arguments, &reduction_); });
  execution_->go_on(begun);
  keep_operator(arguments);
  next_borrower_ = member_.borrowers_;
  if (next_borrower_ != nullptr) next_borrower_->named_at_ = &next_borrower_;
  named_at_ = &member_.borrowers_;
  member_.borrowers_ = this;
}

CollectiveActivity::CollectiveActivity(Member& member, std::unique_ptr<Packing> packing)
    : member_(member), entry_(nullptr), prepared_(nullptr), unusual_(std::make_unique<Unusual>()) {
  unusual_->packing = std::move(packing);
}

void CollectiveActivity::set(const std::shared_ptr<const PreparedCall>& prepared,
                             const std::shared_ptr<const ExchangePlan>& plan) {
  Unusual& own = *unusual_;
  if (own.plan == plan) return;  // which is of one call
  keeps_prepared_ = prepared;
  prepared_ = prepared.get();
  own.plan = plan;
  own.call = Call{.context = &member_.group().context,
                  .rank = member_.rank(),
                  .head = {0, prepared->signature, member_.group().context.id(), 0, Kind::data, 0}};
  own.counted_bytes = own.plan->bytes_sent();
  if (member_.engine().counters() != nullptr)
    own.row = prepared->varying ? &member_.row_of(*prepared)
                                : &member_.row_of(prepared->record.kind->collective, own.counted_bytes);
}

void CollectiveActivity::keep_operator(const Arguments& arguments) {
  if (arguments.op != nullptr && !reduction_.parallel)
    reduction_.state = op_.keep(member_.engine().call_memory(), *arguments.op, arguments.op_state);
}

void CollectiveActivity::keep(const std::shared_ptr<Member>& member, const Arguments& arguments) {
  keep_operator(arguments);
  if (entry_ != nullptr) keeps_prepared_ = entry_->plan;
  keeps_member_ = member;
}

void CollectiveActivity::check_thread() const { member_.check_thread(); }

void CollectiveActivity::begin() {
  if (unusual_ != nullptr) return begin_unusual();
  workspace_.emplace(member_.engine(), program_->scratch_bytes, program_->tickets);
  const Point first = member_.begin(*prepared_, program_);
  Engine& engine = member_.engine();
  std::size_t done = 0;
  awaits_line_ = false;
  if (short_ && engine.is_plain()) {
    const Memories& memories = execution_->call().memories;
    if (short_->send(engine.endpoint(), first, memories, [&] { return &reduction_; })) {
      short_->copy(memories);
      done = short_->steps();
      awaits_line_ = short_->receives() && !short_->shows_last();
    }
  }
  execution_->begin(member_.beginning(program_, workspace_->scratch(), workspace_->tickets()), done);
}

void CollectiveActivity::begin_unusual() {
  Engine& engine = member_.engine();
  const SharedGroup& group = member_.group();
  Unusual& own = *unusual_;
  if (own.packing != nullptr) own.packing->pack();
  if (own.row != nullptr) {
    own.times.emplace(*engine.counters());
    own.times->count_in(*own.row);
  }
  workspace_.emplace(engine, program_ != nullptr ? program_->scratch_bytes : 0,
                     program_ != nullptr ? program_->tickets : 0);
  member_.begin(*prepared_, program_);
  const Beginning beginning = member_.beginning(program_, workspace_->scratch(), workspace_->tickets());
  if (group.facts.checked)
    own.agreement.emplace(engine.fabric(), group.context, member_.rank(), call_of(beginning.first),
                          prepared_->signature, written_everywhere());
  if (execution_) return execution_->begin(beginning);
  own.call.begin(beginning);
  own.plan->copy_input();
  own.exchange.begin(engine.endpoint(), own.plan->program(), own.call);
}

bool CollectiveActivity::advance() {
  if (unusual_ != nullptr) return advance_unusual();
  if (awaits_line_) {
    const Call& call = execution_->call();
    std::size_t done = 0;
    if (short_->receive(
            member_.engine().endpoint(), call.first, call.memories, reduction_,
            [](auto&& ready) { return ready(); }, done))
      return true;
  }
  return execution_->advance();
}

void CollectiveActivity::end() {
  return_borrowed();
  workspace_.reset();
  if (unusual_ == nullptr) return;
  unusual_->agreement.reset();
}

bool CollectiveActivity::advance_unusual() {
  return unusual_->times ? advance_counted() : advance_compared();
}

bool CollectiveActivity::advance_counted() {
  struct Compared {
    CollectiveActivity& activity;
    bool advance() { return activity.advance_compared(); }
    Awaited awaited() const { return activity.awaited(); }
  } step{*this};
  Unusual& own = *unusual_;
  if (!own.times->advance(step, own.blocks || member_.engine().awaits(*this))) return false;
  own.times->end(*own.row, own.counted_bytes);
  return true;
}

/// Returns the memory that the call writes on this node, if it writes some on each; else null.
const std::byte* CollectiveActivity::written_everywhere() const {
  const CallRecord& record = prepared_->record;
  const std::string_view collective = record.kind->collective;
  if (!execution_ || record.count == 0 || record.kind->counts || collective == "reduce" ||
      collective == "gather")
    return nullptr;
  return execution_->call().memories[static_cast<std::size_t>(Place::output)];
}

/// Advances the call after the comparison of signatures, if there is one.
bool CollectiveActivity::advance_compared() {
  std::optional<Agreement>& agreement = unusual_->agreement;
  if (agreement) {
    if (!agreement->advance()) return false;
    agreement.reset();
  }
  if (!(execution_ ? execution_->advance() : unusual_->exchange.advance())) return false;
  if (unusual_->packing != nullptr) unusual_->packing->unpack();
  return true;
}

Awaited CollectiveActivity::awaited() const {
  if (unusual_ != nullptr && unusual_->agreement) return unusual_->agreement->awaited();
  Awaited next = execution_ ? execution_->awaited() : unusual_->exchange.awaited();
  next.progress += std::uint64_t{1} << 16;  // more than there are steps to agree
  return next;
}

const std::atomic<std::uint64_t>* CollectiveActivity::watch() const {
  if (unusual_ != nullptr && unusual_->agreement) return unusual_->agreement->watch();
  return execution_ ? execution_->watch() : unusual_->exchange.watch();
}

}  // namespace vnode
