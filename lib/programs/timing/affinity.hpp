#pragma once

#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/team.hpp>

namespace vnode {

/// Holds the PUs that a thread may run on, by the operating system's numbers, ascending. It is empty where
/// the system does not tell.
using Affinity = std::vector<int>;

/// Returns the affinity of the calling thread.
Affinity affinity();
/// Binds the calling thread. Does nothing with an empty affinity, nor where the system refuses.
void set_affinity(const Affinity& pus);
/// Binds the calling thread, and those that it starts, to these PUs as long as the object lives.
class WithAffinity {
 public:
  explicit WithAffinity(const Affinity& pus) : before_(affinity()) { set_affinity(pus); }
  ~WithAffinity() { set_affinity(before_); }
  WithAffinity(const WithAffinity&) = delete;
  WithAffinity& operator=(const WithAffinity&) = delete;

 private:
  const Affinity before_;
};

/// Pins the calling thread to a PU, an index into Machine::pus of this machine. Throws SystemError if that is
/// refused.
void pin_to(const Machine& machine, int pu);
/// Throws SystemError unless the calling thread is pinned to that PU.
void check_pinned(const Machine& machine, int pu);

/// Returns all PUs of the machine that the process may use.
Affinity allowed_affinity(const Machine& machine);
/// Returns what so many nodes run as if nobody says it: fibers where they outnumber the PUs that the process
/// may use, otherwise threads.
Nodes usual_nodes(int nodes, const Machine& machine);
/// Returns the affinities of a team's nodes, by rank. Runs the team.
std::vector<Affinity> affinities(Team& team);
/// Returns the number of cores that threads with these affinities can run on.
int cores_of(const Machine& machine, const std::vector<Affinity>& threads);
/// Tells whether every node of the team has a core of its own, by where its nodes really are: a mapping, or
/// the environment, may have put several on one. Runs the team.
bool core_each(Team& team, const Machine& machine);

}  // namespace vnode
