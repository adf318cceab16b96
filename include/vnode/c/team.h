#pragma once

#include <stddef.h>

#include <vnode/c/group.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// p threads that act as the virtual nodes of a topology. Any thread may use it.
typedef struct vnode_team vnode_team;
/// A thread of the program as a node of a team, from vnode_team_join() until it leaves.
typedef struct vnode_membership vnode_membership;

/// Whose threads the nodes of a team are.
typedef enum vnode_threads {
  VNODE_THREADS_OWN = 0,     ///< the team's, which vnode_team_run() calls a function on
  VNODE_THREADS_CALLERS = 1  ///< the program's, which vnode_team_join() makes nodes
} vnode_threads;

/// Says how a node waits.
typedef enum vnode_waiting {
  VNODE_WAIT_AUTOMATIC = 0,
  VNODE_WAIT_SPIN = 1,
  VNODE_WAIT_YIELD = 2,
  VNODE_WAIT_PARK = 3
} vnode_waiting;

/// The queue that carries the messages of a link.
typedef enum vnode_channel { VNODE_CHANNEL_LINE = 0, VNODE_CHANNEL_BOOST = 1 } vnode_channel;

/// Says whether something is asked for, refused, or left to vnode.
typedef enum vnode_choice {
  VNODE_CHOICE_DEFAULT = 0,
  VNODE_CHOICE_ON = 1,
  VNODE_CHOICE_OFF = 2
} vnode_choice;

/// What the nodes of a team run as.
typedef enum vnode_nodes {
  VNODE_NODES_DEFAULT = 0,
  VNODE_NODES_THREADS = 1,  ///< each on a thread of its own
  VNODE_NODES_FIBERS = 2    ///< those of one PU on one thread, on stacks of their own
} vnode_nodes;

/// The NUMA node on which the buffers of a port lie.
typedef enum vnode_banks {
  VNODE_BANKS_DEFAULT = 0,
  VNODE_BANKS_OWNER = 1,
  VNODE_BANKS_PEER = 2,
  VNODE_BANKS_SPREAD = 3,
  VNODE_BANKS_INTERLEAVE = 4,
  VNODE_BANKS_ONE = 5
} vnode_banks;

/// The costs of messages: see vnode/cost_model.hpp. Times are in seconds.
typedef struct vnode_cost_model {
  size_t size;          ///< sizeof(vnode_cost_model)
  double t_s;           ///< to start a message
  double t_w;           ///< to receive a byte
  double t_op;          ///< to combine a byte with another
  double t_put;         ///< to write a byte to another node's memory; 0 counts as t_w
  double o;             ///< a thread's work for a message that it need not wait for
  double nodes_per_pu;  ///< how many nodes take turns on a PU; 0: 1
  size_t eager_to;      ///< bytes: longer messages travel by rendezvous; 0: 1024
  size_t shared_from;   ///< bytes: both ends of a message of this size or more copy it; 0: 8192
} vnode_cost_model;

/// The options of a team; docs/library.md says what each does. Environment variables override them.
typedef struct vnode_team_options {
  size_t size;  ///< sizeof(vnode_team_options)
  int threads;  ///< a vnode_threads: whose threads the nodes are
  int wait;     ///< a vnode_waiting: how nodes wait
  int channel;  ///< a vnode_channel: the queue of every link
  int pin;      ///< a vnode_choice: whether each node is pinned; by default the team's own threads are
  int keep_caller_pinned;  ///< whether the thread that calls vnode_team_run() stays pinned between runs
  const char* mapping;     ///< a policy's name, or a list of the system's PU numbers; NULL: compact
  const int* pus;          ///< instead: an index into the machine's PUs for each rank
  size_t pus_count;        ///< how many those are
  int banks;               ///< a vnode_banks: where the ports' buffers lie
  int strict_banks;        ///< whether memory elsewhere is VNODE_ERROR_SYSTEM
  int arenas;              ///< a vnode_domain: gives each node an arena on its L3, NUMA, PACKAGE or MACHINE
  size_t arenas_from;      ///< the bytes from which arenas help; 0: 512 KiB
  int apart;               ///< whether node 0 has a thread of its own
  int checked;             ///< whether all calls are compared before they begin
  int deterministic;       ///< whether every combining call is
  double time_limit;       ///< seconds that a call may wait; 0: for ever
  const char* algorithms;  ///< overrides of the choice: "broadcast=binomial;reduce=direct:64K-max"
  const vnode_cost_model* costs;  ///< NULL: they are measured
  const size_t* inline_to;        ///< the eager limit in bytes; NULL: by the costs
  const size_t* shared_from;      ///< the bytes from which both ends copy; NULL: by the costs
  int statistics;                 ///< whether calls are counted and timed: vnode_team_statistics()
  int deadlocks;  ///< a vnode_choice: whether a certain deadlock is VNODE_ERROR_DEADLOCK; by default it is
  const char* share;    ///< which teams share out the PUs: "process", "host" or a folder; NULL: "process"
  const double* spin;   ///< seconds for which a node looks before it parks: 0 parks at once, INFINITY never;
                        ///< NULL: by `wait`
  const char* profile;  ///< by whose times algorithms are chosen: a profile's name or file, or "none"; NULL:
                        ///< the one that is kept of this machine
  int nodes;            ///< a vnode_nodes: what nodes run as; by default VNODE_NODES says
  size_t stack;         ///< bytes of the stack of a node that is a fiber; 0: 256 KiB
} vnode_team_options;

/// Makes a team of the topology that `shape` is with so many nodes; NULL: "full". `options` may be NULL.
int vnode_team_create(vnode_team** team, int nodes, const char* shape, const vnode_team_options* options);
/// Ends a team. While a run of it is on, a thread has joined, or one waits in vnode_team_join(), it is
/// VNODE_ERROR_USAGE, and the team is kept.
int vnode_team_free(vnode_team** team);

/// The body of a run, which each node calls. Returns 0, or the code by which it failed: one that a function
/// of vnode's has returned, or a positive one of its own. It leaves by returning, not by longjmp or
/// pthread_exit.
typedef int (*vnode_body)(vnode_node* me, void* user);
/// Calls body(node, user) on every node and returns when all have returned. Returns the first code other than
/// 0, and vnode_message() then has its sentence; the others leave their calls by VNODE_ERROR_ABORTED, and the
/// team is usable afterwards.
int vnode_team_run(vnode_team* team, vnode_body body, void* user);
/// Returns the node that the calling thread, or fiber, is, of several teams' the one that it became last:
/// what a body gets, and vnode_team_join(). For code within a node's part of a run that has no handle of it,
/// such as a pool's operator. NULL in a thread that is no node. It may be a team's of C++.
int vnode_this_node(vnode_node** me);
/// Lets other nodes run that share the node's PU: a node that computes for long, or looks for something that
/// another node does without a call, calls it now and then.
int vnode_yield(vnode_node* me);

/// Stands for the lowest rank that no thread has.
enum { VNODE_ANY_RANK = -1 };
/// Makes the calling thread node `rank` of a team of callers until it leaves. Returns when all nodes have
/// joined. `me` is that node; NULL if it is not wanted.
int vnode_team_join(vnode_team* team, int rank, vnode_membership** membership, vnode_node** me);
/// Returns the node of a membership.
int vnode_membership_node(const vnode_membership* membership, vnode_node** me);
/// Leaves the team, without waiting for the others, ends the membership and sets it to NULL. Its own requests
/// are complete before. Returns what concerns the run and no call has returned: VNODE_ERROR_USAGE for a
/// request in flight, in the thread that leaves last VNODE_ERROR_MISMATCH. In another thread than the node's
/// it is VNODE_ERROR_USAGE, and nothing is left.
int vnode_membership_leave(vnode_membership** membership);
/// Leaves the team because this node has failed: the others leave their calls by VNODE_ERROR_ABORTED, whose
/// sentence has `reason`. Then the team may be joined again.
int vnode_membership_abort(vnode_membership** membership, const char* reason);

/// Returns the number of nodes, or an error code.
int vnode_team_size(const vnode_team* team);
/// Returns the team's topology, for vnode_topology_free().
int vnode_team_topology(const vnode_team* team, vnode_topology** topology);
/// Writes the costs of messages, as given or measured, which takes some milliseconds once. Between runs only.
int vnode_team_costs(vnode_team* team, vnode_cost_model* costs);
/// Returns a text for people: nodes, topology, mapping on cores, pinning, waiting, memory, what was refused
/// and why, what the environment has overridden. Between runs only; for vnode_text_free().
int vnode_team_report(const vnode_team* team, char** text);
/// Writes the bytes of memory that the team's channels use, and that its calls' scratch does. Either may be
/// NULL.
int vnode_team_bytes(const vnode_team* team, size_t* channels, size_t* scratch);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
