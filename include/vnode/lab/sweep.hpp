#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/lab/algorithms.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// How far a sweep goes.
struct SweepOptions {
  int max_nodes = usual_sweep;  ///< every p from 1 to this; from usual_sweep on, also to Algorithm::sweep_to
  int square_nodes = 32;        ///< where there are p * p blocks, every p up to this
  int mutant_nodes = 9;         ///< mutants for every p up to this
  int square_mutant_nodes = 9;  ///< and up to this where there are p * p blocks
};

/// What a sweep found out about one algorithm.
struct SweepResult {
  std::string_view algorithm;  ///< its name
  long checks = 0;             ///< schedules verified, and schedules measured on the links of a topology
  long mutants = 0;            ///< of them; all must be rejected
  long failed = 0;             ///< how many things are wrong
  std::vector<std::string> failures;  ///< the first few of them per p, as sentences with the parameters
};

/// The greatest p that a sweep tries of an algorithm.
int most_nodes(const Algorithm& algorithm, const SweepOptions& options);

/// Every way to call an algorithm on `nodes` nodes that a sweep tries: all roots, beyond usual_sweep nodes
/// four; all factorisations in two dimensions, and up to 27 nodes in three, where it needs extents; all
/// orders of dimensions up to 16 nodes and their rotations beyond, where it reads one; several segments and
/// radices where it reads them; all shifts; equal, round robin and unequal domains on one and two levels, in
/// both forms, where it needs domains, then beyond usual_sweep / 2 nodes four roots; with and without
/// keep_order where it combines. Only what it can run.
std::vector<Parameters> every_way(const Algorithm& algorithm, int nodes);

/// Verifies each algorithm in every way: contract, promises of the registry, link load 1 on its carriers, and
/// that mutants are rejected. In parallel on all cores.
std::vector<SweepResult> sweep(std::span<const Algorithm> algorithms, const SweepOptions& options = {});

}  // namespace vnode
#pragma GCC visibility pop
