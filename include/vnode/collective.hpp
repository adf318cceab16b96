#pragma once

#include <span>
#include <string_view>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Names the collective operations that the registry has algorithms for.
enum class Collective {
  broadcast,       ///< one-to-all broadcast
  reduce,          ///< all-to-one reduction
  all_gather,      ///< all-to-all broadcast
  reduce_scatter,  ///< all-to-all reduction
  all_reduce,      ///< reduction with its result on all nodes
  scan,            ///< prefix sums
  exclusive_scan,  ///< prefix sums without the node's own contribution
  scatter,         ///< one-to-all personalized
  gather,          ///< all-to-one personalized, without combining
  all_to_all,      ///< all-to-all personalized
  circular_shift,  ///< every node's message goes to the node q ranks further
  barrier          ///< no node leaves before all have come
};

namespace enums {
/// Returns "broadcast", "reduce", "all_gather" and so on.
std::string_view name(Collective collective);
}
/// Returns whether the collective has a root.
bool has_root(Collective collective);
/// Returns whether the collective has an operator.
bool combines(Collective collective);
/// Returns all collectives, in the order of the enumeration.
std::span<const Collective> collectives();
/// Returns the collective of that name; throws UsageError, which lists the names there are.
Collective parse_collective(std::string_view text);

}  // namespace vnode
#pragma GCC visibility pop
