#pragma once

#include <vnode/lab/contract.hpp>
#include <vnode/lab/verify.hpp>

#include "schedule/traffic.hpp"
#include "verify/findings.hpp"
#include "verify/replay.hpp"

namespace vnode {

/// Round `index` of a schedule, which fits the contract in nodes and blocks: whether a replay makes sense.
void check_well_formed(const Schedule& schedule, int index, const Contract& contract, Findings& findings);
/// What can be said of a well-formed round by itself: no transfer stands there twice, ports and peers are as
/// promised. Returns its traffic.
Traffic check_round(const Schedule& schedule, int index, const Promises& promises, Findings& findings);
/// Of a schedule that has been replayed to its end: outputs are what the contract wants and as promised, and
/// if nothing else is wrong, nothing was sent in vain.
void check_end(const Replay& replay, const Schedule& schedule, const Contract& contract,
               const Promises& promises, Findings& findings);
/// What is promised of all rounds together, but for what is combined: check_end knows of empty places.
void check_totals(const Traffic& sum, const Contract& contract, const Promises& promises, Findings& findings);

}  // namespace vnode
