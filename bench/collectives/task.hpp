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

/// A collective operation on vectors: what all contestants do. Broadcast and reduce are in place, all others
/// have what they take away apart from what they bring.
struct Task {
  Collective collective;
  bool varying;  ///< ours through the v-variant, with equal counts
  Setting setting;
  Deliveries deliveries;
  SharedVectors in, out;
  Work work;
};
using SharedTask = std::shared_ptr<const Task>;

/// Returns the bytes of the vectors of all nodes together.
std::size_t memory(Collective collective, const Setting& setting);

/// Makes the task, with vectors to do it on.
SharedTask task(Collective collective, bool varying, const Setting& setting);

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

/// What one caller passes.
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
