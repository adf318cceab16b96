#include "call/exchange_calls.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "call/member.hpp"

namespace vnode {

void ExchangeCalls::set(CollectiveActivity& activity, const Arguments& call) {
  const Known& known = this->known(call);
  activity.set(known.prepared, known.plan);
}

const ExchangeCalls::Known& ExchangeCalls::known(const Arguments& call) {
  for (const Known& known : known_)
    if (known.plan->is_of(call) && (Member::is_exchange(call) || *known.key == CallKey(call))) return known;
  std::shared_ptr<const PreparedCall> prepared;
  std::shared_ptr<const ExchangePlan> plan;
  if (Member::is_exchange(call)) {
    plan = std::make_shared<const ExchangePlan>(call, neighbours(call), member_.rank(), member_.size(),
                                                member_.group().facts.messages.max_inline);
    prepared = this->prepared(*call.type, !call.exchange);
  } else {
    const CheckedCall checked = member_.validated(call);
    prepared = member_.engine().within_call([&] { return member_.group_->plans.prepare(checked.key); });
    plan = laid_out(call, checked, *prepared->varying);
  }
  if (known_.size() == most_known) known_.pop_back();
  return known_.emplace_front(CallKey(call), std::move(prepared), std::move(plan));
}

/// Makes the program of a call with a count for each rank, over this node's own memory.
std::shared_ptr<const ExchangePlan> ExchangeCalls::laid_out(const Arguments& call, const CheckedCall& checked,
                                                            const PreparedCall::Varying& varying) const {
  const std::size_t element = call.type->bytes;
  const auto rank = static_cast<std::size_t>(member_.rank());
  std::vector<std::byte> copy;
  if (checked.overwrites)  // what arrives would overwrite what has still to be sent
    for (const CheckedCall::Part& part : checked.input_parts)
      copy.resize(std::max(copy.size(), part.offset + part.bytes));
  const auto place = [&](const std::vector<Interval>& blocks, const std::vector<CheckedCall::Part>& parts,
                         void* memory) {
    std::unordered_map<int, ExchangeProgram::Piece> placed;
    const auto pieces = static_cast<std::size_t>(varying.contract.message_blocks);
    std::size_t number = 0, offset = 0;
    for (const Interval& interval : blocks)
      for (int block = interval.first; block < interval.last; ++block, ++number) {
        const CheckedCall::Part& part = parts[number / pieces];
        if (number % pieces == 0) offset = part.offset;
        const std::size_t all = part.bytes / element;
        const std::size_t count = all / pieces + (number % pieces < all % pieces);
        placed[block] = {{static_cast<std::byte*>(memory) + offset, nullptr, 0}, count};
        offset += count * element;
      }
    return placed;
  };
  const Share& share = varying.contract.shares[rank];
  const VaryingLayout layout{
      place(share.input, checked.input_parts, copy.empty() ? call.in.data : copy.data()),
      place(share.output, checked.output_parts, call.out.data)};
  ExchangeProgram program =
      varying_program(varying.schedule, varying.parts[rank], member_.rank(), layout, element);
  program.most_eager = member_.group().facts.messages.max_inline;
  // The input of a scatter is read on the root only.
  const bool brings = call.collective != Collective::scatter || member_.rank() == call.root;
  return std::make_shared<const ExchangePlan>(call, std::move(program), brings ? call.in.count * element : 0,
                                              std::move(copy));
}

const Neighbours& ExchangeCalls::neighbours(const Arguments& call) {
  if (call.neighbours != nullptr) return *call.neighbours;
  if (call.exchange) {
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

/// Returns the call by which journals, reports and other nodes know these exchanges. Only the two ends of a
/// message know its count.
const std::shared_ptr<const PreparedCall>& ExchangeCalls::prepared(const ElementType& type, bool to_all) {
  const std::string_view name = to_all ? "all_to_all" : "exchange";
  for (const auto& known : exchanges_)
    if (known->key->element_hash == type.hash && known->record.kind->collective == name) return known;
  CallKey key;
  key.element_hash = type.hash;
  key.varying = true;
  auto made = std::make_shared<PreparedCall>(key);
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
  return exchanges_.emplace_back(std::move(made));
}

const Neighbours& Member::neighbours(const Arguments& exchange) { return exchanges().neighbours(exchange); }

ExchangeCalls& Member::exchanges() {
  if (exchanges_ == nullptr) exchanges_ = std::make_shared<ExchangeCalls>(*this);
  return *exchanges_;
}

}  // namespace vnode
