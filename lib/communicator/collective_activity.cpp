#include "communicator/collective_activity.hpp"

#include <cstring>
#include <utility>

#include "communicator/member.hpp"

namespace vnode {

CollectiveActivity::CollectiveActivity(Member& member, const Arguments& arguments,
                                       std::shared_ptr<Member> keeps, std::shared_ptr<void> op)
    : member_(member), keeps_(std::move(keeps)), op_(std::move(op)), arguments_(arguments) {
  RecentCalls::Entry* entry = member_.recent_.find(arguments);
  if (entry == nullptr) {
    const CheckedCall call = member_.looked_at(arguments);
    entry = &member_.prepared(arguments, call.key);
    if (entry->plan->varying) lay_out(*entry->plan->varying, call);
  }
  prepared_ = entry->plan;
  reduction_ = *entry->reduction(arguments);
  if (prepared_->plan) program_ = &member_.program(*entry);
}

void CollectiveActivity::check_run() const { member_.check_run(); }

void CollectiveActivity::begin() {
  Engine& engine = member_.engine();
  workspace_.emplace(engine, program_ != nullptr ? program_->scratch_bytes : 0,
                     program_ != nullptr ? program_->tickets : 0);
  const Call made = member_.begin(*prepared_, program_, arguments_, &reduction_, *workspace_);
  if (member_.group().facts.checked)
    agreement_.emplace(engine.fabric(), *made.context, made.rank, made.head.call, made.head.signature);
  if (program_ != nullptr) {
    execution_.emplace(engine.endpoint(), *prepared_->plan, *program_, [&] { return made; });
    return;
  }
  if (!copy_.empty()) std::memcpy(copy_.data(), arguments_.in, copy_.size());
  varying_.emplace(engine.endpoint(), varying_program_, made, member_.group().facts.messages.max_inline);
}

void CollectiveActivity::end() {
  varying_.reset();
  execution_.reset();
  agreement_.reset();
  workspace_.reset();
}

/// The program of a call with other counts on every rank, over this node's own memory.
void CollectiveActivity::lay_out(const PreparedCall::Varying& varying, const CheckedCall& call) {
  const std::size_t element = arguments_.type->bytes;
  const auto* input = static_cast<const std::byte*>(arguments_.in);
  if (call.overwrites) {
    // What arrives would overwrite what has still to be sent.
    std::size_t bytes = 0;
    for (const CheckedCall::Part& part : call.input_parts) bytes = std::max(bytes, part.offset + part.bytes);
    copy_.resize(bytes);
    input = copy_.data();
  }
  const auto place = [&](const std::vector<Interval>& blocks, const std::vector<CheckedCall::Part>& parts,
                         std::byte* memory) {
    std::unordered_map<int, Stretch> stretches;
    const auto pieces = static_cast<std::size_t>(varying.contract.message_blocks);
    std::size_t number = 0, offset = 0;
    for (const Interval& interval : blocks)
      for (int block = interval.first; block < interval.last; ++block, ++number) {
        const CheckedCall::Part& part = parts[number / pieces];
        if (number % pieces == 0) offset = part.offset;
        const std::size_t count = part.bytes / element;
        const std::size_t bytes = (count / pieces + (number % pieces < count % pieces)) * element;
        stretches[block] = {memory + offset, bytes};
        offset += bytes;
      }
    return stretches;
  };
  const Share& share = varying.contract.shares[static_cast<std::size_t>(member_.rank_)];
  VaryingLayout layout{place(share.input, call.input_parts, const_cast<std::byte*>(input)),
                       place(share.output, call.output_parts, static_cast<std::byte*>(arguments_.out))};
  varying_program_ = make_varying_program(
      varying.schedule, varying.parts[static_cast<std::size_t>(member_.rank_)], member_.rank_, layout);
  for (const auto& [block, from] : layout.input)
    if (const auto to = layout.output.find(block); to != layout.output.end() && to->second.data != from.data)
      varying_program_.own.emplace_back(from, to->second);
}

bool CollectiveActivity::advance() {
  if (agreement_) {
    if (!agreement_->advance()) return false;
    agreement_.reset();
  }
  return execution_ ? execution_->advance() : varying_->advance();
}

Awaited CollectiveActivity::awaited() const {
  if (agreement_) return agreement_->awaited();
  return execution_ ? execution_->awaited() : varying_->awaited();
}

const std::atomic<std::uint64_t>* CollectiveActivity::watch() const {
  if (agreement_) return agreement_->watch();
  return execution_ ? execution_->watch() : varying_->watch();
}

}
