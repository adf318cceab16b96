#include "team/arenas.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <oneapi/tbb/info.h>
#include <utility>

#include "base/counted.hpp"
#include "execute/arena_state.hpp"

namespace vnode {

namespace tbb = oneapi::tbb;

Arenas::Arenas(const Machine& machine, const Mapping& mapping, DomainLevel level, bool pinning)
    : level_(level) {
  const auto os_index = [&](int pu) { return machine.pus[static_cast<std::size_t>(pu)].os_index; };
  std::size_t workers = 0;
  std::vector<std::vector<int>> shares = domain_shares(machine, mapping, level);
  for (std::size_t rank = 0; rank < shares.size(); ++rank) {
    workers += shares[rank].size() - 1;
    std::vector<int> pinned_to;
    // Workers leave the node's own PU to the node, as long as there is another one.
    for (const int pu : shares[rank])
      if (pinning && (pu != mapping.pu[rank] || shares[rank].size() == 1)) pinned_to.push_back(os_index(pu));
    std::ranges::sort(pinned_to);
    auto state = std::make_unique<Arena::State>(std::move(shares[rank]), std::move(pinned_to));
    states_.push_back(state.get());
    arenas_.push_back(std::make_unique<Arena>(std::move(state)));
  }
  // So many, if it was told nothing else: it may have counted fewer PUs, and of several limits the lowest
  // holds, so that of a user who has set one does.
  const auto limit = tbb::global_control::max_allowed_parallelism;
  if (tbb::global_control::active_value(limit) < workers + 1) workers_.emplace(limit, workers + 1);
}

void Arenas::let_workers_be_counted() { tbb::info::default_concurrency(); }

std::string Arenas::report(const Machine& machine) const {
  constexpr std::size_t shown = 16;
  std::vector<std::string> shares;
  std::size_t pinned = 0;
  bool pins = true;
  std::string refusal;
  for (const Arena::State* state : states_) {
    std::vector<int> pus;
    for (const int pu : state->pus) pus.push_back(machine.pus[static_cast<std::size_t>(pu)].os_index);
    std::ranges::sort(pus);
    if (shares.size() < shown)
      shares.push_back(fmt::format("{} on {}", counted(pus.size(), "thread"), number_ranges(pus)));
    pins = pins && state->pins != nullptr;
    if (!pins) continue;
    pinned += state->pins->count();
    if (refusal.empty()) refusal = state->pins->refusal();
  }
  if (states_.size() > shown) shares.push_back(fmt::format("and {} more", states_.size() - shown));
  std::string text = fmt::format("by {}: {}; workers ", enums::name(level_), fmt::join(shares, ", "));
  if (!pins) return text + "not pinned";
  if (!refusal.empty()) return text + "not pinned, " + refusal;
  return text + fmt::format("pinned, {} so far", counted(pinned, "time"));
}

}  // namespace vnode
