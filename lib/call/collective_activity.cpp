#include "call/collective_activity.hpp"

#include <cstring>
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
  std::optional<CheckedCall> call;
  if (entry_ == nullptr) {
    call.emplace(member_.validated(arguments));
    entry_ = &member_.prepared(arguments, call->key);
  }
  prepared_ = entry_->plan.get();
  reduction_ = *entry_->reduction(arguments);
  if (prepared_->varying || packing != nullptr || member_.group().facts.every_call)
    unusual_ = std::make_unique<Unusual>();
  if (packing != nullptr) unusual_->packing = std::move(packing);
  if (member_.engine().counters() != nullptr) {
    unusual_->row = &member_.row_of(*entry_);
    const CallKey& key = *prepared_->key;
    // The input of a scatter is read on the root only.
    const bool brings = key.collective != Collective::scatter || member_.rank() == arguments.root;
    unusual_->counted_bytes = !key.varying ? key.count * key.element_bytes
                              : brings     ? arguments.in.count * arguments.type->bytes
                                           : 0;
  }
  const auto described = [&] { return member_.described(*prepared_, arguments, &reduction_); };
  if (prepared_->varying) {
    unusual_->call = described();
    lay_out(*call, arguments);
    return;
  }
  program_ = &member_.program(*entry_);
  if (unusual_ == nullptr) short_ = entry_->short_program;
  execution_.emplace(member_.engine().endpoint(), *prepared_->plan, *program_, described);
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

CollectiveActivity::CollectiveActivity(Member& member)
    : member_(member), entry_(nullptr), prepared_(nullptr), unusual_(std::make_unique<Unusual>()) {}

void CollectiveActivity::set(const std::shared_ptr<const PreparedCall>& prepared,
                             std::shared_ptr<const ExchangePlan> plan) {
  keeps_prepared_ = prepared;
  prepared_ = prepared.get();
  Unusual& own = *unusual_;
  own.plan = std::move(plan);
  own.exchanged = &own.plan->program();
  own.call = Call{.context = &member_.group().context,
                  .rank = member_.rank(),
                  .head = {0, prepared->signature, member_.group().context.id(), 0, Kind::data, 0}};
  own.counted_bytes = own.plan->bytes_sent();
  if (member_.engine().counters() != nullptr)
    own.row = &member_.row_of(prepared->record.kind->collective, own.counted_bytes);
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
  const Beginning beginning = member_.begin(*prepared_, program_, *workspace_);
  Engine& engine = member_.engine();
  std::size_t done = 0;
  awaits_line_ = false;
  if (short_ && engine.is_plain()) {
    const Memories& memories = execution_->call().memories;
    if (short_->send(engine.endpoint(), beginning.call, memories)) {
      short_->copy(memories);
      done = short_->steps();
      awaits_line_ = short_->receives();
    }
  }
  execution_->begin(beginning, done);
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
  const Beginning beginning = member_.begin(*prepared_, program_, *workspace_);
  if (group.facts.checked)
    own.agreement.emplace(engine.fabric(), group.context, member_.rank(), beginning.call,
                          prepared_->signature);
  if (execution_) return execution_->begin(beginning);
  own.call.begin(beginning);
  if (!own.copy.empty())
    std::memcpy(own.copy.data(), own.call.memories[static_cast<std::size_t>(Place::input)], own.copy.size());
  own.exchange.begin(engine.endpoint(), *own.exchanged, own.call);
}

bool CollectiveActivity::advance() {
  if (unusual_ != nullptr) return advance_unusual();
  if (awaits_line_) {
    const Call& call = execution_->call();
    if (short_->receive(member_.engine().endpoint(), call.head.call, call.memories, reduction_)) return true;
  }
  return execution_->advance();
}

void CollectiveActivity::end() {
  return_borrowed();
  workspace_.reset();
  if (unusual_ == nullptr) return;
  unusual_->agreement.reset();
}

/// Makes the program of a call whose counts differ between ranks, over this node's own memory.
void CollectiveActivity::lay_out(const CheckedCall& call, const Arguments& arguments) {
  const PreparedCall::Varying& varying = *prepared_->varying;
  const std::size_t element = arguments.type->bytes;
  const auto* input = static_cast<const std::byte*>(arguments.in.data);
  if (call.overwrites) {
    // What arrives would overwrite what has still to be sent.
    std::size_t bytes = 0;
    for (const CheckedCall::Part& part : call.input_parts) bytes = std::max(bytes, part.offset + part.bytes);
    unusual_->copy.resize(bytes);
    input = unusual_->copy.data();
  }
  const auto place = [&](const std::vector<Interval>& blocks, const std::vector<CheckedCall::Part>& parts,
                         std::byte* memory) {
    std::unordered_map<int, ExchangeProgram::Piece> placed;
    const auto pieces = static_cast<std::size_t>(varying.contract.message_blocks);
    std::size_t number = 0, offset = 0;
    for (const Interval& interval : blocks)
      for (int block = interval.first; block < interval.last; ++block, ++number) {
        const CheckedCall::Part& part = parts[number / pieces];
        if (number % pieces == 0) offset = part.offset;
        const std::size_t all = part.bytes / element;
        const std::size_t count = all / pieces + (number % pieces < all % pieces);
        placed[block] = {{memory + offset, nullptr, 0}, count};
        offset += count * element;
      }
    return placed;
  };
  const Share& share = varying.contract.shares[static_cast<std::size_t>(member_.rank_)];
  const VaryingLayout layout{
      place(share.input, call.input_parts, const_cast<std::byte*>(input)),
      place(share.output, call.output_parts, static_cast<std::byte*>(arguments.out.data))};
  unusual_->program =
      varying_program(varying.schedule, varying.parts[static_cast<std::size_t>(member_.rank_)], member_.rank_,
                      layout, element);
  unusual_->program.most_eager = member_.group().facts.messages.max_inline;
  unusual_->exchanged = &unusual_->program;
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
