#include <vnode/c/collectives.h>

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
