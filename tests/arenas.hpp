#pragma once

#include <string>

#include "sentence.hpp"

namespace vnode_test {

/// In the environment: a machine on which arenas have threads, whatever this one is like. Nobody is pinned
/// there.
inline const std::string two_domains = "HWLOC_SYNTHETIC='numa:2 core:4 pu:1'";

/// Arenas that help with all that is longer than they can help with at all.
inline vnode::TeamOptions with_arenas(vnode::DomainLevel level = vnode::DomainLevel::numa) {
  vnode::TeamOptions options = patient();
  options.arenas = level;
  options.arenas_from = 0;
  return options;
}

}
