#pragma once

#include <optional>
#include <string>

#include <vnode/model/algorithms.hpp>
#include <vnode/topology.hpp>

#include "command_line/command.hpp"

namespace vnode {

/// Heads the options that say which variant of an algorithm is meant.
inline constexpr const char* variants_group = "Variants of algorithms";

/// Says on which nodes an operation takes place and with what parameters, as a command is asked; what is not
/// given has no value.
struct PlaceOptions {
  std::optional<int> nodes;              ///< --nodes
  std::optional<Rank> root;              ///< --root
  std::optional<int> shift;              ///< --shift
  std::optional<int> radix;              ///< --radix
  std::optional<std::string> topology;   ///< --topology
  std::optional<std::string> hierarchy;  ///< --hierarchy
  std::optional<int> machines;           ///< --machines
};

/// Adds --nodes, --root, --shift, --radix, --topology and --hierarchy. The help says what is `usual` where
/// --nodes and --topology are not given.
void add_place(Command command, PlaceOptions& options, const std::string& usual_nodes,
               const std::string& usual_topology);
/// Adds --nodes and --topology alone.
void add_nodes_and_topology(Command command, PlaceOptions& options, const std::string& usual_nodes,
                            const std::string& usual_topology);
/// Adds --root and --shift alone.
void add_root_and_shift(Command command, PlaceOptions& options);

/// Returns the number of nodes that --nodes or the topology's extents say. Throws UsageError if neither does.
int nodes_of(const PlaceOptions& options);
/// Returns the topology that is asked for, full where none is, with the nodes that nodes_of() says.
Topology topology_of(const PlaceOptions& options);

/// Returns a topology with its number of nodes, for people: "mesh:4x4", "ring of 8", "full topology of 3".
std::string topology_text(const Topology& topology);

/// Returns p, root, shift, radix and hierarchy for such a collective, or for a schedule whose collective is
/// not given. Domains that are named are those of this machine, or of several like it, with nodes mapped
/// compactly; several machines are domains where no hierarchy is given. Throws UsageError if the root is no
/// rank, or if a root, shift, radix or hierarchy is given that the collective, or every algorithm for it,
/// does not have.
Parameters parameters_of(const PlaceOptions& options, std::optional<Collective> collective, int nodes);

/// Throws UsageError, which says why, for an option that is given where nothing reads it.
void refuse_unread(bool given, const std::string& option, const std::string& why);

/// Returns the names of all mapping policies, with commas between them.
std::string policy_names();

}  // namespace vnode
