// Written by tools/bindings/write from tools/bindings/table.py.
#include <vnode/c/collectives.h>
#include <vnode/c/exchange.h>

#include "c/described.hpp"

using namespace vnode;

int vnode_broadcast(vnode_group* group, void* data, size_t count, vnode_type type, int root,
                    const vnode_call_options* options) {
  return entry([&] {
    Described call(group, options);
    call.broadcast(data, count, type, root);
    call.call();
  });
}

int vnode_broadcast_nonblocking(vnode_group* group, void* data, size_t count, vnode_type type, int root,
                                const vnode_call_options* options, vnode_request** request) {
  return entry([&] {
    Described call(group, options);
    call.broadcast(data, count, type, root);
    call.start(request);
  });
}

int vnode_broadcast_persistent(vnode_group* group, void* data, size_t count, vnode_type type, int root,
                               const vnode_call_options* options, vnode_persistent** persistent) {
  return entry([&] {
    Described call(group, options);
    call.broadcast(data, count, type, root);
    call.plan(persistent);
  });
}

int vnode_reduce(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                 vnode_operator op, int root, const vnode_call_options* options) {
  return entry([&] {
    Described call(group, options);
    call.reduce(in, out, count, type, op, root);
    call.call();
  });
}

int vnode_reduce_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                             vnode_operator op, int root, const vnode_call_options* options,
                             vnode_request** request) {
  return entry([&] {
    Described call(group, options);
    call.reduce(in, out, count, type, op, root);
    call.start(request);
  });
}

int vnode_reduce_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                            vnode_operator op, int root, const vnode_call_options* options,
                            vnode_persistent** persistent) {
  return entry([&] {
    Described call(group, options);
    call.reduce(in, out, count, type, op, root);
    call.plan(persistent);
  });
}

int vnode_all_reduce(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                     vnode_operator op, const vnode_call_options* options) {
  return entry([&] {
    Described call(group, options);
    call.all_reduce(in, out, count, type, op);
    call.call();
  });
}

int vnode_all_reduce_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                                 vnode_operator op, const vnode_call_options* options,
                                 vnode_request** request) {
  return entry([&] {
    Described call(group, options);
    call.all_reduce(in, out, count, type, op);
    call.start(request);
  });
}

int vnode_all_reduce_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                                vnode_operator op, const vnode_call_options* options,
                                vnode_persistent** persistent) {
  return entry([&] {
    Described call(group, options);
    call.all_reduce(in, out, count, type, op);
    call.plan(persistent);
  });
}

int vnode_scan(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
               vnode_operator op, const vnode_call_options* options) {
  return entry([&] {
    Described call(group, options);
    call.scan(in, out, count, type, op);
    call.call();
  });
}

int vnode_scan_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                           vnode_operator op, const vnode_call_options* options, vnode_request** request) {
  return entry([&] {
    Described call(group, options);
    call.scan(in, out, count, type, op);
    call.start(request);
  });
}

int vnode_scan_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                          vnode_operator op, const vnode_call_options* options,
                          vnode_persistent** persistent) {
  return entry([&] {
    Described call(group, options);
    call.scan(in, out, count, type, op);
    call.plan(persistent);
  });
}

int vnode_exclusive_scan(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                         vnode_operator op, const vnode_call_options* options) {
  return entry([&] {
    Described call(group, options);
    call.exclusive_scan(in, out, count, type, op);
    call.call();
  });
}

int vnode_exclusive_scan_nonblocking(vnode_group* group, const void* in, void* out, size_t count,
                                     vnode_type type, vnode_operator op, const vnode_call_options* options,
                                     vnode_request** request) {
  return entry([&] {
    Described call(group, options);
    call.exclusive_scan(in, out, count, type, op);
    call.start(request);
  });
}

int vnode_exclusive_scan_persistent(vnode_group* group, const void* in, void* out, size_t count,
                                    vnode_type type, vnode_operator op, const vnode_call_options* options,
                                    vnode_persistent** persistent) {
  return entry([&] {
    Described call(group, options);
    call.exclusive_scan(in, out, count, type, op);
    call.plan(persistent);
  });
}

int vnode_all_gather(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                     const vnode_call_options* options) {
  return entry([&] {
    Described call(group, options);
    call.all_gather(in, out, count, type);
    call.call();
  });
}

int vnode_all_gather_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                                 const vnode_call_options* options, vnode_request** request) {
  return entry([&] {
    Described call(group, options);
    call.all_gather(in, out, count, type);
    call.start(request);
  });
}

int vnode_all_gather_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                                const vnode_call_options* options, vnode_persistent** persistent) {
  return entry([&] {
    Described call(group, options);
    call.all_gather(in, out, count, type);
    call.plan(persistent);
  });
}

int vnode_gather(vnode_group* group, const void* in, void* out, size_t count, vnode_type type, int root,
                 const vnode_call_options* options) {
  return entry([&] {
    Described call(group, options);
    call.gather(in, out, count, type, root);
    call.call();
  });
}

int vnode_gather_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                             int root, const vnode_call_options* options, vnode_request** request) {
  return entry([&] {
    Described call(group, options);
    call.gather(in, out, count, type, root);
    call.start(request);
  });
}

int vnode_gather_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                            int root, const vnode_call_options* options, vnode_persistent** persistent) {
  return entry([&] {
    Described call(group, options);
    call.gather(in, out, count, type, root);
    call.plan(persistent);
  });
}

int vnode_scatter(vnode_group* group, const void* in, void* out, size_t count, vnode_type type, int root,
                  const vnode_call_options* options) {
  return entry([&] {
    Described call(group, options);
    call.scatter(in, out, count, type, root);
    call.call();
  });
}

int vnode_scatter_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                              int root, const vnode_call_options* options, vnode_request** request) {
  return entry([&] {
    Described call(group, options);
    call.scatter(in, out, count, type, root);
    call.start(request);
  });
}

int vnode_scatter_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                             int root, const vnode_call_options* options, vnode_persistent** persistent) {
  return entry([&] {
    Described call(group, options);
    call.scatter(in, out, count, type, root);
    call.plan(persistent);
  });
}

int vnode_reduce_scatter(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                         vnode_operator op, const vnode_call_options* options) {
  return entry([&] {
    Described call(group, options);
    call.reduce_scatter(in, out, count, type, op);
    call.call();
  });
}

int vnode_reduce_scatter_nonblocking(vnode_group* group, const void* in, void* out, size_t count,
                                     vnode_type type, vnode_operator op, const vnode_call_options* options,
                                     vnode_request** request) {
  return entry([&] {
    Described call(group, options);
    call.reduce_scatter(in, out, count, type, op);
    call.start(request);
  });
}

int vnode_reduce_scatter_persistent(vnode_group* group, const void* in, void* out, size_t count,
                                    vnode_type type, vnode_operator op, const vnode_call_options* options,
                                    vnode_persistent** persistent) {
  return entry([&] {
    Described call(group, options);
    call.reduce_scatter(in, out, count, type, op);
    call.plan(persistent);
  });
}

int vnode_all_to_all(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                     const vnode_call_options* options) {
  return entry([&] {
    Described call(group, options);
    call.all_to_all(in, out, count, type);
    call.call();
  });
}

int vnode_all_to_all_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                                 const vnode_call_options* options, vnode_request** request) {
  return entry([&] {
    Described call(group, options);
    call.all_to_all(in, out, count, type);
    call.start(request);
  });
}

int vnode_all_to_all_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                                const vnode_call_options* options, vnode_persistent** persistent) {
  return entry([&] {
    Described call(group, options);
    call.all_to_all(in, out, count, type);
    call.plan(persistent);
  });
}

int vnode_circular_shift(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                         int shift, const vnode_call_options* options) {
  return entry([&] {
    Described call(group, options);
    call.circular_shift(in, out, count, type, shift);
    call.call();
  });
}

int vnode_circular_shift_nonblocking(vnode_group* group, const void* in, void* out, size_t count,
                                     vnode_type type, int shift, const vnode_call_options* options,
                                     vnode_request** request) {
  return entry([&] {
    Described call(group, options);
    call.circular_shift(in, out, count, type, shift);
    call.start(request);
  });
}

int vnode_circular_shift_persistent(vnode_group* group, const void* in, void* out, size_t count,
                                    vnode_type type, int shift, const vnode_call_options* options,
                                    vnode_persistent** persistent) {
  return entry([&] {
    Described call(group, options);
    call.circular_shift(in, out, count, type, shift);
    call.plan(persistent);
  });
}

int vnode_barrier(vnode_group* group, const vnode_call_options* options) {
  return entry([&] {
    Described call(group, options);
    call.barrier();
    call.call();
  });
}

int vnode_barrier_nonblocking(vnode_group* group, const vnode_call_options* options,
                              vnode_request** request) {
  return entry([&] {
    Described call(group, options);
    call.barrier();
    call.start(request);
  });
}

int vnode_barrier_persistent(vnode_group* group, const vnode_call_options* options,
                             vnode_persistent** persistent) {
  return entry([&] {
    Described call(group, options);
    call.barrier();
    call.plan(persistent);
  });
}

int vnode_all_gather_v(vnode_group* group, const void* in, size_t in_count, void* out, const size_t* counts,
                       const size_t* displacements, vnode_type type, const vnode_call_options* options) {
  return entry([&] {
    DescribedParts call(group, options);
    call.all_gather_v(in, in_count, out, counts, displacements, type);
    call.call();
  });
}

int vnode_all_gather_v_nonblocking(vnode_group* group, const void* in, size_t in_count, void* out,
                                   const size_t* counts, const size_t* displacements, vnode_type type,
                                   const vnode_call_options* options, vnode_request** request) {
  return entry([&] {
    DescribedParts call(group, options);
    call.all_gather_v(in, in_count, out, counts, displacements, type);
    call.start(request);
  });
}

int vnode_all_gather_v_persistent(vnode_group* group, const void* in, size_t in_count, void* out,
                                  const size_t* counts, const size_t* displacements, vnode_type type,
                                  const vnode_call_options* options, vnode_persistent** persistent) {
  return entry([&] {
    DescribedParts call(group, options);
    call.all_gather_v(in, in_count, out, counts, displacements, type);
    call.plan(persistent);
  });
}

int vnode_gather_v(vnode_group* group, const void* in, size_t in_count, void* out, const size_t* counts,
                   const size_t* displacements, vnode_type type, int root,
                   const vnode_call_options* options) {
  return entry([&] {
    DescribedParts call(group, options);
    call.gather_v(in, in_count, out, counts, displacements, type, root);
    call.call();
  });
}

int vnode_gather_v_nonblocking(vnode_group* group, const void* in, size_t in_count, void* out,
                               const size_t* counts, const size_t* displacements, vnode_type type, int root,
                               const vnode_call_options* options, vnode_request** request) {
  return entry([&] {
    DescribedParts call(group, options);
    call.gather_v(in, in_count, out, counts, displacements, type, root);
    call.start(request);
  });
}

int vnode_gather_v_persistent(vnode_group* group, const void* in, size_t in_count, void* out,
                              const size_t* counts, const size_t* displacements, vnode_type type, int root,
                              const vnode_call_options* options, vnode_persistent** persistent) {
  return entry([&] {
    DescribedParts call(group, options);
    call.gather_v(in, in_count, out, counts, displacements, type, root);
    call.plan(persistent);
  });
}

int vnode_scatter_v(vnode_group* group, const void* in, const size_t* counts, const size_t* displacements,
                    void* out, size_t out_count, vnode_type type, int root,
                    const vnode_call_options* options) {
  return entry([&] {
    DescribedParts call(group, options);
    call.scatter_v(in, counts, displacements, out, out_count, type, root);
    call.call();
  });
}

int vnode_scatter_v_nonblocking(vnode_group* group, const void* in, const size_t* counts,
                                const size_t* displacements, void* out, size_t out_count, vnode_type type,
                                int root, const vnode_call_options* options, vnode_request** request) {
  return entry([&] {
    DescribedParts call(group, options);
    call.scatter_v(in, counts, displacements, out, out_count, type, root);
    call.start(request);
  });
}

int vnode_scatter_v_persistent(vnode_group* group, const void* in, const size_t* counts,
                               const size_t* displacements, void* out, size_t out_count, vnode_type type,
                               int root, const vnode_call_options* options, vnode_persistent** persistent) {
  return entry([&] {
    DescribedParts call(group, options);
    call.scatter_v(in, counts, displacements, out, out_count, type, root);
    call.plan(persistent);
  });
}

int vnode_reduce_scatter_v(vnode_group* group, const void* in, void* out, const size_t* counts,
                           vnode_type type, vnode_operator op, const vnode_call_options* options) {
  return entry([&] {
    DescribedParts call(group, options);
    call.reduce_scatter_v(in, out, counts, type, op);
    call.call();
  });
}

int vnode_reduce_scatter_v_nonblocking(vnode_group* group, const void* in, void* out, const size_t* counts,
                                       vnode_type type, vnode_operator op, const vnode_call_options* options,
                                       vnode_request** request) {
  return entry([&] {
    DescribedParts call(group, options);
    call.reduce_scatter_v(in, out, counts, type, op);
    call.start(request);
  });
}

int vnode_reduce_scatter_v_persistent(vnode_group* group, const void* in, void* out, const size_t* counts,
                                      vnode_type type, vnode_operator op, const vnode_call_options* options,
                                      vnode_persistent** persistent) {
  return entry([&] {
    DescribedParts call(group, options);
    call.reduce_scatter_v(in, out, counts, type, op);
    call.plan(persistent);
  });
}

int vnode_all_to_all_v(vnode_group* group, const void* in, const size_t* in_counts,
                       const size_t* in_displacements, void* out, const size_t* out_counts,
                       const size_t* out_displacements, vnode_type type, const vnode_call_options* options) {
  return entry([&] {
    DescribedParts call(group, options);
    call.all_to_all_v(in, in_counts, in_displacements, out, out_counts, out_displacements, type);
    call.call();
  });
}

int vnode_all_to_all_v_nonblocking(vnode_group* group, const void* in, const size_t* in_counts,
                                   const size_t* in_displacements, void* out, const size_t* out_counts,
                                   const size_t* out_displacements, vnode_type type,
                                   const vnode_call_options* options, vnode_request** request) {
  return entry([&] {
    DescribedParts call(group, options);
    call.all_to_all_v(in, in_counts, in_displacements, out, out_counts, out_displacements, type);
    call.start(request);
  });
}

int vnode_all_to_all_v_persistent(vnode_group* group, const void* in, const size_t* in_counts,
                                  const size_t* in_displacements, void* out, const size_t* out_counts,
                                  const size_t* out_displacements, vnode_type type,
                                  const vnode_call_options* options, vnode_persistent** persistent) {
  return entry([&] {
    DescribedParts call(group, options);
    call.all_to_all_v(in, in_counts, in_displacements, out, out_counts, out_displacements, type);
    call.plan(persistent);
  });
}

int vnode_exchange(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                   const vnode_neighbours* neighbours) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange(in, out, count, neighbours);
    call.call();
  });
}

int vnode_exchange_nonblocking(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                               const vnode_neighbours* neighbours, vnode_request** request) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange(in, out, count, neighbours);
    call.start(request);
  });
}

int vnode_exchange_persistent(vnode_group* group, const void* in, void* out, size_t count, vnode_type type,
                              const vnode_neighbours* neighbours, vnode_persistent** persistent) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange(in, out, count, neighbours);
    call.plan(persistent);
  });
}

int vnode_exchange_v(vnode_group* group, const void* in, const size_t* in_counts,
                     const size_t* in_displacements, void* out, const size_t* out_counts,
                     const size_t* out_displacements, vnode_type type, const vnode_neighbours* neighbours) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange_v(in, in_counts, in_displacements, out, out_counts, out_displacements, neighbours);
    call.call();
  });
}

int vnode_exchange_v_nonblocking(vnode_group* group, const void* in, const size_t* in_counts,
                                 const size_t* in_displacements, void* out, const size_t* out_counts,
                                 const size_t* out_displacements, vnode_type type,
                                 const vnode_neighbours* neighbours, vnode_request** request) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange_v(in, in_counts, in_displacements, out, out_counts, out_displacements, neighbours);
    call.start(request);
  });
}

int vnode_exchange_v_persistent(vnode_group* group, const void* in, const size_t* in_counts,
                                const size_t* in_displacements, void* out, const size_t* out_counts,
                                const size_t* out_displacements, vnode_type type,
                                const vnode_neighbours* neighbours, vnode_persistent** persistent) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange_v(in, in_counts, in_displacements, out, out_counts, out_displacements, neighbours);
    call.plan(persistent);
  });
}

int vnode_exchange_pieces(vnode_group* group, const vnode_piece* in, const vnode_piece* out, vnode_type type,
                          const vnode_neighbours* neighbours) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange_pieces(in, out, neighbours);
    call.call();
  });
}

int vnode_exchange_pieces_nonblocking(vnode_group* group, const vnode_piece* in, const vnode_piece* out,
                                      vnode_type type, const vnode_neighbours* neighbours,
                                      vnode_request** request) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange_pieces(in, out, neighbours);
    call.start(request);
  });
}

int vnode_exchange_pieces_persistent(vnode_group* group, const vnode_piece* in, const vnode_piece* out,
                                     vnode_type type, const vnode_neighbours* neighbours,
                                     vnode_persistent** persistent) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.exchange_pieces(in, out, neighbours);
    call.plan(persistent);
  });
}

int vnode_all_to_all_w(vnode_group* group, const vnode_piece* in, const vnode_piece* out, vnode_type type) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.all_to_all_w(in, out);
    call.call();
  });
}

int vnode_all_to_all_w_nonblocking(vnode_group* group, const vnode_piece* in, const vnode_piece* out,
                                   vnode_type type, vnode_request** request) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.all_to_all_w(in, out);
    call.start(request);
  });
}

int vnode_all_to_all_w_persistent(vnode_group* group, const vnode_piece* in, const vnode_piece* out,
                                  vnode_type type, vnode_persistent** persistent) {
  return entry([&] {
    DescribedExchange call(group, type);
    call.all_to_all_w(in, out);
    call.plan(persistent);
  });
}
