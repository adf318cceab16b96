#pragma once

#include <span>
#include <vector>

#include "measure/contest.hpp"

namespace vnode::bench {

/// A contestant, or a variant of a choice, in a running measurement.
struct Entrant {
  Contestant* contestant;
  Series series{};
  int batch = 1;  ///< calls between two meetings
  bool running = true;
};

/// All of a question: the contestants, then the variants of limit after limit, then of what is measured
/// beside.
std::vector<Entrant> entrants(Question& question);
/// After the warm-up: lets the slow variants of every choice go, sets batches of calls where callers share
/// cores, and forgets the times.
void begin(std::vector<Entrant>& entrants, const Question& question, bool core_each);
/// Somebody has no time at all: on a busy machine every call may have been late.
bool lacking(std::span<const Entrant> entrants);
/// Throws SystemError if a variant of a limit computes wrong.
Outcome outcome(std::vector<Entrant>& entrants, const Question& question);

}  // namespace vnode::bench
