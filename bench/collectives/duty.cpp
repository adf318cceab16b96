#include "collectives/duty.hpp"

#include <cstring>
#include <utility>

#include "limits/fold.hpp"

namespace vnode::bench {

Duty::Duty(const Task& task, Work work, Part part) : work_(std::move(work)), part_(part) {
  if (!work_.folds.empty()) kernel_ = combine_kernels(task.setting.datatype, task.setting.op).front();
}

void Duty::operator()(Part part) const {
  for (const Movement& movement : work_.movements)
    std::memcpy(movement.to + part.begin, movement.from + part.begin, part.size);
  fold(work_, part, kernel_);
}

std::vector<Duty> shared_duties(const Task& task) {
  if (task.work.folds.empty()) return own_duties(task);
  std::vector<Duty> duties;
  for (Rank rank = 0; rank < task.setting.nodes; ++rank)
    duties.emplace_back(task, own_first(task.work, rank),
                        part_of(task.setting.bytes, rank, task.setting.nodes));
  return duties;
}

std::vector<Duty> own_duties(const Task& task) {
  std::vector<Duty> duties;
  for (Rank rank = 0; rank < task.setting.nodes; ++rank)
    duties.emplace_back(task, wanted_by(task.work, rank), Part{0, task.setting.bytes});
  return duties;
}

}  // namespace vnode::bench
