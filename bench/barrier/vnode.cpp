#include "barrier/contestants.hpp"
#include "collectives/form.hpp"

namespace vnode::bench {

Contestant barrier_vnode(Form form, int callers, const Way& way) {
  return in_form(form, callers, way, [way](auto&& where, Rank) { return where.barrier(way.options()); });
}

}  // namespace vnode::bench
