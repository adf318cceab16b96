#pragma once

#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/numa.hpp>
#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Returns the domain of every PU, by index into Machine::pus: numbers 0, 1, ... in the order of the domains'
/// first PUs, including PUs that the process may not use. O(PUs + the PUs of all caches).
std::vector<int> pu_domains(const Machine& machine, DomainLevel level);
/// Returns the PUs that the process may use, by domain: ascending, none empty, in the order of their first
/// PUs.
std::vector<std::vector<int>> allowed_domains(const Machine& machine, DomainLevel level);
/// Returns the ranks by the domain that they run in: ascending, none empty, in the order of their lowest
/// ranks. Throws UsageError if the mapping has a PU that the machine does not have.
std::vector<std::vector<Rank>> domains_of(const Machine& machine, const Mapping& mapping, DomainLevel level);
/// Divides the allowed PUs of every domain among the nodes that run there; returns them by rank, ascending.
/// Each node has its own PU, and an equal share of the others, one more or less: first those of its core,
/// then the nearest in number. Nodes on one PU share that PU. Throws what domains_of() throws. O(nodes x PUs
/// + PUs of a domain squared).
std::vector<std::vector<int>> domain_shares(const Machine& machine, const Mapping& mapping,
                                            DomainLevel level);

}  // namespace vnode
#pragma GCC visibility pop
