#pragma once

#include <memory>

#include <vnode/collective.hpp>

#include "data/vectors.hpp"
#include "data/work.hpp"
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

/// Bytes of the vectors of all nodes together.
std::size_t memory(Collective collective, const Setting& setting);

/// With vectors to do it on.
std::shared_ptr<const Task> task(Collective collective, bool varying, const Setting& setting);

}  // namespace vnode::bench
