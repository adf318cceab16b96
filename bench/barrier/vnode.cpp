#include "barrier/contestants.hpp"
#include "collectives/form.hpp"

namespace vnode::bench {

Contestant barrier_vnode(Form form, int callers, const std::string& algorithm) {
  return in_form(form, callers, algorithm,
                 [algorithm](auto&& where, Rank) { return where.barrier({.algorithm = algorithm}); });
}

}  // namespace vnode::bench
