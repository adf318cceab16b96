#include <vnode/c/arena.h>
#include <vnode/unpinned.hpp>

#include "c/group.hpp"
#include "c/lists.hpp"

/// An Unpinned and its handle.
struct vnode_unpinned : vnode::Handle<vnode::HandleKind::unpinned> {
  vnode::Unpinned is;
};

using namespace vnode;

int vnode_arena_concurrency(vnode_node* me) {
  return entry([&] { return node_of(me).arena().concurrency(); });
}

int vnode_arena_pus(vnode_node* me, int* pus, int room) {
  return entry([&] { return put_list(node_of(me).arena().pus(), pus, room, "the list of PUs"); });
}

int vnode_arena_parallel_for(vnode_node* me, size_t begin, size_t end, size_t grain, vnode_part body,
                             void* user) {
  return entry([&] {
    Arena& arena = node_of(me).arena();
    if (body == nullptr) throw WrongArgument("the body is NULL");
    arena.parallel_for(
        begin, end,
        [&](std::size_t first, std::size_t last) {
          if (const int code = body(user, first, last); code != 0)
            throw_code(code, "a part of vnode_arena_parallel_for");
        },
        grain);
  });
}

int vnode_unpinned_begin(vnode_unpinned** unpinned) {
  return entry([&] { put_handle(unpinned); });
}

int vnode_unpinned_end(vnode_unpinned** unpinned) {
  return entry([&] { end_handle(unpinned); });
}
