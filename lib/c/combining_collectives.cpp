#include <vnode/c/collectives.h>

#include "c/described.hpp"

using namespace vnode;

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
