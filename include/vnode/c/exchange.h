#pragma once

#include <stddef.h>

#include <vnode/c/element.h>
#include <vnode/c/group.h>
#include <vnode/c/layout.h>
#include <vnode/c/request.h>
#include <vnode/c/topology.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// \file
/// Neighbours exchange data, in the forms of collectives: all messages are under way at the same time. All
/// nodes of the group call it, also those without neighbours. Parts of the output must not overlap each other
/// or the input. NULL for `neighbours` stands for those in the group's topology. And messages between two
/// nodes whose elements a layout picks.

/// Whom a node sends to and receives from. It is immutable.
typedef struct vnode_neighbours vnode_neighbours;

/// Makes the list of a node's neighbours in a topology: in arrays, rings, meshes and tori two for each
/// dimension, slowest dimension first, lower coordinate first; in hypercubes one for each bit; in full ones
/// all other nodes.
int vnode_neighbours_create(vnode_neighbours** neighbours, const vnode_topology* topology, int rank);
/// Makes lists of one's own. If a lists b as target, b lists a as source; VNODE_NO_RANK is allowed.
int vnode_neighbours_create_lists(vnode_neighbours** neighbours, const int* sources, int sources_count,
                                  const int* targets, int targets_count);
/// Write up to `room` of the sources, or targets, and return how many there are; or an error code.
int vnode_neighbours_sources(const vnode_neighbours* neighbours, int* sources, int room);
int vnode_neighbours_targets(const vnode_neighbours* neighbours, int* targets, int room);
/// Ends a list of neighbours. Calls in flight and planned ones keep what they need.
int vnode_neighbours_free(vnode_neighbours** neighbours);

/// A part of a message's data: `count` elements from the first that the layout picks on, counted from `data`;
/// without a layout one after the other.
typedef struct vnode_piece {
  void* data;                  ///< where the layout counts from
  size_t count;                ///< how many elements
  const vnode_layout* layout;  ///< NULL: one after the other
} vnode_piece;

// exchanges: written by tools/bindings/write from tools/bindings/table.py.

/// Exchange with all neighbours: `count` elements of `in` from i m on go to target i, and as many of `out`
/// come from source i.
int vnode_exchange(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                   const vnode_neighbours* neighbours);
int vnode_exchange_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                               const vnode_neighbours* neighbours, vnode_request** request);
int vnode_exchange_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                              const vnode_neighbours* neighbours, vnode_persistent** persistent);

/// Exchanges parts of different lengths, by counts and displacements for each neighbour as in
/// vnode_all_to_all_v().
int vnode_exchange_v(vnode_group* group, const void* in, const size_t* in_counts,
                     const size_t* in_displacements, void* out, const size_t* out_counts,
                     const size_t* out_displacements, vnode_type type, const vnode_neighbours* neighbours);
int vnode_exchange_v_nonblocking(vnode_group* group, const void* in, const size_t* in_counts,
                                 const size_t* in_displacements, void* out, const size_t* out_counts,
                                 const size_t* out_displacements, vnode_type type,
                                 const vnode_neighbours* neighbours, vnode_request** request);
int vnode_exchange_v_persistent(vnode_group* group, const void* in, const size_t* in_counts,
                                const size_t* in_displacements, void* out, const size_t* out_counts,
                                const size_t* out_displacements, vnode_type type,
                                const vnode_neighbours* neighbours, vnode_persistent** persistent);

/// Exchanges parts that each have a place of their own: a piece of `in` for each target, of `out` for each
/// source. The lists are copied, but not the data.
int vnode_exchange_pieces(vnode_group* group, const vnode_piece* in, const vnode_piece* out, vnode_type type,
                          const vnode_neighbours* neighbours);
int vnode_exchange_pieces_nonblocking(vnode_group* group, const vnode_piece* in, const vnode_piece* out,
                                      vnode_type type, const vnode_neighbours* neighbours,
                                      vnode_request** request);
int vnode_exchange_pieces_persistent(vnode_group* group, const vnode_piece* in, const vnode_piece* out,
                                     vnode_type type, const vnode_neighbours* neighbours,
                                     vnode_persistent** persistent);

/// All-to-all personalized with a place and a layout for each rank: piece d of `in` of node s goes to piece s
/// of `out` of node d.
int vnode_all_to_all_w(vnode_group* group, const vnode_piece* in, const vnode_piece* out, vnode_type type);
int vnode_all_to_all_w_nonblocking(vnode_group* group, const vnode_piece* in, const vnode_piece* out,
                                   vnode_type type, vnode_request** request);
int vnode_all_to_all_w_persistent(vnode_group* group, const vnode_piece* in, const vnode_piece* out,
                                  vnode_type type, vnode_persistent** persistent);

// end of exchanges

/// As vnode_send() and the others, of the elements that `piece` describes.
int vnode_send_piece(vnode_group* group, const vnode_piece* piece, vnode_type type, int to, int tag);
int vnode_recv_piece(vnode_group* group, const vnode_piece* piece, vnode_type type, int from, int tag,
                     vnode_received* received);
int vnode_sendrecv_pieces(vnode_group* group, const vnode_piece* out, int to, const vnode_piece* in, int from,
                          vnode_type type, int tag, vnode_received* received);
int vnode_isend_piece(vnode_group* group, const vnode_piece* piece, vnode_type type, int to, int tag,
                      vnode_request** request);
int vnode_irecv_piece(vnode_group* group, const vnode_piece* piece, vnode_type type, int from, int tag,
                      vnode_request** request);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
