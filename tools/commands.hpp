#pragma once

#include "command_line/command.hpp"

namespace vnode {

/// Each adds a command of `vnode` with its options, and what it does.

/// A machine: packages, NUMA nodes, caches, cores, PUs, distances.
void add_topo(const Command& program);
/// The registry with its promises.
void add_algorithms(const Command& program);
/// The proof that all keep them. `verified` outlives the reading and becomes false if a promise is broken or
/// a mutant accepted.
void add_verify(const Command& program, bool& verified);
/// The rounds of an algorithm.
void add_show(const Command& program);
/// Why an algorithm is chosen.
void add_explain(const Command& program);
/// Closed forms, what they come to, and where another algorithm is cheaper.
void add_cost(const Command& program);
/// The time of an algorithm by formula, round by round, message by message.
void add_simulate(const Command& program);
/// Pictures of what a schedule does on its topology, of its time, of its links, of the nodes on the machine.
void add_draw(const Command& program);
/// Which PU each node of a topology gets on a machine, and how long its links become.
void add_map(const Command& program);
/// The placement experiments: collectives by algorithm, mapping, banks and size, predicted and measured; a
/// campaign of them from a file; the bandwidth of every bank from every core.
void add_place_experiments(const Command& program);
/// This machine's profile, measured and kept.
void add_calibrate(const Command& program);
/// The environment variables that teams read, with what they are now.
void add_env(const Command& program);
/// What a program's calls were, beside what is predicted.
void add_stats(const Command& program);
/// All algorithms of a collective side by side, predicted and measured.
void add_compare(const Command& program);

}  // namespace vnode
