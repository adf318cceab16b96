#pragma once

#include "command_line/command.hpp"

namespace vnode {

/// Each adds a command of `vnode` with its options, and what it does.

/// Adds `topo`, which shows a machine: packages, NUMA nodes, caches, cores, PUs, distances.
void add_topo(const Command& program);
/// Adds `algorithms`, which lists the registry with its promises.
void add_algorithms(const Command& program);
/// Adds `verify`, which proves that all algorithms keep their promises. `verified` outlives the reading and
/// becomes false if a promise is broken or a mutant accepted.
void add_verify(const Command& program, bool& verified);
/// Adds `show`, which shows the rounds of an algorithm.
void add_show(const Command& program);
/// Adds `explain`, which says why an algorithm is chosen.
void add_explain(const Command& program);
/// Adds `cost`, which shows closed forms, their values, and where another algorithm is cheaper.
void add_cost(const Command& program);
/// Adds `simulate`, which predicts the time of an algorithm by formula, round by round, and message by
/// message.
void add_simulate(const Command& program);
/// Adds `draw`, which draws what a schedule does on its topology, its time, its links, or the nodes on the
/// machine.
void add_draw(const Command& program);
/// Adds `map`, which shows which PU each node of a topology gets on a machine, and how long its links become.
void add_map(const Command& program);
/// Adds `place`, which carries out the placement experiments: collectives by algorithm, mapping, banks and
/// size, predicted and measured; a campaign of them from a file; the bandwidth of every bank from every core.
void add_place_experiments(const Command& program);
/// Adds `calibrate`, which measures this machine's profile and keeps it.
void add_calibrate(const Command& program);
/// Adds `tune`, which measures which algorithms are fastest, and keeps their times in the profile.
void add_tune(const Command& program);
/// Adds `env`, which shows the environment variables that teams read, with their values.
void add_env(const Command& program);
/// Adds `stats`, which shows what a program's calls were, beside what is predicted.
void add_stats(const Command& program);
/// Adds `compare`, which shows all algorithms of a collective side by side, predicted and measured.
void add_compare(const Command& program);

}  // namespace vnode
