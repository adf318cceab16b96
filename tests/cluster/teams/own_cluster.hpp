#pragma once

#include <chrono>
#include <cstdlib>

#include <vnode/cluster.hpp>

namespace vnode_test {

/// Returns how many nodes each process has.
inline int own_nodes() {
  const char* const text = std::getenv("VNODE_TEST_NODES");
  return text != nullptr ? std::atoi(text) : 2;
}

/// All machines are made of one: who waits gives its cores away.
inline vnode::TeamOptions patient(vnode::TeamOptions options = {}) {
  options.wait = vnode::Wait::park;
  options.time_limit = std::chrono::seconds(30);
  return options;
}

}  // namespace vnode_test
