#pragma once

#include <span>
#include <string_view>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// The parts of a machine that are domains: PUs near each other.
enum class DomainLevel {
  l3,       ///< the PUs of one third level cache; those of a NUMA node that have none are one domain
  numa,     ///< the PUs whose nearest memory is one NUMA node
  package,  ///< the PUs of one package
};
/// "l3", "numa", "package".
std::string_view name(DomainLevel level);
/// All levels, the smallest domains first.
std::span<const DomainLevel> domain_levels();
/// The level of that name; UsageError lists the names there are.
DomainLevel parse_domain_level(std::string_view text);

/// On which bank, the memory of a NUMA node, the buffers of a port lie.
enum class Banks {
  owner,       ///< that of the node whose port it is
  peer,        ///< that of the node at the other end of the link
  spread,      ///< port i on the i-th bank after the owner's, round and round
  interleave,  ///< on all of them in turn, page by page
  one,         ///< all of them on one, the machine's first
};
/// "owner", "peer", "spread", "interleave", "one".
std::string_view name(Banks banks);
/// All, in this order.
std::span<const Banks> all_banks();
/// The one of that name; UsageError lists the names there are.
Banks parse_banks(std::string_view text);

/// Instead of one bank: a buffer lies on all that there are in turn, page by page, and takes as much from
/// each.
inline constexpr int every_bank = -1;
/// Instead of one bank: where it is first touched.
inline constexpr int any_bank = -2;

}  // namespace vnode
#pragma GCC visibility pop
