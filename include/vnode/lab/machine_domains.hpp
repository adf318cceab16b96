#pragma once

#include <vector>

#include <vnode/lab/machine.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/numa.hpp>
#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// The domain of every PU, by index into Machine::pus: numbers 0, 1, … in the order of the domains' first
/// PUs, those that the process may not use included. O(PUs + the PUs of all caches).
std::vector<int> pu_domains(const Machine& machine, DomainLevel level);
/// The PUs that the process may use, by domain: ascending, none empty, in the order of their first PUs.
std::vector<std::vector<int>> allowed_domains(const Machine& machine, DomainLevel level);
/// The ranks by the domain they run in: ascending, none empty, in the order of their lowest ranks. UsageError
/// if the mapping has a PU that the machine has not.
std::vector<std::vector<Rank>> domains_of(const Machine& machine, const Mapping& mapping, DomainLevel level);
/// The allowed PUs of every domain that nodes run in, shared among these: by rank, ascending. Each has its
/// own, and of the others as many as the next, one more or less; of its core before all, then the nearest in
/// number. Nodes of one PU share it. Errors as of domains_of. O(nodes x PUs + PUs of a domain
/// squared).
std::vector<std::vector<int>> domain_shares(const Machine& machine, const Mapping& mapping,
                                            DomainLevel level);

}  // namespace vnode
#pragma GCC visibility pop
