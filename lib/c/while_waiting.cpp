#include <vnode/c/while_waiting.h>
#include <vnode/while_waiting.hpp>

#include "c/entry.hpp"

/// A WhileWaiting and its handle.
struct vnode_while_waiting : vnode::Handle<vnode::HandleKind::while_waiting> {
  vnode_while_waiting(vnode_look look, void* user)
      : is([look, user] {
          vnode::last_failure() = {};
          if (const int code = look(user); code != VNODE_OK)
            vnode::throw_code(code, "what the thread does while it waits");
        }) {}
  vnode::WhileWaiting is;
};

using namespace vnode;

int vnode_while_waiting_begin(vnode_while_waiting** waiting, vnode_look look, void* user) {
  return entry([&] {
    if (look == nullptr) throw WrongArgument("the look is NULL");
    put_handle(waiting, look, user);
  });
}

int vnode_while_waiting_end(vnode_while_waiting** waiting) {
  return entry([&] { end_handle(waiting); });
}
