#pragma once

#include <span>
#include <string_view>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// The operations that the registry has algorithms for.
enum class Collective {
  broadcast,       ///< one-to-all broadcast
  reduce,          ///< all-to-one reduction
  all_gather,      ///< all-to-all broadcast
  reduce_scatter,  ///< all-to-all reduction
  all_reduce,      ///< reduction whose result all get
  scan,            ///< prefix sums
  exclusive_scan,  ///< prefix sums without the own contribution
  scatter,         ///< one-to-all personalized
  gather,          ///< all to one, not combined
  all_to_all,      ///< all-to-all personalized
  circular_shift,  ///< everybody's message goes q ranks further
  barrier          ///< nobody leaves before all have come
};

/// "broadcast", "reduce", "all_gather" and so on.
std::string_view name(Collective collective);
/// Whether it has a root.
bool has_root(Collective collective);
/// Whether it has an operator.
bool combines(Collective collective);
/// All collectives, in the order of the enumeration.
std::span<const Collective> collectives();
/// The collective of that name; UsageError lists the names there are.
Collective parse_collective(std::string_view text);

}  // namespace vnode
#pragma GCC visibility pop
