#include "communicator/plans.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <vnode/error.hpp>

#include "select/choose.hpp"

namespace vnode {
namespace {

/// The extents that algorithms on meshes work with: the topology's own, or the squarest there are.
std::vector<int> mesh_extents(const Topology& topology) {
  const Family family = topology.family();
  const Topology shape =
      family == Family::mesh || family == Family::torus ? topology : Topology(mesh{}, topology.nodes());
  return {shape.extents().begin(), shape.extents().end()};
}

}

Plans::Plans(const Topology& topology, const Profile& profile, Overrides overrides)
    : topology_(topology),
      profile_(profile),
      overrides_(std::move(overrides)),
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

const Algorithm& Plans::choose(const CallKey& key, const Parameters& parameters) const {
  const std::size_t bytes = key.count * key.element_bytes;
  const Algorithm* forced =
      key.algorithm.empty() ? overrides_.find(key.collective, bytes) : &algorithm(key.algorithm);
  if (forced == nullptr) return cheapest(key.collective, parameters, topology_, bytes);
  if (forced->collective != key.collective)
    throw UsageError(fmt::format("{} is not an algorithm for {}", forced->name, name(key.collective)));
  if (const auto reason = why_not(*forced, parameters))
    throw UsageError(fmt::format("{} cannot run here: {}", forced->name, *reason));
  return *forced;
}

std::shared_ptr<const PreparedCall> Plans::build(const CallKey& key) {
  Parameters parameters;
  parameters.nodes = topology_.nodes();
  parameters.root = key.root < 0 ? 0 : key.root;
  parameters.extents = extents_;
  parameters.keep_order = key.keep_order;
  const Algorithm& chosen = choose(key, parameters);

  auto made = std::make_shared<PreparedCall>();
  made->key = key;
  made->key.algorithm = key.algorithm.empty() ? std::string_view{} : chosen.name;
  made->algorithm = &chosen;
  made->record = {kind(key, chosen), key.count};
  made->key.element = made->record.kind->element;
  made->key.op = made->record.kind->op;
  made->signature = made->record.signature();
  const Schedule schedule = chosen.build(parameters);
  Profile profile = profile_;
  if (key.element_alignment > 16)
    profile.max_inline = profile.max_published = 0;  // lines align payload to 16 bytes
  made->plan = make_plan(schedule, contract(key.collective, parameters, schedule.blocks()), key.count,
                         key.element_bytes, profile);
  return made;
}

const CallKind* Plans::kind(const CallKey& key, const Algorithm& algorithm) {
  CallKind kind{name(key.collective), algorithm.name, key.element, key.op, key.root, 0};
  kind.hash = hash_of(algorithm.name) ^ (key.element_hash * 3) ^ (key.operator_hash * 5) ^
              (static_cast<std::uint64_t>(key.root + 1) * 0x9e3779b97f4a7c15);
  const auto known = std::ranges::find(kinds_, kind.hash, &CallKind::hash);
  if (known != kinds_.end()) return &*known;
  // The names may belong to a shared object that is unloaded some day.
  kind.element = names_.emplace_back(key.element);
  kind.op = names_.emplace_back(key.op);
  return &kinds_.emplace_back(kind);
}

}
