#pragma once

#include <string>
#include <vector>

#include <vnode/model/contract.hpp>
#include <vnode/model/schedule.hpp>
#include <vnode/model/verify.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes a schedule with one fault.
struct Mutant {
  std::string mistake;  ///< the fault: "round 2, transfer 1 (0>2): dropped"
  Schedule schedule;    ///< the schedule with the fault
};
/// Returns every schedule that differs from `schedule` in one transfer: dropped, repeated, from or into
/// another node, from or into other blocks, without its first or last block or with one more, of another
/// effect or side, or one round earlier.
std::vector<Mutant> mutants(const Schedule& schedule);

/// Describes the result of verifying a schedule's mutants.
struct MutantFindings {
  long mutants = 0;                    ///< number of mutants
  std::vector<std::string> survivors;  ///< the faults of those that verify() accepts
};
/// Verifies all mutants(schedule) without copying the schedule for each, and each only from the round of its
/// fault on. Throws UsageError if verify() does not accept the schedule itself.
MutantFindings verify_mutants(const Schedule& schedule, const Contract& contract,
                              const Promises& promises = {});

}  // namespace vnode
#pragma GCC visibility pop
