#pragma once

#include <cstddef>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes the costs of a message of n bytes: t_s + n t_w for the thread that receives it, and n t_op to
/// combine it. A message more in the same round costs o. How long a message has to be to travel otherwise.
struct CostModel {
  double t_s = 0;                  ///< seconds to start a message
  double t_w = 0;                  ///< seconds to receive a byte
  double t_op = 0;                 ///< seconds to combine a byte with another
  double t_put = 0;                ///< seconds to write a byte to another node's memory; 0 counts as t_w
  double o = 0;                    ///< seconds of a thread's work for a message that it need not wait for
  double nodes_per_pu = 1;         ///< how many nodes take turns on a PU
  double turn = 0;                 ///< seconds of a turn if they are fibers; 0: they are threads
  std::size_t eager_to = 1024;     ///< the eager limit in bytes: longer messages travel by rendezvous
  std::size_t shared_from = 8192;  ///< bytes: both ends of a message of this size or more copy it

  /// Says whether the nodes of a domain have one link to other domains, as those of a machine have to its
  /// network: what they send or receive at the same time takes turns there.
  bool shared_link = false;

  friend bool operator==(const CostModel&, const CostModel&) = default;
};

}  // namespace vnode
#pragma GCC visibility pop
