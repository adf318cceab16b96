#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mpi/peer.hpp"

namespace vnode::bench {

/// Every MPI that is installed, in every configuration, beside a team: compiled, started and asleep.
class MpiPeers {
 public:
  /// `core_each`: every process can have a core of its own. What does not compile or does not start is left
  /// out. Throws SystemError with advice if no MPI is installed.
  MpiPeers(int nodes, bool core_each);
  ~MpiPeers();
  MpiPeers(const MpiPeers&) = delete;
  MpiPeers& operator=(const MpiPeers&) = delete;

  /// Those that have started; none of them may have.
  std::vector<std::unique_ptr<MpiPeer>>& all() { return peers_; }
  /// Why the others do not take part: "left out: openmpi has ended: ...", in their programs' own words.
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  void start(const MpiLibrary& library, int nodes, bool core_each);
  void wait_until_ready();

  std::string folder_;  // temporary
  std::vector<std::unique_ptr<MpiPeer>> peers_;
  std::vector<std::string> left_out_;
};

}  // namespace vnode::bench
