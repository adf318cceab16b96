#include "barrier/contestants.hpp"

namespace vnode::bench {

Contestant barrier_vnode(const std::string& algorithm) {
  return {.by = "vnode",
          .requested = algorithm.empty() ? "auto" : algorithm,
          .call = [algorithm](const Seat& seat) { seat.node->barrier({.algorithm = algorithm}); }};
}

}  // namespace vnode::bench
