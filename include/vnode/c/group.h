#pragma once

#include <vnode/c/topology.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Some or all nodes of a team, as one of them sees them. Only the node's own thread uses it, within runs of
/// the team.
typedef struct vnode_group vnode_group;
/// A virtual node: the group of all nodes of its team. It lives as long as the team and is not freed.
typedef struct vnode_group vnode_node;

/// Says what a split follows, or what an arena is had for: machines, or the parts of one.
typedef enum vnode_domain {
  VNODE_DOMAIN_NONE = 0,
  VNODE_DOMAIN_PACKAGE = 1,
  VNODE_DOMAIN_NUMA = 2,
  VNODE_DOMAIN_L3 = 3,
  VNODE_DOMAIN_L2 = 4,
  VNODE_DOMAIN_CORE = 5,
  VNODE_DOMAIN_MACHINE = 6
} vnode_domain;

/// The color with which a node joins none of the groups that a split makes.
enum { VNODE_NO_COLOR = -1 };

/// Nobody: the neighbour that a node at a border does not have. Nothing is sent to it or comes from it.
enum { VNODE_NO_RANK = -2147483647 };

/// Returns this node's rank in the group, or an error code.
int vnode_group_rank(const vnode_group* group);
/// Returns the number of nodes in the group, or an error code.
int vnode_group_size(const vnode_group* group);
/// Returns the rank in the team of the node that has rank `rank` in the group, or an error code.
int vnode_group_team_rank(const vnode_group* group, int rank);
/// Returns the group's topology, for vnode_topology_free().
int vnode_group_topology(const vnode_group* group, vnode_topology** topology);
/// Returns the name of the algorithm that this node's newest collective call in this group ran, "" before the
/// first; for vnode_text_free().
int vnode_group_last_algorithm(const vnode_group* group, char** name);
/// Returns the number of segments that that call cut its message into, 0 before the first; or an error code.
int vnode_group_last_segments(const vnode_group* group);

/// Divides the group, all of whose nodes call this: nodes with equal `color` form a group, ranked by `key`
/// and then by rank. Its topology is `shape`, NULL: "full". A node with VNODE_NO_COLOR gets NULL.
int vnode_group_split(vnode_group* group, int color, int key, const char* shape, vnode_group** made);
/// Divides the group into rows, columns, planes or sub-cubes: nodes that agree in all but these dimensions
/// form a group. Dimension 0 is the slowest; of a hypercube they are bits.
int vnode_group_split_along(vnode_group* group, const int* dimensions, int count, vnode_group** made);
/// Divides the group by the machine: nodes whose PUs are in one domain form a group.
int vnode_group_split_domain(vnode_group* group, int domain, vnode_group** made);
/// Ends a group that a split has made. Its other nodes may keep it.
int vnode_group_free(vnode_group** group);

/// Ends the run of the group's team: all other nodes leave their calls by VNODE_ERROR_ABORTED, and
/// vnode_team_run() returns `code` (positive) with `reason` if nothing else has failed before. Returns
/// VNODE_OK when no other node touches the data of this node's calls any more. The node then ends its
/// requests and leaves its body, by any code.
int vnode_abort(vnode_group* group, int code, const char* reason);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
