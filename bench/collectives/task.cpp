#include "collectives/task.hpp"

#include <cstring>
#include <numeric>
#include <utility>

#include <vnode/model/algorithms.hpp>

#include "limits/kernels.hpp"
#include "schedule/collective_traits.hpp"

namespace vnode::bench {
namespace {

// Returns the fewest blocks in which the contract can be written; they are vectors of m bytes.
int blocks(Collective collective, int p) {
  return collective == Collective::exclusive_scan ? 2 : static_cast<int>(shares(collective, p));
}

Deliveries asked_for(Collective collective, const Setting& setting) {
  const Parameters parameters{.nodes = setting.nodes, .root = setting.root, .shift = setting.shift};
  return deliveries(contract(collective, parameters, blocks(collective, setting.nodes)));
}

SharedVectors vectors(const std::vector<int>& counts, const Setting& setting) {
  const std::size_t bytes = setting.bytes;
  if (setting.ports != nullptr) return std::make_shared<const Vectors>(counts, bytes, *setting.ports);
  std::vector<std::size_t> sizes;
  for (const int count : counts) sizes.push_back(static_cast<std::size_t>(count) * bytes);
  return std::make_shared<const Vectors>(sizes);
}

}  // namespace

std::size_t memory(Collective collective, const Setting& setting) {
  const Deliveries asked = asked_for(collective, setting);
  const int vectors = std::accumulate(asked.brought.begin(), asked.brought.end(),
                                      std::accumulate(asked.taken.begin(), asked.taken.end(), 0));
  return static_cast<std::size_t>(vectors) * setting.bytes;
}

SharedTask task(Collective collective, bool varying, const Setting& setting) {
  Task made{collective, varying, setting, asked_for(collective, setting), {}, {}, {}};
  std::vector<int> taken = made.deliveries.taken;
  if (collective == Collective::exclusive_scan) taken.front() = 1;  // there, but not touched
  if (collective == Collective::reduce) {
    made.in = made.out = vectors(made.deliveries.brought, setting);
  } else {
    made.out = vectors(taken, setting);
    made.in = collective == Collective::broadcast ? made.out : vectors(made.deliveries.brought, setting);
  }
  made.work = work(made.deliveries, *made.in, *made.out, setting.bytes);
  return std::make_shared<const Task>(std::move(made));
}

WorkItem::WorkItem(const Task& task, Work work, Part part) : work_(std::move(work)), part_(part) {
  if (!work_.folds.empty()) kernel_ = combine_kernels(task.setting.datatype, task.setting.op).front();
}

void WorkItem::operator()(Part part) const {
  for (const Movement& movement : work_.movements)
    std::memcpy(movement.to + part.begin, movement.from + part.begin, part.size);
  fold(work_, part, kernel_);
}

std::vector<WorkItem> shared_items(const Task& task) {
  if (task.work.folds.empty()) return own_items(task);
  std::vector<WorkItem> items;
  for (Rank rank = 0; rank < task.setting.nodes; ++rank)
    items.emplace_back(task, own_first(task.work, rank),
                       part_of(task.setting.bytes, rank, task.setting.nodes));
  return items;
}

std::vector<WorkItem> own_items(const Task& task) {
  std::vector<WorkItem> items;
  for (Rank rank = 0; rank < task.setting.nodes; ++rank)
    items.emplace_back(task, wanted_by(task.work, rank), Part{0, task.setting.bytes});
  return items;
}

}  // namespace vnode::bench
