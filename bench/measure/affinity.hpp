#pragma once

#include <vector>

#include <vnode/lab/machine.hpp>
#include <vnode/team.hpp>

namespace vnode::bench {

/// The PUs a thread may run on, by the operating system's numbers, ascending. Empty where the system does not
/// tell.
using Affinity = std::vector<int>;

/// The calling thread's.
Affinity affinity();
/// Of the calling thread. Does nothing with an empty one, nor where the system refuses.
void set_affinity(const Affinity& pus);
/// As long as it lives, the calling thread and those it starts may use these PUs.
class WithAffinity {
 public:
  explicit WithAffinity(const Affinity& pus) : before_(affinity()) { set_affinity(pus); }
  ~WithAffinity() { set_affinity(before_); }
  WithAffinity(const WithAffinity&) = delete;
  WithAffinity& operator=(const WithAffinity&) = delete;

 private:
  const Affinity before_;
};

/// All PUs of the machine that the process may use.
Affinity allowed_affinity(const Machine& machine);
/// Those of a team's nodes, by rank. Runs the team.
std::vector<Affinity> affinities(Team& team);
/// The number of cores that threads with these affinities can run on.
int cores_of(const Machine& machine, const std::vector<Affinity>& threads);
/// Whether every node of the team has a core of its own, by where its nodes really are: a mapping, or the
/// environment, may have put several on one. Runs the team.
bool core_each(Team& team, const Machine& machine);

}  // namespace vnode::bench
