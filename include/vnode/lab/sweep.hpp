#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/model/algorithms.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes the extent of a sweep.
struct SweepOptions {
  int max_nodes = usual_sweep;  ///< sweeps p from 1 to this; from usual_sweep on, also to Algorithm::sweep_to
  int square_nodes = 32;        ///< the greatest p where there are p * p blocks
  int mutant_nodes = 9;         ///< the greatest p for which mutants are verified
  int square_mutant_nodes = 9;  ///< likewise where there are p * p blocks
};

/// Describes the findings of a sweep about one algorithm.
struct SweepResult {
  std::string_view algorithm;  ///< the algorithm's name
  long checks = 0;             ///< schedules verified, and schedules measured on the links of a topology
  long mutants = 0;            ///< mutants verified; all must be rejected
  long failed = 0;             ///< number of failures
  std::vector<std::string> failures;  ///< the first of them per p, as sentences with the parameters
};

/// Returns the greatest p with which a sweep tries an algorithm.
int most_nodes(const Algorithm& algorithm, const SweepOptions& options);

/// Returns all parameters with which a sweep calls an algorithm on `nodes` nodes: all roots, beyond
/// usual_sweep nodes four; all factorisations in two dimensions, and up to 27 nodes in three, if it needs
/// extents; all orders of dimensions up to 16 nodes and their rotations beyond, if it reads one; several
/// segments and radices if it reads them; all shifts; equal, round robin and unequal domains on one and two
/// levels, in both forms, if it needs domains, then beyond usual_sweep / 2 nodes four roots; with and without
/// keep_order if it combines. Parameters with which it cannot run are left out.
std::vector<Parameters> every_way(const Algorithm& algorithm, int nodes);

/// Verifies each algorithm with all parameters: its contract, the promises of the registry, link load 1 on
/// its carriers, and that mutants are rejected. Runs in parallel on all cores.
std::vector<SweepResult> sweep(std::span<const Algorithm> algorithms, const SweepOptions& options = {});

}  // namespace vnode
#pragma GCC visibility pop
