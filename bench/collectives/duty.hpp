#pragma once

#include <vector>

#include "collectives/task.hpp"
#include "limits/kernels.hpp"

namespace vnode::bench {

/// Some of a task's work, which a thread does without asking others. The task must outlive it.
class Duty {
 public:
  Duty(const Task& task, Work work, Part part);
  /// The part that it was made for, or another.
  void operator()() const { (*this)(part_); }
  void operator()(Part part) const;

 private:
  Work work_;
  Part part_;
  CombineKernel kernel_{};
};

/// By rank: what each takes is copied by itself; what is combined, by all, each a part of every vector.
std::vector<Duty> shared_duties(const Task& task);
/// By rank: all that each takes, by itself.
std::vector<Duty> own_duties(const Task& task);

}  // namespace vnode::bench
