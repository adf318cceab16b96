#include "call/exchange_calls.hpp"

#include <numeric>
#include <utility>

#include "call/member.hpp"

namespace vnode {

void ExchangeCalls::set(CollectiveActivity& activity, const Arguments& call) {
  const std::shared_ptr<const ExchangePlan>& planned = plan(call);
  activity.set(prepared(*call.type, !call.exchange), planned);
}

const std::shared_ptr<const ExchangePlan>& ExchangeCalls::plan(const Arguments& call) {
  for (std::size_t i = plans_.size(); i-- > 0;)
    if (plans_[i]->is_of(call)) return plans_[i];
  auto made = std::make_shared<const ExchangePlan>(call, neighbours(call), member_.rank(), member_.size(),
                                                   member_.group().facts.messages.max_inline);
  if (plans_.size() == most_plans) plans_.erase(plans_.begin());
  return plans_.emplace_back(std::move(made));
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
  for (const auto& known : prepared_)
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
  return prepared_.emplace_back(std::move(made));
}

ExchangeCalls& Member::exchanges() {
  if (exchanges_ == nullptr) exchanges_ = std::make_shared<ExchangeCalls>(*this);
  return *exchanges_;
}

}  // namespace vnode
