#pragma once

#include <vnode/model/contract.hpp>
#include <vnode/model/verify.hpp>

#include "schedule/traffic.hpp"
#include "verify/replay.hpp"

namespace vnode {

/// Checks whether round `index` can be replayed. The schedule fits the contract in nodes and blocks.
void check_well_formed(const Schedule& schedule, int index, const Contract& contract, Findings& findings);
/// Checks a well-formed round by itself: no transfer is given twice, ports and peers are as promised.
/// Returns its traffic.
Traffic check_round(const Schedule& schedule, int index, const Promises& promises, Findings& findings);
/// Checks a schedule that has been replayed to its end: outputs are what the contract wants and as promised,
/// and if nothing else is wrong, nothing was sent in vain.
void check_end(const Replay& replay, const Schedule& schedule, const Contract& contract,
               const Promises& promises, Findings& findings);
/// Checks what is promised of all rounds together, except what is combined: check_end knows of empty places.
void check_totals(const Traffic& sum, const Contract& contract, const Promises& promises, Findings& findings);
/// Plays a barrier on knowledge, that is who knows of whom, and reports what is wrong.
void replay_knowledge(const Schedule& schedule, Findings& findings);

}  // namespace vnode
