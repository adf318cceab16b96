#include "communicator/plans.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/select.hpp>

namespace vnode {
namespace {

std::string_view variant(const CallKey& key) {
  if (key.varying) return "with a count for each rank";
  if (key.aliasing != Aliasing::none && !has_root(key.collective)) return "in place";
  return {};
}

CallKind kind_of(const CallKey& key, const Algorithm& algorithm) {
  CallKind kind{name(key.collective), algorithm.name, key.element, key.op, variant(key), key.root, 0};
  // Whether the root works in place is its own affair; so it is with everybody where nodes plan for
  // themselves.
  const bool own_affair = has_root(key.collective) || (key.varying && !combines(key.collective));
  const auto aliasing = own_affair ? Aliasing::by_block : key.aliasing;
  for (const std::uint64_t part :
       {hash_of(algorithm.name), key.element_hash, key.operator_hash,
        static_cast<std::uint64_t>(key.root + 1), static_cast<std::uint64_t>(key.shift),
        static_cast<std::uint64_t>(key.segments), static_cast<std::uint64_t>(key.radix),
        static_cast<std::uint64_t>(aliasing) * 4 + key.varying * 2u + key.deterministic})
    kind.hash = (kind.hash ^ part) * 0x9e3779b97f4a7c15 + (kind.hash >> 29);
  return kind;
}

}

Plans::Plans(const Topology& topology, const Profile& profile, const Overrides& overrides,
             const CostModel& costs, CallKinds& kinds)
    : topology_(topology),
      profile_(profile),
      overrides_(overrides),
      costs_(costs),
      kinds_(kinds),
      extents_(mesh_extents(topology)) {}

std::shared_ptr<const PreparedCall> Plans::prepare(const CallKey& key) {
  const std::lock_guard lock(mutex_);
  if (const auto found = known_.find(key); found != known_.end()) {
    recent_.splice(recent_.begin(), recent_, found->second);
    return *found->second;
  }
  auto made = build(key);
  recent_.push_front(made);
  try {
    known_.emplace(made->key, recent_.begin());
  } catch (...) {
    recent_.pop_front();
    throw;
  }
  if (recent_.size() > capacity) {
    known_.erase(recent_.back()->key);
    recent_.pop_back();
  }
  return made;
}

std::shared_ptr<const PreparedCall> Plans::build(const CallKey& key) {
  Demand demand;
  demand.collective = key.collective;
  demand.bytes = key.count * key.element_bytes;
  demand.deterministic = key.deterministic;
  demand.varying = key.varying;
  demand.in_lines = profile_.max_inline;
  demand.shared_from = profile_.min_shared;
  Parameters& parameters = demand.parameters;
  parameters.nodes = topology_.nodes();
  parameters.root = std::max(key.root, 0);
  parameters.extents = extents_;
  parameters.keep_order = key.keep_order || key.deterministic;
  parameters.shift = key.shift;
  parameters.segments = key.segments;
  parameters.radix = key.radix;
  if (key.varying) {
    demand.bytes = 0;
    for (const std::size_t count : key.counts)
      demand.bytes = std::max(demand.bytes, count * key.element_bytes);
  }
  demand.algorithm = key.algorithm;
  if (const Algorithm* overriding = overrides_.find(key.collective, demand.bytes);
      overriding != nullptr && demand.algorithm.empty())
    demand.algorithm = overriding->name;
  const Candidate chosen = choose(demand, topology_, costs_);
  parameters.segments = chosen.segments;

  auto made = std::make_shared<PreparedCall>();
  made->key = key;
  made->key.algorithm = key.algorithm.empty() ? std::string_view{} : chosen.algorithm->name;
  made->algorithm = chosen.algorithm;
  made->record = {kinds_.keep(kind_of(key, *chosen.algorithm)), key.count};
  made->key.element = made->record.kind->element;
  made->key.op = made->record.kind->op;
  made->signature = made->record.signature();
  const Schedule schedule = chosen.algorithm->build(parameters);
  const Contract wanted = contract(key.collective, parameters, schedule.blocks());
  Profile profile = profile_;
  profile.canonical = key.deterministic;
  if (key.element_alignment > 16)
    profile.max_inline = profile.max_published = 0;  // lines align payload to 16 bytes
  if (key.varying && !combines(key.collective)) {
    std::vector<std::vector<Part>> parts;
    for (Rank rank = 0; rank < topology_.nodes(); ++rank) parts.push_back(projection(schedule, rank));
    made->varying.emplace(PreparedCall::Varying{schedule, wanted, std::move(parts)});
  } else {
    const BlockSizes sizes = key.varying ? BlockSizes(wanted, key.counts, key.element_bytes)
                                         : BlockSizes(wanted, key.count, key.element_bytes);
    made->plan = make_plan(schedule, wanted, sizes, key.aliasing, profile);
  }
  return made;
}

}
