#pragma once

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// What it costs a thread to take in a message of n bytes, t_s + n * t_w, and to combine it, n * t_op.
struct CostModel {
  double t_s = 0;    ///< seconds to start a message
  double t_w = 0;    ///< seconds to take in a byte
  double t_op = 0;   ///< seconds to combine a byte with another
  double t_put = 0;  ///< seconds to write a byte to another node's memory; 0 counts as t_w
};

}  // namespace vnode
#pragma GCC visibility pop
