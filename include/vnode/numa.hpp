#pragma once

#include <span>
#include <string_view>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Says which part of a machine makes domains, which are sets of PUs near each other.
enum class DomainLevel {
  l3,       ///< the PUs of one third level cache; those of a NUMA node that have none are one domain
  numa,     ///< the PUs whose nearest NUMA node is the same
  package,  ///< the PUs of one package
  machine,  ///< all PUs of one machine
};
namespace enums {
/// Returns "l3", "numa", "package" or "machine".
std::string_view name(DomainLevel level);
}
/// Returns all levels, the smallest domains first.
std::span<const DomainLevel> domain_levels();
/// Returns the level of that name; throws UsageError, which lists the names there are.
DomainLevel parse_domain_level(std::string_view text);

/// Names the NUMA node on which the buffers of a port lie.
enum class Banks {
  owner,       ///< the one near the node whose port it is
  peer,        ///< the one near the node at the other end of the link
  spread,      ///< the i-th after the owner's for port i, round and round
  interleave,  ///< all in turn, page by page
  one,         ///< the machine's first, for all buffers
};
namespace enums {
/// Returns "owner", "peer", "spread", "interleave" or "one".
std::string_view name(Banks banks);
}
/// Returns all policies, in the order of the enumeration.
std::span<const Banks> all_banks();
/// Returns the policy of that name; throws UsageError, which lists the names there are.
Banks parse_banks(std::string_view text);

/// Stands for a NUMA node: the buffer is interleaved over all that have memory, page by page, and takes as
/// much from each.
inline constexpr int every_bank = -1;
/// Stands for a NUMA node: the buffer lies where it is first touched.
inline constexpr int any_bank = -2;

}  // namespace vnode
#pragma GCC visibility pop
