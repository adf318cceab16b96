#include <vnode/c/collectives.h>

#include "c/described.hpp"

using namespace vnode;

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
