#pragma once

#include <stddef.h>

#include <vnode/c/element.h>
#include <vnode/c/group.h>
#include <vnode/c/operator.h>
#include <vnode/c/options.h>
#include <vnode/c/request.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// \file
/// The collective operations, each in three forms: blocking; nonblocking, with a request for
/// vnode_request_wait(); persistent, planned to be started by vnode_persistent_start(). p is the number of
/// nodes, m = `count` the number of elements that one node contributes to one message. All nodes of a group
/// call the same collectives in the same order, with equal counts, types, operators, roots and options.
///
/// `in == out` means in place. Otherwise the two must be disjoint. What is not read or not touched may be
/// NULL. `options` may be NULL. Data live until the call is complete.

// collectives: written by tools/bindings/write from tools/bindings/table.py.

/// One-to-all broadcast: copies `data` of `root` to `data` of all.
int vnode_broadcast(vnode_group* group, void* data, size_t count, vnode_type type, int root,
                    const vnode_call_options* options);
int vnode_broadcast_nonblocking(vnode_group* group, void* data, size_t count, vnode_type type, int root,
                                const vnode_call_options* options, vnode_request** request);
int vnode_broadcast_persistent(vnode_group* group, void* data, size_t count, vnode_type type, int root,
                               const vnode_call_options* options, vnode_persistent** persistent);

/// All-to-one reduction: out[i] on `root` = in[i] of node 0 op ... op in[i] of node p-1. `out` of the others
/// is not touched.
int vnode_reduce(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                 vnode_operator op, int root, const vnode_call_options* options);
int vnode_reduce_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                             vnode_operator op, int root, const vnode_call_options* options,
                             vnode_request** request);
int vnode_reduce_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                            vnode_operator op, int root, const vnode_call_options* options,
                            vnode_persistent** persistent);

/// Reduction to all: out[i] = in[i] of node 0 op ... op in[i] of node p-1, with the same bits on all nodes.
int vnode_all_reduce(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                     vnode_operator op, const vnode_call_options* options);
int vnode_all_reduce_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                                 vnode_operator op, const vnode_call_options* options,
                                 vnode_request** request);
int vnode_all_reduce_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                                vnode_operator op, const vnode_call_options* options,
                                vnode_persistent** persistent);

/// Prefix sums: out[i] on node r = in[i] of node 0 op ... op in[i] of node r.
int vnode_scan(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
               vnode_operator op, const vnode_call_options* options);
int vnode_scan_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                           vnode_operator op, const vnode_call_options* options, vnode_request** request);
int vnode_scan_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                          vnode_operator op, const vnode_call_options* options,
                          vnode_persistent** persistent);

/// Prefix sums without the node's own contribution. `out` of node 0 is not touched.
int vnode_exclusive_scan(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                         vnode_operator op, const vnode_call_options* options);
int vnode_exclusive_scan_nonblocking(vnode_group* group, const void* in, void* out, size_t count,
                                     vnode_type type, vnode_operator op, const vnode_call_options* options,
                                     vnode_request** request);
int vnode_exclusive_scan_persistent(vnode_group* group, const void* in, void* out, size_t count,
                                    vnode_type type, vnode_operator op, const vnode_call_options* options,
                                    vnode_persistent** persistent);

/// All-to-all broadcast: out[r m .. r m + m-1] = `in` of node r, on all nodes. In place, node r contributes
/// those of `out`.
int vnode_all_gather(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                     const vnode_call_options* options);
int vnode_all_gather_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                                 const vnode_call_options* options, vnode_request** request);
int vnode_all_gather_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                                const vnode_call_options* options, vnode_persistent** persistent);

/// All-to-one personalized: the same on `root` only; `out` of the others is not touched. In place on the
/// root, its own part of `out` stays where it is.
int vnode_gather(vnode_group* group, const void* in, void* out, size_t count, vnode_type type, int root,
                 const vnode_call_options* options);
int vnode_gather_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                             int root, const vnode_call_options* options, vnode_request** request);
int vnode_gather_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                            int root, const vnode_call_options* options, vnode_persistent** persistent);

/// One-to-all personalized: `out` of node r = in[r m .. r m + m-1] of `root`; `in` of the others is not read.
/// In place on the root, its own part of `in` stays where it is.
int vnode_scatter(vnode_group* group, const void* in, void* out, size_t count, vnode_type type, int root,
                  const vnode_call_options* options);
int vnode_scatter_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                              int root, const vnode_call_options* options, vnode_request** request);
int vnode_scatter_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                             int root, const vnode_call_options* options, vnode_persistent** persistent);

/// All-to-all reduction: out[i] on node r = in[r m + i] of node 0 op ... op in[r m + i] of node p-1. In
/// place, the first m of the p m elements receive the result; the others are lost.
int vnode_reduce_scatter(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                         vnode_operator op, const vnode_call_options* options);
int vnode_reduce_scatter_nonblocking(vnode_group* group, const void* in, void* out, size_t count,
                                     vnode_type type, vnode_operator op, const vnode_call_options* options,
                                     vnode_request** request);
int vnode_reduce_scatter_persistent(vnode_group* group, const void* in, void* out, size_t count,
                                    vnode_type type, vnode_operator op, const vnode_call_options* options,
                                    vnode_persistent** persistent);

/// All-to-all personalized: out[s m .. s m + m-1] on node d = in[d m .. d m + m-1] of node s.
int vnode_all_to_all(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                     const vnode_call_options* options);
int vnode_all_to_all_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                                 const vnode_call_options* options, vnode_request** request);
int vnode_all_to_all_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                                const vnode_call_options* options, vnode_persistent** persistent);

/// Circular shift: `out` of node (r + shift) mod p = `in` of node r. `shift` may be negative.
int vnode_circular_shift(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                         int shift, const vnode_call_options* options);
int vnode_circular_shift_nonblocking(vnode_group* group, const void* in, void* out, size_t count,
                                     vnode_type type, int shift, const vnode_call_options* options,
                                     vnode_request** request);
int vnode_circular_shift_persistent(vnode_group* group, const void* in, void* out, size_t count,
                                    vnode_type type, int shift, const vnode_call_options* options,
                                    vnode_persistent** persistent);

/// Barrier: is complete when every node has called it.
int vnode_barrier(vnode_group* group, const vnode_call_options* options);
int vnode_barrier_nonblocking(vnode_group* group, const vnode_call_options* options, vnode_request** request);
int vnode_barrier_persistent(vnode_group* group, const vnode_call_options* options,
                             vnode_persistent** persistent);

// end of collectives

/// Parts of different lengths: part r has counts[r] elements from displacements[r] on; if `displacements` is
/// NULL, one part lies after the other. Each list has a number for every rank, and is copied.

// collectives of parts: written by tools/bindings/write from tools/bindings/table.py.

/// Gathers a different count from every rank: part r of `out` = `in` of node r. All nodes pass equal counts.
/// In place, node r contributes part r of `out`.
int vnode_all_gather_v(vnode_group* group, const void* in, size_t in_count, void* out, const size_t* counts,
                       const size_t* displacements, vnode_type type, const vnode_call_options* options);
int vnode_all_gather_v_nonblocking(vnode_group* group, const void* in, size_t in_count, void* out,
                                   const size_t* counts, const size_t* displacements, vnode_type type,
                                   const vnode_call_options* options, vnode_request** request);
int vnode_all_gather_v_persistent(vnode_group* group, const void* in, size_t in_count, void* out,
                                  const size_t* counts, const size_t* displacements, vnode_type type,
                                  const vnode_call_options* options, vnode_persistent** persistent);

/// Gathers a different count from every rank on `root`, whose counts alone are read.
int vnode_gather_v(vnode_group* group, const void* in, size_t in_count, void* out, const size_t* counts,
                   const size_t* displacements, vnode_type type, int root, const vnode_call_options* options);
int vnode_gather_v_nonblocking(vnode_group* group, const void* in, size_t in_count, void* out,
                               const size_t* counts, const size_t* displacements, vnode_type type, int root,
                               const vnode_call_options* options, vnode_request** request);
int vnode_gather_v_persistent(vnode_group* group, const void* in, size_t in_count, void* out,
                              const size_t* counts, const size_t* displacements, vnode_type type, int root,
                              const vnode_call_options* options, vnode_persistent** persistent);

/// Scatters a different count to every rank: `out` of node r = part r of `in` of `root`, whose counts alone
/// are read. In place on the root, its own part stays where it is.
int vnode_scatter_v(vnode_group* group, const void* in, const size_t* counts, const size_t* displacements,
                    void* out, size_t out_count, vnode_type type, int root,
                    const vnode_call_options* options);
int vnode_scatter_v_nonblocking(vnode_group* group, const void* in, const size_t* counts,
                                const size_t* displacements, void* out, size_t out_count, vnode_type type,
                                int root, const vnode_call_options* options, vnode_request** request);
int vnode_scatter_v_persistent(vnode_group* group, const void* in, const size_t* counts,
                               const size_t* displacements, void* out, size_t out_count, vnode_type type,
                               int root, const vnode_call_options* options, vnode_persistent** persistent);

/// Scatters a different count to every rank: node r receives counts[r] elements. The parts lie one after the
/// other. In place, the first counts[r] elements receive the result.
int vnode_reduce_scatter_v(vnode_group* group, const void* in, void* out, const size_t* counts,
                           vnode_type type, vnode_operator op, const vnode_call_options* options);
int vnode_reduce_scatter_v_nonblocking(vnode_group* group, const void* in, void* out, const size_t* counts,
                                       vnode_type type, vnode_operator op, const vnode_call_options* options,
                                       vnode_request** request);
int vnode_reduce_scatter_v_persistent(vnode_group* group, const void* in, void* out, const size_t* counts,
                                      vnode_type type, vnode_operator op, const vnode_call_options* options,
                                      vnode_persistent** persistent);

/// Exchanges a different count between every pair: part s of `out` on node d = part d of `in` of node s. In
/// place, what a node sends to another is as long as what it receives from it, and lies in the same part.
int vnode_all_to_all_v(vnode_group* group, const void* in, const size_t* in_counts,
                       const size_t* in_displacements, void* out, const size_t* out_counts,
                       const size_t* out_displacements, vnode_type type, const vnode_call_options* options);
int vnode_all_to_all_v_nonblocking(vnode_group* group, const void* in, const size_t* in_counts,
                                   const size_t* in_displacements, void* out, const size_t* out_counts,
                                   const size_t* out_displacements, vnode_type type,
                                   const vnode_call_options* options, vnode_request** request);
int vnode_all_to_all_v_persistent(vnode_group* group, const void* in, const size_t* in_counts,
                                  const size_t* in_displacements, void* out, const size_t* out_counts,
                                  const size_t* out_displacements, vnode_type type,
                                  const vnode_call_options* options, vnode_persistent** persistent);

// end of collectives of parts

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
