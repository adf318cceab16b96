#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mpi/peer.hpp"

namespace vnode::bench {

/// Every MPI that is installed, in every configuration, beside a team: compiled, started and asleep.
class MpiPeers {
 public:
  /// `core_each`: every process can have a core of its own. Throws SystemError with advice if no MPI is
  /// installed or its compiler refuses.
  MpiPeers(int nodes, bool core_each);
  ~MpiPeers();
  MpiPeers(const MpiPeers&) = delete;
  MpiPeers& operator=(const MpiPeers&) = delete;

  std::vector<std::unique_ptr<MpiPeer>>& all() { return peers_; }

 private:
  std::string folder_;  // temporary
  std::vector<std::unique_ptr<MpiPeer>> peers_;
};

}  // namespace vnode::bench
