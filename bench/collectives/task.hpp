#pragma once

#include <memory>
#include <span>
#include <vector>

#include <vnode/collective.hpp>

#include "data/vectors.hpp"
#include "data/work.hpp"
#include "limits/kernels.hpp"
#include "questions/setting.hpp"

namespace vnode::bench {

using SharedVectors = std::shared_ptr<const Vectors>;

/// Describes a collective operation on vectors, which all contestants carry out. Broadcast and reduce are in
/// place; all others have their results apart from their inputs.
struct Task {
  Collective collective;
  bool varying;  ///< vnode's contestants call the v-variant, with equal counts
  Setting setting;
  Deliveries deliveries;
  SharedVectors in, out;
  Work work;
};
using SharedTask = std::shared_ptr<const Task>;

/// Returns how many bytes the vectors of all nodes take together.
std::size_t memory(Collective collective, const Setting& setting);

/// Makes the task, with vectors to do it on.
SharedTask task(Collective collective, bool varying, const Setting& setting);

/// Holds some of a task's work, which a thread does without waiting for others. The task must outlive it.
class WorkItem {
 public:
  WorkItem(const Task& task, Work work, Part part);
  /// Does the part that it was made for, or another.
  void operator()() const { (*this)(part_); }
  void operator()(Part part) const;

 private:
  Work work_;
  Part part_;
  CombineKernel kernel_{};
};

/// Returns the items by rank where callers share the combining: each copies what it takes itself, and
/// combines a part of every vector.
std::vector<WorkItem> shared_items(const Task& task);
/// Returns the items by rank where each caller copies and combines alone all that it takes.
std::vector<WorkItem> own_items(const Task& task);

/// Holds what one caller passes to the operation.
template <class T>
struct Ranges {
  std::span<const T> in;
  std::span<T> out;
};

template <class T>
Ranges<T> ranges(const Task& task, Rank rank) {
  return {{reinterpret_cast<const T*>((*task.in)[rank]), task.in->bytes(rank) / sizeof(T)},
          {reinterpret_cast<T*>((*task.out)[rank]), task.out->bytes(rank) / sizeof(T)}};
}

}  // namespace vnode::bench
