#pragma once

#include <vnode/lab/algorithms.hpp>
#include <vnode/lab/select.hpp>

namespace vnode {

/// What has more transfers is not built: it would take more than seconds, and some hundred MiB.
inline constexpr double most_built_transfers = 1 << 20;
/// The same for each of the schedules that are built when an algorithm is chosen, one after the other.
inline constexpr double most_chosen_transfers = 1 << 22;

/// By the formula as it is written: of many nodes there are more than an int counts.
double transfers_of(const Algorithm& algorithm, const Parameters& parameters);

/// UsageError, which says what would be right, if the algorithm's schedule has too many transfers or blocks
/// to be built.
void check_built(const Algorithm& algorithm, const Parameters& parameters);

/// The same, with what else would be right, for all schedules that are built when an algorithm is chosen:
/// those of one message each, of all algorithms of the collective or of the one that the demand names. How
/// many segments a choice will make is not known before. Algorithms over domains, which are built to be
/// counted, have about as many transfers as the others of their collective.
void check_choice(const Demand& demand, const char* or_else = "");

}  // namespace vnode
